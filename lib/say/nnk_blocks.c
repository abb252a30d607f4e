/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/nnk_blocks.h"

#include "base/err.h"
#include "cli/cli.h"
#include "near/knn.h"
#include "say/nnk.h"
#include "say/nnk_run.h"
#include "table/blocks.h"
#include "table/lists.h"
#include "table/root.h"
#include "text/out.h"
#include "text/rows.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static struct kith_block
block_of(struct kith_shard shard)
{
	return (struct kith_block){shard.i, shard.n};
}

/* A hash of all that edges depend on. */
static uint64_t
hash_of(const struct kith_nnk_run *run)
{
	const int kernel = (int)run->how.kernel;
	const double sigma = kernel == KITH_KERN_GAUSSIAN ? run->how.sigma.value : 0;
	uint64_t hash = kith_lists_hash(run->rows.metric, &run->in.known.feature);

	hash = kith_lists_hash_more(hash, &kernel, sizeof(kernel));
	return kith_lists_hash_more(hash, &sigma, sizeof(sigma));
}

/* Print the edges that were found, row 0 of the graph being asked.first. */
static void
put_edges(const struct kith_nnk_run *run, const struct kith_knn_lists *lists,
    const struct kith_nnk *nnk, size_t first, size_t known_first, struct kith_out *out)
{
	const struct kith_table *known = &run->in.known;
	const struct kith_table *asked = run->rows.Z ? &run->in.asked : known;
	char text[KITH_NUM_ROOM];

	for (size_t i = 0; i < nnk->graph.m && !out->failed; i++) {
		const size_t from = kith_table_number(asked, first + i);

		if (lists->start[i] == lists->start[i + 1])
			kith_out_put(out, "%zu\t%G\t%G\t%G\n", from, NAN, NAN, NAN);
		for (size_t e = lists->start[i]; e < lists->start[i + 1]; e++) {
			const double d = lists->nn[e].d;

			assert(nnk->graph.w);
			kith_out_put(out, "%zu\t%zu\t%g\t", from,
			    kith_table_number(known, known_first + lists->nn[e].row),
			    nnk->graph.w[e]);
			kith_near_root_format(text, d);
			if (kith_output()->digits)
				kith_out_real(out, sqrt(d));
			else
				kith_out_cell(out, text);
			kith_out_row(out);
		}
	}
}

/* The weights of what was found. */
static int
weigh(const struct kith_nnk_run *run, const struct kith_mat *X, const struct kith_mat *Z,
    const struct kith_knn_lists *lists, struct kith_nnk *nnk, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t m = Z->n, n = lists->start[m];
	size_t *to = kith_new(pool, n, sizeof(*to));
	const struct kith_graph given = {.m = m, .start = lists->start, .to = to};
	const struct kith_local_rows rows = {X, run->rows.metric, Z, 0, m, run->rows.threads};
	struct kith_nnk_how how = run->how;

	*nnk = (struct kith_nnk){.graph.m = m};
	for (size_t e = 0; e < n; e++)
		to[e] = lists->nn[e].row;
	how.given = &given;
	how.bare = true;
	return X->n > 0 ? kith_nnk(&rows, &how, nnk, pool, err) : 0;
}

int
kith_nnk_blocks_print(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err)
{
	static const char *const name[] = {"from", "to", "weight", "distance"};
	const bool by_radius = run->how.method == KITH_NNK_RADIUS;
	struct kith_mat X, Z;
	const struct kith_table *asked = run->rows.Z ? &run->in.asked : &run->in.known;
	const size_t x = kith_block_rows(&run->in.known, block_of(run->block), &X);
	const size_t z = kith_block_rows(asked, block_of(run->shard), &Z);
	struct kith_knn_block block = {.X = &X,
	    .Z = &Z,
	    .metric = run->rows.metric,
	    .k = by_radius ? 0 : run->how.k,
	    .limit = by_radius ? kith_dist_limit(run->how.radius) : INFINITY,
	    .x = run->rows.Z ? SIZE_MAX : x,
	    .z = z,
	    .threads = run->rows.threads};
	const struct kith_lists_about about = {.block = block_of(run->block),
	    .shard = block_of(run->shard),
	    .reference = run->in.known.read,
	    .rows = X.n,
	    .queries = Z.n,
	    .k = block.k,
	    .radius = by_radius ? run->how.radius : -1,
	    .self = !run->rows.Z,
	    .metric = hash_of(run)};
	struct kith_knn_lists lists;
	struct kith_nnk nnk;

	kith_knn_block(&block, &lists, &run->pool);
	if (weigh(run, &X, &Z, &lists, &nnk, &run->pool, err) ||
	    kith_out_open_table(out, run->to, err))
		return -1;
	kith_lists_about_put(&about, NULL, out);
	kith_out_header(out, name, 4);
	put_edges(run, &lists, &nnk, z, x, out);
	return 0;
}

/* What is read: edges, in room that grows. */
struct reader {
	struct kith_nnk_run *run;
	struct kith_lists lists;
	size_t weight; /* the column */
	struct kith_graph *graph;
	size_t row, rows; /* the row; those that have their start */
	size_t n, to_room, w_room, d_room;
};

