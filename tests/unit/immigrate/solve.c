/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_immigrate_solve(), kith_immigrate_margins() and kith_immigrate_check() of
 * lib/immigrate/immigrate.h, against the plain sums of data.h.
 */
#include "immigrate/immigrate.h"

#include "immigrate/data.h"
#include "la/level.h"
#include "tap.h"

#include <float.h>
#include <stdio.h>

/* Rows and features around the sizes at which the room takes another way: tiles of 64 rows, 24
   features, vectors of 8. */
static const size_t sizes[][3] = {{2, 1, 2}, {9, 3, 3}, {63, 8, 2}, {64, 24, 2}, {65, 25, 3},
    {130, 5, 4}, {40, 33, 2}, {12, 70, 2}};
enum { SIZES = sizeof(sizes) / sizeof(*sizes) };

static double last_F;
static bool rises, any;

static void
watch(size_t iteration, double C, double F, double step)
{
	(void)C;
	(void)step;
	if (iteration > 0)
		rises = rises || F > last_F;
	last_F = F;
	any = true;
}

static size_t
length(const struct set *set, bool matrix)
{
	return set->X.p * (matrix ? set->X.p : 1);
}

static double *
start_of(const struct set *set, bool matrix, size_t seed)
{
	double *W = kith_new(&pool, length(set, matrix), sizeof(*W));

	if (seed == 0)
		kith_immigrate_equal(set->X.p, matrix, W);
	else
		kith_immigrate_random(seed, 0, set->X.p, matrix, W);
	return W;
}

/* One step of the paper, its F, and the votes, at several sigmas. */
static void
test_step(const struct set *set, bool matrix, size_t seed, double sigma, const char *name)
{
	const size_t p = set->X.p, n = set->X.n, len = length(set, matrix);
	struct kith_immigrate_how how = {
	    .solver = KITH_IMMIGRATE_PAPER, .sigma = sigma, .max_iter = 1, .threads = 2};
	struct kith_immigrate_result result;
	double *W = start_of(set, matrix, seed), *V = kith_new(&pool, len, sizeof(*V));
	double *Sigma = kith_new(&pool, len, sizeof(*Sigma)), *a = kith_new(&pool, n, sizeof(*a));
	double *votes = kith_new(&pool, n, set->rows.c * sizeof(*votes)), worst = 0, F, size = 0,
	       unit = 0;

	objective(&set->rows, matrix, W, sigma, Sigma);
	if (!closed_form(p, matrix, Sigma, V))
		memcpy(V, W, len * sizeof(*V));
	kith_immigrate_solve(&set->rows, &how, matrix, W, &result, votes);
	ok(apart(len, W, V) < 1e-9, "%s: one step, %.1e", name, apart(len, W, V));
	F = objective(&set->rows, matrix, W, sigma, NULL);
	for (size_t i = 0; i < n; i++)
		size += weight_of(&set->rows, i);
	ok(fabs(result.F - F) <= 1e-11 * (fabs(F) + sigma * size) && result.F == result.C,
	    "%s: F %.15g, %.15g", name, result.F, F);
	for (size_t i = 0; i < n; i++)
		for (size_t h = 0; h < set->rows.c; h++) {
			const double got = votes[i * set->rows.c + h];
			double due, mean;

			softmax(&set->rows, matrix, W, sigma, i, CLASS, h, a, &mean);
			due = isnan(mean) ? INFINITY : mean;
			if (unit == 0 && due > 1e-10 && due < INFINITY)
				unit = exp2(round(log2(due / got)));
			worst = fmax(worst, got == due ? 0 : fabs(got * unit - due));
		}
	ok(worst < 1e-9, "%s: votes, %.1e", name, worst);
}

/* Margins are the mean distances to hits and misses. */
static void
test_margins(const struct set *set, bool matrix, double sigma, const char *name)
{
	const size_t n = set->X.n;
	double *W = start_of(set, matrix, 7), *hit = kith_new(&pool, n, sizeof(*hit));
	double *miss = kith_new(&pool, n, sizeof(*miss)), *a = kith_new(&pool, n, sizeof(*a));
	const struct kith_metric metric = {
	    matrix ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE, set->X.p, W};
	double *due[] = {kith_new(&pool, n, sizeof(double)), kith_new(&pool, n, sizeof(double))};

	kith_immigrate_margins(&set->rows, &metric, sigma, 2, hit, miss);
	for (size_t i = 0; i < n; i++)
		for (enum side side = HITS; side <= MISSES; side++)
			softmax(&set->rows, matrix, W, sigma, i, side, 0, a, due[side] + i);
	ok(apart(n, hit, due[HITS]) < 1e-9 && apart(n, miss, due[MISSES]) < 1e-9, "%s: margins",
	    name);
}

