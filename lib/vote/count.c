/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/count.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/sigma.h"
#include "near/heap.h"
#include "near/metric.h"
#include "table/predicted.h"
#include "table/table.h"
#include "vote/ballot.h"
#include "vote/prior.h"
#include "vote/vote.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows that a thread takes at a time */

/* What one thread needs. */
struct counter {
	struct kith_pool pool;
	double *v, *share;
	void *begun;      /* what the vote works with */
	size_t unreached; /* rows that nobody had a vote on */
};

struct count {
	const struct kith_ballot *in;
	struct kith_predicted *out;
	const double *limit;          /* nk distances, of how->radius; or NULL */
	struct kith_vote_prior prior; /* with how->radius */
	struct counter *own;
};

static void
counter_new(struct counter *own, const struct kith_ballot *in)
{
	const struct kith_predict_how *how = in->how;

	own->v = kith_new(&own->pool, in->most, sizeof(*own->v));
	own->share = kith_new(&own->pool, in->known->c + 1, sizeof(*own->share));
	if (how->vote->begin)
		own->begun = how->vote->begin(in, &own->pool);
}

size_t
kith_vote_class(const struct kith_neighbour *nn, const double *v, size_t k, const size_t *y,
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

double
kith_vote_mean(const struct kith_neighbour *nn, const double *v, size_t k, const double *t)
{
	long double sum = 0, total = 0;

	for (size_t i = 0; i < k; i++) {
		sum += (long double)v[i] * t[nn[i].row];
		total += v[i];
	}
	return (double)(sum / total);
}

/* Who votes on row i with the a-th k or radius. */
static struct kith_voters
voters_of(const struct count *to, size_t i, size_t a)
{
	const struct kith_ballot *in = to->in;
	const size_t from = in->near.start[i];
	const size_t there = in->near.start[i + 1] - from;
	/* Rows of pairs, and of lists that are merged, may have no features. */
	struct kith_voters by = {.z = in->Z->v ? kith_row(in->Z, i) : NULL,
	    .nn = in->near.nn + from,
	    .k = in->how->k[a] < there ? in->how->k[a] : there,
	    .sigma = in->sigma[a],
	    .ratio = in->how->ratio};
	size_t low = 0;

	if (!to->limit)
		return by;
	while (low < by.k) { /* rows before low are within, from k on none */
		const size_t middle = low + (by.k - low) / 2;

		if (by.nn[middle].d <= to->limit[a])
			low = middle + 1;
		else
			by.k = middle;
	}
	return by;
}

/* Keep who voted, of the only k; the list has room for them. */
static void
keep(const struct kith_voters *by, const double *v, struct kith_voted_list *to)
{
	double total = 0;

	to->n = by->k;
	for (size_t j = 0; j < by->k; j++)
		total += v[j];
	for (size_t j = 0; j < by->k; j++)
		to->v[j] = (struct kith_voted){by->nn[j].row, sqrt(by->nn[j].d), v[j] / total};
}

/* What row i of the ballot is, on which nobody has a vote. */
static void
put_prior(const struct count *to, size_t i, size_t at)
{
	const struct kith_ballot *in = to->in;
	const struct kith_sample *known = in->known;
	struct kith_predicted *out = to->out;
	const size_t c = known->c;
	const size_t self = in->own ? i : SIZE_MAX;
	double *share = out->share ? out->share + at * c : NULL;
	const bool prior = in->how->prior && known->X.n > (self != SIZE_MAX);

	if (prior && known->y) {
		out->y[at] = kith_vote_prior_class(&to->prior, self, share);
		return;
	}
	if (known->y)
		out->y[at] = KITH_NO_CLASS;
	else
		out->t[at] = prior ? kith_vote_prior_mean(&to->prior, self) : NAN;
	for (size_t h = 0; share && h < c; h++)
		share[h] = NAN;
}

/* The outcome for row i of the ballot and the a-th k. */
static void
count_row(const struct count *to, struct counter *own, size_t i, size_t a)
{
	const struct kith_ballot *in = to->in;
	const struct kith_sample *known = in->known;
	struct kith_predicted *out = to->out;
	const size_t row = in->to ? in->to[i] : i, at = row * out->nk + a;
	struct kith_voters by = voters_of(to, i, a);

	if (by.k == 0) {
		own->unreached++;
		put_prior(to, i, at);
		return;
	}
	if (by.sigma == 0)
		by.sigma = kith_sigma_local(by.nn, by.k);
	in->how->vote->weigh(own->begun, &by, own->v);
	if (out->voted)
		keep(&by, own->v, &out->voted[row]);
	if (known->y)
		out->y[at] = kith_vote_class(by.nn, own->v, by.k, known->y, known->c,
		    out->share ? out->share + at * known->c : own->share);
	else
		out->t[at] = kith_vote_mean(by.nn, own->v, by.k, known->t);
}

static void
count_block(void *arg, size_t block, size_t thread)
{
	const struct count *to = arg;
	const struct kith_ballot *in = to->in;
	struct counter *own = &to->own[thread];
	const size_t from = block * BLOCK;
	const size_t end = from + BLOCK < in->Z->n ? from + BLOCK : in->Z->n;

	if (!own->v)
		counter_new(own, in);
	for (size_t i = from; i < end; i++)
		for (size_t a = 0; a < to->out->nk; a++)
			count_row(to, own, i, a);
}

/* The limits of how->radius, as distances. */
static const double *
limits(const struct kith_ballot *in, struct kith_pool *pool)
{
	const struct kith_predict_how *how = in->how;
	double *limit = kith_new(pool, how->nk, sizeof(*limit));

	for (size_t a = 0; how->radius && a < how->nk; a++)
		limit[a] = kith_dist_limit(how->radius[a]);
	return how->radius ? limit : NULL;
}

void
kith_count_votes(const struct kith_ballot *in, struct kith_predicted *out)
{
	struct kith_pool tmp = {0};
	const size_t threads = in->how->threads;
	struct count to = {.in = in, .out = out};

	to.limit = limits(in, &tmp);
	if (in->how->radius)
		to.prior = kith_vote_prior_new(in->known, &tmp);
	to.own = kith_new(&tmp, threads, sizeof(*to.own));
	kith_par_told(threads, (in->Z->n + BLOCK - 1) / BLOCK, count_block, &to,
	    &(struct kith_par_phase){"votes", in->Z->n, "rows"});
	for (size_t t = 0; t < threads; t++) {
		out->unreached += to.own[t].unreached;
		kith_pool_free(&to.own[t].pool);
	}
	kith_pool_free(&tmp);
}
