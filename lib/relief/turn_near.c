/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. A list has K/2 to K of the rows nearest in z, from the exponents that a
 *    product of all rows gave; reach is how far away all others were.
 * 2. Later z_i has moved by m_i.  |z_i - z_j| is what it was less m_i + m_j at
 *    least; for rows in no list less m_i and the largest m.
 * 3. Distances are calculated for the rows of the list that may be near enough to
 *    count beside the nearest so far.  Where a row of no list may be, too, the list
 *    lacks rows.
 * 4. Lists that lack too much (relief/turn.c) are made again.  New lists that are of
 *    no use once are followed by a pause, twice as long each time.
 */
#include "relief/turn_near.h"

#include "base/pool.h"
#include "la/simd.h"
#include "la/vec.h"
#include "near/by_class.h"
#include "near/kth.h"
#include "relief/turned.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	K = 64,       /* rows of a list, */
	PART = 8,     /* and no more than this part of all */
	FEWEST = 256, /* rows, for lists to pay */
	REST = 16     /* evaluations without lists, at most */
};

#define ROUNDED 2e-7 /* of a float */

void
kith_relief_turn_near_new(struct kith_relief_turn *turn, struct kith_pool *pool)
{
	struct kith_relief_turn_near *near = &turn->near;
	const size_t n = turn->s->X.n;

	*near = (struct kith_relief_turn_near){.heaviest = turn->log_weight[0]};
	if (n < FEWEST)
		return;
	near->k = n / PART < K ? n / PART : K;
	near->nn = kith_new(pool, n, near->k * sizeof(*near->nn));
	near->Z = kith_new(pool, n, turn->room * sizeof(*near->Z));
	KITH_NEW_REALS(pool, n, 1, &near->moved, &near->reach);
	KITH_NEW_SIZES(pool, n, 1, &near->held);
	for (size_t i = 0; i < n; i++)
		near->heaviest = fmax(near->heaviest, turn->log_weight[i]);
}

/* |z - x|^2 of r numbers. */
KITH_INLINE double
near_square(size_t r, const double *z, const double *x)
{
	const size_t whole = r / 8 * 8;
	kith_v8d sum = {0};
	double rest = 0;

	for (size_t a = 0; a < whole; a += 8) {
		const kith_v8d D = *(const kith_v8d_at *)(z + a) -
		    *(const kith_v8d_at *)(x + a);

		sum += D * D;
	}
	for (size_t a = whole; a < r; a++)
		rest += (z[a] - x[a]) * (z[a] - x[a]);
	return rest + ((sum[0] + sum[4]) + (sum[2] + sum[6])) +
	    ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

KITH_CLONES static double
turn_near_moved(size_t n, size_t r, size_t room, const double *Z,
    const double *before, double *moved)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		moved[i] = sqrt(
		    near_square(r, Z + i * room, before + i * room));
		most = kith_larger(most, moved[i]);
	}
	return most;
}

bool
kith_relief_turn_near_begin(
    struct kith_relief_turn *turn, bool far, double size)
{
	struct kith_relief_turn_near *near = &turn->near;
	const size_t n = turn->s->X.n, room = turn->room;

	near->now = KITH_RELIEF_NEAR_IDLE;
	if (near->k == 0 || far)
		return false;
	if (near->made) {
		near->now = KITH_RELIEF_NEAR_USED;
		near->most = turn_near_moved(
		    n, turn->r, room, turn->Z, near->Z, near->moved);
		return true;
	}
	if (near->idle > 0) {
		near->idle--;
		return false;
	}
	near->now = KITH_RELIEF_NEAR_MADE;
	near->size = size;
	memcpy(near->Z, turn->Z, n * room * sizeof(*near->Z));
	return false;
}

/* Lists are of no use now; those that never were have a pause, ever longer. */
static void
drop(struct kith_relief_turn_near *near)
{
	near->made = false;
	if (near->served > 0)
		return;
	near->rest = 2 * near->rest + 1 < REST ? 2 * near->rest + 1 : REST;
	near->idle = near->rest;
}

