/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm_blind - the bench of wsvmpath's engine without its judgement: each piece
 * counts as sound.  What wsvm takes longer than this is the cost of judging.
 */
#include "wsvm/quick.h"

#define kith_wsvm_quick(s, end, within) (*(within) = true)

/* NOLINTBEGIN(bugprone-suspicious-include) */
#include "wsvm/wsvm.c" /* in place of that of the library */

#include "wsvm.c"
/* NOLINTEND(bugprone-suspicious-include) */
