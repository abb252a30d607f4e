/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/krows.h, krows_sum.h, add_rows.h and few.h: rows computed at
 * once, parts, sums of rows, and lengths around those of vectors and blocks.
 */
#include "wsvm/krows.h"

#include "base/rng.h"
#include "near/dist.h"
#include "tap.h"
#include "wsvm/add_rows.h"
#include "wsvm/data.h"
#include "wsvm/few.h"
#include "wsvm/krows_sum.h"

enum { MOST = 40, LONG = 2600 };

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
	kern = (struct kith_kern){
	    .kind = KITH_KERN_GAUSSIAN, .metric = &metric, .gamma = 1.5};
}

static double
entry(size_t i, size_t j)
{
	double K;

	kith_kern_rows(&kern, kith_row(&X, i), kith_row(&X, j), 1, &K);
	return K;
}

/* Bit for bit. */
static size_t
differ_bits(const void *x, const void *y, size_t n)
{
	return memcmp(x, y, n * sizeof(double)) != 0;
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

/* All rows at once, where there is room; none is computed again. */
static void
test_fill(size_t n, size_t threads)
{
	const size_t row = (n + 7) / 8 * 8 * sizeof(double);
	struct kith_krows *rows;
	size_t wrong = 0;

	draw(n, 3);
	rows = kith_krows_new(&kern, &X, row * n - 1, 1, &pool);
	is_size(kith_krows_count(rows), n, "rows");
	is_size(
	    kith_krows_room(rows), n < 9 ? n : n - 1, "room for all but one");
	ok(kith_krows_fill(rows, threads) == (n < 9), "are not enough");
	is_size(kith_krows_computed(rows), n < 9 ? n : 0, "and none is made");
	rows = kith_krows_new(&kern, &X, row * n, 1, &pool);
	is_size(kith_krows_room(rows), n, "room for all");
	for (size_t i = 1; i < n; i += 3)
		wrong += differ(kith_krows_get(rows, i), i);
	is_size(kith_krows_computed(rows), (n + 1) / 3, "some are got");
	ok(kith_krows_fill(rows, threads), "the others are made");
	is_size(kith_krows_computed(rows), n, "each is there");
	ok(kith_krows_fill(rows, threads), "once and for all");
	kith_krows_reserve(rows, row * n);
	is_size(kith_krows_room(rows), n, "and stays");
	for (size_t i = n; i-- > 0;)
		wrong += differ(kith_krows_get(rows, i), i);
	is_size(kith_krows_computed(rows), n, "none is made again");
	is_size(wrong, 0, "entries of the kernel");
	kith_pool_free(&pool);
}

/* The newest rows are held, whatever was used before. */
static void
test_order(void)
{
	const size_t n = 30, held = 10;
	struct kith_krows *rows;
	size_t last[30] = {0}, now = 0, computed = 0, wrong = 0;

	draw(n, 5);
	rows = kith_krows_new(&kern, &X, held * 32 * sizeof(double), 1, &pool);
	for (size_t step = 0; step < 500; step++) {
		const size_t i = (size_t)(kith_rng_unit(&rng) *
		    kith_rng_unit(&rng) * (double)n);
		size_t newer = 0;

		for (size_t j = 0; j < n; j++)
			newer += last[j] > last[i];
		computed += last[i] == 0 || newer >= held;
		last[i] = ++now;
		wrong += differ(kith_krows_get(rows, i), i);
		wrong += kith_krows_computed(rows) != computed;
		wrong += kith_krows_entry(rows, i, step % n) !=
			entry(i, step % n) ||
		    kith_krows_entry(rows, step % n, step % 7) !=
			entry(step % n, step % 7);
	}
	is_size(wrong, 0, "the row used longest ago goes");
	ok(computed > 60 && computed < 400, "%zu of 500 are made", computed);
	kith_pool_free(&pool);
}

/* What an entry asks of is not made. */
static void
test_entry(void)
{
	struct kith_krows *rows;

	draw(12, 2);
	rows = kith_krows_new(&kern, &X, (size_t)1 << 16, 1, &pool);
	ok(kith_krows_entry(rows, 3, 5) == entry(3, 5) &&
		kith_krows_computed(rows) == 0,
	    "an entry needs no row");
	kith_krows_get(rows, 5);
	X.v[6] += 1; /* of row 3: what is held is not asked anew */
	ok(kith_krows_entry(rows, 3, 5) == kith_krows_get(rows, 5)[3] &&
		kith_krows_entry(rows, 5, 3) == kith_krows_get(rows, 5)[3],
	    "nor is it computed where one is held");
	kith_krows_replace(rows, 3);
	is_size(kith_krows_computed(rows), 2, "a row replaced is computed");
	ok(kith_krows_get(rows, 5)[3] == entry(5, 3), "in the others, too");
	is_size(kith_krows_computed(rows), 2, "these are held");
	ok(differ(kith_krows_get(rows, 3), 3) == 0 &&
		kith_krows_computed(rows) == 3,
	    "it was not held itself");
	kith_pool_free(&pool);
}

/* Differences of rows of another kernel, or rows of it. */
static void
test_part(bool pairs)
{
	enum { N = 17, LD = 19 };
	size_t plus[N], minus[N], wrong = 0;
	double cell[N * LD];
	struct kith_krows *all, *part;

	draw(11, 2);
	for (size_t c = 0; c < N; c++) {
		plus[c] = (5 * c) % 11;
		minus[c] = (3 * c + 1) % 11;
	}
	all = kith_krows_new(&kern, &X, (size_t)1 << 16, 1, &pool);
	part = kith_krows_part(
	    all, plus, pairs ? minus : NULL, N, cell, LD, &pool);
	is_size(kith_krows_count(part), N, "rows of a part");
	for (size_t step = 0; step < 2 * (size_t)N; step++) {
		const size_t c = (7 * step + 3) % N;
		const double *K = kith_krows_get(part, c);

		wrong += K != cell + (step % N) * (size_t)LD;
		for (size_t d = 0; d < N; d++) {
			double due = entry(plus[c], plus[d]);

			if (pairs)
				due += entry(minus[c], minus[d]) -
				    entry(plus[c], minus[d]) -
				    entry(minus[c], plus[d]);
			wrong += !(fabs(K[d] - due) <= 1e-15);
		}
	}
	is_size(wrong, 0, "taken in the order of their use");
	for (size_t c = 0; c < N; c++) {
		const double due = pairs ? 2 - 2 * entry(plus[c], minus[c]) : 1;
		const double is = kith_krows_length(
		    all, plus, pairs ? minus : NULL, c);

		wrong += !(fabs(is - due) <= 1e-15) || is < 0;
	}
	is_size(wrong, 0, "lengths");
	kith_pool_free(&pool);
}

/* Rows longer than a block, by threads: products, sums and rows. */
static void
test_long(size_t threads)
{
	static double a[LONG], b[LONG], u[LONG], w[LONG], x[LONG], y[LONG];
	const size_t row[] = {2, LONG - 1, 1023, 1024, 7, 2048, 5};
	struct kith_krows *rows;
	double off = 0;
	size_t wrong = 0;

	draw(LONG, 101); /* n p is large enough for threads */
	rows = kith_krows_new(
	    &kern, &X, (size_t)12 * LONG * sizeof(double), threads, &pool);
	kern.gamma = .1;
	for (size_t i = 0; i < LONG; i++)
		a[i] = b[i] = x[i] = y[i] = u[i] = w[i] = 0;
	for (size_t k = 0; k < 7; k++) {
		const size_t i = row[k];

		a[i] = k == 3 ? 0 : kith_rng_unit(&rng);
		b[i] = k == 4 ? 0 : kith_rng_unit(&rng);
		if (k % 2)
			wrong += differ(kith_krows_get(rows, i), i);
		for (size_t j = 0; j < LONG; j++) {
			x[j] += a[i] * entry(i, j);
			y[j] += b[i] * entry(i, j);
		}
	}
	is_size(wrong, 0, "long rows");
	u[9] = w[9] = 99; /* what was there does not count */
	kith_krows_product(rows, a, b, u, w);
	for (size_t j = 0; j < LONG; j++)
		off = fmax(off, fabs(u[j] - x[j]) + fabs(w[j] - y[j]));
	ok(off <= 1e-14, "products of blocks: %.1e", off);
	is_size(kith_krows_computed(rows), 3, "whose rows are not kept");
	kith_pool_free(&pool);
}

/* Some rows times numbers, in fours and alone: added to what there is. */
static void
test_sum(void)
{
	const size_t n = 21;
	struct kith_krows *rows;
	size_t wrong = 0;

	draw(n, 2);
	rows = kith_krows_new(&kern, &X, (size_t)1 << 16, 1, &pool);
	for (size_t m = 0; m <= 13; m++) {
		size_t row[13];
		double a[13], u[21], due[21];

		for (size_t i = 0; i < n; i++)
			u[i] = due[i] = (double)i;
		for (size_t c = 0; c < m; c++) {
			row[c] = (5 * c + m) % n;
			a[c] = kith_rng_unit(&rng) - .5;
			for (size_t i = 0; i < n; i++)
				due[i] += a[c] * entry(row[c], i);
		}
		kith_krows_sum(rows, row, a, m, u);
		wrong += differ_bits(u, due, n);
	}
	is_size(wrong, 0, "sums of rows: as one after the other");
	kith_pool_free(&pool);
}

/* Numbers around a vector's, at odd places, and no others. */
static void
test_add(void)
{
	double x[4][MOST], u[MOST], v[MOST], due[2][MOST];
	const double a[] = {.5, -1.25, 3, .125};
	const double *const four[] = {x[0] + 1, x[1] + 3, x[2], x[3] + 2};
	size_t wrong = 0;

	for (size_t i = 0; i < 4 * (size_t)MOST; i++)
		x[i / MOST][i % MOST] = kith_rng_unit(&rng);
	for (size_t n = 0; n < 30; n++)
		for (int both = 0; both < 3; both++) {
			for (size_t i = 0; i < MOST; i++)
				u[i] = v[i] = due[0][i] = due[1][i] = 1.5;
			for (size_t i = 0; i < n; i++) {
				due[0][i] += a[1] * four[0][i];
				due[1][i] += both == 1 ? a[2] * four[0][i] : 0;
				for (size_t q = 0; q < 4 && both == 2; q++)
					due[0][i] = (q ? due[0][i] : 1.5) +
					    a[q] * four[q][i];
			}
			if (both == 2)
				kith_wsvm_add_four(n, four, a, u);
			else
				kith_wsvm_add_row(
				    n, four[0], a[1], a[2], u, both ? v : NULL);
			wrong += differ_bits(u, due[0], MOST);
			wrong += differ_bits(v, due[1], MOST);
		}
	is_size(wrong, 0, "multiples of rows are added, of any length");
}

/* The bits of near/dist.h, from any row on. */
static void
test_few(void)
{
	double room[4][MOST], d[MOST], due[MOST];
	double *column[4] = {room[0], room[1], room[2], room[3]};
	size_t wrong = 0;

	for (size_t p = 1; p <= 6; p++) {
		draw(MOST, p);
		ok(kith_wsvm_is_few(&kern, &X) == (p <= 4), "%zu features", p);
		for (size_t i = 0; i < MOST && p <= 4; i++)
			for (size_t j = 0; j < 4; j++)
				room[j][i] = j < p ? kith_row(&X, i)[j] : 0;
		for (size_t n = 0; n + 3 < MOST && p <= 4; n++) {
			const size_t from = n % 4, i = n % 7;
			double z[4] = {0};

			memcpy(z, kith_row(&X, i), p * sizeof(*z));
			d[n] = -1;
			kith_wsvm_few_distances(column, z, from, n, d);
			kith_dist_rows(&metric, kith_row(&X, i),
			    kith_row(&X, from), n, due);
			wrong += differ_bits(d, due, n);
			wrong += d[n] != -1;
		}
	}
	is_size(wrong, 0, "distances of few features: the same bits");
	draw(3, 2);
	kern.kind = KITH_KERN_LINEAR;
	ok(!kith_wsvm_is_few(&kern, &X), "another kernel has none");
	kern.kind = KITH_KERN_GAUSSIAN;
	metric.w = X.v;
	ok(!kith_wsvm_is_few(&kern, &X), "nor do weights");
	metric = (struct kith_metric){KITH_ABSOLUTE, 2, NULL};
	ok(!kith_wsvm_is_few(&kern, &X), "or absolute ones");
	X.p = 0;
	metric.kind = KITH_SQUARED;
	ok(!kith_wsvm_is_few(&kern, &X), "or no feature");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, 0);
	test_fill(5, 1);
	test_fill(8, 1);
	test_fill(37, 1);
	test_fill(40, 3);
	test_order();
	test_entry();
	test_part(false);
	test_part(true);
	test_long(1);
	test_long(3);
	test_sum();
	test_add();
	test_few();
	return done();
}
