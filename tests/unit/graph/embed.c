/* Tests of lib/graph/embed.h and embed_check.h against dense matrices. */
#include "graph/embed.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/affine.h"
#include "graph/embed_check.h"
#include "graph/missed.h"
#include "la/eig.h"
#include "scratch.h"
#include "table/edges.h"
#include "tap.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_rng rng;
static struct kith_err err;

static const char *const word[] = {
    "random-walk", "symmetric", "combinatorial", "affine"};

/* The graph of a dense W (n x n). */
static struct kith_undirected
graph_of(size_t n, const double *W, struct kith_pool *pool)
{
	struct kith_undirected g = {.W = {.n = n}};

	g.W.start = kith_new(pool, n + 1, sizeof(*g.W.start));
	g.W.column = kith_new(pool, n * n + 1, sizeof(*g.W.column));
	g.W.x = kith_new(pool, n * n + 1, sizeof(*g.W.x));
	g.W.diagonal = kith_new(pool, n, sizeof(*g.W.diagonal));
	g.d = kith_new(pool, n, sizeof(*g.d));
	for (size_t i = 0; i < n; i++) {
		size_t at = g.W.start[i];

		for (size_t j = 0; j < n; j++)
			if (W[i * n + j] > 0) {
				g.W.column[at] = (uint32_t)j;
				g.W.x[at++] = W[i * n + j];
				g.d[i] += W[i * n + j];
			}
		g.W.start[i + 1] = at;
	}
	g.edges = g.W.start[n] / 2;
	kith_undirected_connect(&g, pool);
	return g;
}

/* The matrix of which the coordinates of a part are eigenvectors, dense. */
static double *
matrix(const struct kith_undirected *g, const double *W, size_t c,
    enum kith_laplacian kind, size_t *size, size_t *node,
    struct kith_pool *pool)
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
				product += V[l * m + a] *
				    map->y[node[a] * map->d + k] *
				    (kind == KITH_RANDOM_WALK
					    ? sqrt(g->d[node[a]])
					    : 1);
			if (fabs(lambda[l] - lambda[k + 1]) <= 1e-8 * scale)
				inside += product * product;
		}
		for (size_t a = 0; a < m; a++) {
			const double y = map->y[node[a] * map->d + k];

			all += y * y *
			    (kind == KITH_RANDOM_WALK ? g->d[node[a]] : 1);
			if (fabs(y) > most * (1 + 2e-10)) {
				most = fabs(y);
				first = y;
			}
		}
		good = fabs(e->value[k] - lambda[k + 1]) < 1e-13 * scale &&
		    fabs(inside - 1) < 1e-11 && fabs(all - 1) < 1e-12 &&
		    first > 0 && e->residual[k] < 1e-13 * scale;
		if (!good)
			printf("# e%zu: %g for %g, %g %g %g\n", k + 1,
			    e->value[k], lambda[k + 1], inside, all, first);
	}
	kith_pool_free(&pool);
	return good;
}

/* What --check says of coordinates: a letter a line, y, n or ?. */
static const char *
judge(const struct kith_undirected *g, const struct kith_affine *affine,
    enum kith_laplacian kind, bool all, const struct kith_embedding *map,
    char said[KITH_CHECK_EMBED + 1])
{
	const struct kith_coordinates c = {map->n, map->d, map->y};
	struct kith_check proof[KITH_CHECK_EMBED];

	kith_check_embed(g, affine, kind, all, &c, 1, proof);
	for (size_t i = 0; i < KITH_CHECK_EMBED; i++)
		said[i] = (char)(kith_check_open(&proof[i]) ? '?'
			: kith_check_ok(&proof[i])          ? 'y'
							    : 'n');
	said[KITH_CHECK_EMBED] = 0;
	return said;
}

