/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of kith_affine_read(), and of locally linear embedding, against dense matrices. */
#include "graph/graph.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "dump.h"
#include "graph/dense.h"
#include "graph/embed.h"
#include "la/lapack.h"
#include "scratch.h"
#include "table/edges.h"
#include "tap.h"
#include "wrong.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_rng rng;
static struct kith_err err;

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
			at += (size_t)sprintf(text + at, "%zu\t%zu\t%.17g\n", i + 1, j + 1, b[j]);
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
	const char *const files[] = {scratch_text(0, draw_rows(n, B, &pool)), NULL};
	const struct kith_node_names nodes = {.n = n};
	const struct kith_embed_how how = {2, KITH_AFFINE, false, 1};
	char said[KITH_CHECK_EMBED + 1];
	struct kith_undirected a;
	struct kith_embedding map;
	bool got;

	got = !kith_affine_read(files, &nodes, &a, &pool, &err) &&
	    !kith_embed(&a, &how, &map, &pool, &err);
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
	is_text(verdict(&a, KITH_AFFINE, false, map.d, map.y, said), "yyyyyy", "checked");
	kith_pool_free(&pool);
}

static void
reads(const char *edges, const char *due)
{
	struct kith_pool pool = {0};
	const struct kith_node_names four = {.n = 4};
	const char *files[] = {NULL, NULL};
	struct kith_undirected a;
	struct dump d = {.len = 0};
	char text[200];

	snprintf(text, sizeof(text), "from\tto\tweight\n%s", edges);
	files[0] = scratch_text(0, text);
	if (kith_affine_read(files, &four, &a, &pool, &err))
		add(&d, "%s", wrong(&err));
	else
		add(&d, "%zu edges, %zu components, M_00 %g, b_01 %g", a.edges, a.components,
		    a.W.diagonal[0], a.B.x[1]);
	is_text(d.text, due, due);
	kith_pool_free(&pool);
}

/* Rows are divided by their sums, which are 1 up to 1e-9; sums and squares may be no doubles. */
static void
test_reading(void)
{
	reads("1\t2\t1.0000000009\n2\t1\t.9999999991\n", "2 edges, 3 components, M_00 2, b_01 -1");
	reads("1\t2\t1\n2\t3\t.5\n",
	    "0: weights from '2' sum to 0.5, not 1 (nnkgraph --method lle-signed?)");
	reads("1\t2\t1\n2\t1\t1.0000000011\n",
	    "0: weights from '2' sum to 1.0000000011, not 1 (nnkgraph --method lle-signed?)");
	reads("1\t2\t1e308\n1\t3\t1e308\n",
	    "0: weights from '1' sum to inf, not 1 (nnkgraph --method lle-signed?)");
	reads("1\t2\t1e200\n1\t3\t-1e200\n2\t3\t1\n",
	    "0: weights from '1' sum to 0, not 1 (nnkgraph --method lle-signed?)");
	reads("1\t2\t1e160\n1\t3\t-1e160\n1\t4\t1\n2\t3\t1\n3\t4\t1\n4\t2\t1\n",
	    "0: weights too large for their squares");
}

int
main(void)
{
	const unsigned seeds = getenv("KITH_LONG") ? 300 : 10;

	for (unsigned seed = 1; seed <= seeds; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		affine(seed, seed % 3 ? 5 + seed % 60 : 220);
	}
	test_reading();
	return done();
}