bool
kith_relief_turn_near_end(struct kith_relief_turn *turn, bool had_all)
{
	struct kith_relief_turn_near *near = &turn->near;

	if (near->now == KITH_RELIEF_NEAR_MADE) {
		near->served = 0;
		near->made = had_all;
	} else if (near->now == KITH_RELIEF_NEAR_USED && had_all) {
		near->served++;
		near->rest = 0;
	}
	if (near->now != KITH_RELIEF_NEAR_IDLE && !had_all)
		drop(near);
	return had_all;
}

/* d_ij = own - e_ij as floats. */
KITH_CLONES static void
turn_near_floats(size_t n, double own, const double *e, float *v)
{
	for (size_t j = 0; j < n; j++)
		v[j] = (float)(own - e[j]);
}

/* What |z_i - z_j| is at least where its square was found to be d. */
static double
at_least(double d, double error)
{
	return sqrt(fmax(0, d - ROUNDED * d - error));
}

/* The rows of v that are at most x, k of them at most; how many. */
static size_t
choose(size_t n, const float *v, float x, size_t k, size_t *at)
{
	size_t held = 0;

	for (size_t j = 0; j < n && held < k; j++) {
		at[held] = j;
		held += v[j] <= x;
	}
	return held;
}

void
kith_relief_turn_near_make(const struct kith_relief_turn *turn, size_t i,
    const double *e, const struct kith_relief_turn_room *in)
{
	const struct kith_relief_turn_near *near = &turn->near;
	const size_t n = turn->s->X.n;
	struct kith_neighbour *nn = near->nn + i * near->k, one;
	const double own = turn->Z[i * turn->room + turn->r];
	const double error = (double)(turn->r + 4) * DBL_EPSILON * 4 *
	    near->size;
	size_t held, first = 0;
	float most;

	turn_near_floats(n, own, e, in->v);
	in->v[i] = INFINITY;
	most = kith_knn_kth(in->v, n, near->k / 2, near->k);
	held = choose(n, in->v, most, near->k, in->at);
	for (size_t l = 0; l < held; l++) {
		nn[l] = (struct kith_neighbour){
		    in->at[l], at_least((double)in->v[in->at[l]], error)};
		first = nn[l].d < nn[first].d ? l : first;
	}
	near->held[i] = held;
	near->reach[i] = at_least((double)most, error);
	one = nn[0];
	nn[0] = nn[first];
	nn[first] = one;
}

/* The distance from which on exp(-d) is below rounding beside the largest. */
static double
gone(const struct kith_relief_turn_near *near, double most)
{
	return sqrt(fmax(0, near->heaviest - most + KITH_RELIEF_GONE));
}

KITH_CLONES static size_t
turn_near_row(const struct kith_relief_turn *turn, size_t i, size_t *at,
    double *e, double *largest)
{
	const struct kith_relief_turn_near *near = &turn->near;
	const size_t room = turn->room, held = near->held[i];
	const struct kith_neighbour *nn = near->nn + i * near->k;
	/* There are zeros behind the r numbers, the square being cleared. */
	const double *z = turn->Z + i * room, *moved = near->moved;
	double most = -INFINITY, beyond = INFINITY;
	size_t k = 0;

	for (size_t l = 0; l < held; l++) {
		const size_t j = nn[l].row;

		if (nn[l].d - moved[i] - moved[j] > beyond)
			continue;
		at[k] = j;
		e[k] = turn->log_weight[j] -
		    near_square(room, z, turn->Z + j * room);
		if (e[k] > most) {
			most = e[k];
			beyond = gone(near, most);
		}
		k++;
	}
	*largest = most;
	return near->reach[i] - moved[i] - near->most > beyond ? k : 0;
}

bool
kith_relief_turn_near_row(const struct kith_relief_turn *turn, size_t i,
    struct kith_relief_turn_room *in, double *most)
{
	size_t held, left = 0;

	held = turn_near_row(turn, i, in->at, in->G, most);
	if (held == 0)
		return false;
	for (size_t l = 0; l < held; l++) {
		const double e = in->G[l];

		in->at[left] = in->at[l];
		in->G[left] = e - *most;
		left += e >= *most - KITH_RELIEF_GONE;
	}
	in->left = left;
	return true;
}
