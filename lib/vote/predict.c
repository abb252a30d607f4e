#include "vote/predict.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "kernel/sigma.h"
#include "near/knn.h"
#include "nnk/pairs.h"
#include "table/edges.h"
#include "vote/ballot.h"
#include "vote/vote.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows that a thread takes at a time */

static size_t
largest(const struct kith_predict_how *how)
{
	size_t k = 0;

	for (size_t a = 0; a < how->nk; a++)
		k = how->k[a] > k ? how->k[a] : k;
	return k;
}

static bool
has_bandwidth(const struct kith_predict_how *how)
{
	return how->vote->takes_sigma &&
	    (!how->vote->takes_kernel || how->kernel == KITH_KERN_GAUSSIAN);
}

static void
make_room(const struct kith_sample *known, const struct kith_predict_how *how,
    size_t m, struct kith_predicted *out, struct kith_pool *pool)
{
	*out = (struct kith_predicted){.m = m, .nk = how->nk};
	out->sigma = kith_new(pool, how->nk, sizeof(*out->sigma));
	if (!known->y)
		out->t = kith_new(pool, m * how->nk, sizeof(*out->t));
	else
		out->y = kith_new(pool, m * how->nk, sizeof(*out->y));
	if (known->y && how->share)
		out->share = kith_new(
		    pool, m * how->nk, known->c * sizeof(*out->share));
}

/* What one thread needs. */
struct counter {
	struct kith_pool pool;
	double *v, *share;
	void *begun; /* what the vote works with */
};

struct count {
	const struct kith_ballot *in;
	struct kith_predicted *out;
	double ratio; /* in units of the search */
	struct counter *own;
};

static void
counter_new(struct counter *own, const struct kith_ballot *in)
{
	const struct kith_predict_how *how = in->how;

	own->v = kith_new(&own->pool, in->most, sizeof(*own->v));
	own->share = kith_new(
	    &own->pool, in->known->c + 1, sizeof(*own->share));
	if (how->vote->begin)
		own->begun = how->vote->begin(in, &own->pool);
}

size_t
kith_vote_class(const struct kith_neighbour *nn, const double *v, size_t k,
    const size_t *y, size_t c, double *share)
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

double
kith_vote_mean(
    const struct kith_neighbour *nn, const double *v, size_t k, const double *t)
{
	long double sum = 0, total = 0;

	for (size_t i = 0; i < k; i++) {
		sum += (long double)v[i] * t[nn[i].row];
		total += v[i];
	}
	return (double)(sum / total);
}

/* The votes of the k nearest neighbours of row i. */
static void
weigh(const struct count *to, const struct counter *own, size_t i, size_t a)
{
	const struct kith_ballot *in = to->in;
	struct kith_voters by = {kith_row(in->Z, i), in->nn + i * in->most,
	    in->how->k[a], in->sigma[a], to->ratio};

	if (by.sigma == 0)
		by.sigma = kith_sigma_local(by.nn, by.k);
	in->how->vote->weigh(own->begun, &by, own->v);
}

static void
count_block(void *arg, size_t block, size_t thread)
{
	const struct count *to = arg;
	const struct kith_ballot *in = to->in;
	const struct kith_sample *known = in->known;
	struct kith_predicted *out = to->out;
	struct counter *own = &to->own[thread];
	const size_t from = block * BLOCK, nk = out->nk;
	const size_t end = from + BLOCK < in->Z->n ? from + BLOCK : in->Z->n;

	if (!own->v)
		counter_new(own, in);
	for (size_t i = from; i < end; i++)
		for (size_t a = 0; a < nk; a++) {
			const struct kith_neighbour *nn = in->nn + i * in->most;
			const size_t at = (in->to ? in->to[i] : i) * nk + a;
			const size_t k = in->how->k[a];

			weigh(to, own, i, a);
			if (known->y)
				out->y[at] = kith_vote_class(nn, own->v, k,
				    known->y, known->c,
				    out->share ? out->share + at * known->c
					       : own->share);
			else
				out->t[at] = kith_vote_mean(
				    nn, own->v, k, known->t);
		}
}

