/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw/solve - Algorithm 1 of sqpfw/sqpfw.h, warm: from w and the active set
 * at hand. */
#ifndef KITH_SQPFW_SOLVE_H
#define KITH_SQPFW_SOLVE_H

#include "sqpfw/state.h"

/* Solve at s->theta; sets s->done, and returns it. */
bool kith_sqpfw_solve_warm(struct kith_sqpfw *s);

#endif
