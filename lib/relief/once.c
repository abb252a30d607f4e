/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/once.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "base/rng.h"
#include "base/sort.h"
#include "relief/classic.h"
#include "relief/irelief.h"
#include "relief/job.h"
#include "relief/lfe.h"
#include "relief/metric.h"
#include "relief/mixed.h"
#include "relief/nca.h"
#include "relief/relieff.h"
#include "relief/simba.h"
#include "relief/surf.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Which columns have one value, missing cells aside; the others into kept. */
static size_t
find_constant(const struct kith_mat *X, bool *constant, size_t *kept)
{
	size_t p = 0;

	for (size_t a = 0; a < X->p; a++) {
		double least, most;

		kith_mat_range(X, a, &least, &most);
		constant[a] = !(least < most); /* NaN: all are missing */
		if (!constant[a])
			kept[p++] = a;
	}
	return p;
}

/* The rows sampled, in input order; NULL for all. */
static int
draw(const struct kith_relief_how *how, size_t n, const size_t **sample,
    struct kith_pool *pool, struct kith_err *err)
{
	size_t *row;
	struct kith_rng rng;

	*sample = NULL;
	if (how->samples > n)
		return kith_fail(err, EX_DATAERR,
		    "--samples %zu: only %zu rows", how->samples, n);
	if (how->samples == 0 || how->samples == n)
		return 0;
	row = kith_new(pool, n, sizeof(*row));
	for (size_t i = 0; i < n; i++)
		row[i] = i;
	kith_rng_seed(&rng, how->seed, KITH_RNG_SAMPLE, 0);
	kith_rng_shuffle(&rng, row, n);
	kith_sort_sizes(row, how->samples);
	*sample = row;
	return 0;
}

/* The exponent of the widest range; divides X by its power of two. */
static int
scale(struct kith_mat *X)
{
	int e = INT_MIN;

	for (size_t a = 0; a < X->p; a++) {
		double least, most;
		int range;

		kith_mat_range(X, a, &least, &most);
		range = kith_range_exponent(least, most);
		e = range > e ? range : e;
	}
	for (size_t i = 0; i < X->n * X->p; i++)
		X->v[i] = ldexp(X->v[i], -e);
	return e;
}

static int
dispatch(struct kith_relief_job *job, struct kith_err *err)
{
	switch (job->how->method) {
	case KITH_RELIEF:
		kith_relief_relief(job);
		return 0;
	case KITH_RELIEF_SIMBA:
		kith_relief_simba(job);
		return 0;
	case KITH_RELIEF_MULREL:
		kith_relief_mulrel(job);
		return 0;
	case KITH_RELIEF_IRELIEF:
		kith_relief_irelief(job);
		return 0;
	case KITH_RELIEF_NCA:
		return job->how->rank ? kith_relief_metric(job, err)
				      : kith_relief_nca(job, err);
	default:
		return kith_relief_lfe(job, err);
	}
}

/* RELIEF's weights in units of the data. */
static int
unscale(const struct kith_relief_job *job, size_t p,
    const struct kith_names *name, const size_t *kept, struct kith_err *err)
{
	for (size_t a = 0; a < p; a++) {
		job->w[a] = ldexp(job->w[a], 2 * job->exponent);
		if (!isfinite(job->w[a]))
			return kith_fail(err, EX_DATAERR,
			    "the weight of " KITH_NAME
			    " does not fit a double: scale the rows (tabscale)",
			    name->name[kept[a]]);
	}
	return 0;
}

/* Whether differences are those of cells: texts, missing ones, ranges. */
static bool
by_cells(const struct kith_relief_rows *rows, const struct kith_relief_how *how,
    const size_t *kept, size_t p)
{
	if (how->method != KITH_RELIEF)
		return kith_relief_takes_cells(how->method);
	for (size_t a = 0; a < p; a++) {
		if (rows->text && rows->text[kept[a]])
			return true;
		for (size_t i = 0; i < rows->X.n; i++)
			if (isnan(kith_row(&rows->X, i)[kept[a]]))
				return true;
	}
	return false;
}

static void
weigh_cells(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w)
{
	if (how->method == KITH_RELIEF)
		kith_relief_mixed(rows, how, sample, m, w);
	else if (how->method == KITH_RELIEFF)
		kith_relieff(rows, how, sample, m, w);
	else
		kith_relief_surf(rows, how, sample, m, w);
}

/* The weights of the sorted rows; NULL where there are none. */
static const double *
by_place(const struct kith_relief_rows *rows, const struct kith_by_class *s,
    struct kith_pool *pool)
{
	double *weight;

	if (!rows->weight)
		return NULL;
	weight = kith_new(pool, s->X.n, sizeof(*weight));
	for (size_t i = 0; i < s->X.n; i++)
		weight[i] = rows->weight[s->row[i]];
	return weight;
}

/* Weigh the p features kept; w is p, or p x p for a matrix. */
static int
weigh(const struct kith_relief_rows *rows, const struct kith_relief_how *how,
    const size_t *kept, size_t p, double *w, struct kith_relief *out,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X.n;
	struct kith_relief_job job = {
	    .how = how, .y = rows->y, .t = rows->t, .w = w, .out = out};
	const size_t *sample;
	const size_t m = how->samples ? how->samples : n;
	int got = draw(how, n, &sample, &tmp, err);

	if (got == 0 && p > 0)
		job.X = kith_mat_take(&rows->X, kept, p, &tmp);
	if (got == 0 && p > 0 && by_cells(rows, how, kept, p)) {
		struct kith_relief_rows some = *rows;
		bool *text = kith_new(&tmp, p, sizeof(*text));

		for (size_t a = 0; a < p; a++)
			text[a] = rows->text && rows->text[kept[a]];
		some.X = job.X;
		some.text = text;
		weigh_cells(&some, how, sample, m, w);
	} else if (got == 0 && p > 0) {
		job.exponent = scale(&job.X);
		kith_by_class_sort(&job.X, rows->y, rows->y ? rows->c : 1,
		    sample, m, &job.s, &tmp);
		job.weight = by_place(rows, &job.s, &tmp);
		got = dispatch(&job, err);
	}
	if (got == 0 && how->method == KITH_RELIEF)
		got = unscale(&job, p, rows->name, kept, err);
	kith_pool_free(&tmp);
	return got;
}

int
kith_relief_once(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X.p;
	const bool matrix = kith_relief_is_matrix(how);
	size_t *kept = kith_new(&tmp, p, sizeof(*kept)), q;
	double *w;
	int got;

	out->constant = kith_new(pool, p, sizeof(*out->constant));
	out->w = kith_new(pool, p, (matrix ? p : 1) * sizeof(*out->w));
	q = find_constant(&rows->X, out->constant, kept);
	if (q == p)
		w = out->w;
	else
		w = kith_new(&tmp, q + !q, (matrix ? q + !q : 1) * sizeof(*w));
	got = weigh(rows, how, kept, q, w, out, err);
	for (size_t a = 0; got == 0 && q < p && a < q; a++)
		for (size_t b = 0; b < (matrix ? q : 1); b++)
			if (matrix)
				out->w[kept[a] * p + kept[b]] = w[a * q + b];
			else
				out->w[kept[a]] = w[a];
	kith_pool_free(&tmp);
	return got;
}
