/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/embed.h against dense matrices. */
#include "graph/embed.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/dense.h"
#include "la/lapack.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_rng rng;
static struct kith_err err;

static const char *const word[] = {"random-walk", "symmetric", "combinatorial", "affine"};

/* The matrix of which the coordinates of a part are eigenvectors, dense. */
static double *
matrix(const struct kith_undirected *g, const double *W, size_t c, enum kith_laplacian kind,
    size_t *size, size_t *node, struct kith_pool *pool)
{
	const size_t n = g->W.n;
	double *A;
	size_t m = 0;

	for (size_t i = 0; i < n; i++)
		if (g->component[i] == c)
			node[m++] = i;
	A = kith_new(pool, m * m, sizeof(*A));
	for (size_t a = 0; a < m; a++)
		for (size_t b = 0; b < m; b++) {
			const double w = W[node[a] * n + node[b]];
			const double di = g->d[node[a]], dj = g->d[node[b]];

			if (kind == KITH_COMBINATORIAL)
				A[a * m + b] = a == b ? di : -w;
			else
				A[a * m + b] = (a == b) - w / sqrt(di * dj);
		}
	*size = m;
	return A;
}

/*
 * Whether the coordinates e of a part are what they should be: u has length 1,
 * lies in the eigenspace of its value alone, and the sign is right.
 */
static bool
is_right(const struct kith_undirected *g, const struct kith_embedding *map,
    const struct kith_embedded *e, const double *W, enum kith_laplacian kind)
{
	struct kith_pool pool = {0};
	size_t *node = kith_new(&pool, g->W.n, sizeof(*node)), m;
	double *A = matrix(g, W, e->component, kind, &m, node, &pool);
	double *lambda = kith_new(&pool, m, sizeof(*lambda));
	double *V = kith_new(&pool, m * m, sizeof(*V));
	double scale = 2;
	bool good = kith_eig(m, A, lambda, V) && m == e->n;

	for (size_t a = 0; kind == KITH_COMBINATORIAL && a < m; a++)
		scale = fmax(scale, 2 * g->d[node[a]]);
	for (size_t k = 0; good && k < e->d; k++) {
		double inside = 0, all = 0, most = 0, first = 0;

		for (size_t l = 1; l < m; l++) {
			double product = 0;

			for (size_t a = 0; a < m; a++)
				product += V[l * m + a] * map->y[node[a] * map->d + k] *
				    (kind == KITH_RANDOM_WALK ? sqrt(g->d[node[a]]) : 1);
			if (fabs(lambda[l] - lambda[k + 1]) <= 1e-8 * scale)
				inside += product * product;
		}
		for (size_t a = 0; a < m; a++) {
			const double y = map->y[node[a] * map->d + k];

			all += y * y * (kind == KITH_RANDOM_WALK ? g->d[node[a]] : 1);
			if (fabs(y) > most * (1 + 2e-10)) {
				most = fabs(y);
				first = y;
			}
		}
		good = fabs(e->value[k] - lambda[k + 1]) < 1e-13 * scale &&
		    fabs(inside - 1) < 1e-11 && fabs(all - 1) < 1e-12 && first > 0 &&
		    e->residual[k] < 1e-13 * scale;
		if (!good)
			printf("# e%zu: %g for %g, %g %g %g\n", k + 1, e->value[k], lambda[k + 1],
			    inside, all, first);
	}
	kith_pool_free(&pool);
	return good;
}

/* Embed W in all ways, and compare. */
static void
compare(size_t n, size_t d, const double *W, bool all, const char *name)
{
	for (int kind = 0; kind <= KITH_COMBINATORIAL; kind++) {
		struct kith_pool pool = {0};
		const struct kith_undirected g = graph_of(n, W, &pool);
		const struct kith_embed_how how = {d, (enum kith_laplacian)kind, all, 1};
		char said[KITH_CHECK_EMBED + 1];
		struct kith_embedding map;
		bool good;

		good = !kith_embed(&g, &how, &map, &pool, &err);
		for (size_t p = 0; good && p < map.parts; p++)
			good = is_right(&g, &map, &map.part[p], W, how.kind) &&
			    !(fabs(map.part[p].missed) > 0);
		ok(good, "%s, %s", name, word[kind]);
		if (good)
			is_text(
			    verdict(&g, how.kind, all, map.d, map.y, said), "yyyyyy", "checked");
		kith_pool_free(&pool);
	}
}

