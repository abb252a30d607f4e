/* Tests of lib/certify.h by hand. */
#include "certify.h"

#include "mat.h"
#include "tap.h"
#include "ties.h"

#include <math.h>

/*
 * Row 0 has what is tied; the hit and the miss of each other row are the same
 * row, and cancel.  The hits of row 0 are at (1,0), (0,1), (-1,0), (1,0), and
 * its miss is itself, at distance 0; or the other way round.
 */
static double x[] = {0, 0, 1, 0, 0, 1, -1, 0, 1, 0};
static size_t target[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
static struct kith_tie tie;
static size_t other[4], copies[4];
static double w[2], prior[2];

/* The certificate of w for so many tied rows; theta/n is 1. */
static struct kith_certificate
certify(size_t hits, size_t misses, size_t count)
{
	const struct kith_mat X = {5, 2, x};
	const struct kith_ties ties = {target, count > 1, &tie, other, copies};
	const struct kith_certify_how how = {hits, misses, prior, 5};
	struct kith_certificate out;

	tie.count = count;
	kith_certify(&X, &ties, w, &how, &out);
	return out;
}

static void
reset(bool miss)
{
	tie = (struct kith_tie){.miss = miss};
	for (size_t m = 0; m < 4; m++) {
		other[m] = m + 1;
		copies[m] = 1;
	}
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
	is_near(got.limit, 1e-8, 1e-15, "the gradient is (1,0)");
	got = certify(1, 1, 2);
	ok(!got.certified && got.concave == 1, "the nearer of two: concave");
	is_near(got.residual, 0, 1e-15, "though it is stationary");
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
	is_near(got.residual, 0.6, 1e-14, "by so much");
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
	copies[0] = 2;
	got = certify(3, 1, 2);
	ok(got.certified, "copies that are counted: the third of three");
	got = certify(2, 1, 2);
	ok(got.concave == 0, "the second of them");
	is_near(got.residual, 0.4, 1e-15, "is one of the copies");
	got = certify(1, 1, 2);
	is_size(got.concave, 1, "the first of them");

	reset(true);
	copies[1] = 2;
	got = certify(1, 1, 2);
	ok(got.certified, "the first of three misses");
	got = certify(1, 2, 2);
	is_size(got.concave, 0, "the second is one of the copies");
	is_near(got.residual, 0.4, 1e-15, "which alone count");
	got = certify(1, 3, 2);
	is_size(got.concave, 1, "the third is concave");
}

/* Two pairs decide, the third never: 2 + 2 copies and 1 more, rank 4. */
static void
test_idle_pair(void)
{
	static double z[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	size_t targets[] = {1, 0, 0, 0, 0, 0, 0, 0};
	size_t others[] = {1, 2, 3}, many[] = {2, 2, 1};
	struct kith_tie group = {0, false, 0, 0, 3};
	const struct kith_mat X = {4, 3, z};
	const struct kith_ties ties = {targets, 1, &group, others, many};
	const double v[] = {0.5, 0.25, 0.25}, p[] = {0, -0.25, 1.25};
	const struct kith_certify_how how = {4, 1, p, 4};
	struct kith_certificate got;

	/* A share of the third would lessen the residual. */
	kith_certify(&X, &ties, v, &how, &got);
	is_size(got.concave, 0, "a pair that never decides is no kink");
	is_near(got.residual, 4. / 3, 1e-15, "and takes no share");
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
	is_near(got.limit / 1e292, 1, 1e-12, "the limit grows as the gradient");
	for (size_t i = 0; i < 10; i++)
		x[i] *= 1e50;
	got = certify(2, 1, 2);
	ok(!got.certified && isnan(got.residual), "no squares: no verdict");
	for (size_t i = 0; i < 10; i++)
		x[i] *= 1e-200;
}

int
main(void)
{
	test_hits();
	test_misses();
	test_copies();
	test_idle_pair();
	test_weights();
	test_scale();
	return done();
}
