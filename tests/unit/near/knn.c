/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/near/knn.h: each search at each level of la/level.h against all distances, which the
 * lowest level computes, on data made to be hard.
 */
#include "near/knn.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/level.h"
#include "la/mat.h"
#include "near/metric.h"
#include "normal.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A problem: reference, query, metric. */
struct problem {
	struct kith_pool pool;
	struct kith_mat X, Z;
	struct kith_metric metric;
	size_t k;
	size_t *self; /* of the query */
};

/* How the data of a case look. */
struct look {
	const char *name;
	unsigned grid;         /* values 0..grid-1; 0: Gaussian */
	double scale, offset;  /* of all features */
	double weight;         /* of all features */
	unsigned zero, repeat; /* one in so many: weight 0; row repeated */
	double outlier;        /* added to row 0; in the query to all */
	double far_away;       /* factor of one row of the query */
	double apart;          /* added to every other row, all features */
};

static const struct look looks[] = {
    {"grid of 2", 2, 1, 0, 1, 0, 0, 0, 0, 0},
    {"grid of 4, zero weights", 4, 1, 0, 1, 3, 0, 0, 0, 0},
    {"Gaussian", 0, 1, 0, 1, 4, 0, 0, 0, 0},
    {"repeated rows", 0, 1, 0, 1, 0, 2, 0, 0, 0},
    {"all the same", 1, 1, 3, 1, 0, 0, 0, 0, 0},
    {"offset 1e6", 0, 1, 1e6, 1, 0, 5, 0, 0, 0},
    {"offset 1e15", 8, 1, 1e15, 1, 5, 0, 0, 0, 0},
    {"scale 1e-300", 0, 1e-300, 0, 1, 0, 9, 0, 0, 0},
    {"scale 1e-160", 4, 1e-160, 0, 1, 0, 0, 0, 0, 0},
    {"weights 1e-300", 0, 1, 0, 1e-300, 0, 9, 0, 0, 0},
    {"weights 1e300", 6, 1, 0, 1e300, 0, 0, 0, 0, 0},
    {"scale 1e-250, weights 1e300", 0, 1e-250, 0, 1e300, 0, 4, 0, 0, 0},
    {"scale and weights 1e-250", 0, 1e-250, 0, 1e-250, 0, 4, 0, 0, 0},
    {"an outlier at 1e4", 0, 1, 0, 1, 0, 0, 1e4, 0, 0},
    {"an outlier at 1e9", 0, 1, 0, 1, 0, 0, 1e9, 0, 0},
    {"a query at 1e6", 0, 1, 0, 1, 0, 0, 0, 1e6, 0},
    {"a query at 1e30", 0, 1, 0, 1, 0, 0, 0, 1e30, 0},
    {"all weights zero", 0, 1, 0, 1, 1, 0, 0, 0, 0},
    {"clusters 1e2 apart", 0, 1, 0, 1, 0, 0, 0, 0, 1e2},
    {"clusters 1e4 apart", 0, 1, 0, 1, 4, 9, 0, 0, 1e4},
    {"clusters 1e9 apart", 5, 1, 0, 1, 0, 0, 0, 0, 1e9},
};

static void
fill(struct kith_rng *r, const struct look *l, struct kith_mat *X)
{
	for (size_t i = 0; i < X->n; i++) {
		double *x = kith_row(X, i);

		if (i > 0 && l->repeat && kith_rng_below(r, l->repeat) == 0) {
			memcpy(x, kith_row(X, kith_rng_below(r, i)), X->p * sizeof(*x));
			continue;
		}
		for (size_t j = 0; j < X->p; j++)
			x[j] = l->offset + (i % 2 ? l->apart : 0) +
			    l->scale * (l->grid ? (double)kith_rng_below(r, l->grid) : normal(r));
		if (i == 0)
			x[0] += l->outlier;
	}
}

