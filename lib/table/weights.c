/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/weights.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/sort.h"
#include "table/table.h"
#include "table/weights_table.h"
#include "text/out.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Fail where the table has (i, j) and (j, i) of different weights. */
static int
check_symmetric(const struct kith_weights_table *t, const struct kith_metric *metric,
    const struct kith_names *feature, struct kith_err *err)
{
	const size_t p = metric->p;

	for (size_t i = 0; i < p; i++)
		for (size_t j = i + 1; j < p; j++)
			if (metric->w[i * p + j] != metric->w[j * p + i])
				return kith_fail_at(err, EX_DATAERR, t->file, 0,
				    "not symmetric: " KITH_CELL ", " KITH_CELL,
				    feature->name[t->column[i]], feature->name[t->column[j]]);
	return 0;
}

/* Read a table, and make a metric of it; of a matrix, list the features. */
static int
read_table(const char *file, const struct kith_names *feature,
    const struct kith_weights_rules *rules, bool symmetric, struct kith_weights *weights,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_weights_table table;
	int got = kith_weights_table_read(file, feature, rules, &table, &tmp, err);

	*weights = (struct kith_weights){.needs = table.needs};
	if (got == 0)
		weights->metric = kith_weights_table_metric(&table, 0, table.n, feature->n, pool);
	if (got == 0 && table.column) {
		weights->column = kith_new(pool, table.p, sizeof(*weights->column));
		memcpy(weights->column, table.column, table.p * sizeof(*weights->column));
		if (symmetric)
			got = check_symmetric(&table, &weights->metric, feature, err);
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_weights_read(const char *file, const struct kith_names *feature, bool clip,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_weights_rules rules = {.clip = clip};

	return read_table(file, feature, &rules, false, weights, pool, err);
}

int
kith_weights_read_full(const char *file, const struct kith_names *feature, bool symmetric,
    struct kith_weights *weights, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_weights_rules rules = {.full = true};

	return read_table(file, feature, &rules, symmetric, weights, pool, err);
}

void
kith_weights_spread(const struct kith_weights *weights, double *W, size_t p)
{
	const struct kith_metric *m = &weights->metric;
	const bool matrix = kith_metric_is_matrix(m->kind);
	const size_t *at = weights->column;

	if (!at) {
		memcpy(W, m->w, p * (matrix ? p : 1) * sizeof(*W));
		return;
	}
	memset(W, 0, p * p * sizeof(*W));
	for (size_t i = 0; i < m->p; i++)
		for (size_t j = 0; j < m->p; j++)
			W[at[i] * p + at[j]] = m->w[i * m->p + j];
}

/* Of a feature: the rows that count, their weights, and weighted sums of x - first. */
struct sums {
	size_t n;
	double
	    first; /* x of the first row that counts: with it taken off, sums of a constant are 0 */
	long double w, d, mean, square; /* square: of (x - first - mean)^2 */
};

static void
add(struct sums *s, double x, double w)
{
	if (isnan(x))
		return;
	if (s->n++ == 0)
		s->first = x;
	s->w += w;
	s->d += w * ((long double)x - s->first);
}

static void
add_square(struct sums *s, double x, double w)
{
	const long double d = (long double)x - s->first - s->mean;

	if (!isnan(x))
		s->square += w * d * d;
}

double *
kith_weights_deviations(const struct kith_table *t, struct kith_pool *pool)
{
	const size_t p = t->X.p;
	double *sd = kith_new(pool, p, sizeof(*sd));
	struct kith_pool tmp = {0};
	struct sums *s = kith_new(&tmp, p, sizeof(*s));

	for (size_t i = 0; i < t->X.n; i++)
		for (size_t j = 0; j < p && (!t->weight || t->weight[i] > 0); j++)
			add(&s[j], kith_row(&t->X, i)[j], t->weight ? t->weight[i] : 1);
	for (size_t j = 0; j < p; j++)
		s[j].mean = s[j].d / (s[j].w + !s[j].n);
	for (size_t i = 0; i < t->X.n; i++)
		for (size_t j = 0; j < p && (!t->weight || t->weight[i] > 0); j++)
			add_square(&s[j], kith_row(&t->X, i)[j], t->weight ? t->weight[i] : 1);
	for (size_t j = 0; j < p; j++) {
		const long double n = (long double)s[j].n;

		sd[j] = n < 2 ? 0 : (double)sqrtl(n / (n - 1) * s[j].square / s[j].w);
		if (t->text && t->text[j])
			sd[j] = NAN;
	}
	kith_pool_free(&tmp);
	return sd;
}

double
kith_weights_scaled(enum kith_metric_kind kind, double w, double sd_i, double sd_j)
{
	if (isnan(sd_i) || isnan(sd_j))
		return w;
	return (double)((long double)w * sd_i * (kind == KITH_ABSOLUTE ? 1 : sd_j));
}

static void
write_vector(const struct kith_metric *m, const struct kith_names *feature, const double *sd,
    struct kith_out *out)
{
	for (size_t j = 0; j < m->p && !out->failed; j++)
		kith_out_put(out, "%s\t%g\t%g\n", feature->name[j], m->w[j],
		    kith_weights_scaled(m->kind, m->w[j], sd[j], sd[j]));
}

static void
write_pairs(const struct kith_metric *m, const struct kith_names *feature, const double *sd,
    struct kith_out *out)
{
	for (size_t i = 0; i < m->p && !out->failed; i++)
		for (size_t j = i; j < m->p; j++) {
			const double w = m->w[i * m->p + j];

			kith_out_put(out, "%s\t%s\t%g\t%g\n", feature->name[i], feature->name[j], w,
			    kith_weights_scaled(m->kind, w, sd[i], sd[j]));
		}
}

void
kith_weights_put(const struct kith_metric *metric, const struct kith_names *feature,
    const double *sd, struct kith_out *out)
{
	const bool matrix = kith_metric_is_matrix(metric->kind);
	const bool absolute = metric->kind == KITH_ABSOLUTE || metric->kind == KITH_ABSOLUTE_MATRIX;
	const char *const weight = absolute ? "weight_abs" : "weight";
	const char *const pair[] = {"feature1", "feature2", weight, "scaled_weight"};
	const char *const single[] = {"feature", weight, "scaled_weight"};

	kith_out_header(out, matrix ? pair : single, matrix ? 4 : 3);
	if (matrix)
		write_pairs(metric, feature, sd, out);
	else
		write_vector(metric, feature, sd, out);
}

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
