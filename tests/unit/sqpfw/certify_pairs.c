/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/certify.h where the choices are too many and those that
 * are guessed hold, of four features: each pair of features is tried alone.
 */
#include "sqpfw/certify.h"

#include "la/mat.h"
#include "sqpfw/targets.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { P = 4, MOST = 100, SIZE = 128 };

/* The rows, whose targets are themselves but for those that follow. */
static struct {
	double x[MOST][P], linear[P], size[P];
	size_t rows, targets[2 * MOST], others[MOST], n_others;
	struct kith_tie tie[MOST];
	size_t ties;
} set;

/* A row with this much in a feature. */
static size_t
add_row(size_t f, double much)
{
	set.x[set.rows][f] = much;
	set.targets[2 * set.rows] = set.targets[2 * set.rows + 1] = set.rows;
	return set.rows++;
}

/* A row at the origin whose hits or misses are tied at n rows, of which the
 * first is the target. */
static void
add_kink(bool miss, const size_t *rows, size_t n)
{
	const size_t i = add_row(0, 0);

	set.tie[set.ties++] = (struct kith_tie){i, miss, 0, set.n_others, n};
	memcpy(set.others + set.n_others, rows, n * sizeof(*rows));
	set.n_others += n;
	set.targets[2 * i + miss] = rows[0];
	for (size_t m = 0; m < n; m++)
		for (size_t f = 0; f < P; f++) {
			const double d = pow(set.x[rows[m]][f], 2);

			/* of the target, and of the kink */
			set.size[f] += m == 0 ? 2 * d : d;
			/* with equal shares */
			set.linear[f] += (miss ? -d : d) / (double)n;
		}
}

/* Rows with a hit at the origin, until each size is SIZE. */
static void
fill(size_t origin)
{
	for (size_t f = 0; f < P; f++)
		while (set.size[f] < SIZE) {
			const double root = floor(sqrt(SIZE - set.size[f]));

			set.targets[2 * add_row(f, root)] = origin;
			set.size[f] += root * root;
			set.linear[f] += root * root;
		}
}

/*
 * The hits of `concave` rows are tied at 1 in each feature, of which the nearest
 * counts; the misses of a row of each of the pairs ("01": features 0 and 1) at 2
 * in either feature.  The prior leaves nothing of equal shares.  Where weight a
 * grows and b falls, misses of b bring 4, with the prior half of those of a and
 * b, and hits -1 each.  Numbers are whole, and sizes a power of 2: there is no
 * rounding.
 */
static struct kith_certificate
certify(size_t concave, const char *pairs, const double *w, double *step)
{
	static const double none[P];
	size_t far[P], near[2 * P], origin;
	double prior[P];
	struct kith_certificate got;

	memset(&set, 0, sizeof(set));
	for (size_t f = 0; f < P; f++) {
		near[f] = near[P + f] = add_row(f, 1);
		far[f] = add_row(f, 2);
	}
	origin = add_row(0, 0);
	for (size_t k = 0; k < concave; k++)
		add_kink(false, near + k % P, P);
	for (; *pairs; pairs += 2)
		add_kink(true, (size_t[]){far[pairs[0] - '0'], far[pairs[1] - '0']}, 2);
	fill(origin);
	for (size_t f = 0; f < P; f++)
		prior[f] = w[f] + set.linear[f];
	kith_certify(&(struct kith_mat){set.rows, P, set.x[0]},
	    &(struct kith_ties){set.targets, set.ties, set.tie, set.others}, w,
	    &(struct kith_certify_how){.hits = 1,
		.misses = 1,
		.prior = prior,
		.theta = (double)set.rows,
		.rounding = none},
	    &got, step);
	return got;
}

static void
is_step(const double *step, size_t up, size_t down)
{
	bool is = true;

	for (size_t f = 0; f < P; f++)
		is &= step[f] == (f == up ? 1 : f == down ? -1 : 0);
	ok(is, "along %zu and against %zu: (%g, %g, %g, %g)", up, down, step[0], step[1], step[2],
	    step[3]);
}

int
main(void)
{
	/* misses of the features: 36, 12, 12, 12; 28, 20, 20, 4; 24, 20, 4, 16 */
	static const char star[] = "010203011002200330", ring[] = "010203011002201221",
			  path[] = "0102011003301331";
	static const double w[P] = {.25, .25, .25, .25}, some[P] = {.5, .25, 0, .25};
	double step[P];
	struct kith_certificate got = certify(16, star, w, step);

	ok(!got.certified && got.concave == 16 && got.open == 0, "F falls: nothing is open");
	is_near(got.residual, 4. / SIZE, 1e-14, "by 16 - 12 over the size");
	is_step(step, 1, 2);
	got = certify(20, ring, w, step);
	ok(!got.certified && got.open == 0, "F falls");
	is_near(got.residual, 4. / SIZE, 1e-14, "by 20 - 16 over the size");
	is_step(step, 0, 3);
	got = certify(8, star, w, step);
	ok(!got.certified && got.open == 8, "where it does not, all are open");
	ok(got.residual <= KITH_CERTIFY_LIMIT && step[0] == 0 && step[1] == 0,
	    "and no step is known");
	got = certify(8, ring, w, NULL);
	ok(!got.certified && got.open == 8, "nor for other misses");
	got = certify(16, path, some, step);
	ok(!got.certified && got.open == 0, "F falls");
	is_near(got.residual, 2. / SIZE, 1e-14, "by 16 - 14 over the size");
	is_step(step, 2, 0);
	return done();
}
