/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/rescale.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/unit.h"
#include "wsvmpath/resolve.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

/* Bring the items into the units of some of them. */
static int
scale(const struct kith_wsvm_rescale *how, struct kith_mat *X, struct kith_pool *pool,
    struct kith_err *err)
{
	const struct kith_wsvm_job *job = how->job;
	const struct kith_mat learnt = kith_mat_rows(X, how->learnt, how->n, pool);
	struct kith_origin from = kith_table_origin(&job->rows);
	struct kith_unit unit;

	from.metric = &job->learnt.metric;
	from.feature = &job->learnt.feature;
	from.row = how->row;
	if (kith_unit_fit(job->call->scale, &learnt, &from, &unit, pool, err))
		return -1;
	return kith_unit_apply(&unit, X, &from, err);
}

/* Whether kernels fit doubles, and doubles tell those learnt from apart. */
static int
check(const struct kith_wsvm_rescale *how, const struct kith_wsvm_problem *problem,
    const struct kith_mat *learnt, struct kith_err *err)
{
	const struct kith_wsvm_job *job = how->job;
	const struct kith_mat *X = problem->X;
	const size_t bad = kith_wsvm_too_large(problem->kern, X);

	if (bad < X->n)
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "row %zu, scaled for --cv: its kernels are too large for a "
		    "double",
		    kith_table_number(&job->rows, how->row ? how->row[bad] : bad));
	if (!kith_wsvm_in_range(problem, X->n, how->from, how->to))
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "weights and kernels, scaled for --cv, are together too "
		    "large for a double");
	if (!kith_wsvm_resolved(problem->kern, learnt, job->call->ridge))
		return kith_fail_at(err, EX_DATAERR, job->rows.file, 0,
		    "kernels of the rows, scaled for --cv, differ by less than "
		    "doubles resolve: centre and scale the features%s",
		    job->call->scale == KITH_UNIT_ZSCORE ? "" : " (--scale zscore?)");
	return 0;
}

int
kith_wsvm_rescale(const struct kith_wsvm_rescale *how, struct kith_wsvm_problem *problem,
    struct kith_mat *X, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	int status = scale(how, X, &tmp, err);

	if (status == 0) {
		const struct kith_mat learnt = kith_mat_rows(X, how->learnt, how->n, &tmp);

		problem->X = X;
		status = check(how, problem, &learnt, err);
		problem->ridge = kith_wsvm_ridge(how->job->call->ridge, problem->kern, &learnt);
	}
	kith_pool_free(&tmp);
	return status;
}
