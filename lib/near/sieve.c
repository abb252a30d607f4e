#include "near/sieve.h"

#include "base/pool.h"
#include "near/dist.h"
#include "near/kth.h"
#include "near/near.h"
#include "near/pack.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
	SLOTS = 64, /* at least, for each row */
	ROOM = 16   /* slots to be free after lowering the limit */
};

void
kith_knn_sieve_room(
    struct kith_knn_sieve *sieve, size_t m, struct kith_pool *pool)
{
	const size_t ample = 2 * sieve->k + ROOM / 4;

	sieve->slots = kith_knn_widen(ample > SLOTS ? ample : SLOTS);
	sieve->limit = kith_new(pool, m, sizeof(*sieve->limit));
	sieve->held = kith_new(pool, m, sizeof(*sieve->held));
	sieve->slot = kith_grow(
	    pool, NULL, m, sieve->slots * sizeof(*sieve->slot));
}

void
kith_knn_sieve_clear(struct kith_knn_sieve *sieve, size_t m)
{
	for (size_t i = 0; i < m; i++) {
		sieve->limit[i] = KITH_KNN_NO_LIMIT;
		sieve->held[i] = 0;
	}
}

static float
round_up(double x)
{
	const float f = (float)x;

	return f < x ? nextafterf(f, INFINITY) : f;
}

static float
round_down(double x)
{
	return -round_up(-x);
}

/* Throw out the candidates beyond the limit. */
static void
filter(struct kith_knn_sieve *sieve, size_t i)
{
	struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const float limit = sieve->limit[i];
	uint32_t n = 0;

	for (uint32_t s = 0; s < sieve->held[i]; s++) {
		slot[n] = slot[s];
		n += slot[s].g <= limit;
	}
	sieve->held[i] = n;
}

/* Lower the limit by the upper bounds, `enough` of which may stay below. */
static void
select_bounds(
    struct kith_knn_sieve *sieve, size_t i, size_t enough, float *scratch)
{
	const struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const size_t n = sieve->held[i];

	for (size_t s = 0; s < n; s++)
		scratch[s] = slot[s].g + sieve->wide[slot[s].row];
	kith_knn_sieve_limit(
	    sieve, i, kith_knn_kth(scratch, n, sieve->k, enough));
	filter(sieve, i);
}

/* Have p numbers brought near while others are worked on. */
static void
fetch(const double *x, size_t p)
{
	for (size_t j = 0; j < p; j += 8)
		__builtin_prefetch(x + j);
}

/* The distances of the candidates: the k nearest, in no order. */
static void
rank(const struct kith_knn_sieve *sieve, size_t i, struct kith_near *near)
{
	const struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const struct kith_knn_pack *pack = sieve->pack;

	for (size_t s = 0; s < sieve->held[i]; s++) {
		double d;

		if (s + 1 < sieve->held[i])
			fetch(kith_row(&pack->X, slot[s + 1].row), pack->X.p);
		kith_dist_rows(&pack->metric, sieve->z[i],
		    kith_row(&pack->X, slot[s].row), 1, &d);
		kith_near_push(near, slot[s].row, d);
	}
}

/* Keep the k nearest of the candidates, with g from their distances. */
static void
rank_and_keep(struct kith_knn_sieve *sieve, size_t i)
{
	struct kith_pool tmp = {0};
	struct kith_near near = {
	    .nn = kith_new(&tmp, sieve->k, sizeof(*near.nn)), .k = sieve->k};
	struct kith_candidate *slot = sieve->slot + i * sieve->slots;
	const double low = sieve->z_low[i];
	float limit;

	rank(sieve, i, &near);
	for (size_t s = 0; s < near.held; s++)
		slot[s] = (struct kith_candidate){
		    round_down(near.nn[s].d * sieve->scale - low),
		    (uint32_t)near.nn[s].row};
	sieve->held[i] = (uint32_t)near.held;
	limit = round_up(near.nn[0].d * sieve->scale - low);
	if (limit < sieve->limit[i])
		sieve->limit[i] = limit;
	kith_pool_free(&tmp);
}

void
kith_knn_sieve_shrink(struct kith_knn_sieve *sieve, size_t i, float *scratch)
{
	select_bounds(sieve, i, sieve->k + sieve->k / 8 + 1, scratch);
	if (sieve->held[i] > sieve->slots - ROOM)
		rank_and_keep(sieve, i);
}

void
kith_knn_sieve_finish(struct kith_knn_sieve *sieve, size_t i, float *scratch,
    struct kith_neighbour *nn)
{
	struct kith_near near = {.nn = nn, .k = sieve->k};

	assert(sieve->held[i] >= sieve->k);
	if (sieve->held[i] > sieve->k)
		select_bounds(sieve, i, sieve->k, scratch);
	rank(sieve, i, &near);
	kith_near_sort(&near);
}
