/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw N P THETA - solve for N normal rows of P features in two classes whose
 * means differ in some, and print CPU microseconds per iteration, the start
 * left out, and the iterations.
 */
#include "sqpfw/sqpfw.h"

#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "la/mat.h"

#include <math.h>
#include <string.h>

static struct kith_pool pool;

/* A normal number, by Box and Muller. */
static double
normal(struct kith_rng *rng)
{
	const double r = sqrt(-2 * log(1 - kith_rng_unit(rng)));

	return r * cos(8 * atan(1) * kith_rng_unit(rng));
}

int
main(int argc, char *argv[])
{
	struct kith_sqpfw_how how = {.hits = 1, .misses = 1, .threads = 1};
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct kith_rng rng;
	struct kith_mat X;
	size_t n, p, *y;
	double theta, start;

	if (argc != 4 || kith_parse_size(argv[1], &n) || kith_parse_size(argv[2], &p) ||
	    kith_parse_real(argv[3], strlen(argv[3]), &theta) != KITH_NUM_OK || n < 4 || p < 1)
		return 2;
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	X = kith_mat_new(&pool, n, p);
	y = kith_new(&pool, n, sizeof(*y));
	for (size_t i = 0; i < n; i++) {
		y[i] = i % 2;
		for (size_t f = 0; f < p; f++)
			kith_row(&X, i)[f] = normal(&rng) + (f % 3 ? 0 : (double)y[i]);
	}
	s = kith_sqpfw_new(&X, y, 2, &how, &pool);
	start = cpu_seconds();
	if (!kith_sqpfw_solve(s, theta))
		return 1;
	kith_sqpfw_at(s, &now);
	printf(
	    "%.2f %zu\n", (cpu_seconds() - start) / (double)now.iterations * 1e6, now.iterations);
	kith_pool_free(&pool);
	return 0;
}
