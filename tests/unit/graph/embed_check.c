/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_check_embed(): what each check says of coordinates that are off by a known amount,
 * and of embeddings of other graphs.
 */
#include "base/err.h"
#include "graph/dense.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define N ((size_t)20)
#define D ((size_t)3)

enum { PLACED, RESIDUAL, LENGTHS, ANGLES, ORDER, MISSED };

static struct kith_pool pool;
static struct kith_rng rng;
static struct kith_err err;
static struct kith_undirected g;
static struct kith_embedding map;
static enum kith_laplacian kind;
static struct kith_check check[KITH_CHECK_EMBED];
static double y[N * D];

/* Nodes 0..11 and 12..14 are joined, 15 and 16, and the others apart. */
static void
embed(bool all)
{
	const struct kith_embed_how how = {D, kind, all, 1};
	double W[N * N] = {0};

	draw(&rng, N, 0, 12, .2, W);
	join(N, W, 12, 13, 1);
	join(N, W, 13, 14, 2);
	join(N, W, 15, 16, 1);
	g = graph_of(N, W, &pool);
	if (kith_embed(&g, &how, &map, &pool, &err))
		ok(false, "failed: %s", err.msg);
	memcpy(y, map.y, sizeof(y));
}

static double
value(size_t of, bool all, size_t d)
{
	judge(&g, kind, all, d, y, check);
	return check[of].value;
}

/* The bound of the matrix is 2 in what is said. */
static double
unit(void)
{
	double most = 0;

	for (size_t i = 0; i < N; i++)
		most = fmax(most, g.d[i]);
	return kind == KITH_COMBINATORIAL ? most : 1;
}

/* Coordinates a and b of the largest component become cos a + sin b, and so on. */
static void
turn(size_t a, size_t b, double t)
{
	for (size_t i = 0; i < 12; i++) {
		const double u = map.y[i * D + a], v = map.y[i * D + b];

		y[i * D + a] = cos(t) * u + sin(t) * v;
		y[i * D + b] = cos(t) * v - sin(t) * u;
	}
}

static void
restore(void)
{
	memcpy(y, map.y, sizeof(y));
}

static void
test_values(void)
{
	const double *lambda = map.part->value;
	const double t = .001;

	ok(value(PLACED, false, D) == 0 && check[RESIDUAL].value <= 1e-13 &&
		check[LENGTHS].value <= 1e-13 && check[ANGLES].value <= 1e-13 &&
		check[ORDER].value == 0 && check[MISSED].value == 0 && check[MISSED].limit == 0,
	    "kind %d: nothing is wrong", (int)kind);
	for (size_t i = 0; i < 12; i++)
		y[i * D + 1] *= 1 + t;
	is_near(value(LENGTHS, false, D), 2 * t + t * t, 1e-13, "a length");
	ok(check[RESIDUAL].value <= 1e-13 && check[ANGLES].value <= 1e-13, "no other check minds");
	restore();
	turn(1, 2, t);
	is_near(value(RESIDUAL, false, D), sin(t) * cos(t) * (lambda[2] - lambda[1]) / unit(),
	    1e-13, "vectors that are turned");
	ok(check[ANGLES].value <= 1e-13 && check[LENGTHS].value <= 1e-13 &&
		isnan(check[MISSED].limit),
	    "among each other");
	restore();
	for (size_t i = 0; i < 12; i++)
		y[i * D + 2] = cos(t) * map.y[i * D + 2] + sin(t) * map.y[i * D];
	is_near(value(ANGLES, false, D), sin(t), 1e-13, "one alone");
	restore();
	turn(0, 1, 2 * atan(1));
	is_near(value(ORDER, false, D), (lambda[1] - lambda[0]) / unit(), 1e-13,
	    "two in another order");
	restore();
	for (size_t i = 0; i < 12; i++)
		y[i * D + 1] = map.y[i * D + 2];
	is_near(value(ANGLES, false, D), 1, 1e-13, "one twice");
	restore();
}

/* What is said of residuals, gaps, and how far a vector may be turned. */
static void
test_said(void)
{
	const struct kith_embedded *e = map.part;
	double worst = 0, gap = INFINITY, least;
	size_t at = 0;

	for (size_t i = 0; i < e->d; i++) {
		worst = fmax(worst, e->residual[i] / unit());
		if (e->value[i + 1] - e->value[i] < gap) {
			gap = e->value[i + 1] - e->value[i];
			at = i;
		}
	}
	is_near(worst / e->worst, 1, 1e-14, "the worst residual");
	least = 8 * DBL_EPSILON * 2 * unit() / gap;
	ok(e->angle >= least * (1 - 1e-14) && e->angle < 2 * least && e->turned == at,
	    "rounding over the least gap: %g of %g", e->angle, least);
	ok(e->equal == 0 && !e->splits_equal && e->dense && !e->factored && e->products == 0 &&
		e->missed == 0 && e->n == 12 && e->component == 0 && map.parts == 1,
	    "nothing else");
}

/* A constant beside a coordinate is the vector of eigenvalue 0. */
static void
test_null(void)
{
	const double c = 1e-3;
	double sum = 0, square = 0;

	if (kind == KITH_SYMMETRIC)
		return;
	for (size_t i = 0; i < 12; i++) {
		const double w = kind == KITH_RANDOM_WALK ? g.d[i] : 1;

		y[i * D] += c;
		sum += w;
		square += w * y[i * D] * y[i * D];
	}
	is_near(value(ANGLES, false, D), c * sqrt(sum) / sqrt(square), 1e-13, "a constant");
	restore();
}

