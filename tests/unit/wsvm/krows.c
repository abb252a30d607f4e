/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/krows.h: rows, entries and products are those of the kernel, and the row that
 * was used longest ago makes room.
 */
#include "wsvm/krows.h"
#include "wsvm/kernels.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"

enum { LONG = 2600 };

static struct kith_rng rng;
static struct kith_mat X;
static struct kith_metric metric;
static struct kith_kern kern;

static void
draw(size_t n, size_t p)
{
	X = kith_mat_new(&pool, n, p);
	for (size_t i = 0; i < n * p; i++)
		X.v[i] = kith_rng_unit(&rng);
	metric = (struct kith_metric){KITH_SQUARED, p, NULL};
	kern = (struct kith_kern){.kind = KITH_KERN_GAUSSIAN, .metric = &metric, .gamma = 1.5};
}

static double
entry(size_t i, size_t j)
{
	double K;

	kith_kern_rows(&kern, kith_row(&X, i), kith_row(&X, j), 1, &K);
	return K;
}

/* Entries of a row that differ. */
static size_t
differ(const double *K, size_t i)
{
	size_t n = 0;

	for (size_t j = 0; j < X.n; j++)
		n += K[j] != entry(i, j);
	return n;
}

/* All rows at once, where the cache has room; none is computed again. */
static void
test_fill(size_t n, size_t threads)
{
	struct kith_krows *rows;
	size_t wrong = 0;

	draw(n, 3);
	rows = kith_krows_new(&kern, &X, n * n * sizeof(double) - 1, 1, &pool);
	ok(kith_krows_fill(rows, threads) == (n <= KITH_KROWS_LEAST), "%zu rows: a byte is missing",
	    n);
	is_size(kith_krows_computed(rows), n <= KITH_KROWS_LEAST ? n : 0, "then none is computed");
	rows = kith_krows_new(&kern, &X, n * n * sizeof(double), 1, &pool);
	for (size_t i = 1; i < n; i += 3)
		wrong += differ(kith_krows_get(rows, i), i);
	is_size(kith_krows_computed(rows), (n + 1) / 3, "some are computed");
	ok(kith_krows_fill(rows, threads) && kith_krows_computed(rows) == n, "and now all");
	ok(kith_krows_fill(rows, threads), "once and for all");
	for (size_t i = n; i-- > 0;)
		wrong += differ(kith_krows_get(rows, i), i);
	is_size(kith_krows_computed(rows), n, "none is computed again");
	is_size(wrong, 0, "entries of the kernel");
	kith_pool_free(&pool);
}

/* The rows that were got last are held. */
static void
test_order(void)
{
	enum { N = 30, HELD = 10 };
	struct kith_krows *rows;
	size_t last[N] = {0}, now = 0, computed = 0, wrong = 0;

	draw(N, 5);
	rows = kith_krows_new(&kern, &X, HELD * N * sizeof(double), 1, &pool);
	for (size_t step = 0; step < 500; step++) {
		const size_t i = (size_t)(kith_rng_unit(&rng) * kith_rng_unit(&rng) * N);
		size_t newer = 0;

		for (size_t j = 0; j < N; j++)
			newer += last[j] > last[i];
		computed += last[i] == 0 || newer >= HELD;
		last[i] = ++now;
		wrong += differ(kith_krows_get(rows, i), i);
		wrong += kith_krows_computed(rows) != computed;
		wrong += kith_krows_entry(rows, i, step % N) != entry(i, step % N) ||
		    kith_krows_entry(rows, step % N, step % 7) != entry(step % N, step % 7);
	}
	is_size(wrong, 0, "the row used longest ago goes");
	ok(computed > 60 && computed < 400, "%zu of 500 are computed", computed);
	kith_pool_free(&pool);
}

/* However few bytes there are, LEAST rows stay where they are. */
static void
test_least(void)
{
	const double *row[KITH_KROWS_LEAST];
	struct kith_krows *rows;
	size_t wrong = 0;

	draw(20, 2);
	rows = kith_krows_new(&kern, &X, 1, 1, &pool);
	for (size_t i = 0; i < 12; i++)
		kith_krows_get(rows, i);
	for (size_t i = 0; i < KITH_KROWS_LEAST; i++)
		row[i] = kith_krows_get(rows, 12 + i);
	for (size_t i = 0; i < KITH_KROWS_LEAST; i++)
		wrong += differ(row[i], 12 + i) + (kith_krows_get(rows, 12 + i) != row[i]);
	is_size(wrong, 0, "the last rows are valid");
	is_size(kith_krows_computed(rows), 20, "and are not computed again");
	kith_pool_free(&pool);
}

