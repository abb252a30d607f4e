/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seen - what the shim tells: calls of the function that is to fail, and how
 * many of them did.  The file of that begins with it.
 */
#ifndef KITH_TORTURE_SEEN_H
#define KITH_TORTURE_SEEN_H

#include <stdatomic.h>

struct kith_seen {
	atomic_ulong calls, failed;
};

#endif
