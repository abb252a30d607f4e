/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/prop_solve.h with more classes than a factor solves for at
 * once: scores of classes that become one add up.
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

enum { LINE = 6000, CLASSES = 345, NODES = LINE + CLASSES, GROUPS = 3 };

static struct kith_pool pool;
static struct kith_undirected g;
static size_t y[NODES];

/* A line, and labelled nodes that hang on it loosely. */
static void
draw(void)
{
	const struct kith_ends nodes = {.n = NODES, .read = NODES};
	const char *files[] = {NULL, NULL};
	struct kith_err err;
	char *text = kith_new(&pool, (size_t)NODES * 40, 1), *at = text;

	at += sprintf(at, "from\tto\tweight\n");
	for (size_t i = 1; i < LINE; i++)
		at += sprintf(at, "%zu\t%zu\t1\n", i, i + 1);
	for (size_t k = 0; k < CLASSES; k++)
		at += sprintf(at, "%zu\t%zu\t1e-6\n", k * 17 + 1, LINE + k + 1);
	files[0] = scratch_text(0, text);
	if (kith_undirected_read(files, &nodes, &g, &pool, &err))
		abort();
	for (size_t i = 0; i < NODES; i++)
		y[i] = i < LINE ? KITH_NO_CLASS : i - LINE;
}

/* Solve for classes y / of. */
static struct kith_prop
solve(size_t of, struct kith_prop_solved *out)
{
	size_t *class = kith_new(&pool, NODES, sizeof(*class));
	struct kith_prop_labels *labels = kith_new(&pool, 1, sizeof(*labels));
	struct kith_prop p;

	for (size_t i = 0; i < NODES; i++)
		class[i] = y[i] == KITH_NO_CLASS ? y[i] : y[i] / of;
	*labels = (struct kith_prop_labels){class, NULL, (CLASSES + of - 1) / of};
	kith_prop_pose(&g, labels, KITH_PROP_HARMONIC, .5, &p, &pool);
	kith_prop_solve(&p, 1, out, &pool);
	return p;
}

int
main(void)
{
	const size_t of = CLASSES / GROUPS;
	struct kith_prop_solved many, few;
	struct kith_prop p, q;
	double most = 0, least = 1;

	draw();
	p = solve(1, &many);
	q = solve(of, &few);
	ok(many.solver == KITH_PROP_CHOLESKY && few.solver == many.solver, "by a factor");
	for (size_t i = 0; i < LINE; i += 7)
		for (size_t c = 0; c < GROUPS; c++) {
			double sum = 0;

			for (size_t k = 0; k < of; k++)
				sum += kith_prop_score(&p, i, c * of + k);
			most = fmax(most, fabs(sum - kith_prop_score(&q, i, c)));
			least = fmin(least, sum);
		}
	ok(most < 1e-9, "the sums differ by %g", most);
	ok(least > 1e-6, "no score is 0");
	kith_pool_free(&pool);
	return done();
}
