/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/check.h on tests/golden/sqpfw, weights of sqpfw.py: all
 * that are minima are certified, and none is with something wrong.
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
read_case(const struct golden *t, size_t row, struct golden_case *g,
    struct kith_pool *pool)
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
	ok((got & (SIMPLEX | RESIDUAL)) == RESIDUAL,
	    "1e-6 moved from one to another");
	g->w[g->b] -= 1e-6;
	g->w[g->a] += 1e-6;
	set->how.hits++;
	ok(failures(set, g->w) != 0, "other targets");
	set->how.hits--;
	set->theta = 0;
	ok(failures(set, g->w) & RESIDUAL, "another theta");
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
	return done();
}
