/* SPDX-License-Identifier: BSD-2-Clause */
/* Test of lib/nnk/nnk.h: aew says so where L-BFGS, for which functions here stand, has no memory. */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/pool.h"
#include "near/metric.h"
#include "tap.h"

#include <lbfgs.h>
#include <string.h>

enum { STEPS = 6 }; /* what the library takes, unless it is told */

static size_t asked, due;

static void
count(size_t n, size_t size)
{
	asked += n * size;
}

void
lbfgs_parameter_init(lbfgs_parameter_t *param)
{
	memset(param, 0, sizeof(*param));
	param->m = STEPS;
}

int /* NOLINTNEXTLINE(readability-function-size): the library's signature */
lbfgs(int n, lbfgsfloatval_t *x, lbfgsfloatval_t *ptr_fx, lbfgs_evaluate_t proc_evaluate,
    lbfgs_progress_t proc_progress, void *instance, lbfgs_parameter_t *param)
{
	(void)x, (void)ptr_fx, (void)proc_evaluate, (void)proc_progress, (void)instance;
	due += 2 * (size_t)n * (size_t)param->m * sizeof(*x);
	return LBFGSERR_OUTOFMEMORY;
}

int
main(void)
{
	struct kith_pool pool = {0};
	struct kith_err err;
	double x[] = {0, 1, 1, 3, 2, 7, 4, 0, 7, 2, 9, 9};
	const struct kith_mat X = {6, 2, x};
	const struct kith_metric metric = {KITH_SQUARED, 2, NULL};
	const struct kith_nnk_rows rows = {.X = &X, .metric = &metric, .m = X.n, .threads = 1};
	const struct kith_nnk_how how = {
	    .method = KITH_NNK_AEW, .k = 3, .sigma = {KITH_SIGMA_FIXED, 1}};
	struct kith_nnk aew;

	kith_no_memory = count;
	ok(kith_nnk(&rows, &how, &aew, &pool, &err) == 0 && !aew.converged, "aew without a step");
	ok(due > 0 && asked == due, "no memory for %zu bytes of %zu", asked, due);
	kith_pool_free(&pool);
	return done();
}
