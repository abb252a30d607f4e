/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading: 1. find the columns, and the comment lines; 2. list the rows as entries (member, i, j,
 * w), a member being a learner of an ensemble or a step of a path; 3. number the features that a
 * matrix names; 4. put the entries into the metric of their member, in the order of the file, where
 * the first that stands there already is a duplicate.
 */
#include "table/weights.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/vec.h"
#include "table/table.h"
#include "table/unit.h"
#include "text/out.h"
#include "text/rows.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Comment lines ---- */

static int
read_note(const struct kith_rec *rec, const struct kith_rec_note *note, struct kith_needs *needs,
    struct kith_err *err)
{
	const char *due, *const value = note->value;
	bool twice = false, bad = true;

	if (strcmp(note->key, "sigma") == 0) {
		due = "a number above 0";
		twice = needs->sigma > 0;
		bad = kith_parse_real(value, strlen(value), &needs->sigma) || !(needs->sigma > 0);
	} else if (strcmp(note->key, "k") == 0) {
		due = "a count from 1";
		twice = needs->k > 0;
		bad = kith_parse_size(value, &needs->k) || needs->k == 0;
	} else if (strcmp(note->key, "scale") == 0) {
		due = "one of " KITH_UNIT_WORDS;
		for (int s = 0; s < 3 && bad; s++)
			if (strcmp(value, kith_unit_words[s]) == 0) {
				needs->scale = s;
				bad = false;
			}
	} else {
		if (strcmp(note->key, "theta") != 0 && needs->unknowns++ == 0)
			snprintf(needs->unknown, sizeof(needs->unknown), "%s", note->key);
		return 0;
	}
	if (twice)
		return kith_fail_at(
		    err, EX_DATAERR, rec->file, note->line, "%s: named twice", note->key);
	return bad ? kith_fail_at(err, EX_DATAERR, rec->file, note->line, "%s: not %s: " KITH_CELL,
			 note->key, due, value)
		   : 0;
}

void
kith_needs_put(const struct kith_needs *needs, struct kith_out *out)
{
	if (needs->sigma > 0)
		kith_out_note(out, "sigma", needs->sigma);
	if (needs->scale != KITH_UNIT_NONE)
		kith_out_note_text(out, "scale", kith_unit_words[needs->scale]);
}

/* ---- Reading ---- */

/* A row: the weight of a feature (i = j), or of a pair. */
struct entry {
	size_t member, i, j, line;
	double w;
};

enum { ONE, FIRST, SECOND, SQUARED, ABSOLUTE, LEARNER, STEP, ALPHA, SIGMA, THETA, LAMBDA2 };

struct reader {
	struct kith_rows rows;
	const struct kith_names *feature;
	int how;
	bool ensemble, path, full;
	enum kith_metric_kind kind;
	size_t at[LAMBDA2 + 1]; /* rows.name.n where there is none */
	/* The columns to read; member: "step" or "learner"; parameter: "theta" or "lambda2". */
	size_t first, second, weight, member, parameter;
	struct kith_weights *into; /* what is read */
	struct entry *entry;
	size_t n, room;
	struct kith_names member_text;
	struct kith_learner *of; /* the learners or steps; one, where no column names them */
	size_t member_room;
	struct kith_pool *pool, *tmp;
};

