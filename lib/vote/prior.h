/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/prior - what rows of which nothing else is known are predicted to be:
 * the class that most rows of a sample have, of equal ones the first, or the
 * mean of their numbers.
 */
#ifndef KITH_VOTE_PRIOR_H
#define KITH_VOTE_PRIOR_H

#include <stddef.h>

struct kith_pool;
struct kith_sample;

struct kith_vote_prior {
	size_t n, c;
	const size_t *y;
	size_t *count;               /* c: rows of each class; or */
	long double *before, *after; /* n + 1: sums of the numbers of the rows
					before i, and from i on */
};

/* Of n >= 1 rows, which stay, in the pool.  Time and memory O(n). */
struct kith_vote_prior kith_vote_prior_new(const struct kith_sample *known, struct kith_pool *pool);

/*
 * Of all rows but `out` (SIZE_MAX: of all), which are one at least: the class,
 * and the shares of the classes (c) unless share is NULL; or the mean.
 */
size_t kith_vote_prior_class(const struct kith_vote_prior *prior, size_t out, double *share);
double kith_vote_prior_mean(const struct kith_vote_prior *prior, size_t out);

#endif