/* A metric: weights, or a symmetric matrix, every other one indefinite. */
static void
make_metric(struct kith_rng *r, const struct look *l, struct problem *pr)
{
	const size_t p = pr->X.p;
	const bool matrix = pr->metric.kind >= KITH_SQUARED_MATRIX;
	double *w = kith_new(&pr->pool, matrix ? p * p : p, sizeof(*w));
	const bool indefinite = kith_rng_below(r, 2);

	pr->metric.p = p;
	if (!matrix && l->weight == 1 && !l->zero && kith_rng_below(r, 2))
		return;
	pr->metric.w = w;
	for (size_t j = 0; !matrix && j < p; j++)
		w[j] = l->weight * (1 + (double)kith_rng_below(r, 3));
	for (size_t i = 0; matrix && i < p; i++)
		for (size_t j = 0; j <= i; j++) {
			w[i * p + j] = l->weight *
			    ((double)kith_rng_below(r, 5) - (indefinite ? 2 : 0));
			if (i != j && !indefinite)
				w[i * p + j] *= 0.5 / (double)p;
			w[j * p + i] = w[i * p + j];
		}
	for (size_t j = 0; j < p && l->zero; j++)
		if (kith_rng_below(r, l->zero) == 0)
			for (size_t i = 0; i < (matrix ? p : 1); i++)
				w[matrix ? j * p + i : j] = w[matrix ? i * p + j : j] = 0;
}

static void
make(struct kith_rng *r, const struct look *l, struct problem *pr, size_t n, size_t m)
{
	const size_t p = pr->X.p;

	pr->X = kith_mat_new(&pr->pool, n, p);
	pr->Z = kith_mat_new(&pr->pool, m, p);
	fill(r, l, &pr->X);
	fill(r, l, &pr->Z);
	for (size_t i = 0; i < m; i++) /* some rows of the reference too */
		if (kith_rng_below(r, 3) == 0)
			memcpy(kith_row(&pr->Z, i), kith_row(&pr->X, kith_rng_below(r, n)),
			    p * sizeof(double));
	for (size_t j = 0; j < p && l->far_away != 0; j++)
		kith_row(&pr->Z, 0)[j] *= l->far_away;
	make_metric(r, l, pr);
	kith_dist_pack_rows(&pr->metric, &pr->X, &pr->Z, &pr->pool);
}

/* All distances from the rows of Z to those of X, as a search counts them, at the lowest level. */
static double *
measure(const struct problem *pr, const struct kith_mat *Z, struct kith_pool *pool)
{
	const size_t n = pr->X.n;
	double *d = kith_new(pool, Z->n, n * sizeof(*d));
	const size_t level = kith_level;

	kith_level = 0;
	for (size_t i = 0; i < Z->n; i++)
		for (size_t j = 0; j < n; j++)
			d[i * n + j] = kith_dist(&pr->metric, kith_row(Z, i), kith_row(&pr->X, j));
	kith_level = level;
	return d;
}

/*
 * Whether these are the first `count` of n rows at distances d but for the row
 * left_out: each is what it says, they are in order, and none is missing.
 */
static bool
are_first(const struct kith_neighbour *nn, size_t count, const double *d, size_t n, size_t left_out)
{
	size_t due = 0;

	for (size_t e = 0; e < count; e++)
		if (nn[e].row >= n || nn[e].row == left_out || nn[e].d != d[nn[e].row] ||
		    (e > 0 && !kith_neighbour_before(&nn[e - 1], &nn[e])))
			return false;
	for (size_t j = 0; j < n && count > 0; j++) {
		const struct kith_neighbour x = {j, d[j]};

		due += j != left_out && !kith_neighbour_before(&nn[count - 1], &x);
	}
	return due == count;
}

/* Queries, rows that they leave out or NULL, and all distances to the n rows of the reference. */
struct asked {
	const struct kith_knn *knn;
	const struct kith_mat *Z;
	const size_t *self;
	const double *d;
	size_t n, k;
};

/* How many lists of the k nearest are wrong; joined: of all rows, else in pieces of some rows. */
static size_t
wrong_nearest(const struct asked *a, bool joined, size_t piece, size_t threads)
{
	struct kith_pool tmp = {0};
	const size_t m = a->Z->n, k = a->k;
	struct kith_neighbour *nn = kith_new(&tmp, m * k, sizeof(*nn));
	size_t bad = 0;

	if (joined)
		kith_knn_search(a->knn, NULL, NULL, k, threads, nn);
	for (size_t i = 0; i < m && !joined; i += piece) {
		const struct kith_mat part = {
		    m - i < piece ? m - i : piece, a->Z->p, kith_row(a->Z, i)};

		kith_knn_search(
		    a->knn, &part, a->self ? a->self + i : NULL, k, threads, nn + i * k);
	}
	for (size_t i = 0; i < m; i++)
		bad += !are_first(
		    nn + i * k, k, a->d + i * a->n, a->n, a->self ? a->self[i] : SIZE_MAX);
	kith_pool_free(&tmp);
	return bad;
}

