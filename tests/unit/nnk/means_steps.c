/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of the steps of lib/nnk/means.h: codes, what they leave, and atoms
 * anew, each by plain loops.
 */
#include "nnk/data.h"
#include "nnk/means.h"
#include "nnk/means_update.h"
#include "nnk/random_rows.h"
#include "table/graph.h"

#include <string.h>

/* y + a x for all lengths around those of vectors. */
static void
test_add(void)
{
	size_t bad = 0;

	for (size_t p = 0; p < 26; p++) {
		double a[28], y[28];

		for (size_t j = 0; j < 28; j++) {
			a[j] = (double)j;
			y[j] = 100 * (double)j;
		}
		kith_codes_add(p, 3, a, y);
		for (size_t j = 0; j < 28; j++)
			bad += y[j] != (j < p ? 103 : 100) * (double)j;
	}
	is_size(bad, 0, "numbers that are not y + a x");
}

/* Codes of n rows in 5 atoms, with weights of which some are 0. */
static struct kith_codes
random_codes(size_t n)
{
	struct kith_codes code = kith_codes_new(n, 3, &pool);

	for (size_t i = 0; i < n; i++) {
		const size_t first = kith_rng_below(&rng, 5);

		code.count[i] = kith_rng_below(&rng, 4);
		for (size_t s = 0; s < code.count[i]; s++) {
			code.atom[3 * i + s] = (first + s) % 5;
			if (kith_rng_below(&rng, 3) > 0)
				code.w[3 * i + s] = .1 + kith_rng_unit(&rng);
		}
	}
	return code;
}

/* |phi(x_i) - sum w phi(a)|^2, the kernel's constant among the features. */
static double
left_of(const struct kith_means_rows *rows, const struct kith_codes *code, size_t i)
{
	const bool cosine = rows->kernel == KITH_KERN_COSINE;
	double sum = 0;

	for (size_t f = cosine ? 0 : 1; f <= rows->A.p; f++) {
		double left = f == 0 ? 1 : kith_row(rows->X, i)[f - 1];

		for (size_t s = 3 * i; s < 3 * i + code->count[i]; s++)
			left -= code->w[s] *
			    (f == 0 ? 1 : kith_row(&rows->A, code->atom[s])[f - 1]);
		sum += left * left;
	}
	return cosine ? sum / 2 : sum;
}

static void
test_errors(void)
{
	double worst = 0;

	for (int kernel = KITH_KERN_COSINE; kernel <= KITH_KERN_LINEAR; kernel++)
		for (size_t n = 1; n < 200; n += 66) {
			struct kith_mat X = random_rows(n, 9, -.4);
			struct kith_means_rows rows = {
			    (enum kith_kern_kind)kernel, &X, random_rows(5, 9, -.4), 2};
			struct kith_codes code = random_codes(n);
			double sum = 0, got;

			if (kernel == KITH_KERN_COSINE) {
				unit_rows(&X);
				unit_rows(&rows.A);
			}
			got = kith_codes_errors(&rows, &code);
			for (size_t i = 0; i < n; i++) {
				const double J = left_of(&rows, &code, i);

				sum += J;
				worst = fmax(worst, fabs(J - code.J[i]));
			}
			worst = fmax(worst, fabs(sum - got) / (double)n);
			worst = fmax(worst, fabs(kith_codes_sum(&code) - got) / (double)n);
		}
	ok(worst <= 1e-13, "what codes leave of rows: %g", worst);
}

/* Codes as lists: all of them, and those that are used. */
static void
test_lists(void)
{
	const struct kith_codes code = random_codes(50);
	size_t bad = 0;

	for (int used = 0; used < 2; used++) {
		const struct kith_graph g = kith_codes_graph(&code, used, &pool);
		size_t e = 0;

		for (size_t i = 0; i < 50; i++) {
			bad += g.start[i] != e;
			for (size_t s = 3 * i; s < 3 * i + code.count[i]; s++) {
				if (used && code.w[s] == 0)
					continue;
				bad += g.to[e] != code.atom[s] || g.w[e] != code.w[s];
				e++;
			}
		}
		bad += g.start[50] != e || g.m != 50;
	}
	is_size(bad, 0, "entries that are not those of the codes");
}

/* The sums G = W'W, B = W'X of plain loops. */
struct sums {
	double G[5][5], B[5][4];
};

static struct sums
sum_up(const struct kith_mat *X, const struct kith_codes *code)
{
	struct sums s = {0};

	for (size_t i = 0; i < X->n; i++)
		for (size_t a = 3 * i; a < 3 * i + code->count[i]; a++) {
			const size_t j = code->atom[a];

			for (size_t b = 3 * i; b < 3 * i + code->count[i]; b++)
				s.G[j][code->atom[b]] += code->w[a] * code->w[b];
			for (size_t f = 0; f < 4; f++)
				s.B[j][f] += code->w[a] * kith_row(X, i)[f];
		}
	return s;
}

