/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/relief/turn_near.h and lib/relief/soft.h: what lists of near rows
 * hold, when they are made, and sums over pairs of some rows.
 */
#include "relief/turn_near.h"

#include "base/pool.h"
#include "base/rng.h"
#include "near/by_class.h"
#include "relief/soft.h"
#include "relief/turn.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 600, P = 9 };

static struct kith_pool pool;
static struct kith_rng rng;
static double X[N * P], A[P * P], g[P * P], weight[N];
static size_t class[N];

static void
set_up(struct kith_by_class *s, struct kith_relief_turn *turn, size_t n,
    bool weighted)
{
	const struct kith_mat all = {n, P, X};

	kith_rng_seed(&rng, 3, KITH_RNG_START, 0);
	for (size_t k = 0; k < (size_t)N * P; k++)
		X[k] = kith_rng_unit(&rng);
	for (size_t i = 0; i < N; i++) {
		class[i] = i % 2;
		weight[i] = .5 + kith_rng_unit(&rng);
	}
	for (size_t a = 0; a < (size_t)P * P; a++)
		A[a] = a % (P + 1) ? 0 : 20;
	kith_by_class_sort(&all, class, 2, NULL, n, s, &pool);
	*turn = (struct kith_relief_turn){
	    .s = s, .weight = weighted ? weight : NULL, .r = P, .threads = 1};
	kith_relief_turn_new(turn, &pool);
}

/* How far rows i and j are in z. */
static double
apart(const struct kith_relief_turn *turn, size_t i, size_t j)
{
	double sum = 0;

	for (size_t q = 0; q < P; q++) {
		double z = 0;

		for (size_t a = 0; a < P; a++)
			z += A[q * P + a] *
			    (turn->X[i * P + a] - turn->X[j * P + a]);
		sum += z * z;
	}
	return sqrt(sum);
}

static int
compare(const void *a, const void *b)
{
	const double x = *(const double *)a, z = *(const double *)b;

	return (x > z) - (x < z);
}

/* A list has the nearest rows, no distance too large; others are beyond. */
static void
test_lists(bool weighted)
{
	struct kith_by_class s;
	struct kith_relief_turn turn;
	const struct kith_relief_turn_near *near = &turn.near;
	size_t odd = 0, sizes = 0, least = N, most = 0;
	double heaviest = 0, worst = 0;

	set_up(&s, &turn, N, weighted);
	is_size(near->k, 64, "rows of a list");
	kith_relief_turn_value(&turn, A, g);
	ok(near->made && near->now == KITH_RELIEF_NEAR_MADE, "lists are made");
	for (size_t i = 0; i < N; i++) {
		const struct kith_neighbour *nn = near->nn + i * near->k;
		double d[N], sorted[N];

		for (size_t j = 0; j < N; j++)
			d[j] = sorted[j] = j == i ? 0 : apart(&turn, i, j);
		qsort(sorted, N, sizeof(*sorted), compare);
		least = near->held[i] < least ? near->held[i] : least;
		most = near->held[i] > most ? near->held[i] : most;
		for (size_t l = 0; l < near->held[i]; l++) {
			odd += nn[l].row == i || nn[l].d > d[nn[l].row];
			odd += nn[0].d > nn[l].d;
			worst = fmax(worst, d[nn[l].row] - nn[l].d);
			worst = fmax(
			    worst, d[nn[l].row] - sorted[near->held[i]]);
		}
		odd += near->reach[i] > sorted[near->held[i] + 1];
		worst = fmax(worst, sorted[near->held[i]] - near->reach[i]);
		sizes += near->held[i];
		heaviest = fmax(heaviest, turn.log_weight[i]);
	}
	is_size(odd, 0, "distances that are too large, or not in order");
	ok(worst <= 1e-4, "lists are of the nearest: %g", worst);
	ok(least >= 32 && most <= 64 && sizes > (size_t)N * 32,
	    "%zu to %zu of them", least, most);
	ok(near->heaviest == heaviest, "the heaviest of them");
	kith_pool_free(&pool);
}

