/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/axes.h and prune.h: lengths and distances on axes, how many
 * axes there are, rows too far away, and what leaves cost.
 */
#include "near/axes.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/dist.h"
#include "near/float.h"
#include "near/knn.h"
#include "near/metric.h"
#include "near/pack.h"
#include "near/prune.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

/* Rows on the axes of a problem. */
struct turned {
	struct kith_knn_pack pack;
	struct kith_knn_axes *axes;
	const double **z;
	size_t n, count;
	float *y, *off;
};

static struct turned *
turn(const struct kith_mat *X, const struct kith_metric *metric, bool always,
    struct kith_pool *pool)
{
	struct turned *t = kith_new(pool, 1, sizeof(*t));

	t->pack = kith_knn_pack(X, metric, pool);
	t->axes = kith_knn_axes_new(&t->pack, always, pool);
	if (!t->axes)
		return t;
	t->n = X->n;
	t->count = kith_knn_axes_count(t->axes);
	t->z = kith_new(pool, t->n, sizeof(*t->z));
	t->y = kith_new(pool, t->n, t->count * sizeof(*t->y));
	t->off = kith_new(pool, t->n, sizeof(*t->off));
	for (size_t i = 0; i < t->n; i++)
		t->z[i] = kith_row(&t->pack.X, i);
	kith_knn_axes_fill(t->axes, t->z, t->n, t->y, t->off);
	return t;
}

/* Both ways along each of the first `axes` axes, and nothing on the others. */
static struct kith_mat
cross(size_t axes, size_t p, struct kith_pool *pool)
{
	const struct kith_mat X = kith_mat_new(pool, 2 * axes, p);

	for (size_t i = 0; i < 2 * axes; i++)
		kith_row(&X, i)[i / 2] = i % 2 ? -1 : 1;
	return X;
}

/* Normal numbers, each feature less wide than the last, in an order. */
static struct kith_mat
cloud(size_t n, size_t p, double by, struct kith_pool *pool)
{
	const struct kith_mat X = kith_mat_new(pool, n, p);
	struct kith_rng r;

	kith_rng_seed(&r, n, KITH_RNG_SAMPLE, p);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			kith_row(&X, i)[j] = pow(by, (double)(j * 7 % p)) *
			    (kith_rng_unit(&r) + kith_rng_unit(&r) - 1);
	return X;
}

/* A semidefinite matrix, of rank p - 1. */
static double *
matrix(size_t p, struct kith_pool *pool)
{
	double *W = kith_new(pool, p, p * sizeof(*W));

	for (size_t a = 1; a < p; a++)
		for (size_t i = 0; i < p; i++)
			for (size_t j = 0; j < p; j++)
				W[i * p + j] += (double)(((i + 1) * a) % 11) *
				    (double)(((j + 1) * a) % 11) /
				    (double)(a * a);
	return W;
}

static double
length(const float *y, const float *z, size_t n, bool absolute)
{
	double s = 0;

	for (size_t i = 0; i < n; i++) {
		const double D = (double)y[i] - (z ? (double)z[i] : 0);

		s += absolute ? fabs(D) : D * D;
	}
	return absolute ? s : sqrt(s);
}

/* |a| of a packed row, by what near/float.h makes of it; without the root. */
static double
size_of(const struct turned *t, const double *z, double *raw,
    struct kith_pool *pool)
{
	const struct kith_knn_scale s = kith_knn_scale_new(&t->pack, pool);
	const size_t p = t->pack.metric.p;
	double *a = kith_new(pool, p, sizeof(*a)), sum = 0;

	kith_knn_scale_row(&s, z, a);
	*raw = 0;
	for (size_t i = 0; i < p; i++) {
		*raw += a[i] * a[i];
		if (!s.W)
			sum += kith_knn_axes_absolute(t->axes) ? fabs(a[i])
							       : a[i] * a[i];
		for (size_t j = 0; s.W && j < p; j++)
			sum += a[i] * s.W[i * p + j] * a[j];
	}
	*raw = sqrt(*raw);
	return kith_knn_axes_absolute(t->axes) ? sum : sqrt(sum);
}

