/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of cmd/wsvmpath/measure.c: by hand, and paths of scores drawn by a seed, of one part and
 * of several, some of them without rows, against scoring all their rows at many thetas.  cv.c has
 * votes.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "score/score.h"
#include "tap.h"
#include "wsvmpath/wsvmpath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, PIECES = 12, PARTS = 6 };

struct kith_svm_options options;

static struct kith_pool pool;
static struct kith_rng rng;

/* A continuous path of m scores: values at the ends of pieces. */
struct path {
	struct test how;
	size_t m;
	size_t pieces;
	double theta[PIECES + 1], f[PIECES + 1][ROWS];
	double y[ROWS], cost[ROWS];
	size_t query[ROWS], class[ROWS];
};

static struct path path[PARTS];
static struct intervals all; /* of one path, or of all parts */

static void
line(const struct path *p, size_t piece, size_t i, double *f0, double *f1)
{
	const double a = p->theta[piece], b = p->theta[piece + 1];

	*f1 = (p->f[piece + 1][i] - p->f[piece][i]) / (b - a);
	*f0 = p->f[piece][i] - a * *f1;
}

static void
path_new(struct path *p, size_t m, size_t pieces, int measure)
{
	memset(p, 0, sizeof(*p));
	options.task = measure;
	options.ndcg = 10;
	p->how = (struct test){.classes = 2, .y = p->y, .cost = p->cost, .queries = 1};
	for (size_t i = 0; i < ROWS; i++)
		p->cost[i] = 1;
	p->how.query = p->query;
	p->how.class = p->class;
	p->m = m;
	p->pieces = pieces;
	for (size_t k = 0; k <= pieces; k++)
		p->theta[k] = (double)k / (double)pieces;
}

/* Draws a path; coarse scores are from a grid, so that scores are equal or 0. */
static void
path_draw(struct path *p, int measure)
{
	const bool coarse = kith_rng_below(&rng, 2);
	bool costs;

	path_new(p, 1 + kith_rng_below(&rng, ROWS), 1 + kith_rng_below(&rng, PIECES), measure);
	p->how.queries = 1 + kith_rng_below(&rng, 5);
	options.ndcg = 1 + kith_rng_below(&rng, 6);
	costs = kith_rng_below(&rng, 2) && measure != KITH_SVM_RANK;
	for (size_t i = 0; i < p->m; i++) {
		if (costs)
			p->cost[i] = (double)kith_rng_below(&rng, 3) + .1;
		p->query[i] = kith_rng_below(&rng, p->how.queries);
		p->y[i] = measure == KITH_SVM_CLASSIFY ? (double)kith_rng_below(&rng, 3) - 1
						       : (double)kith_rng_below(&rng, 4);
		if (measure == KITH_SVM_CLASSIFY ? p->y[i] == 0 : kith_rng_below(&rng, 10) == 0)
			p->y[i] = NAN;
		for (size_t k = 0; k <= p->pieces; k++) {
			const double x = 2 * kith_rng_unit(&rng) - 1;

			p->f[k][i] = coarse ? floor(4 * x) / 2 : x;
		}
	}
	p->y[0] = 1; /* one row counts at least */
}

/* Measures some paths; one alone is of no part. */
static void
follow(size_t paths)
{
	struct measure m[PARTS];
	size_t row[ROWS];

	options.parts = paths > 1 ? paths : 0;
	all = (struct intervals){.pool = &pool};
	for (size_t i = 0; i < ROWS; i++)
		row[i] = i;
	for (size_t i = 0; i < paths; i++) {
		struct path *p = &path[i];

		for (size_t r = 0; r < p->m; r++)
			p->class[r] = isnan(p->y[r]) ? KITH_NO_CLASS : 1;
		measure_begin(&m[i], &p->how, row, p->m);
		for (size_t k = 0; k < p->pieces; k++) {
			double f0[ROWS], f1[ROWS];

			for (size_t r = 0; r < p->m; r++)
				line(p, k, r, &f0[r], &f1[r]);
			measure_piece(&m[i], p->theta[k], p->theta[k], f0, f1); /* of no length */
			measure_piece(&m[i], p->theta[k], p->theta[k + 1], f0, f1);
		}
	}
	add_measures(m, paths, 1, &all);
	for (size_t i = 0; i < paths; i++)
		kith_pool_free(&m[i].pool);
}

