/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/certify.h where choices are few: a minimum is refuted by any
 * one of them.
 */
#include "sqpfw/certify.h"

#include "la/mat.h"
#include "sqpfw/targets.h"
#include "tap.h"

enum { P = 3, KINKS = 4, ROWS = KINKS + 2 };

/*
 * w = (1,0,0).  The hits of four rows at the origin are tied at (1,1,0) and
 * (1,0,1), of which the nearer counts; bits of `order` say which comes first.
 * Where k of them choose the first hit, F rises with the second weight by
 * second + k, with the third by third + 4 - k.
 */
static struct kith_certificate
certify(size_t order, double second, double third, double *step)
{
	static const double none[P], w[P] = {1, 0, 0};
	double z[ROWS][P] = {{0}};
	size_t targets[2 * ROWS], others[2 * KINKS];
	struct kith_tie tie[KINKS];
	/* w - prior and the four hits leave nothing in the first feature */
	const double prior[P] = {1 + KINKS, -second, -third};
	struct kith_certificate got;

	z[KINKS][0] = z[KINKS][1] = 1;
	z[KINKS + 1][0] = z[KINKS + 1][2] = 1;
	for (size_t i = 0; i < ROWS; i++)
		targets[2 * i] = targets[2 * i + 1] = i;
	for (size_t k = 0; k < KINKS; k++) {
		const size_t swap = order >> k & 1;

		tie[k] = (struct kith_tie){k, false, 0, 2 * k, 2};
		others[2 * k] = targets[2 * k] = KINKS + swap;
		others[2 * k + 1] = KINKS + 1 - swap;
	}
	kith_certify(&(struct kith_mat){ROWS, P, z[0]},
	    &(struct kith_ties){targets, KINKS, tie, others}, w,
	    &(struct kith_certify_how){
		.hits = 1, .misses = 1, .prior = prior, .theta = ROWS, .rounding = none},
	    &got, step);
	return got;
}

int
main(void)
{
	size_t held = 0, refuted = 0, down = 0;

	for (size_t order = 0; order < 1 << KINKS; order++) {
		struct kith_certificate got = certify(order, 0, 0, NULL);
		double step[P];

		held += got.certified && got.concave == KINKS;
		got = certify(order, -.5, 3, step);
		refuted += !got.certified && got.open == 0;
		down += step[0] < 0 && step[1] > 0 && step[2] == 0;
		got = certify(order, 3, -.5, step);
		refuted += !got.certified && got.open == 0;
		down += step[0] < 0 && step[1] == 0 && step[2] > 0;
	}
	is_size(held, 1 << KINKS, "where all choices hold w is a minimum");
	is_size(refuted, 2 << KINKS, "where one of 16 does not it is none");
	is_size(down, 2 << KINKS, "and F falls where that one does");
	return done();
}
