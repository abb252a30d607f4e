/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/edges_write.h"

#include "base/err.h"
#include "near/graph.h"
#include "text/out.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The number, from 1, of row i in its file. */
static size_t
number_of(const struct kith_ends *ends, size_t i)
{
	return ends->number ? ends->number[i] : i + 1;
}

static void
put_row(struct kith_out *out, const struct kith_ends *ends, size_t i)
{
	if (ends->column)
		kith_out_cell(out, ends->id.name[i]);
	else
		kith_out_size(out, number_of(ends, i));
}

static void
write_tsv(const struct kith_graph *graph, const struct kith_edges_form *form,
    struct kith_out *out)
{
	const bool distance = form->distance && graph->d;
	const bool error = form->error && graph->J;
	const char *name[5] = {"from", "to", "weight"};
	size_t n = 3;

	if (distance)
		name[n++] = "distance";
	if (error)
		name[n++] = "error";
	kith_out_header(out, name, n);
	for (size_t i = 0; i < graph->m && !out->failed; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			if (graph->w[e] == 0 && !form->full)
				continue;
			put_row(out, form->from, graph->first + i);
			kith_out_next(out);
			put_row(out, form->to, graph->to[e]);
			kith_out_next(out);
			kith_out_real(out, graph->w[e]);
			if (distance) {
				kith_out_next(out);
				kith_out_real(out, graph->d[e]);
			}
			if (error)
				kith_out_next(out);
			if (error && isnan(graph->J[i]))
				kith_out_missing(out);
			else if (error)
				kith_out_real(out, graph->J[i]);
			kith_out_row(out);
		}
}

/* Write what is left: three numbers, or names, and nothing else. */
static void
write_triples(const struct kith_graph *graph,
    const struct kith_edges_form *form, struct kith_out *out)
{
	const bool matrix = form->format == KITH_EDGES_MTX;
	const char sep = matrix ? ' ' : '\t';

	for (size_t i = 0; i < graph->m && !out->failed; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const size_t row = number_of(
			    form->from, graph->first + i);
			const size_t column = number_of(form->to, graph->to[e]);

			if (graph->w[e] == 0 && !form->full)
				continue;
			if (matrix) {
				kith_out_size(
				    out, form->symmetric ? column : row);
				kith_out_char(out, sep);
				kith_out_size(
				    out, form->symmetric ? row : column);
			} else {
				put_row(out, form->from, graph->first + i);
				kith_out_char(out, sep);
				put_row(out, form->to, graph->to[e]);
			}
			kith_out_char(out, sep);
			kith_out_real(out, graph->w[e]);
			kith_out_char(out, '\n');
		}
}

static void
write_mtx(const struct kith_graph *graph, const struct kith_edges_form *form,
    struct kith_out *out)
{
	size_t n = 0;

	for (size_t e = graph->start[0]; e < graph->start[graph->m]; e++)
		n += graph->w[e] != 0 || form->full;
	kith_out_text(out, "%%MatrixMarket matrix coordinate real ");
	kith_out_text(out, form->symmetric ? "symmetric\n" : "general\n");
	kith_out_size(out, form->from->read);
	kith_out_char(out, ' ');
	kith_out_size(out, form->to->read);
	kith_out_char(out, ' ');
	kith_out_size(out, n);
	kith_out_char(out, '\n');
	write_triples(graph, form, out);
}

/* Refuse ids that readers of ncol would cut in two, or pass over. */
static int
check_ids(const struct kith_ends *ends, struct kith_err *err)
{
	for (size_t i = 0; ends->column && i < ends->n; i++) {
		const char *id = ends->id.name[i];

		if (*id == '#' || !*id || id[strcspn(id, " \t\r\n\v\f\"")])
			return kith_fail(err, EX_DATAERR,
			    "column " KITH_NAME
			    ": no name for ncol: " KITH_CELL,
			    ends->column, id);
	}
	return 0;
}

int
kith_edges_write(const struct kith_graph *graph,
    const struct kith_edges_form *form, const struct kith_dest *to,
    struct kith_out *out, struct kith_err *err)
{
	assert(graph->w && graph->first + graph->m <= form->from->n);
	if (form->format == KITH_EDGES_NCOL &&
	    (check_ids(form->from, err) || check_ids(form->to, err)))
		return -1;
	if (kith_out_open_table(out, to, err))
		return -1;
	if (form->format == KITH_EDGES_TSV)
		write_tsv(graph, form, out);
	else if (form->format == KITH_EDGES_MTX)
		write_mtx(graph, form, out);
	else
		write_triples(graph, form, out);
	return 0;
}
