/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/graph/embed_check.h: what is not an embedding is found out. */
#include "graph/embed_check.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/dense.h"
#include "graph/embed.h"
#include "tap.h"

#include <math.h>
#include <string.h>

static struct kith_rng rng;
static struct kith_err err;

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

	draw(&rng, N, 0, N, .2, W);
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
	is_text(judge(&g, NULL, how.kind, false, &two, said), "yyyyny", "in another order");
	for (size_t i = 0; i < N; i++)
		two.y[i * 2 + 1] = two.y[i * 2];
	is_text(judge(&g, NULL, how.kind, false, &two, said), "yyynyy", "one coordinate twice");
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

/*
 * Groups that next to nothing joins: values that are 0 but for rounding cannot be
 * counted, and whether some were missed is not known.
 */
static void
joined(double weight, const char *due)
{
	enum { N = 30, EACH = 5 };
	struct kith_pool pool = {0};
	double *W = kith_new(&pool, (size_t)N * N, sizeof(*W));
	struct kith_embed_how how = {2, KITH_SYMMETRIC, false, 1};
	struct kith_embedding map;
	struct kith_undirected g;
	char said[KITH_CHECK_EMBED + 1];

	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			W[i * N + j] = i == j          ? 0
			    : i / EACH == j / EACH     ? 1 + (double)(i + j) / N
			    : i == j + 1 || j == i + 1 ? weight
						       : 0;
	g = graph_of(N, W, &pool);
	ok(!kith_embed(&g, NULL, &how, &map, &pool, &err), "an embedding");
	judge(&g, NULL, how.kind, false, &map, said);
	ok(strcmp(said, due) == 0, "groups joined by %g: %s", weight, said);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	mistakes();
	joined(.01, "yyyyyy");
	joined(1e-18, "yyyyy?");
	return done();
}
