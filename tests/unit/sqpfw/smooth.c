/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/sqpfw/smooth.h and lib/sqpfw/smooth_least.h. */
#include "sqpfw/smooth.h"

#include "sqpfw/data.h"
#include "sqpfw/smooth_least.h"
#include "tap.h"

#include <math.h>

enum { MOST = 12 };

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* By hand: the soft minimum of 0 and T log 3 is -T log(4/3). */
static void
test_hand(void)
{
	const double d[] = {.5 * log(3), 0}, same[] = {2, 2, 2};
	double q[3], room[3];

	is_near(kith_sqpfw_smooth_least(1, .5, 2, d, q, room), -.5 * log(4. / 3), 1e-15,
	    "the soft minimum of two");
	is_near(q[0], .25, 1e-15, "a quarter of the farther");
	is_near(q[1], .75, 1e-15, "the rest of the nearer");
	is_near(kith_sqpfw_smooth_least(1, 1, 1, same, q, room), 2, 1e-15, "of one");
	kith_sqpfw_smooth_least(2, .1, 3, same, q, room);
	is_near(q[0], 1. / 3, 1e-9, "equal numbers share");
}

/* Against sorted numbers as T goes to 0, and derivatives against differences. */
static void
test_least(void)
{
	double off = 0, slope = 0, sum = 0;

	for (size_t k = 0; k < 200; k++) {
		const size_t m = whole(1, MOST), rank = whole(1, m);
		const size_t at = whole(0, m - 1);
		double d[MOST], e[MOST] = {0}, q[MOST], r[MOST], room[MOST], up, down;
		double total = 0;

		for (size_t j = 0; j < m; j++)
			e[j] = d[j] = number(0, 2);
		qsort(e, m, sizeof(*e), compare);
		off = fmax(
		    off, fabs(kith_sqpfw_smooth_least(rank, 1e-6, m, d, q, room) - e[rank - 1]));
		kith_sqpfw_smooth_least(rank, .1, m, d, q, room);
		for (size_t j = 0; j < m; j++)
			total += q[j];
		sum = fmax(sum, fabs(total - 1));
		d[at] += 1e-5;
		up = kith_sqpfw_smooth_least(rank, .1, m, d, r, room);
		d[at] -= 2e-5;
		down = kith_sqpfw_smooth_least(rank, .1, m, d, r, room);
		slope = fmax(slope, fabs((up - down) / 2e-5 - q[at]));
	}
	ok(off < 1e-4, "nearly the k-th smallest at T = 1e-6: %.1e", off);
	ok(slope < 1e-6, "the gradient is that of the value: %.1e", slope);
	ok(sum < 1e-7, "it sums to 1: %.1e", sum);
}

/* S_k = k mu - T sum log(1 + exp((mu - d) / T)), 1'q = k, by bisection alone;
 * the value there, and q. */
static double
plain_sum(size_t k, double T, size_t m, const double *d, double *q)
{
	double low = -1e3, high = 1e3, value;

	for (int step = 0; step < 200; step++) {
		const double mu = (low + high) / 2;
		double sum = 0;

		for (size_t j = 0; j < m; j++)
			sum += q[j] = 1 / (1 + exp((d[j] - mu) / T));
		*(sum > (double)k ? &high : &low) = mu;
	}
	value = 0;
	for (size_t j = 0; j < m; j++) {
		value += q[j] * d[j];
		if (q[j] > 0 && q[j] < 1)
			value += T * (q[j] * log(q[j]) + (1 - q[j]) * log1p(-q[j]));
	}
	return value;
}

/* -T log sum exp(-d / T), and its gradient. */
static double
plain_least(double T, size_t m, const double *d, double *q)
{
	double least = d[0], sum = 0;

	for (size_t j = 1; j < m; j++)
		least = fmin(least, d[j]);
	for (size_t j = 0; j < m; j++)
		sum += q[j] = exp((least - d[j]) / T);
	for (size_t j = 0; j < m; j++)
		q[j] /= sum;
	return sum > 0 ? least - T * log(sum) : NAN;
}

/* Against the sums as they are defined, hot and cold, of any size. */
static void
test_definition(void)
{
	enum { LONG = 40 };
	double off = 0, share = 0;

	for (size_t k = 0; k < 300; k++) {
		const size_t m = whole(1, LONG);
		const size_t rank = whole(1, k % 2 || m < 3 ? m : 3);
		const double T = exp(number(-8, 3));
		double d[LONG] = {0}, q[LONG], all[LONG], less[LONG] = {0}, room[LONG];
		double got, due;

		for (size_t j = 0; j < m; j++)
			d[j] = k % 7 ? number(0, 2) : (double)whole(0, 2);
		got = kith_sqpfw_smooth_least(rank, T, m, d, q, room);
		due = rank == 1
		    ? plain_least(T, m, d, all)
		    : plain_sum(rank, T, m, d, all) - plain_sum(rank - 1, T, m, d, less);
		for (size_t j = 0; j < m; j++)
			share = fmax(share, fabs(q[j] - (all[j] - less[j])));
		off = fmax(off, fabs(got - due) / fmax(T, 1));
	}
	ok(off < 1e-7, "as defined: %.1e", off);
	ok(share < 1e-6, "and its shares: %.1e", share);
}

/* Solve from a smooth start; F, or NAN where it is not certified. */
static double
solve(struct set *set, size_t threads, double *w, struct kith_pool *pool)
{
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;

	set->how.threads = threads;
	s = kith_sqpfw_new(&set->X, set->y, set->c, &set->how, pool);
	if (!kith_sqpfw_smooth(s, set->theta))
		return NAN;
	kith_sqpfw_solve(s, set->theta);
	kith_sqpfw_at(s, &now);
	memcpy(w, now.w, set->X.p * sizeof(*w));
	kith_sqpfw_free(s);
	return is_minimum(set, w, set->theta) ? now.objective : NAN;
}

/* Sets of all kinds, for targets of rank 1 to 3: minima, for any threads. */
static void
test_sets(void)
{
	size_t certified = 0, same = 0, lower = 0;

	for (size_t k = 0; k < 40; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;
		double w[FEATURES], v[FEATURES], F;

		draw(&set, k % 2 ? DOUBLED : CONTINUOUS, &pool);
		F = solve(&set, 1, w, &pool);
		certified += isnan(F) ? 0 : 1;
		solve(&set, 3, v, &pool);
		same += memcmp(w, v, set.X.p * sizeof(*w)) == 0;
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kith_sqpfw_solve(s, set.theta);
		kith_sqpfw_at(s, &now);
		lower += F <= now.objective + 1e-12;
		kith_sqpfw_free(s);
		kith_pool_free(&pool);
	}
	ok(certified >= 36, "%zu of 40 certified", certified);
	is_size(same, 40, "the same bits for three threads");
	ok(lower >= 20, "%zu not above what the prior leads to", lower);
}

static void
test_none(void)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw *s;
	struct set set;

	draw(&set, CONTINUOUS, &pool);
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	ok(!kith_sqpfw_smooth(s, 0), "theta 0 needs no start");
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 7, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_least();
	test_definition();
	test_sets();
	test_none();
	return done();
}