static bool
same(double a, double b)
{
	return fabs(a - b) <= 1e-15;
}

static bool
is(size_t k, double from, double to, size_t errors, double value, double se)
{
	const struct interval *it = &all.v[k];

	return k < all.n && same(it->from, from) && same(it->to, to) && it->at.errors == errors &&
	    same(it->at.error, value) && (isnan(se) ? isnan(it->at.se) : same(it->at.se, se)) &&
	    same(it->theta, (from + to) / 2);
}

/* The standard error of e over n rows: e (1 - e) / (n - 1). */
static double
se_of(double e, size_t n)
{
	return sqrt(e * (1 - e) / (double)(n - 1));
}

static void
test_errors(void)
{
	struct path *p = path;

	/* Two rows of +1 and one of -1; the last does not count. */
	path_new(p, 4, 2, KITH_SVM_CLASSIFY);
	memcpy(p->y, (double[]){1, 1, -1, NAN}, 4 * sizeof(*p->y));
	memcpy(p->f[0], (double[]){1, -1, -2, 5}, 4 * sizeof(*p->y));
	memcpy(p->f[1], (double[]){-1, 1, -1, -5}, 4 * sizeof(*p->y));
	memcpy(p->f[2], (double[]){-3, 0, 3, 5}, 4 * sizeof(*p->y));
	follow(1);
	ok(all.n == 2 && is(0, 0, .625, 1, 1. / 3, se_of(1. / 3, 3)) &&
		is(1, .625, 1, 2, 2. / 3, se_of(2. / 3, 3)),
	    "two cross at .25, one wrong before and after; then one at .625");
	memcpy(p->cost, (double[]){3, 1, 4, 7}, 4 * sizeof(*p->y));
	follow(1);
	ok(all.n == 3 && is(0, 0, .25, 1, 1. / 8, se_of(1. / 8, 3)) &&
		is(1, .25, .625, 1, 3. / 8, se_of(3. / 8, 3)) &&
		is(2, .625, 1, 2, 7. / 8, se_of(7. / 8, 3)),
	    "with costs the error changes where the number does not");
	p->m = 1;
	follow(1);
	ok(isnan(all.v[0].at.se), "the standard error of one row is not known");

	path_new(p, 2, 2, KITH_SVM_CLASSIFY);
	p->y[0] = 1;
	p->y[1] = -1;
	follow(1);
	ok(all.n == 1 && is(0, 0, 1, 2, 1, 0), "y f = 0 is wrong, of both");
	p->f[1][0] = p->f[1][1] = 1e-9;
	follow(1);
	ok(all.n == 1 && is(0, 0, 1, 1, .5, .5), "but not at single thetas");
	p->f[2][0] = -1e-9;
	follow(1);
	ok(all.n == 2 && is(1, .75, 1, 2, 1, 0), "leaving 0, and crossing it");

	path_new(p, 2, 1, KITH_SVM_CLASSIFY);
	p->y[0] = p->y[1] = p->f[0][0] = p->f[0][1] = 1;
	p->f[1][0] = -1;
	p->f[1][1] = -1 - 1e-14;
	follow(1);
	ok(all.n == 2 && all.v[0].at.errors == 0 && all.v[1].at.errors == 2,
	    "zeros that differ by rounding are one");
}