/*
 * A whole fit: F never rises by MONOTONE, the result says F, and what converged passes the judge;
 * the same bytes by any number of threads and at every level.
 */
static void
test_fit(const struct set *set, bool matrix, size_t seed, struct kith_immigrate_how how,
    const char *name)
{
	const size_t len = length(set, matrix);
	struct kith_immigrate_result result, other;
	struct kith_check check[KITH_IMMIGRATE_CHECKS];
	double *W = start_of(set, matrix, seed), *again = start_of(set, matrix, seed), F;
	const size_t level = kith_level;
	bool passes = true, same = true;
	size_t n;

	how.report = watch;
	rises = any = false;
	kith_immigrate_solve(&set->rows, &how, matrix, W, &result, NULL);
	ok(any && !(rises && matrix && how.solver == KITH_IMMIGRATE_MONOTONE && how.threshold == 0),
	    "%s: F does not rise", name);
	F = objective(&set->rows, matrix, W, how.sigma, NULL);
	ok(fabs(result.F - F) <= 1e-9 * (fabs(F) + how.sigma * (double)set->X.n),
	    "%s: F %.15g, %.15g", name, result.F, F);
	how.report = NULL;
	n = kith_immigrate_check(&set->rows, &how, matrix, W, check);
	for (size_t k = 0; k < n; k++)
		passes = passes && kith_check_ok(&check[k]);
	ok(passes || !result.certain, "%s: what is certain passes", name);
	ok(passes || result.end != KITH_IMMIGRATE_CONVERGED || how.threshold > 0 ||
		how.solver == KITH_IMMIGRATE_PACKAGE,
	    "%s: what converged passes", name);
	for (size_t t = 1; t <= 3; t++) {
		kith_level = t <= kith_level_count() ? t - 1 : 0;
		how.threads = t;
		if (seed == 0)
			kith_immigrate_equal(set->X.p, matrix, again);
		else
			kith_immigrate_random(seed, 0, set->X.p, matrix, again);
		kith_immigrate_solve(&set->rows, &how, matrix, again, &other, NULL);
		same = same && memcmp(W, again, len * sizeof(*W)) == 0 &&
		    other.iterations == result.iterations && other.F == result.F;
	}
	kith_level = level;
	ok(same, "%s: the same bytes", name);
}

/* Each condition of the judge fails alone where weights are off by it. */
static void
test_judge(void)
{
	const struct set *set = draw(50, 4, 2, PLAIN);
	struct kith_immigrate_how how = {.sigma = 1, .max_iter = 500, .tol = 1e-13, .threads = 1};
	struct kith_immigrate_result result;
	struct kith_check check[KITH_IMMIGRATE_CHECKS];
	double *W = start_of(set, true, 0), *Sigma = kith_new(&pool, 16, sizeof(*Sigma)), V[16],
	       gap = 0, size = 0;

	kith_immigrate_solve(&set->rows, &how, true, W, &result, NULL);
	is_size(kith_immigrate_check(&set->rows, &how, true, W, check), 4, "four checks");
	for (size_t k = 0; k < 4; k++)
		ok(kith_check_ok(&check[k]), "%s holds", check[k].check);
	for (size_t k = 0; k < 16; k++)
		W[k] *= 1 + 1e-7;
	kith_immigrate_check(&set->rows, &how, true, W, check);
	ok(!kith_check_ok(&check[1]) && kith_check_ok(&check[2]) && kith_check_ok(&check[3]),
	    "a norm that is off");
	W[1] += 1e-6;
	kith_immigrate_check(&set->rows, &how, true, W, check);
	ok(!kith_check_ok(&check[2]) && is_near(check[2].value, 1e-6, 1e-3, "by so much"),
	    "not symmetric");
	kith_immigrate_equal(4, true, W);
	W[0] = -W[0];
	kith_immigrate_check(&set->rows, &how, true, W, check);
	ok(!kith_check_ok(&check[3]) && is_near(check[3].value, .5, 1e-12, "by so much"),
	    "not definite");
	kith_immigrate_random(5, 0, 4, true, W);
	kith_immigrate_check(&set->rows, &how, true, W, check);
	objective(&set->rows, true, W, 1, Sigma);
	closed_form(4, true, Sigma, V);
	for (size_t k = 0; k < 16; k++) {
		gap += Sigma[k] * (W[k] - V[k]);
		size += Sigma[k] * Sigma[k];
	}
	ok(!kith_check_ok(&check[0]), "no fixed point");
	is_near(check[0].value, gap / sqrt(size), 1e-10, "the gap of the linear model");
	how.tol = 1e-3;
	is_near(kith_immigrate_limit(1e-3, false), .1, 1e-15, "a hundred times the tolerance");
	is_near(kith_immigrate_limit(1e-3, true), 1e-5, 1e-15, "a hundredth for the package");
	is_near(kith_immigrate_limit(0, false), 1e-12, 1e-15, "not below rounding");
	W[0] = -1;
	is_size(kith_immigrate_check(&set->rows, &how, false, W, check), 3, "three of a vector");
	ok(!kith_check_ok(&check[2]) && is_near(check[2].value, 1, 0, "by so much"),
	    "a sign that is wrong");
}