/* Rows keep their lengths, and distances are bounded; near: and met. */
static void
test_bounds(const struct kith_mat *X, const struct kith_metric *metric,
    size_t count, bool close)
{
	struct kith_pool pool = {0};
	const struct turned *t = turn(X, metric, true, &pool);
	const bool absolute = metric->kind == KITH_ABSOLUTE;
	const bool is_matrix = metric->kind == KITH_SQUARED_MATRIX;
	const double slack = kith_knn_axes_slack(t->axes);
	bool kept = true, below = true, met = true, off = true;
	double raw;

	ok(t->count == count && kith_knn_axes_absolute(t->axes) == absolute,
	    "kind %d: %zu of %zu coordinates", (int)metric->kind, count, X->p);
	for (size_t i = 0; i < t->n; i++) {
		const float *y = t->y + i * count;
		const double a = size_of(t, t->z[i], &raw, &pool);

		kept = kept &&
		    fabs(length(y, NULL, count, absolute) - a) <=
			1e-6 * a + 1e-4 * (is_matrix ? raw : 0);
		off = off && (double)t->off[i] > a * 0x1p-24 &&
		    (double)t->off[i] <
			a * 0x1.3p-24 + (is_matrix ? 1e-5 * raw : 0) + 0x1p-119;
		for (size_t j = 0; j < i; j++) {
			const double B = length(
			    y, t->y + j * count, count, absolute);
			const double d = kith_dist(
			    &t->pack.metric, t->z[i], t->z[j]);
			const double sd = d * kith_knn_axes_scale(t->axes);
			const double s = absolute ? sd : sqrt(sd);
			const double both = (double)t->off[i] +
			    (double)t->off[j];

			below = below && s >= B * (1 - slack) - both;
			met = met && s <= B * (1 + 1e-6) + both;
		}
	}
	ok(kept, "lengths stay");
	ok(off, "what they are off");
	ok(below && (met || !close), "bounds of distances%s",
	    close ? ", which are met" : "");
	ok(slack == ((double)count + 16) * 0x1p-23, "the slack");
	kith_pool_free(&pool);
}

/* `axes` equal axes of p: how many are taken; 0: too many for boxes. */
static void
test_count(size_t axes, size_t p, bool always, size_t due)
{
	struct kith_pool pool = {0};
	const struct kith_mat X = cross(axes, p, &pool);
	const struct kith_metric metric = {KITH_SQUARED, p, NULL};
	const struct turned *t = turn(&X, &metric, always, &pool);

	ok(t->count == due && !t->axes == !due,
	    "%zu axes in %zu features%s: %zu coordinates", axes, p,
	    always ? ", always" : "", t->count);
	kith_pool_free(&pool);
}

/* The same where features are kept, the widest first. */
static void
test_widest(void)
{
	enum { P = 40, N = 80 };
	struct kith_pool pool = {0};
	struct kith_mat X = cross(P, P, &pool);
	const struct kith_metric metric = {KITH_ABSOLUTE, P, NULL};
	const struct turned *t;
	bool in = true;

	for (size_t i = 0; i < N; i++)
		X.v[i * P + i / 2] *= i / 2 % 4 == 1 ? 64 : .0625;
	t = turn(&X, &metric, true, &pool);
	is_size(t->count, 16, "15 features and the rest");
	for (size_t i = 0; i < N && t->count == 16; i++) {
		const size_t j = i / 2;
		const size_t at = j % 4 == 1 ? j / 4
		    : j <= 6                 ? 10 + j - (j + 2) / 4
					     : 15;
		const double s = kith_knn_axes_scale(t->axes) *
		    fabs(X.v[i * P + j]);

		for (size_t c = 0; c < 16; c++) {
			const double y = (double)t->y[i * 16 + c];

			in = in &&
			    (c != at         ? y == 0
				    : c < 15 ? y == (i % 2 ? -s : s)
					     : y == s);
		}
	}
	ok(in, "the widest, of equal ones the first");
	kith_pool_free(&pool);
}