static int
find_columns(struct reader *in, struct kith_err *err)
{
	static const char *const name[] = {"feature", "feature1", "feature2", "weight",
	    "weight_abs", "learner", "step", "alpha", "sigma", "theta", "lambda2"};
	static const enum kith_metric_kind kind[2][2] = {
	    {KITH_SQUARED, KITH_ABSOLUTE}, {KITH_SQUARED_MATRIX, KITH_ABSOLUTE_MATRIX}};
	size_t *const at = in->at;
	bool has[LAMBDA2 + 1], matrix;
	int needed, varied;

	for (size_t i = 0; i <= LAMBDA2; i++) {
		at[i] = kith_names_find(&in->rows.name, name[i]);
		has[i] = at[i] < in->rows.name.n;
	}
	matrix = !has[ONE] && (has[FIRST] || has[SECOND]);
	needed = !matrix ? ONE : has[FIRST] ? SECOND : FIRST;
	if (!has[needed])
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, in->rows.head,
		    "column \"%s\": not found", name[needed]);
	if (has[SQUARED] == has[ABSOLUTE])
		return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, in->rows.head,
		    has[SQUARED] ? "columns \"weight\" and \"weight_abs\": one too many"
				 : "column \"weight\": not found");
	in->first = at[matrix ? FIRST : ONE];
	in->second = at[matrix ? SECOND : ONE];
	in->weight = at[has[SQUARED] ? SQUARED : ABSOLUTE];
	in->kind = kind[matrix][has[ABSOLUTE]];
	in->ensemble = in->how & KITH_WEIGHTS_ENSEMBLE && has[ALPHA] && has[SIGMA] && has[LEARNER];
	in->member = at[has[STEP] && !in->ensemble ? STEP : LEARNER];
	varied = has[THETA] ? THETA : LAMBDA2;
	in->path = in->how & KITH_WEIGHTS_PATH && !in->ensemble && has[STEP] && has[varied];
	in->parameter = at[varied];
	in->into->parameter = in->path ? name[varied] : NULL;
	return 0;
}

/* Reads a number above 0, of a path from 0 on, that all rows of a member share. */
static int
read_shared(struct reader *in, size_t column, double *x, bool first, struct kith_err *err)
{
	const char *text = kith_rec_cell(&in->rows.rec, column)->s;
	double got;

	if (kith_value_required(&in->rows, column, &got, err))
		return -1;
	if (!(got > 0 || (in->path && got == 0)))
		return kith_rows_fail(&in->rows, column, err, "%s 0: " KITH_CELL,
		    in->path ? "below" : "not above", text);
	if (!first && got != *x)
		return kith_rows_fail(&in->rows, column, err,
		    "not the same in all rows of the %s: " KITH_CELL, in->path ? "step" : "learner",
		    text);
	*x = got;
	return 0;
}

/* Finds the learner or step of the row; all rows must be of one, but of an ensemble or path. */
static int
read_member(struct reader *in, size_t *member, struct kith_err *err)
{
	const char *text = kith_rec_cell(&in->rows.rec, in->member)->s;
	const char *name = in->rows.name.name[in->member];
	const size_t before = in->member_text.n;
	const bool first = (*member = kith_names_add(&in->member_text, text, in->tmp)) == before;
	struct kith_learner *m;

	if (!in->path && !in->ensemble && *member > 0)
		return kith_rows_fail(&in->rows, in->member, err,
		    "several of them: " KITH_CELL " and " KITH_CELL " (choose one, with awk?%s)",
		    in->member_text.name[0], text,
		    strcmp(name, "learner") == 0 ? " knnclf --vote expected?" : "");
	if (!in->path && !in->ensemble)
		return 0;
	in->of = kith_more(in->pool, in->of, *member, &in->member_room, sizeof(*in->of));
	m = &in->of[*member];
	m->number = *member + 1;
	if (in->path && kith_parse_size(text, &m->number))
		return kith_rows_fail(&in->rows, in->member, err, "not a count: " KITH_CELL, text);
	if (in->path)
		return read_shared(in, in->parameter, &m->parameter, first, err);
	return read_shared(in, in->at[ALPHA], &m->alpha, first, err) ||
		read_shared(in, in->at[SIGMA], &m->sigma, first, err)
	    ? -1
	    : 0;
}

static int
read_feature(struct reader *in, size_t column, size_t *j, struct kith_err *err)
{
	const char *name = kith_rec_cell(&in->rows.rec, column)->s;

	*j = kith_names_find(in->feature, name);
	if (*j < in->feature->n)
		return 0;
	return kith_rows_fail(&in->rows, column, err, "not among the features: " KITH_CELL, name);
}

static int
read_weight(struct reader *in, struct entry *e, struct kith_err *err)
{
	const struct kith_rows *t = &in->rows;
	const bool vector = in->first == in->second;

	if (kith_value_required(t, in->weight, &e->w, err))
		return -1;
	if (!(e->w < 0 && e->i == e->j && (vector || !in->full)))
		return 0;
	if (!(vector && in->how & KITH_WEIGHTS_CLIP))
		return kith_rows_fail(t, in->weight, err, "negative%s: " KITH_CELL,
		    vector ? "" : " on the diagonal", kith_rec_cell(&t->rec, in->weight)->s);
	in->into->needs.negatives++;
	e->w = 0;
	return 0;
}

