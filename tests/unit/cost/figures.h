/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * figures - what a run costs, by the formulas in the heads of lib/cost: seconds
 * of the stated machine, and bytes.
 */
#ifndef FIGURES_H
#define FIGURES_H

#include "cost/cost.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>

/* Seconds of threads, low and high, and of one; bytes, the least and the most. */
enum { FIGURES = 6 };

static void
is_cost(const struct kith_cost *got, const double due[FIGURES], const char *name)
{
	const double is[FIGURES] = {
	    got->low, got->high, got->low_own, got->high_own, got->bytes, got->most_bytes};
	bool same = true;

	for (size_t a = 0; a < FIGURES; a++)
		same = same && fabs(is[a] - due[a]) <= 1e-9 * fabs(due[a]);
	ok(same, "%s", name);
	if (!same)
		printf("# got {%.10g, %.10g, %.10g, %.10g, %.10g, %.10g}\n", is[0], is[1], is[2],
		    is[3], is[4], is[5]);
}

/* A run, and what it is to cost. */
struct cost_case {
	const char *name;
	struct kith_cost got;
	double due[FIGURES];
};

static inline void
are_costs(const struct cost_case *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		is_cost(&all[i].got, all[i].due, all[i].name);
}

/* Its sizes: what there is none of is 0. */
static void
is_sizes(const struct kith_cost *got, const size_t due[6], const char *name)
{
	const size_t is[] = {
	    got->rows, got->features, got->queries, got->classes, got->k, got->threads};
	size_t a = 0;

	while (a < 6 && is[a] == due[a])
		a++;
	ok(a == 6, "%s: its sizes", name);
	if (a < 6)
		printf("# number %zu is %zu, not %zu\n", a, is[a], due[a]);
}

#endif
