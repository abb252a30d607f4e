/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/count.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/sigma.h"
#include "near/near.h"
#include "table/predicted.h"
#include "vote/ballot.h"
#include "vote/vote.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows that a thread takes at a time */

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

/* Keep who voted, of the only k. */
static void
keep(const struct kith_ballot *in, const struct kith_neighbour *nn,
    const double *v, size_t k, struct kith_voted *to)
{
	double total = 0;

	for (size_t j = 0; j < k; j++)
		total += v[j];
	for (size_t j = 0; j < k; j++)
		to[j] = (struct kith_voted){
		    nn[j].row, sqrt(nn[j].d) / in->unit, v[j] / total};
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
			if (out->voted)
				keep(in, nn, own->v, k, out->voted + at * k);
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

void
kith_count_votes(const struct kith_ballot *in, struct kith_predicted *out)
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
