/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/cv - how the paths of a task do on rows that were not learnt from: on the rows of
 * --validate, or, in cross-validation, on the rows of each of N parts by machines that learnt from
 * the rows outside the part.  Several classes are predicted as kpredict does, by the votes of all
 * machines (wsvmpath/votes.h); a machine without a row to learn from has no vote.
 */
#ifndef KITH_WSVMPATH_CV_H
#define KITH_WSVMPATH_CV_H

#include "wsvmpath/measure.h"
#include "wsvmpath/problem.h"

/*
 * Sets the targets, costs and queries of the rows of task->test if --validate is given, else of
 * task->rows; in the pool.  Fails, naming file and row, where there is no target column or all
 * targets are missing, and on a class that was not learnt, on costs that are missing, no numbers,
 * negative, all 0 or different within a query, and on relevances out of the range of score/score.h.
 */
int kith_svm_test_read(const struct kith_svm_task *task, struct kith_svm_test *test,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Adds the measure of the paths from theta 0 to 1 to *out; parts NULL: on the rows of --validate.
 * *rows is the number of rows, or queries, that count.  Adds what was done to *count.  Fails where
 * a part has all rows or pairs, cannot be scaled, or has kernels out of range once scaled.  The
 * result does not depend on the threads.
 */
int kith_svm_errors(const struct kith_svm_task *task, const struct kith_svm_test *test,
    const struct kith_svm_parts *parts, struct kith_svm_intervals *out, size_t *rows,
    struct kith_wsvm_count *count, struct kith_err *err);

/*
 * Fits the numbers A and B of machine/platt.h of each machine of a task with classes, into
 * task->model, to the outputs at theta for each row by the machine of its part: no row is scored by
 * a machine that learnt from it.  Every row counts as one, whatever its weight.  Nothing is fitted
 * to one class.  Warns where f falls as the class gets likelier.  Adds what was done to *count.
 * Fails as kith_svm_subset_make().  Time: a machine of each part is solved from nothing.
 */
int kith_svm_calibrate(struct kith_svm_task *task, const struct kith_svm_parts *parts, double theta,
    struct kith_wsvm_count *count, struct kith_err *err);

#endif
