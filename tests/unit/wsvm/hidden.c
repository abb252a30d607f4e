/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/quick.h: what rounding leaves of scores, that nothing shows,
 * is little beside q, or beside all terms where rows are alike.
 */
#include "wsvm/quick.h"

#include "tap.h"
#include "wsvm/active_set.h"
#include "wsvm/now.h"

/* Rounding that the size of the sums leaves hidden, up to its limit. */
static bool
is_hidden(const struct now *now)
{
	bool right;
	struct kith_wsvm *s = now->s;
	const double eps = 0x1p-52, least = s->root_min, was = s->path.rebuilt;
	const double theta[] = {s->last.theta, now->end};
	double terms = kith_wsvm_sum_value(&s->in.sum.C) +
	    kith_wsvm_sum_value(&s->in.sum.size);
	double size = INFINITY, room = s->q_max, limit;

	for (int k = 0; k < 2; k++) {
		double sum = 0;

		for (size_t v = 0; v < s->N; v++)
			sum += s->root[v] * kith_wsvm_alpha(s, v, theta[k]);
		size = fmin(size, sum);
	}
	for (size_t i = 0; i < s->margin->size; i++) {
		const size_t v = s->margin->list[i];

		terms += s->root[v] *
		    (fabs(s->piece.alpha0[v]) + fabs(s->piece.alpha1[v]));
	}
	limit = eps * sqrt(1 + (double)s->in.events);
	room = 2e-10 * room / s->root_most - 4 * eps * terms;
	size = 1e-11 * size - 4 * eps * terms;
	s->path.anew = false;
	s->path.rebuilt = 0;
	/* Rows alike: over the terms of all, if that is more. */
	right = passes_to(
	    now, &s->path.rebuilt, fmax(room, size) / limit, 1e-3);
	s->root_min = s->root_most / 101;
	right &= passes_to(now, &s->path.rebuilt, room / limit, 1e-3);
	s->root_min = least;
	s->path.rebuilt = was;
	return right;
}

int
main(void)
{
	size_t wrong = 0, pieces = 0;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < 12; k++) {
		struct now now;

		if (begin(
			&now, 2, k % 4, 3)) { /* without a b of its own share */
			pieces++;
			wrong += !is_hidden(&now);
		}
		kith_pool_free(&pool);
	}
	ok(wrong == 0 && pieces > 3, "%zu of %zu pieces pass otherwise", wrong,
	    pieces);
	return done();
}
