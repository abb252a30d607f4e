/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/certify_known.h: the residual of given multipliers is that
 * of sqpfw/certify.h, for any number of features, ties and weights of rows.
 */
#include "sqpfw/certify_known.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "sqpfw/kinks.h"
#include "sqpfw/targets.h"
#include "tap.h"

#include <math.h>

enum { N = 20, P = 17, TRIES = 200, TIED = 3 };

static struct kith_rng rng;

/* A problem, its targets and ties, and the shares of the tied pairs. */
struct problem {
	struct kith_mat X;
	size_t target[2 * N], other[2 * N * TIED];
	struct kith_tie group[2 * N];
	struct kith_ties ties;
	double share[N][2][N]; /* of the pair of row i, hit or miss, and j */
	double w[P], prior[P], weight[N], r[P];
	struct kith_certify_how how;
};

static double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

static double
ask(const void *of, size_t i, bool miss, size_t j)
{
	const struct problem *it = of;

	return it->share[i][miss][j];
}

/* Let some targets have ties, of which the first is the target. */
static void
tie(struct problem *it, size_t i, size_t miss)
{
	const size_t from = it->ties.n * TIED;
	double sum = 0;

	/* the farthest of three hits, the nearest of three misses: convex */
	it->group[it->ties.n++] = (struct kith_tie){i, miss == 1, miss ? 1 : 0, from, TIED};
	for (size_t m = 0; m < TIED; m++) {
		const size_t j = (it->target[2 * i + miss] + m) % N;

		it->other[from + m] = j;
		sum += it->share[i][miss][j] = m == i % TIED && i % 2 ? 0 : number(.1, 1);
	}
	for (size_t m = 0; m < TIED; m++)
		it->share[i][miss][it->other[from + m]] /= sum;
}

static void
draw(struct problem *it, size_t p, struct kith_pool *pool)
{
	double sum = 0;

	*it = (struct problem){.X = kith_mat_new(pool, N, p)};
	it->ties = (struct kith_ties){it->target, 0, it->group, it->other};
	for (size_t v = 0; v < N * p; v++)
		it->X.v[v] = number(-1, 1);
	for (size_t i = 0; i < N; i++) {
		it->weight[i] = i % 2 ? .5 : 1.5;
		for (size_t miss = 0; miss < 2; miss++) {
			const size_t j = kith_rng_below(&rng, N);

			it->target[2 * i + miss] = j;
			it->share[i][miss][j] = 1;
			if (kith_rng_below(&rng, 3) == 0)
				tie(it, i, miss);
		}
	}
	for (size_t f = 0; f < p; f++)
		sum += it->w[f] = f % 3 == 2 ? 0 : number(.1, 1);
	for (size_t f = 0; f < p; f++)
		it->w[f] /= sum;
}

static double
eps(const struct problem *it, size_t i, size_t j, size_t f)
{
	const double d = kith_row(&it->X, i)[f] - kith_row(&it->X, j)[f];

	return d * d;
}

/* sum of the shares times eps, hits less misses; and the modulus of theta H. */
static double
gradient(const struct problem *it, size_t f, double *size)
{
	const double unit = it->how.theta / N;
	double sum = 0, H = 0;

	for (size_t i = 0; i < N; i++) {
		const double weight = it->how.weight ? it->weight[i] : 1;

		for (size_t j = 0; j < N; j++)
			sum += unit * weight * eps(it, i, j, f) *
			    (it->share[i][0][j] - it->share[i][1][j]);
		H += weight *
		    fabs(eps(it, i, it->target[2 * i], f) - eps(it, i, it->target[2 * i + 1], f));
	}
	for (size_t g = 0; g < it->ties.n; g++) {
		const struct kith_tie *tie = &it->group[g];
		double most = 0;

		for (size_t m = 0; m < TIED; m++)
			most = fmax(most,
			    fabs(eps(it, tie->row, it->other[tie->first + m], f) -
				eps(it, tie->row, it->target[2 * tie->row + tie->miss], f)));
		H += (it->how.weight ? it->weight[tie->row] : 1) * most;
	}
	*size = fmax(1, unit * H);
	return sum;
}

/* Choose a prior at which r is some multiple of `far`; the residual. */
static double
aim(struct problem *it, double far)
{
	double size[P], sum = 0, squares = 0, most = 0;

	for (size_t f = 0; f < it->X.p; f++) {
		const double g = gradient(it, f, &size[f]);

		it->r[f] = far * size[f] * (it->w[f] > 0 || f % 2 ? number(-1, 1) : 1e10);
		it->prior[f] = it->w[f] + g - it->r[f] - .3;
		if (it->w[f] > 0) {
			sum += it->r[f] / (size[f] * size[f]);
			squares += 1 / (size[f] * size[f]);
		}
	}
	/* phi takes the weighted mean of those of positive weight away */
	for (size_t f = 0; f < it->X.p; f++) {
		const double left = (it->r[f] - sum / squares) / size[f];

		if (left < 0 || it->w[f] > 0)
			most = fmax(most, fabs(left));
	}
	return most;
}

struct tally {
	double off;
	size_t yes, no, unknown, ties;
};

static bool
judge(struct problem *it, struct kith_pool *pool, double *residual)
{
	static const double rounding[P];
	const struct kith_certify_known known = {ask, it};
	const struct kith_kinks kinks = kith_kinks_find(&it->X, &it->ties, TIED, 2, rounding, pool);

	bool holds;

	it->how.known = &known;
	holds = kith_certify_known(&it->X, &it->ties, &kinks, it->w, &it->how, residual);
	it->how.known = NULL;
	return holds;
}

static void
try(size_t k, struct tally *tally)
{
	static const size_t sizes[] = {2, 3, 7, 8, 9, 16, 17};
	struct kith_pool pool = {0};
	static struct problem it;
	double residual = -1, due;

	draw(&it, sizes[k % 7], &pool);
	it.how = (struct kith_certify_how){.hits = TIED,
	    .misses = 2,
	    .prior = it.prior,
	    .theta = k % 5 ? 10 * (double)(k % 5) : .1,
	    .weight = k % 2 ? it.weight : NULL};
	due = aim(&it, 4e-11);
	tally->ties += it.ties.n;
	tally->yes += judge(&it, &pool, &residual);
	tally->off = fmax(tally->off, fabs(residual - due));
	due = aim(&it, 1e-8);
	residual = -1;
	tally->no += judge(&it, &pool, &residual) == (due <= 1e-10) &&
	    (residual == -1) == (due > 1e-10);
	it.share[it.group[0].row][it.group[0].miss][it.other[0]] = NAN;
	it.share[it.group[0].row][it.group[0].miss][it.other[1]] = NAN;
	it.share[it.group[0].row][it.group[0].miss][it.other[2]] = NAN;
	tally->unknown += !judge(&it, &pool, &residual);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 41, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < TRIES; k++)
		try(k, &tally);
	is_size(tally.yes, TRIES, "right multipliers are believed");
	ok(tally.off <= 1e-13, "their residual is that of the definition: %.1e", tally.off);
	is_size(tally.no, TRIES, "others are not");
	is_size(tally.unknown, TRIES, "nor are those that are unknown");
	ok(tally.ties > (size_t)10 * TRIES, "%zu ties", tally.ties);
	return done();
}
