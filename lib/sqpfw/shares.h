/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/shares - the multipliers of the solver as a proposal to the certificate
 * (sqpfw/certificate.h).
 */
#ifndef KITH_SQPFW_SHARES_H
#define KITH_SQPFW_SHARES_H

#include <stdbool.h>
#include <stddef.h>

struct kith_sqpfw;

/*
 * Find the multipliers y of the ties at the present w and theta, and from them
 * the share of each tied pair in what its group has of theta/n, beta over
 * theta/n: those of a group sum to 1.  Time O(m |P| + p), m ties.
 */
void kith_sqpfw_shares_find(struct kith_sqpfw *s);

/*
 * An ask() of struct kith_certify_known for the struct kith_sqpfw `of`: the
 * share that was found last.
 */
double kith_sqpfw_shares_ask(const void *of, size_t i, bool miss, size_t j);

#endif
