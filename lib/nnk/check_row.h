/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/check_row - the conditions of nnk/check.h for one row: what it joins,
 * and what it might have joined.
 */
#ifndef KITH_NNK_CHECK_ROW_H
#define KITH_NNK_CHECK_ROW_H

#include "kernel/kern.h"

#include <stddef.h>

struct kith_metric;

struct kith_check_nnk_row {
	/* as in nnk/check.h; limit: of the conditions */
	enum kith_kern_kind kernel;
	double eta, least, limit;
	const struct kith_metric *metric, *packed; /* of rows as below */

	size_t n;                   /* candidates */
	double sigma, shift;        /* gaussian: kernels times exp(shift/(2 sigma^2)) */
	const double *raw_q, **raw; /* the row and its candidates as they are */
	double *q, *G;              /* packed: p, n x p */
	double *t;                  /* n: weights, 0 without an edge */

	/* scratch, n */
	int *unit;
	long double *lambda, *cut;
};

/*
 * The largest |lambda| of edges into at[0], the largest -lambda of others into
 * at[1], relative to the size of the problem.  n >= 1.  Time O(n e p) for e
 * edges; where a limit is missed O(n^2 p) and, once for each weight that is put
 * back, O(n p).
 */
void kith_check_nnk_row(const struct kith_check_nnk_row *row, double at[2]);

#endif