static void
random_graphs(unsigned seed)
{
	struct kith_pool pool = {0};
	const bool sparse = seed % 4 == 3;
	const size_t n = sparse ? 210 + kith_rng_below(&rng, 60) : 2 + kith_rng_below(&rng, 60);
	const size_t cut = n > 8 && seed % 3 == 0 && !sparse ? n / 3 : 0;
	const size_t d = 1 + kith_rng_below(&rng, n - cut < 7 ? n - cut - 1 : 5);
	double *W = kith_new(&pool, n * n, sizeof(*W));
	const double chance = sparse ? 8. / (double)n : kith_rng_unit(&rng) / 4;
	char name[64];

	if (cut)
		draw(&rng, n, 0, cut - 1, chance, W); /* and a node without edges */
	draw(&rng, n, cut, n, chance, W);
	snprintf(name, sizeof(name), "seed %u", seed);
	compare(n, d, W, seed % 2, name);
	kith_pool_free(&pool);
}

/* Graphs whose eigenvalues are known, many of them equal. */
static void
known(size_t n)
{
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, n * n, sizeof(*W));
	struct kith_undirected g;
	struct kith_embed_how how = {5, KITH_COMBINATORIAL, false, 1};
	struct kith_embedding map;
	const double turn = 8 * atan(1) / (double)n;
	char name[64];
	bool good = true;

	for (size_t i = 0; i < n; i++)
		join(n, W, i, (i + 1) % n, 1);
	snprintf(name, sizeof(name), "a ring of %zu", n);
	compare(n, 5, W, false, name);
	g = graph_of(n, W, &pool);
	ok(!kith_embed(&g, &how, &map, &pool, &err), "%s", name);
	for (size_t k = 0; k < 5; k++) {
		const size_t pair = k / 2 + 1;

		good &= fabs(map.part->value[k] - (2 - 2 * cos(turn * (double)pair))) < 1e-14;
	}
	ok(good, "its eigenvalues are 2 - 2 cos(2 pi k / n)");
	ok(map.part->equal == 3 && map.part->first_equal == 0 && map.part->splits_equal,
	    "in pairs, the last of which is torn");
	how.d = 4;
	ok(!kith_embed(&g, &how, &map, &pool, &err) && map.part->equal == 2 &&
		!map.part->splits_equal,
	    "with one less, it is not");
	join(n, W, 0, n - 1, 0);
	snprintf(name, sizeof(name), "a path of %zu", n);
	compare(n, 5, W, false, name);
	memset(W, 0, n * n * sizeof(*W));
	for (size_t i = 1; i < n; i++)
		join(n, W, 0, i, 1);
	snprintf(name, sizeof(name), "a star of %zu", n);
	compare(n, 3, W, false, name);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			join(n, W, i, j, 1);
	snprintf(name, sizeof(name), "a clique of %zu", n);
	compare(n, 3, W, false, name);
	kith_pool_free(&pool);
}

/* A ring of 400 nodes needs a factor (graph/eigen.c). */
static void
factored(void)
{
	enum { N = 400 };
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, (size_t)N * N, sizeof(*W));
	const struct kith_embed_how how = {3, KITH_RANDOM_WALK, false, 1};
	struct kith_undirected g;
	struct kith_embedding map;

	for (size_t i = 0; i < N; i++)
		join(N, W, i, (i + 1) % N, 1);
	g = graph_of(N, W, &pool);
	ok(!kith_embed(&g, &how, &map, &pool, &err) && map.part->factored && map.part->missed == 0,
	    "a ring gets a factor, and its eigenvalues are counted");
	kith_pool_free(&pool);
}

/*
 * Graphs of which one start vector finds too few vectors: the search anew finds
 * the others.  A cube of m dimensions has the eigenvalue 2 / m m times; a torus
 * of 20 x 20 has 1/2 - cos(pi / 10) / 2 four times.
 */
static void
often(size_t n, bool torus, size_t d, double value, const char *name)
{
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, n * n, sizeof(*W));
	const struct kith_embed_how how = {d, KITH_RANDOM_WALK, false, 1};
	struct kith_undirected g;
	struct kith_embedding map;
	bool good;

	for (size_t i = 0; i < n; i++) {
		for (size_t bit = 1; bit < n && !torus; bit *= 2)
			join(n, W, i, i ^ bit, 1);
		if (torus) {
			join(n, W, i, i / 20 * 20 + (i + 1) % 20, 1);
			join(n, W, i, (i + 20) % 400, 1);
		}
	}
	g = graph_of(n, W, &pool);
	good = !kith_embed(&g, &how, &map, &pool, &err) && !map.part->dense;
	for (size_t k = 0; good && k <= d; k++)
		good = fabs(map.part->value[k] - value) < 1e-14;
	ok(good, "%s", name);
	kith_pool_free(&pool);
}

