/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/nnk.h"

#include "base/pool.h"
#include "base/sets.h"
#include "cli/cli.h"
#include "la/mat.h"
#include "nnk/aew.h"
#include "nnk/connect.h"
#include "nnk/nnk.h"
#include "nnk/pairs_nnk.h"
#include "nnk/smooth.h"
#include "nnk/symm.h"
#include "say/search.h"
#include "table/edges.h"
#include "table/graph.h"

#include <math.h>
#include <stdlib.h>

static void
warn_of_kernels(bool flat, size_t lost)
{
	if (flat)
		kith_warn("the distances to the k-th neighbour are all 0: "
			  "sigma is 1");
	if (lost)
		kith_warn("%zu rows whose weights are all too small for a "
			  "double (a larger --sigma?)",
		    lost);
}

void
kith_say_nnk_solved(const struct kith_nnk *nnk, bool gaussian)
{
	warn_of_kernels(nnk->flat, nnk->lost);
	if (gaussian && nnk->sigma > 0) {
		kith_note("bandwidth %g", nnk->sigma);
		kith_log_real("sigma", nnk->sigma);
	}
	kith_say_search(&nnk->search);
	kith_note("worst KKT residual %g", nnk->residual);
	kith_log_real("residual", nnk->residual);
}

void
kith_say_nnk_graph(const struct kith_graph *graph, size_t n, bool whole)
{
	const size_t others = n - graph->m;
	size_t edges = 0;

	for (size_t e = graph->start[0]; e < graph->start[graph->m]; e++)
		edges += graph->w[e] != 0;
	kith_log_size("edges", edges);
	kith_note(
	    "%zu rows, %zu edges, %.4g per row", n, edges, (double)edges / (double)(n ? n : 1));
	if (whole && (kith_run.verbose || kith_run.log)) {
		struct kith_symm_count c = kith_symm_count(graph, graph->m);

		c.components += others;
		c.isolated += others;
		kith_note("%zu component%s, %zu isolated row%s", c.components,
		    c.components == 1 ? "" : "s", c.isolated, c.isolated == 1 ? "" : "s");
		kith_log_size("components", c.components);
		kith_log_size("isolated", c.isolated);
	}
}

/* A row of p features. */
struct row {
	const double *x;
	size_t i, p;
};

static int
compare_rows(const void *va, const void *vb)
{
	const struct row *a = va, *b = vb;

	for (size_t j = 0; j < a->p; j++)
		if (a->x[j] != b->x[j])
			return a->x[j] < b->x[j] ? -1 : 1;
	return 0;
}

/* Returns, for each row of X, the number of a set of rows that are equal, which all rows are in. */
static size_t *
find_copies(const struct kith_mat *X, size_t **size, struct kith_pool *pool)
{
	struct row *row = kith_new(pool, X->n, sizeof(*row));
	size_t *set = kith_new(pool, X->n, sizeof(*set)), n = 0;

	*size = kith_new(pool, X->n, sizeof(**size));
	for (size_t i = 0; i < X->n; i++)
		row[i] = (struct row){kith_row(X, i), i, X->p};
	qsort(row, X->n, sizeof(*row), compare_rows);
	for (size_t k = 0; k < X->n; k++) {
		n += k > 0 && compare_rows(&row[k - 1], &row[k]) != 0;
		set[row[k].i] = n;
		++(*size)[n];
	}
	return set;
}

