/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/claim.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "table/edges.h"
#include "table/roles.h"
#include "table/table.h"
#include "text/rows.h"
#include "text/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct reader {
	struct kith_rows rows;
	const struct kith_ends *nodes;
	const struct kith_names *class;
	size_t id, predicted, *score; /* columns */
	struct kith_claim *claim;
};

/* The column of this name. */
static int
column(const struct kith_rows *rows, const char *name, size_t *at,
    struct kith_err *err)
{
	*at = kith_names_find(&rows->name, name);
	return *at < rows->name.n ? 0 : kith_roles_absent(rows, name, err);
}

static int
header(struct reader *in, struct kith_pool *pool, struct kith_err *err)
{
	const size_t c = in->class ? in->class->n : 0;

	in->score = kith_new(pool, c, sizeof(*in->score));
	if (column(&in->rows, "id", &in->id, err) ||
	    column(&in->rows, "predicted", &in->predicted, err))
		return -1;
	for (size_t k = 0; k < c; k++) {
		const char *class = in->class->name[k];
		char *name = kith_new(pool, strlen(class) + 8, 1);

		sprintf(name, "score:%s", class);
		if (column(&in->rows, name, &in->score[k], err))
			return -1;
	}
	return 0;
}

/* The node that the row is of. */
static int
find_node(const struct reader *in, size_t *node, struct kith_err *err)
{
	const struct kith_cell *c = kith_rec_cell(&in->rows.rec, in->id);
	size_t number;

	*node = in->nodes->n;
	if (in->nodes->column)
		*node = kith_names_find(&in->nodes->id, c->s);
	else if (!kith_parse_size(c->s, &number))
		*node = kith_ends_row(in->nodes, number);
	if (*node == in->nodes->n)
		return kith_rows_fail(&in->rows, in->id, err,
		    in->nodes->column ? "no row has this id: " KITH_CELL
				      : "not the number of a row: " KITH_CELL,
		    c->s);
	if (in->claim->there[*node])
		return kith_rows_fail(
		    &in->rows, in->id, err, "listed twice: " KITH_CELL, c->s);
	in->claim->there[*node] = true;
	return 0;
}

static int
take(struct reader *in, struct kith_err *err)
{
	const struct kith_cell *said = kith_rec_cell(
	    &in->rows.rec, in->predicted);
	const size_t c = in->class ? in->class->n : 0;
	size_t node, *y;

	if (find_node(in, &node, err))
		return -1;
	if (!in->class)
		return kith_value(&in->rows, in->predicted, &in->claim->t[node],
			   "", err) < 0
		    ? -1
		    : 0;
	y = &in->claim->y[node];
	if (!kith_cell_missing(said)) {
		*y = kith_names_find(in->class, said->s);
		if (*y == c)
			return kith_rows_fail(&in->rows, in->predicted, err,
			    "not a class of the labels: " KITH_CELL, said->s);
	}
	for (size_t k = 0; k < c; k++)
		if (kith_value(&in->rows, in->score[k],
			&in->claim->F[node * c + k], "", err) < 0)
			return -1;
	return 0;
}

int
kith_claim_read(const char *file, const struct kith_ends *nodes,
    const struct kith_names *class, struct kith_claim *claim,
    struct kith_pool *pool, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {.rowless = true, .header = true};
	struct kith_pool tmp = {0};
	struct reader in = {.nodes = nodes, .class = class, .claim = claim};
	const size_t n = nodes->n, c = class ? class->n : 0;
	int got;

	*claim = (struct kith_claim){kith_new(pool, n, sizeof(bool)),
	    kith_new(pool, n, sizeof(size_t)),
	    kith_new(pool, n, sizeof(double)),
	    kith_new(pool, n * c, sizeof(double))};
	for (size_t i = 0; i < n; i++) {
		claim->y[i] = KITH_NO_CLASS;
		claim->t[i] = NAN;
	}
	for (size_t i = 0; i < n * c; i++)
		claim->F[i] = NAN;
	got = kith_rows_open(&in.rows, files, &format, &tmp, err);
	if (got == 0) {
		got = header(&in, &tmp, err);
		while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
			got = take(&in, err);
		kith_rows_close(&in.rows);
	}
	kith_pool_free(&tmp);
	return got;
}

/* Take the mass of the row that was read. */
static int
take_mass(const struct kith_rows *rows, const size_t at[2],
    const struct kith_names *class, double *mass, struct kith_err *err)
{
	const struct kith_cell *cell = kith_rec_cell(&rows->rec, at[0]);
	const size_t k = kith_names_find(class, cell->s);

	if (k == class->n)
		return kith_rows_fail(rows, at[0], err,
		    "not a class of the labels: " KITH_CELL, cell->s);
	if (!isnan(mass[k]))
		return kith_rows_fail(
		    rows, at[0], err, "listed twice: " KITH_CELL, cell->s);
	return kith_value_size(rows, at[1], &mass[k], err);
}

int
kith_mass_read(const char *file, const struct kith_names *class, double *mass,
    struct kith_pool *pool, struct kith_err *err)
{
	const char **files = kith_new(pool, 2, sizeof(*files));
	struct kith_rows rows;
	size_t at[2];
	double most = 0;
	int got;

	files[0] = file;
	for (size_t k = 0; k < class->n; k++)
		mass[k] = NAN;
	if (kith_rows_open(&rows, files, &(struct kith_format){0}, pool, err))
		return -1;
	got = column(&rows, "class", &at[0], err);
	if (got == 0)
		got = column(&rows, "mass", &at[1], err);
	while (got == 0 && (got = kith_rows_next(&rows, err)) > 0)
		got = take_mass(&rows, at, class, mass, err);
	kith_rows_close(&rows);
	if (got < 0)
		return -1;
	for (size_t k = 0; k < class->n; k++) {
		if (isnan(mass[k]))
			return kith_fail_at(err, EX_DATAERR, file, 0,
			    "no mass of class " KITH_CELL, class->name[k]);
		most = fmax(most, mass[k]);
	}
	return most > 0 ? 0
			: kith_fail_at(err, EX_DATAERR, file, 0,
			      "column \"mass\": all are 0");
}
