/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/sqpfw/certify.h by hand. */
#include "sqpfw/certify.h"

#include "la/mat.h"
#include "sqpfw/targets.h"
#include "tap.h"

#include <math.h>

/*
 * Row 0 has what is tied; the hit and the miss of each other row are the same
 * row, and cancel.  The hits of row 0 are at (1,0), (0,1), (-1,0), (1,0), and
 * its miss is itself, at distance 0; or the other way round.
 */
static double x[] = {0, 0, 1, 0, 0, 1, -1, 0, 1, 0};
static size_t target[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static struct kith_tie tie;
static size_t other[4];
static double w[2], prior[2], down[2], rounding[2];

/* The certificate of w for so many tied rows; theta/n is 1. */
static struct kith_certificate
certify(size_t hits, size_t misses, size_t count)
{
	const struct kith_mat X = {5, 2, x};
	const struct kith_ties ties = {target, count > 1, &tie, other};
	const struct kith_certify_how how = {
	    .hits = hits, .misses = misses, .prior = prior, .theta = 5, .rounding = rounding};
	struct kith_certificate out;

	tie.count = count;
	kith_certify(&X, &ties, w, &how, &out, down);
	return out;
}

static void
reset(bool miss)
{
	tie = (struct kith_tie){.miss = miss};
	for (size_t m = 0; m < 4; m++)
		other[m] = m + 1;
	target[0] = miss ? 0 : 1;
	target[1] = miss ? 1 : 0;
	w[0] = w[1] = 0.5;
	prior[0] = 0.6;
	prior[1] = 0.4;
}

static void
test_hits(void)
{
	struct kith_certificate got;

	reset(false);
	got = certify(2, 1, 2);
	ok(got.certified, "the farther of two: convex");
	is_size(got.ties, 1, "one tie");
	is_near(got.residual, 0, 1e-15, "nothing is left");
	ok(down[0] == 0 && down[1] == 0, "and no way is down");
	got = certify(1, 1, 2);
	ok(!got.certified && got.concave == 1, "the nearer of two: concave");
	ok(got.open == 0, "and refuted");
	/* H = (2,1): (.9 + phi) / 2 and .1 + phi are least at phi = -.26 */
	is_near(got.residual, 0.32, 1e-15, "by the first pair alone");
	is_near(down[0], -0.16, 1e-15, "down is away from it");
	is_near(down[1], 0.16, 1e-15, "and the sum stays");
	tie.nearer = 1;
	got = certify(3, 1, 2);
	ok(got.certified, "one more is nearer");
	got = certify(2, 1, 2);
	ok(!got.certified && got.concave == 1, "which may be the last");
	got = certify(1, 1, 1);
	ok(!got.certified && got.concave == 0, "a single hit");
	is_near(got.residual, 0.4, 1e-15, "is not enough");
	prior[0] = 1.6;
	prior[1] = -0.6;
	tie.nearer = 0;
	got = certify(2, 1, 2);
	ok(!got.certified, "out of reach");
	/* (-.1 + phi) / 2 and 1.1 + phi, at phi = -.86 */
	is_near(got.residual, 0.48, 1e-14, "by so much");
}

static void
test_misses(void)
{
	struct kith_certificate got;

	reset(true);
	got = certify(1, 1, 2);
	ok(got.certified, "the nearer of two misses: convex");
	got = certify(1, 2, 2);
	ok(!got.certified && got.concave == 1, "the farther: concave");
	tie.nearer = 1;
	got = certify(1, 2, 2);
	ok(got.certified, "one more is nearer");
}

/* Pairs that are equal for every w. */
static void
test_copies(void)
{
	struct kith_certificate got;

	reset(false);
	got = certify(3, 1, 3);
	is_size(got.ties, 1, "two hits on either side are one");
	ok(got.certified, "the farthest of three: convex");
	got = certify(4, 1, 4);
	is_size(got.ties, 1, "a third hit of equal features, too");
	ok(got.certified, "the farthest of four: convex");
	/* Sorted, the second of three is one of the two copies for any w. */
	got = certify(2, 1, 3);
	ok(got.concave == 0 && got.ties == 1, "the second of three: no kink");
	is_near(got.residual, 0.4, 1e-15, "the copies alone count");
	got = certify(1, 1, 3);
	is_size(got.concave, 1, "the first of three: concave");
	got = certify(1, 1, 1);
	is_size(got.ties, 0, "one alone is no tie");

	reset(false);
	other[2] = 4; /* rows 1 and 4 are equal */
	got = certify(3, 1, 3);
	ok(got.certified, "copies: the third of three");
	got = certify(2, 1, 3);
	ok(got.concave == 0, "the second of them");
	is_near(got.residual, 0.4, 1e-15, "is one of the copies");
	got = certify(1, 1, 3);
	is_size(got.concave, 1, "the first of them");

	reset(true);
	other[0] = 2;
	other[1] = 1;
	other[2] = 4;
	got = certify(1, 1, 3);
	ok(got.certified, "the first of three misses");
	got = certify(1, 2, 3);
	is_size(got.concave, 0, "the second is one of the copies");
	is_near(got.residual, 0.6, 1e-15, "which alone count");
	got = certify(1, 3, 3);
	is_size(got.concave, 1, "the third is concave");
}

/* Two pairs decide, the third never: 2 + 2 copies and 1 more, rank 4. */
static void
test_idle_pair(void)
{
	static double z[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0};
	static const double none[3];
	size_t targets[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	size_t others[] = {1, 2, 3, 4, 5};
	struct kith_tie group = {0, false, 0, 0, 5};
	const struct kith_mat X = {6, 3, z};
	const struct kith_ties ties = {targets, 1, &group, others};
	const double v[] = {0.5, 0.25, 0.25}, p[] = {0, -0.25, 1.25};
	const struct kith_certify_how how = {
	    .hits = 4, .misses = 1, .prior = p, .theta = 6, .rounding = none};
	struct kith_certificate got;

	/* A share of the third would lessen the residual. */
	kith_certify(&X, &ties, v, &how, &got, NULL);
	is_size(got.concave, 0, "a pair that never decides is no kink");
	/* H = (2,1,0): (1.5 + phi) / 2, .5 + phi, -1 + phi, at phi = 1/18 */
	is_near(got.residual, 17. / 18, 1e-15, "and takes no share");
}

/*
 * w = (1,0,0).  The hits of row 0, rows 1 and 2, are alike in the first
 * feature, and tied: whichever of them is nearer when another weight grows, F
 * rises, or does not.  Its misses, rows 3 and 4, may be tied as well.  theta/n
 * is 1.
 */
static struct kith_certificate
choose(size_t groups, double a, double b, double c, double *step)
{
	static double z[15] = {0, 0, 0, 1, 1, 0, 1, 0, 1};
	static const double none[3], v[] = {1, 0, 0};
	size_t targets[] = {1, groups == 2 ? 3 : 0, 0, 0, 0, 0, 0, 0, 0, 0};
	size_t others[] = {1, 2, 3, 4};
	struct kith_tie group[] = {{0, false, 0, 0, 2}, {0, true, 0, 2, 2}};
	const struct kith_mat X = {5, 3, z};
	const struct kith_ties ties = {targets, groups, group, others};
	const double p[] = {1 - a, -b, -c}; /* w - p = (a, b, c) */
	const struct kith_certify_how how = {
	    .hits = 1, .misses = 1, .prior = p, .theta = 5, .rounding = none};
	struct kith_certificate got;

	z[10] = z[14] = sqrt(2);
	kith_certify(&X, &ties, v, &how, &got, step);
	return got;
}

static void
test_choices(void)
{
	struct kith_certificate got;
	double step[3];

	/* (-3,1,2) + (1,1,0) or (1,0,1), and phi = 2: (0,4,4), (0,3,5) */
	got = choose(1, -3, 1, 2, step);
	ok(got.certified, "both choices hold");
	ok(got.concave == 1 && got.open == 0, "at a concave kink");
	/* (-.5,-.9,2) + the same, and phi = -.5: (0,-.4,1.5), (0,-1.4,2.5) */
	got = choose(1, -.5, -.9, 2, step);
	ok(!got.certified && got.open == 0, "one of them does not");
	ok(step[0] < 0 && step[1] > 0 && step[2] == 0, "down is where the second weight grows");
	is_near(step[0] + step[1], 0, 1e-15, "as much as the first falls");
	/*
	 * Shares t and 1 - t of (0,-2,0) and (0,0,-2) with (0,.6,.6) and the
	 * choices: t = .75 or .25 holds, one t for the worst of both does not.
	 */
	got = choose(2, -1, .6, .6, step);
	ok(got.certified && got.concave == 1, "shares that go with a choice");
	got = choose(2, -1, .4, .4, step);
	ok(!got.certified && got.open == 0, "none that do");
}

/* Ten kinks of two pairs: 1024 choices, which all hold, are too many. */
static void
test_too_many(void)
{
	enum { ROWS = 15, KINKS = 10, A = 11, C = 13 };
	static double z[2 * ROWS];
	static size_t targets[2 * ROWS], others[] = {A, A + 1, C, C + 1};
	static const double none[2], half[] = {.5, .5};
	struct kith_tie group[1 + KINKS] = {{0, true, 0, 0, 2}};
	const struct kith_mat X = {ROWS, 2, z};
	struct kith_ties ties = {targets, 1 + KINKS, group, others};
	const struct kith_certify_how how = {
	    .hits = 1, .misses = 1, .prior = half, .theta = ROWS, .rounding = none};
	struct kith_certificate got;

	z[(size_t)2 * A] = z[(size_t)2 * A + 3] = sqrt(20);
	z[(size_t)2 * C] = z[(size_t)2 * C + 3] = 1;
	targets[1] = A;
	for (size_t i = 1; i < ROWS; i++)
		targets[2 * i] = targets[2 * i + 1] = i;
	for (size_t i = 1; i <= KINKS; i++) {
		group[i] = (struct kith_tie){i, false, 0, 2, 2};
		targets[2 * i] = C;
	}
	targets[0] = 0;
	kith_certify(&X, &ties, half, &how, &got, NULL);
	ok(!got.certified && got.open == KINKS, "open: %zu", got.open);
	ok(got.residual <= KITH_CERTIFY_LIMIT,
	    "though no choice is known to "
	    "fail");
	ties.n--;
	kith_certify(&X, &ties, half, &how, &got, NULL);
	ok(got.certified && got.concave == KINKS - 1, "one less is proved");
}

/*
 * Ten kinks of 3^10 choices, w = (1,0,0).  At the origin are the rows of the
 * kinks, whose tied hits A, B, C have squared differences (1,0,5), (1,4,3) and
 * (1,4,0), the target; two make a set.  In the widest
 * feature, the third, a set has at least 3, by A or B: that is 30 in all.
 */
static size_t wide; /* the number of the feature told of as the third */

static struct kith_certificate
certify_worst(double second, double third, double *step)
{
	enum { KINKS = 10, ROWS = KINKS + 3 };
	static double z[3 * ROWS];
	static const double none[3], v[] = {1, 0, 0};
	static size_t targets[2 * ROWS];
	size_t others[] = {KINKS, KINKS + 1, KINKS + 2};
	struct kith_tie group[KINKS];
	const struct kith_mat X = {ROWS, 3, z};
	const struct kith_ties ties = {targets, KINKS, group, others};
	/* w - prior and the tens of the first feature leave nothing there */
	const double p[] = {1 + 10, wide == 1 ? -third : -second, wide == 1 ? -second : -third};
	const struct kith_certify_how how = {
	    .hits = 2, .misses = 1, .prior = p, .theta = ROWS, .rounding = none};
	struct kith_certificate got;

	for (size_t i = 0; i < ROWS; i++) {
		group[i % KINKS] = (struct kith_tie){i % KINKS, false, 0, 0, 3};
		targets[2 * i] = i < KINKS ? KINKS + 2 : i;
		targets[2 * i + 1] = i;
		z[3 * i] = i >= KINKS;
		z[3 * i + 3 - wide] = i > KINKS ? 2 : 0;
		z[3 * i + wide] = i == KINKS ? sqrt(5) : i == KINKS + 1 ? sqrt(3) : 0;
	}
	kith_certify(&X, &ties, v, &how, &got, step);
	return got;
}

static void
test_worst(void)
{
	struct kith_certificate got;
	double step[3];

	got = certify_worst(.1, -29.9, NULL);
	ok(got.certified && got.concave == 10 && got.open == 0,
	    "too many choices, of which the worst holds");
	got = certify_worst(.1, -30, NULL);
	ok(got.certified, "it just holds");
	got = certify_worst(.1, -30.1, step);
	ok(!got.certified, "or not");
	got = certify_worst(-.1, -29.9, step);
	ok(!got.certified, "nor where another feature has less");
	got = certify_worst(.1, -51, step);
	ok(!got.certified && got.open == 0 && step[wide] > 0, "more than all of A: F falls");
}

static void
test_weights(void)
{
	struct kith_certificate got;

	reset(false);
	w[0] = 1;
	w[1] = 0;
	target[0] = 0;
	prior[0] = 1.5;
	prior[1] = -0.5;
	got = certify(1, 1, 1);
	ok(got.certified, "a weight of 0 that would be negative");
	prior[0] = prior[1] = 0.5;
	got = certify(1, 1, 1);
	ok(!got.certified, "a weight of 0 that would not");
	is_near(got.residual, 0.5, 1e-15, "by so much");
	w[0] = w[1] = 0.5;
	got = certify(1, 1, 1);
	ok(got.certified, "the prior itself");
	w[0] += 1e-6;
	w[1] -= 1e-6;
	got = certify(1, 1, 1);
	ok(!got.certified, "beside it");
	is_near(got.residual, 1e-6, 1e-12, "by so much");
}

static void
test_scale(void)
{
	struct kith_certificate got;

	reset(false);
	for (size_t i = 0; i < 10; i++)
		x[i] *= 1e150;
	got = certify(2, 1, 2);
	ok(got.certified, "numbers of 1e150");
	for (size_t i = 0; i < 10; i++)
		x[i] *= 1e50;
	got = certify(2, 1, 2);
	ok(!got.certified && isnan(got.residual), "no squares: no verdict");
	for (size_t i = 0; i < 10; i++)
		x[i] *= 1e-200;
	x[8] = 1e200;
	target[8] = target[9] = 4;
	got = certify(4, 1, 4);
	ok(!got.certified && isnan(got.residual), "nor where a tie has none");
	x[8] = 1;
	target[8] = target[9] = 0;
}

int
main(void)
{
	test_hits();
	test_misses();
	test_copies();
	test_idle_pair();
	test_choices();
	test_too_many();
	for (wide = 2; wide > 0; wide--)
		test_worst();
	test_weights();
	test_scale();
	return done();
}