static int
add_entry(struct reader *in, struct kith_err *err)
{
	struct entry e = {.line = in->rows.rec.line};

	if (in->member < in->rows.name.n && read_member(in, &e.member, err))
		return -1;
	if (in->path && kith_rec_missing(&in->rows.rec, in->first))
		return 0; /* a step without features */
	if (read_feature(in, in->first, &e.i, err) || read_feature(in, in->second, &e.j, err) ||
	    read_weight(in, &e, err))
		return -1;
	in->entry = kith_more(in->tmp, in->entry, in->n, &in->room, sizeof(*in->entry));
	in->entry[in->n++] = e;
	return 0;
}

/* Steps 3 and 4: the metric of each member. */
static int
fill(struct reader *in, struct kith_err *err)
{
	struct kith_weights *into = in->into;
	const bool matrix = kith_metric_is_matrix(in->kind);
	const size_t members = in->path || in->ensemble ? in->member_text.n : 1;
	const size_t all = in->feature->n;
	char *const *name = in->feature->name;
	size_t *at = kith_new(in->tmp, all, sizeof(*at)), p = 0, row; /* at: of the p features */
	bool *named = kith_new(in->tmp, all, sizeof(*named));
	double *w;

	for (const struct entry *e = in->entry; e < in->entry + in->n; e++)
		named[e->i] = named[e->j] = true;
	if (matrix)
		into->column = kith_new(in->pool, all, sizeof(*into->column));
	for (size_t j = 0; j < all; j++)
		if (!matrix || named[j]) {
			if (matrix)
				into->column[p] = j;
			at[j] = p++;
		}
	row = matrix ? p : 1;
	w = kith_new(in->pool, members * p, row * sizeof(*w));
	named = kith_new(in->tmp, members * p, row * sizeof(*named));
	for (const struct entry *e = in->entry; e < in->entry + in->n; e++) {
		const size_t i = at[e->i], j = matrix ? at[e->j] : 0;
		const size_t first = e->member * p * row, here = first + i * row + j;
		const size_t there = matrix ? first + j * row + i : here;

		if (named[here] || (named[there] && !in->full))
			return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, e->line,
			    matrix ? "pair named twice: " KITH_CELL ", " KITH_CELL
				   : "column \"feature\": named twice: " KITH_CELL,
			    name[e->i], name[e->j]);
		if (in->how & KITH_WEIGHTS_SYMMETRIC && named[there] && w[there] != e->w)
			return kith_fail_at(err, EX_DATAERR, in->rows.rec.file, 0,
			    "not symmetric: " KITH_CELL ", " KITH_CELL,
			    name[e->i < e->j ? e->i : e->j], name[e->i < e->j ? e->j : e->i]);
		named[here] = true;
		w[here] = e->w;
		if (!named[there])
			w[there] = e->w;
	}
	for (size_t h = 0; h < members; h++)
		in->of[h].metric = (struct kith_metric){in->kind, p, w + h * p * row};
	into->metric = in->of[0].metric;
	if (in->ensemble) {
		into->learner = in->of;
		into->learners = members;
	} else if (members > 1) {
		into->step = in->of;
		into->steps = members;
	}
	return 0;
}

/* Steps 1 and 2. */
static int
read_rows(struct reader *in, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	int got;

	in->into->needs.file = rec->file;
	got = find_columns(in, err);
	for (size_t i = 0; i < rec->notes && got == 0; i++)
		got = read_note(rec, &rec->note[i], &in->into->needs, err);
	if (in->ensemble)
		in->into->needs = (struct kith_needs){.file = rec->file};
	while (got == 0 && (got = kith_rows_next(&in->rows, err)) > 0)
		got = add_entry(in, err);
	if (got == 0 && in->path && in->n == 0)
		got = kith_fail_at(err, EX_DATAERR, rec->file, 0, "no step has a feature");
	kith_rows_close(&in->rows);
	return got;
}