/* Standard errors of squared and ndcg. */
static void
test_spread(void)
{
	struct path *p = path;

	path_new(p, 3, 1, KITH_SVM_REGRESS);
	memcpy(p->y, (double[]){1, 2, 4}, 3 * sizeof(*p->y));
	follow(1); /* squares 1, 4, 16, of mean 7 */
	ok(all.n == 1 && same(all.v[0].at.error, sqrt(7)) &&
		same(all.v[0].at.se, sqrt((36 + 9 + 81) / 6.) / (2 * sqrt(7))),
	    "squared: that of the mean, over twice the root");
	memcpy(p->f[0], p->y, 3 * sizeof(*p->y));
	memcpy(p->f[1], p->y, 3 * sizeof(*p->y));
	follow(1);
	ok(all.v[0].at.error == 0 && all.v[0].at.se == 0, "and 0 where all is right");

	path_new(p, 4, 1, KITH_SVM_RANK);
	memcpy(p->y, (double[]){1, 0, 1, 1}, 4 * sizeof(*p->y));
	memcpy(p->query, (size_t[]){0, 0, 1, 2}, 4 * sizeof(*p->query));
	p->how.queries = 3;
	options.ndcg = 1;
	memcpy(p->f[0], (double[]){0, 1, 0, 0}, 4 * sizeof(*p->f[0]));
	memcpy(p->f[1], p->f[0], 4 * sizeof(*p->f[0]));
	follow(1); /* 0, 1, 1 */
	ok(same(all.v[0].at.error, 2. / 3) && same(all.v[0].at.se, 1. / 3),
	    "ndcg: over the queries");
}

/* Scores that are constant, of two parts: where there is an error, and where there is none. */
static void
test_parts(void)
{
	path_new(&path[0], 1, 1, KITH_SVM_REGRESS);
	path_new(&path[1], 1, 1, KITH_SVM_REGRESS);
	path[0].f[0][0] = path[0].f[1][0] = -.25;
	path[1].f[0][0] = path[1].f[1][0] = -.75;
	follow(2);
	ok(all.n == 1 && all.v[0].theta == 0 && same(all.v[0].at.error, sqrt(.3125)) &&
		same(all.v[0].at.se, .25 / (2 * sqrt(.3125))),
	    "constants: the spread of a root");
	path[1].f[1][0] = path[1].f[0][0] = path[0].f[1][0] = path[0].f[0][0] = 0;
	follow(2);
	ok(all.v[0].at.error == 0 && all.v[0].at.se == 0, "no error, no spread");
}

