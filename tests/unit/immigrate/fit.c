/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_immigrate_fit(), kith_immigrate_boost() and starts of lib/immigrate/immigrate.h:
 * sigma and the steps of boosting written out, with predictions by their definition.
 */
#include "immigrate/immigrate.h"

#include "base/err.h"
#include "immigrate/data.h"
#include "tap.h"

#include <math.h>

#define N ((size_t)36)
#define P ((size_t)3)
#define T ((size_t)7)

static struct kith_err err;

/* Rows of c classes, which overlap the more the larger the noise is. */
struct problem {
	double x[N * P], weight[N];
	size_t y[N];
	struct kith_mat X;
	struct kith_immigrate_rows rows;
	struct kith_immigrate_problem how;
	struct kith_immigrate_boost boost;
};

static void
make(struct problem *q, size_t seed, size_t c, double noise)
{
	struct kith_rng r;

	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < N; i++) {
		q->y[i] = i % c;
		q->weight[i] = 1 + (double)kith_rng_below(&r, 3);
		for (size_t j = 0; j < P; j++)
			q->x[i * P + j] = (double)(j == q->y[i]) + noise * kith_rng_unit(&r);
	}
	q->X = (struct kith_mat){N, P, q->x};
	q->rows = (struct kith_immigrate_rows){&q->X, q->y, c, NULL};
	q->how = (struct kith_immigrate_problem){
	    .how = {.sigma = 1, .max_iter = 4, .tol = 1e-6, .threads = 2},
	    .start = KITH_IMMIGRATE_RANDOM,
	    .seed = seed};
	q->boost = (struct kith_immigrate_boost){
	    .learners = T, .max_iter = 10, .first = 4, .last = .25};
}

