/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/symm.h: by hand, and against full matrices. */
#include "nnk/symm.h"

#include "base/pool.h"
#include "base/rng.h"
#include "near/graph.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N ((size_t)12)

static struct kith_rng rng;

/* A graph as full matrices: what has what, and the weights. */
struct full {
	bool has[N][N];
	double w[N][N], d[N][N], J[N];
};

static struct kith_graph
graph_of(struct full *f, struct kith_pool *pool)
{
	struct kith_graph g = {.m = N, .J = f->J};
	size_t e = 0;

	g.start = kith_new(pool, N + 1, sizeof(*g.start));
	g.to = kith_new(pool, N * N, sizeof(*g.to));
	g.w = kith_new(pool, N * N, sizeof(*g.w));
	g.d = kith_new(pool, N * N, sizeof(*g.d));
	for (size_t i = 0; i < N; i++) {
		const size_t turn = kith_rng_below(&rng, N);

		for (size_t l = 0; l < N; l++) {
			const size_t j = (l + turn) % N; /* in any order */

			if (!f->has[i][j])
				continue;
			g.to[e] = j;
			g.w[e] = f->w[i][j];
			g.d[e++] = f->d[i][j];
		}
		g.start[i + 1] = e;
	}
	return g;
}

static void
draw(struct full *f)
{
	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < N; i++) {
		const bool mute = kith_rng_below(&rng, 6) == 0;

		f->J[i] = (double)kith_rng_below(&rng, 4);
		for (size_t j = 0; j < N; j++) {
			f->has[i][j] = i != j && kith_rng_below(&rng, 3) == 0;
			if (f->has[i][j] && !mute)
				f->w[i][j] = (double)kith_rng_below(&rng, 4);
			f->d[i][j] = (double)(i < j ? i * N + j : j * N + i);
		}
	}
}

/* J, or where a row gives no weight at all more than any. */
static double
say(const struct full *f, size_t i)
{
	for (size_t j = 0; j < N; j++)
		if (f->w[i][j] > 0)
			return f->J[i];
	return INFINITY;
}

static double
due(const struct full *f, enum kith_symm mode, size_t i, size_t j)
{
	const double a = f->w[i][j], b = f->w[j][i];
	const bool both = f->has[i][j] && f->has[j][i];

	if (mode == KITH_SYMM_NODE)
		return say(f, j) < say(f, i) ? b : a;
	if (mode == KITH_SYMM_MAX)
		return fmax(a, b);
	if (mode == KITH_SYMM_MIN)
		return fmin(a, b);
	if (mode == KITH_SYMM_MEAN)
		return (a + b) / 2;
	if (!both)
		return mode == KITH_SYMM_PAPER ? 0 : a + b;
	if (f->J[i] == f->J[j])
		return fmax(a, b);
	return f->J[i] < f->J[j] ? a : b;
}

static void
test_random(enum kith_symm mode, size_t seeds)
{
	size_t bad = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct kith_pool pool = {0};
		struct full f;
		struct kith_graph g, out;
		size_t e = 0;

		draw(&f);
		g = graph_of(&f, &pool);
		kith_symm_forget(&g, mode == KITH_SYMM_NODE);
		kith_symm(&g, mode, &out, &pool);
		for (size_t i = 0; i < N; i++) {
			bad += out.start[i] != e;
			for (size_t j = i + 1; j < N; j++) {
				const double w = due(&f, mode, i, j);

				if (!(w > 0))
					continue;
				bad += e >= out.start[N] || out.to[e] != j ||
				    out.w[e] != w || out.d[e] != f.d[i][j];
				e++;
			}
		}
		bad += out.start[N] != e || out.m != N;
		kith_pool_free(&pool);
	}
	ok(bad == 0, "mode %d as defined", (int)mode);
}

static void
test_cut(void)
{
	size_t start[] = {0, 4, 4, 6}, to[] = {3, 1, 2, 0, 1, 0};
	double w[] = {10, 1, 1.5, 0, 1e-310, 1e-320};
	struct kith_graph g = {0, 3, start, to, w, NULL, NULL};

	kith_symm_cut(&g, 0.1);
	ok(w[0] == 10 && w[1] == 0 && w[2] == 1.5 && w[3] == 0,
	    "what exceeds a tenth of the largest stays");
	ok(w[4] == 1e-310 && w[5] == 0, "each list by itself");
	kith_symm_sort(&g);
	ok(to[0] == 0 && to[1] == 1 && to[2] == 2 && to[3] == 3 && w[3] == 10,
	    "sorted, with the weights");
	ok(to[4] == 0 && w[5] == 1e-310, "each list");
}

/* A list that is long enough for digits: rows of one to three of them. */
static void
test_long(void)
{
	enum { K = 500 };
	size_t start[] = {0, K, K}, to[K], bad = 0;
	double w[K], d[K];
	struct kith_graph g = {0, 2, start, to, w, d, NULL};

	for (size_t most = 500; most < 100000000; most *= 13) {
		for (size_t e = 0; e < K; e++) {
			to[e] = e * 203 % K * (most / 500);
			w[e] = (double)to[e] + .5;
			d[e] = -w[e];
		}
		kith_symm_sort(&g);
		for (size_t e = 0; e < K; e++)
			bad += to[e] != e * (most / 500) ||
			    w[e] != (double)to[e] + .5 || d[e] != -w[e];
	}
	ok(bad == 0, "long lists are sorted");
}

/* One candidate, decided against; one of a row that has no say. */
static void
test_node(void)
{
	size_t start[] = {0, 2, 3, 4}, to[] = {1, 2, 2, 1};
	double w[] = {.5, .25, 2, 0}, J[] = {2, 1, .5};
	struct kith_graph g = {0, 3, start, to, w, NULL, J}, out;
	struct kith_pool pool = {0};

	kith_symm_forget(&g, true);
	ok(J[0] == 2 && J[1] == 1 && isnan(J[2]), "the last gives nothing");
	kith_symm(&g, KITH_SYMM_NODE, &out, &pool);
	ok(out.start[3] == 2 && out.to[0] == 2 && out.w[0] == .25 &&
		out.to[1] == 2 && out.w[1] == 2,
	    "0 - 1 falls by 1's smaller error, 0 - 2 and 1 - 2 stay");
	J[2] = .5;
	kith_symm_forget(&g, false);
	ok(J[2] == .5, "of error and paper it is known");
	kith_pool_free(&pool);
}

static void
test_count(void)
{
	size_t start[] = {0, 2, 3, 3, 4}, to[] = {1, 2, 0, 4};
	double w[] = {1, 0, 1, 2};
	const struct kith_graph g = {0, 4, start, to, w, NULL, NULL};
	const struct kith_symm_count count = kith_symm_count(&g, 6);

	is_size(count.edges, 3, "edges of weight > 0");
	is_size(count.isolated, 2, "rows 2 and 5");
	is_size(count.components, 4, "0 1, 3 4, 2, 5");
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (int mode = KITH_SYMM_NODE; mode <= KITH_SYMM_MEAN; mode++)
		test_random((enum kith_symm)mode, more && *more ? 2000 : 100);
	test_cut();
	test_long();
	test_node();
	test_count();
	return done();
}
