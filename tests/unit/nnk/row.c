/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/row.h: the problems that are posed, in units of their own,
 * against their definitions; and when their answers are sure.
 */
#include "nnk/row.h"

#include "nnk/data.h"
#include "nnk/local.h"

#include <float.h>
#include <limits.h>
#include <string.h>

enum { K = 6 };

static struct kith_nnk_row *row;
static struct kith_mat X;
static struct kith_neighbour nn[K];
static struct kith_local_pack pack;
static struct kith_metric metric;

/* Room for rows of v (n x p) with these weights; all are candidates. */
static void
begin(enum kith_nnk_form form, enum kith_kern_kind kernel, double *v, size_t n, size_t p,
    const double *w)
{
	X = (struct kith_mat){n, p, v};
	metric = (struct kith_metric){KITH_SQUARED, p, w};
	pack = kith_local_pack_new(&metric, &pool);
	row = kith_nnk_row_new(form, kernel, &X, &pack, n, &pool);
	for (size_t i = 0; i < n; i++)
		nn[i] = (struct kith_neighbour){i, 0};
}

static double
product(const double *w, const double *a, const double *b)
{
	double sum = 0;

	for (size_t f = 0; f < P; f++)
		sum += (w ? w[f] : 1) * a[f] * b[f];
	return sum;
}

/* Products of all, with weights of which one is 0. */
static void
test_linear(void)
{
	static const double w[P] = {2, 0, .25};
	double worst = 0;

	for (size_t seed = 0; seed < 40; seed++) {
		const double *weight = seed % 2 ? w : NULL;
		const double *q = x + K * P;

		draw(0);
		for (size_t i = 0; i < P * (K + 1); i++)
			x[i] *= seed % 3 ? 1 : pow(2, (double)(i % 12));
		begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, x, K, P, weight);
		kith_nnk_row_pose(row, q, nn, K, 0);
		for (size_t i = 0; i < K; i++) {
			const double b = product(weight, q, x + i * P);

			worst = fmax(
			    worst, fabs(scalbn(row->b[i], row->own + row->size[i]) / b - 1));
			for (size_t j = 0; j < K; j++)
				worst = fmax(worst,
				    fabs(scalbn(
					     row->A[i * row->ld + j], row->size[i] + row->size[j]) /
					    product(weight, x + i * P, x + j * P) -
					1));
		}
		worst = fmax(
		    worst, fabs(scalbn(row->kqq, row->exponent) / product(weight, q, q) - 1));
		worst = row->factor == 1 ? worst : INFINITY;
		worst = row->size[0] == row->own ? worst : INFINITY;
	}
	ok(worst <= 1e-14, "products of rows: %g", worst);
}

/* Rows have one unit while their lengths are at most 2^20 apart. */
static void
test_units(void)
{
	double v[] = {0x1.8p-3, 0x1.4p17, 0, 3}, q[] = {5};

	begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, v, 4, 1, NULL);
	kith_nnk_row_pose(row, q, nn, 4, 0);
	ok(row->own == 17 && row->size[0] == 17 && row->size[1] == 17 && row->size[2] == 17 &&
		row->size[3] == 17,
	    "2^20 apart: that of the longest");
	v[1] = 0x1p18;
	kith_nnk_row_pose(row, q, nn, 4, 0);
	ok(row->own == 2 && row->size[0] == -3 && row->size[1] == 18 && row->size[2] == 18 &&
		row->size[3] == 1,
	    "2^21 apart: each its own, none that of the longest");
	ok(row->A[0] == 0x1.2p1 && row->A[1] == 1.5 && row->A[row->ld + 1] == 1 &&
		row->b[0] == 1.25 * 1.5 && row->exponent == 4,
	    "numbers in those");
	row->t[0] = 3;
	row->t[1] = 1;
	ok(kith_nnk_row_weight(row, 0) == 96 && kith_nnk_row_weight(row, 1) == 0x1p-16,
	    "weights in units of the data");
	q[0] = 0x1p-4;
	v[1] = 1;
	kith_nnk_row_pose(row, q, nn, 4, 0);
	ok(row->own == 1 && row->size[0] == 1, "also of q");
	q[0] = 0x1p-40;
	kith_nnk_row_pose(row, q, nn, 4, 0);
	ok(row->own == -40 && row->size[0] == -3 && row->size[2] == 1, "which may be short");
	q[0] = 0;
	v[0] = v[1] = v[3] = 0;
	kith_nnk_row_pose(row, q, nn, 4, 0);
	ok(row->own == 0 && row->size[0] == 0 && row->exponent == 0 && row->kqq == 0, "all are 0");
}

