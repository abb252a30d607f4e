/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/predict.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "near/knn.h"
#include "table/unit.h"
#include "table/weights.h"

#include <assert.h>
#include <string.h>

static bool
has_bandwidth(const struct kith_predict_how *how)
{
	return how->vote->takes_sigma &&
	    (!how->vote->takes_kernel || how->kernel == KITH_KERN_GAUSSIAN);
}

size_t
kith_predict_asks(const struct kith_predict_how *how, size_t n)
{
	return has_bandwidth(how) && !how->fitted ? kith_sigma_asks(&how->sigma, n) : 0;
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

/* Neighbours whose votes are counted. */
struct count {
	const struct kith_sample *reference;
	const struct kith_predict_how *how;
	const struct kith_mat *Z;        /* m x p: rows to predict */
	const struct kith_neighbour *nn; /* m x most: their neighbours, nearest first */
	size_t most;                     /* the largest k */
	const size_t *to;                /* m: their rows of out; NULL: 0..m-1 */
	struct kith_predicted *out;      /* sigma is set; 0: each row has its own */
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

/*
 * Predicts row i of Z with the a-th k; begun is of the vote's begin(), v (most) and share (c) are
 * scratch.
 */
static void
count_row(const struct count *in, size_t i, size_t a, void *begun, double *v, double *share)
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
	in->how->vote->weigh(begun, &by, v);
	if (reference->y)
		out->y[at] = most_voted_class(by.nn, v, by.k, reference->y, reference->c,
		    out->share ? out->share + at * reference->c : share);
	else
		out->t[at] = weighted_mean(by.nn, v, by.k, reference->t);
}

/* Predicts a block of rows; a kith_par() task. */
static void
count_block(void *arg, size_t block, size_t thread)
{
	struct kith_pool tmp = {0};
	const struct count *in = arg;
	const struct kith_vote *vote = in->how->vote;
	const size_t from = block * BLOCK, left = in->Z->n - from;
	double *v = kith_new(&tmp, in->most, sizeof(*v));
	double *share = kith_new(&tmp, in->reference->c + 1, sizeof(*share));
	void *begun = vote->begin ? vote->begin(in->reference, in->how, in->most, &tmp) : NULL;

	(void)thread;
	for (size_t i = from; i < from + (left < BLOCK ? left : BLOCK); i++)
		for (size_t a = 0; a < in->out->nk; a++)
			count_row(in, i, a, begun, v, share);
	kith_pool_free(&tmp);
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
	int got = 0;

	assert(how.nk > 0);
	if (most > others)
		return kith_fail(
		    err, EX_DATAERR, "%zu neighbours wanted, only %zu available", most, others);
	kith_dist_pack_rows(&metric, &reference.X, &rows, &tmp);
	how.metric = &metric;
	knn = kith_knn_new(&reference.X, &metric, rows.n + kith_predict_asks(&how, n), &tmp);
	nn = kith_new(&tmp, rows.n * most, sizeof(*nn));
	kith_knn_search(knn, Z ? &rows : NULL, NULL, most, how.threads, nn);
	out->search = kith_knn_choice(knn, most);
	for (size_t i = 0; i < rows.n && !how.vote->takes_negative && got == 0; i++)
		if (nn[i * most].d < 0)
			got = kith_fail(err, EX_DATAERR,
			    "the weights make a distance below 0 (--vote majority?)");
	if (how.fitted)
		memcpy(out->sigma, how.fitted, how.nk * sizeof(*out->sigma));
	else if (got == 0 && has_bandwidth(&how)) {
		const struct kith_sigma_data data = {
		    knn, &reference.X, how.threads, Z ? NULL : nn, most};

		got = kith_sigma_fit(&how.sigma, &data, how.k, how.nk, out->sigma, &out->flat, err);
	}
	if (got == 0)
		kith_par_told(how.threads, (rows.n + BLOCK - 1) / BLOCK, count_block,
		    &(struct count){&reference, &how, &rows, nn, most, to, out},
		    &(struct kith_par_phase){"votes", rows.n, "rows"});
	kith_pool_free(&tmp);
	return got;
}

int
kith_predict(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err)
{
	if (!how->vote->of_all)
		return predict_nearest(*reference, *how, Z, to, out, err);
	if (reference->X.n == (size_t)!Z)
		return kith_fail(err, EX_DATAERR, "no other row to learn from");
	how->vote->of_all(reference, how, Z, to, out);
	return 0;
}
