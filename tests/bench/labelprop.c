/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * labelprop - what the bench of labelprop needs beside the command.
 *
 *	labelprop letters N FILE               write N rows like those of letter
 *	labelprop cholmod TABLE GRAPH SHARE    solve as CHOLMOD alone does
 *
 * Letters are 16 whole numbers of 0..15 in 26 classes, each on a surface of
 * four dimensions, so that rows are often equal or nearly so.  Cholmod poses
 * the harmonic equations of the command with the same labels, and prints CPU
 * seconds of one thread for ordering, factor and all right sides, without
 * reading.
 */
#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "graph/graph.h"
#include "graph/known.h"
#include "graph/labels.h"
#include "graph/prop.h"
#include "solve/inside.h"
#include "solve/sparse.h"
#include "table/edges.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 16, CLASSES = 26, LATENT = 4 };

static struct kith_pool pool;

/* A normal number, by Box and Muller. */
static double
normal(struct kith_rng *rng)
{
	const double r = sqrt(-2 * log(1 - kith_rng_unit(rng)));

	return r * cos(8 * atan(1) * kith_rng_unit(rng));
}

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

static void
cholmod(const char *table, const char *graph, double share)
{
	const char *const edges[] = {graph, NULL};
	const struct kith_how how = {0};
	struct kith_table rows;
	struct kith_ends nodes;
	struct kith_undirected g;
	struct kith_known known;
	struct kith_prop p;
	struct kith_sparse S;
	struct kith_sparse_factor *factor;
	struct kith_err err;
	size_t *node;
	double *R, *b, start;

	check(kith_labels_read(table, &how, &rows, &pool, &err), &err);
	check(kith_ends_of(&rows, &nodes, &pool, &err), &err);
	kith_known_choose(&rows, share, 1, &known, &pool);
	check(kith_undirected_read(edges, &nodes, &g, &pool, &err), &err);
	kith_prop_pose(&g, &known.labels, KITH_PROP_HARMONIC, .5, &p, &pool);
	R = kith_new(&pool, g.W.n * p.ld, sizeof(*R));
	kith_prop_rest(&p, p.X, R, 1);
	kith_mmat_inside(&p.A, &S, &pool, &node, &pool);
	b = kith_new(&pool, S.n * p.labels->c, sizeof(*b));
	for (size_t k = 0; k < p.labels->c; k++)
		for (size_t j = 0; j < S.n; j++)
			b[k * S.n + j] = R[node[j] * p.ld + k];
	start = cpu_seconds();
	factor = kith_sparse_order(&S);
	kith_sparse_take(factor, &S);
	check(kith_sparse_cholesky(factor), &(struct kith_err){.msg = "not positive definite"});
	kith_sparse_solve(factor, p.labels->c, b, b);
	printf("%.3f\n", cpu_seconds() - start);
	kith_sparse_free(factor);
}

int
main(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "";
	size_t n;
	double share;

	if (argc == 4 && strcmp(word, "letters") == 0 && !kith_parse_size(argv[2], &n))
		letters(n, argv[3]);
	else if (argc == 5 && strcmp(word, "cholmod") == 0 &&
	    kith_parse_real(argv[4], strlen(argv[4]), &share) == KITH_NUM_OK)
		cholmod(argv[2], argv[3], share);
	else
		return 2;
	kith_pool_free(&pool);
	return 0;
}
