/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of measure_piece(), cmd/wsvmpath/measure.c: by hand, and against scoring at many thetas.
 */
#include "base/pool.h"
#include "score/score.h"
#include "tap.h"
#include "wsvmpath/scores.h"

#include <math.h>
#include <stdlib.h>

static struct kith_pool pool;

/* The intervals of the measure. */
static struct intervals list;

static void
follow(const struct path *p)
{
	struct measure *v;

	static struct part part;

	part = (struct part){.test = p->how, .intervals.pool = &pool};
	v = measure_new(&part, &pool);
	for (size_t k = 0; k < p->pieces; k++) {
		double f0[ROWS], f1[ROWS];

		for (size_t i = 0; i < p->how.m; i++)
			line(p, k, i, &f0[i], &f1[i]);
		measure_piece(v, p->theta[k], p->theta[k + 1], f0, f1);
	}
	measure_end(v);
	list = part.intervals;
}

static bool
is(size_t k, double from, double to, size_t errors, double value)
{
	return k < list.n && fabs(list.v[k].from - from) <= 1e-15 &&
	    fabs(list.v[k].to - to) <= 1e-15 && list.v[k].errors == errors &&
	    fabs(list.v[k].value - value) <= 1e-15;
}

static void
test_errors(void)
{
	struct path p;

	/* Two rows of +1 and one of -1; the last does not count. */
	path_new(&p, 4, 2, KITH_SVM_ERROR);
	memcpy(p.y, (double[]){1, 1, -1, NAN}, 4 * sizeof(*p.y));
	memcpy(p.f[0], (double[]){1, -1, -2, 5}, 4 * sizeof(*p.y));
	memcpy(p.f[1], (double[]){-1, 1, -1, -5}, 4 * sizeof(*p.y));
	memcpy(p.f[2], (double[]){-3, 0, 3, 5}, 4 * sizeof(*p.y));
	follow(&p);
	ok(list.n == 2 && is(0, 0, .625, 1, 1. / 3) && is(1, .625, 1, 2, 2. / 3),
	    "two cross at .25, one wrong before and after; then one at .625");
	memcpy(p.cost, (double[]){3, 1, 4, 7}, 4 * sizeof(*p.y));
	p.how.cost = p.cost;
	follow(&p);
	ok(list.n == 3 && is(0, 0, .25, 1, 1. / 8) && is(1, .25, .625, 1, 3. / 8) &&
		is(2, .625, 1, 2, 7. / 8),
	    "with costs the error changes where the number does not");
	ok(list.v[2].theta == .8125, "the middle");
	ok(fabs(list.v[2].se - sqrt(7. / 8 * (1. / 8) / 2)) < 1e-15,
	    "its standard error: e (1 - e) / (n - 1), e by cost");
	p.how.m = 1;
	follow(&p);
	ok(isnan(list.v[0].se), "that of one row is not known");

	path_new(&p, 2, 2, KITH_SVM_ERROR);
	p.y[0] = 1;
	p.y[1] = -1;
	follow(&p);
	ok(list.n == 1 && is(0, 0, 1, 2, 1), "y f = 0 is wrong, of both");
	p.f[1][0] = p.f[1][1] = 1e-9;
	follow(&p);
	ok(list.n == 1 && is(0, 0, 1, 1, .5), "but not at single thetas");
	p.f[2][0] = -1e-9;
	follow(&p);
	ok(list.n == 2 && is(1, .75, 1, 2, 1), "leaving 0, and crossing it");
}

/* Returns the measure at theta, from the scores of all rows. */
static double
measure_at(const struct path *p, double theta, size_t *errors)
{
	const double *cost = p->how.cost;
	double sum = 0, all = 0, y[ROWS], f[ROWS];
	size_t k = 0, n = 0, counted, query[ROWS];

	while (p->theta[k + 1] < theta)
		k++;
	*errors = 0;
	for (size_t i = 0; i < p->how.m; i++) {
		const double c = cost ? cost[i] : 1;
		double f0, f1, e;

		line(p, k, i, &f0, &f1);
		e = f0 + theta * f1;
		if (options.measure == KITH_SVM_ERROR && !isnan(p->y[i])) {
			*errors += p->y[i] * e <= 0;
			sum += c * (p->y[i] * e <= 0);
			all += c;
		} else if (options.measure != KITH_SVM_ERROR && !isnan(p->y[i])) {
			sum += c * (p->y[i] - e) * (p->y[i] - e);
			all += c;
			y[n] = p->y[i];
			f[n] = e;
			query[n++] = p->query[i];
		}
	}
	if (options.measure == KITH_SVM_SQUARED)
		return sqrt(sum / all);
	if (options.measure == KITH_SVM_ERROR)
		return sum / all;
	return kith_score_ndcg(
	    &(struct kith_score_ranking){y, f, query, n}, options.ndcg, &counted);
}

