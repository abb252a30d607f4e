/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/report.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "table/table.h"
#include "table/trial.h"
#include "text/out.h"
#include "vote/predict.h"

#include <math.h>
#include <string.h>

/* A column's name: "predicted", or "predicted_3" where there are several k. */
static char *
label(const struct kith_report *r, const char *what, size_t a, const char *colon, const char *class,
    struct kith_pool *pool)
{
	return r->predicted->nk > 1 ? kith_text(pool, "%s_%zu%s%s", what, r->k[a], colon, class)
				    : kith_text(pool, "%s%s%s", what, colon, class);
}

/* The names of the n columns. */
static char **
name_columns(const struct kith_report *r, size_t *n, struct kith_pool *pool)
{
	const struct kith_predicted *p = r->predicted;
	const size_t c = p->share ? r->class->n : 0;
	char **name = kith_new(pool, 2 + p->nk * (1 + c) + p->pairs, sizeof(*name)), **to = name;

	*to++ = kith_strndup(pool, "id", 2);
	for (size_t a = 0; a < p->nk; a++)
		*to++ = label(r, "predicted", a, "", "", pool);
	if (r->rows->y || r->rows->t)
		*to++ = kith_strndup(pool, "actual", 6);
	for (size_t a = 0; a < p->nk; a++)
		for (size_t i = 0; i < c; i++)
			*to++ = label(r, r->probabilities ? "probability" : "score", a, ":",
			    r->class->name[i], pool);
	for (size_t i = 0; i < p->pairs; i++)
		*to++ = p->pair_name[i];
	*n = (size_t)(to - name);
	return name;
}

/* Row i of the table, which is row at of the predictions. */
static void
write_row(const struct kith_report *r, size_t i, size_t at, struct kith_out *out)
{
	const struct kith_table *rows = r->rows;
	const struct kith_predicted *p = r->predicted;
	const size_t scores = p->share ? p->nk * r->class->n : 0;
	const bool none = p->none && p->none[at];

	kith_table_write_id(rows, i, out);
	for (size_t a = at * p->nk; a < (at + 1) * p->nk; a++)
		if (none || (p->y && p->y[a] == KITH_NO_CLASS))
			kith_out_put(out, "\t%G", NAN);
		else if (p->y)
			kith_out_put(out, "\t%s", r->class->name[p->y[a]]);
		else
			kith_out_put(out, "\t%g", p->t[a]);
	if (rows->t)
		kith_out_put(out, "\t%G", rows->t[i]);
	else if (rows->y)
		kith_out_put(
		    out, "\t%s", rows->y[i] != KITH_NO_CLASS ? rows->class.name[rows->y[i]] : NULL);
	for (size_t s = 0; s < scores; s++)
		if (none)
			kith_out_put(out, "\t%G", NAN);
		else
			kith_out_put(out, "\t%g", p->share[at * scores + s]);
	for (size_t o = 0; o < p->pairs; o++)
		kith_out_put(out, "\t%g", p->pair[at * p->pairs + o]);
	kith_out_row(out);
}

int
kith_report_predictions(const struct kith_report *r, size_t from, size_t to, size_t first,
    const struct kith_dest *dest, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_names all;
	size_t n, twin;
	char **name = name_columns(r, &n, &tmp);
	int got;

	twin = kith_names_index(&all, name, n, &tmp);
	got = twin < n
	    ? kith_fail_at(err, EX_DATAERR, r->rows->file, r->rows->head,
		  "column " KITH_NAME ": the output would have this name twice", name[twin])
	    : kith_out_open_table(out, dest, err);
	if (got == 0)
		kith_out_header(out, (const char *const *)name, n);
	for (size_t i = from; got == 0 && i < to && !out->failed; i++)
		if (!r->skip || !r->skip[i])
			write_row(r, i, first + i - from, out);
	kith_pool_free(&tmp);
	return got;
}

/* The loss of a class is 0 or 1, of a number its squared error, which need not fit a double. */
void
kith_report_trial(const struct kith_report *r, size_t a, const size_t *part, size_t parts,
    struct kith_trial *trial)
{
	struct kith_pool tmp = {0};
	const struct kith_table *rows = r->rows;
	const struct kith_predicted *p = r->predicted;
	const size_t n = rows->X.n, N = part ? parts : n;
	long double *loss = kith_new(&tmp, N, sizeof(*loss));
	double *count = kith_new(&tmp, N, sizeof(*count));

	trial->n = trial->errors = 0;
	for (size_t i = 0, at = a; i < n; i++, at += p->nk) {
		long double e = NAN; /* NaN: the row does not count */

		if (rows->t)
			e = p->t[at] - rows->t[i];
		else if (rows->y && rows->y[i] != KITH_NO_CLASS)
			e = p->y[at] == KITH_NO_CLASS ||
			    strcmp(rows->class.name[rows->y[i]], r->class->name[p->y[at]]) != 0;
		if (isnan(e))
			continue;
		loss[part ? part[i] : i] += e * e;
		count[part ? part[i] : i]++;
		trial->n++;
		trial->errors += e > 0;
	}
	kith_trial_sums(loss, count, N, rows->t, trial);
	kith_pool_free(&tmp);
}
