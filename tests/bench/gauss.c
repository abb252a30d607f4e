/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gauss N P TABLE RAW - write N rows of P Gaussian features, the same at every
 * run: as a table with a class of two in the last column, and the features
 * alone as doubles, row by row.
 */
#include "base/rng.h"
#include "cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void
row(struct kith_rng *r, size_t p, FILE *table, FILE *raw)
{
	for (size_t j = 0; j < p; j++) {
		char cell[32];
		double x;

		snprintf(cell, sizeof(cell), "%.6g", normal(r));
		x = strtod(cell, NULL);
		fprintf(table, "%s\t", cell);
		fwrite(&x, sizeof(x), 1, raw);
	}
	fprintf(table, "%c\n", kith_rng_below(r, 2) ? 'a' : 'b');
}

int
main(int argc, char **argv)
{
	const size_t n = argc == 5 ? strtoul(argv[1], NULL, 10) : 0;
	const size_t p = argc == 5 ? strtoul(argv[2], NULL, 10) : 0;
	FILE *table = n && p ? fopen(argv[3], "w") : NULL;
	FILE *raw = table ? fopen(argv[4], "wb") : NULL;
	struct kith_rng r;

	if (!raw) {
		fprintf(stderr, "usage: gauss N P TABLE RAW\n");
		return 2;
	}
	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (size_t j = 1; j <= p; j++)
		fprintf(table, "x%zu\t", j);
	fprintf(table, "y\n");
	for (size_t i = 0; i < n; i++)
		row(&r, p, table, raw);
	return fclose(table) != 0 || fclose(raw) != 0;
}
