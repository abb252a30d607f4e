/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * io - tables of numbers with 17 digits, for the bench of reading and writing.
 *
 *	io write MB FILE    write about so many megabytes
 *	io read FILE        read them into memory
 *	io table FILE [J]   read them as a command does, of any format ("-":
 *	                    standard input), on so many threads; printed, too,
 *	                    are the CPU seconds of the caller's thread, and the
 *	                    seconds that it took
 *	io npy N P FILE     write them as .npy, and as TSV to FILE.tsv
 *	io exact FILE       count the cells that strtod() reads otherwise
 *
 * The first two print CPU seconds and megabytes per such second.
 */
#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "table/table.h"
#include "text/out.h"
#include "text/rec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

static const size_t P = 50, ROWS = 5000;

static void
report(const char *file, double seconds)
{
	struct stat st;

	if (stat(file, &st) == 0)
		printf(
		    "%.3f %.0f\n", seconds, (double)st.st_size / 1e6 / seconds);
}

/* Doubles in (-1, 1) whose shortest text has 17 digits. */
static void
draw(double *x, size_t n)
{
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < n; i++) {
		char s[32];

		do {
			x[i] = 2 * kith_rng_unit(&rng) - 1;
			snprintf(s, sizeof(s), "%.16g", x[i]);
		} while (strtod(s, NULL) == x[i]);
	}
}

static void
write_table(size_t megabytes, const char *file)
{
	struct kith_pool pool = {0};
	double *x = kith_new(&pool, ROWS * P, sizeof(*x)), start;
	const size_t rows = megabytes * 1000000 / (P * 20);
	struct kith_out out;
	struct kith_err err;

	draw(x, ROWS * P);
	start = cpu_seconds();
	check(kith_out_open(&out, file, &err), &err);
	for (size_t j = 0; j < P; j++) {
		kith_out_char(&out, 'c');
		kith_out_size(&out, j + 1);
		kith_out_char(&out, j + 1 < P ? '\t' : '\n');
	}
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < P; j++) {
			kith_out_real(&out, x[i % ROWS * P + j]);
			kith_out_char(&out, j + 1 < P ? '\t' : '\n');
		}
	check(kith_out_close_alone(&out, NULL, &err), &err);
	report(file, cpu_seconds() - start);
	kith_pool_free(&pool);
}

static void
read_table(const char *file)
{
	const double start = cpu_seconds();
	struct kith_pool pool = {0};
	size_t n = 0, room = 0;
	double *x = NULL;
	struct kith_rec r;
	struct kith_err err;
	int got;

	check(kith_rec_open(&r, file, 0, KITH_FORM_auto, &err), &err);
	check(kith_rec_next(&r, &err), &err);
	while ((got = kith_rec_next(&r, &err)) > 0) {
		if (n + r.n > room) {
			room = 2 * room + r.n;
			x = kith_grow(&pool, x, room, sizeof(*x));
		}
		for (size_t j = 0; j < r.n; j++)
			if (kith_parse_real(kith_rec_cell(&r, j)->s,
				kith_rec_cell(&r, j)->len,
				&x[n++]) != KITH_NUM_OK)
				abort();
	}
	check(got, &err);
	kith_rec_close(&r);
	report(file, cpu_seconds() - start);
	kith_pool_free(&pool);
}

static double
seconds_of(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
read_as_table(const char *file, size_t threads)
{
	const double start = cpu_seconds();
	const double own = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	const double began = seconds_of(CLOCK_MONOTONIC);
	const char *const files[] = {file, NULL};
	const struct kith_how how = {.no_target = true,
	    .task = KITH_ASIDE,
	    .format = {.threads = threads}};
	struct kith_pool pool = {0};
	struct kith_table table;
	struct kith_err err;

	check(kith_table_read(files, &how, NULL, &table, &pool, &err), &err);
	printf("%.3f %.3f %.3f\n", cpu_seconds() - start,
	    seconds_of(CLOCK_THREAD_CPUTIME_ID) - own,
	    seconds_of(CLOCK_MONOTONIC) - began);
	kith_pool_free(&pool);
}

/* The same n rows of p numbers in both formats. */
static void
write_both(size_t n, size_t p, const char *file)
{
	struct kith_pool pool = {0};
	double *x = kith_new(&pool, n * p, sizeof(*x));
	const size_t room = strlen(file) + 5;
	char head[128], *tsv = kith_new(&pool, room, 1);
	FILE *npy = fopen(file, "wb");
	struct kith_out out;
	struct kith_err err;

	draw(x, n * p);
	snprintf(head, sizeof(head),
	    "{'descr': '<f8', 'fortran_order': False, 'shape': (%10zu, %10zu)}"
	    "%*s\n",
	    n, p, 32, "");
	if (!npy ||
	    fprintf(npy, "\x93NUMPY%c%c%c%c%s", 1, 0, (int)strlen(head), 0,
		head) < 0 ||
	    fwrite(x, sizeof(*x), n * p, npy) != n * p || fclose(npy) != 0)
		abort();
	snprintf(tsv, room, "%s.tsv", file);
	check(kith_out_open(&out, tsv, &err), &err);
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j < p; j++) {
			if (i == 0) {
				kith_out_char(&out, 'V');
				kith_out_size(&out, j + 1);
			} else
				kith_out_real(&out, x[(i - 1) * p + j]);
			kith_out_char(&out, j + 1 < p ? '\t' : '\n');
		}
	check(kith_out_close_alone(&out, NULL, &err), &err);
	kith_pool_free(&pool);
}

static void
count_wrong(const char *file)
{
	size_t wrong = 0;
	struct kith_rec r;
	struct kith_err err;
	int got;

	check(kith_rec_open(&r, file, 0, KITH_FORM_auto, &err), &err);
	check(kith_rec_next(&r, &err), &err);
	while ((got = kith_rec_next(&r, &err)) > 0)
		for (size_t j = 0; j < r.n; j++) {
			const double due = strtod(
			    kith_rec_cell(&r, j)->s, NULL);
			double x = 0;

			kith_parse_real(kith_rec_cell(&r, j)->s,
			    kith_rec_cell(&r, j)->len, &x);
			wrong += x != due || signbit(x) != signbit(due);
		}
	check(got, &err);
	kith_rec_close(&r);
	printf("%zu\n", wrong);
}

int
main(int argc, char *argv[])
{
	size_t megabytes, n, p, threads = 1;

	if (argc == 4 && strcmp(argv[1], "write") == 0 &&
	    kith_parse_size(argv[2], &megabytes) == 0)
		write_table(megabytes, argv[3]);
	else if (argc == 3 && strcmp(argv[1], "read") == 0)
		read_table(argv[2]);
	else if ((argc == 3 ||
		     (argc == 4 && kith_parse_size(argv[3], &threads) == 0)) &&
	    strcmp(argv[1], "table") == 0)
		read_as_table(argv[2], threads);
	else if (argc == 5 && strcmp(argv[1], "npy") == 0 &&
	    kith_parse_size(argv[2], &n) == 0 &&
	    kith_parse_size(argv[3], &p) == 0)
		write_both(n, p, argv[4]);
	else if (argc == 3 && strcmp(argv[1], "exact") == 0)
		count_wrong(argv[2]);
	else
		return 2;
	return 0;
}
