/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/fit.h: against the methods themselves, with starts and
 * features of the test's own.
 */
#include "immigrate/fit.h"

#include "base/err.h"
#include "immigrate/boost.h"
#include "immigrate/data.h"
#include "immigrate/start.h"
#include "immigrate/unit.h"
#include "tap.h"

static struct kith_err err;
static size_t told;

static void
tell(void *to, const struct kith_immigrate_trace *trace)
{
	(void)to;
	(void)trace;
	told++;
}

static struct kith_immigrate_fit_how
how_of(enum kith_immigrate_fit_method method, size_t max_iter)
{
	struct kith_immigrate_fit_how how = {
	    .method = method, .how = usual(.75, max_iter), .seed = 7, .most = 99};

	how.how.tol = 1e-6;
	return how;
}

static void
test_words(void)
{
	struct kith_immigrate_fit_how how = {0};
	struct kith_boost_how boost = {0};
	static const char *const no[] = {
	    "8", "2:8", "8:0", "8:-1", "x:1", "8:x", ":", "8:", "8:2:1"};

	ok(kith_immigrate_fit_threshold("auto", &how) == 0 && how.how.threshold == -1, "auto");
	ok(kith_immigrate_fit_threshold("0.25", &how) == 0 && how.how.threshold == .25, "a number");
	ok(kith_immigrate_fit_threshold("0", &how) == 0 && how.how.threshold == 0, "none");
	ok(kith_immigrate_fit_threshold("-0.5", &how) == -1, "below 0");
	ok(kith_immigrate_fit_threshold("x", &how) == -1, "no number");
	ok(kith_boost_range("8:.5", &boost) == 0 && boost.most == 8 && boost.least == .5,
	    "a range");
	ok(kith_boost_range("2:2", &boost) == 0 && boost.most == 2 && boost.least == 2,
	    "of one number");
	for (size_t k = 0; k < sizeof(no) / sizeof(*no); k++)
		ok(kith_boost_range(no[k], &boost) == -1, "%s is none", no[k]);
}

/* The start of a fit, of the test's own. */
static double *
start_of(const struct kith_immigrate_fit_how *how, size_t p)
{
	double *W = start(p, true);

	if (how->method == KITH_IMMIGRATE_FIT_IM4E)
		W = even(p);
	if (how->start == KITH_IMMIGRATE_FIT_GIVEN)
		return memcpy(W, how->given,
		    (how->method == KITH_IMMIGRATE_FIT_IM4E ? p : p * p) * sizeof(*W));
	if (how->start == KITH_IMMIGRATE_FIT_RANDOM && how->method == KITH_IMMIGRATE_FIT_IM4E)
		kith_immigrate_start_draw(how->seed, p, W);
	else if (how->start == KITH_IMMIGRATE_FIT_RANDOM)
		kith_immigrate_start_random(how->seed, 0, p, W);
	return W;
}

static bool
same_fit(const struct kith_immigrate_fit *a, const struct kith_immigrate_fit *b)
{
	return a->end == b->end && a->iterations == b->iterations && a->F == b->F &&
	    a->sure == b->sure && a->open == b->open;
}

/* A fit by a method from a start is what the method makes of the start. */
static void
test_starts(enum kith_immigrate_fit_method method, double threshold)
{
	const bool vector = method == KITH_IMMIGRATE_FIT_IM4E;

	for (int from = 0; from < 3; from++) {
		const size_t p = 5;
		struct set *set = draw(60, p, 3, false, false);
		struct kith_immigrate_fit_how how = how_of(method, 8);
		struct kith_immigrate_how plain = how.how;
		struct kith_immigrate_fitted got;
		struct kith_immigrate_fit fit = {0};
		double *W, given[25] = {.4, .1, .2, .1, .2};

		if (!vector)
			memcpy(given, start(p, false), sizeof(given));
		how.start = (enum kith_immigrate_fit_start)from;
		how.given = given;
		how.how.threshold = threshold;
		plain.threshold = threshold < 0 ? .2 : threshold;
		how.how.monotone = from == 1;
		plain.monotone = from == 1 && !vector;
		plain.damped = from == 1 && vector;
		W = start_of(&how, p);
		(vector ? kith_im4e : kith_immigrate)(&set->rows, &plain, W, &fit);
		ok(kith_immigrate_fit_run(&set->rows, &how, &got, &pool, &err) == 0, "start %d",
		    from);
		ok(got.metric.kind == (vector ? KITH_ABSOLUTE : KITH_ABSOLUTE_MATRIX) &&
			got.metric.p == p && !got.column,
		    "its metric");
		ok(apart(vector ? p : p * p, W, got.metric.w) == 0 && same_fit(&fit, &got.fit),
		    "what the method gives");
		ok(got.sigma.value == .75 && got.sigma.unit == 0, "sigma as it was given");
		kith_pool_free(&pool);
	}
}

