/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/known.h"

#include "base/pool.h"
#include "graph/labels.h"
#include "table/table.h"

#include <math.h>
#include <string.h>

static void
choose(const struct kith_table *t, double share, uint64_t seed, struct kith_known *known,
    struct kith_pool *pool)
{
	known->given = kith_new(pool, t->X.n, sizeof(*known->given));
	if (share > 0)
		kith_labels_reveal(t, share, seed, known->given);
	for (size_t i = 0; i < t->X.n; i++) {
		if (share <= 0)
			known->given[i] = t->y ? t->y[i] != KITH_NO_CLASS : !isnan(t->t[i]);
		known->count += known->given[i];
	}
}

/* Halves, where the range overflows. */
double
kith_known_unit(const struct kith_known *known, double t)
{
	const double least = known->least, most = known->most;

	if (isinf(most - least))
		return (t / 2 - least / 2) / (most / 2 - least / 2);
	return most > least ? (t - least) / (most - least) : t - least;
}

double
kith_known_number(const struct kith_known *known, double u)
{
	const double v = fmin(fmax(u, 0), 1);

	return known->least * (1 - v) + known->most * v;
}

/* The labels of the rows that are given. */
static void
take(struct kith_known *known, struct kith_pool *pool)
{
	const struct kith_table *rows = known->rows;
	const size_t n = rows->X.n;
	size_t *y = NULL;
	double *u = NULL;

	known->least = INFINITY;
	known->most = -INFINITY;
	if (rows->y)
		y = kith_new(pool, n, sizeof(*y));
	else
		u = kith_new(pool, n, sizeof(*u));
	for (size_t i = 0; i < n; i++) {
		if (y)
			y[i] = known->given[i] ? rows->y[i] : KITH_NO_CLASS;
		else if (known->given[i]) {
			known->least = fmin(known->least, rows->t[i]);
			known->most = fmax(known->most, rows->t[i]);
		}
	}
	for (size_t i = 0; u && i < n; i++)
		u[i] = known->given[i] ? kith_known_unit(known, rows->t[i]) : NAN;
	known->labels = (struct kith_prop_labels){y, u, y ? rows->class.n : 1};
}

void
kith_known_choose(const struct kith_table *rows, double share, uint64_t seed,
    struct kith_known *known, struct kith_pool *pool)
{
	*known = (struct kith_known){.rows = rows};
	choose(rows, share, seed, known, pool);
	take(known, pool);
}

size_t
kith_known_shares(const struct kith_known *known, double *share)
{
	const size_t c = known->labels.c;
	size_t best = 0;

	memset(share, 0, c * sizeof(*share));
	for (size_t i = 0; i < known->rows->X.n; i++)
		if (known->given[i])
			share[known->labels.y[i]]++;
	for (size_t k = 0; k < c; k++)
		if (share[k] > share[best])
			best = k;
	for (size_t k = 0; k < c; k++)
		share[k] /= (double)known->count;
	return best;
}

double
kith_known_mean(const struct kith_known *known)
{
	long double sum = 0;

	for (size_t i = 0; i < known->rows->X.n; i++)
		if (known->given[i])
			sum += known->labels.u[i];
	return (double)(sum / (long double)known->count);
}