/* Degenerate rows end with finite weights of norm 1. */
static void
test_corners(void)
{
	const double values[] = {0, 1e150, 1e-300, -3};

	for (size_t k = 0; k < sizeof(values) / sizeof(*values); k++)
		for (size_t matrix = 0; matrix < 2; matrix++)
			for (int solver = 0; solver < 3; solver++) {
				struct set *set = draw(6, 3, 2, PLAIN);
				struct kith_immigrate_how how = {
				    .solver = (enum kith_immigrate_solver)solver,
				    .sigma = 1,
				    .max_iter = 20,
				    .tol = 1e-6,
				    .threads = 1};
				struct kith_immigrate_result result;
				double *W = start_of(set, matrix, 0), norm = 0;

				for (size_t i = 0; i < 18; i++)
					set->X.v[i] = i % 5 == 0 && k < 3 ? 0 : values[k];
				kith_immigrate_solve(&set->rows, &how, matrix, W, &result, NULL);
				for (size_t i = 0; i < length(set, matrix); i++)
					norm += matrix ? W[i] * W[i] : W[i];
				is_near(norm, 1, 1e-9, "degenerate rows: a norm of 1");
			}
}

/* More than 10,000 rows have no stored distances: Sigma is summed again by the metric of W. */
static void
test_many_rows(size_t p)
{
	const struct set *set = draw(10050, p, 2, PLAIN);
	struct kith_immigrate_how how = {.sigma = 1e3, .max_iter = 3, .tol = 1e-2, .threads = 2};
	struct kith_immigrate_result result;
	struct kith_check check[KITH_IMMIGRATE_CHECKS];
	double *W = start_of(set, true, 0);
	const size_t n = (kith_immigrate_solve(&set->rows, &how, true, W, &result, NULL),
	    kith_immigrate_check(&set->rows, &how, true, W, check));
	bool passes = true;

	for (size_t k = 0; k < n; k++)
		passes = passes && kith_check_ok(&check[k]);
	ok(result.certain && passes, "%zu features of 10,050 rows: what is certain passes", p);
}

int
main(void)
{
	const bool is_long = getenv("KITH_LONG") != NULL;
	const size_t seeds = is_long ? 4 : 1;

	for (size_t seed = 0; seed < seeds; seed++)
		for (size_t s = 0; s < SIZES; s++)
			for (enum kind kind = PLAIN; kind < KINDS; kind++)
				for (size_t matrix = 0; matrix < 2; matrix++) {
					const double sigma = (const double[]){
					    1, .03, 100}[(s + kind + seed) % 3];
					struct kith_immigrate_how how = {.sigma = sigma,
					    .max_iter = 15,
					    .tol = 1e-4,
					    .threads = 1};
					struct set *set;
					char name[99];

					if ((kind == LONE && sizes[s][0] < 4) ||
					    (!is_long && (s + kind + matrix) % 7 != 0))
						continue;
					kith_rng_seed(
					    &rng, seed, KITH_RNG_SAMPLE, s * KINDS + kind);
					set = draw(sizes[s][0], sizes[s][1], sizes[s][2], kind);
					snprintf(name, sizeof(name),
					    "%zu x %zu, kind %d, %s, sigma %g", sizes[s][0],
					    sizes[s][1], kind, matrix ? "matrix" : "vector", sigma);
					test_step(set, matrix, (s + kind) % 2, sigma, name);
					test_margins(set, matrix, sigma, name);
					how.threshold = (s + kind + seed) % 4 == 3 ? .1 : 0;
					how.solver = (enum kith_immigrate_solver)(
					    (s + kind / 2) % 3);
					if (s != 5 || is_long)
						test_fit(set, matrix, s % 2, how, name);
					kith_pool_free(&pool);
				}
	test_judge();
	test_corners();
	if (is_long)
		test_many_rows(26);
	kith_pool_free(&pool);
	return done();
}
