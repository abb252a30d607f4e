/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/columns_score.h"

#include "la/lanes.h"
#include "la/simd.h"
#include "wsvm/columns.h"

#include <math.h>

enum { LANES = KITH_WSVM_LANES, FOUR = 4 };

/*
 * sum_j a_j K_ij and sum_j b_j K_ij of some items, whose cells begin at K; the
 * order of the terms does not depend on their number, which is a constant, for
 * the compiler.  Those at `next` come soon.
 */
KITH_INLINE void
score(const struct kith_wsvm_columns *c, const double *const *K,
    const double *const *next, size_t items, double out[][2])
{
	kith_v8d u[FOUR] = {{0}}, w[FOUR] = {{0}};

	for (size_t j = 0; j < c->top; j += LANES) {
		const kith_v8d *a = kith_simd_at(c->a, j),
			       *b = kith_simd_at(c->b, j);

#pragma GCC unroll 4
		for (size_t q = 0; q < items; q++) {
			const kith_v8d *k = kith_simd_at(K[q], j);

			__builtin_prefetch(next[q] + j);
			u[q] += *k * *a;
			w[q] += *k * *b;
		}
	}
#pragma GCC unroll 4
	for (size_t q = 0; q < items; q++) {
		out[q][0] = kith_lanes_sum(&u[q]);
		out[q][1] = kith_lanes_sum(&w[q]);
	}
}

KITH_CLONES static void
wsvm_columns_score(const struct kith_wsvm_columns *c, size_t i, double out[2])
{
	const double *K = c->cell + i * c->ld;

	score(c, &K, &K, 1, (double(*)[2])out);
}

void
kith_wsvm_columns_score(
    const struct kith_wsvm_columns *c, size_t i, double out[2])
{
	out[0] = out[1] = 0;
	if (c->top > 0)
		wsvm_columns_score(c, i, out);
}

/* Of item[0..count-1], or of 0..count-1 where that is NULL. */
KITH_CLONES static void
wsvm_columns_scores(const struct kith_wsvm_columns *c, const size_t *item,
    size_t count, double *u, double *w)
{
	const double *K[FOUR], *next[FOUR];
	double out[FOUR][2];

	for (size_t k = 0; k < count; k += FOUR) {
		const size_t items = count - k < FOUR ? count - k : FOUR;

		for (size_t q = 0; q < FOUR; q++) {
			const size_t now = q < items ? k + q : k;
			const size_t then = now + FOUR < count ? now + FOUR
							       : now;

			K[q] = c->cell + (item ? item[now] : now) * c->ld;
			next[q] = c->cell + (item ? item[then] : then) * c->ld;
		}
		if (items == FOUR)
			score(c, K, next, FOUR, out);
		for (size_t q = 0; q < items; q++) {
			const size_t i = item ? item[k + q] : k + q;

			if (items < FOUR)
				score(c, K + q, K + q, 1, out + q);
			u[i] += out[q][0];
			if (w)
				w[i] += out[q][1];
		}
	}
}

void
kith_wsvm_columns_scores(
    const struct kith_wsvm_columns *c, double *u, double *w)
{
	if (c->top > 0)
		wsvm_columns_scores(c, NULL, c->n, u, w);
}

void
kith_wsvm_columns_scores_of(const struct kith_wsvm_columns *c,
    const size_t *item, size_t count, double *u, double *w)
{
	if (c->top > 0)
		wsvm_columns_scores(c, item, count, u, w);
}

/* Per lane, the largest K_ij - K_jj / 2 and its slot. */
KITH_CLONES static void
wsvm_columns_nearest(
    const struct kith_wsvm_columns *c, size_t i, kith_v8d *most, kith_v8i *slot)
{
	const double *K = c->cell + i * c->ld;
	kith_v8i now = {0, 1, 2, 3, 4, 5, 6, 7};

	*most = (kith_v8d){0} - INFINITY;
	*slot = now;
	for (size_t j = 0; j < c->top; j += LANES, now += LANES) {
		const kith_v8d x = *kith_simd_at(K, j) -
		    *kith_simd_at(c->half, j);
		const kith_v8i more = x > *most;

		*most = (kith_v8d)(((kith_v8i)x & more) |
		    ((kith_v8i)*most & ~more));
		*slot = (now & more) | (*slot & ~more);
	}
}

double
kith_wsvm_columns_nearest(
    const struct kith_wsvm_columns *c, size_t i, size_t *j)
{
	kith_v8d most;
	kith_v8i slot;
	size_t best = 0;

	if (c->top == 0)
		return -INFINITY;
	wsvm_columns_nearest(c, i, &most, &slot);
	for (size_t l = 1; l < LANES; l++)
		if (most[l] > most[best])
			best = l;
	*j = c->item[slot[best]];
	return most[best];
}
