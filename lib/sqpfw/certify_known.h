/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/certify_known - whether multipliers that somebody proposes prove a
 * minimum (sqpfw/certify.h): one pass over the rows, no search.
 */
#ifndef KITH_SQPFW_CERTIFY_KNOWN_H
#define KITH_SQPFW_CERTIFY_KNOWN_H

#include "sqpfw/certificate.h"

struct kith_kinks;
struct kith_mat;
struct kith_ties;

/*
 * Whether the multipliers how->known, brought to shares that are not negative
 * and sum to 1 over each kink, leave a residual of at most 1e-2 of the limit;
 * if so, *residual receives it.  False also where they are not enough to tell.
 * Requires that no kink is concave, or that theta is 0.
 * Time O(n p + p ties), memory O(p).
 */
bool kith_certify_known(const struct kith_mat *X, const struct kith_ties *ties,
    const struct kith_kinks *kinks, const double *w, const struct kith_certify_how *how,
    double *residual);

#endif
