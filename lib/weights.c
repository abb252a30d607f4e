#include "weights.h"

#include "err.h"
#include "names.h"
#include "pool.h"
#include "rows.h"
#include "value.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A row of the table: the weight of a feature or of a pair, i <= j. */
struct entry {
	size_t i, j;
	double w;
	size_t line;
};

struct reader {
	struct kith_rows rows;
	const struct kith_names *feature; /* those there are */
	size_t first, second, weight;     /* columns of the table */
	size_t step;     /* column "step" or "learner", or no column */
	char *step_text; /* what stands there in every row */
	struct entry *entry;
	size_t n, room;
	struct kith_pool *pool;
};

static int
header(struct reader *in, struct kith_metric *metric, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;
	const size_t none = name->n;
	const size_t square = kith_names_find(name, "weight");
	const size_t abs = kith_names_find(name, "weight_abs");
	const size_t feature = kith_names_find(name, "feature");
	const char *lacks = NULL;
	bool matrix;

	in->first = kith_names_find(name, "feature1");
	in->second = kith_names_find(name, "feature2");
	matrix = feature == none && (in->first < none || in->second < none);
	if (!matrix)
		in->first = in->second = feature;
	if (in->first == none)
		lacks = matrix ? "feature1" : "feature";
	else if (in->second == none)
		lacks = "feature2";
	else if (square == none && abs == none)
		lacks = "weight";
	if (lacks)
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
		    in->rows.head, "column \"%s\": not found", lacks);
	if (square < none && abs < none)
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
		    in->rows.head,
		    "columns \"weight\" and \"weight_abs\": one too many");
	in->weight = square < none ? square : abs;
	if (matrix)
		metric->kind = square < none ? KITH_SQUARED_MATRIX
					     : KITH_ABSOLUTE_MATRIX;
	else
		metric->kind = square < none ? KITH_SQUARED : KITH_ABSOLUTE;
	in->step = kith_names_find(name, "step");
	if (in->step == none)
		in->step = kith_names_find(name, "learner");
	return 0;
}

/* Refuse a path or an ensemble: it holds several tables of weights. */
static int
check_step(struct reader *in, struct kith_err *err)
{
	const struct kith_cell *c = &in->rows.rec.cell[in->step];

	if (!in->step_text)
		in->step_text = kith_strndup(in->pool, c->s, c->len);
	if (strcmp(c->s, in->step_text) == 0)
		return 0;
	return kith_rows_fail(&in->rows, in->step, err,
	    "several of them: " KITH_CELL " and " KITH_CELL
	    " (choose one, with awk?)",
	    in->step_text, c->s);
}

static int
find_feature(struct reader *in, size_t column, size_t *j, struct kith_err *err)
{
	const char *name = in->rows.rec.cell[column].s;

	*j = kith_names_find(in->feature, name);
	if (*j < in->feature->n)
		return 0;
	return kith_rows_fail(
	    &in->rows, column, err, "not among the features: " KITH_CELL, name);
}

static int
take(struct reader *in, struct kith_err *err)
{
	const struct kith_rows *t = &in->rows;
	struct entry e = {.line = t->rec.line};
	enum kith_value got;

	if (in->step < t->name.n && check_step(in, err))
		return -1;
	if (find_feature(in, in->first, &e.i, err) ||
	    find_feature(in, in->second, &e.j, err))
		return -1;
	got = kith_value(t, in->weight, &e.w, "", err);
	if (got == KITH_VALUE_MISSING)
		return kith_value_missing(t, in->weight, "", err);
	if (got == KITH_VALUE_BAD)
		return -1;
	if (e.w < 0 && e.i == e.j)
		return kith_rows_fail(t, in->weight, err,
		    "negative%s: " KITH_CELL "%s",
		    in->first == in->second ? "" : " on the diagonal",
		    t->rec.cell[in->weight].s,
		    in->first == in->second ? " (relief --clip?)" : "");
	if (e.i > e.j) {
		const size_t i = e.i;

		e.i = e.j;
		e.j = i;
	}
	if (in->n == in->room) {
		in->room = 2 * in->n + 64;
		in->entry = kith_grow(
		    in->pool, in->entry, in->room, sizeof(*in->entry));
	}
	in->entry[in->n++] = e;
	return 0;
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *s = a, *t = b;

	if (s->i != t->i)
		return s->i < t->i ? -1 : 1;
	if (s->j != t->j)
		return s->j < t->j ? -1 : 1;
	return s->line < t->line ? -1 : s->line > t->line;
}