/* Returns whether the interval at theta has the measure at theta. */
static bool
true_at(const struct path *p, double theta)
{
	size_t at = 0, errors;
	double value;

	while (at + 1 < list.n && list.v[at].to < theta)
		at++;
	if (fabs(theta - list.v[at].from) < 1e-9 || fabs(theta - list.v[at].to) < 1e-9)
		return true; /* rounding decides */
	value = measure_at(p, theta, &errors);
	if (options.measure == KITH_SVM_SQUARED)
		return value >= list.v[at].value - 1e-12;
	return fabs(value - list.v[at].value) <= 1e-12 &&
	    (options.measure == KITH_SVM_NDCG || errors == list.v[at].errors);
}

static bool
well_formed(void)
{
	bool good = list.n > 0 && list.v[0].from == 0 && list.v[list.n - 1].to == 1;

	for (size_t k = 0; k < list.n; k++)
		good &= list.v[k].from < list.v[k].to;
	for (size_t k = 1; k < list.n; k++)
		good &= list.v[k].from == list.v[k - 1].to &&
		    (options.measure == KITH_SVM_SQUARED ||
			list.v[k].value != list.v[k - 1].value ||
			list.v[k].errors != list.v[k - 1].errors);
	return good;
}

/* squared: returns whether the ends and the minimum of each interval are values of the curve. */
static bool
ends_hold(const struct path *p)
{
	bool good = list.n == p->pieces;
	size_t none;

	for (size_t k = 0; k < list.n && good; k++) {
		const struct interval *it = &list.v[k];
		const double inner = it->from + 1e-12;

		good = fabs(measure_at(p, inner, &none) - it->value_from) < 1e-9 &&
		    fabs(measure_at(p, it->to, &none) - it->value_to) < 1e-12 &&
		    it->from <= it->theta && it->theta <= it->to;
		if (it->theta > it->from)
			good &= fabs(measure_at(p, it->theta, &none) - it->value) < 1e-12;
	}
	return good;
}

/* Standard errors of squared and ndcg. */
static void
test_spread(void)
{
	struct path p;

	path_new(&p, 3, 1, KITH_SVM_SQUARED);
	memcpy(p.y, (double[]){1, 2, 4}, 3 * sizeof(*p.y));
	follow(&p); /* squares 1, 4, 16, of mean 7 */
	ok(list.n == 1 && fabs(list.v[0].value - sqrt(7)) < 1e-15 &&
		fabs(list.v[0].se - sqrt((36 + 9 + 81) / 6.) / (2 * sqrt(7))) < 1e-15,
	    "squared: that of the mean, over twice the root");
	memcpy(p.f[0], p.y, 3 * sizeof(*p.y));
	memcpy(p.f[1], p.y, 3 * sizeof(*p.y));
	follow(&p);
	ok(list.v[0].value == 0 && list.v[0].se == 0, "and 0 where all is right");

	path_new(&p, 4, 1, KITH_SVM_NDCG);
	memcpy(p.y, (double[]){1, 0, 1, 1}, 4 * sizeof(*p.y));
	memcpy(p.query, (size_t[]){0, 0, 1, 2}, 4 * sizeof(*p.query));
	p.how.queries = 3;
	options.ndcg = 1;
	memcpy(p.f[0], (double[]){0, 1, 0, 0}, 4 * sizeof(*p.f[0]));
	memcpy(p.f[1], p.f[0], 4 * sizeof(*p.f[0]));
	follow(&p); /* 0, 1, 1 */
	ok(fabs(list.v[0].value - 2. / 3) < 1e-15 && fabs(list.v[0].se - 1. / 3) < 1e-15,
	    "ndcg: over the queries");
}

static void
test_random(int measure, const char *name)
{
	const char *more = getenv("KITH_LONG");
	const size_t seeds = more && *more ? 2000 : 100;
	size_t wrong = 0, ragged = 0, ends = 0, all = 0;

	for (size_t seed = 0; seed < seeds; seed++) {
		struct path p;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		path_draw(&p, measure);
		follow(&p);
		all += list.n;
		ragged += !well_formed();
		ends += measure == KITH_SVM_SQUARED && !ends_hold(&p);
		for (size_t t = 0; t < 1000; t++)
			wrong += !true_at(&p, kith_rng_unit(&rng));
		kith_pool_free(&pool);
	}
	ok(wrong == 0, "%s: as at 1000 thetas each (%zu are not)", name, wrong);
	ok(ragged == 0, "and intervals that join and differ, %zu of them", all);
	if (measure == KITH_SVM_SQUARED)
		ok(ends == 0, "the ends, and the smallest of each parabola");
}

int
main(void)
{
	test_errors();
	test_spread();
	test_random(KITH_SVM_ERROR, "errors");
	test_random(KITH_SVM_SQUARED, "squares");
	test_random(KITH_SVM_NDCG, "NDCG");
	kith_pool_free(&pool);
	return done();
}
