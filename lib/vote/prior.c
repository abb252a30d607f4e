/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/prior.h"

#include "base/pool.h"
#include "vote/ballot.h"

struct kith_vote_prior
kith_vote_prior_new(const struct kith_sample *known, struct kith_pool *pool)
{
	const size_t n = known->X.n;
	struct kith_vote_prior prior = {.n = n, .c = known->c, .y = known->y};

	if (known->y) {
		prior.count = kith_new(pool, prior.c, sizeof(*prior.count));
		for (size_t i = 0; i < n; i++)
			prior.count[known->y[i]]++;
		return prior;
	}
	prior.before = kith_new(pool, n + 1, sizeof(*prior.before));
	prior.after = kith_new(pool, n + 1, sizeof(*prior.after));
	for (size_t i = 0; i < n; i++)
		prior.before[i + 1] = prior.before[i] + known->t[i];
	for (size_t i = n; i-- > 0;)
		prior.after[i] = prior.after[i + 1] + known->t[i];
	return prior;
}

size_t
kith_vote_prior_class(const struct kith_vote_prior *prior, size_t out, double *share)
{
	const size_t n = prior->n - (out < prior->n);
	size_t best = 0, most = 0;

	for (size_t h = 0; h < prior->c; h++) {
		const size_t count = prior->count[h] - (out < prior->n && prior->y[out] == h);

		if (share)
			share[h] = (double)count / (double)n;
		if (count > most) {
			most = count;
			best = h;
		}
	}
	return best;
}

double
kith_vote_prior_mean(const struct kith_vote_prior *prior, size_t out)
{
	if (out >= prior->n)
		return (double)(prior->before[prior->n] / (long double)prior->n);
	return (double)((prior->before[out] + prior->after[out + 1]) / (long double)(prior->n - 1));
}