/* Sort the entries; the first that stands twice is an error. */
static int
sort(struct reader *in, struct kith_err *err)
{
	const struct entry *twin = NULL, *e = in->entry;

	qsort(in->entry, in->n, sizeof(*in->entry), by_place);
	for (size_t i = 1; i < in->n; i++)
		if (e[i].i == e[i - 1].i && e[i].j == e[i - 1].j &&
		    (!twin || e[i].line < twin->line))
			twin = &e[i];
	if (!twin)
		return 0;
	if (in->first == in->second)
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file,
		    twin->line, "column \"feature\": named twice: " KITH_CELL,
		    in->feature->name[twin->i]);
	return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, twin->line,
	    "pair named twice: " KITH_CELL ", " KITH_CELL,
	    in->feature->name[twin->i], in->feature->name[twin->j]);
}

/* The matrix of the features that have an entry. */
static void
build_matrix(
    const struct reader *in, struct kith_weights *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t all = in->feature->n;
	size_t *at = kith_new(&tmp, all, sizeof(*at)), p = 0;
	double *w;

	for (size_t e = 0; e < in->n; e++)
		at[in->entry[e].i] = at[in->entry[e].j] = 1;
	out->column = kith_new(pool, all, sizeof(*out->column));
	for (size_t j = 0; j < all; j++)
		if (at[j]) {
			at[j] = p;
			out->column[p++] = j;
		}
	w = kith_new(pool, p, p * sizeof(*w));
	for (size_t e = 0; e < in->n; e++) {
		const size_t i = at[in->entry[e].i], j = at[in->entry[e].j];

		w[i * p + j] = w[j * p + i] = in->entry[e].w;
	}
	out->metric.p = p;
	out->metric.w = w;
	kith_pool_free(&tmp);
}

static void
build_vector(
    const struct reader *in, struct kith_weights *out, struct kith_pool *pool)
{
	double *w = kith_new(pool, in->feature->n, sizeof(*w));

	for (size_t e = 0; e < in->n; e++)
		w[in->entry[e].i] = in->entry[e].w;
	out->metric.p = in->feature->n;
	out->metric.w = w;
}

int
kith_weights_read(const char *file, const struct kith_names *feature,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const char *const files[] = {file, NULL};
	const struct kith_format format = {0};
	struct reader in = {.feature = feature, .pool = &tmp};
	int got;

	*weights = (struct kith_weights){0};
	if (kith_rows_open(&in.rows, files, &format, &tmp, err)) {
		kith_pool_free(&tmp);
		return -1;
	}
	got = header(&in, &weights->metric, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = take(&in, err);
	kith_rows_close(&in.rows);
	if (got == 0)
		got = sort(&in, err);
	if (got == 0 && in.first != in.second)
		build_matrix(&in, weights, pool);
	else if (got == 0)
		build_vector(&in, weights, pool);
	kith_pool_free(&tmp);
	return got;
}

/* Ascending by weight, then the later feature first. */
static int
by_weight(const void *a, const void *b)
{
	const struct entry *s = a, *t = b;

	if (s->w != t->w)
		return s->w < t->w ? -1 : 1;
	return s->i > t->i ? -1 : s->i < t->i;
}

void
kith_weights_drop(size_t p, const double *w, double share, double *out)
{
	struct kith_pool tmp = {0};
	struct entry *e = kith_new(&tmp, p, sizeof(*e));
	const size_t drop = (size_t)floor(share * (double)p / 100);

	assert(share >= 0 && drop <= p);
	for (size_t j = 0; j < p; j++) {
		e[j] = (struct entry){.i = j, .w = w[j]};
		out[j] = w[j];
	}
	qsort(e, p, sizeof(*e), by_weight);
	for (size_t d = 0; d < drop; d++)
		out[e[d].i] = 0;
	kith_pool_free(&tmp);
}