/* The row of a number, in the order of rows. */
static int
begin(void *to, const struct kith_rows *line, struct kith_err *err)
{
	struct reader *in = to;
	const struct kith_cell *c = kith_rec_cell(&line->rec, in->lists.from);
	const struct kith_ends *ends = kith_nnk_run_ends(in->run);
	size_t number;

	in->row = ends->n;
	if (kith_parse_size(c->s, &number) == 0)
		in->row = kith_ends_row(ends, number);
	if (in->row == ends->n)
		return kith_rows_fail(
		    line, in->lists.from, err, "not the number of a row: " KITH_CELL, c->s);
	if (in->row < in->rows)
		return kith_rows_fail(
		    line, in->lists.from, err, "row " KITH_CELL " is not in order", c->s);
	while (in->rows <= in->row)
		in->graph->start[in->rows++] = in->n;
	return 0;
}

static int
read_edge(void *to, const struct kith_rows *line, struct kith_lists_entry *e, struct kith_err *err)
{
	struct reader *in = to;
	const struct kith_ends *ends = &in->run->in.to;

	e->class = kith_ends_row(ends, e->row);
	if (e->class == ends->n)
		return kith_rows_fail(
		    line, in->lists.to, err, "not the number of a row: '%zu'", e->row);
	return kith_value_size(line, in->weight, &e->value, err);
}

static void
end(void *to, const struct kith_lists_entry *e, size_t n)
{
	struct reader *in = to;
	struct kith_graph *graph = in->graph;
	struct kith_pool *pool = &in->run->pool;

	for (size_t i = 0; i < n; i++, in->n++) {
		graph->to = kith_more(pool, graph->to, in->n, &in->to_room, sizeof(*graph->to));
		graph->w = kith_more(pool, graph->w, in->n, &in->w_room, sizeof(*graph->w));
		graph->d = kith_more(pool, graph->d, in->n, &in->d_room, sizeof(*graph->d));
		graph->to[in->n] = e[i].class;
		graph->w[in->n] = e[i].value;
		graph->d[in->n] = sqrt(e[i].d);
	}
}

/* What is asked must be known of the lists. */
static int
check(struct reader *in, struct kith_err *err)
{
	struct kith_nnk_run *run = in->run;
	const struct kith_rows *rows = in->lists.first;
	const struct kith_lists_about *a = &in->lists.about;

	in->weight = kith_names_find(&rows->name, "weight");
	if (in->weight == rows->name.n)
		return kith_fail_at(
		    err, EX_DATAERR, rows->first, rows->head, "column \"weight\": not found");
	if (run->rule <= KITH_SYMM_PAPER || run->form.error)
		return kith_fail_at(err, EX_DATAERR, rows->first, in->lists.line.block,
		    "blocks of a reference have no errors (--symmetrize max, "
		    "min, mean or none?)");
	if (a->self && a->reference != run->merged)
		return kith_fail_at(err, EX_DATAERR, rows->first, in->lists.line.reference,
		    "%zu rows, where --rows says %zu", a->reference, run->merged);
	if (!a->self && run->rule != KITH_SYMM_NONE)
		return kith_fail_at(err, EX_DATAERR, rows->first, in->lists.line.block,
		    "edges to other rows (-t) need --symmetrize none");
	return 0;
}

/* Read the lists as a graph, and what its ends are called. */
static int
read_lists(struct kith_nnk_run *run, const char *const *files, struct kith_graph *graph,
    struct kith_err *err)
{
	static const struct kith_lists_columns columns = {"from", "to", NULL};
	struct reader in = {.run = run, .graph = graph};
	struct kith_lists_use use = {&in, SIZE_MAX, begin, read_edge, end};
	int got = kith_lists_open(files, &columns, &in.lists, &run->pool, err);

	*graph = (struct kith_graph){0};
	if (got == 0)
		got = check(&in, err);
	if (got == 0 && !run->connect) {
		const size_t n = in.lists.about.reference;

		run->in.to = (struct kith_ends){.n = n, .read = n};
		run->in.from = (struct kith_ends){.n = run->merged, .read = run->merged};
		run->rows.Z = in.lists.about.self ? NULL : &run->in.asked.X;
	}
	if (got == 0) {
		graph->m = kith_nnk_run_ends(run)->n;
		graph->start = kith_new(&run->pool, graph->m + 1, sizeof(*graph->start));
		use.k = in.lists.about.k ? in.lists.about.k : SIZE_MAX;
		got = kith_lists_read(&in.lists, &use, &run->pool, err);
	}
	while (got == 0 && in.rows <= graph->m)
		graph->start[in.rows++] = in.n;
	if (got == 0 && in.n == 0) {
		graph->to = kith_new(&run->pool, 1, sizeof(*graph->to));
		KITH_NEW_REALS(&run->pool, 1, 1, &graph->w, &graph->d);
	}
	kith_lists_close(&in.lists);
	return got;
}

int
kith_nnk_blocks_merge(
    struct kith_nnk_run *run, const char *const *files, struct kith_out *out, struct kith_err *err)
{
	struct kith_graph lists;

	if (run->connect && run->in.to.read != run->merged)
		return kith_fail_at(err, EX_DATAERR, run->in.known.file, 0,
		    "%zu rows, where --rows says %zu", run->in.to.read, run->merged);
	if (read_lists(run, files, &lists, err))
		return -1;
	kith_symm_cut(&lists, run->how.least);
	return kith_nnk_run_lists(run, &lists, out, err);
}
