/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/nnk/means_start.h, by plain loops. */
#include "nnk/means_start.h"

#include "nnk/data.h"

#include <string.h>

static struct kith_mat
random_rows(size_t n, size_t p, double least)
{
	struct kith_mat X = kith_mat_new(&pool, n, p);

	for (size_t e = 0; e < n * p; e++)
		X.v[e] = least + kith_rng_unit(&rng);
	return X;
}

/* The first atoms: each row as likely as its distance from those there are. */
static void
plain_start(const struct kith_mat *X, size_t K, size_t seed, size_t *row)
{
	double *d = kith_new(&pool, X->n, sizeof(*d));
	struct kith_rng start;

	kith_rng_seed(&start, seed, KITH_RNG_START, 0);
	row[0] = kith_rng_below(&start, X->n);
	for (size_t j = 1; j < K; j++) {
		double total = 0, sum = 0, at;
		size_t i = 0;

		for (i = 0; i < X->n; i++) {
			double s = 0;

			for (size_t f = 0; f < X->p; f++)
				s += pow(kith_row(X, i)[f] - kith_row(X, row[j - 1])[f], 2);
			d[i] = j == 1 ? s : fmin(d[i], s);
			total += d[i];
		}
		at = kith_rng_unit(&start) * total;
		for (i = 0; i < X->n; i++) {
			sum += d[i];
			if (sum > at)
				break;
		}
		row[j] = i;
	}
}

static void
test_start(void)
{
	static const size_t size[] = {3, 512, 513, 1100};
	size_t row[9], due[9], bad = 0;

	for (size_t seed = 0; seed < 40; seed++) {
		const struct kith_mat X = random_rows(size[seed % 4], 2, 0);
		const size_t K = X.n < 9 ? X.n : 9;

		kith_means_start(&X, K, seed, 1 + seed % 3, row);
		plain_start(&X, K, seed, due);
		bad += memcmp(row, due, K * sizeof(*row)) != 0;
	}
	is_size(bad, 0, "starts that are not drawn by distances");
}

/* Where rows are all the same the first that are left are taken. */
static void
test_same_start(void)
{
	double v[4] = {7, 7, 7, 7};
	const struct kith_mat X = {4, 1, v};
	size_t row[4], bad = 0;

	for (size_t seed = 0; seed < 8; seed++) {
		size_t next = 0;

		kith_means_start(&X, 4, seed, 1, row);
		for (size_t j = 1; j < 4; j++) {
			next += next == row[0];
			bad += row[j] != next++;
		}
	}
	is_size(bad, 0, "atoms of equal rows that are not the first");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_start();
	test_same_start();
	kith_pool_free(&pool);
	return done();
}