int
kith_weights_read(const char *file, const struct kith_names *feature, int how,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_format format = {0};
	struct kith_pool tmp = {0};
	struct reader in = {
	    .feature = feature, .how = how, .into = weights, .pool = pool, .tmp = &tmp};
	int got;

	*weights = (struct kith_weights){0};
	in.of = kith_more(pool, NULL, 0, &in.member_room, sizeof(*in.of));
	in.full = how & (KITH_WEIGHTS_FULL | KITH_WEIGHTS_SYMMETRIC);
	got = kith_rows_open(&in.rows, files, &format, &tmp, err) || read_rows(&in, err) ||
		fill(&in, err)
	    ? -1
	    : 0;
	kith_pool_free(&tmp);
	return got;
}

int
kith_weights_read_for(const char *file, int how, struct kith_table *table, struct kith_table *query,
    struct kith_weights *w, struct kith_pool *pool, struct kith_err *err)
{
	*w = (struct kith_weights){.metric = {KITH_SQUARED, table->X.p, NULL}};
	if (!file)
		return 0;
	if (kith_weights_read(file, &table->feature, how, w, pool, err))
		return -1;
	if (w->column) {
		kith_table_take(table, w->column, w->metric.p, pool);
		if (query->column.n)
			kith_table_take(query, w->column, w->metric.p, pool);
	}
	return 0;
}

/* Scales the rows of a table, if it has any, to length 1; fails where that of a row is 0. */
static int
normalise_rows(struct kith_table *t, const struct kith_metric *metric, struct kith_err *err)
{
	const size_t row = kith_kern_unit_rows(&t->X, metric);

	return row == t->X.n
	    ? 0
	    : kith_fail_at(err, EX_DATAERR, t->file, 0, "row %zu: all features are 0: no cosine",
		  kith_table_number(t, row));
}

int
kith_weights_kernel(enum kith_kern_kind kernel, const struct kith_metric *metric, const char *file,
    struct kith_table *table, struct kith_table *query, struct kith_err *err)
{
	double most;

	if (kith_kern_check(kernel, metric, file, 0, err))
		return -1;
	if (kernel == KITH_KERN_COSINE)
		return normalise_rows(table, metric, err) || normalise_rows(query, metric, err) ? -1
												: 0;
	most = kernel == KITH_KERN_LINEAR ? kith_vec_largest(table->X.n * table->X.p, table->X.v)
					  : 0;
	if (most > 0 && most < sqrt(DBL_MIN)) /* no product of two features is a normal number */
		return kith_fail_at(err, EX_DATAERR, table->file, 0,
		    "all features are below 1.5e-154: products underflow (--scale, tabscale?)");
	return 0;
}

void
kith_weights_spread(const struct kith_weights *weights, double *W, size_t p)
{
	const struct kith_metric *m = &weights->metric;
	const bool matrix = kith_metric_is_matrix(m->kind);
	const size_t *at = weights->column, row = matrix ? p : 1, columns = matrix ? m->p : 1;

	memset(W, 0, p * row * sizeof(*W));
	for (size_t i = 0; i < m->p; i++)
		for (size_t j = 0; j < columns; j++)
			W[(at ? at[i] : i) * row + (at ? at[j] : j)] = m->w[i * columns + j];
}

/* ---- Writing ---- */

double *
kith_weights_deviations(const struct kith_table *t, struct kith_pool *pool)
{
	double *sd = kith_new(pool, t->X.p, sizeof(*sd));

	for (size_t j = 0; j < t->X.p; j++) {
		const struct kith_moments m = kith_moments_of(&t->X, j, t->weight);
		const long double n = (long double)m.n;

		/* sd_j^2 = n / (n - 1) sum_i w_i (x_ij - mean_j)^2 / sum_i w_i */
		if (m.n > 1 && m.min < m.max)
			sd[j] = (double)sqrtl(n / (n - 1) * m.sum2 / m.weight);
		if (t->text && t->text[j])
			sd[j] = NAN;
	}
	return sd;
}

/* The column "scaled_weight". */
static double
scale_weight(enum kith_metric_kind kind, double w, double sd_i, double sd_j)
{
	if (isnan(sd_i) || isnan(sd_j))
		return w;
	return (double)((long double)w * sd_i * (kind == KITH_ABSOLUTE ? 1 : sd_j));
}

