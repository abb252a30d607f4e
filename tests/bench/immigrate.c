/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate - an iteration of the solver on normal numbers, two classes.
 *
 *	immigrate N P SIGMA [ITERATIONS [THREADS]]
 *	immigrate vector N P SIGMA [ITERATIONS [THREADS]]
 *
 * Prints the CPU seconds of one iteration, from the identity: the seconds of
 * ITERATIONS (3), the evaluation of the start included, divided by these; then
 * the least of three such runs.  The classes differ in a tenth of the columns.
 */
#include "immigrate/immigrate.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "la/mat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3 };

static struct kith_pool pool;

static double
run(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *how, bool vector)
{
	const size_t p = rows->X->p;
	double *W = kith_new(&pool, vector ? 1 : p, p * sizeof(*W));
	struct kith_immigrate_result result;
	const double start = cpu_seconds();

	for (size_t j = 0; j < p; j++)
		W[vector ? j : j * p + j] = vector ? 1 / (double)p : 1 / sqrt((double)p);
	kith_immigrate_solve(rows, how, !vector, W, &result, NULL);
	return (cpu_seconds() - start) / (double)result.iterations;
}

int
main(int argc, char *argv[])
{
	const bool vector = argc > 1 && strcmp(argv[1], "vector") == 0;
	struct kith_immigrate_how how = {
	    .solver = KITH_IMMIGRATE_PAPER, .max_iter = 3, .threads = 1};
	struct kith_immigrate_rows rows = {.c = 2};
	struct kith_rng rng;
	struct kith_mat X;
	double least = INFINITY;
	size_t n, p, *y;

	argv += vector;
	argc -= vector;
	if (argc < 4 || argc > 6 || kith_parse_size(argv[1], &n) || kith_parse_size(argv[2], &p))
		return 2;
	how.sigma = strtod(argv[3], NULL);
	if ((argc > 4 && kith_parse_size(argv[4], &how.max_iter)) ||
	    (argc > 5 && kith_parse_size(argv[5], &how.threads)))
		return 2;
	X = kith_mat_new(&pool, n, p);
	y = kith_new(&pool, n, sizeof(*y));
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < n; i++) {
		y[i] = i % 2;
		for (size_t j = 0; j < p; j++)
			kith_row(&X, i)[j] = normal(&rng) + (j % 10 == 0 ? (double)y[i] : 0);
	}
	rows.X = &X;
	rows.y = y;
	for (size_t i = 0; i < RUNS; i++)
		least = fmin(least, run(&rows, &how, vector));
	printf("%.4f\n", least);
	kith_pool_free(&pool);
	return 0;
}