/* Embed W in all ways, and compare. */
static void
compare(size_t n, size_t d, const double *W, bool all, const char *name)
{
	for (int kind = 0; kind <= KITH_COMBINATORIAL; kind++) {
		struct kith_pool pool = {0};
		const struct kith_undirected g = graph_of(n, W, &pool);
		const struct kith_embed_how how = {
		    d, (enum kith_laplacian)kind, all, 1};
		char said[KITH_CHECK_EMBED + 1];
		struct kith_embedding map;
		bool good;

		good = !kith_embed(&g, NULL, &how, &map, &pool, &err);
		for (size_t p = 0; good && p < map.parts; p++)
			good = is_right(&g, &map, &map.part[p], W, how.kind) &&
			    !(fabs(map.part[p].missed) > 0);
		ok(good, "%s, %s", name, word[kind]);
		if (good)
			is_text(judge(&g, NULL, how.kind, all, &map, said),
			    "yyyyyy", "checked");
		kith_pool_free(&pool);
	}
}

/* Join i and j. */
static void
join(size_t n, double *W, size_t i, size_t j, double w)
{
	W[i * n + j] = W[j * n + i] = w;
}

/* A tree over nodes first..end-1, and each other edge with this chance. */
static void
draw(size_t n, size_t first, size_t end, double chance, double *W)
{
	for (size_t i = first + 1; i < end; i++) {
		join(n, W, i, first + kith_rng_below(&rng, i - first),
		    .1 + kith_rng_unit(&rng));
		for (size_t j = first; j < i; j++)
			if (kith_rng_unit(&rng) < chance)
				join(n, W, i, j, .1 + kith_rng_unit(&rng));
	}
}

static void
random_graphs(unsigned seed)
{
	struct kith_pool pool = {0};
	const bool sparse = seed % 4 == 3;
	const size_t n = sparse ? 210 + kith_rng_below(&rng, 60)
				: 2 + kith_rng_below(&rng, 60);
	const size_t cut = n > 8 && seed % 3 == 0 && !sparse ? n / 3 : 0;
	const size_t d = 1 +
	    kith_rng_below(&rng, n - cut < 7 ? n - cut - 1 : 5);
	double *W = kith_new(&pool, n * n, sizeof(*W));
	const double chance = sparse ? 8. / (double)n : kith_rng_unit(&rng) / 4;
	char name[64];

	if (cut)
		draw(n, 0, cut - 1, chance, W); /* and a node without edges */
	draw(n, cut, n, chance, W);
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
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err), "%s", name);
	for (size_t k = 0; k < 5; k++) {
		const size_t pair = k / 2 + 1;

		good &= fabs(map.part->value[k] -
			    (2 - 2 * cos(turn * (double)pair))) < 1e-14;
	}
	ok(good, "its eigenvalues are 2 - 2 cos(2 pi k / n)");
	ok(map.part->equal == 3 && map.part->first_equal == 0 && map.part->torn,
	    "in pairs, the last of which is torn");
	how.d = 4;
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err) &&
		map.part->equal == 2 && !map.part->torn,
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

/* Where each step of graph/bottom.c is taken. */
static void
ways(void)
{
	enum { N = 400 };
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, (size_t)N * N, sizeof(*W));
	const struct kith_embed_how how = {3, KITH_RANDOM_WALK, false, 1};
	struct kith_undirected g;
	struct kith_embedding map;

	draw(N, 0, N, .1, W);
	g = graph_of(N, W, &pool);
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err) && !map.part->dense &&
		!map.part->factored,
	    "a random graph needs no factor");
	memset(W, 0, sizeof(*W) * N * N);
	for (size_t i = 0; i < N; i++)
		join(N, W, i, (i + 1) % N, 1);
	g = graph_of(N, W, &pool);
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err) &&
		map.part->factored && map.part->missed == 0,
	    "a ring gets one, and its eigenvalues are counted");
	kith_pool_free(&pool);
}

/* Two triangles, their edge 1e-18: e1 is known, though its value is not. */
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
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err) &&
		map.part->angle < 1e-4,
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
		draw(n, 0, n, .2, W);
		for (size_t i = 0; i < n * n; i++)
			V[i] = W[i] * factor[f];
		for (int kind = 0; kind <= KITH_COMBINATORIAL; kind++) {
			const struct kith_embed_how how = {
			    3, (enum kith_laplacian)kind, false, 1};
			const struct kith_undirected a = graph_of(n, W, &pool);
			const struct kith_undirected b = graph_of(n, V, &pool);
			struct kith_embedding x, y;
			const double root = kind == KITH_RANDOM_WALK
			    ? sqrt(factor[f])
			    : 1;
			bool good = !kith_embed(
					&a, NULL, &how, &x, &pool, &err) &&
			    !kith_embed(&b, NULL, &how, &y, &pool, &err);

			for (size_t i = 0; good && i < n * 3; i++)
				good = fabs(y.y[i] * root - x.y[i]) < 1e-11;
			ok(good, "weights times %g, %s", factor[f], word[kind]);
		}
	}
	kith_pool_free(&pool);
}