/* Of many rows every other is looked at; what the others are is the rest. */
static void
test_sample(void)
{
	enum { N = 4096, P = 40 };
	struct kith_pool pool = {0};
	struct kith_mat X = kith_mat_new(&pool, N, P);
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	const struct turned *t;
	bool rest = true;

	for (size_t i = 0; i < N; i++)
		kith_row(&X, i)[i / 2 % 10 + 10 * (i % 2)] = i / 20 % 2 ? 1
									: -1;
	t = turn(&X, &metric, false, &pool);
	is_size(t->count, 16, "few axes");
	for (size_t i = 0; i < N; i++) {
		const double s = sqrt(kith_knn_axes_scale(t->axes));
		const double y = (double)t->y[i * 16 + 15] / s;

		rest = rest && fabs(y - (double)(i % 2)) < 1e-6;
	}
	ok(rest, "and the rest of rows that are not in the sample");
	kith_pool_free(&pool);
}

/* What has no axes, and rows too far away. */
static void
test_none(void)
{
	struct kith_pool pool = {0};
	double v[] = {0, 0, 1, 0, 0, 1, 1e30, 0}, w[] = {1, 2, 2, 1};
	const double none[] = {0, 0};
	const struct kith_mat X = {3, 2, v}, far = {4, 2, v};
	const struct kith_mat wide = cloud(2, 1025, 1, &pool);
	const struct kith_metric plain = {KITH_SQUARED, 2, NULL};
	struct kith_metric metric = {KITH_SQUARED_MATRIX, 2, w};
	struct turned *t = turn(&X, &metric, true, &pool);
	float y[8], off[4];

	ok(!t->axes, "an indefinite matrix has no axes");
	metric = (struct kith_metric){KITH_SQUARED, 2, none};
	ok(!turn(&X, &metric, true, &pool)->axes, "nor have weights of 0");
	metric = (struct kith_metric){KITH_SQUARED, 1025, NULL};
	ok(!turn(&wide, &metric, true, &pool)->axes, "nor 1025 features");
	t = turn(&X, &plain, true, &pool);
	kith_knn_axes_fill(t->axes,
	    (const double *const[]){v, v + 2, v + 4, kith_row(&far, 3)}, 4, y,
	    off);
	ok(off[3] == INFINITY && y[6] == 0 && y[7] == 0, "far away");
	ok(off[2] < INFINITY && (y[4] != 0 || y[5] != 0), "and near");
	kith_pool_free(&pool);
}

/*
 * 64 clusters far apart, each a leaf: a leaf visits the first twelve, and measures
 * its own rows alone.  The rates are those of near/prune.c.
 */
static void
test_cost(void)
{
	enum { N = 4096, P = 9, LEAF = 64 };
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	const double leaves = 64 * P * 5e-4 + 12 * .3 +
	    4 * (4 * P * .0165 + 16 * LEAF * (.02 + P * 5e-4));
	const double products = LEAF * (N * .5 * (8e-4 + P * 2e-5) + 10);
	struct kith_pool pool = {0};
	struct kith_mat X = cloud(N, P, 1, &pool);
	struct kith_knn_pack pack;
	double cost = -1;

	for (size_t i = 0; i < N; i++)
		kith_row(&X, i)[0] += 1000 * (double)(i % LEAF);
	pack = kith_knn_pack(&X, &metric, &pool);
	ok(kith_knn_prune_new(&pack, false, &cost, &pool), "leaves serve");
	is_near(cost, leaves / products, 1e-12, "at their cost");
	cost = -1;
	ok(kith_knn_prune_new(&pack, true, &cost, &pool) && cost == -1,
	    "always: not tried");
	X.n = N - 1;
	pack = kith_knn_pack(&X, &metric, &pool);
	ok(!kith_knn_prune_new(&pack, false, &cost, &pool) && cost == -1,
	    "fewer rows: not tried");
	X = cloud(N, 28, 1, &pool);
	pack = kith_knn_pack(
	    &X, &(struct kith_metric){KITH_SQUARED, 28, NULL}, &pool);
	ok(!kith_knn_prune_new(&pack, false, &cost, &pool), "28 equal axes");
	ok(cost > 1 && cost < INFINITY, "are too dear: %.1f", cost);
	X = cloud(N, 40, 1, &pool);
	pack = kith_knn_pack(
	    &X, &(struct kith_metric){KITH_SQUARED, 40, NULL}, &pool);
	ok(!kith_knn_prune_new(&pack, false, &cost, &pool) && cost == INFINITY,
	    "40 of them: not tried at all");
	kith_pool_free(&pool);
}

