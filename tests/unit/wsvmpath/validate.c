/*
 * Tests of lib/wsvmpath/validate.h: by hand, and against scoring at many thetas.
 */
#include "wsvmpath/validate.h"
#include "base/pool.h"
#include "base/rng.h"
#include "score/score.h"
#include "tap.h"
#include "wsvmpath/task.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000, ROWS = 60, PIECES = 12 };

static struct kith_rng rng;
static struct kith_pool pool;

/* The intervals told. */
static struct kith_wsvm_interval told[MOST];
static size_t n_told;

static void
keep(void *to, const struct kith_wsvm_interval *interval)
{
	(void)to;
	if (n_told == MOST)
		abort();
	told[n_told++] = *interval;
}

/* A continuous path of m scores: values at the ends of pieces. */
struct path {
	struct kith_wsvm_valid_how how;
	size_t pieces;
	double theta[PIECES + 1], f[PIECES + 1][ROWS];
	double y[ROWS], cost[ROWS];
	size_t query[ROWS];
};

static void
line(const struct path *p, size_t piece, size_t i, double *f0, double *f1)
{
	const double a = p->theta[piece], b = p->theta[piece + 1];

	*f1 = (p->f[piece + 1][i] - p->f[piece][i]) / (b - a);
	*f0 = p->f[piece][i] - a * *f1;
}

static void
follow(const struct path *p)
{
	struct kith_wsvm_valid *v;

	n_told = 0;
	v = kith_wsvm_valid_new(&p->how, keep, NULL, &pool);
	for (size_t k = 0; k < p->pieces; k++) {
		double f0[ROWS], f1[ROWS];

		for (size_t i = 0; i < p->how.m; i++)
			line(p, k, i, &f0[i], &f1[i]);
		kith_wsvm_valid_piece(v, p->theta[k], p->theta[k + 1], f0, f1);
	}
	kith_wsvm_valid_end(v);
}

static void
path_new(struct path *p, size_t m, size_t pieces, int measure)
{
	memset(p, 0, sizeof(*p));
	p->how = (struct kith_wsvm_valid_how){
	    .measure = measure, .m = m, .y = p->y, .queries = 1, .k = 10};
	p->how.query = p->query;
	p->pieces = pieces;
	for (size_t k = 0; k <= pieces; k++)
		p->theta[k] = (double)k / (double)pieces;
}

static bool
is(size_t k, double from, double to, size_t errors, double value)
{
	return k < n_told && fabs(told[k].from - from) <= 1e-15 &&
	    fabs(told[k].to - to) <= 1e-15 && told[k].errors == errors &&
	    fabs(told[k].value - value) <= 1e-15;
}

static void
test_errors(void)
{
	struct path p;

	/* Two rows of +1 and one of -1; the last does not count. */
	path_new(&p, 4, 2, KITH_WSVM_ERROR);
	memcpy(p.y, (double[]){1, 1, -1, 0}, 4 * sizeof(*p.y));
	memcpy(p.f[0], (double[]){1, -1, -2, 5}, 4 * sizeof(*p.y));
	memcpy(p.f[1], (double[]){-1, 1, -1, -5}, 4 * sizeof(*p.y));
	memcpy(p.f[2], (double[]){-3, 0, 3, 5}, 4 * sizeof(*p.y));
	follow(&p);
	ok(n_told == 2 && is(0, 0, .625, 1, 1. / 3) &&
		is(1, .625, 1, 2, 2. / 3),
	    "two cross at .25, one wrong before and after; then one at .625");
	memcpy(p.cost, (double[]){3, 1, 4, 7}, 4 * sizeof(*p.y));
	p.how.cost = p.cost;
	follow(&p);
	ok(n_told == 3 && is(0, 0, .25, 1, 1. / 8) &&
		is(1, .25, .625, 1, 3. / 8) && is(2, .625, 1, 2, 7. / 8),
	    "with costs the error changes where the number does not");
	ok(told[2].theta == .8125, "the middle");

	path_new(&p, 2, 2, KITH_WSVM_ERROR);
	p.y[0] = 1;
	p.y[1] = -1;
	follow(&p);
	ok(n_told == 1 && is(0, 0, 1, 2, 1), "y f = 0 is wrong, of both");
	p.f[1][0] = p.f[1][1] = 1e-9;
	follow(&p);
	ok(n_told == 1 && is(0, 0, 1, 1, .5), "but not at single thetas");
	p.f[2][0] = -1e-9;
	follow(&p);
	ok(n_told == 2 && is(1, .75, 1, 2, 1), "leaving 0, and crossing it");
}

static void
test_better(void)
{
	const struct kith_wsvm_interval a = {0, .5, 3, .1, .25, 0, 0};
	const struct kith_wsvm_interval b = {.5, .9, 3, .1, .7, 0, 0};
	struct kith_wsvm_interval c = {.6, .7, 2, .05, .65, 0, 0};

	ok(kith_wsvm_valid_better(KITH_WSVM_ERROR, &c, &a) &&
		!kith_wsvm_valid_better(KITH_WSVM_ERROR, &a, &c),
	    "the smaller error");
	ok(kith_wsvm_valid_better(KITH_WSVM_NDCG, &a, &c), "the larger NDCG");
	ok(kith_wsvm_valid_better(KITH_WSVM_ERROR, &a, &b) &&
		!kith_wsvm_valid_better(KITH_WSVM_ERROR, &b, &a),
	    "the wider interval");
	c = a;
	c.theta = .2;
	ok(kith_wsvm_valid_better(KITH_WSVM_SQUARED, &c, &a) &&
		!kith_wsvm_valid_better(KITH_WSVM_SQUARED, &a, &a),
	    "the smaller theta");
}

