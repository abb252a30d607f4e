/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/form - the closed form of Theorem 3.1, and matrices as factors.
 *
 * Sigma = sum_i mu_i psi_i psi_i' gives V = sum_i eta_i psi_i psi_i' with
 * eta_i = (-mu_i)+ / |(-mu)+|.  Any symmetric W is R' diag(sign) R with rows
 * R_i = sqrt|lambda_i| v_i', few where W has low rank.
 */
#ifndef KITH_IMMIGRATE_FORM_H
#define KITH_IMMIGRATE_FORM_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_data;
struct kith_immigrate_sum;
struct kith_pool;

struct kith_immigrate_form {
	size_t p, ld;
	size_t r;               /* rows, rounded up to a multiple of 8 by rows of 0 */
	double *R;              /* ld x ld at most, of which r rows are in use */
	double *sign;           /* ld: 1, -1, or 0 */
	double norm;            /* |(-mu)+| of the closed form found last */
	double *A, *U, *lambda; /* scratch: p x p, p x p, p */
};

struct kith_immigrate_form kith_immigrate_form_new(
    const struct kith_immigrate_data *data, struct kith_pool *pool);

/* The factor of W (p x p, symmetric).  Time O(p^3). */
void kith_immigrate_form_of(struct kith_immigrate_form *form, const double *W);

/* W (p x p) of the factor.  Time O(p^2 r). */
void kith_immigrate_form_full(const struct kith_immigrate_form *form, double *W);

/*
 * The factor of V, of norm 1, from the upper triangle of Sigma (p x p).  False,
 * and the factor is of no use, where no eigenvalue is below -1e-14 size, which
 * is what rounding may make of a 0 when Sigma is a sum of terms of this total
 * size.  Time O(p^3).
 */
bool kith_immigrate_form_closed(struct kith_immigrate_form *form, const double *Sigma, double size);

/*
 * After a closed form that is none, that of the projection on the eigenvector
 * of the smallest eigenvalue.
 */
void kith_immigrate_form_edge(struct kith_immigrate_form *form);

/*
 * The same for Sigma = Z' diag(sign) Z with n < p rows of Z (ld apart), by the
 * eigenvectors of Z Z' (n x n).  Time O(n^3 + n^2 p).
 */
bool kith_immigrate_form_gram(
    struct kith_immigrate_form *form, size_t n, const double *Z, const double *sign, double size);

#endif