/* What is not an embedding is found out. */
static void
mistakes(void)
{
	enum { N = 30 };
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, (size_t)N * N, sizeof(*W));
	struct kith_embed_how how = {3, KITH_RANDOM_WALK, false, 1};
	struct kith_embedding map, two;
	struct kith_undirected g;
	char said[KITH_CHECK_EMBED + 1];

	draw(N, 0, N, .2, W);
	g = graph_of(N, W, &pool);
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err), "an embedding");
	two = (struct kith_embedding){.n = N, .d = 2};
	two.y = kith_new(&pool, (size_t)N * 2, sizeof(*two.y));
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < 2; j++)
			two.y[i * 2 + j] = map.y[i * 3 + 2 * j];
	is_text(judge(&g, NULL, how.kind, false, &two, said), "yyyyyn",
	    "without its second coordinate");
	for (size_t i = 0; i < N; i++) {
		two.y[i * 2] = map.y[i * 3 + 1];
		two.y[i * 2 + 1] = map.y[i * 3];
	}
	is_text(judge(&g, NULL, how.kind, false, &two, said), "yyyyny",
	    "in another order");
	for (size_t i = 0; i < N; i++)
		two.y[i * 2 + 1] = two.y[i * 2];
	is_text(judge(&g, NULL, how.kind, false, &two, said), "yyynyy",
	    "one coordinate twice");
	is_text(judge(&g, NULL, KITH_SYMMETRIC, false, &map, said) + 1, "nnny?",
	    "those of another matrix");
	map.y[7] += 1e-9;
	judge(&g, NULL, how.kind, false, &map, said);
	ok(said[1] == 'n', "an entry that is off by 1e-9");
	map.y[7] = NAN;
	judge(&g, NULL, how.kind, false, &map, said);
	ok(said[0] == 'n' && said[1] == 'n', "one that is not there");
	kith_pool_free(&pool);
}

static void
refused(void)
{
	struct kith_pool pool = {0};
	double W[16] = {0};
	struct kith_embed_how how = {1, KITH_RANDOM_WALK, false, 1};
	struct kith_undirected g = graph_of(4, W, &pool);
	struct kith_embedding map;

	ok(kith_embed(&g, NULL, &how, &map, &pool, &err) < 0 &&
		err.status == EX_DATAERR,
	    "no edge");
	is_text(err.msg, "no edge: nothing to embed", "message");
	join(4, W, 1, 3, 2);
	g = graph_of(4, W, &pool);
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err) && isnan(map.y[0]) &&
		isnan(map.y[2]) && isnan(map.part->value[1]),
	    "two nodes");
	is_near(map.y[1], .5, 1e-15, "the first positive");
	is_near(map.y[3], -.5, 1e-15, "the second");
	is_near(map.part->value[0], 2, 1e-15, "their eigenvalue");
	how.d = 2;
	ok(kith_embed(&g, NULL, &how, &map, &pool, &err) < 0 &&
		err.status == EX_DATAERR,
	    "two coordinates are too many");
	is_text(err.msg,
	    "2 coordinates: a component of 2 nodes has 1 (--dims?)", "message");
	kith_pool_free(&pool);
}

