/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unit - CPU seconds of one thread for the product of two 2048 x 2048 matrices, the least of
 * three: what goals are stated in that have no peer.
 */
#include "cpu.h"

#include <cblas.h>
#include <math.h>

enum { N = 2048, RUNS = 3 };

static double a[N * N], b[N * N], c[N * N];

int
main(void)
{
	double least = INFINITY;

	for (size_t i = 0; i < sizeof(a) / sizeof(*a); i++) {
		a[i] = (double)(i % 1009) / 1009;
		b[i] = (double)(i % 2003) / 2003;
	}
	for (int run = 0; run < RUNS; run++) {
		const double start = cpu_seconds();

		cblas_dgemm(
		    CblasRowMajor, CblasNoTrans, CblasNoTrans, N, N, N, 1, a, N, b, N, 0, c, N);
		least = fmin(least, cpu_seconds() - start);
	}
	printf("%.3f\n", least);
	return 0;
}
