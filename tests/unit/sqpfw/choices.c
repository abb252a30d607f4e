/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/certify.h on random kinks, convex ones and concave ones,
 * against least squares of its definition for each choice of sets.
 */
#include "sqpfw/certify.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "sqpfw/hull.h"
#include "sqpfw/targets.h"
#include "tap.h"

#include <math.h>

enum { N = 24, P = 4, KINKS = 3, MOST = 4, TRIES = 1500, RANK = 2 };

static struct kith_rng rng;
static const double rounding[P];

/* Rows, of which the first few have kinks; pairs of each, and w. */
struct problem {
	struct kith_mat X;
	size_t target[2 * N], other[KINKS * MOST];
	struct kith_tie group[KINKS];
	struct kith_ties ties;
	double w[P], prior[P], size[P], weight[N];
	struct kith_certify_how how;
};

static double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

/*
 * w is (1,0,0,0), or so; with `alike` the tied rows differ only where w is 0.
 * Two tied hits, or misses, make a convex kink or a concave one; more of them
 * a concave one.
 */
static void
draw(struct problem *it, size_t k, struct kith_pool *pool)
{
	const size_t positive = 1 + k % 2;
	size_t from = 0;

	*it = (struct problem){.X = kith_mat_new(pool, N, P)};
	it->ties = (struct kith_ties){it->target, KINKS, it->group, it->other};
	for (size_t v = 0; v < (size_t)N * P; v++)
		it->X.v[v] = number(-1, 1);
	for (size_t i = 0; i < (size_t)2 * N; i++)
		it->target[i] = i / 2;
	for (size_t i = 0; i < N; i++)
		it->weight[i] = 1;
	it->weight[0] = 1.5;
	it->weight[N - 1] = .5;
	for (size_t g = 0; g < KINKS; g++) {
		const size_t count = 2 + (k / 4 + g) % 3;

		it->group[g] = (struct kith_tie){
		    g, (k / 3 + g) % 2, g == 0 && k % 5 == 0, from, count};
		it->target[2 * g + it->group[g].miss] = KINKS + MOST * g;
		for (size_t m = 0; m < count; m++) {
			const size_t j = KINKS + MOST * g + m;

			it->other[from + m] = j;
			/* as far as the first of them, in the others */
			for (size_t f = 0; f < positive && k % 8; f++)
				kith_row(&it->X, j)[f] = kith_row(&it->X, KINKS + MOST * g)[f];
		}
		from += count;
	}
	for (size_t f = 0; f < positive; f++)
		it->w[f] = 1 / (double)positive;
	it->how = (struct kith_certify_how){.hits = RANK,
	    .misses = RANK,
	    .prior = it->prior,
	    .theta = N,
	    .rounding = rounding,
	    .weight = k % 3 ? NULL : it->weight};
}

static double
eps(const struct problem *it, size_t i, size_t j, size_t f)
{
	const double d = kith_row(&it->X, i)[f] - kith_row(&it->X, j)[f];

	return d * d;
}

static double
weight_of(const struct problem *it, size_t i)
{
	return it->how.weight ? it->weight[i] : 1;
}

/* max(1, theta H_f): all but the kinks cancels. */
static void
find_sizes(struct problem *it)
{
	for (size_t f = 0; f < P; f++) {
		double sum = 0;

		for (size_t g = 0; g < KINKS; g++) {
			const struct kith_tie *tie = &it->group[g];
			const size_t t = it->other[tie->first];
			double most = 0;

			for (size_t m = 1; m < tie->count; m++)
				most = fmax(most,
				    fabs(eps(it, g, it->other[tie->first + m], f) -
					eps(it, g, t, f)));
			sum += weight_of(it, g) * (eps(it, g, t, f) + most);
		}
		it->size[f] = fmax(1, sum);
	}
}

/* A prior at which shares of the first sets, or others, may do. */
static void
aim(struct problem *it, double slack)
{
	for (size_t f = 0; f < P; f++) {
		double sum = it->w[f] + .2;

		for (size_t g = 0; g < KINKS; g++) {
			const struct kith_tie *tie = &it->group[g];
			const double unit = weight_of(it, g) * (tie->miss ? -1 : 1);

			for (size_t m = 0; m < tie->count; m++)
				sum += unit / (double)tie->count *
				    eps(it, g, it->other[tie->first + m], f);
		}
		it->prior[f] = sum - (it->w[f] > 0 ? 0 : number(slack - 1, slack + 1));
	}
}