void
kith_say_nnk_copies(const struct kith_graph *graph, const struct kith_mat *X)
{
	struct kith_pool pool = {0};
	size_t *parent = kith_new(&pool, X->n, sizeof(*parent));
	size_t *size = kith_new(&pool, X->n, sizeof(*size)), components = 0, small = 0, copies = 0;
	size_t *set, *set_size;

	for (size_t i = 0; i < X->n; i++)
		parent[i] = i;
	for (size_t i = 0; i < graph->m; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			if (graph->w[e] != 0)
				kith_sets_join(parent, graph->first + i, graph->to[e]);
	for (size_t i = 0; i < X->n; i++)
		size[kith_sets_first(parent, i)]++;
	for (size_t i = 0; i < X->n; i++) {
		components += size[i] > 0;
		small += size[i] == 1 || size[i] == 2;
	}
	set = components > 1 && small > 0 ? find_copies(X, &set_size, &pool) : NULL;
	for (size_t i = 0; set && i < X->n; i++) {
		const size_t first = kith_sets_first(parent, i);

		copies += first == i ? size[i] == 1 && set_size[set[i]] > 1
				     : size[first] == 2 && set[i] == set[first];
	}
	if (copies > 0)
		kith_warn("%zu of %zu components are 1 or 2 rows that are copies "
			  "(leave copies out? --connect?)",
		    copies, components);
	kith_pool_free(&pool);
}

void
kith_say_nnk_connect(const struct kith_nnk_connect *it)
{
	kith_log_size("connecting", it->added);
	if (it->added == 0)
		return;
	kith_note("%zu edges connect it, the longest of length %g", it->added, it->longest);
	kith_log_real("longest", it->longest);
	if (it->vanished)
		kith_warn("%zu edges of --connect have the kernel 0: their "
			  "weight is the least positive number (a larger "
			  "--sigma?)",
		    it->vanished);
}

int
kith_say_nnk_residual(const struct kith_nnk *nnk, double exact)
{
	if (nnk->residual <= exact)
		return 0;
	kith_warn("worst KKT residual %g: weights may be off", nnk->residual);
	return 1;
}

int
kith_say_nnk_proof(const struct kith_check *check, size_t n)
{
	double worst = 0;
	bool proved = true;

	for (size_t i = 0; i < n; i++) {
		proved = proved && kith_check_ok(&check[i]);
		worst = fmax(worst, check[i].value);
	}
	if (!proved)
		kith_warn("rounding forbids a proof of the weights: a "
			  "condition is off by %g (--check; tabscale?)",
		    worst);
	return !proved;
}

int
kith_say_nnk_pairs(const struct kith_pairs_nnk *got, const struct kith_ends *from)
{
	char text[KITH_NUM_ROOM];

	if (got->indefinite == 0)
		return 0;
	kith_log_size("indefinite", got->indefinite);
	kith_warn("%zu rows whose candidates have no kernel (their "
		  "similarities are not positive semidefinite), the first "
		  "is " KITH_CELL ": weights may not be the best",
	    got->indefinite, kith_ends_name(from, got->first, text));
	return 1;
}

void
kith_say_nnk_smooth(
    const struct kith_smooth_pairs *pairs, const struct kith_check *check, size_t steps)
{
	const double theta = pairs->theta;
	double worst = 0;

	for (size_t i = 1; i < KITH_CHECK_SMOOTH; i++)
		worst = fmax(worst, check[i].value);
	kith_note("theta %g, %zu steps of Newton", theta, steps);
	kith_note("worst KKT residual %g", worst);
	kith_log_real("theta", theta);
	kith_log_size("steps", steps);
	kith_log_real("residual", worst);
}

int
kith_say_nnk_aew(const struct kith_aew *aew)
{
	warn_of_kernels(aew->flat, aew->lost);
	kith_note("bandwidth %g at the start", aew->sigma);
	kith_note("objective %g, at the start %g, after %zu iterations", aew->objective, aew->start,
	    aew->iterations);
	kith_log_real("sigma", aew->sigma);
	kith_log_real("start", aew->start);
	kith_log_real("objective", aew->objective);
	kith_log_real("gradient", aew->gradient);
	kith_log_size("iterations", aew->iterations);
	if (aew->converged)
		return 0;
	kith_warn("bandwidths of features not converged after %zu iterations: "
		  "a derivative of %g is left",
	    aew->iterations, aew->gradient);
	return 1;
}
