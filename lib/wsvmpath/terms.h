/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/terms - f of all items for several solutions at once, and the size
 * of the terms that f sums, from the rows alone: kernels are computed anew.
 *
 *	f_i = sum_v sign_v alpha_v K_iv        without b and ridge
 *	t_i = sum_v |K_iv| |alpha_v|
 *
 * where K_iv is K(x_i, x_plus[v]), and for ranking K(x_i, x_minus[v]) beside
 * with the other sign.
 */
#ifndef KITH_WSVMPATH_TERMS_H
#define KITH_WSVMPATH_TERMS_H

#include <stddef.h>

struct kith_pool;
struct kith_wsvm_job;

struct kith_wsvm_terms {
	double *f, *t; /* room x n */

	/* The rest is wsvmpath/terms.c's. */
	const struct kith_wsvm_job *job;
	size_t steps;
	double *coef, *size; /* room x n, of rows with an alpha */
	size_t *row, active; /* rows with an alpha, in any step */
};

/* Make room for so many solutions; memory from the pool. */
void kith_wsvm_terms_new(struct kith_wsvm_terms *terms, const struct kith_wsvm_job *job,
    size_t room, struct kith_pool *pool);

/*
 * Compute f and t for the alpha (N each) of so many steps, at most the room.
 * Time O(n a (p + steps)) for a rows with an alpha that is not 0.
 */
void kith_wsvm_terms_compute(
    struct kith_wsvm_terms *terms, size_t steps, const double *const *alpha);

/* t alone, n numbers, for one `size` of each variable, of any sign. */
void kith_wsvm_terms_sizes(const struct kith_wsvm_job *job, const double *size, double *t);

#endif
