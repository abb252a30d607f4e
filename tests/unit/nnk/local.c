/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/local.h, against sorted lists, and of lib/nnk/plain.h, whose
 * errors are quadratic forms.
 */
#include "nnk/local.h"

#include "nnk/data.h"
#include "nnk/plain.h"
#include "table/graph.h"

#include <stdlib.h>
#include <string.h>

static const struct kith_mat X = {N, P, x};

static double
square(const double *w, const double *a, const double *b)
{
	double d = 0;

	for (size_t f = 0; f < P; f++)
		d += (w ? w[f] : 1) * (a[f] - b[f]) * (a[f] - b[f]);
	return d;
}

static int
by_distance(const void *a, const void *b)
{
	return kith_neighbour_before(a, b) ? -1 : 1;
}

/* All rows but itself in order of their distances from row i. */
static size_t
sorted(const double *w, const double *q, size_t self, struct kith_neighbour *nn)
{
	size_t n = 0;

	for (size_t j = 0; j < N; j++)
		if (j != self)
			nn[n++] = (struct kith_neighbour){j, square(w, q, x + j * P)};
	qsort(nn, n, sizeof(*nn), by_distance);
	return n;
}

/* How many entries differ from the first k, or those within a radius. */
static size_t
differ(const struct kith_local *local, const struct kith_local_rows *rows, size_t k, double radius)
{
	size_t bad = 0, most = 0;

	for (size_t i = 0; i < rows->m; i++) {
		struct kith_neighbour nn[N];
		const struct kith_neighbour *got = local->nn + local->start[i];
		size_t n = sorted(
		    rows->metric->w, kith_local_query(rows, i), rows->Z ? N : rows->first + i, nn);

		n = n < k ? n : k;
		while (n > 0 && sqrt(nn[n - 1].d) > radius)
			n--;
		most = n > most ? n : most;
		bad += local->start[i + 1] - local->start[i] != n;
		for (size_t j = 0; j < n && bad == 0; j++)
			bad += got[j].row != nn[j].row || fabs(got[j].d - nn[j].d) > 1e-15;
	}
	return bad + (local->most != most);
}

static struct kith_local
find(const struct kith_local_rows *rows, const struct kith_local_how *how)
{
	struct kith_local out;

	if (kith_local_find(rows, how, &out, &pool, &err))
		ok(false, "failed: %s", err.msg);
	return out;
}

static void
test_lists(void)
{
	static const double w[P] = {2, 0, .5};
	static const size_t sizes[] = {1, 7, 88, 89, 90, 200};
	size_t bad = 0;

	for (size_t seed = 0; seed < 24; seed++) {
		const struct kith_metric metric = {KITH_SQUARED, P, seed % 2 ? w : NULL};
		double v[20 * P];
		const struct kith_mat Z = {20, P, v};
		struct kith_local_rows rows = {&X, &metric, NULL, 0, N, 1 + seed % 3};
		struct kith_local_how how = {.k = sizes[seed % 6], .radius = -1};
		struct kith_local out;

		draw(seed % 3 ? 0 : 4);
		for (size_t e = 0; e < 20 * P; e++)
			v[e] = kith_rng_unit(&rng);
		if (seed % 4 == 1) {
			rows.first = 3;
			rows.m = 80;
		} else if (seed % 4 > 1) {
			rows.Z = &Z;
			rows.first = seed % 4 == 2 ? 0 : 5;
			rows.m = 20 - rows.first;
		}
		out = find(&rows, &how);
		bad += differ(&out, &rows, how.k, INFINITY);
		ok(out.search.search && out.sigma == 0 && !out.flat, "searched");
		how.radius = .1 * (double)seed;
		out = find(&rows, &how);
		bad += differ(&out, &rows, N, how.radius);
	}
	is_size(bad, 0, "lists that are not the nearest");
}

/* Candidates that are given, in the order of their distances. */
static void
test_given(void)
{
	const struct kith_local_rows rows = {&X, &plain, NULL, 0, N, 3};
	struct kith_local_how how = {.k = 1, .radius = -1};
	struct kith_graph given = {.m = N};
	struct kith_local out;
	size_t bad = 0;

	draw(4);
	given.start = kith_new(&pool, N + 1, sizeof(size_t));
	given.to = kith_new(&pool, N * N, sizeof(size_t));
	for (size_t i = 0; i < N; i++) {
		size_t e = given.start[i];

		for (size_t j = 0; j < N; j++)
			if (j != i && kith_rng_below(&rng, 9) == 0)
				given.to[e++] = j;
		given.start[i + 1] = e;
	}
	how.given = &given;
	out = find(&rows, &how);
	for (size_t i = 0; i < N; i++) {
		const size_t s = given.start[i], n = given.start[i + 1] - s;
		struct kith_neighbour nn[N] = {{0}};

		for (size_t j = 0; j < n; j++)
			nn[j] = (struct kith_neighbour){
			    given.to[s + j], square(NULL, x + i * P, x + given.to[s + j] * P)};
		qsort(nn, n, sizeof(*nn), by_distance);
		bad += out.start[i + 1] - out.start[i] != n;
		for (size_t j = 0; j < n; j++)
			bad += out.nn[s + j].row != nn[j].row ||
			    fabs(out.nn[s + j].d - nn[j].d) > 1e-15;
		out.most -= out.most == n ? n : 0;
	}
	is_size(bad, 0, "candidates in another order");
	ok(out.most == 0 && !out.search.search, "nothing is searched");
}

