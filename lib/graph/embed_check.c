/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/embed_check.h"

#include "base/err.h"
#include "base/pool.h"
#include "graph/embed.h"
#include "graph/missed.h"
#include "table/edges.h"
#include "text/rows.h"
#include "text/value.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* Limits of what is printed to the last digit. */
static const double LENGTH = 1e-10, ANGLE = 1e-10;

enum { PLACED, RESIDUAL, LENGTHS, ANGLES, ORDER, MISSED };

/* The column of coordinate j, from 1, or NaN's: columns of the table. */
static size_t
coordinate(const struct kith_rows *rows, size_t j)
{
	char name[KITH_NUM_ROOM + 1];

	snprintf(name, sizeof(name), "e%zu", j);
	return kith_names_find(&rows->name, name);
}

/* The node that the row names. */
static int
find_node(const struct kith_rows *rows, size_t id,
    const struct kith_ends *nodes, size_t *node, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&rows->rec, id);
	size_t number;

	*node = nodes->n;
	if (nodes->column)
		*node = kith_names_find(&nodes->id, c->s);
	else if (!kith_parse_size(c->s, &number))
		*node = kith_ends_row(nodes, number);
	if (*node < nodes->n)
		return 0;
	return kith_rows_fail(rows, id, err,
	    nodes->column ? "no row has this id: " KITH_CELL
			  : "not the number of a row: " KITH_CELL,
	    c->s);
}

/* Take a row; column: of the id, then of the coordinates. */
static int
take(const struct kith_rows *rows, const size_t *column,
    const struct kith_ends *nodes, bool *seen, struct kith_coordinates *c,
    struct kith_err *err)
{
	size_t node;

	if (find_node(rows, column[0], nodes, &node, err))
		return -1;
	if (seen[node])
		return kith_rows_fail(rows, column[0], err,
		    "listed twice: " KITH_CELL,
		    kith_rec_cell(&rows->rec, column[0])->s);
	seen[node] = true;
	for (size_t j = 0; j < c->d; j++) {
		double *y = &c->y[node * c->d + j];

		*y = NAN;
		if (kith_value(rows, column[j + 1], y, "", err) < 0)
			return -1;
	}
	return 0;
}

/* Read the rows of a table whose columns are known. */
static int
read_rows(struct kith_rows *rows, const size_t *column,
    const struct kith_ends *nodes, struct kith_coordinates *c,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	bool *seen = kith_new(&tmp, nodes->n, sizeof(*seen));
	char name[KITH_NUM_ROOM];
	int got;

	c->y = kith_new(pool, c->n * c->d, sizeof(*c->y));
	while ((got = kith_rows_next(rows, err)) > 0 &&
	    (got = take(rows, column, nodes, seen, c, err)) == 0)
		continue;
	for (size_t i = 0; got == 0 && i < nodes->n; i++)
		if (!seen[i])
			got = kith_fail_at(err, EX_DATAERR, rows->first, 0,
			    "no row " KITH_CELL,
			    kith_ends_name(nodes, i, name));
	kith_pool_free(&tmp);
	return got;
}

