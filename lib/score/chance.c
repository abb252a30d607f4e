/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/chance.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/rows.h"
#include "text/value.h"

#include <math.h>
#include <string.h>

int
kith_chance_find(struct kith_chance *chance, const char *of, const char *prefix,
    const struct kith_rows *rows, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_names *name = &rows->name;
	const size_t len = strlen(prefix);

	*chance = (struct kith_chance){.of = of};
	chance->class = kith_new(pool, name->n, sizeof(*chance->class));
	KITH_NEW_SIZES(pool, name->n, 1, &chance->from);
	for (size_t j = 0; j < name->n; j++)
		if (strncmp(name->name[j], prefix, len) == 0) {
			chance->class[chance->c] = name->name[j] + len;
			chance->from[chance->c++] = j;
		}
	if (chance->c > 0)
		return 0;
	return kith_fail_at(err, EX_DATAERR, rows->first, rows->head,
	    "no column of scores of " KITH_NAME " (kpredict --probability?)",
	    of);
}

int
kith_chance_add(struct kith_chance *chance, const struct kith_rows *rows,
    const char *actual, struct kith_err *err)
{
	long double sum = 0, square = 0;
	double p, own = 0;
	bool found = false;

	for (size_t h = 0; h < chance->c; h++) {
		const bool is = strcmp(chance->class[h], actual) == 0;

		if (kith_value(rows, chance->from[h], &p, "", err))
			return -1;
		if (!(0 <= p && p <= 1))
			return kith_rows_fail(rows, chance->from[h], err,
			    "not a probability from 0 to 1: " KITH_CELL,
			    kith_rec_cell(&rows->rec, chance->from[h])->s);
		sum += p;
		square += ((long double)p - is) * ((long double)p - is);
		if (is) {
			own = p;
			found = true;
		}
	}
	square += !found; /* its p is 0 */
	if (!(fabsl(sum - 1) <= .01L))
		return kith_fail_at(err, EX_DATAERR, rows->rec.file,
		    rows->rec.line,
		    "the scores of " KITH_NAME
		    " are no probabilities: their sum is %g",
		    chance->of, (double)sum);
	chance->log_loss -= own > 0 ? logl(own) : -INFINITY;
	chance->brier += square;
	return 0;
}
