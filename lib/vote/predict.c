/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/predict.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/sort.h"
#include "kernel/sigma.h"
#include "near/knn.h"
#include "nnk/pairs.h"
#include "table/ensemble.h"
#include "table/parts.h"
#include "table/unit.h"
#include "vote/ballot.h"
#include "vote/count.h"
#include "vote/lists.h"
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
	if (how->voted)
		out->voted = kith_new(pool, m, sizeof(*out->voted));
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

/*
 * The bandwidths of radii that no k belongs to, in units of the search: a third
 * of each radius, as `local` is of the distance to the last that votes.
 */
static void
third_of_radius(const struct kith_predict_how *how, double *sigma)
{
	for (size_t a = 0; a < how->nk; a++) {
		const double third = how->radius[a] / 3;

		if (how->sigma.rule == KITH_SIGMA_LOCAL)
			sigma[a] = 0;
		else if (how->sigma.rule == KITH_SIGMA_FIXED)
			sigma[a] = how->sigma.value;
		else
			sigma[a] = third > 0 ? third : 1;
	}
}

static bool
takes_third(const struct kith_predict_how *how)
{
	return how->radius && *how->k == KITH_ALL_WITHIN;
}

size_t
kith_predict_asks(const struct kith_predict_how *how, size_t n, size_t m)
{
	const bool fits = has_bandwidth(how) && !takes_third(how);

	return m + (fits ? kith_sigma_asks(&how->sigma, n) : 0);
}

/* Room for who voted on each row of a ballot. */
static void
room_for_voters(const struct kith_ballot *in, struct kith_predicted *out, struct kith_pool *pool)
{
	const struct kith_knn_lists *near = &in->near;
	const size_t m = out->voted ? in->Z->n : 0, k = *in->how->k;

	for (size_t i = 0; i < m; i++) {
		const size_t there = near->start[i + 1] - near->start[i];
		struct kith_voted_list *to = &out->voted[in->to ? in->to[i] : i];

		to->v = kith_new(pool, there < k ? there : k, sizeof(*to->v));
	}
}

/* Let rows vote that pairs say are nearest: no features, no search. */
static int
ask_pairs(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const struct kith_pairs *pairs = how->near->pairs;
	struct kith_pool tmp = {0};
	double *sigma = kith_new(&tmp, how->nk, sizeof(*sigma));
	struct kith_vote_lists lists;
	const int got = kith_vote_lists(known, how, NULL, Z, &lists, &tmp, err);
	const struct kith_ballot in = {
	    known, how, NULL, Z ? Z : &known->X, !Z, lists.near, lists.most, NULL, sigma};

	if (has_bandwidth(how) && takes_third(how))
		third_of_radius(how, sigma);
	for (size_t a = 0; a < how->nk && has_bandwidth(how); a++) {
		if (!takes_third(how))
			sigma[a] = kith_pairs_sigma(pairs, &how->sigma, how->k[a], &out->flat);
		out->sigma[a] = sigma[a];
	}
	if (got == 0) {
		room_for_voters(&in, out, pool);
		kith_count_votes(&in, out);
	}
	kith_pool_free(&tmp);
	return got;
}

/* Find the neighbours of Z, or of the known rows themselves; let them vote. */
static int
ask_nearest(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = known->X.n;
	const struct kith_knn *knn = kith_knn_new(
	    &known->X, how->metric, kith_predict_asks(how, n, Z ? Z->n : n), &tmp);
	double *sigma = kith_new(&tmp, how->nk, sizeof(*sigma));
	struct kith_vote_lists lists;
	int got = kith_vote_lists(known, how, knn, Z, &lists, &tmp, err);
	const struct kith_sigma_data data = {
	    knn, &known->X, how->metric, how->threads, lists.join, lists.most};
	const struct kith_ballot in = {
	    known, how, knn, Z ? Z : &known->X, !Z, lists.near, lists.most, to, sigma};

	assert(how->nk > 0);
	if (!how->near)
		out->search = kith_knn_choice(
		    knn, takes_third(how) ? 0 : kith_largest_size(how->k, how->nk));
	if (has_bandwidth(how) && takes_third(how))
		third_of_radius(how, sigma);
	else if (got == 0 && has_bandwidth(how))
		got = kith_sigma_fit(&how->sigma, &data, how->k, how->nk, sigma, &out->flat, err);
	for (size_t a = 0; a < how->nk; a++)
		out->sigma[a] = sigma[a];
	if (got == 0) {
		room_for_voters(&in, out, pool);
		kith_count_votes(&in, out);
	}
	kith_pool_free(&tmp);
	return got;
}

/* Predict Z, or each row of known from the others, into rows `to` of out. */
static int
search(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	if (how->near && how->near->pairs)
		return ask_pairs(known, how, Z, out, pool, err);
	if (how->vote->of_all)
		return ask_all(known, how, Z, to, out, err);
	return ask_nearest(known, how, Z, to, out, pool, err);
}

int
kith_predict(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_pool *pool,
    struct kith_err *err)
{
	make_room(known, how, Z->n, out, pool);
	return search(known, how, Z, NULL, out, pool, err);
}

int
kith_predict_loo(const struct kith_sample *known, const struct kith_predict_how *how,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	make_room(known, how, known->X.n, out, pool);
	return search(known, how, NULL, NULL, out, pool, err);
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

/* Let the voters of the rows asked be rows of the whole table. */
static void
number_voters(const struct split *s, struct kith_predicted *out)
{
	for (size_t i = 0; i < s->m && out->voted; i++) {
		const struct kith_voted_list *by = &out->voted[s->asked[i]];

		for (size_t j = 0; j < by->n; j++)
			by->v[j].row = s->row[by->v[j].row];
	}
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
			got = search(&s.known, how, &s.Z, s.asked, out, pool, err);
		if (got == 0)
			number_voters(&s, out);
		kith_progress_add(1);
		kith_pool_free(&tmp);
	}
	kith_progress_end();
	return got;
}
