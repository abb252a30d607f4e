/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/columns.h"

#include "base/err.h"
#include "base/pool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char stem[] = "predicted";
enum { STEM = sizeof(stem) - 1 };

bool
kith_is_prediction(const char *column)
{
	return strncmp(column, stem, STEM) == 0 && (column[STEM] == '_' || !column[STEM]);
}

/* Finds the columns that start with kind[_K]:. */
static void
find_columns(
    struct kith_scores *s, const char *kind, const struct kith_names *name, struct kith_pool *pool)
{
	const size_t len = strlen(kind) + strlen(s->of) - STEM + 1;
	char *prefix = kith_new(pool, len + 1, 1);

	sprintf(prefix, "%s%s:", kind, s->of + STEM);
	s->prefix = prefix;
	for (size_t j = 0; j < name->n; j++)
		s->c += strncmp(name->name[j], prefix, len) == 0;
	if (s->c == 0)
		return;
	s->class = kith_new(pool, s->c, sizeof(*s->class));
	KITH_NEW_SIZES(pool, s->c, 1, &s->from);
	for (size_t j = 0, h = 0; j < name->n; j++)
		if (strncmp(name->name[j], prefix, len) == 0) {
			s->class[h] = name->name[j] + len;
			s->from[h++] = j;
		}
}

void
kith_scores_find(struct kith_scores *scores, const char *prediction, const struct kith_rows *rows,
    struct kith_pool *pool)
{
	*scores = (struct kith_scores){.of = prediction};
	find_columns(scores, "probability", &rows->name, pool);
	scores->probabilities = scores->c > 0;
	if (scores->c == 0)
		find_columns(scores, "score", &rows->name, pool);
}

size_t
kith_scores_second(const struct kith_scores *scores)
{
	return scores->c == 2 ? strcmp(scores->class[1], scores -> class[0]) > 0 : scores->c;
}

int
kith_scores_losses(const struct kith_scores *scores, const struct kith_rows *rows,
    const char *actual, long double *log_loss, long double *brier, struct kith_err *err)
{
	long double sum = 0;
	double p, own = 0;
	bool found = false;

	*brier = 0;
	for (size_t h = 0; h < scores->c; h++) {
		const bool is = strcmp(scores->class[h], actual) == 0;

		if (kith_value_required(rows, scores->from[h], &p, err))
			return -1;
		if (!(0 <= p && p <= 1))
			return kith_rows_fail(rows, scores->from[h], err,
			    "not a probability from 0 to 1: " KITH_CELL,
			    kith_rec_cell(&rows->rec, scores->from[h])->s);
		sum += p;
		*brier += ((long double)p - is) * ((long double)p - is);
		if (is) {
			own = p;
			found = true;
		}
	}
	*brier += !found; /* its p is 0 */
	*log_loss = own > 0 ? -logl(own) : INFINITY;
	if (fabsl(sum - 1) <= .01L)
		return 0;
	return kith_fail_at(err, EX_DATAERR, rows->rec.file, rows->rec.line,
	    "the probabilities of " KITH_NAME " have a sum of %g, not 1", scores->of, (double)sum);
}