static bool
equal(const double *a, const double *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* The class of the least expected distance of row i from the other rows, (3.11) and (3.12). */
static size_t
predict(
    const struct kith_immigrate_rows *rows, bool matrix, const double *W, double sigma, size_t i)
{
	double a[1000], least = INFINITY;
	size_t best = 0;

	for (size_t h = 0; h < rows->c; h++) {
		double V;

		softmax(rows, matrix, W, sigma, i, CLASS, h, a, &V);
		if (V < least) {
			least = V;
			best = h;
		}
	}
	return best;
}

/* The algorithm, step by step: compare each learner that is kept. */
static void
test_steps(const struct problem *q, const double *weight, const char *name)
{
	struct problem p = *q;
	struct kith_weights got;
	struct kith_immigrate_boost boost = q->boost;
	const double K = (double)q->rows.c;
	double D[N], sum = 0;
	size_t kept = 0;
	bool same = true;

	p.rows.X = &q->X;
	p.rows.weight = weight;
	ok(!kith_immigrate_boost(&p.rows, &p.how, &boost, &got, &pool, &err), "%s", name);
	for (size_t i = 0; i < N; i++)
		sum += weight ? weight[i] : 1;
	for (size_t i = 0; i < N; i++)
		D[i] = (weight ? weight[i] : 1) / sum;
	for (size_t t = 0; t < T; t++) {
		const double sigma = 4 * pow(0.25 / 4, (double)t / T);
		struct kith_immigrate_rows rows = {&q->X, q->y, q->rows.c, D};
		struct kith_immigrate_how how = p.how.how;
		struct kith_immigrate_result result;
		const struct kith_learner *l = &got.learner[kept];
		double W[P * P], e = 0, alpha;
		bool wrong[N];

		kith_immigrate_random(p.how.seed, t, P, true, W);
		how.max_iter = boost.max_iter;
		how.sigma = sigma;
		kith_immigrate_solve(&rows, &how, true, W, &result, NULL);
		for (size_t i = 0; i < N; i++) {
			wrong[i] = predict(&q->rows, true, W, sigma, i) != q->y[i];
			e += wrong[i] ? D[i] : 0;
		}
		if (e == 0 || e >= 1 - 1 / K)
			continue;
		alpha = (log((1 - e) / e) + log(K - 1)) / 2;
		same &= kept < got.learners && l->number == t + 1;
		if (!same)
			break;
		same &= fabs(l->sigma / sigma - 1) < 1e-14 && fabs(l->alpha - alpha) < 1e-9;
		for (size_t j = 0; j < P * P; j++)
			same &= fabs(l->metric.w[j] - W[j]) < 1e-9;
		sum = 0;
		for (size_t i = 0; i < N; i++)
			sum += D[i] *= wrong[i] ? exp(alpha) : 1;
		for (size_t i = 0; i < N; i++)
			D[i] /= sum;
		kept++;
	}
	/* Where none was kept, the first without error is. */
	ok(same && got.learners == boost.kept &&
		(kept > 0 ? got.learners == kept : got.learners == 1 && boost.perfect > 0),
	    "%zu learners, step by step", kept);
	is_size(T - boost.perfect - boost.useless, kept, "the others dropped");
}

/* Far apart, all learners are perfect: the first is kept. */
static void
test_perfect(void)
{
	struct problem q;
	struct kith_weights got;
	struct kith_immigrate_boost boost;

	make(&q, 1, 2, 0.01);
	boost = q.boost;
	ok(!kith_immigrate_boost(&q.rows, &q.how, &boost, &got, &pool, &err), "perfect");
	is_size(got.learners, 1, "one is kept");
	is_size(boost.perfect, T, "of those without error");
	is_size(got.learner[0].number, 1, "that of the largest sigma");
	is_near(got.learner[0].sigma, 4, 0, "which is the first");
	is_near(got.learner[0].alpha, log(2 * N - 1) / 2, 1e-15, "its votes");
}

/* Random starts are symmetric and of norm 1; vectors of sum 1. */
static void
test_starts(void)
{
	double W[16], V[16], w[4], sum = 0;
	const double first[] = {1e-200, -3e-200, 0, 2e-200};
	bool symmetric = true;

	kith_immigrate_random(5, 2, 4, true, W);
	kith_immigrate_random(5, 3, 4, true, V);
	for (size_t i = 0; i < 16; i++) {
		sum += W[i] * W[i];
		symmetric &= W[i] == W[i % 4 * 4 + i / 4] && W[i] >= 0;
	}
	ok(symmetric, "symmetric, not negative");
	is_near(sum, 1, 1e-15, "of norm 1");
	ok(!equal(W, V, 16), "another one for another index");
	kith_immigrate_random(5, 0, 4, false, w);
	is_near(w[0] + w[1] + w[2] + w[3], 1, 1e-15, "a vector of sum 1");
	kith_immigrate_equal(4, true, W);
	ok(W[0] == 0.5 && W[1] == 0 && W[15] == 0.5, "the identity");
	memcpy(w, first, sizeof(w));
	ok(!kith_immigrate_normalise(4, true, w), "tiny ones are normalised");
	is_near(w[1], -3 / sqrt(14), 1e-15, "without underflow");
	memset(w, 0, sizeof(w));
	ok(kith_immigrate_normalise(4, true, w) && kith_immigrate_normalise(4, false, w),
	    "zeros are not");
}

/* A fit of selected features is that of their columns; so is boosting. */
static void
test_selected(size_t seed)
{
	struct problem q;
	struct kith_immigrate_problem vector, matrix;
	struct kith_immigrate_boost boost, other;
	struct kith_immigrate_fit fit, all, some;
	struct kith_weights got, due;
	struct kith_mat X;
	size_t n = 0;
	double norm = 0, start[P * P] = {0};
	bool same = true;

	make(&q, seed, 2, 1.5);
	q.how.method = KITH_IMMIGRATE_SELECTED;
	q.how.how.max_iter = 50;
	vector = matrix = q.how;
	vector.method = KITH_IMMIGRATE_VECTOR;
	matrix.method = KITH_IMMIGRATE_MATRIX;
	boost = other = q.boost;
	if (kith_immigrate_fit(&q.rows, &q.how, &fit, &pool, &err) ||
	    kith_immigrate_fit(&q.rows, &vector, &all, &pool, &err))
		abort();
	for (size_t j = 0; j < P; j++)
		if (all.metric.w[j] > 1 / (double)P) {
			same = same && n < fit.metric.p && fit.column[n] == j;
			start[n++] = all.metric.w[j];
		}
	ok(same && n == fit.metric.p, "the features of weights above 1/p");
	for (size_t j = n; j-- > 0;) {
		norm = hypot(norm, start[j]);
		start[j * n + j] = start[j];
		if (j > 0)
			start[j] = 0;
	}
	for (size_t j = 0; j < n; j++)
		start[j * n + j] /= norm;
	X = kith_mat_take(&q.X, fit.column, n, &pool);
	q.rows.X = &X;
	matrix.start = KITH_IMMIGRATE_GIVEN;
	matrix.given = start;
	ok(!kith_immigrate_fit(&q.rows, &matrix, &some, &pool, &err), "of their columns");
	ok(apart(n * n, fit.metric.w, some.metric.w) < 1e-9, "the same weights");
	q.rows.X = &q.X;
	ok(!kith_immigrate_boost(&q.rows, &q.how, &boost, &got, &pool, &err), "boosting on them");
	q.rows.X = &X;
	matrix.start = KITH_IMMIGRATE_RANDOM;
	ok(!kith_immigrate_boost(&q.rows, &matrix, &other, &due, &pool, &err), "on the columns");
	same = got.learners == due.learners && got.metric.p == n;
	for (size_t h = 0; same && h < got.learners; h++)
		same = got.learner[h].alpha == due.learner[h].alpha &&
		    equal(got.learner[h].metric.w, due.learner[h].metric.w, n * n);
	ok(same, "the same learners");
}

/* The lower median of the distances to nearest misses, of those above 0 where it is 0. */
static double
unit_of(const struct set *set, bool matrix, const double *W)
{
	const size_t n = set->X.n;
	double *d = kith_new(&pool, n, sizeof(*d));
	size_t zeros = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = i;
		double least = INFINITY;

		for (size_t j = 0; j < n; j++)
			if (set->y[j] != set->y[i])
				least = fmin(least, distance(&set->rows, matrix, W, i, j));
		for (; at > 0 && d[at - 1] > least; at--)
			d[at] = d[at - 1];
		d[at] = least;
		zeros += least == 0;
	}
	if (d[(n - 1) / 2] > 0)
		return d[(n - 1) / 2];
	return zeros < n ? d[zeros + (n - zeros - 1) / 2] : 0;
}