/* How many lists of all rows within the limit are wrong. */
static size_t
wrong_within(const struct asked *a, double limit, size_t threads)
{
	struct kith_pool tmp = {0};
	struct kith_neighbour *nn;
	const size_t *start = kith_knn_within(a->knn, a->Z, a->self, limit, threads, &nn, &tmp);
	size_t bad = 0;

	for (size_t i = 0; i < a->Z->n; i++) {
		const size_t out = a->self ? a->self[i] : SIZE_MAX;
		const size_t count = start[i + 1] - start[i];
		size_t due = 0;

		for (size_t j = 0; j < a->n; j++)
			due += a->d[i * a->n + j] <= limit && j != out;
		bad += count != due || !are_first(nn + start[i], count, a->d + i * a->n, a->n, out);
	}
	kith_pool_free(&tmp);
	return bad;
}

/* At 0, without limit, and at, below and above the distance of some pairs. */
static size_t
wrong_limits(struct kith_rng *r, const struct asked *a)
{
	size_t bad = wrong_within(a, 0, 1) + wrong_within(a, INFINITY, 2);

	for (size_t times = 0; times < 2; times++) {
		const double at = fmax(a->d[kith_rng_below(r, a->Z->n * a->n)], 0);

		bad += wrong_within(a, at, 1 + times) +
		    wrong_within(a, fmax(nextafter(at, -1), 0), 1) +
		    wrong_within(a, at * (1 + 1e-9), 1);
	}
	return bad;
}

/* Searches and a join, in pieces and with threads. */
static void
check(struct kith_rng *r, struct problem *pr, const char *what, uint64_t seed)
{
	struct kith_pool tmp = {0};
	const size_t m = pr->Z.n, n = pr->X.n;
	struct asked a = {kith_knn_new(&pr->X, &pr->metric, n, &tmp), &pr->Z, pr->self,
	    measure(pr, &pr->Z, &tmp), n, pr->k};
	size_t *self = kith_new(&tmp, n, sizeof(*self));
	size_t bad = wrong_nearest(&a, false, m, 3);

	for (size_t piece = 1; piece <= 7 && m <= 100; piece += 3)
		bad += wrong_nearest(&a, false, piece, 1 + piece % 2);
	if (n < 200)
		bad += wrong_limits(r, &a);
	for (size_t i = 0; i < n; i++)
		self[i] = i;
	a.self = self;
	a.Z = &pr->X;
	a.d = measure(pr, &pr->X, &tmp);
	for (size_t threads = 1; threads <= 3 && pr->k < n; threads++)
		bad += wrong_nearest(&a, true, 0, threads);
	if (n < 200 ? seed % 2 == 0 : seed % 8 == 0)
		bad += wrong_limits(r, &a);
	ok(bad == 0, "%s, seed %llu: n %zu p %zu k %zu kind %d, %s, KITH_SEARCH=%s: %zu wrong",
	    what, (unsigned long long)seed, n, pr->X.p, pr->k, (int)pr->metric.kind,
	    kith_level_name(kith_level), getenv("KITH_SEARCH"), bad);
	kith_pool_free(&tmp);
}

/* k, and rows left out; few: so few neighbours that they are screened. */
static void
ask(struct kith_rng *r, struct problem *pr, bool few)
{
	const size_t n = pr->X.n, m = pr->Z.n;

	pr->k = 1 + kith_rng_below(r, n);
	if (few || kith_rng_below(r, 2))
		pr->k = 1 + pr->k / 12;
	if (pr->k < n && kith_rng_below(r, 2)) {
		pr->self = kith_new(&pr->pool, m, sizeof(*pr->self));
		for (size_t i = 0; i < m; i++)
			pr->self[i] = kith_rng_below(r, n);
	}
}