static void
test_entry(void)
{
	struct kith_krows *rows;

	draw(12, 2);
	rows = kith_krows_new(&kern, &X, (size_t)1 << 16, 1, &pool);
	ok(kith_krows_entry(rows, 3, 5) == entry(3, 5) && kith_krows_computed(rows) == 0,
	    "an entry needs no row");
	kith_krows_get(rows, 5);
	X.v[6] += 1; /* of row 3 */
	kith_krows_replace(rows, 3);
	ok(kith_krows_get(rows, 5)[3] == entry(5, 3) && kith_krows_entry(rows, 3, 5) == entry(5, 3),
	    "an item that has changed: its entry in the others is new");
	ok(differ(kith_krows_get(rows, 3), 3) == 0, "and its own row");
	X.v[6] += 1;
	kith_krows_replace(rows, 3);
	ok(differ(kith_krows_get(rows, 3), 3) == 0, "also where it was held");
	kith_pool_free(&pool);
}

/* Rows longer than a block, some of them held: by threads the same bytes. */
static void
test_product(void)
{
	static double a[LONG], b[LONG], u[LONG], v[LONG], w[LONG], due[LONG], due_v[LONG];
	const size_t row[] = {2, LONG - 1, 1023, 1024, 7, 2048, 5, 0, 300, 1500, 11, 9};
	struct kith_krows *one, *two;
	size_t wrong = 0;
	double off = 0;

	draw(LONG, 101);
	for (size_t i = 0; i < LONG * X.p; i++)
		X.v[i] -= .5;
	kern.kind = KITH_KERN_LINEAR; /* numbers of both signs */
	one = kith_krows_new(&kern, &X, (size_t)12 * LONG * sizeof(double), 1, &pool);
	two = kith_krows_new(&kern, &X, 0, 2, &pool); /* KITH_KROWS_LEAST rows */
	for (size_t k = 0; k < 12; k++) {
		const size_t i = row[k];

		a[i] = k == 3 ? 0 : kith_rng_unit(&rng) - .5;
		b[i] = kith_rng_unit(&rng);
		if (k % 2)
			wrong += differ(kith_krows_get(one, i), i) +
			    differ(kith_krows_get(two, i), i);
		for (size_t j = 0; j < LONG; j++)
			due[j] += a[i] * entry(i, j);
		for (size_t j = 0; j < LONG; j++)
			due_v[j] += b[i] * fabs(entry(i, j));
	}
	is_size(wrong, 0, "long rows");
	u[9] = v[9] = 99; /* what was there does not count */
	kith_krows_product(one, a, NULL, u, NULL);
	kith_krows_product(two, a, b, w, v);
	for (size_t j = 0; j < LONG; j++)
		off = fmax(off, fmax(fabs(u[j] - due[j]), fabs(v[j] - due_v[j])));
	ok(off <= 1e-13, "products: %.1e", off);
	ok(memcmp(u, w, sizeof(u)) == 0, "the same bytes by two threads, with sizes");
	is_size(kith_krows_computed(one), 12, "whose rows are kept");
	is_size(kith_krows_computed(two), KITH_KROWS_LEAST, "while slots are free");
	kith_pool_free(&pool);
}

/* Multiples of rows, at odd places, of any length: no other numbers change. */
static void
test_add(void)
{
	enum { MOST = 40 };
	double v[MOST], x[MOST], y[MOST], due_v[MOST], due_x[MOST];
	size_t wrong = 0;

	for (size_t i = 0; i < MOST; i++)
		y[i] = kith_rng_unit(&rng);
	for (size_t n = 0; n < 35; n++)
		for (int two = 0; two < 2; two++) {
			for (size_t i = 0; i < MOST; i++) {
				const bool in = i > 0 && i <= n;

				v[i] = x[i] = due_v[i] = due_x[i] = 1.5;
				due_v[i] += in ? 3 * y[i] : 0;
				due_x[i] += in && two ? -1.25 * y[i] : 0;
			}
			kith_wsvm_kernels_at_level()->add(
			    n, y + 1, 3, -1.25, false, v + 1, two ? x + 1 : NULL);
			wrong += memcmp(v, due_v, sizeof(v)) != 0 ||
			    memcmp(x, due_x, sizeof(x)) != 0;
		}
	is_size(wrong, 0, "multiples of rows are added");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t n = 1; n < 20; n += 6)
		test_fill(n, 1 + n % 2);
	test_order();
	test_least();
	test_entry();
	test_product();
	test_add();
	return done();
}
