/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/missed.h"

#include "base/pool.h"
#include "graph/bottom.h"

#include <math.h>
#include <stdbool.h>

/*
 * By Sylvester's law A - s I has as many negative pivots as A has eigenvalues
 * below s, up to rounding that is known (solve/sparse.h).
 *
 * 1. With s above the d-th value by so much that slack and rounding do not
 *    matter, there are at least d + 1; where there are no more, none was missed.
 * 2. Where there are more, some may be so near to the d-th value that they do
 *    not count.  With s below that value, and below those that are as near to
 *    it, c - 1 values and null are due.
 */

/* The room that slack is given first, of the bound, and what it grows by. */
static const double FIRST = 1e-13, GROWTH = 100;

enum { TURNS = 5 };

struct count {
	const struct kith_singular *m;
	struct kith_sparse_factor *order;
	double slack;
	double margin; /* between s and a value */
	size_t below;  /* eigenvalues */
};

/* Count those below at + margin, or at - margin; whether rounding allows it. */
static bool
count(struct count *c, double at, double side)
{
	struct kith_sparse A = c->m->A;
	struct kith_pool tmp = {0};
	double *diagonal = kith_new(&tmp, A.n, sizeof(*diagonal));
	double room = FIRST * c->m->bound;
	bool sure = false;

	A.diagonal = diagonal;
	for (int turn = 0; turn < TURNS && !sure; turn++) {
		double error = INFINITY;

		c->margin = c->slack + room;
		for (size_t i = 0; i < A.n; i++)
			diagonal[i] = c->m->A.diagonal[i] - (at + side * c->margin);
		sure = !kith_sparse_inertia(c->order, &A, &c->below, &error) && error <= room;
		room = error > room && error < 1e-6 * c->m->bound ? 2 * error : GROWTH * room;
	}
	kith_pool_free(&tmp);
	return sure;
}

double
kith_missed(const struct kith_singular *m, size_t d, const double *value, double slack,
    struct kith_sparse_factor *order)
{
	struct count c = {.m = m, .order = order, .slack = slack};
	size_t first = d - 1; /* of the values near the last one */

	if (!count(&c, value[d - 1], 1))
		return NAN;
	if (c.below <= d + 1)
		return (double)c.below - (double)(d + 1);
	while (first > 0 && value[first] - value[first - 1] <= 4 * c.margin)
		first--;
	if (!count(&c, value[first], -1) || value[first] <= 2 * c.margin)
		return NAN;
	return c.below > first + 1 ? (double)(c.below - (first + 1)) : 0;
}
