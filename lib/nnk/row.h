/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/row - the small problem of one row q with candidates S (nnk/nnk.h), and
 * its solution; scratch space of one thread.
 */
#ifndef KITH_NNK_ROW_H
#define KITH_NNK_ROW_H

#include "kernel/kern.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_local_pack;
struct kith_mat;
struct kith_neighbour;
struct kith_pool;
struct kith_qp_nn;

enum kith_nnk_form {
	KITH_NNK_KERNEL,
	KITH_NNK_ANGLES,
	KITH_NNK_GRAM,
	KITH_NNK_SIGNED /* as GRAM; the ridge is not in A */
};

/*
 * K_SS = A and K_Sq = factor * b, but for KITH_KERN_LINEAR, KITH_NNK_GRAM and
 * KITH_NNK_SIGNED, whose rows are in units of their own: errors there are those of the data
 * times 2^-exponent.  With the linear kernel q is divided by 2^own and
 * candidate i by 2^size[i], all alike unless the lengths of rows are far apart:
 * then each row has a length near 1, for next to the longest nothing else would
 * be seen.
 */
struct kith_nnk_row {
	enum kith_nnk_form form;
	enum kith_kern_kind kernel; /* KITH_NNK_KERNEL */
	const struct kith_mat *X;
	const struct kith_local_pack *pack;
	struct kith_qp_nn *qp;

	size_t n, ld; /* candidates; rows of A are ld apart */
	double *A, *b;
	double kqq, factor;
	double ridge; /* KITH_NNK_GRAM, KITH_NNK_SIGNED */
	int exponent;
	int own, *size; /* 0 but for the linear kernel */

	double *t; /* weights, kith_nnk_row_weight() in units of the data */
	double *r; /* b - A t where t > 0 */
	double *lin, *q;
	double *G; /* n x p candidates; of KITH_NNK_SIGNED from q */
};

/*
 * Room, in the pool, for rows of at most `most` candidates; the pack and X
 * must stay.
 */
struct kith_nnk_row *kith_nnk_row_new(enum kith_nnk_form form, enum kith_kern_kind kernel,
    const struct kith_mat *X, const struct kith_local_pack *pack, size_t most,
    struct kith_pool *pool);

/*
 * Set the problem of q with n candidates, nearest first.  Time O(n^2 p).
 */
void kith_nnk_row_pose(struct kith_nnk_row *row, const double *q, const struct kith_neighbour *nn,
    size_t n, double sigma);

/*
 * Solve it, with the linear term K_Sq - eta; the largest violation of the
 * conditions divided by the largest K_Sq - eta (solve/nn.h).
 */
double kith_nnk_row_solve(struct kith_nnk_row *row, double eta);

/* The weight of candidate i. */
double kith_nnk_row_weight(const struct kith_nnk_row *row, size_t i);

/* The local error, eq. (5), at the weights t, from b and r alone. */
double kith_nnk_row_error(const struct kith_nnk_row *row);

/*
 * Whether the weights that kith_nnk_row_solve() found, with this violation, are
 * so far within the limits of nnk/check.h that neither rounding matters nor a
 * cut of the weights up to `least` of the largest.
 */
bool kith_nnk_row_is_sure(const struct kith_nnk_row *row, double least, double violation);

#endif