static void
test_gaussian(void)
{
	double v[] = {1, 3, 7}, q[] = {0};

	begin(KITH_NNK_KERNEL, KITH_KERN_GAUSSIAN, v, 3, 1, NULL);
	for (size_t i = 0; i < 3; i++)
		nn[i].d = v[i] * v[i];
	kith_nnk_row_pose(row, q, nn, 3, 2);
	is_near(row->factor, exp(-.125), 1e-15, "the nearest");
	ok(row->b[0] == 1 && row->kqq == 1 && row->A[0] == 1, "is 1");
	is_near(row->b[1], exp(-1), 1e-15, "relative to it");
	is_near(row->A[2], exp(-4.5), 1e-15, "candidates");
	ok(kith_nnk_row_solve(row, 0) <= 1e-13, "solved");
	for (size_t i = 0; i < 3; i++) {
		double r = row->b[i];

		for (size_t j = 0; j < 3; j++)
			r -= row->A[i * row->ld + j] * row->t[j];
		ok(!(row->t[i] > 0) || fabs(row->r[i] - r) <= 1e-15, "what is left of edge %zu", i);
	}
	is_near(kith_nnk_row_error(row),
	    (1 - exp(-.25) * (row->t[0] * row->b[0] + row->t[1] * row->b[1])) / 2, 1e-15, "J");
	kith_nnk_row_pose(row, q, nn, 0, 2);
	ok(row->kqq == 1 && row->n == 0 && kith_nnk_row_solve(row, .1) == 0 &&
		kith_nnk_row_error(row) == .5,
	    "no candidates: K_qq / 2");
	begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, v, 3, 1, NULL);
	q[0] = 6;
	kith_nnk_row_pose(row, q, nn, 0, 0);
	ok(kith_nnk_row_error(row) == 18, "linear: the same");
	begin(KITH_NNK_GRAM, KITH_KERN_LINEAR, v, 3, 1, NULL);
	kith_nnk_row_pose(row, q, nn, 0, 0);
	ok(kith_nnk_row_error(row) == 0, "lle-gram: 0");
	begin(KITH_NNK_ANGLES, KITH_KERN_LINEAR, v, 3, 1, NULL);
	kith_nnk_row_pose(row, q, nn, 0, 0);
	ok(kith_nnk_row_error(row) == .5, "lle: 1/2");
}

/* eta in units of rows whose products are small, or large. */
static void
test_eta(void)
{
	for (int e = -300; e <= 300; e += 100) {
		double v[] = {ldexp(1, e), ldexp(3, e)}, q[] = {ldexp(2, e)};
		double J;

		begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, v, 1, 1, NULL);
		kith_nnk_row_pose(row, q, nn, 1, 0);
		(void)kith_nnk_row_solve(row, ldexp(.5, 2 * e));
		is_near(kith_nnk_row_weight(row, 0), 1.5, 1e-15, "(2 - eta) / 1, in any unit");
		J = scalbn(kith_nnk_row_error(row), -2 * e);
		is_near(J, .125, 1e-15, "J");
		(void)kith_nnk_row_solve(row, ldexp(2.5, 2 * e));
		ok(kith_nnk_row_weight(row, 0) == 0, "eta above K");
	}
}

/* The Gram matrix of differences, with its ridge. */
static void
test_gram(void)
{
	double v[] = {0x1p40, 0x1p40, 0x1p40, 0x1.8p41}, q[] = {0, 0x1p40};
	double same[] = {3, 3};

	begin(KITH_NNK_GRAM, KITH_KERN_GAUSSIAN, v, 2, 2, NULL);
	kith_nnk_row_pose(row, q, nn, 2, 0);
	/* In the unit of the row: 1 0 and 1 2, by 2^-1. */
	ok(row->A[1] == .25 && row->ridge == 1e-3 * (.25 + 1.25) / 2 &&
		row->A[0] == .25 + row->ridge && row->A[row->ld + 1] == 1.25 + row->ridge,
	    "products of differences, and a ridge");
	ok(row->b[0] == 1 && row->b[1] == 1 && row->kqq == 0 && row->exponent == -82,
	    "their exponent: %d", row->exponent);
	begin(KITH_NNK_SIGNED, KITH_KERN_GAUSSIAN, v, 2, 2, NULL);
	kith_nnk_row_pose(row, q, nn, 2, 0);
	ok(row->A[0] == .25 && row->ridge == 1e-3 * 1.5 && row->exponent == -82,
	    "signed: it is kept apart, k times as large");
	begin(KITH_NNK_GRAM, KITH_KERN_GAUSSIAN, same, 2, 1, NULL);
	kith_nnk_row_pose(row, same, nn, 2, 0);
	ok(row->ridge == 1e-3 && row->A[0] == 1e-3 && row->A[1] == 0 && row->exponent == 0,
	    "copies");
}

