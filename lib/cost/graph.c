/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Both solvers choose between products with the matrix of the graph, of n nodes
 * and e entries, two for an edge, and its sparse factor.  What a factor has is
 * told by the width s of the graph: the largest number of nodes as many steps
 * away from the first of their component.  A factor cuts the graph in two there;
 * it has F entries, s^2 to 6 s^2 in graphs of points of few dimensions, where s
 * is small, and .3 s^2 to s^2 where s is a good part of n.  In seconds of one
 * thread
 *
 *	factor     FLOP F^2 / n + ENTRY F v, v vectors being solved for
 *	labelprop  (n + e) SET_UP, and 10 to 20 sqrt(n) steps of TERM c (n + e),
 *		   5 times as many with poisson, or 300 and a factor, v = c
 *	eigenmap   (n + e) SET_UP, and 200 to 3000 products of TERM 2 (n + e)
 *		   + LANCZOS n (2 d + 10), or 300 and a factor, v = 60 + 6 d
 *
 * whichever is less.
 */
#include "cost/graph.h"

#include "base/pool.h"
#include "cost/speed.h"

#include <math.h>

static const double SET_UP = 3e-7, TERM = 1e-9, LANCZOS = 1.5e-9;
static const double FLOP = 3e-11, ENTRY = 1e-9;
static const double BYTES = 10, MOST = 5e8; /* of an entry; entries */

/* The width s. */
static double
width(const struct kith_undirected *g)
{
	const size_t n = g->W.n;
	struct kith_pool tmp = {0};
	size_t *level = kith_new(&tmp, n + 1, sizeof(*level));
	size_t *count = kith_new(&tmp, n + 1, sizeof(*count)), most = 0;

	for (size_t at = 0; at < n; at++) {
		const size_t i = g->order[at];

		if (at > 0 && g->component[i] != g->component[g->order[at - 1]])
			for (size_t l = 0; l < n && count[l] > 0; l++)
				count[l] = 0;
		count[level[i]]++;
		most = count[level[i]] > most ? count[level[i]] : most;
		for (size_t e = g->W.start[i]; e < g->W.start[i + 1]; e++) {
			const size_t j = g->W.column[e];

			if (level[j] == 0 && j != i)
				level[j] = level[i] + 1;
		}
	}
	kith_pool_free(&tmp);
	return (double)most;
}

/* A sparse factor: its entries, the least and the most. */
struct factor {
	double low, high;
};

static struct factor
factor_of(const struct kith_undirected *g)
{
	const double n = (double)g->W.n, s = width(g);
	const bool thin = s < n / 4;
	const double most = thin ? 6 * s * s : s * s;

	return (struct factor){thin ? s * s : .3 * s * s, most < MOST ? most : MOST};
}

/* Seconds for a factor of F entries, and v vectors that are solved for. */
static double
seconds(double F, double n, double v)
{
	return FLOP * F * F / n + ENTRY * F * v;
}

/*
 * Add `few` to `most` products that take `one`, or at most 300 and a factor:
 * whichever is less; and the bytes of the factor, where it may be taken.
 */
static void
solve(const struct kith_undirected *g, double one, double few, double most, double v,
    struct kith_cost *cost)
{
	const double n = (double)g->W.n;
	const struct factor F = factor_of(g);
	const double made = 300 * one + seconds(F.high, n, v);
	const bool taken = made < most * one;

	kith_cost_range(
	    cost, fmin(few * one, 10 * one + seconds(F.low, n, v)), fmin(made, most * one));
	if (taken)
		cost->most_bytes += BYTES * F.high;
}

static struct kith_cost
begin(const struct kith_cost_graph *of)
{
	const struct kith_undirected *g = of->graph;
	const double entries = (double)(g->W.n + g->W.start[g->W.n]);
	struct kith_cost cost = {.rows = g->W.n, .classes = of->c, .threads = of->threads};

	kith_cost_range(&cost, SET_UP * entries, 3 * SET_UP * entries);
	return cost;
}

struct kith_cost
kith_cost_of_prop(const struct kith_cost_graph *of, enum kith_prop_method method)
{
	const struct kith_undirected *g = of->graph;
	const double n = (double)g->W.n, c = of->c ? (double)of->c : 1;
	const double one = TERM * c * (n + (double)g->W.start[g->W.n]);
	const bool poisson = method == KITH_PROP_POISSON;
	struct kith_cost cost = begin(of);

	kith_cost_hold(&cost, 50 * (n + (double)g->W.start[g->W.n]));
	if (of->check)
		kith_cost_range(&cost, one, 300 * one);
	else if (poisson)
		kith_cost_range(&cost, 10 * one, 100 * sqrt(n) * one);
	else
		solve(g, one, 10, 20 * sqrt(n), c, &cost);
	kith_cost_hold(&cost, 40 * n * c);
	kith_cost_times(&cost, (double)of->times);
	return cost;
}

int
kith_cost_prop(const struct kith_cost_graph *of, enum kith_prop_method method, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_prop(of, method);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}

struct kith_cost
kith_cost_of_embed(const struct kith_cost_graph *of)
{
	const struct kith_undirected *g = of->graph;
	const double n = (double)g->W.n, d = (double)of->dims;
	const double one = 2 * TERM * (n + (double)g->W.start[g->W.n]) + LANCZOS * n * (2 * d + 10);
	struct kith_cost cost = begin(of);

	kith_cost_hold(&cost, 90 * (n + (double)g->W.start[g->W.n]));
	if (of->check)
		kith_cost_range(&cost, one, 300 * one);
	else
		solve(g, one, 200, 3000, 60 + 6 * d, &cost);
	kith_cost_hold(&cost, 8 * n * (3 * d + 14));
	return cost;
}

int
kith_cost_embed(const struct kith_cost_graph *of, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost cost = kith_cost_of_embed(of);

	return kith_cost_write(&cost, kith_cost_speed, out, err);
}