/* Returns the loss of a path at theta, from the scores of all rows; *weight: the sum of costs. */
static double
loss_at(const struct path *p, double theta, size_t *errors, double *weight)
{
	double sum = 0, y[ROWS], f[ROWS];
	size_t k = 0, n = 0, counted, query[ROWS];

	while (p->theta[k + 1] < theta)
		k++;
	*weight = 0;
	for (size_t i = 0; i < p->m; i++) {
		const bool error = options.task == KITH_SVM_CLASSIFY;
		const double c = p->cost[i];
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
	if (options.task != KITH_SVM_RANK || n == 0)
		return sum;
	sum = kith_score_ndcg(y, f, query, n, options.ndcg, &counted);
	*weight = 0; /* of ndcg: the number of queries */
	for (size_t q = 0; q < p->how.queries; q++) {
		bool some = false;

		for (size_t i = 0; i < n; i++)
			some |= query[i] == q;
		*weight += some;
	}
	return sum * *weight;
}

/* Returns the measure of all paths at theta; se: of several, over the parts. */
static struct kith_trial
measure_at(size_t paths, double theta)
{
	double loss[PARTS], weight[PARTS], l = 0, w = 0, mean = 0, sum = 0, parts = 0;
	struct kith_trial at = {0};

	for (size_t i = 0; i < paths; i++) {
		loss[i] = loss_at(&path[i], theta, &at.errors, &weight[i]);
		l += loss[i];
		w += weight[i];
		mean += weight[i] > 0 ? loss[i] / weight[i] : 0;
		parts += weight[i] > 0;
	}
	for (size_t i = 0; i < paths; i++)
		sum += weight[i] > 0 ? pow(loss[i] / weight[i] - mean / parts, 2) : 0;
	at.error = l / w;
	at.se = sqrt(sum / (parts * (parts - 1)));
	if (options.task == KITH_SVM_REGRESS) {
		at.error = sqrt(at.error);
		at.se = at.error > 0 ? at.se / (2 * at.error) : 0;
	}
	return at;
}

/* squared: returns whether ends, minimum and standard error of an interval are of the curve. */
static bool
curve_holds(const struct interval *it, size_t paths, double theta)
{
	const double narrow = 1e-9 * (it->to - it->from);
	const double from = it->from + narrow, to = it->to - narrow;
	const struct kith_trial least = measure_at(paths, fmin(fmax(it->theta, from), to));

	return fabs(measure_at(paths, from).error - it->value_from) < 1e-6 &&
	    fabs(measure_at(paths, to).error - it->value_to) < 1e-6 &&
	    fabs(least.error - it->at.error) < 1e-6 &&
	    (paths == 1 || fabs(least.se - it->at.se) < 1e-6 || it->at.error < 1e-3) &&
	    measure_at(paths, theta).error >= it->at.error - 1e-11;
}

/* Returns whether the interval at theta has the measure at theta. */
static bool
true_at(size_t paths, double theta)
{
	const struct kith_trial due = measure_at(paths, theta);
	const struct interval *it = all.v;

	while (it + 1 < all.v + all.n && it->to < theta)
		it++;
	if (fabs(theta - it->from) < 1e-9 || fabs(theta - it->to) < 1e-9)
		return true; /* rounding decides */
	if (options.task == KITH_SVM_REGRESS)
		return curve_holds(it, paths, theta);
	return fabs(due.error - it->at.error) <= 1e-11 &&
	    (paths == 1 || fabs(due.se - it->at.se) <= 1e-11) &&
	    (options.task == KITH_SVM_RANK || due.errors == it->at.errors);
}

static bool
well_formed(void)
{
	bool good = all.n > 0 && all.v[0].from == 0 && all.v[all.n - 1].to == 1;

	for (size_t k = 0; k < all.n; k++)
		good &= all.v[k].from < all.v[k].to;
	for (size_t k = 1; k < all.n; k++)
		good &= all.v[k].from == all.v[k - 1].to &&
		    (options.task == KITH_SVM_REGRESS ||
			all.v[k].at.error != all.v[k - 1].at.error ||
			all.v[k].at.se != all.v[k - 1].at.se ||
			all.v[k].at.errors != all.v[k - 1].at.errors);
	return good;
}

static void
test_random(int measure, const char *name)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 2000 : 120;
	size_t wrong = 0, ragged = 0, n = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		size_t paths;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		paths = seed % 2 ? 1 : 2 + kith_rng_below(&rng, PARTS - 1);
		for (size_t i = 0; i < paths; i++) {
			path_draw(&path[i], measure);
			if (i > 1 && kith_rng_below(&rng, 4) == 0)
				path[i].m = 0;
		}
		follow(paths);
		n += all.n;
		ragged += !well_formed();
		for (size_t t = 0; t < 300; t++)
			wrong += !true_at(paths, kith_rng_unit(&rng));
		kith_pool_free(&pool);
	}
	ok(wrong == 0, "%s: as at 300 thetas each (%zu are not)", name, wrong);
	ok(ragged == 0, "and intervals that join and differ, %zu of them", n);
}

int
main(void)
{
	test_errors();
	test_spread();
	test_parts();
	test_random(KITH_SVM_CLASSIFY, "errors");
	test_random(KITH_SVM_REGRESS, "squares");
	test_random(KITH_SVM_RANK, "NDCG");
	kith_pool_free(&pool);
	return done();
}
