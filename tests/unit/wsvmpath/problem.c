/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvmpath/problem.h: the problems of classes and of numbers, by
 * hand; weights along the path, coefficients, and what is too large.
 */
#include "wsvmpath/problem.h"

#include "scratch.h"
#include "tap.h"
#include "wsvmpath/range.h"
#include "wsvmpath/tasks.h"

#include <math.h>

static const char *files[2];
static struct kith_svm_options call;
static struct kith_svm_task job;
static struct kith_err err;

static void
begin(int task, const char *table)
{
	files[0] = scratch_text(0, table);
	call = options_of(task, files);
	make(&call, &job);
}

static bool
is(const double *got, const double *due, size_t n)
{
	bool same = true;

	for (size_t i = 0; i < n; i++)
		same &= fabs(got[i] - due[i]) <= 1e-15;
	return same;
}

static void
test_classify(void)
{
	const struct kith_wsvm_problem *problem = &job.problem;

	begin(KITH_SVM_CLASSIFY, "u,a,b,y\n1,2,5,q\n2,3,0,p\n3,0,7,q\n");
	ok(problem->variables == 3 && problem->bias && !problem->minus && problem->plus[0] == 0 &&
		problem->plus[2] == 2,
	    "a variable for each row");
	ok(is(problem->sign, (double[]){1, -1, 1}, 3) && is(problem->q, (double[]){-1, -1, -1}, 3),
	    "the second class is 1");
	ok(is(job.from, (double[]){2, 3, 0}, 3) && is(job.to, (double[]){5, 0, 7}, 3),
	    "weights of rows");
	kith_pool_free(&pool);
	begin(KITH_SVM_CLASSIFY, "u,a,b,y\n1,2,5,p\n2,3,0,p\n");
	ok(is(problem->sign, (double[]){1, 1}, 2), "so is one alone");
	kith_pool_free(&pool);
}

static void
test_regress(void)
{
	const struct kith_wsvm_problem *problem = &job.problem;

	begin(KITH_SVM_REGRESS, "u,a,b,y\n1,2,5,4\n2,3,0,-.5\n");
	ok(problem->variables == 4 && problem->bias && problem->plus[1] == 1 &&
		problem->plus[2] == 0 && problem->plus[3] == 1,
	    "two variables for each row");
	ok(is(problem->sign, (double[]){1, 1, -1, -1}, 4) &&
		is(problem->q, (double[]){-3.9, .6, 4.1, -.4}, 4),
	    "the tube from both sides");
	ok(is(job.from, (double[]){2, 3, 2, 3}, 4) && is(job.to, (double[]){5, 0, 5, 0}, 4),
	    "of the weight of the row");
	kith_pool_free(&pool);
	files[0] = scratch_text(0, "u,a,b,y\n1,2,5,4\n2,3,0,-1e301\n");
	if (kith_svm_read(&call, &job, &pool, &err))
		abort();
	ok(kith_svm_make(&job, &err) == -1 && err.status == EX_DATAERR,
	    "a number that is too large");
	kith_pool_free(&pool);
}

static void
test_along(void)
{
	static const double alpha[] = {3, 1, .5, .25};
	double coef[2];

	begin(KITH_SVM_REGRESS, "u,a,b,y\n1,1,1e-17,4\n2,3,0,-.5\n");
	kith_svm_coef(&job, alpha, coef);
	ok(is(coef, (double[]){2.5, .75}, 2), "coefficients of rows");
	kith_pool_free(&pool);
}

/* Kernels of 1e200 and weights: their sum times the square of the kernel. */
static void
test_range(void)
{
	double x[] = {1e50, 1e100}, from[] = {.9e104, 0}, to[] = {.8e104, 0};
	const struct kith_mat X = {2, 1, x};
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	const struct kith_kern kern = {.kind = KITH_KERN_LINEAR, .metric = &metric};
	size_t minus[] = {0, 0};
	size_t N = 1;

	job = (struct kith_svm_task){.kern = kern};

	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == 0, "just in range");
	ok(kith_svm_check_weights(&job, &X, 2, N, from, to, "", &err) == -1, "not with such a row");
	N = 2;
	from[1] = .05e104;
	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == 0, "nearly too large");
	to[1] = .05e104;
	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == -1, "of all variables");
	job.minus = minus;
	from[0] = to[0] = .5e103;
	from[1] = to[1] = .05e103;
	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == 0, "just so for ranks");
	to[1] = .08e103;
	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == -1,
	    "of four kernels each");
	job.minus = NULL;
	x[0] = 1e-50;
	from[0] = 1.5e304;
	to[0] = .2e304;
	from[1] = to[1] = 0;
	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == 0, "weights alone");
	to[0] = .4e304;
	ok(kith_svm_check_weights(&job, &X, 1, N, from, to, "", &err) == -1, "too large ones");
}

int
main(void)
{
	test_classify();
	test_regress();
	test_along();
	test_range();
	return done();
}