int
kith_coordinates_read(const char *file, const struct kith_ends *nodes,
    struct kith_coordinates *c, struct kith_pool *pool, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {0};
	struct kith_pool tmp = {0};
	struct kith_rows rows;
	size_t *column, id;
	int got = -1;

	*c = (struct kith_coordinates){.n = nodes->n};
	if (kith_rows_open(&rows, files, &format, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	while (coordinate(&rows, c->d + 1) < rows.name.n)
		c->d++;
	column = kith_new(&tmp, c->d + 1, sizeof(*column));
	id = column[0] = kith_names_find(&rows.name, "id");
	for (size_t j = 1; j <= c->d; j++)
		column[j] = coordinate(&rows, j);
	if (id == rows.name.n || c->d == 0)
		kith_fail_at(err, EX_DATAERR, rows.rec.file, rows.head,
		    "column \"%s\": not found",
		    id == rows.name.n ? "id" : "e1");
	else
		got = read_rows(&rows, column, nodes, c, pool, err);
	kith_rows_close(&rows);
	kith_pool_free(&tmp);
	return got;
}

/* Put a larger value, or one that is no number, in the place of another. */
static void
raise_to(struct kith_check *check, double value)
{
	if (!isnan(check->value) && !(value <= check->value))
		check->value = value;
}

/*
 * The coordinates of the part, out of all, as unit vectors u of A in the rows of
 * U; length: how far each was from what is due.
 */
static void
unscale(const struct kith_part *p, const struct kith_coordinates *c, size_t d,
    double *U, struct kith_check *length)
{
	for (size_t j = 0; j < d; j++) {
		double *u = U + j * p->n, sum = 0;

		for (size_t i = 0; i < p->n; i++) {
			const double y = c->y[p->node[i] * c->d + j] / p->scale;

			u[i] = p->kind == KITH_RANDOM_WALK ? y * p->root[i] : y;
			sum += u[i] * u[i];
		}
		raise_to(length, fabs(sum - 1));
		for (size_t i = 0; i < p->n; i++)
			u[i] /= sqrt(sum);
	}
}

/* The largest product of two rows of U, or of one and the null vector. */
static double
cosine(const struct kith_part *p, size_t d, const double *U)
{
	double most = 0;

	for (size_t j = 0; j < d; j++)
		for (size_t l = 0; l <= j; l++) {
			const double *v = l == j ? p->m.null : U + l * p->n;
			double sum = 0;

			for (size_t i = 0; i < p->n; i++)
				sum += U[j * p->n + i] * v[i];
			most = fmax(most, fabs(sum));
		}
	return most;
}

/* Count what was missed; the vectors are right up to slack. */
static void
search(const struct kith_part *p, size_t d, double *value, double slack,
    struct kith_check *missed)
{
	struct kith_sparse_factor *order;
	double got = NAN;

	for (size_t i = 1; i < d; i++)
		value[i] = fmax(value[i], value[i - 1]);
	order = kith_sparse_order(&p->m.A);
	if (kith_bottom_affords(order))
		got = kith_missed(&p->m, d, value, slack, order);
	kith_sparse_free(order);
	if (isnan(got))
		missed->limit = NAN;
	else
		missed->value += fabs(got);
}

/* Judge the d coordinates of a part, all of which are there. */
static void
judge(const struct kith_part *p, const struct kith_coordinates *c, size_t d,
    size_t threads, struct kith_check *out)
{
	struct kith_pool tmp = {0};
	double *U = kith_new(&tmp, d * p->n, sizeof(*U));
	double *value = kith_new(&tmp, d, sizeof(*value));
	const double unit = p->m.bound / 2;
	double worst = 0;

	unscale(p, c, d, U, &out[LENGTHS]);
	raise_to(&out[ANGLES], cosine(p, d, U));
	for (size_t j = 0; j < d; j++) {
		const double *u = U + j * p->n;
		double residual;

		value[j] = kith_part_value(p, u);
		residual = kith_part_residual(p, value[j], u, threads);
		worst = fmax(worst, residual);
		raise_to(&out[RESIDUAL], residual / unit);
		if (j > 0)
			raise_to(&out[ORDER], (value[j - 1] - value[j]) / unit);
	}
	if (worst <= 1e-6 * unit && out[RESIDUAL].value < 1e-6)
		search(p, d, value, worst, &out[MISSED]);
	else
		out[MISSED].limit = NAN;
	kith_pool_free(&tmp);
}

/* Count the cells that should be NA and are not, or the other way round. */
static size_t
misplaced(const struct kith_undirected *graph, const struct kith_pieces *pieces,
    size_t only, const struct kith_coordinates *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		const size_t of = graph->component[i];
		const size_t d = only == of || only == SIZE_MAX
		    ? kith_pieces_size(pieces, of) - 1
		    : 0;
		bool wrong = false;

		for (size_t j = 0; j < c->d; j++)
			wrong |= isnan(c->y[i * c->d + j]) != (j >= d);
		n += wrong;
	}
	return n;
}

void
kith_check_embed(const struct kith_undirected *graph,
    const struct kith_affine *affine, enum kith_laplacian kind, bool all,
    const struct kith_coordinates *c, size_t threads,
    struct kith_check out[KITH_CHECK_EMBED])
{
	struct kith_pool pool = {0};
	struct kith_pieces pieces;
	const struct kith_check start[KITH_CHECK_EMBED] = {{"placed", 0, 0},
	    {"residual", 0, KITH_EMBED_RESIDUAL}, {"length", 0, LENGTH},
	    {"angle", 0, ANGLE}, {"order", 0, 2 * KITH_EMBED_RESIDUAL},
	    {"missed", 0, 0}};
	size_t largest;

	for (size_t k = 0; k < KITH_CHECK_EMBED; k++)
		out[k] = start[k];
	kith_pieces(graph, &pieces, &pool);
	largest = kith_pieces_largest(&pieces);
	out[PLACED].value = (double)misplaced(
	    graph, &pieces, all ? SIZE_MAX : largest, c);
	for (size_t i = 0; i < pieces.n; i++) {
		const size_t n = kith_pieces_size(&pieces, i);
		struct kith_pool tmp = {0};
		struct kith_part part;

		if (n < 2 || (!all && i != largest))
			continue;
		kith_part(graph, &pieces, i, kind, affine, &part, &tmp);
		judge(&part, c, c->d < n ? c->d : n - 1, threads, out);
		kith_pool_free(&tmp);
	}
	kith_pool_free(&pool);
}
