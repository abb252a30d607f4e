/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/predict.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "near/knn.h"
#include "table/unit.h"
#include "table/weights.h"
#include "vote/internal.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

static bool
has_bandwidth(const struct kith_predict_how *how)
{
	return how->vote->takes_sigma &&
	    (!how->vote->takes_kernel || how->kernel == KITH_KERN_GAUSSIAN);
}

static void
new_predicted(const struct kith_sample *reference, const struct kith_predict_how *how, size_t m,
    struct kith_predicted *out, struct kith_pool *pool)
{
	*out = (struct kith_predicted){.nk = how->nk};
	out->sigma = kith_new(pool, how->nk, sizeof(*out->sigma));
	if (!reference->y)
		out->t = kith_new(pool, m * how->nk, sizeof(*out->t));
	else
		out->y = kith_new(pool, m * how->nk, sizeof(*out->y));
	if (reference->y && how->share)
		out->share = kith_new(pool, m * how->nk, reference->c * sizeof(*out->share));
}

size_t
kith_predict_queries(const struct kith_predict_how *how, size_t n, size_t m)
{
	return m + (has_bandwidth(how) && !how->fitted ? kith_sigma_asks(&how->sigma, n) : 0);
}

int
kith_predict_range(const struct kith_predict_how *how, const struct kith_mat *X,
    const struct kith_origin *from, struct kith_err *err)
{
	struct kith_origin under = *from;

	for (size_t l = 0; l < how->learners; l++) {
		under.metric = &how->learner[l].metric;
		if (kith_range_check(X, &under, err))
			return -1;
	}
	return 0;
}

enum { BLOCK = 64 }; /* rows that a thread takes at a time */

/* What a thread needs. */
struct counter {
	struct kith_pool pool;
	double *v, *share;
	void *begun; /* what the vote works with */
};

/* Neighbours whose votes are counted. */
struct count {
	const struct kith_sample *reference;
	const struct kith_predict_how *how;
	const struct kith_mat *Z;        /* m x p: rows to predict */
	const struct kith_neighbour *nn; /* m x most: their neighbours, nearest first */
	size_t most;                     /* the largest k */
	const size_t *to;                /* m: their rows of out; NULL: 0..m-1 */
	struct kith_predicted *out;      /* sigma is set; 0: each row has its own */
	struct counter *own;             /* of each thread */
};

/*
 * Returns the class with the largest sum of votes; of equal sums, the class of the nearest row.
 * share (c) becomes the sums, divided by their total.
 */
static size_t
most_voted_class(const struct kith_neighbour *nn, const double *v, size_t k, const size_t *y,
    size_t c, double *share)
{
	size_t best = y[nn[0].row];
	double total = 0;

	memset(share, 0, c * sizeof(*share));
	for (size_t i = 0; i < k; i++) {
		share[y[nn[i].row]] += v[i];
		total += v[i];
	}
	for (size_t i = 1; i < k; i++) /* nearest first: settles ties */
		if (share[y[nn[i].row]] > share[best])
			best = y[nn[i].row];
	for (size_t i = 0; i < c; i++)
		share[i] /= total;
	return best;
}

/* The mean of the targets t of the neighbours, weighted by their votes. */
static double
weighted_mean(const struct kith_neighbour *nn, const double *v, size_t k, const double *t)
{
	long double sum = 0, total = 0;

	for (size_t i = 0; i < k; i++) {
		sum += (long double)v[i] * t[nn[i].row];
		total += v[i];
	}
	return (double)(sum / total);
}

/* Predicts row i of Z with the a-th k. */
static void
count_row(const struct count *in, struct counter *own, size_t i, size_t a)
{
	const struct kith_sample *reference = in->reference;
	struct kith_predicted *out = in->out;
	const size_t row = in->to ? in->to[i] : i, at = row * out->nk + a;
	struct kith_voters by = {.z = kith_row(in->Z, i),
	    .nn = in->nn + i * in->most,
	    .k = in->how->k[a],
	    .sigma = out->sigma[a],
	    .ratio = in->how->ratio};

	if (by.sigma == 0)
		by.sigma = kith_sigma_local(by.nn, by.k);
	in->how->vote->weigh(own->begun, &by, own->v);
	if (reference->y)
		out->y[at] = most_voted_class(by.nn, own->v, by.k, reference->y, reference->c,
		    out->share ? out->share + at * reference->c : own->share);
	else
		out->t[at] = weighted_mean(by.nn, own->v, by.k, reference->t);
}