/* Put the outcome for each row and k into out. */
static void
count_votes(const struct kith_ballot *in, struct kith_predicted *out)
{
	struct kith_pool tmp = {0};
	const size_t threads = in->how->threads;
	struct count to = {.in = in, .out = out};

	to.ratio = in->how->ratio / in->unit;
	to.own = kith_new(&tmp, threads, sizeof(*to.own));
	kith_par_told(threads, (in->Z->n + BLOCK - 1) / BLOCK, count_block, &to,
	    &(struct kith_par_phase){"votes", in->Z->n, "rows"});
	for (size_t t = 0; t < threads; t++)
		kith_pool_free(&to.own[t].pool);
	kith_pool_free(&tmp);
}

/* Most votes need distances >= 0. */
static int
check_distances(const struct kith_predict_how *how,
    const struct kith_neighbour *nn, size_t m, size_t most,
    struct kith_err *err)
{
	if (how->vote->takes_negative)
		return 0;
	for (size_t i = 0; i < m; i++)
		if (nn[i * most].d < 0)
			return kith_fail(err, EX_DATAERR,
			    "the weights make a distance below 0 (--vote "
			    "majority?)");
	return 0;
}

/* Let all rows of known say what those of Z, or they themselves, are. */
static int
ask_all(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out,
    struct kith_err *err)
{
	if (known->X.n == (size_t)!Z)
		return kith_fail(err, EX_DATAERR, "no other row to learn from");
	how->vote->of_all(known, how, Z, to, out);
	return 0;
}

/* The `most` first of neighbours that are known, into nn (m x most). */
static int
take_near(const struct kith_predict_near *near, size_t m, size_t most,
    struct kith_neighbour *nn, struct kith_err *err)
{
	char text[KITH_NUM_ROOM];

	for (size_t i = 0; i < m; i++) {
		const size_t there = near->start[i + 1] - near->start[i];

		if (there < most)
			return kith_fail_at(err, EX_DATAERR, near->file, 0,
			    "%zu neighbours asked, row " KITH_CELL
			    " has %zu candidates",
			    most,
			    kith_ends_name(near->from, near->first + i, text),
			    there);
		memcpy(nn + i * most, near->nn + near->start[i],
		    most * sizeof(*nn));
	}
	return 0;
}

/* Let rows vote that pairs say are nearest: no features, no search. */
static int
ask_pairs(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, struct kith_predicted *out, struct kith_err *err)
{
	const struct kith_pairs *pairs = how->near->pairs;
	struct kith_pool tmp = {0};
	const size_t most = largest(how);
	struct kith_neighbour *nn = kith_new(&tmp, Z->n, most * sizeof(*nn));
	double *sigma = kith_new(&tmp, how->nk, sizeof(*sigma));
	const struct kith_ballot in = {
	    known, how, NULL, Z, nn, most, NULL, sigma, pairs->unit};
	const int got = take_near(how->near, Z->n, most, nn, err);

	for (size_t a = 0; a < how->nk && has_bandwidth(how); a++) {
		sigma[a] = kith_pairs_sigma(
		    pairs, &how->sigma, how->k[a], &out->flat);
		out->sigma[a] = sigma[a] / pairs->unit;
	}
	if (got == 0)
		count_votes(&in, out);
	kith_pool_free(&tmp);
	return got;
}