/* Bandwidths: the same for all rows, or a row's own. */
static void
test_sigma(void)
{
	const struct kith_neighbour nn[] = {{4, 1}, {2, 36}};
	const struct kith_local_rows whole = {&X, &plain, NULL, 0, N, 1};
	const struct kith_local_rows some = {&X, &plain, NULL, 7, 5, 1};
	struct kith_local_how how = {.k = 5, .radius = -1, .bandwidth = true};
	struct kith_local a, b;
	double due = 0, v[] = {3, 3, 3};
	const struct kith_mat same = {3, 1, v};
	const struct kith_metric one = {KITH_SQUARED, 1, NULL};
	const struct kith_local_rows copies = {&same, &one, NULL, 0, 3, 1};

	ok(kith_local_sigma(2, nn, 2) == 2 && kith_local_sigma(0, nn, 2) == 2 &&
		kith_local_sigma(0, nn, 1) == 1. / 3 && kith_local_sigma(0, NULL, 0) == 0,
	    "a third of the last distance, where none is given");
	draw(0);
	for (size_t i = 0; i < N; i++) {
		struct kith_neighbour all[N];

		(void)sorted(NULL, x + i * P, i, all);
		due += sqrt(all[4].d) / 3 / (double)N;
	}
	a = find(&whole, &how);
	b = find(&some, &how);
	is_near(a.sigma, due, 1e-15, "a third of the mean of all rows");
	ok(b.sigma == a.sigma, "whatever rows are asked for");
	how.sigma.rule = KITH_SIGMA_LOCAL;
	ok(find(&whole, &how).sigma == 0, "local: none");
	how.sigma.rule = KITH_SIGMA_AUTO;
	a = find(&copies, &how);
	ok(a.flat && a.sigma == 1, "copies: 1");
	how.bandwidth = false;
	a = find(&copies, &how);
	ok(!a.flat && a.sigma == 0, "where one is needed");
}

static void
test_pack(void)
{
	static const double w[] = {2, 0, 3, 0};
	const double row[] = {1, 2, 3, 4};
	struct kith_metric metric = {KITH_SQUARED, 4, w};
	struct kith_local_pack pack = kith_local_pack_new(&metric, &pool);
	double to[4];

	kith_local_pack_row(&pack, row, to);
	ok(pack.metric.p == 2 && pack.metric.w[1] == 3 && to[0] == 1 && to[1] == 3,
	    "features that count");
	metric.w = NULL;
	pack = kith_local_pack_new(&metric, &pool);
	kith_local_pack_row(&pack, row, to);
	ok(!pack.kept && to[0] == 1 && to[1] == 2 && to[2] == 3 && to[3] == 4, "all of them");
}

/* Weights and J of candidates. */
static void
test_plain(enum kith_kern_kind kernel)
{
	const struct kith_local_pack pack = kith_local_pack_new(&plain, &pool);
	struct kith_nnk_plain *it = kith_nnk_plain_new(kernel, &X, &pack, 9, &pool);
	const bool linear = kernel == KITH_KERN_LINEAR;
	double worst = 0;

	draw(0);
	for (size_t i = 0; i < 40; i++)
		x[i * P] -= .8;
	for (size_t i = 0; i < 40; i++) {
		struct kith_neighbour nn[N];
		double w[9], J = 0, got;
		size_t at[10];

		(void)sorted(NULL, x + i * P, i, nn);
		at[9] = i;
		for (size_t s = 0; s < 9; s++)
			at[s] = nn[s].row;
		got = kith_nnk_plain(it, x + i * P, nn, 9, .4, true, w);
		for (size_t s = 0; s < 10; s++)
			for (size_t u = 0; u < 10; u++) {
				const double *a = x + at[s] * P;
				const double *b = x + at[u] * P;
				double K = 0;

				for (size_t f = 0; f < P; f++)
					K += a[f] * b[f];
				if (!linear)
					K = exp(-square(NULL, a, b) / .32);
				J += (s < 9 ? w[s] : -1) * (u < 9 ? w[u] : -1) * K / 2;
				if (s < 9 && u == 9)
					worst = fmax(worst, fabs(w[s] - fmax(K, 0)));
			}
		worst = fmax(worst, fabs(J - got));
		ok(kith_nnk_plain(it, x + i * P, nn, 9, .4, false, w) == 0,
		    "no J where none is asked for");
	}
	ok(worst <= 1e-13, "kernel %d: %g", (int)kernel, worst);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_lists();
	test_given();
	test_sigma();
	test_pack();
	test_plain(KITH_KERN_GAUSSIAN);
	test_plain(KITH_KERN_LINEAR);
	kith_pool_free(&pool);
	return done();
}
