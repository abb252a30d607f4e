/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/match.h"

#include "base/err.h"
#include "base/pool.h"

#include <stdint.h>
#include <string.h>

/* Row i of those read from o has an id that the other table lacks. */
static int
lacks(
    const struct kith_outcome *o, size_t i, const struct kith_outcome *other, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, o->row[i].file, o->row[i].line,
	    "column \"id\": " KITH_CELL ": not in %.200s", o->id.name[i], other->file);
}

/* Whether the same was true of row i of a and row j of b. */
static bool
agree(const struct kith_outcome *a, size_t i, const struct kith_outcome *b, size_t j)
{
	if (a->y)
		return strcmp(a->class.name[a->y[i]], b->class.name[b->y[j]]) == 0;
	return a->t[i] == b->t[j];
}

int
kith_outcome_match(const struct kith_outcome *a, const struct kith_outcome *b,
    struct kith_outcome_pair **pair, size_t *n, struct kith_pool *pool, struct kith_err *err)
{
	*pair = kith_new(pool, a->n, sizeof(**pair));
	*n = 0;
	for (size_t i = 0; i < a->read; i++) {
		const size_t j = kith_names_find(&b->id, a->id.name[i]);
		struct kith_outcome_pair both;

		if (j == b->read)
			return lacks(a, i, b, err);
		both.a = a->row[i].at;
		both.b = b->row[j].at;
		if (both.a == SIZE_MAX || both.b == SIZE_MAX)
			continue;
		if (!agree(a, both.a, b, both.b))
			return kith_fail_at(err, EX_DATAERR, b->row[j].file, b->row[j].line,
			    "column \"actual\": not what %.200s has for "
			    "id " KITH_CELL,
			    a->file, a->id.name[i]);
		(*pair)[(*n)++] = both;
	}
	for (size_t j = 0; j < b->read; j++)
		if (kith_names_find(&a->id, b->id.name[j]) == a->read)
			return lacks(b, j, a, err);
	if (*n > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, a->file, 0,
	    "every row has a missing cell here and in %.200s", b->file);
}

static bool
is_wrong(const struct kith_outcome *o, size_t column, size_t i)
{
	return o->column[column].p[i] != o->y[i];
}

void
kith_outcome_differ(const struct kith_outcome *a, size_t column_a, const struct kith_outcome *b,
    size_t column_b, const struct kith_outcome_pair *pair, size_t n, long double *d)
{
	for (size_t h = 0; h < n; h++) {
		const size_t i = pair[h].a, j = pair[h].b;

		if (a->y) {
			d[h] = is_wrong(a, column_a, i) - is_wrong(b, column_b, j);
		} else {
			/* e^2 - f^2, without the loss of digits. */
			const long double e = (long double)a->column[column_a].v[i] - a->t[i];
			const long double f = (long double)b->column[column_b].v[j] - b->t[j];

			d[h] = (e - f) * (e + f);
		}
	}
}