/* Find the neighbours of Z, or of the known rows themselves; let them vote. */
static int
ask_nearest(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t m = Z ? Z->n : known->X.n, most = largest(how);
	const size_t there = known->X.n - !Z;
	struct kith_neighbour *nn;
	struct kith_sigma_data data;
	struct kith_knn *knn;
	struct kith_ballot in;
	double *sigma;
	int got = 0;

	assert(how->nk > 0);
	if (most > there)
		return kith_fail(err, EX_DATAERR,
		    "%zu neighbours asked of %zu rows", most, there);
	knn = kith_knn_new(&known->X, how->metric, &tmp);
	nn = kith_new(&tmp, m * most, sizeof(*nn));
	data = (struct kith_sigma_data){knn, &known->X, how->metric,
	    how->threads, Z || how->near ? NULL : nn, most};
	sigma = kith_new(&tmp, how->nk, sizeof(*sigma));
	if (how->near)
		got = take_near(how->near, m, most, nn, err);
	else if (Z)
		kith_knn_search(knn, Z, NULL, most, how->threads, nn);
	else
		kith_knn_join(knn, most, how->threads, nn);
	if (got == 0)
		got = check_distances(how, nn, m, most, err);
	if (got == 0 && has_bandwidth(how))
		got = kith_sigma_fit(&how->sigma, &data, how->k, how->nk, sigma,
		    &out->flat, err);
	for (size_t a = 0; a < how->nk; a++)
		out->sigma[a] = sigma[a] / kith_sigma_unit(knn, how->metric);
	in = (struct kith_ballot){known, how, knn, Z ? Z : &known->X, nn, most,
	    to, sigma, kith_sigma_unit(knn, how->metric)};
	if (got == 0)
		count_votes(&in, out);
	kith_pool_free(&tmp);
	return got;
}

/* Predict Z, or each row of known from the others, into rows `to` of out. */
static int
search(const struct kith_sample *known, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out,
    struct kith_err *err)
{
	if (how->near && how->near->pairs)
		return ask_pairs(known, how, Z ? Z : &known->X, out, err);
	if (how->vote->of_all)
		return ask_all(known, how, Z, to, out, err);
	return ask_nearest(known, how, Z, to, out, err);
}

int
kith_predict(const struct kith_sample *known,
    const struct kith_predict_how *how, const struct kith_mat *Z,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	make_room(known, how, Z->n, out, pool);
	return search(known, how, Z, NULL, out, err);
}

int
kith_predict_loo(const struct kith_sample *known,
    const struct kith_predict_how *how, struct kith_predicted *out,
    struct kith_pool *pool, struct kith_err *err)
{
	make_room(known, how, known->X.n, out, pool);
	return search(known, how, NULL, NULL, out, err);
}

/* Split the rows into those of part f, asked, and the others, known. */
static size_t
split(const struct kith_sample *all, const size_t *part, size_t f,
    struct kith_sample *known, size_t *asked, struct kith_pool *pool)
{
	size_t *row = kith_new(pool, all->X.n, sizeof(*row));
	size_t *y = kith_new(pool, all->X.n, sizeof(*y));
	double *t = kith_new(pool, all->X.n, sizeof(*t));
	size_t n = 0, m = 0;

	for (size_t i = 0; i < all->X.n; i++) {
		if (part[i] == f) {
			asked[m++] = i;
			continue;
		}
		if (all->y)
			y[n] = all->y[i];
		else
			t[n] = all->t[i];
		row[n++] = i;
	}
	*known = (struct kith_sample){.y = all->y ? y : NULL, .c = all->c};
	known->t = t;
	known->X = kith_mat_rows(&all->X, row, n, pool);
	return m;
}

int
kith_predict_cv(const struct kith_sample *known,
    const struct kith_predict_how *how, const size_t *part, size_t parts,
    struct kith_predicted *out, struct kith_pool *pool, struct kith_err *err)
{
	int got = 0;

	make_room(known, how, known->X.n, out, pool);
	kith_progress_phase("cross-validation", parts, "parts");
	for (size_t f = 0; f < parts && got == 0; f++) {
		struct kith_pool tmp = {0};
		struct kith_sample rest;
		struct kith_mat Z;
		size_t *asked = kith_new(&tmp, known->X.n, sizeof(*asked));
		const size_t m = split(known, part, f, &rest, asked, &tmp);

		Z = kith_mat_rows(&known->X, asked, m, &tmp);
		if (m > 0)
			got = search(&rest, how, &Z, asked, out, err);
		kith_progress_add(1);
		kith_pool_free(&tmp);
	}
	kith_progress_end();
	return got;
}