static void
count_block(void *arg, size_t block, size_t thread)
{
	const struct count *in = arg;
	struct counter *own = &in->own[thread];
	const size_t from = block * BLOCK;
	const size_t end = from + BLOCK < in->Z->n ? from + BLOCK : in->Z->n;

	if (!own->v) {
		own->v = kith_new(&own->pool, in->most, sizeof(*own->v));
		own->share = kith_new(&own->pool, in->reference->c + 1, sizeof(*own->share));
		if (in->how->vote->begin)
			own->begun = in->how->vote->begin(
			    in->reference, in->how, in->most, &own->pool);
	}
	for (size_t i = from; i < end; i++)
		for (size_t a = 0; a < in->out->nk; a++)
			count_row(in, own, i, a);
}

static void
count_votes(struct count *in)
{
	struct kith_pool tmp = {0};
	const size_t threads = in->how->threads;

	in->own = kith_new(&tmp, threads, sizeof(*in->own));
	kith_par_told(threads, (in->Z->n + BLOCK - 1) / BLOCK, count_block, in,
	    &(struct kith_par_phase){"votes", in->Z->n, "rows"});
	for (size_t t = 0; t < threads; t++)
		kith_pool_free(&in->own[t].pool);
	kith_pool_free(&tmp);
}

/* Fails where the vote takes no distance below 0 and one of m rows has one. */
static int
check_distances(const struct kith_vote *vote, const struct kith_neighbour *nn, size_t m,
    size_t most, struct kith_err *err)
{
	for (size_t i = 0; i < m && !vote->takes_negative; i++)
		if (nn[i * most].d < 0)
			return kith_fail(err, EX_DATAERR,
			    "the weights make a distance below 0 (--vote majority?)");
	return 0;
}

/*
 * Finds the neighbours of each row of Z (NULL: of each reference row among the other rows), and
 * counts the votes of the neighbours; all without the features of weight 0.
 */
static int
predict_nearest(struct kith_sample reference, struct kith_predict_how how, const struct kith_mat *Z,
    const size_t *to, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = reference.X.n, others = n - !Z;
	const size_t most = kith_largest_size(how.k, how.nk);
	struct kith_metric metric = *how.metric;
	struct kith_mat rows = Z ? *Z : reference.X;
	const struct kith_knn *knn;
	struct kith_neighbour *nn;
	int got;

	assert(how.nk > 0);
	if (most > others)
		return kith_fail(
		    err, EX_DATAERR, "%zu neighbours wanted, only %zu available", most, others);
	kith_dist_pack_rows(&metric, &reference.X, &rows, &tmp);
	how.metric = &metric;
	knn = kith_knn_new(&reference.X, &metric, kith_predict_queries(&how, n, rows.n), &tmp);
	nn = kith_new(&tmp, rows.n * most, sizeof(*nn));
	if (Z)
		kith_knn_search(knn, &rows, NULL, most, how.threads, nn);
	else
		kith_knn_join(knn, most, how.threads, nn);
	out->search = kith_knn_choice(knn, most);
	got = check_distances(how.vote, nn, rows.n, most, err);
	if (how.fitted)
		memcpy(out->sigma, how.fitted, how.nk * sizeof(*out->sigma));
	else if (got == 0 && has_bandwidth(&how)) {
		const struct kith_sigma_data data = {
		    knn, &reference.X, how.threads, Z ? NULL : nn, most};

		got = kith_sigma_fit(&how.sigma, &data, how.k, how.nk, out->sigma, &out->flat, err);
	}
	if (got == 0)
		count_votes(&(struct count){&reference, &how, &rows, nn, most, to, out, NULL});
	kith_pool_free(&tmp);
	return got;
}

