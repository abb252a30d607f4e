/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of add_parts(), cmd/wsvmpath/measure.c: by hand, and the sum of paths drawn by a seed
 * against scoring all their rows at many thetas.
 */
#include "base/pool.h"
#include "score/score.h"
#include "tap.h"
#include "wsvmpath/scores.h"

#include <stdlib.h>

enum { PARTS = 6 };

static struct kith_pool pool;

static struct intervals all;
static struct path path[PARTS];
static struct part part[PARTS];

static void
follow(size_t i)
{
	struct path *p = &path[i];
	struct measure *v;

	part[i] = (struct part){.test = p->how, .intervals.pool = &pool};
	v = measure_new(&part[i], &pool);
	for (size_t k = 0; k < p->pieces; k++) {
		double f0[ROWS], f1[ROWS];

		for (size_t r = 0; r < p->how.m; r++)
			line(p, k, r, &f0[r], &f1[r]);
		measure_piece(v, p->theta[k], p->theta[k + 1], f0, f1);
	}
	measure_end(v);
}

static void
add_all(size_t parts)
{
	options.parts = parts;
	all = (struct intervals){.pool = &pool};
	for (size_t i = 0; i < parts; i++)
		follow(i);
	add_parts(part, parts, &all);
}

static bool
is(size_t k, double from, double to, size_t errors, double value, double se)
{
	const struct interval *it = &all.v[k];

	return k < all.n && fabs(it->from - from) <= 1e-15 && fabs(it->to - to) <= 1e-15 &&
	    it->errors == errors && fabs(it->value - value) <= 1e-15 &&
	    fabs(it->se - se) <= 1e-15 && fabs(it->theta - (from + to) / 2) <= 1e-15;
}

static void
test_errors(void)
{
	/* Part 0: wrong up to .5.  Part 1: right up to .5, one of two rows. */
	path_new(&path[0], 1, 1, KITH_SVM_ERROR);
	path_new(&path[1], 2, 1, KITH_SVM_ERROR);
	path[0].y[0] = path[1].y[0] = path[1].y[1] = 1;
	path[0].f[0][0] = -1;
	path[0].f[1][0] = 1;
	memcpy(path[1].f[0], (double[]){1, 5}, 2 * sizeof(double));
	memcpy(path[1].f[1], (double[]){-1, 5}, 2 * sizeof(double));
	add_all(2);
	ok(all.n == 2 && is(0, 0, .5, 1, 1. / 3, .5) && is(1, .5, 1, 1, 1. / 3, .25),
	    "one error leaves as another comes: the spread differs");
	path[0].f[0][0] = -3; /* up to .75 */
	path[1].f[1][0] = 1;
	path[1].f[0][0] = -1; /* up to .5 */
	add_all(2);
	ok(all.n == 3 && is(0, 0, .5, 2, 2. / 3, .25) && is(1, .5, .75, 1, 1. / 3, .5) &&
		is(2, .75, 1, 0, 0, 0),
	    "two breakpoints");
	memcpy(path[0].cost, (double[]){3}, sizeof(double));
	memcpy(path[1].cost, (double[]){1, 2}, 2 * sizeof(double));
	path[0].how.cost = path[0].cost;
	path[1].how.cost = path[1].cost;
	add_all(2);
	ok(is(0, 0, .5, 2, 4. / 6, 1. / 3) && is(1, .5, .75, 1, 3. / 6, .5), "costs");
	path_new(&path[0], 1, 1, KITH_SVM_ERROR);
	path[0].how.m = 0;
	path[1].how.cost = NULL;
	add_all(2);
	ok(all.n == 2 && isnan(all.v[0].se) && all.v[0].value == .5, "a part without rows is none");
}

/* A parabola of each part, least at .25 and at .75. */
static void
test_squares(void)
{
	path_new(&path[0], 1, 1, KITH_SVM_SQUARED);
	path_new(&path[1], 1, 1, KITH_SVM_SQUARED);
	path[0].f[0][0] = -.25;
	path[0].f[1][0] = .75;
	path[1].f[0][0] = -.75;
	path[1].f[1][0] = .25;
	add_all(2);
	ok(all.n == 1 && fabs(all.v[0].theta - .5) < 1e-15 && fabs(all.v[0].value - .25) < 1e-15 &&
		fabs(all.v[0].value_from - sqrt(.625 / 2)) < 1e-15 &&
		fabs(all.v[0].value_to - sqrt(.625 / 2)) < 1e-15 && all.v[0].se == 0,
	    "two parabolas: least between");
	path[0].f[1][0] = -.25;
	path[1].f[1][0] = -.75;
	add_all(2);
	ok(all.n == 1 && all.v[0].theta == 0 && fabs(all.v[0].value - sqrt(.3125)) < 1e-15 &&
		fabs(all.v[0].se - .25 / (2 * sqrt(.3125))) < 1e-15,
	    "constants: the spread of a root");
	path[1].f[1][0] = path[1].f[0][0] = path[0].f[1][0] = path[0].f[0][0] = 0;
	add_all(2);
	ok(all.v[0].value == 0 && all.v[0].se == 0, "no error, no spread");
}

