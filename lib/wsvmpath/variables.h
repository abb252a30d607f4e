/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/variables - the problem of wsvm/problem.h that rows make: a variable
 * for each row (classify), two (regress), or one for each pair (rank), and the
 * rows' coefficients.
 */
#ifndef KITH_WSVMPATH_VARIABLES_H
#define KITH_WSVMPATH_VARIABLES_H

#include "wsvmpath/task.h"

/* Make N variables, all 0, with minus for ranks. */
void kith_wsvm_variables(struct kith_wsvm_job *job, size_t N, bool ranks);

/*
 * Make the problem of the rows.  classify: two classes, the second +1, or one,
 * which is +1; of more classes it has the weights alone, for wsvmpath/pairs.h.
 * Fail as kith_wsvm_weights() does.
 */
int kith_wsvm_classify(struct kith_wsvm_job *job, struct kith_err *err);
int kith_wsvm_regress(struct kith_wsvm_job *job, struct kith_err *err);

/*
 * The same for ranking: a variable for each pair of rows i, j of one query, i
 * better than j, that is y_i > y_j, in order of i, then of j.  Their weights are
 * those of eqs. (32) and (33) of Karasuyama, Harada, Sugiyama and Takeuchi
 * (2012),
 *
 *	--from C0       C_ij = C0
 *	--to C1         C_ij = C1
 *	--to relevance  C_ij = (2^y_i - 2^y_j) C0
 *	--to difference C_ij = (y_i - y_j) C0
 *
 * where C0 and C1 are numbers, or those of the query, out of columns.  Relevances
 * are any numbers, those below 0 too.  Without a column for the queries all rows
 * are one.  Warns of queries without a pair.  Fails with EX_DATAERR where none has
 * one, where a query is missing, where two rows of a query have other weights, and
 * where sums would be too large for a double.  Time O(sum of g^2) for queries of
 * g rows.
 */
int kith_wsvm_rank(struct kith_wsvm_job *job, struct kith_err *err);

/* The coefficients of the n rows, sums of sign alpha, into coef. */
void kith_wsvm_coef(const struct kith_wsvm_job *job, const double *alpha, double *coef);

/*
 * The machine of a solution: those of the rows whose coefficient is not 0.
 * What it refers to is in the pool of the job, and the job.
 */
void kith_wsvm_machine(
    const struct kith_wsvm_job *job, const double *alpha, double b, struct kith_machine *machine);

/*
 * Whether sums of the weights `from` and `to` of N variables, with products of
 * two kernels of the first n items of X, stay in the range of doubles.
 */
bool kith_wsvm_in_range(
    const struct kith_wsvm_problem *problem, size_t n, const double *from, const double *to);

/* Fail with EX_DATAERR where those of the job do not. */
int kith_wsvm_check_range(const struct kith_wsvm_job *job, struct kith_err *err);

#endif
