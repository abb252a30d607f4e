/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "kernel/sigma.h"
#include "near/knn.h"
#include "vote/ballot.h"
#include "vote/count.h"
#include "vote/internal.h"
#include "vote/vote.h"

#include <assert.h>
#include <math.h>

static bool
has_bandwidth(const struct kith_predict_how *how)
{
	return how->vote->takes_sigma &&
	    (!how->vote->takes_kernel || how->kernel == KITH_KERN_GAUSSIAN);
}

void
kith_predicted_new(const struct kith_sample *known, const struct kith_predict_how *how, size_t m,
    struct kith_predicted *out, struct kith_pool *pool)
{
	*out = (struct kith_predicted){.m = m, .nk = how->nk};
	out->sigma = kith_new(pool, how->nk, sizeof(*out->sigma));
	if (!known->y)
		out->t = kith_new(pool, m * how->nk, sizeof(*out->t));
	else
		out->y = kith_new(pool, m * how->nk, sizeof(*out->y));
	if (known->y && how->share)
		out->share = kith_new(pool, m * how->nk, known->c * sizeof(*out->share));
}

/* Let all rows of known say what those of Z, or they themselves, are. */
static int
ask_all(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err)
{
	if (known->X.n == (size_t)!Z)
		return kith_fail(err, EX_DATAERR, "no other row to learn from");
	how->vote->of_all(known, how, Z, to, out);
	return 0;
}

size_t
kith_predict_asks(const struct kith_predict_how *how, size_t n, size_t m)
{
	return m + (has_bandwidth(how) ? kith_sigma_asks(&how->sigma, n) : 0);
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

/* Finds the neighbours of Z, or with Z NULL those of each row of known; counts their votes. */
static int
ask_nearest(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = known->X.n, m = Z ? Z->n : n, others = n - !Z;
	const size_t most = kith_largest_size(how->k, how->nk);
	const struct kith_knn *knn;
	struct kith_neighbour *nn;
	double *sigma;
	int got;

	assert(how->nk > 0);
	if (most > others)
		return kith_fail(
		    err, EX_DATAERR, "%zu neighbours wanted, only %zu available", most, others);
	knn = kith_knn_new(&known->X, how->metric, kith_predict_asks(how, n, m), &tmp);
	nn = kith_new(&tmp, m * most, sizeof(*nn));
	sigma = kith_new(&tmp, how->nk, sizeof(*sigma));
	if (Z)
		kith_knn_search(knn, Z, NULL, most, how->threads, nn);
	else
		kith_knn_join(knn, most, how->threads, nn);
	out->search = kith_knn_choice(knn, most);
	got = check_distances(how->vote, nn, m, most, err);
	if (got == 0 && has_bandwidth(how)) {
		const struct kith_sigma_data data = {
		    knn, &known->X, how->metric, how->threads, Z ? NULL : nn, most};

		got = kith_sigma_fit(&how->sigma, &data, how->k, how->nk, sigma, &out->flat, err);
	}
	for (size_t a = 0; a < how->nk; a++)
		out->sigma[a] = sigma[a];
	if (got == 0) {
		const struct kith_ballot in = {known, how, Z ? Z : &known->X, nn, most, to, sigma};

		kith_count_votes(&in, out);
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_predict_rows(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err)
{
	if (how->vote->of_all)
		return ask_all(known, how, Z, to, out, err);
	return ask_nearest(known, how, Z, to, out, err);
}

int
kith_predict(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	kith_predicted_new(known, how, Z->n, out, pool);
	return kith_predict_rows(known, how, Z, NULL, out, err);
}

int
kith_predict_loo(const struct kith_sample *known, const struct kith_predict_how *how,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	kith_predicted_new(known, how, known->X.n, out, pool);
	return kith_predict_rows(known, how, NULL, NULL, out, err);
}
