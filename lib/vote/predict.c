/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "kernel/sigma.h"
#include "near/knn.h"
#include "table/ensemble.h"
#include "table/parts.h"
#include "table/unit.h"
#include "vote/ballot.h"
#include "vote/count.h"
#include "vote/vote.h"

#include <assert.h>
#include <math.h>

static bool
has_bandwidth(const struct kith_predict_how *how)
{
	return how->vote->takes_sigma &&
	    (!how->vote->takes_kernel || how->kernel == KITH_KERN_GAUSSIAN);
}

static void
make_room(const struct kith_sample *known, const struct kith_predict_how *how, size_t m,
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

/* Predict Z, or each row of known from the others, into rows `to` of out. */
static int
search(const struct kith_sample *known, const struct kith_predict_how *how,
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
	make_room(known, how, Z->n, out, pool);
	return search(known, how, Z, NULL, out, err);
}

int
kith_predict_loo(const struct kith_sample *known, const struct kith_predict_how *how,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	make_room(known, how, known->X.n, out, pool);
	return search(known, how, NULL, NULL, out, err);
}

/* The rows of part f, asked, and the others, row: known, from these. */
struct split {
	struct kith_sample known;
	struct kith_mat Z;
	size_t *asked, m, *row;
};

static void
split(const struct kith_sample *all, const size_t *part, size_t f, struct split *s,
    struct kith_pool *pool)
{
	const size_t N = all->X.n;
	size_t *y, n;
	double *t = kith_new(pool, N, sizeof(*t));

	KITH_NEW_SIZES(pool, N, 1, &s->asked, &s->row, &y);
	n = kith_parts_split(part, N, f, s->row, s->asked);
	s->m = N - n;
	for (size_t i = 0; i < n; i++)
		if (all->y)
			y[i] = all->y[s->row[i]];
		else
			t[i] = all->t[s->row[i]];
	s->known = (struct kith_sample){
	    .y = all->y ? y : NULL, .c = all->c, .t = t, .from = all->from};
	s->known.X = kith_mat_rows(&all->X, s->row, n, pool);
	s->Z = kith_mat_rows(&all->X, s->asked, s->m, pool);
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

/* Scale both by the rows known; rows that were left out may leave none. */
static int
scale(struct split *s, const struct kith_predict_how *how, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_origin known, asked;
	struct kith_unit unit;

	if (s->known.X.n == 0)
		return kith_fail(err, EX_DATAERR, "a part has all rows");
	if (!how->scale)
		return 0;
	known = asked = *s->known.from;
	known.row = s->row;
	asked.row = s->asked;
	if (kith_unit_scale(how->scale, &s->known.X, &known, &s->Z, &asked, &unit, pool, err))
		return -1;
	known.scaled = asked.scaled = true;
	if (kith_predict_range(how, &s->known.X, &known, err))
		return -1;
	return kith_predict_range(how, &s->Z, &asked, err);
}

int
kith_predict_cv(const struct kith_sample *known, const struct kith_predict_how *how,
    const size_t *part, size_t parts, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	int got = 0;

	make_room(known, how, known->X.n, out, pool);
	kith_progress_phase("cross-validation", parts, "parts");
	for (size_t f = 0; f < parts && got == 0; f++) {
		struct kith_pool tmp = {0};
		struct split s;

		split(known, part, f, &s, &tmp);
		if (s.m > 0)
			got = scale(&s, how, &tmp, err);
		if (got == 0 && s.m > 0)
			got = search(&s.known, how, &s.Z, s.asked, out, err);
		kith_progress_add(1);
		kith_pool_free(&tmp);
	}
	kith_progress_end();
	return got;
}