/* Features of im4e above a weight, the largest of them, in their order. */
static size_t
choose(size_t p, const double *w, double above, size_t most, size_t *column)
{
	size_t n = 0;

	for (size_t j = 0; j < p; j++) {
		size_t before = 0;

		for (size_t k = 0; k < p; k++)
			before += w[k] > w[j] || (k < j && w[k] == w[j]);
		if (before < most && w[j] > above)
			column[n++] = j;
	}
	return n;
}

static void
test_selected(bool above, double select, size_t most, size_t due)
{
	enum { P = 8 };
	struct set *set = draw(60, P, 3, false, false), part;
	struct kith_immigrate_fit_how how = how_of(KITH_IMMIGRATE_FIT_SELECTED, 6);
	struct kith_immigrate_how plain = how.how;
	struct kith_immigrate_fitted got;
	struct kith_immigrate_fit fit = {0};
	double *w = even(P), *W;
	size_t column[P], n, odd = 0;

	how.weights_above = above;
	how.select = select;
	how.most = most;
	how.how.tell = tell;
	kith_im4e(&set->rows, &plain, w, &fit);
	n = choose(P, w, above ? select : 1. / P, most, column);
	is_size(n, due, "features are above");
	told = 0;
	ok(kith_immigrate_fit_run(&set->rows, &how, &got, &pool, &err) == 0 && got.metric.p == n &&
		got.column,
	    "%zu of at most %zu", n, most);
	for (size_t j = 0; j < n; j++)
		odd += got.column[j] != column[j];
	is_size(odd, 0, "features that are not those above");
	ok(same_fit(&fit, &got.select), "as im4e tells");
	part = *set;
	part.X = kith_mat_take(&set->X, column, n, &pool);
	part.rows.X = &part.X;
	W = kith_new(&pool, n, n * sizeof(*W));
	for (size_t j = 0; j < n; j++)
		W[j * n + j] = w[column[j]];
	kith_immigrate_normalise(n * n, true, W);
	kith_immigrate(&part.rows, &plain, W, &fit);
	ok(apart(n * n, W, got.metric.w) <= 1e-12, "from their weights");
	ok(same_fit(&got.fit, &fit) || fabs(got.fit.F / fit.F - 1) < 1e-12, "the fit of these");
	is_size(told, got.fit.iterations + 1, "the selection is not told of");
	kith_pool_free(&pool);
}

static void
test_none(void)
{
	struct set *set = draw(30, 4, 2, false, false);
	struct kith_immigrate_fit_how how = how_of(KITH_IMMIGRATE_FIT_SELECTED, 4);
	struct kith_boost_how boost = {.inner = how.how, .learners = 1};
	struct kith_immigrate_fitted got;
	struct kith_ensemble ensemble;
	struct kith_boost_count count;

	how.weights_above = true;
	how.select = 1;
	ok(kith_immigrate_fit_run(&set->rows, &how, &got, &pool, &err) == -1 &&
		err.status == EX_DATAERR,
	    "no feature has a weight above 1");
	is_text(err.msg, "im4e gives no feature a weight above 1 (--select?)", "which is said");
	ok(kith_immigrate_fit_boost(
	       &set->rows, &how, &boost, &ensemble, &count, &got.select, &pool, &err) == -1,
	    "nor is there an ensemble");
	kith_pool_free(&pool);
}

/* Weights of constant features go, the others have norm 1 again. */
static void
test_settle(bool matrix)
{
	double scale[] = {2, 0, 1};
	double W[] = {.6, .2, .1, .2, .5, .3, .1, .3, .4}, w[] = {.5, .25, .25};
	const struct kith_immigrate_unit unit = {.unit = {3, scale, scale}};
	const struct kith_immigrate_unit none = {.unit = {0}};
	struct kith_immigrate_fitted fit = {
	    .metric = {matrix ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE, 3, matrix ? W : w},
	    .fit = {.sure = true}};
	const double left = sqrt(.36 + .02 + .16);
	const double due[] = {.6 / left, 0, .1 / left, 0, 0, 0, .1 / left, 0, .4 / left};

	kith_immigrate_fit_settle(&none, &fit, &pool);
	ok(fit.metric.w == (matrix ? W : w) && fit.fit.sure && !fit.fit.open,
	    "rows that were not scaled");
	kith_immigrate_fit_settle(&unit, &fit, &pool);
	if (matrix)
		ok(apart(9, fit.metric.w, due) <= 1e-15, "a matrix of norm 1");
	else
		ok(apart(3, fit.metric.w, (const double[]){2. / 3, 0, 1. / 3}) <= 1e-15,
		    "a vector of sum 1");
	ok(!fit.fit.sure && fit.fit.open, "it is to be judged");
	fit.fit = (struct kith_immigrate_fit){.sure = true};
	kith_immigrate_fit_settle(&unit, &fit, &pool);
	ok(fit.fit.sure && !fit.fit.open, "but not where nothing was dropped");
	kith_pool_free(&pool);
}