/* Each atom in turn where it is best, until a sweep gains little. */
static void
plain_descent(const struct sums *s, double a[5][4])
{
	double first = 0;

	for (int sweep = 0; sweep < 10; sweep++) {
		double gain = 0;

		for (size_t j = 0; j < 5; j++) {
			double v[4], length = 0, before = 0;

			if (s->G[j][j] == 0)
				continue;
			memcpy(v, s->B[j], sizeof(v));
			for (size_t f = 0; f < 4; f++) {
				for (size_t l = 0; l < 5; l++)
					v[f] -= l == j ? 0 : s->G[j][l] * a[l][f];
				length += v[f] * v[f];
				before += a[j][f] * v[f];
			}
			length = sqrt(length);
			gain += length - before;
			for (size_t f = 0; f < 4; f++)
				a[j][f] = v[f] / length;
		}
		if (sweep == 0)
			first = gain;
		else if (!(gain > .01 * first))
			break;
	}
}

static void
test_cosine_update(void)
{
	double worst = 0;

	for (size_t seed = 0; seed < 60; seed++) {
		struct kith_mat X = random_rows(20, 4, -.3);
		struct kith_means_rows rows = {KITH_KERN_COSINE, &X, random_rows(5, 4, -.3), 1};
		struct kith_codes code = random_codes(20);
		double a[5][4], before;
		struct sums s;

		unit_rows(&X);
		unit_rows(&rows.A);
		if (seed % 4 == 0) /* an atom that no row uses */
			for (size_t e = 0; e < 60; e++)
				code.w[e] *= code.atom[e] != 3;
		s = sum_up(&X, &code);
		memcpy(a, rows.A.v, sizeof(a));
		plain_descent(&s, a);
		before = kith_codes_errors(&rows, &code);
		kith_means_update(&rows, &code);
		if (kith_codes_sum(&code) > before)
			worst = INFINITY;
		for (size_t e = 0; e < 20; e++)
			worst = fmax(worst, fabs(rows.A.v[e] - a[e / 4][e % 4]));
	}
	ok(worst <= 1e-12, "atoms on the sphere, one after the other: %g", worst);
}

/* Rows whose weights rounding leaves open, and those that keep older ones. */
static void
test_counts(void)
{
	double v[] = {1, 2, -1, -2, 0, 0, 2, 1, 1e-310, 1e-310};
	double a[] = {2, 1, 1, 3};
	const struct kith_mat X = {5, 2, v};
	const struct kith_means_rows rows = {KITH_KERN_LINEAR, &X, {2, 2, a}, 2};
	struct kith_codes code = kith_codes_new(5, 1, &pool);

	kith_codes_find(&rows, &code);
	ok(code.doubts == 2 && code.kept == 0,
	    "rows of 0 and near it are open, the opposite of atoms is not");
	ok(code.atom[0] == 1 && code.atom[3] == 0 && code.w[3] == 1 && code.J[3] == 0 &&
		code.w[1] == 0 && code.J[1] == 5,
	    "codes");
	is_near(code.w[0], .7, 1e-15, "1 2 by 1 3");
	is_near(code.J[0], .1, 1e-15, "leaves 1 / 10");
	/* Older: 1 2 by 1 2 is better than by the nearest, of 1 3. */
	memcpy(a, (double[]){10, 20, 1, 3}, sizeof(a));
	code.atom[0] = code.atom[3] = 0;
	code.w[0] = code.w[3] = 1;
	kith_codes_find(&rows, &code);
	ok(code.kept == 2 && code.atom[0] == 0 && code.count[0] == 1,
	    "older atoms that leave less");
	is_near(code.w[0], .1, 1e-15, "with their best weights");
	kith_codes_find(&rows, &code);
	ok(code.kept == 2 && code.atom[3] == 0, "again");
}

/* Rounding is relative to the longest of the atoms, and of the row. */
static void
test_doubts(void)
{
	double a[] = {1, 0, 0, 0, 1.99, 0};
	size_t bad = 0;

	/* 11 eps |x| |a| <= 5e-12 b: b is 4.9e-4 of one, 9.7e-4 of both. */
	for (size_t k = 1; k <= 2; k++)
		for (size_t c = 0; c < 4; c++) {
			static const double b[] = {4e-4, 7e-4, 9e-4, 1.1e-3};
			double x_of[] = {b[c], 0, 1};
			const struct kith_mat X = {1, 3, x_of};
			const struct kith_means_rows rows = {KITH_KERN_LINEAR, &X, {2, 3, a}, 1};
			struct kith_codes code = kith_codes_new(1, k, &pool);

			kith_codes_find(&rows, &code);
			bad += code.doubts != (c < (k == 1 ? 1 : 3));
		}
	is_size(bad, 0, "rows whose doubts are others");
}

/* Where rounding makes all that is left larger, atoms stay as they are. */
static void
test_rejected(void)
{
	const double w = 1.1e-160; /* whose square has few digits */
	double v[] = {1, 2, 3}, a[] = {1 / w, 2 / w, 3 / w}, was[3], before;
	const struct kith_mat X = {1, 3, v};
	struct kith_means_rows rows = {KITH_KERN_LINEAR, &X, {1, 3, a}, 1};
	struct kith_codes code = kith_codes_new(1, 1, &pool);

	code.count[0] = 1;
	code.w[0] = w;
	memcpy(was, a, sizeof(a));
	before = kith_codes_errors(&rows, &code);
	ok(before < 1e-30, "hardly anything is left: %g", before);
	kith_means_update(&rows, &code);
	ok(a[0] == was[0] && a[1] == was[1] && a[2] == was[2], "nothing better is found");
	ok(code.J[0] == before, "and what is left is known again");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_add();
	test_errors();
	test_lists();
	test_cosine_update();
	test_counts();
	test_doubts();
	test_rejected();
	kith_pool_free(&pool);
	return done();
}
