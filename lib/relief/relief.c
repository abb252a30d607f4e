#include "relief/relief.h"

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
#include "relief/turf.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Weights below this share of the largest are none. */
static const double NOTHING = 0x1p-200;

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

static bool
is_constant(const double *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (t[i] != t[0])
			return false;
	return true;
}

/* Weigh all features: those of one value have weight 0. */
static int
weigh_all(const struct kith_relief_rows *rows,
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

/* Whether all rows are of one class. */
static bool
is_one_class(const size_t *y, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (y[i] != y[0])
			return false;
	return true;
}

/* Weights of mean 1 for n rows; NULL where all are equal. */
static const double *
mean_one(double *weight, size_t n)
{
	double most = 0, sum = 0;
	bool equal = true;

	for (size_t i = 0; i < n; i++) {
		most = fmax(most, weight[i]);
		equal = equal && weight[i] == weight[0];
	}
	for (size_t i = 0; i < n; i++) {
		weight[i] /= most;
		sum += weight[i];
	}
	for (size_t i = 0; i < n; i++)
		weight[i] *= (double)n / sum;
	return equal ? NULL : weight;
}

/* Leave out the rows of weight 0, and those that vanish beside the others. */
static int
sift(struct kith_relief_rows *rows, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_relief_rows all = *rows;
	size_t *row = kith_new(pool, all.X.n, sizeof(*row)), n = 0;
	size_t *y = all.y ? kith_new(pool, all.X.n, sizeof(*y)) : NULL;
	double *t = all.t ? kith_new(pool, all.X.n, sizeof(*t)) : NULL;
	double *weight = kith_new(pool, all.X.n, sizeof(*weight)), most = 0;

	for (size_t i = 0; i < all.X.n; i++)
		most = fmax(most, all.weight[i]);
	for (size_t i = 0; i < all.X.n; i++) {
		if (!(all.weight[i] / most > NOTHING))
			continue;
		if (y)
			y[n] = all.y[i];
		if (t)
			t[n] = all.t[i];
		weight[n] = all.weight[i];
		row[n++] = i;
	}
	rows->X = kith_mat_rows(&all.X, row, n, pool);
	rows->y = y;
	rows->t = t;
	rows->weight = mean_one(weight, n);
	if (y && is_one_class(y, n))
		return kith_fail(err, EX_DATAERR,
		    "one class only has rows of weight above 0");
	return 0;
}

static int
check(const struct kith_relief_rows *rows, struct kith_err *err)
{
	if (!rows->y && is_constant(rows->t, rows->X.n))
		return kith_fail(err, EX_DATAERR, "the target is constant");
	return 0;
}

int
kith_relief(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_relief_rows some = *rows;
	int got;

	assert(rows->X.n >= 1 && (rows->y || kith_relief_takes_numbers(how)));
	assert(how->k >= 1 || how->method != KITH_RELIEFF);
	*out = (struct kith_relief){.converged = true, .best = 1};
	got = rows->weight ? sift(&some, &tmp, err) : 0;
	if (got == 0)
		got = check(&some, err);
	if (got == 0)
		got = how->turf > 0
		    ? kith_relief_turf(&some, how, out, pool, err)
		    : weigh_all(&some, how, out, pool, err);
	kith_pool_free(&tmp);
	return got;
}
