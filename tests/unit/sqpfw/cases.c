/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/sqpfw.h on rows that come twice, long groups, dependent ties and many features.
 */
#include "sqpfw/data.h"
#include "tap.h"

static struct kith_pool pool;

/* Each row twice. */
static void
test_copies(void)
{
	size_t certified = 0;
	double worst = 0;

	for (int k = 0; k < 20; k++) {
		struct kith_sqpfw_now now;
		struct plain plain;
		struct set set, twice;

		draw(&set, CONTINUOUS, &pool);
		twice = set;
		twice.X = kith_mat_new(&pool, 2 * set.X.n, set.X.p);
		set_prior(&twice);
		twice.how.hits = 2 + (size_t)k % 3;
		for (size_t i = 0; i < 2 * set.X.n; i++) {
			twice.y[i] = set.y[i / 2];
			memcpy(kith_row(&twice.X, i), kith_row(&set.X, i / 2),
			    set.X.p * sizeof(double));
		}
		solve(&twice, set.theta, &now, &pool);
		plain = plain_of(&twice, set.theta);
		certified += is_minimum(&twice, now.w, set.theta);
		worst = fmax(worst, fabs(now.objective - plain_objective(&plain, now.w)));
	}
	is_size(certified, 20, "each row twice: certified");
	ok(worst < 1e-10, "objective as defined: %.1e", worst);
}

/* So many features that their multipliers are not all computed each time. */
static void
test_many(void)
{
	enum { MANY = 600, FEW = 24 };
	struct kith_sqpfw_how how = {1, 1, .threads = 1, .max_iter = 100000};
	const double theta = .05;
	struct kith_mat X = kith_mat_new(&pool, FEW, MANY);
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw_verdict verdict;
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	size_t y[FEW];

	for (size_t i = 0; i < FEW; i++) {
		y[i] = i % 2;
		for (size_t f = 0; f < MANY; f++)
			kith_row(&X, i)[f] = number(-1, 1) + (f % 50 ? 0 : .3 * (double)y[i]);
	}
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	ok(kith_sqpfw_solve(s, theta), "%d features: done", (int)MANY);
	kith_sqpfw_at(s, &now);
	ok(now.ties > 10, "%zu ties", now.ties);
	judge = kith_sqpfw_judge_new(&X, y, 2, &how, &pool);
	kith_sqpfw_judge(judge, now.w, theta, NULL, &verdict, NULL);
	kith_sqpfw_judge_free(judge);
	ok(verdict.certified && verdict.concave == 0,
	    "certified, %zu iterations, %zu of positive weight", now.iterations, now.positive);
}

/*
 * Groups longer than their lists: F as reported, that is with the targets that
 * are known, is F as defined all the way.
 */
static void
test_lists(enum kind kind, size_t hits, size_t misses)
{
	const size_t n = 300, p = 8;
	struct kith_mat X = kith_mat_new(&pool, n, p);
	size_t *y = kith_new(&pool, n, sizeof(*y)), looks = 0;
	const struct kith_sqpfw_how how = {hits, misses, .threads = 1, .max_iter = 60};
	const double prior[] = {.125, .125, .125, .125, .125, .125, .125, .125};
	const double theta = 8;
	const struct plain plain = {.x = X.v,
	    .prior = prior,
	    .y = y,
	    .n = n,
	    .p = p,
	    .hits = hits,
	    .misses = misses,
	    .theta = theta};
	struct kith_sqpfw_now now = {0};
	struct kith_sqpfw *s;
	double worst = 0;
	bool ended = false;

	for (size_t i = 0; i < n; i++) {
		y[i] = i % 2;
		for (size_t f = 0; f < p; f++) {
			const double v = number(-2, 2) + (f > 1 ? 0 : (double)y[i]);

			kith_row(&X, i)[f] = kind == QUARTERS ? round(4 * v) / 4 : v;
		}
	}
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	for (; !ended && looks < 12; looks++) {
		ended = kith_sqpfw_solve(s, theta);
		kith_sqpfw_at(s, &now);
		worst = fmax(worst, fabs(now.objective - plain_objective(&plain, now.w)));
	}
	ok(worst < 1e-12 && now.iterations > 200,
	    "lists, %zu and %zu: off by %.1e in %zu iterations", hits, misses, worst,
	    now.iterations);
}

/* Columns mostly 0, every third one almost that before it. */
static double
sparse(const double *x, size_t f, size_t y)
{
	double v = number(0, 1) < .85 ? 0 : exp(number(0, 4));

	if (f % 3 == 2 && f > 3)
		v = x[f - 1] + (number(0, 1) < .1 ? number(0, 1) : 0);
	if (f < 4 && number(0, 1) < .5)
		v += (double)y;
	return v;
}

/* Rows of two classes, of sparse() numbers in units of their deviations. */
static void
draw_sparse(uint64_t seed, struct kith_mat *X, size_t *y)
{
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < X->n; i++) {
		double *x = kith_row(X, i);

		y[i] = i % 2;
		for (size_t f = 0; f < X->p; f++)
			x[f] = sparse(x, f, y[i]);
	}
	standardise(X);
}

/*
 * Ties of which many depend on others: w stays on the simplex, and F as
 * reported is F as defined, whether the end is reached or not.
 */
static void
test_dependent(size_t kappa)
{
	/* One that meets such ties at a direction next to nothing. */
	static const uint64_t seed[] = {53};
	enum { N = 150, P = 57 };
	const struct kith_sqpfw_how how = {kappa, kappa, .threads = 1, .max_iter = 8000};
	double prior[P], sum_off = 0, worst = 0;
	size_t y[N], iterations = 0;

	for (size_t f = 0; f < P; f++)
		prior[f] = 1. / P;
	for (size_t draw = 0; draw < sizeof(seed) / sizeof(*seed); draw++) {
		struct kith_mat X = kith_mat_new(&pool, N, P);
		struct plain plain = {.x = X.v,
		    .prior = prior,
		    .y = y,
		    .n = N,
		    .p = P,
		    .hits = kappa,
		    .misses = kappa};
		struct kith_sqpfw_now now = {0};
		struct kith_sqpfw *s;

		draw_sparse(seed[draw], &X, y);
		s = kith_sqpfw_new(&X, y, 2, &how, &pool);
		for (int t = 0; t < 8; t++) {
			const double theta = .001 * pow(1.7, t);
			double sum = -1;

			kith_sqpfw_solve(s, theta);
			kith_sqpfw_at(s, &now);
			for (size_t f = 0; f < P; f++)
				sum += now.w[f];
			sum_off = fmax(sum_off, fabs(sum));
			plain.theta = theta;
			worst = fmax(worst, fabs(now.objective - plain_objective(&plain, now.w)));
		}
		iterations += now.iterations;
	}
	ok(sum_off < 1e-9 && worst < 1e-9,
	    "dependent ties, %zu: off the simplex by %.1e, F by %.1e, in %zu "
	    "iterations",
	    kappa, sum_off, worst, iterations);
}

int
main(void)
{
	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, 0);
	test_copies();
	test_lists(CONTINUOUS, 1, 1);
	test_lists(CONTINUOUS, 3, 2);
	test_lists(QUARTERS, 1, 2);
	test_lists(QUARTERS, 2, 4);
	test_dependent(2);
	test_many();
	kith_pool_free(&pool);
	return done();
}