/* n or p 0: any. */
static void
test_oracle(const struct look *l, enum kith_metric_kind kind, size_t n, size_t p, uint64_t seed)
{
	static const char *const search[] = {"products", "leaves", "plain", "leaves", "products"};
	const size_t most = kind < KITH_SQUARED_MATRIX ? 40 : 20;
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = kind}};
	const bool few = n > 0;

	setenv("KITH_SEARCH", search[seed % 5], 1);
	kith_level = (size_t)(seed / 5) % kith_level_count();
	kith_rng_seed(&r, seed, KITH_RNG_SAMPLE, 0);
	if (p == 0)
		p = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 12 : most);
	if (n == 0)
		n = 1 + kith_rng_below(&r, kith_rng_below(&r, 2) ? 90 : 200);
	pr.X.p = p;
	make(&r, l, &pr, n, 1 + kith_rng_below(&r, n > 300 ? 400 : 40));
	ask(&r, &pr, few);
	check(&r, &pr, l->name, seed);
	kith_pool_free(&pr.pool);
}

/* All kinds of rows, from this seed on. */
static void
test_all(uint64_t seed)
{
	const size_t n = sizeof(looks) / sizeof(*looks);

	for (size_t l = 0; l < n; l++)
		for (int kind = 0; kind < 4; kind++)
			for (int times = 0; times < 4; times++)
				test_oracle(&looks[l], (enum kith_metric_kind)kind, 0, 0, ++seed);
	for (size_t l = 0; l < n; l++)
		for (size_t p = 9; p < 40; p += 10) {
			test_oracle(&looks[l], KITH_SQUARED, 90 + p, p, ++seed);
			test_oracle(&looks[l], KITH_SQUARED_MATRIX, 130 - p, p / 2 + 5, ++seed);
		}
	for (size_t l = 0; l < n; l += 3) { /* large enough for many tiles */
		if (l % 2)
			test_oracle(&looks[l], KITH_SQUARED_MATRIX, 530, 7 + l % 4, ++seed);
		else
			test_oracle(&looks[l], KITH_SQUARED, 1100, 9 + l % 4, ++seed);
		test_oracle(&looks[l], KITH_SQUARED, 1100, 3, ++seed);
	}
	test_oracle(&looks[2], KITH_SQUARED, 2100, 9, ++seed);
	test_oracle(&looks[2], KITH_SQUARED, 400, 260, ++seed);
}

static bool
same(const struct kith_neighbour *a, const struct kith_neighbour *b, size_t n, double factor)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].row != b[i].row || a[i].d * factor != b[i].d)
			return false;
	return true;
}

/* Data times a power of two: the same rows, at distances times another. */
static void
test_units(enum kith_metric_kind kind, size_t p, int e)
{
	enum { N = 100, M = 50, K = 5, MK = 250 };
	struct kith_rng r;
	struct problem pr = {.metric = {.kind = kind}};
	struct kith_neighbour a[MK], b[MK];

	kith_rng_seed(&r, p, KITH_RNG_SAMPLE, 0);
	pr.X.p = p;
	make(&r, &looks[2], &pr, N, M);
	kith_knn_search(kith_knn_new(&pr.X, &pr.metric, N, &pr.pool), &pr.Z, NULL, K, 1, a);
	for (size_t i = 0; i < N * pr.X.p; i++)
		pr.X.v[i] = ldexp(pr.X.v[i], e);
	for (size_t i = 0; i < M * pr.Z.p; i++)
		pr.Z.v[i] = ldexp(pr.Z.v[i], e);
	kith_knn_search(kith_knn_new(&pr.X, &pr.metric, N, &pr.pool), &pr.Z, NULL, K, 1, b);
	ok(same(a, b, MK, ldexp(1, kind == KITH_ABSOLUTE ? e : 2 * e)),
	    "data times 2^%d, kind %d, p %zu", e, (int)kind, p);
	kith_pool_free(&pr.pool);
}

