/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/certify.h where the choices are too many, those that are
 * guessed hold, and F falls where one weight grows and another one falls.
 */
#include "sqpfw/certify.h"

#include "la/mat.h"
#include "sqpfw/targets.h"
#include "tap.h"

#include <math.h>

enum { KINKS = 10, A = 12, C = 14, ROWS = 16 };

static double step[2];

/*
 * The hits of ten rows are tied at (1,0) and (0,1), of which the nearer counts;
 * of two rows misses are tied at (2,0) and (0,2).  Half of each have the first
 * for their target, and theta/n is 1: sizes are 4 + 2 * 4 + 5 + 10 = 27.  Along
 * (1,-1) the misses bring 2 * 4, and the hits -10.
 */
static struct kith_certificate
certify(double first, double second)
{
	static const double none[2];
	double z[2 * ROWS] = {0};
	size_t targets[2 * ROWS], others[] = {A, A + 1, A, C, C + 1, C};
	struct kith_tie tie[2 + KINKS];
	const struct kith_mat X = {ROWS, 2, z};
	const struct kith_ties ties = {targets, 2 + KINKS, tie, others};
	const double w[] = {.5, .5}, prior[] = {.5 - first, .5 - second};
	const struct kith_certify_how how = {
	    .hits = 1, .misses = 1, .prior = prior, .theta = ROWS, .rounding = none};
	struct kith_certificate got;

	z[(size_t)2 * A] = z[(size_t)2 * A + 3] = 2;
	z[(size_t)2 * C] = z[(size_t)2 * C + 3] = 1;
	for (size_t i = 0; i < (size_t)2 * ROWS; i++)
		targets[i] = i / 2;
	for (size_t i = 0; i < 2 + KINKS; i++) {
		const bool miss = i < 2;

		tie[i] = (struct kith_tie){i, miss, 0, (miss ? 0 : 3) + i % 2, 2};
		targets[2 * i + miss] = (miss ? A : C) + i % 2;
	}
	kith_certify(&X, &ties, w, &how, &got, step);
	return got;
}

int
main(void)
{
	struct kith_certificate got = certify(0, 0);

	ok(!got.certified && got.concave == KINKS && got.open == 0, "F falls: nothing is open");
	is_near(got.residual, 2. / 27, 1e-14, "by the slope over the size");
	ok(step[0] == 1 && step[1] == -1, "where the first weight grows");
	got = certify(.5, -.5);
	is_near(got.residual, 1. / 27, 1e-14, "by less beyond the prior");
	ok(step[0] == 1 && step[1] == -1, "yet it is the first way down");
	got = certify(1.25, -1.25);
	is_near(got.residual, 4.5 / 27, 1e-14, "by more towards it");
	ok(step[0] == -1 && step[1] == 1, "where the second weight grows");
	return done();
}
