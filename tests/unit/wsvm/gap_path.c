/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/approx.h: the gap that a path says it has is the least that
 * its bounds show, and its pieces are as few as steps of that size make them.
 */
#include "wsvm/approx.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/points.h"

enum { TYPES = 3, N = 120, SEEDS = 8 };

/* Rows in general position, and weights that grow, or change all ways. */
static void
draw(struct task *t, size_t type, bool grow)
{
	const size_t n = N / 2, variables = type == 0 ? n : (size_t)N;

	task_new(t, n, 2, variables, type == 2);
	for (size_t i = 0; i < 2 * n; i++)
		t->X.v[i] = kith_rng_unit(&rng);
	if (type == 1)
		draw_targets(t);
	for (size_t v = 0; v < variables; v++) {
		draw_variable(t, type, v);
		t->from[v] = grow ? .1 : kith_rng_unit(&rng);
		t->to[v] = grow ? 2 : kith_rng_unit(&rng);
	}
	task_ready(t, KITH_KERN_GAUSSIAN, 3, 1e-3);
}

/* One end of a piece. */
struct end {
	double alpha[N], C[N];
	struct point at;
};

static void
find_end(const struct task *t, const struct kith_wsvm_piece *piece,
    double theta, struct end *end)
{
	for (size_t v = 0; v < t->N; v++) {
		end->alpha[v] = piece->alpha0[v] + theta * piece->alpha1[v];
		end->C[v] = task_weight(t, v, theta);
	}
	task_judge(
	    t, theta, end->alpha, piece->b0 + theta * piece->b1, &end->at);
}

static double
gap_of(const struct task *t, const struct end *a, const struct end *b)
{
	double sum = 0;

	for (size_t v = 0; v < t->N; v++)
		sum += a->alpha[v] * fmax(0, b->at.g[v]) +
		    (a->C[v] - a->alpha[v]) * fmax(0, -b->at.g[v]);
	return sum;
}

/* The least Y with G <= Y D between both ends, looked for on a grid. */
static double
least_ratio(const struct task *t, const struct end *a, const struct end *b)
{
	const double both = gap_of(t, a, b) + gap_of(t, b, a);
	double most = 0;

	for (int k = 0; k <= 1000; k++) {
		const double w = k / 1000.;
		const double G = (1 - w) * (1 - w) * gap_of(t, a, a) +
		    w * w * gap_of(t, b, b) + w * (1 - w) * both;

		most = fmax(most, G / ((1 - w) * a->at.dual + w * b->at.dual));
	}
	return most;
}

/* What of paths is found. */
struct found {
	double off, first; /* of the gaps said */
	size_t pieces, points, steps, wrong;
};

static void
follow(const struct task *t, double gap, struct found *found)
{
	static struct end a, b;
	struct kith_wsvm_approx *path = kith_wsvm_approx_new(
	    &t->problem, t->from, t->to, gap, NULL, &pool);
	const struct kith_wsvm_point *first = kith_wsvm_approx_first(path);
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;
	double worst = 0;
	size_t pieces = 0;

	while (kith_wsvm_approx_next(path, &piece)) {
		find_end(t, &piece, piece.from, &a);
		find_end(t, &piece, piece.to, &b);
		worst = fmax(worst, least_ratio(t, &a, &b));
		kith_wsvm_approx_count(path, &count);
		if (worst > 1e-9)
			found->off = fmax(
			    found->off, fabs(count.gap / worst - 1.005));
		found->wrong += count.gap > gap ||
		    (worst <= 1e-9 && count.gap > 1e-8) || piece.margin != 0 ||
		    piece.where || piece.solver;
		for (size_t v = 0; v < t->N && pieces == 0; v++)
			found->first = fmax(
			    found->first, fabs(first->x[v] - a.alpha[v]));
		pieces++;
	}
	kith_wsvm_approx_count(path, &count);
	found->wrong += count.points < pieces + 1;
	found->pieces += pieces;
	found->points += count.points;
	found->steps += count.steps;
}

static void
test_path(size_t type, bool grow, double gap, size_t due, size_t steps)
{
	const size_t few = 2 + due / 50;
	struct found found = {0};

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		struct task t;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, type);
		draw(&t, type, grow);
		follow(&t, gap, &found);
		kith_pool_free(&pool);
	}
	ok(found.off <= .006,
	    "the gap said is the least within a hundredth: %g", found.off);
	ok(found.wrong == 0 && found.first <= 1e-12,
	    "and no more than asked; the first point begins");
	ok(found.pieces + few >= due && found.pieces <= due + few, "%zu pieces",
	    found.pieces);
	ok(found.points <= due + SEEDS + few && found.steps * 5 >= steps * 4 &&
		found.steps * 5 <= steps * 6,
	    "%zu points, %zu steps", found.points, found.steps);
}

int
main(void)
{
	static const size_t due[TYPES][2][6] = {
	    {{16, 1810, 34, 3482, 201, 16882}, {40, 1179, 56, 2477, 160, 8081}},
	    {{16, 1601, 42, 5072, 196, 20356},
		{41, 1936, 60, 4285, 210, 20603}},
	    {{16, 2400, 31, 5200, 219, 32516},
		{42, 3988, 59, 7682, 297, 56760}}};

	for (size_t type = 0; type < TYPES; type++)
		for (int grow = 0; grow < 2; grow++) {
			const size_t *own = due[type][grow];

			test_path(type, grow, .1, own[0], own[1]);
			test_path(type, grow, 1e-3, own[2], own[3]);
			test_path(type, grow, 1e-5, own[4], own[5]);
		}
	return done();
}