/* Rows about a plane in p axes, where leaves are chosen: as full products find them. */
static void
test_plane(size_t n, size_t p, enum kith_metric_kind kind)
{
	static const char *const search[] = {"products", "leaves", "auto"};
	struct kith_pool pool = {0};
	struct kith_rng rng;
	const struct kith_mat X = kith_mat_new(&pool, n, p), Z = {n / 8, p, X.v};
	const struct kith_metric metric = {kind, p, NULL};
	struct kith_neighbour *nn[3], *to[3];

	kith_rng_seed(&rng, 5, KITH_RNG_SAMPLE, p);
	for (size_t i = 0; i < n; i++) {
		const double u = normal(&rng), v = normal(&rng);

		for (size_t j = 0; j < p; j++)
			kith_row(&X, i)[j] = (double)j * u + (double)(j % 7) * v * v +
			    .05 * normal(&rng);
	}
	for (int s = 0; s < 3; s++) {
		const struct kith_knn *knn;

		setenv("KITH_SEARCH", search[s], 1);
		nn[s] = kith_new(&pool, n, 20 * sizeof(**nn));
		to[s] = kith_new(&pool, n, 20 * sizeof(**to));
		knn = kith_knn_new(&X, &metric, n, &pool);
		kith_knn_search(knn, NULL, NULL, 20, 2, nn[s]);
		kith_knn_search(knn, &Z, NULL, 20, 1, to[s]);
		ok(same(nn[s], nn[0], n * 20, 1) && same(to[s], to[0], n / 8 * 20, 1),
		    "a join and a search: %s, %zu features, kind %d", search[s], p, (int)kind);
	}
	kith_pool_free(&pool);
}

/*
 * Rows in a cube, but for noise: leaves that are halved along each of its sides in turn cost 0.40 of
 * products; leaves that are slices, 0.63.
 */
static void
test_cube(void)
{
	enum { N = 16400, P = 9 };
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	struct kith_pool pool = {0};
	struct kith_rng rng;
	const struct kith_mat X = kith_mat_new(&pool, N, P);
	double cost;

	kith_rng_seed(&rng, 0, KITH_RNG_SAMPLE, P);
	for (size_t i = 0; i < X.n * P; i++)
		X.v[i] = (i % P < 3 ? 1 : .001) * kith_rng_unit(&rng);
	setenv("KITH_SEARCH", "auto", 1);
	cost = kith_knn_choice(kith_knn_new(&X, &metric, N, &pool), 20).cost;
	ok(cost < .5, "leaves are short in all directions: they cost %.2f of products", cost);
	kith_pool_free(&pool);
}

/*
 * All rows at distance 0 but for rounding, by a matrix, and copies: row COPY + i is row i.  The
 * nearest of row i are the rows of the smallest numbers, without i, so the copy of row i comes late.
 */
static void
test_all_at_zero(const char *search)
{
	enum { N = 200, COPY = 150, K = 5 };
	/* Eigenvalues 14, 0 and -13.5e-12, which counts as 0 up to -14e-12: the trace is 14. */
	const double c = 4.5e-12;
	const double w[] = {1 - c, 2 - c, 3 + c, 2 - c, 4 - c, 6 + c, 3 + c, 6 + c, 9 - c};
	const struct kith_metric metric = {KITH_SQUARED_MATRIX, 3, w};
	struct kith_pool pool = {0};
	const struct kith_mat X = kith_mat_new(&pool, N, 3);
	struct kith_neighbour nn[N * K];
	size_t self[N], bad = 0;

	for (size_t i = 0; i < N; i++) {
		self[i] = i;
		kith_row(&X, i)[0] = kith_row(&X, i)[1] = (double)(i % COPY);
		kith_row(&X, i)[2] = -kith_row(&X, i)[0];
	}
	setenv("KITH_SEARCH", search, 1);
	kith_knn_search(kith_knn_new(&X, &metric, N, &pool), &X, self, K, 1, nn);
	for (size_t i = 0; i < N; i++)
		for (size_t e = 0; e < K; e++)
			bad += nn[i * K + e].row != e + (i <= e) || nn[i * K + e].d != 0;
	ok(bad == 0, "copies, all at distance 0: %s, %zu differ", search, bad);
	kith_pool_free(&pool);
}

int
main(void)
{
	const size_t level = kith_level;

	for (uint64_t seed = 0; seed < (getenv("KITH_LONG") ? 20 : 1); seed++)
		test_all(seed);
	kith_level = level;
	for (int kind = 0; kind < 4; kind++)
		for (int e = -480; e <= 480; e += 240)
			test_units((enum kith_metric_kind)kind, e % 480 ? 4 : 12, e);
	test_plane(5000, 9, KITH_SQUARED);
	test_plane(5000, 70, KITH_SQUARED);
	test_plane(3000, 20, KITH_ABSOLUTE);
	test_cube();
	test_all_at_zero("products");
	test_all_at_zero("leaves");
	test_all_at_zero("plain");
	return done();
}
