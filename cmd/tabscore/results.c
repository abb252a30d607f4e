/* SPDX-License-Identifier: BSD-2-Clause */
#include "tabscore.h"

#include "score/score.h"

#include <math.h>

/* A row of the table; value NaN: missing. */
struct result {
	size_t method, set;
	double value;
};

struct reader {
	struct kith_rows rows;
	struct results *m;
	struct kith_pool *pool;
	bool larger_is_better;
	size_t method, set, value; /* columns */
	struct kith_names sets;
	struct result *result;
	size_t n, room; /* results */
};

static int
find_columns(struct reader *in, struct kith_err *err)
{
	const struct kith_names *name = &in->rows.name;

	in->method = kith_names_find(name, "method");
	in->set = kith_names_find(name, "set");
	in->value = name->n;
	for (int larger = 0; larger < 2; larger++)
		for (size_t h = 0; h < KITH_SCORE_MEASURES && in->value == name->n; h++)
			if (kith_score_measures[h].larger_is_better == larger) {
				in->m->measure = kith_score_measures[h].name;
				in->value = kith_names_find(name, in->m->measure);
				in->larger_is_better = larger;
			}
	if (in->method < name->n && in->set < name->n && in->value < name->n)
		return 0;
	return kith_fail_at(err, EX_DATAERR, in->rows.first, in->rows.head,
	    "not a table of results: columns method, set and a measure, as error, expected%s",
	    kith_rows_hint(&in->rows, ""));
}

static int
add_row(struct reader *in, struct kith_err *err)
{
	const struct kith_rec *rec = &in->rows.rec;
	const size_t text[] = {in->method, in->set};
	enum kith_value got;
	struct result r;

	for (size_t h = 0; h < 2; h++)
		if (kith_cell_missing(kith_rec_cell(rec, text[h])))
			return kith_fail_missing(&in->rows, text[h], "", err);
	got = kith_value(&in->rows, in->value, &r.value, "", err);
	if (got < 0)
		return -1;
	if (got == KITH_VALUE_MISSING && !how.omit)
		return kith_fail_missing(
		    &in->rows, in->value, " (--na omit leaves the set out)", err);
	if (got == KITH_VALUE_MISSING)
		r.value = NAN;
	r.method = kith_names_add(&in->m->method, kith_rec_cell(rec, in->method)->s, in->pool);
	r.set = kith_names_add(&in->sets, kith_rec_cell(rec, in->set)->s, in->pool);
	in->result = kith_more(in->pool, in->result, in->n, &in->room, sizeof(*in->result));
	in->result[in->n++] = r;
	return 0;
}

/* Fails because a set lacks a method. */
static int
lacks(const struct reader *in, size_t set, size_t method, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, in->rows.first, 0,
	    "set " KITH_CELL ": no row of method " KITH_CELL " (--na omit leaves the set out)",
	    in->sets.name[set], in->m->method.name[method]);
}

/* Means of equal rows, on the sets that have all methods. */
static int
fill_matrix(struct reader *in, struct kith_err *err)
{
	struct results *m = in->m;
	const size_t k = m->method.n;
	size_t *times = kith_new(in->pool, in->sets.n, k * sizeof(*times));

	m->x = kith_new(in->pool, in->sets.n, k * sizeof(*m->x));
	for (size_t i = 0; i < in->n; i++) {
		const struct result *r = &in->result[i];

		times[r->set * k + r->method]++;
		m->x[r->set * k + r->method] += in->larger_is_better ? -r->value : r->value;
	}
	for (size_t s = 0; s < in->sets.n; s++) {
		bool whole = true;

		for (size_t j = 0; j < k; j++) {
			const size_t seen = times[s * k + j];

			if (seen == 0 && !how.omit)
				return lacks(in, s, j, err);
			m->x[m->n * k + j] = m->x[s * k + j] / (double)seen;
			whole = whole && seen > 0 && isfinite(m->x[m->n * k + j]);
		}
		if (whole)
			m->n++;
		else
			m->left_out++;
	}
	if (k >= 2 && m->n >= 2)
		return 0;
	return kith_fail_at(err, EX_DATAERR, in->rows.first, 0,
	    "%zu method%s and %zu set%s with a result of each: two and more are needed", k,
	    k == 1 ? "" : "s", m->n, m->n == 1 ? "" : "s");
}

int
read_results(
    const char *const *files, struct results *r, struct kith_pool *pool, struct kith_err *err)
{
	struct reader in = {.m = r, .pool = pool};
	int got;

	*r = (struct results){0};
	if (kith_rows_open(&in.rows, files, &how.format, pool, err))
		return -1;
	got = find_columns(&in, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = add_row(&in, err);
	kith_rows_close(&in.rows);
	return got ? -1 : fill_matrix(&in, err);
}
