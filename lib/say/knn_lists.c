/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/knn_lists.h"

#include "base/err.h"
#include "base/sort.h"
#include "cli/cli.h"
#include "near/knn.h"
#include "say/knn_run.h"
#include "table/blocks.h"
#include "table/ends.h"
#include "table/lists_about.h"
#include "table/root.h"
#include "table/write.h"
#include "text/out.h"
#include "vote/report.h"

#include <math.h>
#include <string.h>

/* Rows first.. of a table. */
struct part {
	const struct kith_table *table;
	size_t first;
	struct kith_mat X;
};

/* Those of a block of the rows of its file. */
static struct part
part_of(const struct kith_table *table, struct kith_shard shard)
{
	struct part part = {.table = table};

	part.first = kith_block_rows(table, (struct kith_block){shard.i, shard.n}, &part.X);
	return part;
}

/* The largest radius, or -1. */
static double
largest_radius(const struct kith_knn_run *r)
{
	double most = -1;

	for (size_t a = 0; a < r->radii.n; a++)
		most = fmax(most, r->radii.v[a]);
	return most;
}

/* What the list says; sets r->metric. */
static struct kith_lists_about
about_of(struct kith_knn_run *r, const struct part *known, const struct part *asked)
{
	const size_t k = kith_largest_size(r->k.v, r->k.n);

	kith_knn_run_metric(r, r->shares.n ? r->shares.v : NULL, &r->pool);
	return (struct kith_lists_about){
	    .block = {r->block.i, r->block.n},
	    .shard = {r->shard.i, r->shard.n},
	    .reference = known->table->read,
	    .rows = known->X.n,
	    .queries = asked->X.n,
	    .k = k == KITH_ALL_WITHIN ? 0 : k,
	    .radius = largest_radius(r),
	    .self = r->loo,
	    .named = asked->table->id_name != NULL,
	    .numbers = known->table->t != NULL,
	    .metric = kith_lists_hash(&r->metric, &r->known.feature),
	};
}

/* A distance with all digits that its square needs, where these are kept. */
static void
put_distance(double d, struct kith_out *out)
{
	char text[KITH_NUM_ROOM];

	kith_out_next(out);
	if (kith_output()->digits) {
		kith_out_real(out, copysign(sqrt(fabs(d)), d));
		return;
	}
	kith_near_root_format(text, d);
	kith_out_cell(out, text);
}

/* What is printed of a row, and of its neighbour, row SIZE_MAX: none. */
static void
put_line(const struct part *known, const struct part *asked, size_t i,
    const struct kith_neighbour *nn, struct kith_out *out)
{
	const struct kith_table *rows = asked->table, *of = known->table;
	const size_t row = asked->first + i;

	kith_table_write_id(rows, row, out);
	if (nn) {
		const size_t at = known->first + nn->row;

		kith_out_put(out, "\t%zu", kith_table_number(of, at));
		put_distance(nn->d, out);
		kith_report_actual(of, at, out);
		if (of->id_name)
			kith_out_next(out);
		if (of->id_name)
			kith_table_write_id(of, at, out);
	} else {
		for (size_t c = 0; c < 3 + (of->id_name != NULL); c++) {
			kith_out_next(out);
			kith_out_missing(out);
		}
	}
	if (rows->y || rows->t)
		kith_report_actual(rows, row, out);
	kith_table_write_kept(rows, row, out);
	kith_out_row(out);
}

/* The names of the columns; fails where two have one. */
static int
put_header(const struct part *known, const struct part *asked, const struct kith_lists_about *about,
    struct kith_out *out, struct kith_err *err)
{
	static const char *const due[] = {"id", "neighbour", "distance", "actual"};
	const struct kith_table *rows = asked->table;
	struct kith_pool tmp = {0};
	char **name = kith_new(&tmp, 6 + rows->kept.n, sizeof(*name));
	struct kith_names all;
	size_t n = 0, twin;
	int got = 0;

	for (; n < 4; n++)
		name[n] = kith_strndup(&tmp, due[n], strlen(due[n]));
	if (known->table->id_name)
		name[n++] = kith_strndup(&tmp, "neighbour_id", 12);
	if (rows->y || rows->t)
		name[n++] = kith_strndup(&tmp, "own", 3);
	for (size_t j = 0; j < rows->kept.n; j++)
		name[n++] = rows->kept.name[j];
	twin = kith_names_index(&all, name, n, &tmp);
	if (twin < n)
		got = kith_fail_at(err, EX_DATAERR, rows->file, rows->head,
		    "column " KITH_NAME ": the output would have this name twice", name[twin]);
	if (got == 0)
		got = kith_out_open_table(out, kith_output(), err);
	if (got == 0) {
		kith_lists_about_put(about, about->numbers ? NULL : &known->table->class, out);
		kith_out_header(out, (const char *const *)name, n);
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_knn_lists_print(struct kith_knn_run *r, struct kith_out *out, struct kith_err *err)
{
	const struct part known = part_of(&r->known, r->block);
	const struct part asked = part_of(kith_knn_run_rows(r), r->shard);
	const struct kith_lists_about about = about_of(r, &known, &asked);
	struct kith_knn_block block = {.X = &known.X,
	    .Z = &asked.X,
	    .metric = &r->metric,
	    .k = about.k,
	    .limit = about.radius < 0 ? INFINITY : kith_dist_limit(about.radius),
	    .x = r->loo ? known.first : SIZE_MAX,
	    .z = asked.first,
	    .threads = r->how.threads};
	struct kith_knn_lists lists;
	struct kith_ends ends;

	if (kith_ends_of(asked.table, &ends, &r->pool, err))
		return -1;
	kith_knn_block(&block, &lists, &r->pool);
	if (put_header(&known, &asked, &about, out, err))
		return -1;
	for (size_t i = 0; i < asked.X.n && !out->failed; i++) {
		if (lists.start[i] == lists.start[i + 1])
			put_line(&known, &asked, i, NULL, out);
		for (size_t e = lists.start[i]; e < lists.start[i + 1]; e++)
			put_line(&known, &asked, i, &lists.nn[e], out);
	}
	return 0;
}