/* Rows of weights of any sign that sum to 1, as a table and dense. */
static const char *
draw_rows(size_t n, double *B, struct kith_pool *pool)
{
	char *text = kith_new(pool, n * n * 64 + 64, 1);
	size_t at = (size_t)sprintf(text, "from\tto\tweight\n");

	for (size_t i = 0; i < n; i++) {
		double *b = B + i * n, sum = 0;

		for (size_t j = 0; j < n; j++)
			if (j != i && kith_rng_unit(&rng) < 6. / (double)n)
				sum += b[j] = kith_rng_unit(&rng) - .3;
		b[(i + 1) % n] += 1 - sum; /* by chance not quite 1 */
		for (size_t j = 0; j < n; j++) {
			if (b[j] == 0)
				continue;
			at += (size_t)sprintf(
			    text + at, "%zu\t%zu\t%.17g\n", i + 1, j + 1, b[j]);
			b[j] = -b[j];
		}
		b[i] = 1;
	}
	return text;
}

/* Locally linear embedding: against the dense M = B'B, B = I - W. */
static void
affine(unsigned seed, size_t n)
{
	struct kith_pool pool = {0};
	double *B = kith_new(&pool, n * n, sizeof(*B));
	double *M = kith_new(&pool, n * n, sizeof(*M));
	double *V = kith_new(&pool, n * n, sizeof(*V));
	double *lambda = kith_new(&pool, n, sizeof(*lambda)), worst = 0;
	const char *const files[] = {
	    scratch_text(0, draw_rows(n, B, &pool)), NULL};
	const struct kith_ends nodes = {.n = n, .read = n};
	const struct kith_embed_how how = {2, KITH_AFFINE, false, 1};
	char said[KITH_CHECK_EMBED + 1];
	struct kith_affine a;
	struct kith_embedding map;
	bool got;

	got = !kith_affine_read(files, &nodes, &a, &pool, &err) &&
	    !kith_embed(&a.graph, &a, &how, &map, &pool, &err);
	ok(got, "seed %u: rows of %zu", seed, n);
	if (!got)
		exit(1);
	for (size_t r = 0; r < n; r++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				M[i * n + j] += B[r * n + i] * B[r * n + j];
	ok(kith_eig(n, M, lambda, V), "seed %u: dense", seed);
	for (size_t k = 0; k < 2; k++) {
		double product = 0, length = 0;

		for (size_t i = 0; i < n; i++) {
			product += map.y[i * 2 + k] * V[(k + 1) * n + i];
			length += map.y[i * 2 + k] * map.y[i * 2 + k];
		}
		is_near(length, (double)n, 1e-12, "y'y = n");
		is_near(fabs(product), sqrt((double)n),
		    1e-9 + 1e-13 * lambda[n - 1] / lambda[k + 1], "vector");
		worst = fmax(worst, fabs(map.part->value[k] - lambda[k + 1]));
	}
	ok(worst < 1e-14 * lambda[n - 1], "seed %u: values", seed);
	is_text(judge(&a.graph, &a, KITH_AFFINE, false, &map, said), "yyyyyy",
	    "checked");
	kith_pool_free(&pool);
}

static void
affine_mistakes(void)
{
	struct kith_pool pool = {0};
	const struct kith_ends nodes = {.n = 3, .read = 3};
	const char *files[] = {
	    scratch_text(0, "from\tto\tweight\n1\t2\t1\n2\t3\t.5\n"), NULL};
	char due[128];
	struct kith_affine a;

	ok(kith_affine_read(files, &nodes, &a, &pool, &err) < 0, "a sum of .5");
	snprintf(due, sizeof(due), "%s",
	    "weights from '2' sum to 0.5, not 1 (nnkgraph --method "
	    "lle-signed?)");
	is_text(err.msg, due, "message");
	files[0] = scratch_text(0, "from\tto\tweight\n1\t2\t1\n2\t1\t1\n");
	ok(!kith_affine_read(files, &nodes, &a, &pool, &err) &&
		a.graph.components == 2 && a.graph.W.diagonal[0] == 2 &&
		a.graph.W.diagonal[2] == 0,
	    "a node without edges");
	kith_pool_free(&pool);
}

int
main(void)
{
	const unsigned seeds = getenv("KITH_LONG") ? 500 : 60;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		random_graphs(seed);
		if (seed % 6 == 0)
			affine(seed, seed % 4 ? 220 : 5 + seed);
	}
	known(12);
	known(211);
	ways();
	small_bridge();
	scales();
	mistakes();
	refused();
	affine_mistakes();
	return done();
}