/* Returns the loss of a part at theta, from the scores of all rows; *weight: the sum of costs. */
static double
loss_at(const struct path *p, double theta, size_t *errors, double *weight)
{
	double sum = 0, y[ROWS], f[ROWS];
	size_t k = 0, n = 0, counted, query[ROWS];

	while (p->theta[k + 1] < theta)
		k++;
	*weight = 0;
	for (size_t i = 0; i < p->how.m; i++) {
		const bool error = options.measure == KITH_SVM_ERROR;
		const double c = p->how.cost ? p->cost[i] : 1;
		double f0, f1;

		if (isnan(p->y[i]))
			continue;
		line(p, k, i, &f0, &f1);
		y[n] = p->y[i];
		f[n] = f0 + theta * f1;
		query[n] = p->query[i];
		*errors += error && y[n] * f[n] <= 0;
		sum += c * (error ? y[n] * f[n] <= 0 : (y[n] - f[n]) * (y[n] - f[n]));
		*weight += c;
		n++;
	}
	if (options.measure != KITH_SVM_NDCG)
		return sum;
	sum = kith_score_ndcg(&(struct kith_score_ranking){y, f, query, n}, options.ndcg, &counted);
	*weight = 0; /* of ndcg: the number of queries */
	for (size_t q = 0; q < p->how.queries; q++) {
		bool some = false;

		for (size_t i = 0; i < n; i++)
			some |= query[i] == q;
		*weight += some;
	}
	return sum * *weight;
}

/* Returns the measure of all parts at theta. */
static struct interval
measure_at(int measure, size_t parts, double theta)
{
	double loss[PARTS], weight[PARTS], l = 0, w = 0, mean = 0, sum = 0;
	struct interval at = {0};

	for (size_t i = 0; i < parts; i++) {
		loss[i] = loss_at(&path[i], theta, &at.errors, &weight[i]);
		l += loss[i];
		w += weight[i];
		mean += loss[i] / weight[i] / (double)parts;
	}
	for (size_t i = 0; i < parts; i++)
		sum += pow(loss[i] / weight[i] - mean, 2);
	at.value = l / w;
	at.se = sqrt(sum / (double)(parts * (parts - 1)));
	if (measure == KITH_SVM_SQUARED) {
		at.value = sqrt(at.value);
		at.se = at.value > 0 ? at.se / (2 * at.value) : 0;
	}
	return at;
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-11;
}

/* squared: returns whether ends, minimum and standard error of an interval are of the curve. */
static bool
curve_holds(const struct interval *it, size_t parts, double theta)
{
	const double narrow = 1e-9 * (it->to - it->from);
	const int squared = KITH_SVM_SQUARED;
	const double from = it->from + narrow, to = it->to - narrow;
	const double at = fmin(fmax(it->theta, from), to);
	const struct interval least = measure_at(squared, parts, at);

	return fabs(measure_at(squared, parts, from).value - it->value_from) < 1e-6 &&
	    fabs(measure_at(squared, parts, to).value - it->value_to) < 1e-6 &&
	    fabs(least.value - it->value) < 1e-6 &&
	    (fabs(least.se - it->se) < 1e-6 || it->value < 1e-3) &&
	    measure_at(squared, parts, theta).value >= it->value - 1e-11;
}

/* Returns whether the interval at theta has the measure at theta. */
static bool
true_at(int measure, size_t parts, double theta)
{
	const struct interval due = measure_at(measure, parts, theta);
	const struct interval *it = all.v;

	while (it + 1 < all.v + all.n && it->to < theta)
		it++;
	if (fabs(theta - it->from) < 1e-9 || fabs(theta - it->to) < 1e-9)
		return true; /* rounding decides */
	if (measure == KITH_SVM_SQUARED)
		return curve_holds(it, parts, theta);
	return near(due.value, it->value) && near(due.se, it->se) &&
	    (measure == KITH_SVM_NDCG || due.errors == it->errors);
}

static bool
well_formed(int measure)
{
	bool good = all.n > 0 && all.v[0].from == 0 && all.v[all.n - 1].to == 1;

	for (size_t k = 0; k < all.n; k++)
		good &= all.v[k].from < all.v[k].to;
	for (size_t k = 1; k < all.n; k++)
		good &= all.v[k].from == all.v[k - 1].to &&
		    (measure == KITH_SVM_SQUARED || all.v[k].value != all.v[k - 1].value ||
			all.v[k].se != all.v[k - 1].se || all.v[k].errors != all.v[k - 1].errors);
	return good;
}

static void
test_random(int measure, const char *name)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 2000 : 60;
	size_t wrong = 0, ragged = 0, n = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		size_t parts;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 1);
		parts = 2 + kith_rng_below(&rng, PARTS - 1);
		for (size_t i = 0; i < parts; i++)
			path_draw(&path[i], measure);
		add_all(parts);
		n += all.n;
		ragged += !well_formed(measure);
		for (size_t t = 0; t < 200; t++)
			wrong += !true_at(measure, parts, kith_rng_unit(&rng));
		kith_pool_free(&pool);
	}
	ok(wrong == 0, "%s: as at 200 thetas each (%zu are not)", name, wrong);
	ok(ragged == 0, "and intervals that join and differ, %zu of them", n);
}

int
main(void)
{
	test_errors();
	test_squares();
	test_random(KITH_SVM_ERROR, "errors");
	test_random(KITH_SVM_SQUARED, "squares");
	test_random(KITH_SVM_NDCG, "NDCG");
	kith_pool_free(&pool);
	return done();
}