/* Eigenvalues far below what rounding leaves of the matrix. */
static void
small_bridge(void)
{
	enum { N = 9 };
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, (size_t)N * N, sizeof(*W));
	const struct kith_embed_how how = {2, KITH_COMBINATORIAL, false, 1};
	struct kith_undirected g;
	struct kith_embedding map;

	for (size_t c = 0; c < N; c += 3)
		for (size_t i = 0; i < 3; i++)
			join(N, W, c + i, c + (i + 1) % 3, 1);
	join(N, W, 0, 3, 1e-18);
	join(N, W, 3, 6, 4e-18);
	g = graph_of(N, W, &pool);
	ok(!kith_embed(&g, &how, &map, &pool, &err) && map.part->angle < 1e-4,
	    "three triangles with bridges of 1e-18 and 4e-18");
	/* Of the path of three points: (5 -+ sqrt(13)) / 3, each point thrice. */
	is_near(map.part->value[0] * 1e18, (5 - sqrt(13)) / 3, 1e-6, "value 1");
	is_near(map.part->value[1] * 1e18, (5 + sqrt(13)) / 3, 1e-6, "value 2");
	is_near(map.y[0], map.y[2], 1e-12, "a triangle is a point");
	kith_pool_free(&pool);
}

/* All weights times a power of 2 or any number: the map has the same shape. */
static void
scales(void)
{
	static const double factor[] = {1e-300, 1e300};
	struct kith_pool pool = {0};
	const size_t n = 40;
	double *W = kith_new(&pool, n * n, sizeof(*W));

	for (size_t f = 0; f < 2; f++) {
		double *V = kith_new(&pool, n * n, sizeof(*V));

		memset(W, 0, n * n * sizeof(*W));
		draw(&rng, n, 0, n, .2, W);
		for (size_t i = 0; i < n * n; i++)
			V[i] = W[i] * factor[f];
		for (int kind = 0; kind <= KITH_COMBINATORIAL; kind++) {
			const struct kith_embed_how how = {3, (enum kith_laplacian)kind, false, 1};
			const struct kith_undirected a = graph_of(n, W, &pool);
			const struct kith_undirected b = graph_of(n, V, &pool);
			struct kith_embedding x, y;
			const double root = kind == KITH_RANDOM_WALK ? sqrt(factor[f]) : 1;
			bool good = !kith_embed(&a, &how, &x, &pool, &err) &&
			    !kith_embed(&b, &how, &y, &pool, &err);

			for (size_t i = 0; good && i < n * 3; i++)
				good = fabs(y.y[i] * root - x.y[i]) < 1e-11;
			ok(good, "weights times %g, %s", factor[f], word[kind]);
		}
	}
	kith_pool_free(&pool);
}

/* All that a component of two nodes has: there is no next eigenvalue. */
static void
two_nodes(void)
{
	struct kith_pool pool = {0};
	double W[16] = {0};
	const struct kith_embed_how how = {1, KITH_RANDOM_WALK, false, 1};
	struct kith_undirected g;
	struct kith_embedding map;

	join(4, W, 1, 3, 2);
	g = graph_of(4, W, &pool);
	ok(!kith_embed(&g, &how, &map, &pool, &err) && isnan(map.y[0]) && isnan(map.y[2]) &&
		isnan(map.part->value[1]),
	    "two nodes of four");
	is_near(map.y[1], .5, 1e-15, "the first positive");
	is_near(map.y[3], -.5, 1e-15, "the second");
	is_near(map.part->value[0], 2, 1e-15, "their eigenvalue");
	kith_pool_free(&pool);
}

int
main(void)
{
	const unsigned seeds = getenv("KITH_LONG") ? 500 : 25;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		random_graphs(seed);
	}
	known(12);
	known(211);
	factored();
	often(512, false, 3, 2. / 9, "a cube of 9 dimensions");
	often(400, true, 2, .5 - cos(.1 * 4 * atan(1)) / 2, "a torus");
	small_bridge();
	scales();
	two_nodes();
	return done();
}
