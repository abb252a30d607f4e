/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/validate_rows - the rows to validate on, for wsvmpath/validate.h:
 * those of --validate, or, for --cv, the rows learnt from.
 */
#ifndef KITH_WSVMPATH_VALIDATE_ROWS_H
#define KITH_WSVMPATH_VALIDATE_ROWS_H

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_wsvm_job;
struct kith_wsvm_valid_how;

/*
 * Targets, costs and queries of the rows of job->asked, or where it has none of
 * job->rows, into *how, in the pool.
 * Fails, naming file and row, where these have no target, or none that is not
 * missing, a class that was not learnt, costs that are missing, no numbers,
 * negative or all 0, and relevances out of the range of score/score.h.
 */
int kith_wsvm_valid_rows(const struct kith_wsvm_job *job, struct kith_wsvm_valid_how *how,
    struct kith_pool *pool, struct kith_err *err);

/* What m of these rows alone are validated by, as sums; in the pool. */
void kith_wsvm_valid_part(const struct kith_wsvm_valid_how *all, const size_t *row, size_t m,
    struct kith_wsvm_valid_how *how, struct kith_pool *pool);

#endif