/* Values on a coarse grid: ties, zeros, and lines that are the same. */
static double
draw(bool coarse)
{
	const double x = 2 * kith_rng_unit(&rng) - 1;

	return coarse ? floor(4 * x) / 2 : x;
}

static void
path_draw(struct path *p, int measure)
{
	const bool coarse = kith_rng_below(&rng, 2);

	path_new(p, 1 + kith_rng_below(&rng, ROWS),
	    1 + kith_rng_below(&rng, PIECES), measure);
	p->how.queries = 1 + kith_rng_below(&rng, 5);
	p->how.k = 1 + kith_rng_below(&rng, 6);
	if (kith_rng_below(&rng, 2))
		p->how.cost = p->cost;
	for (size_t i = 0; i < p->how.m; i++) {
		p->cost[i] = (double)kith_rng_below(&rng, 3) + .1;
		p->query[i] = kith_rng_below(&rng, p->how.queries);
		p->y[i] = measure == KITH_WSVM_ERROR
		    ? (double)kith_rng_below(&rng, 3) - 1
		    : (double)kith_rng_below(&rng, 4);
		if (measure != KITH_WSVM_ERROR && kith_rng_below(&rng, 10) == 0)
			p->y[i] = NAN;
		for (size_t k = 0; k <= p->pieces; k++)
			p->f[k][i] = draw(coarse);
	}
	p->y[0] = 1; /* it counts */
}

/* The scores at theta, and the measure of them, the long way. */
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
		if (p->how.measure == KITH_WSVM_ERROR && p->y[i] != 0) {
			*errors += p->y[i] * e <= 0;
			sum += c * (p->y[i] * e <= 0);
			all += c;
		} else if (p->how.measure != KITH_WSVM_ERROR &&
		    !isnan(p->y[i])) {
			sum += c * (p->y[i] - e) * (p->y[i] - e);
			all += c;
			y[n] = p->y[i];
			f[n] = e;
			query[n++] = p->query[i];
		}
	}
	if (p->how.measure == KITH_WSVM_SQUARED)
		return sqrt(sum / all);
	if (p->how.measure == KITH_WSVM_ERROR)
		return sum / all;
	return kith_score_ndcg(&(struct kith_score_ranking){y, f, query, n},
	    p->how.k, false, &counted);
}

/* Whether the intervals join, differ, and say what is true at this theta. */
static bool
true_at(const struct path *p, double theta)
{
	size_t at = 0, errors;
	double value;

	while (at + 1 < n_told && told[at].to < theta)
		at++;
	if (fabs(theta - told[at].from) < 1e-9 ||
	    fabs(theta - told[at].to) < 1e-9)
		return true; /* rounding decides */
	value = measure_at(p, theta, &errors);
	if (p->how.measure == KITH_WSVM_SQUARED)
		return value >= told[at].value - 1e-12;
	return fabs(value - told[at].value) <= 1e-12 &&
	    (p->how.measure == KITH_WSVM_NDCG || errors == told[at].errors);
}

static bool
well_formed(const struct path *p)
{
	bool good = n_told > 0 && told[0].from == 0 && told[n_told - 1].to == 1;

	for (size_t k = 0; k < n_told; k++)
		good &= told[k].from < told[k].to;
	for (size_t k = 1; k < n_told; k++)
		good &= told[k].from == told[k - 1].to &&
		    (p->how.measure == KITH_WSVM_SQUARED ||
			told[k].value != told[k - 1].value ||
			told[k].errors != told[k - 1].errors);
	return good;
}

/* squared: ends and minima are values of the curve. */
static bool
ends_hold(const struct path *p)
{
	bool good = n_told == p->pieces;
	size_t none;

	for (size_t k = 0; k < n_told && good; k++) {
		const struct kith_wsvm_interval *it = &told[k];
		const double inner = it->from + 1e-12;

		good = fabs(measure_at(p, inner, &none) - it->value_from) <
			1e-9 &&
		    fabs(measure_at(p, it->to, &none) - it->value_to) < 1e-12 &&
		    it->from <= it->theta && it->theta <= it->to;
		if (it->theta > it->from)
			good &= fabs(measure_at(p, it->theta, &none) -
				    it->value) < 1e-12;
	}
	return good;
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
		all += n_told;
		ragged += !well_formed(&p);
		ends += measure == KITH_WSVM_SQUARED && !ends_hold(&p);
		for (size_t t = 0; t < 1000; t++)
			wrong += !true_at(&p, kith_rng_unit(&rng));
		kith_pool_free(&pool);
	}
	ok(wrong == 0, "%s: as at 1000 thetas each (%zu are not)", name, wrong);
	ok(ragged == 0, "and intervals that join and differ, %zu of them", all);
	if (measure == KITH_WSVM_SQUARED)
		ok(ends == 0, "the ends, and the smallest of each parabola");
}

int
main(void)
{
	test_errors();
	test_better();
	test_random(KITH_WSVM_ERROR, "errors");
	test_random(KITH_WSVM_SQUARED, "squares");
	test_random(KITH_WSVM_NDCG, "NDCG");
	kith_pool_free(&pool);
	return done();
}
