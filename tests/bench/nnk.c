/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk - what the bench of nnkgraph needs beside the command.
 *
 *	nnk roll N FILE        write one of N points on a rolled surface
 *	nnk qp FILE K N OUT    solve the problems of the first N rows
 *
 * Qp prints CPU microseconds per problem, and writes each, K (K + 1) doubles, for others to
 * solve: the matrix, then the linear term.
 */
#include "nnk/nnk.h"
#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"
#include "solve/nn.h"
#include "table/table.h"
#include "text/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct kith_pool pool;

/* A point on a rolled surface of width 21, off it by .05 or so. */
static void
roll(struct kith_rng *rng, double *x)
{
	const double t = 6 * atan(1) * (1 + 2 * kith_rng_unit(rng));

	x[0] = t * cos(t) + .05 * normal(rng);
	x[1] = 21 * kith_rng_unit(rng) + .05 * normal(rng);
	x[2] = t * sin(t) + .05 * normal(rng);
}

static void
write_table(size_t n, const char *file)
{
	enum { P = 3 };
	double x[P];
	struct kith_rng rng;
	struct kith_out out;
	struct kith_err err;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	check(kith_out_open(&out, file, &err), &err);
	for (size_t j = 0; j < P; j++) {
		kith_out_char(&out, 'c');
		kith_out_size(&out, j + 1);
		kith_out_char(&out, j + 1 < P ? '\t' : '\n');
	}
	for (size_t i = 0; i < n; i++) {
		roll(&rng, x);
		for (size_t j = 0; j < P; j++) {
			char s[KITH_NUM_ROOM];

			/* Seven digits, as tables of measurements have. */
			snprintf(s, sizeof(s), "%.7g", x[j]);
			kith_out_text(&out, s);
			kith_out_char(&out, j + 1 < P ? '\t' : '\n');
		}
	}
	check(kith_out_close(&out, &err) || kith_atomic_settle(&err), &err);
}

static struct kith_mat
read_table(const char *file)
{
	const char *const files[] = {file, NULL};
	const struct kith_how how = {.no_target = true};
	struct kith_table table;
	struct kith_err err;

	check(kith_table_read(files, &how, NULL, &table, &pool, &err), &err);
	return table.X;
}

/* Put the problem of row i together: its matrix, and the linear term. */
static void
pose(const struct kith_mat *X, const struct kith_candidates *local, size_t i,
    const struct kith_kern *kern, double *A, double *b)
{
	struct kith_pool tmp = {0};
	const struct kith_neighbour *nn = local->nn + local->start[i];
	const size_t k = local->start[i + 1] - local->start[i];
	size_t *row = kith_new(&tmp, k, sizeof(*row));
	struct kith_mat S;

	for (size_t c = 0; c < k; c++) {
		row[c] = nn[c].row;
		b[c] = nn[c].d;
	}
	S = kith_mat_rows(X, row, k, &tmp);
	kith_kern_of_dist(kern, k, b, b[0], b);
	kith_kern_gram(kern, S.v, k, kith_qp_nn_stride(k), A);
	kith_pool_free(&tmp);
}

/* Problems in cache, as they are when nnkgraph has just put them together. */
enum { NEAR = 32 };

/* Read them once. */
static void
fetch(const double *all, size_t n)
{
	volatile double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = sum + all[i];
}

static void
qp(const char *file, size_t k, size_t n, const char *to)
{
	const struct kith_mat X = read_table(file);
	const struct kith_metric metric = {KITH_SQUARED, X.p, NULL};
	const struct kith_nnk_rows rows = {&X, &metric, NULL, 0, n, 1};
	const struct kith_nnk_how how = {.k = k, .sigma = {KITH_SIGMA_AUTO, 0}};
	const size_t ld = kith_qp_nn_stride(k), each = k * ld + k;
	double *all = kith_new(&pool, n, each * sizeof(*all));
	double *t = kith_new(&pool, k, sizeof(*t));
	double *g = kith_new(&pool, k, sizeof(*g)), start, seconds = 0;
	struct kith_qp_nn *solver = kith_qp_nn_new(k, &pool);
	struct kith_kern kern = {.kind = KITH_KERN_GAUSSIAN, .metric = &metric};
	struct kith_candidates local;
	struct kith_err err;
	FILE *f = fopen(to, "wb");

	check(f ? 0 : -1, &(struct kith_err){.msg = "cannot write"});
	check(kith_candidates_find(&rows, &how, &local, &pool, &err), &err);
	kern.sigma = local.sigma;
	for (size_t i = 0; i < n; i++) {
		double *A = all + i * each, *b = A + k * ld;

		pose(&X, &local, i, &kern, A, b);
		for (size_t c = 0; c < k; c++)
			fwrite(A + c * ld, sizeof(*A), k, f);
		fwrite(b, sizeof(*b), k, f);
	}
	check(fclose(f) ? -1 : 0, &(struct kith_err){.msg = "cannot write"});
	for (size_t i = 0; i < n; i += NEAR) {
		const size_t end = i + NEAR < n ? i + NEAR : n;

		fetch(all + i * each, (end - i) * each);
		start = cpu_seconds();
		for (size_t j = i; j < end; j++)
			kith_qp_nn(solver, k, all + j * each, all + j * each + k * ld, t, g);
		seconds += cpu_seconds() - start;
	}
	printf("%.2f\n", seconds / (double)n * 1e6);
}

int
main(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "";
	size_t a, b;

	if (argc == 4 && strcmp(word, "roll") == 0 && !kith_parse_size(argv[2], &a))
		write_table(a, argv[3]);
	else if (argc == 6 && strcmp(word, "qp") == 0 && !kith_parse_size(argv[3], &a) &&
	    !kith_parse_size(argv[4], &b))
		qp(argv[2], a, b, argv[5]);
	else
		return 2;
	kith_pool_free(&pool);
	return 0;
}