/* Cosines of directions; a candidate that is q has none. */
static void
test_angles(void)
{
	double v[] = {4, 2, 1, 3, 1, 2, -0x1p-600, 2}, q[] = {1, 2};

	begin(KITH_NNK_ANGLES, KITH_KERN_GAUSSIAN, v, 4, 2, NULL);
	kith_nnk_row_pose(row, q, nn, 4, 0);
	ok(row->A[0] == 1 && row->A[1] == .5 && row->A[3] == 0 && row->A[row->ld + 3] == .5,
	    "angles");
	ok(row->A[2] == 1 && row->A[2 * row->ld] == 1 && row->A[2 * row->ld + 2] == 1 &&
		row->A[3 * row->ld + 2] == 1,
	    "1 with q itself");
	ok(row->b[0] == 1 && row->b[3] == 1 && row->kqq == 1, "K_Sq = 1");
}

/* Whether one candidate v of q is sure; eps (p + 8) (1 + t) A <= 5e-12 b. */
static bool
sure(double v, double q, double least, double violation)
{
	begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, &v, 1, 1, NULL);
	kith_nnk_row_pose(row, &q, nn, 1, 0);
	(void)kith_nnk_row_solve(row, 0);
	return kith_nnk_row_is_sure(row, least, violation);
}

static void
test_sure(void)
{
	const double t = DBL_EPSILON * 9 / 5e-12; /* the least that is */
	double v[] = {1, 0, 0, 1e-3}, q[] = {.01, 10};

	ok(sure(1, 1, 0, 0) && sure(1, 1, 1e-10, 4.9e-12), "one candidate");
	ok(!sure(1, 1, 0, 5.1e-12), "a violation");
	ok(sure(1, 1.02 * t, 0, 0) && !sure(1, .98 * t, 0, 0),
	    "rounding is relative to kernels of candidates");
	ok(sure(1, -1, 0, 0), "a row that is the opposite has no edge");
	ok(!sure(1, 0, 0, 0), "products of 0 may be rounding");
	ok(sure(0, 1, 0, 0), "but for those of 0 alone");
	ok(!sure(0x1p22, 1, 0, 0), "lengths far apart");
	for (size_t turn = 0; turn < 2; turn++) {
		const double as[] = {(turn ? -9.9 : -10.1) * DBL_EPSILON, 1};
		double one[] = {1, 0};

		begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, one, 1, 2, NULL);
		kith_nnk_row_pose(row, as, nn, 1, 0);
		(void)kith_nnk_row_solve(row, 0);
		ok(kith_nnk_row_is_sure(row, 0, 0) == !turn, "%s opposite in part",
		    turn ? "hardly" : "a row that is");
	}
	/* b = .01 of both, sum t = 1e4. */
	begin(KITH_NNK_KERNEL, KITH_KERN_LINEAR, v, 2, 2, NULL);
	kith_nnk_row_pose(row, q, nn, 2, 0);
	(void)kith_nnk_row_solve(row, 0);
	ok(!kith_nnk_row_is_sure(row, 0, 0), "large weights");
	v[3] = 1;
	kith_nnk_row_pose(row, q, nn, 2, 0);
	(void)kith_nnk_row_solve(row, 0);
	ok(kith_nnk_row_is_sure(row, .9e-3, 0) && !kith_nnk_row_is_sure(row, 1.1e-3, 0),
	    "a weight that will be cut");
	row->kernel = KITH_KERN_COSINE;
	ok(kith_nnk_row_is_sure(row, 1.1e-3, 0), "but for the linear kernel");
	row->factor = 1e-281;
	ok(!kith_nnk_row_is_sure(row, 0, 0), "factors that cost digits");
	row->factor = 1e-279;
	ok(kith_nnk_row_is_sure(row, 0, 0), "those that do not");
	row->factor = 0;
	row->n = 0;
	ok(kith_nnk_row_is_sure(row, 0, 0), "no candidates");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_linear();
	test_units();
	test_gaussian();
	test_eta();
	test_gram();
	test_angles();
	test_sure();
	kith_pool_free(&pool);
	return done();
}
