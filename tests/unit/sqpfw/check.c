/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/check.h on tests/golden/sqpfw, weights of sqpfw.py: all
 * that are minima are certified, and none is with something wrong; and of the
 * objective, by its definition.
 */
#include "sqpfw/check.h"

#include "sqpfw/golden_set.h"
#include "tap.h"

/* Which checks say no, as bits. */
static unsigned
failures(const struct set *set, const double *w)
{
	struct kith_pool pool = {0};
	struct kith_sqpfw_judge *judge = judge_of(set, &pool);
	struct kith_sqpfw_verdict verdict;
	struct kith_check check[KITH_CHECK_SQPFW];
	unsigned bits = 0;

	kith_sqpfw_judge(judge, w, set->theta, NULL, &verdict, NULL);
	kith_sqpfw_judge_free(judge);
	kith_check_sqpfw(&verdict, check);
	for (unsigned c = 0; c < KITH_CHECK_SQPFW; c++)
		bits |= kith_check_ok(&check[c]) ? 0 : 1U << c;
	kith_pool_free(&pool);
	return bits;
}

enum { SIMPLEX = 1, CONCAVE = 2, RESIDUAL = 4 };

/* A line of solves.tsv. */
struct golden_case {
	struct set set;
	double *w;
	size_t a, b; /* two weights above 0, b the largest */
};

static void
read_case(const struct golden *t, size_t row, struct golden_case *g, struct kith_pool *pool)
{
	size_t p;

	*g = (struct golden_case){0};
	read_set(t, row, &g->set, pool);
	g->set.theta = golden_number(t, row, "theta");
	p = g->set.X.p;
	g->w = golden_numbers(t, row, "weights", p, pool);
	for (size_t j = 0; j < p; j++)
		g->b = g->w[j] > g->w[g->b] ? j : g->b;
	for (size_t j = 0; j < p; j++)
		if (j != g->b && g->w[j] > 0)
			g->a = j;
}

/* A minimum, and what is nearly one. */
static void
test_golden(struct golden_case *g, const char *name, size_t *yes)
{
	struct set *set = &g->set;
	unsigned got = failures(set, g->w);

	*yes += got == 0;
	ok(got == 0, "%s %zu %g", name, set->how.hits, set->theta);
	g->w[g->b] += 1e-6;
	ok(failures(set, g->w) & SIMPLEX, "a sum of 1 + 1e-6");
	g->w[g->a] -= 1e-6;
	got = failures(set, g->w);
	ok((got & (SIMPLEX | RESIDUAL)) == RESIDUAL, "1e-6 moved from one to another");
	g->w[g->b] -= 1e-6;
	g->w[g->a] += 1e-6;
	set->how.hits++;
	ok(failures(set, g->w) != 0, "other targets");
	set->how.hits--;
	set->theta = 0;
	ok(failures(set, g->w) & RESIDUAL, "another theta");
}

/* F by its definition, where rows have weights. */
static double
objective(const struct set *set, const double *w, const double *weight)
{
	const struct plain plain = plain_of(set, set->theta);
	double margin = 0, square = 0;

	for (size_t i = 0; i < set->X.n; i++)
		margin += (weight ? weight[i] : 1) *
		    (plain_kth(&plain, w, i, 0) - plain_kth(&plain, w, i, 1));
	for (size_t f = 0; f < set->X.p; f++)
		square += pow(w[f] - (set->how.prior ? set->prior[f] : 1 / (double)set->X.p), 2);
	return set->theta / (double)set->X.n * margin + square / 2;
}

/* In any unit, with and without weights of rows or a prior; w of another sum. */
static void
test_objective(void)
{
	double off = 0, sums = 0, alone = 0;

	for (size_t k = 0; k < 40; k++) {
		struct kith_pool pool = {0};
		struct kith_sqpfw_judge *judge;
		struct kith_sqpfw_verdict verdict;
		double w[FEATURES] = {0}, weight[ROWS] = {0}, sum = 0, due, unit;
		struct set set;

		kith_rng_seed(&rng, k, KITH_RNG_SAMPLE, 0);
		draw(&set, (enum kind)(k % KINDS), &pool);
		unit = pow(7, (double)(k % 9) - 4);
		for (size_t v = 0; v < set.X.n * set.X.p; v++)
			set.X.v[v] *= unit;
		set.theta /= unit * unit;
		for (size_t f = 0; f < set.X.p; f++) {
			sum += w[f] = number(0, 1);
			set.prior[f] = number(0, 1);
		}
		for (size_t i = 0; i < set.X.n; i++)
			weight[i] = number(0, 2);
		set.how.weight = k % 2 ? weight : NULL;
		judge = kith_sqpfw_judge_new(&set.X, set.y, set.c,
		    &(struct kith_sqpfw_judge_how){
			set.how.hits, set.how.misses, k % 3 ? set.prior : NULL, 1, set.how.weight},
		    &pool);
		set.how.prior = k % 3 ? set.prior : NULL;
		due = objective(&set, w, set.how.weight);
		kith_sqpfw_judge(judge, w, set.theta, NULL, &verdict, NULL);
		off = fmax(off, fabs(verdict.objective - due));
		sums = fmax(sums, fabs(verdict.simplex - fabs(sum - 1)));
		alone = fmax(alone, fabs(due - kith_sqpfw_judge_objective(judge, w, set.theta)));
		kith_sqpfw_judge_free(judge);
		kith_pool_free(&pool);
	}
	ok(off <= 1e-11, "F as defined: %.1e", off);
	ok(alone <= 1e-11, "also alone: %.1e", alone);
	ok(sums <= 1e-14, "the sum of the weights: %.1e", sums);
}

/* Ties of rows that do not count are none: of row 0, whose hits are as far as
 * each other in two features. */
static void
test_counted(void)
{
	struct kith_pool pool = {0};
	double x[] = {0, 0, 1, 0, 0, 1, 20, 30, 21, 35, 24, 32};
	const size_t y[] = {0, 0, 0, 1, 1, 1};
	const double w[] = {.5, .5};
	const struct kith_mat X = {6, 2, x};

	for (size_t k = 0; k < 3; k++) {
		const double weight[] = {k == 2 ? 0 : 2, 0, 1, 1, 1, 1};
		struct kith_sqpfw_judge *judge = kith_sqpfw_judge_new(&X, y, 2,
		    &(struct kith_sqpfw_judge_how){1, 1, NULL, 1, k ? weight : NULL}, &pool);
		struct kith_sqpfw_verdict verdict;

		kith_sqpfw_judge(judge, w, 1, NULL, &verdict, NULL);
		is_size(
		    verdict.ties, k == 2 ? 0 : 1, k == 2 ? "a tie of a row of weight 0" : "a tie");
		kith_sqpfw_judge_free(judge);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	struct kith_pool tables = {0}, pool = {0};
	const struct golden t = golden_read("sqpfw/solves.tsv", &tables);
	size_t yes = 0;

	for (size_t i = 0; i < t.rows; i++) {
		struct golden_case g;

		read_case(&t, i, &g, &pool);
		test_golden(&g, golden_cell(&t, i, "data"), &yes);
		kith_pool_free(&pool);
	}
	is_size(yes, 36, "certified");
	kith_pool_free(&tables);
	test_objective();
	test_counted();
	return done();
}
