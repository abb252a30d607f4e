/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * labelprop - what the bench of labelprop needs beside the command.
 *
 *	labelprop letters N FILE         write N rows like those of letter
 *	labelprop cholmod GRAPH LABELS   solve as CHOLMOD alone does
 *
 * Letters are 16 whole numbers of 0..15 in 26 classes, each on a surface of four dimensions, so that
 * rows are often equal or nearly so.  Cholmod reads the class of each node, a number from 0 or -1, from
 * LABELS, sets up the harmonic equations of the command, and prints the CPU seconds of one thread for
 * ordering, factor and all right sides, without reading.
 */
#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "graph/graph.h"
#include "solve/sparse.h"
#include "table/edges.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 16, CLASSES = 26, LATENT = 4 };

static struct kith_pool pool;

static void
letters(size_t n, const char *file)
{
	static double A[CLASSES][FEATURES][LATENT + 1];
	struct kith_rng rng;
	FILE *f = fopen(file, "w");

	check(f ? 0 : -1, &(struct kith_err){.msg = "cannot write"});
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t c = 0; c < CLASSES; c++)
		for (size_t j = 0; j < FEATURES; j++)
			for (size_t l = 0; l <= LATENT; l++)
				A[c][j][l] = l < LATENT ? 1.1 * normal(&rng)
							: 6 + 3 * kith_rng_unit(&rng);
	for (size_t j = 0; j < FEATURES; j++)
		fprintf(f, "x%zu\t", j + 1);
	fprintf(f, "class\n");
	for (size_t i = 0; i < n; i++) {
		const size_t c = kith_rng_below(&rng, CLASSES);
		double z[LATENT];

		for (size_t l = 0; l < LATENT; l++)
			z[l] = normal(&rng);
		for (size_t j = 0; j < FEATURES; j++) {
			double x = A[c][j][LATENT] + .2 * normal(&rng);

			for (size_t l = 0; l < LATENT; l++)
				x += A[c][j][l] * z[l];
			fprintf(f, "%d\t", (int)fmin(fmax(rint(x), 0), 15));
		}
		fprintf(f, "%c\n", (char)('A' + c));
	}
	check(fclose(f) ? -1 : 0, &(struct kith_err){.msg = "cannot write"});
}

/*
 * A X = B for the nodes that a label reaches and that have none, a column of B (by rows) for each
 * class.
 */
static void
set_up(
    const struct kith_undirected *g, const int *label, size_t c, struct kith_sparse *A, double *b)
{
	const struct kith_sparse *W = &g->W;
	uint32_t *row = kith_new(&pool, W->n, sizeof(*row));
	bool *reached = kith_new(&pool, g->components, sizeof(*reached));

	*A = (struct kith_sparse){0, kith_new(&pool, W->n + 1, sizeof(*A->start)),
	    kith_new(&pool, W->start[W->n], sizeof(*A->column)),
	    kith_new(&pool, W->start[W->n], sizeof(*A->x)),
	    kith_new(&pool, W->n, sizeof(*A->diagonal))};
	for (size_t i = 0; i < W->n; i++)
		reached[g->component[i]] |= label[i] >= 0;
	for (size_t i = 0; i < W->n; i++) {
		row[i] = (uint32_t)A->n;
		A->n += label[i] < 0 && reached[g->component[i]];
	}
	for (size_t i = 0, end = 0; i < W->n; i++) {
		if (label[i] >= 0 || !reached[g->component[i]])
			continue;
		for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
			const size_t j = W->column[e];

			if (label[j] >= 0) {
				b[row[i] * c + (size_t)label[j]] += W->x[e];
			} else {
				A->column[end] = row[j];
				A->x[end++] = -W->x[e];
			}
		}
		A->diagonal[row[i]] = g->d[i];
		A->start[row[i] + 1] = end;
	}
}

static void
cholmod(const char *graph, const char *labels)
{
	const char *const edges[] = {graph, NULL};
	struct kith_node_names nodes = {0};
	struct kith_undirected g;
	struct kith_sparse A;
	struct kith_sparse_factor *factor;
	struct kith_err err;
	int *label = NULL, c = 0;
	char line[32];
	FILE *f = fopen(labels, "r");
	size_t room = 0;
	double *b, start;

	check(f ? 0 : -1, &(struct kith_err){.msg = "cannot read labels"});
	while (fgets(line, sizeof(line), f)) {
		const int one = (int)strtol(line, NULL, 10);

		label = kith_more(&pool, label, nodes.n, &room, sizeof(*label));
		label[nodes.n++] = one;
		c = one >= c ? one + 1 : c;
	}
	fclose(f);
	check(label ? 0 : -1, &(struct kith_err){.msg = "no labels"});
	check(kith_undirected_read(edges, &nodes, &g, &pool, &err), &err);
	b = kith_new(&pool, nodes.n * (size_t)c, sizeof(*b));
	set_up(&g, label, (size_t)c, &A, b);
	start = cpu_seconds();
	factor = kith_sparse_order(&A);
	check(kith_sparse_cholesky(factor, &A, 0),
	    &(struct kith_err){.msg = "not positive definite"});
	kith_sparse_solve(factor, (size_t)c, b, b);
	printf("%.3f\n", cpu_seconds() - start);
	kith_sparse_free(factor);
}

int
main(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "";
	size_t n;

	if (argc == 4 && strcmp(word, "letters") == 0 && !kith_parse_size(argv[2], &n))
		letters(n, argv[3]);
	else if (argc == 4 && strcmp(word, "cholmod") == 0)
		cholmod(argv[2], argv[3]);
	else
		return 2;
	kith_pool_free(&pool);
	return 0;
}