static void
test_missed(void)
{
	double few[N * 2];

	for (size_t i = 0; i < N; i++) {
		few[i * 2] = map.y[i * D];
		few[i * 2 + 1] = map.y[i * D + 2];
	}
	memcpy(y, few, sizeof(few));
	ok(value(MISSED, false, 2) == 1 && check[MISSED].limit == 0, "one is missed");
	for (size_t i = 0; i < N; i++)
		y[i] = map.y[i * D + 2];
	ok(value(MISSED, false, 1) == 2, "two are");
	for (size_t i = 0; i < N; i++)
		y[i] = map.y[i * D];
	ok(value(MISSED, false, 1) == 0, "none");
	restore();
}

static void
test_placed(void)
{
	y[3 * D] = NAN;
	y[3 * D + 1] = NAN;
	y[5 * D + 2] = NAN;
	ok(value(PLACED, false, D) == 2 && isnan(check[RESIDUAL].value),
	    "two nodes lack coordinates");
	restore();
	y[13 * D] = 0;
	y[19 * D + 2] = 0;
	ok(value(PLACED, false, D) == 2 && check[RESIDUAL].value <= 1e-13,
	    "two of small components have some");
	restore();
	ok(value(PLACED, true, D) == 5, "those of all are due");
}

/* All components: the small ones have as many coordinates as there are. */
static void
test_all(void)
{
	embed(true);
	ok(map.parts == 3 && map.part[1].d == 2 && map.part[2].d == 1 && isnan(y[13 * D + 2]) &&
		!isnan(y[13 * D + 1]) && isnan(y[15 * D + 1]) && isnan(y[17 * D]),
	    "all components");
	ok(value(PLACED, true, D) == 0 && check[RESIDUAL].value <= 1e-13 &&
		check[MISSED].value == 0,
	    "nothing is wrong");
	y[14 * D + 2] = 1;
	ok(value(PLACED, true, D) == 1, "a cell too many");
	restore();
	y[15 * D] *= 1.01;
	y[16 * D] *= 1.01;
	is_near(value(LENGTHS, true, D), .0201, 1e-13, "a length of the last");
	restore();
	ok(value(PLACED, false, D) == 5, "only the largest is due");
}

static void
mistakes(void)
{
	enum { M = 30 };
	double *W = kith_new(&pool, (size_t)M * M, sizeof(*W));
	struct kith_embed_how how = {3, KITH_RANDOM_WALK, false, 1};
	struct kith_embedding m;
	double *two;
	struct kith_undirected G;
	char said[KITH_CHECK_EMBED + 1];

	draw(&rng, M, 0, M, .2, W);
	G = graph_of(M, W, &pool);
	ok(!kith_embed(&G, &how, &m, &pool, &err), "an embedding");
	two = kith_new(&pool, (size_t)M * 2, sizeof(*two));
	for (size_t i = 0; i < M; i++)
		for (size_t j = 0; j < 2; j++)
			two[i * 2 + j] = m.y[i * 3 + 2 * j];
	is_text(
	    verdict(&G, how.kind, false, 2, two, said), "yyyyyn", "without its second coordinate");
	for (size_t i = 0; i < M; i++) {
		two[i * 2] = m.y[i * 3 + 1];
		two[i * 2 + 1] = m.y[i * 3];
	}
	is_text(verdict(&G, how.kind, false, 2, two, said), "yyyyny", "in another order");
	for (size_t i = 0; i < M; i++)
		two[i * 2 + 1] = two[i * 2];
	is_text(verdict(&G, how.kind, false, 2, two, said), "yyynyy", "one coordinate twice");
	is_text(verdict(&G, KITH_SYMMETRIC, false, 3, m.y, said) + 1, "nnny?",
	    "those of another matrix");
	m.y[7] += 1e-9;
	verdict(&G, how.kind, false, m.d, m.y, said);
	ok(said[1] == 'n', "an entry that is off by 1e-9");
	m.y[7] = NAN;
	verdict(&G, how.kind, false, m.d, m.y, said);
	ok(said[0] == 'n' && said[1] == 'n', "one that is not there");
}

/*
 * Groups that next to nothing joins: values that are 0 but for rounding cannot be
 * counted, and whether some were missed is not known.
 */
static void
joined(double weight, const char *due)
{
	enum { M = 30, EACH = 5 };
	double *W = kith_new(&pool, (size_t)M * M, sizeof(*W));
	struct kith_embed_how how = {2, KITH_SYMMETRIC, false, 1};
	struct kith_embedding m;
	struct kith_undirected G;
	char said[KITH_CHECK_EMBED + 1];

	for (size_t i = 0; i < M; i++)
		for (size_t j = 0; j < M; j++)
			W[i * M + j] = i == j          ? 0
			    : i / EACH == j / EACH     ? 1 + (double)(i + j) / M
			    : i == j + 1 || j == i + 1 ? weight
						       : 0;
	G = graph_of(M, W, &pool);
	ok(!kith_embed(&G, &how, &m, &pool, &err), "an embedding");
	verdict(&G, how.kind, false, m.d, m.y, said);
	ok(strcmp(said, due) == 0, "groups joined by %g: %s", weight, said);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	mistakes();
	joined(.01, "yyyyyy");
	joined(1e-18, "yyyyy?");
	for (int of = 0; of <= KITH_COMBINATORIAL; of++) {
		kind = (enum kith_laplacian)of;
		embed(false);
		test_said();
		test_values();
		test_null();
		test_missed();
		test_placed();
		test_all();
	}
	kith_pool_free(&pool);
	return done();
}