/* The residual of one choice: bits of the pairs of each kink. */
static double
residual_of(const struct problem *it, const unsigned *set)
{
	double A[KINKS * MOST * P], b[P], e[P], t[KINKS * MOST], r[P];
	double least = INFINITY;
	size_t group[KINKS * MOST], n = 0;
	bool sided[P];

	for (size_t f = 0; f < P; f++)
		least = fmin(least, it->size[f]);
	for (size_t f = 0; f < P; f++) {
		b[f] = (it->w[f] - it->prior[f]) / it->size[f];
		e[f] = least / it->size[f];
		sided[f] = it->w[f] == 0;
	}
	for (size_t g = 0; g < KINKS; g++)
		for (size_t m = 0; m < it->group[g].count; m++) {
			const size_t j = it->other[it->group[g].first + m];

			if (!(set[g] >> m & 1))
				continue;
			for (size_t f = 0; f < P; f++)
				A[n * P + f] = weight_of(it, g) * (it->group[g].miss ? -1 : 1) *
				    eps(it, g, j, f) / it->size[f];
			group[n++] = g;
		}
	return kith_qp_hull(&(struct kith_qp_hull){P, n, A, group, b, e, sided}, 1e-12, t, r);
}

/* How many rows a set of a kink has: all pairs differ, so that is its rank. */
static unsigned
rank_of(const struct kith_tie *tie)
{
	const unsigned k = RANK - (unsigned)tie->nearer;

	return tie->miss ? (unsigned)tie->count + 1 - k : k;
}

static unsigned
bits(unsigned set)
{
	unsigned n = 0;

	for (; set; set >>= 1)
		n += set & 1;
	return n;
}

/* The next choice, or false. */
static bool
next(const struct problem *it, unsigned *set)
{
	for (size_t g = 0; g < KINKS; g++) {
		const struct kith_tie *tie = &it->group[g];

		do {
			set[g] = (set[g] + 1) % (1U << tie->count);
		} while (bits(set[g]) != rank_of(tie));
		/* not from the last one to the first */
		if (set[g] != (1U << rank_of(tie)) - 1)
			return true;
	}
	return false;
}

struct tally {
	size_t yes, no, wrong, concave, strange, up;
};

/* F falls along a direction, by the slope of its definition. */
static bool
falls(const struct problem *it, const double *down)
{
	double F = 0, sum = 0, out = 0;

	for (size_t f = 0; f < P; f++) {
		F += (it->w[f] - it->prior[f]) * down[f];
		sum += down[f];
		out = fmin(out, it->w[f] > 0 ? 0 : down[f]);
	}
	for (size_t g = 0; g < KINKS; g++) {
		const struct kith_tie *tie = &it->group[g];
		double slope[MOST], best = INFINITY;

		for (size_t m = 0; m < tie->count; m++) {
			slope[m] = 0;
			for (size_t f = 0; f < P; f++)
				slope[m] += (tie->miss ? -1 : 1) * weight_of(it, g) *
				    eps(it, g, it->other[tie->first + m], f) * down[f];
		}
		/* the least over sets of their largest: the rank-th smallest */
		for (size_t m = 0; m < tie->count; m++) {
			unsigned n = 0;

			for (size_t q = 0; q < tie->count; q++)
				n += slope[q] <= slope[m];
			if (n >= rank_of(tie))
				best = fmin(best, slope[m]);
		}
		F += best;
	}
	return F < 0 && fabs(sum) < 1e-9 && out >= 0;
}

static void
try(size_t k, struct tally *tally)
{
	struct kith_pool pool = {0};
	struct kith_certificate got;
	struct problem it;
	unsigned set[KINKS];
	double worst = 0, down[P];
	bool close = false, one = false;

	draw(&it, k, &pool);
	find_sizes(&it);
	aim(&it, number(0, 1.5));
	kith_certify(&it.X, &it.ties, it.w, &it.how, &got, down);
	for (size_t g = 0; g < KINKS; g++)
		set[g] = (1U << rank_of(&it.group[g])) - 1;
	do {
		const double left = residual_of(&it, set);

		worst = fmax(worst, left);
		close |= left > 1e-10 && left < 1e-6;
		one |= left > 1e-8 && fabs(left - got.residual) < 1e-9;
	} while (next(&it, set));
	if (!close) {
		tally->yes += got.certified;
		tally->no += !got.certified;
		tally->wrong += got.certified != (worst <= 1e-8) || got.open > 0;
		tally->strange += !got.certified && !one;
		tally->up += !got.certified && !falls(&it, down);
	}
	tally->concave += got.concave > 1;
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 59, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < TRIES; k++)
		try(k, &tally);
	is_size(tally.wrong, 0, "certified just where each choice holds");
	is_size(tally.strange, 0, "else the residual is that of a choice");
	is_size(tally.up, 0, "and F falls along the way down");
	ok(tally.yes > TRIES / 5 && tally.no > TRIES / 5 && tally.concave > TRIES / 3,
	    "%zu certified, %zu not; %zu of several concave kinks", tally.yes, tally.no,
	    tally.concave);
	return done();
}