void
kith_weights_put(const struct kith_metric *metric, const struct kith_names *feature,
    const double *sd, struct kith_out *out)
{
	const size_t p = metric->p;
	const bool matrix = kith_metric_is_matrix(metric->kind);
	const bool absolute = metric->kind == KITH_ABSOLUTE || metric->kind == KITH_ABSOLUTE_MATRIX;
	const char *const weight = absolute ? "weight_abs" : "weight";
	const char *const pair[] = {"feature1", "feature2", weight, "scaled_weight"};
	const char *const single[] = {"feature", weight, "scaled_weight"};

	kith_out_header(out, matrix ? pair : single, matrix ? 4 : 3);
	for (size_t i = 0; i < p && !out->failed; i++)
		for (size_t j = i; j < (matrix ? p : i + 1); j++) {
			const double w = metric->w[matrix ? i * p + j : i];

			kith_out_put(out, "%s\t", feature->name[i]);
			if (matrix)
				kith_out_put(out, "%s\t", feature->name[j]);
			kith_out_put(
			    out, "%g\t%g\n", w, scale_weight(metric->kind, w, sd[i], sd[j]));
		}
}

void
kith_weights_put_learners(
    const struct kith_weights *weights, const struct kith_names *feature, struct kith_out *out)
{
	static const char *const column[] = {
	    "learner", "alpha", "sigma", "feature1", "feature2", "weight_abs"};

	kith_out_header(out, column, 6);
	for (size_t h = 0; h < weights->learners; h++) {
		const struct kith_learner *l = &weights->learner[h];
		const size_t p = l->metric.p;

		for (size_t i = 0; i < p && !out->failed; i++)
			for (size_t j = i; j < p; j++)
				kith_out_put(out, "%zu\t%g\t%g\t%s\t%s\t%g\n", l->number, l->alpha,
				    l->sigma, feature->name[i], feature->name[j],
				    l->metric.w[i * p + j]);
	}
}

/* ---- Order ---- */

void
kith_weights_order(size_t p, const double *w, size_t *order)
{
	struct kith_pool tmp = {0};
	struct kith_ranked *e = kith_new(&tmp, p, sizeof(*e));

	for (size_t j = 0; j < p; j++)
		e[j] = (struct kith_ranked){w[j], j};
	kith_sort_ranked(e, p);
	for (size_t r = 0; r < p; r++)
		order[r] = e[r].of;
	kith_pool_free(&tmp);
}

void
kith_weights_drop(size_t p, const double *w, double share, double *out)
{
	struct kith_pool tmp = {0};
	size_t *order = kith_new(&tmp, p, sizeof(*order));
	const size_t drop = (size_t)floor(share * (double)p + 1e-9); /* .29 of 100 is 29 */

	assert(share >= 0 && drop <= p);
	memcpy(out, w, p * sizeof(*out));
	kith_weights_order(p, w, order);
	for (size_t r = p - drop; r < p; r++)
		out[order[r]] = 0;
	kith_pool_free(&tmp);
}

/* ---- Solution paths. ---- */

void
kith_path_header(const struct kith_path_form *form, struct kith_out *out)
{
	const char *const column[] = {"step", form->parameter, "feature",
	    form->kind == KITH_ABSOLUTE ? "weight_abs" : "weight", "scaled_weight"};

	kith_out_header(out, column, 5);
}

void
kith_path_step(const struct kith_path_form *form, size_t step, double parameter, const double *w,
    struct kith_out *out)
{
	bool some = false;

	for (size_t j = 0; j < form->feature->n; j++)
		if (w[j] != 0) {
			kith_out_put(out, "%zu\t%g\t%s\t%g\t%g\n", step, parameter,
			    form->feature->name[j], w[j],
			    scale_weight(form->kind, w[j], form->sd[j], form->sd[j]));
			some = true;
		}
	if (!some)
		kith_out_put(
		    out, "%zu\t%g\t%G\t%zu\t%zu\n", step, parameter, NAN, (size_t)0, (size_t)0);
	kith_out_flush(out);
}
