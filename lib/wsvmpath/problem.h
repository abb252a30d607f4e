/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/problem - the problem of wsvm/problem.h that the rows of a task make: a variable for
 * each row (classify), two (regress), or one for each pair of rows (rank).
 *
 * More than two classes have a machine for each pair of them, 1 2, 1 3, ..., 2 3, ... in byte
 * order, which learns from the rows of both; the second class is +1.
 */
#ifndef KITH_WSVMPATH_PROBLEM_H
#define KITH_WSVMPATH_PROBLEM_H

#include "base/pool.h"
#include "wsvmpath/task.h"

/*
 * Makes the problem of the rows.
 *
 *	classify  two classes, the second +1; one class is +1.  Of more classes the whole task has
 *	          the weights of the rows alone, for kith_svm_subset_make().
 *	regress   variables v and n + v are of row v
 *	rank      a variable for each pair of rows i, j of one query with y_i > y_j, in order of i,
 *	          then of j
 *
 * The weights of pairs are those of eqs. (32) and (33) of Karasuyama, Harada, Sugiyama and Takeuchi
 * (2012),
 *
 *	--from C0        C_ij = C0
 *	--to C1          C_ij = C1
 *	--to relevance   C_ij = (2^y_i - 2^y_j) C0
 *	--to difference  C_ij = (y_i - y_j) C0
 *
 * where C0 and C1 are numbers, or numbers of the query in a column.  Relevances are any numbers,
 * also negative ones.  Without a column of queries all rows are one query.  Warns of queries
 * without a pair.
 *
 * Fails with EX_DATAERR where a weight is missing, no number or negative, where no query has a
 * pair, a query is missing, or two rows of a query have different weights, and where sums would be
 * too large for a double.  Time O(n), and O(sum of g^2) for queries of g rows.
 */
int kith_svm_make(struct kith_svm_task *task, struct kith_err *err);

/* Makes N variables, all 0, with minus for ranks. */
void kith_svm_variables(struct kith_svm_task *task, size_t N, bool ranks);

/* Sets the coefficients of the n rows: sums of sign alpha. */
void kith_svm_coef(const struct kith_svm_task *task, const double *alpha, double *coef);

/* Returns whether there are several machines. */
bool kith_svm_is_many(const struct kith_svm_task *task);

/* Returns the number of machines. */
size_t kith_svm_machines(const struct kith_svm_task *task);

/* Returns 1 or -1 for a row of this class that a machine learns from, 0 for other rows. */
double kith_svm_sign(const struct kith_svm_task *task, size_t machine, size_t class);

/* Sets the names of the classes that a machine of several tells apart; the second is +1. */
void kith_svm_classes(const struct kith_svm_task *task, size_t machine, const char *class[2]);

/* Parts of the rows for cross-validation: row i is in part of[i] < n. */
struct kith_svm_parts {
	const size_t *of;
	size_t n;
};

/*
 * A machine that learns from some rows of a task and is validated on others: without parts, it
 * learns from all rows and is validated on the rows of --validate; with parts, it learns from the
 * rows outside a part and is validated on the rows in the part, all in the units (--scale) of the
 * rows outside.
 */
struct kith_svm_subset {
	const struct kith_svm_task *whole;
	struct kith_svm_task task; /* of this machine */
	size_t *test, m;           /* m rows validated on: of --validate, or of the whole task */
	size_t *item;              /* m: their items in task.X; NULL: the last m items */
	struct kith_pool pool;
};

/*
 * Makes a machine (0 where there is but one), of a task whose problem is made.  The subset must
 * stay where it is.  task.n is 0 where the machine has no row to learn from.  Fails, with the
 * subset to be freed, where a part has all rows, cannot be scaled, or has kernels out of range once
 * scaled.  Time and memory O(n p).
 */
int kith_svm_subset_make(struct kith_svm_subset *s, const struct kith_svm_task *whole,
    const struct kith_svm_parts *parts, size_t part, size_t machine, struct kith_err *err);

/*
 * As kith_svm_subset_make() with parts for a task with one machine; the machine has all variables
 * and items of the whole task, with weights 0 for the variables of the part, so that its alpha are
 * 0 and parts in one unit can share the kernel matrix.
 */
int kith_svm_subset_leave_out(struct kith_svm_subset *s, const struct kith_svm_task *whole,
    const struct kith_svm_parts *parts, size_t part, struct kith_err *err);

void kith_svm_subset_free(struct kith_svm_subset *s);

#endif
