/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape N P CLASSES - print a table of N rows of P features, the same at every
 * run: Gaussian numbers, in classes of equal chance whose means differ by 2 in
 * one feature each, with the class in the last column.  CLASSES 0: that is the
 * sum of the features, a number.
 */
#include "base/rng.h"
#include "cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void
row(struct kith_rng *r, size_t p, size_t classes)
{
	const size_t own = classes ? kith_rng_below(r, classes) : p;
	double sum = 0;

	for (size_t j = 0; j < p; j++) {
		const double x = normal(r) + (own < p && j == own % p ? 2 : 0);

		printf("%.6g\t", x);
		sum += x;
	}
	if (classes)
		printf("c%zu\n", own);
	else
		printf("%.6g\n", sum);
}

int
main(int argc, char **argv)
{
	const size_t n = argc == 4 ? strtoul(argv[1], NULL, 10) : 0;
	const size_t p = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	struct kith_rng r;

	if (n == 0 || p == 0) {
		fprintf(stderr, "usage: shape N P CLASSES\n");
		return 2;
	}
	kith_rng_seed(&r, 1, KITH_RNG_SAMPLE, 0);
	for (size_t j = 1; j <= p; j++)
		printf("x%zu\t", j);
	printf("y\n");
	for (size_t i = 0; i < n; i++)
		row(&r, p, strtoul(argv[3], NULL, 10));
	return fflush(stdout) || ferror(stdout);
}