/* Sigma of the rows: of 8, 2, 1/4, 1/32 times the unit the one of the fewest errors. */
static void
test_sigma(size_t seed, bool matrix)
{
	static const double factors[] = {8, 2, .25, .03125};
	const size_t p = 1 + seed % 5;
	struct set *set = draw(30 + seed, p, 2 + seed % 2, (enum kind)(seed % KINDS));
	const struct kith_immigrate_problem how = {
	    .method = matrix ? KITH_IMMIGRATE_MATRIX : KITH_IMMIGRATE_VECTOR,
	    .how = {.max_iter = 100, .tol = 1e-6, .threads = 2}};
	struct kith_immigrate_how trial = {.max_iter = 10, .tol = 1e-3, .threads = 1};
	struct kith_immigrate_result result;
	struct kith_immigrate_fit fit;
	double *W = kith_new(&pool, p, p * sizeof(*W)), unit, best = INFINITY, due = 1;

	kith_immigrate_equal(p, matrix, W);
	unit = unit_of(set, matrix, W);
	for (size_t k = 0; k < 4; k++) {
		double e = 0, total = 0;

		kith_immigrate_equal(p, matrix, W);
		trial.sigma = factors[k] * unit;
		kith_immigrate_solve(&set->rows, &trial, matrix, W, &result, NULL);
		for (size_t i = 0; i < set->X.n; i++) {
			const double t = weight_of(&set->rows, i);

			total += t;
			e += predict(&set->rows, matrix, W, trial.sigma, i) == set->y[i] ? 0 : t;
		}
		if (e / total < best - 1e-12) {
			best = e / total;
			due = trial.sigma;
		}
	}
	ok(!kith_immigrate_fit(&set->rows, &how, &fit, &pool, &err),
	    "a fit with sigma of the rows");
	is_size(fit.sigma.rows, set->X.n, "all rows were looked at");
	is_near(fit.sigma.unit, unit, 1e-12, "the median distance to the nearest miss");
	is_near(fit.sigma.value, due, 1e-12, "the sigma of the fewest errors");
	is_near(fit.sigma.error, best, 1e-12, "its share of errors");
	trial = how.how;
	trial.sigma = fit.sigma.value;
	kith_immigrate_equal(p, matrix, W);
	kith_immigrate_solve(&set->rows, &trial, matrix, W, &result, NULL);
	ok(equal(W, fit.metric.w, p * (matrix ? p : 1)), "the weights of this sigma");
}

/* Of many rows some of each class stand for all. */
static void
test_sample(void)
{
	struct set *set = draw(1500, 2, 3, LONE);
	const struct kith_immigrate_problem how = {
	    .method = KITH_IMMIGRATE_VECTOR, .how = {.max_iter = 2, .threads = 1}};
	struct kith_immigrate_fit fit;
	double *weight = kith_new(&pool, set->X.n, sizeof(*weight));
	size_t last = set->X.n - 1;

	ok(!kith_immigrate_fit(&set->rows, &how, &fit, &pool, &err), "a fit of 1500 rows");
	ok(fit.sigma.rows >= KITH_IMMIGRATE_SIGMA_ROWS &&
		fit.sigma.rows <= KITH_IMMIGRATE_SIGMA_ROWS + 3,
	    "1000 rows, and one at least of each class: %zu", fit.sigma.rows);
	while (set->y[last] != 0)
		last--;
	weight[last] = 1; /* none of the rows that are looked at has a weight */
	set->rows.weight = weight;
	ok(!kith_immigrate_fit(&set->rows, &how, &fit, &pool, &err), "a fit of one row's weight");
	ok(fit.sigma.error == 0 && fit.sigma.factor == 8, "no weight, no errors");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 60 : 4;
	struct problem q;

	for (size_t s = 0; s < seeds; s++) {
		make(&q, s, 2, 1.7);
		test_steps(&q, NULL, "two classes");
		test_steps(&q, q.weight, "with weights");
		make(&q, s, 3, 2.5);
		test_steps(&q, NULL, "three classes");
		test_selected(s);
		test_sigma(s, true);
		test_sigma(s + 3, false);
		kith_pool_free(&pool);
	}
	test_perfect();
	test_starts();
	test_sample();
	kith_pool_free(&pool);
	return done();
}