/* The checks of a fit, where it does not know; those of its features. */
static void
test_judge(void)
{
	enum { P = 5 };
	struct set *set = draw(60, P, 3, false, false);
	struct kith_immigrate_fit_how how = how_of(KITH_IMMIGRATE_FIT_SELECTED, 500);
	struct kith_check check[KITH_CHECK_IMMIGRATE] = {{0}}, due;
	struct kith_immigrate_how plain;
	struct kith_immigrate_fitted fit;
	double *w = even(P);

	how.how.tol = 1e-8;
	ok(kith_immigrate_fit_run(&set->rows, &how, &fit, &pool, &err) == 0 && fit.fit.sure &&
		fit.fit.open,
	    "a fit that is sure");
	ok(kith_immigrate_judge_fit(&how, &set->rows, &fit), "it holds");
	fit.fit.sure = false;
	ok(kith_immigrate_judge_fit(&how, &set->rows, &fit), "and when it is looked at");
	how.how.tol = 0;
	((double *)fit.metric.w)[0] += .01;
	ok(!kith_immigrate_judge_fit(&how, &set->rows, &fit), "moved: no");
	fit.fit.sure = true;
	ok(kith_immigrate_judge_fit(&how, &set->rows, &fit), "none is asked");
	fit.fit.sure = fit.fit.open = false;
	ok(!kith_immigrate_judge_fit(&how, &set->rows, &fit), "nor here");
	how.method = KITH_IMMIGRATE_FIT_IM4E;
	how.how.threshold = -1;
	plain = how.how;
	plain.threshold = 1. / P;
	is_size(kith_immigrate_judge(&how, &set->rows, w, check), KITH_CHECK_IM4E,
	    "checks of a vector");
	due = check[0];
	kith_check_im4e(&set->rows, &plain, w, check);
	ok(due.value == check[0].value, "at the threshold 1/p");
	how.method = KITH_IMMIGRATE_FIT_IMMIGRATE;
	is_size(kith_immigrate_judge(&how, &set->rows, start(P, true), check), KITH_CHECK_IMMIGRATE,
	    "checks of a matrix");
	kith_pool_free(&pool);
}

static bool
same_learners(const struct kith_ensemble *a, const struct kith_ensemble *b)
{
	bool same = a->n == b->n && a->p == b->p;

	for (size_t h = 0; same && h < a->n; h++)
		same = a->learner[h].alpha == b->learner[h].alpha &&
		    a->learner[h].sigma == b->learner[h].sigma &&
		    apart(a->p * a->p, a->learner[h].metric.w, b->learner[h].metric.w) == 0;
	return same;
}

/* An ensemble from each start; its scales, where they are not given. */
static void
test_boost(void)
{
	for (int from = 0; from < 3; from++) {
		struct set *set = draw(60, 4, 3, false, false);
		struct kith_immigrate_fit_how how = how_of(KITH_IMMIGRATE_FIT_IMMIGRATE, 50);
		struct kith_boost_how boost = {.inner = {.max_iter = 3}, .learners = 4, .seed = 3},
				      plain = boost;
		struct kith_ensemble got = {0}, due = {0};
		struct kith_boost_count count;
		struct kith_immigrate_fit select;
		double *W = start(4, true);
		const double m = kith_immigrate_sigma(&set->rows, &how.how, true, W).value;

		how.start = (enum kith_immigrate_fit_start)from;
		how.given = start(4, false);
		how.how.threshold = -1;
		how.how.tell = tell;
		plain.inner = how.how;
		plain.inner.max_iter = 3;
		plain.inner.tell = NULL;
		plain.inner.threshold = .25;
		plain.start = from == KITH_IMMIGRATE_FIT_RANDOM ? NULL
		    : from == KITH_IMMIGRATE_FIT_GIVEN          ? how.given
								: W;
		plain.most = 4 * m;
		plain.least = .2 * m;
		told = 0;
		ok(kith_immigrate_fit_boost(
		       &set->rows, &how, &boost, &got, &count, &select, &pool, &err) == 0 &&
			kith_boost(&set->rows, &plain, &due, &count, &pool, &err) == 0,
		    "start %d", from);
		ok(got.n > 0 && !got.column && told == 0 && same_learners(&got, &due),
		    "%zu learners from four to a fifth of a scale", got.n);
		kith_pool_free(&pool);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 4, KITH_RNG_SAMPLE, 0);
	test_words();
	test_starts(KITH_IMMIGRATE_FIT_IMMIGRATE, 0);
	test_starts(KITH_IMMIGRATE_FIT_IMMIGRATE, -1);
	test_starts(KITH_IMMIGRATE_FIT_IM4E, 0);
	test_starts(KITH_IMMIGRATE_FIT_IM4E, -1);
	test_selected(false, 0, 99, 2);
	test_selected(true, 1e-4, 99, 3);
	test_selected(true, .01, 2, 2);
	test_selected(true, 0, 1, 1);
	test_none();
	test_settle(true);
	test_settle(false);
	test_judge();
	test_boost();
	return done();
}