int
kith_predict_rows(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err)
{
	if (!how->vote->of_all)
		return predict_nearest(*reference, *how, Z, to, out, err);
	if (reference->X.n == (size_t)!Z)
		return kith_fail(err, EX_DATAERR, "no other row to learn from");
	how->vote->of_all(reference, how, Z, to, out);
	return 0;
}

int
kith_predict(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	new_predicted(reference, how, Z->n, out, pool);
	return kith_predict_rows(reference, how, Z, NULL, out, err);
}

int
kith_predict_loo(const struct kith_sample *reference, const struct kith_predict_how *how,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	new_predicted(reference, how, reference->X.n, out, pool);
	return kith_predict_rows(reference, how, NULL, NULL, out, err);
}

/* ---- Cross-validation: each part is predicted from the others ---- */

/* The m rows of a part, query, and all other rows. */
struct split {
	struct kith_sample reference;
	struct kith_mat Z;
	size_t *query, m, *row;
};

void
kith_sample_rows(const struct kith_sample *all, const size_t *row, size_t n, struct kith_sample *to,
    struct kith_pool *pool)
{
	size_t *y = kith_new(pool, n, sizeof(*y));
	double *t = kith_new(pool, n, sizeof(*t));

	for (size_t i = 0; i < n; i++)
		if (all->y)
			y[i] = all->y[row[i]];
		else
			t[i] = all->t[row[i]];
	*to = (struct kith_sample){
	    kith_mat_rows(&all->X, row, n, pool), all->y ? y : NULL, all->c, t, all->from};
}

static void
split(const struct kith_sample *all, const size_t *part, size_t f, struct split *s,
    struct kith_pool *pool)
{
	size_t n = 0;

	KITH_NEW_SIZES(pool, all->X.n, 1, &s->query, &s->row);
	s->m = 0;
	for (size_t i = 0; i < all->X.n; i++)
		if (part[i] == f)
			s->query[s->m++] = i;
		else
			s->row[n++] = i;
	kith_sample_rows(all, s->row, n, &s->reference, pool);
	s->Z = kith_mat_rows(&all->X, s->query, s->m, pool);
}

/* Scales both by the reference; rows that were left out may leave none. */
static int
scale(struct split *s, const struct kith_predict_how *how, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_origin reference, query;
	struct kith_unit unit;

	if (s->reference.X.n == 0)
		return kith_fail(err, EX_DATAERR, "a part has all rows");
	if (!how->scale)
		return 0;
	reference = query = *s->reference.from;
	reference.row = s->row;
	query.row = s->query;
	if (kith_unit_scale(
		how->scale, &s->reference.X, &reference, &s->Z, &query, &unit, pool, err))
		return -1;
	reference.scaled = query.scaled = true;
	if (kith_predict_range(how, &s->reference.X, &reference, err))
		return -1;
	return kith_predict_range(how, &s->Z, &query, err);
}

int
kith_predict_part(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, size_t f, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct split s;
	int got = 0;

	split(reference, part, f, &s, &tmp);
	if (s.m > 0)
		got = scale(&s, how, &tmp, err);
	if (got == 0 && s.m > 0)
		got = kith_predict_rows(&s.reference, how, &s.Z, s.query, out, err);
	kith_pool_free(&tmp);
	return got;
}

/* Returns whether each part has one row; sets row (parts) to the rows if so. */
static bool
find_single_rows(const size_t *part, size_t n, size_t parts, size_t *row)
{
	if (parts != n)
		return false;
	for (size_t f = 0; f < n; f++)
		row[f] = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (row[part[i]] != SIZE_MAX)
			return false;
		row[part[i]] = i;
	}
	return true;
}

int
kith_predict_cv(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, size_t parts, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t n = reference->X.n;
	size_t *row = kith_new(pool, n, sizeof(*row));
	int got = 0;

	new_predicted(reference, how, n, out, pool);
	if (how->scale && n > 1 && find_single_rows(part, n, parts, row))
		return kith_predict_scaled_loo(reference, how, part, row, out, err);
	kith_progress_phase("cross-validation", parts, "parts");
	for (size_t f = 0; f < parts && got == 0; f++) {
		got = kith_predict_part(reference, how, part, f, out, err);
		kith_progress_add(1);
	}
	kith_progress_end();
	return got;
}
