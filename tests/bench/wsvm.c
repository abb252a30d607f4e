/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm - what the bench of wsvmpath needs beside the command.
 *
 *	wsvm path N GAMMA          follow one path on N artificial rows
 *	wsvm count N RUNS          mean numbers of events and |M| of so many
 *	wsvm rows N FILE           write such rows: class x1 x2 from to
 *	wsvm read FILE GAMMA       follow that of such a file, any features
 *
 * The rows are those of eq. (27), scaled to the unit square: weights C of half
 * of them go from 0 to 10, those of the others stay 10.  GAMMA is the paper's,
 * twice ours; that of read is ours.  path and read print CPU seconds of one
 * thread, events, mean |M|, kernel rows, and the largest violation of eq. (6).
 */
#include "wsvm/wsvm.h"
#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "table/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;

/* The rows, and what goes with them. */
struct rows {
	struct kith_mat X;
	size_t *plus;
	double *sign, *q, *from, *to;
};

static void
scale_column(struct kith_mat *X, size_t j)
{
	double lo = INFINITY, hi = -INFINITY;

	for (size_t i = 0; i < X->n; i++) {
		lo = fmin(lo, kith_row(X, i)[j]);
		hi = fmax(hi, kith_row(X, i)[j]);
	}
	for (size_t i = 0; i < X->n; i++)
		kith_row(X, i)[j] = (kith_row(X, i)[j] - lo) / (hi - lo);
}

static struct rows
rows_new(size_t n, size_t p)
{
	const struct rows rows = {kith_mat_new(&pool, n, p), kith_new(&pool, n, sizeof(size_t)),
	    kith_new(&pool, n, sizeof(double)), kith_new(&pool, n, sizeof(double)),
	    kith_new(&pool, n, sizeof(double)), kith_new(&pool, n, sizeof(double))};

	for (size_t i = 0; i < n; i++) {
		rows.plus[i] = i;
		rows.q[i] = -1;
	}
	return rows;
}

/* Four clouds of equal size; the second and the fourth keep their weight. */
static struct rows
draw(size_t n, size_t seed)
{
	static const double mean[4][2] = {{1, 0}, {0, 0}, {0, 1}, {1, 1}};
	static const double var[4][2] = {{1, .5}, {.5, .5}, {1, .5}, {.5, .5}};
	struct rows rows = rows_new(n, 2);
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, seed);
	for (size_t i = 0; i < n; i++) {
		const size_t cloud = i * 4 / n;

		for (size_t j = 0; j < 2; j++)
			kith_row(&rows.X, i)[j] = mean[cloud][j] +
			    sqrt(var[cloud][j]) * normal(&rng);
		rows.sign[i] = cloud < 2 ? 1 : -1;
		rows.from[i] = cloud % 2 ? 10 : 0;
		rows.to[i] = 10;
	}
	scale_column(&rows.X, 0);
	scale_column(&rows.X, 1);
	return rows;
}

/* Follow the path, as a command does that looks at each piece. */
static struct kith_wsvm_count
follow(const struct rows *rows, double gamma)
{
	const struct kith_metric metric = {KITH_SQUARED, rows->X.p, NULL};
	const struct kith_kern kern = {
	    .kind = KITH_KERN_GAUSSIAN, .metric = &metric, .gamma = gamma};
	const struct kith_wsvm_problem problem = {.X = &rows->X,
	    .kern = &kern,
	    .variables = rows->X.n,
	    .plus = rows->plus,
	    .sign = rows->sign,
	    .q = rows->q,
	    .bias = true,
	    .ridge = 1e-6,
	    .cache = (size_t)512 << 20,
	    .threads = 1};
	struct kith_wsvm *s = kith_wsvm_new(&problem, rows->from, &pool);
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;

	kith_wsvm_aim(s, rows->to);
	while (kith_wsvm_next(s, &piece, NULL, NULL))
		;
	kith_wsvm_count(s, &count);
	return count;
}

/* The class is 1 or -1, and the weights are the last two columns. */
static struct rows
read_rows(const char *file)
{
	const struct kith_how how = {.target = "class", .task = KITH_REGRESS};
	struct kith_table table;
	struct kith_err err;
	struct rows rows;

	check(kith_table_read((const char *[]){file, NULL}, &how, NULL, &table, &pool, &err), &err);
	rows = rows_new(table.X.n, table.X.p - 2);
	for (size_t i = 0; i < table.X.n; i++) {
		const double *x = kith_row(&table.X, i);

		memcpy(kith_row(&rows.X, i), x, rows.X.p * sizeof(*x));
		rows.sign[i] = table.t[i];
		rows.from[i] = x[rows.X.p];
		rows.to[i] = x[rows.X.p + 1];
	}
	return rows;
}

static void
path(const struct rows *rows, double gamma)
{
	const double start = cpu_seconds();
	const struct kith_wsvm_count count = follow(rows, gamma);

	printf("%.4f %zu %.2f %zu %.1e\n", cpu_seconds() - start, count.events,
	    (double)count.margin / (double)count.events, count.rows, count.residual);
}

static void
mean(size_t n, size_t runs)
{
	double events = 0, margin = 0;

	for (size_t run = 0; run < runs; run++) {
		const struct rows rows = draw(n, run);
		const struct kith_wsvm_count count = follow(&rows, .5);

		events += (double)count.events / (double)runs;
		margin += (double)count.margin / (double)count.events / (double)runs;
		kith_pool_free(&pool);
	}
	printf("%.1f %.2f\n", events, margin);
}

static void
write_rows(size_t n, const char *file)
{
	const struct rows rows = draw(n, 1);
	FILE *f = fopen(file, "w");

	check(f ? 0 : -1, &(struct kith_err){.msg = "cannot write"});
	fprintf(f, "class\tx1\tx2\tfrom\tto\n");
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%g\t%.17g\t%.17g\t%g\t%g\n", rows.sign[i], kith_row(&rows.X, i)[0],
		    kith_row(&rows.X, i)[1], rows.from[i], rows.to[i]);
	check(fclose(f) ? -1 : 0, &(struct kith_err){.msg = "cannot write"});
}

int
main(int argc, char *argv[])
{
	const char *word = argc > 1 ? argv[1] : "";
	struct rows rows;
	size_t n = 0, runs;

	if (argc != 4 || (strcmp(word, "read") != 0 && kith_parse_size(argv[2], &n)))
		return 2;
	if (strcmp(word, "path") == 0) {
		rows = draw(n, 1);
		path(&rows, strtod(argv[3], NULL) / 2);
	} else if (strcmp(word, "read") == 0) {
		rows = read_rows(argv[2]);
		path(&rows, strtod(argv[3], NULL));
	} else if (strcmp(word, "count") == 0 && !kith_parse_size(argv[3], &runs)) {
		mean(n, runs);
	} else if (strcmp(word, "rows") == 0) {
		write_rows(n, argv[3]);
	} else {
		return 2;
	}
	kith_pool_free(&pool);
	return 0;
}
