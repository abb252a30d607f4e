/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths of scores for tests of measures: made by hand, or drawn by a seed.
 */
#ifndef KITH_TESTS_WSVMPATH_DRAWN_H
#define KITH_TESTS_WSVMPATH_DRAWN_H

#include "base/rng.h"
#include "wsvmpath/wsvmpath.h"

#include <math.h>
#include <string.h>

enum { ROWS = 60, PIECES = 12 };

struct kith_svm_options options;
static struct kith_rng rng;

/* A continuous path of m scores: values at the ends of pieces. */
struct path {
	struct test how;
	size_t pieces;
	double theta[PIECES + 1], f[PIECES + 1][ROWS];
	double y[ROWS], cost[ROWS];
	size_t query[ROWS];
};

static inline void
line(const struct path *p, size_t piece, size_t i, double *f0, double *f1)
{
	const double a = p->theta[piece], b = p->theta[piece + 1];

	*f1 = (p->f[piece + 1][i] - p->f[piece][i]) / (b - a);
	*f0 = p->f[piece][i] - a * *f1;
}

static inline void
path_new(struct path *p, size_t m, size_t pieces, int measure)
{
	memset(p, 0, sizeof(*p));
	options.measure = measure;
	options.ndcg = 10;
	p->how = (struct test){.m = m, .y = p->y, .queries = 1};
	p->how.query = p->query;
	p->pieces = pieces;
	for (size_t k = 0; k <= pieces; k++)
		p->theta[k] = (double)k / (double)pieces;
}

/* Draws a score; coarse: from a grid, so that scores are equal or 0. */
static inline double
draw(bool coarse)
{
	const double x = 2 * kith_rng_unit(&rng) - 1;

	return coarse ? floor(4 * x) / 2 : x;
}

static inline void
path_draw(struct path *p, int measure)
{
	const bool coarse = kith_rng_below(&rng, 2);

	path_new(p, 1 + kith_rng_below(&rng, ROWS), 1 + kith_rng_below(&rng, PIECES), measure);
	p->how.queries = 1 + kith_rng_below(&rng, 5);
	options.ndcg = 1 + kith_rng_below(&rng, 6);
	if (kith_rng_below(&rng, 2))
		p->how.cost = p->cost;
	for (size_t i = 0; i < p->how.m; i++) {
		p->cost[i] = (double)kith_rng_below(&rng, 3) + .1;
		p->query[i] = kith_rng_below(&rng, p->how.queries);
		p->y[i] = measure == KITH_SVM_ERROR ? (double)kith_rng_below(&rng, 3) - 1
						    : (double)kith_rng_below(&rng, 4);
		if (measure == KITH_SVM_ERROR ? p->y[i] == 0 : kith_rng_below(&rng, 10) == 0)
			p->y[i] = NAN;
		for (size_t k = 0; k <= p->pieces; k++)
			p->f[k][i] = draw(coarse);
	}
	p->y[0] = 1; /* one row counts at least */
}

#endif
