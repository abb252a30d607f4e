/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/smo_pair - the steps of wsvm/smo.h where there is a bias: two variables
 * move, so that e' x stays as it is.
 */
#ifndef KITH_WSVM_SMO_PAIR_H
#define KITH_WSVM_SMO_PAIR_H

#include <stddef.h>

struct kith_smo_run;

/*
 * Until no violation exceeds tol, or `most` steps were done; returns the
 * steps.  Time O(count) per step, and O(n) where not every row has one
 * variable.
 */
size_t kith_smo_pairs(struct kith_smo_run *run, double tol, size_t most);

#endif
