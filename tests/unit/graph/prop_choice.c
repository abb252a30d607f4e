/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/prop_solve.h: which solver a lattice gets, by its dimension
 * and by how far its labels are apart; and each score is the mean of those around.
 */
#include "graph/prop_solve.h"

#include "base/err.h"
#include "base/pool.h"
#include "graph/graph.h"
#include "graph/prop.h"
#include "scratch.h"
#include "table/edges.h"
#include "table/ends.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 4 };

static struct kith_pool pool;

/* A lattice of `side` nodes in each dimension, of which one in `apart` has a label. */
struct lattice {
	size_t dimensions, side, apart;
	size_t n;
	size_t step[3]; /* from a node to the next one in each dimension */
};

static struct lattice
lattice_of(size_t dimensions, size_t side, size_t apart)
{
	struct lattice l = {dimensions, side, apart, .n = 1};

	for (size_t k = 0; k < dimensions; k++) {
		l.step[k] = l.n;
		l.n *= side;
	}
	return l;
}

/* Whether node i has a next one in dimension k. */
static bool
has_next(const struct lattice *l, size_t i, size_t k)
{
	return i / l->step[k] % l->side + 1 < l->side;
}

static struct kith_undirected
graph_of(const struct lattice *l)
{
	const struct kith_ends nodes = {.n = l->n, .read = l->n};
	const char *files[] = {NULL, NULL};
	struct kith_undirected g;
	struct kith_err err;
	char *text = kith_new(&pool, l->n * l->dimensions * 32 + 64, 1);
	char *at = text + sprintf(text, "from\tto\tweight\n");

	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->dimensions; k++)
			if (has_next(l, i, k))
				at += sprintf(at, "%zu\t%zu\t1\n", i + 1, i + 1 + l->step[k]);
	files[0] = scratch_text(0, text);
	if (kith_undirected_read(files, &nodes, &g, &pool, &err))
		abort();
	return g;
}

/* How far scores of nodes without a label are from the mean of those around. */
static double
off(const struct lattice *l, const struct kith_prop *p, const size_t *y)
{
	double most = 0;

	for (size_t i = 0; i < l->n; i++)
		for (size_t c = 0; c < CLASSES && y[i] == KITH_NO_CLASS; c++) {
			double sum = 0, count = 0;

			for (size_t k = 0; k < l->dimensions; k++) {
				const size_t step = l->step[k];

				if (has_next(l, i, k)) {
					sum += kith_prop_score(p, i + step, c);
					count++;
				}
				if (i >= step && has_next(l, i - step, k)) {
					sum += kith_prop_score(p, i - step, c);
					count++;
				}
			}
			most = fmax(most, fabs(sum / count - kith_prop_score(p, i, c)));
		}
	return most;
}

/* Solve; whether by a factor, and whether one was ordered at all. */
static void
chooses(const struct lattice *l, enum kith_prop_solver due, bool ordered)
{
	const struct kith_undirected g = graph_of(l);
	size_t *y = kith_new(&pool, l->n, sizeof(*y));
	const struct kith_prop_labels labels = {y, NULL, CLASSES};
	struct kith_prop_solved got;
	struct kith_prop p;

	for (size_t i = 0; i < l->n; i++)
		y[i] = i % l->apart == 0 ? i / l->apart % CLASSES : KITH_NO_CLASS;
	kith_prop_pose(&g, &labels, KITH_PROP_HARMONIC, .5, &p, &pool);
	kith_prop_solve(&p, 1, &got, &pool);
	ok(got.solver == due, "%zu dimensions, labels %zu apart", l->dimensions, l->apart);
	ok((got.fill > 0) == ordered && (got.iterations > 0) == (due == KITH_PROP_CG),
	    "%zu iterations, %g entries of a factor", got.iterations, got.fill);
	ok(off(l, &p, y) < 1e-11, "scores are means");
	kith_pool_free(&pool);
}

int
main(void)
{
	const struct lattice near = lattice_of(2, 60, 5);
	const struct lattice far = lattice_of(2, 60, 40);
	const struct lattice cube = lattice_of(3, 20, 160);

	chooses(&near, KITH_PROP_CG, false);
	chooses(&far, KITH_PROP_CHOLESKY, true);
	chooses(&cube, KITH_PROP_CG, true);
	return done();
}
