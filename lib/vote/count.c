/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/count.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/sigma.h"
#include "near/heap.h"
#include "table/predicted.h"
#include "vote/ballot.h"
#include "vote/vote.h"

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

/* The outcome for row i of the ballot and the a-th k. */
static void
count_row(const struct count *to, struct counter *own, size_t i, size_t a)
{
	const struct kith_ballot *in = to->in;
	const struct kith_sample *known = in->known;
	struct kith_predicted *out = to->out;
	const size_t row = in->to ? in->to[i] : i, at = row * out->nk + a;
	struct kith_voters by = {.z = kith_row(in->Z, i),
	    .nn = in->nn + i * in->most,
	    .k = in->how->k[a],
	    .sigma = in->sigma[a],
	    .ratio = in->how->ratio};

	if (by.sigma == 0)
		by.sigma = kith_sigma_local(by.nn, by.k);
	in->how->vote->weigh(own->begun, &by, own->v);
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

void
kith_count_votes(const struct kith_ballot *in, struct kith_predicted *out)
{
	struct kith_pool tmp = {0};
	const size_t threads = in->how->threads;
	struct count to = {.in = in, .out = out};

	to.own = kith_new(&tmp, threads, sizeof(*to.own));
	kith_par_told(threads, (in->Z->n + BLOCK - 1) / BLOCK, count_block, &to,
	    &(struct kith_par_phase){"votes", in->Z->n, "rows"});
	for (size_t t = 0; t < threads; t++)
		kith_pool_free(&to.own[t].pool);
	kith_pool_free(&tmp);
}