/* Small A, beside which all rows count: pauses of 1, 3, 7, 15, 16, 16. */
static void
test_pauses(void)
{
	static const size_t pause[] = {1, 3, 7, 15, 16, 16};
	struct kith_by_class s;
	struct kith_relief_turn turn;
	size_t odd = 0;

	set_up(&s, &turn, N, false);
	for (size_t k = 0; k < sizeof(pause) / sizeof(*pause); k++) {
		odd += kith_relief_turn_near_begin(&turn, false, 1) ||
		    turn.near.now != KITH_RELIEF_NEAR_MADE;
		odd += kith_relief_turn_near_end(&turn, false);
		for (size_t l = 0; l < pause[k]; l++) {
			odd += kith_relief_turn_near_begin(&turn, false, 1) ||
			    turn.near.now != KITH_RELIEF_NEAR_IDLE;
			odd += !kith_relief_turn_near_end(&turn, true);
		}
	}
	is_size(odd, 0, "pauses of other lengths");
	/* Lists that are of use once are made again at once, if need be. */
	kith_relief_turn_near_begin(&turn, false, 1);
	kith_relief_turn_near_end(&turn, true);
	ok(turn.near.made && turn.near.served == 0, "lists are made");
	ok(!kith_relief_turn_near_begin(&turn, true, 1) &&
		turn.near.now == KITH_RELIEF_NEAR_IDLE,
	    "rows that are far have no use for them");
	turn.Z[turn.room * 5 + 2] += 3;
	turn.Z[turn.room * 7 + 1] -= 4;
	turn.Z[turn.room * 7 + P - 1] += 3;
	ok(kith_relief_turn_near_begin(&turn, false, 1), "they are used");
	ok(turn.near.moved[5] == 3 && turn.near.moved[7] == 5 &&
		turn.near.moved[6] == 0 && turn.near.most == 5,
	    "rows that have moved");
	kith_relief_turn_near_end(&turn, true);
	is_size(turn.near.served, 1, "once");
	is_size(turn.near.rest, 0, "no pause is left");
	kith_relief_turn_near_begin(&turn, false, 1);
	kith_relief_turn_near_end(&turn, false);
	ok(!turn.near.made && turn.near.idle == 0, "of use no more");
	kith_relief_turn_near_begin(&turn, false, 1);
	ok(turn.near.now == KITH_RELIEF_NEAR_MADE, "made at once");
	kith_pool_free(&pool);
}

/* How many rows have lists, and of how many. */
static void
test_few(void)
{
	static const size_t due[][2] = {
	    {255, 0}, {256, 32}, {400, 50}, {511, 63}, {520, 64}};
	struct kith_by_class s;
	struct kith_relief_turn turn;

	for (size_t k = 0; k < sizeof(due) / sizeof(*due); k++) {
		set_up(&s, &turn, due[k][0], false);
		is_size(turn.near.k, due[k][1], "rows of a list");
		kith_pool_free(&pool);
	}
}

/* A weigh that leaves distances as they are. */
static double
as_it_is(void *to, size_t i, double *d)
{
	(void)to;
	d[i] = 0;
	return (double)i;
}

/* Sums over the pairs of some rows, or all, in steps of 16 and 64. */
static void
test_soft(size_t n, size_t p, bool some, enum kith_metric_kind kind)
{
	struct kith_mat rows = {n, p, X};
	struct kith_by_class s;
	size_t asked[N];
	struct kith_relief_soft soft = {
	    .kind = kind, .weigh = as_it_is, .threads = 1 + n % 2};
	double w[P], sum[P], due[P] = {0}, value, all = 0, worst = 0;

	for (size_t i = 0; i < n; i++)
		asked[i] = some ? i / 2 * 2 : i;
	kith_by_class_sort(&rows, NULL, 1, NULL, n, &s, &pool);
	soft.asked = some ? asked : NULL;
	soft.m = some ? n : 0;
	for (size_t a = 0; a < p; a++)
		w[a] = kith_rng_unit(&rng);
	kith_relief_soft_new(&s, &soft, &pool);
	is_size(soft.p8, p > 8 ? 16 : 8, "numbers of a row");
	value = kith_relief_soft_sum(&soft, w, sum);
	for (size_t l = 0; l < n; l++) {
		const double *x = X + asked[l] * p;

		all += (double)asked[l];
		for (size_t j = 0; j < n; j++) {
			double d = 0;

			for (size_t a = 0; a < p; a++) {
				const double D = fabs(x[a] - X[j * p + a]);

				d += w[a] * (kind == KITH_SQUARED ? D * D : D);
			}
			for (size_t a = 0; a < p; a++) {
				const double D = fabs(x[a] - X[j * p + a]);

				due[a] += d *
				    (kind == KITH_SQUARED ? D * D : D);
			}
		}
	}
	for (size_t a = 0; a < p; a++)
		worst = fmax(worst, fabs(sum[a] / due[a] - 1));
	ok(worst <= 1e-12 && fabs(value - all) < 1e-9,
	    "sums over %zu rows of %zu: %g", n, p, worst);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_lists(false);
	test_lists(true);
	test_pauses();
	test_few();
	for (size_t n = 15; n <= 130; n += n % 2 ? 1 : 31) {
		test_soft(n, 9, false, KITH_SQUARED);
		test_soft(n, 8, true, KITH_SQUARED);
		test_soft(n, 3, true, KITH_ABSOLUTE);
	}
	return done();
}