/* Which way a search of clusters goes for so many queries and neighbours. */
static void
test_choice(void)
{
	enum { N = 4096, P = 9 };
	static const struct {
		size_t queries, k;
		const char *search;
		bool tried;
	} at[] = {{N / 16, 1, "leaves", true}, {N / 16, N / 8, "leaves", true},
	    {N / 16, N / 8 + 1, "plain", true}, {N / 16, 0, "leaves", true},
	    {N / 16 - 1, 1, "products", false},
	    {N / 16 - 1, N / 8, "products", false},
	    {N / 16 - 1, N / 8 + 1, "plain", false},
	    {N / 16 - 1, 0, "products", false}, {3, 1, "plain", false},
	    {3, 0, "plain", false}, {4, 1, "products", false}};
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	struct kith_pool pool = {0};
	struct kith_mat X = cloud(N, P, 1, &pool);

	for (size_t i = 0; i < N; i++)
		kith_row(&X, i)[0] += 1000 * (double)(i % 64);
	unsetenv("KITH_SEARCH");
	for (size_t i = 0; i < sizeof(at) / sizeof(*at); i++) {
		const struct kith_knn_choice choice = kith_knn_choice(
		    kith_knn_new(&X, &metric, at[i].queries, &pool), at[i].k);

		is_text(choice.search, at[i].search, "the search");
		ok(isnan(choice.cost) == !at[i].tried &&
			(!at[i].tried || choice.cost < 1),
		    "%zu queries, %zu neighbours", at[i].queries, at[i].k);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	struct kith_pool pool = {0};
	const struct kith_mat small = cloud(70, 10, .7, &pool);
	const struct kith_mat large = cloud(70, 40, .6, &pool);
	const struct kith_mat whole = cloud(70, 32, .95, &pool);
	struct kith_metric metric = {KITH_SQUARED, 10, NULL};

	test_bounds(&small, &metric, 10, true);
	metric.kind = KITH_ABSOLUTE;
	test_bounds(&small, &metric, 10, true);
	metric = (struct kith_metric){
	    KITH_SQUARED_MATRIX, 10, matrix(10, &pool)};
	test_bounds(&small, &metric, 10, false);
	metric = (struct kith_metric){KITH_SQUARED, 40, NULL};
	test_bounds(&large, &metric, 16, false);
	metric.kind = KITH_ABSOLUTE;
	test_bounds(&large, &metric, 16, false);
	metric = (struct kith_metric){KITH_SQUARED, 32, NULL};
	test_bounds(&whole, &metric, 32, true);
	test_count(16, 16, false, 16);
	test_count(17, 17, false, 17);
	test_count(10, 17, false, 16);
	test_count(14, 16, false, 16);
	test_count(31, 32, true, 32);
	test_count(25, 100, false, 32);
	test_count(32, 32, false, 32);
	test_count(33, 33, false, 0);
	test_count(33, 33, true, 32);
	test_count(100, 200, true, 64);
	test_widest();
	test_sample();
	test_none();
	test_cost();
	test_choice();
	kith_pool_free(&pool);
	return done();
}
