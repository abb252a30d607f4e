/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/minimum.h by a judge of another problem, which is never
 * content: how many rounds are made, and what the search ends with.  At theta
 * 0 the solver goes to its prior, (.5, .5), in a few iterations.
 */
#include "sqpfw/minimum.h"

#include "la/mat.h"
#include "sqpfw/solve.h"
#include "sqpfw/sqpfw.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { ROUNDS = 40, P = 2 };

static struct kith_pool pool;
static double x[] = {0, 0, 1, 0, 0, 10, 1, 12};
static const size_t y[] = {0, 0, 1, 1};
static const struct kith_mat X = {4, P, x};
static const struct kith_sqpfw_how how = {1, 1, .threads = 1};

static struct kith_sqpfw *
begin(void)
{
	struct kith_sqpfw *s = kith_sqpfw_new(&X, y, 2, &how, &pool);

	kith_sqpfw_solve(s, 0);
	return s;
}

static struct kith_sqpfw_judge *
judge_of(const struct kith_mat *of, const double *prior)
{
	const struct kith_sqpfw_judge_how judging = {1, 1, prior, 1, NULL};

	return kith_sqpfw_judge_new(of, y, 2, &judging, &pool);
}

static bool
is_at(const struct kith_sqpfw *s, double first)
{
	return fabs(s->w_by_feature[0] - first) < 1e-13 &&
	    fabs(s->w_by_feature[1] - (1 - first)) < 1e-13;
}

/* The iterations of a solve from some weights on. */
static size_t
iterations_from(double first)
{
	struct kith_sqpfw *s = begin();
	const size_t before = s->iterations;
	const double w[] = {first, 1 - first};
	size_t n;

	kith_sqpfw_restart(s, w);
	kith_sqpfw_solve_warm(s);
	n = s->iterations - before;
	kith_sqpfw_free(s);
	return n;
}

/* F falls from (.5, .5) to a quarter of the way to (1, 0), again and again. */
static void
test_rounds(void)
{
	static const double prior[] = {.7, .3};
	struct kith_sqpfw_judge *judge = judge_of(&X, prior);
	struct kith_sqpfw *s = begin();
	const size_t before = s->iterations, each = iterations_from(.625);
	struct kith_sqpfw_verdict out;

	ok(each > 0 && each < 10, "%zu iterations a round", each);
	kith_sqpfw_minimum(s, judge, false, &out);
	is_size(s->iterations - before, ROUNDS * each, "so many rounds");
	ok(!out.certified && is_at(s, .5), "to end where they began");
	is_near(out.objective, .04, 1e-14, "which is what is judged");
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Rounds end when there are more than 4 n + 1000 iterations, n being those of
 * the first solve: of an n for which that is, in the numbers of a machine,
 * next to n. */
static void
test_work(void)
{
	static const double prior[] = {.7, .3};
	const size_t each = iterations_from(.625);

	for (size_t left = 0; left < 4 * each; left++) {
		const size_t n = (SIZE_MAX - 1000 + left + 1) / 3;
		const size_t due = n * 4 + 1000 - n;
		struct kith_sqpfw_judge *judge = judge_of(&X, prior);
		struct kith_sqpfw *s = begin();
		struct kith_sqpfw_verdict out;

		s->iterations = n;
		kith_sqpfw_minimum(s, judge, false, &out);
		is_size(s->iterations - n, (due / each + 1) * each, "rounds while work is left");
		kith_sqpfw_judge_free(judge);
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
}

/* From weights that the solver then leaves: one more solve, from the best. */
static void
test_best(void)
{
	static const double prior[] = {.7, .3};
	const double first[] = {.699, .301};
	struct kith_sqpfw_judge *judge = judge_of(&X, prior);
	struct kith_sqpfw *s = begin();
	const size_t before = s->iterations, each = iterations_from(.625);
	struct kith_sqpfw_verdict out;

	kith_sqpfw_restart(s, first);
	kith_sqpfw_minimum(s, judge, false, &out);
	is_size(s->iterations - before, (ROUNDS + 1) * each,
	    "all rounds, and from the best weights once more");
	is_near(out.objective, .04, 1e-14, "and what that comes to is judged");
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* Where there is no way down the same weights are tried once; and where
 * objectives are infinite those there are no better than the best. */
static void
test_again(void)
{
	double huge[] = {0, 0, 1e200, 0, 0, 1e201, 1e200, 1.2e201};
	const struct kith_mat Y = {4, P, huge};
	struct kith_sqpfw_judge *judge = judge_of(&Y, NULL);
	struct kith_sqpfw *s = begin();
	const size_t before = s->iterations;
	struct kith_sqpfw_verdict out;

	s->theta_given = s->theta = 1e-30;
	kith_sqpfw_minimum(s, judge, false, &out);
	is_size(s->iterations - before, 2 * iterations_from(.5),
	    "the same weights once, and the best once more");
	ok(!out.certified && is_at(s, .5), "nothing is certified");
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_rounds();
	test_work();
	test_best();
	test_again();
	return done();
}
