/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/turn_row.h"

#include "la/simd.h"
#include "la/vec.h"
#include "la/vexp.h"
#include "near/by_class.h"
#include "relief/turn_near.h"
#include "relief/turned.h"

#include <math.h>

/* The largest of n numbers, and of each KITH_RELIEF_CHUNK of them. */
KITH_CLONES static double
turn_row_turn_largest(size_t n, const double *e, double *chunk)
{
	double all = -INFINITY;

	for (size_t j0 = 0; j0 < n; j0 += KITH_RELIEF_CHUNK) {
		const size_t end = n - j0 < KITH_RELIEF_CHUNK
		    ? n
		    : j0 + KITH_RELIEF_CHUNK;
		kith_v8d most = (kith_v8d){0} - INFINITY;
		double one = -INFINITY;
		size_t j;

		for (j = j0; j + 8 <= end; j += 8) {
			const kith_v8d x = *(const kith_v8d_at *)(e + j);
			const kith_v8i more = x > most;

			most = (kith_v8d)(((kith_v8i)x & more) |
			    ((kith_v8i)most & ~more));
		}
		for (; j < end; j++)
			one = kith_larger(one, e[j]);
		for (j = 0; j < 8; j++)
			one = kith_larger(one, most[j]);
		chunk[j0 / KITH_RELIEF_CHUNK] = one;
		all = kith_larger(all, one);
	}
	return all;
}

/* Which of n exponents are at least `least`, and by how much they miss most. */
static size_t
take(size_t n, const double *e, const double *chunk, double least, double most,
    size_t *at, double *left)
{
	size_t k = 0;

	for (size_t j0 = 0; j0 < n; j0 += KITH_RELIEF_CHUNK) {
		const size_t end = n - j0 < KITH_RELIEF_CHUNK
		    ? n
		    : j0 + KITH_RELIEF_CHUNK;

		for (size_t j = j0;
		     j < end && chunk[j0 / KITH_RELIEF_CHUNK] >= least; j++) {
			at[k] = j;
			left[k] = e[j] - most;
			k += e[j] >= least;
		}
	}
	return k;
}

/* NCA: G of row i from its p_j; returns its part of the value. */
static double
classify(const struct kith_relief_turn *turn, size_t i, size_t k,
    const size_t *at, double *P)
{
	const struct kith_by_class *s = turn->s;
	const size_t from = s->first[s->y[i]], end = s->first[s->y[i] + 1];
	const double share = (turn->weight ? turn->weight[i] : 1) / turn->total;
	double hits = 0;

	for (size_t l = 0; l < k; l++)
		if (from <= at[l] && at[l] < end)
			hits += P[l];
	for (size_t l = 0; l < k; l++) {
		const bool hit = from <= at[l] && at[l] < end;

		P[l] *= share * ((hit ? 1 : 0) - hits);
	}
	return -share * hits;
}

/* MLKR: the same. */
static double
regress(const struct kith_relief_turn *turn, size_t i, size_t k,
    const size_t *at, double *P)
{
	const double *t = turn->t;
	const double share = (turn->weight ? turn->weight[i] : 1) / turn->total;
	double off = -t[i];

	for (size_t l = 0; l < k; l++)
		off += P[l] * t[at[l]];
	for (size_t l = 0; l < k; l++)
		P[l] *= -2 * share * off * (t[at[l]] - (off + t[i]));
	return share * off * off;
}

/* m_i += G (z_i - z_j), m_j -= the same, for the rows j that are left. */
KITH_CLONES static void
turn_row_turn_add_few(size_t room, size_t i, size_t k, const size_t *at,
    const double *G, const double *Z, double *M)
{
	for (size_t l = 0; l < k; l++) {
		const double *z = Z + i * room, *x = Z + at[l] * room;
		double *m = M + i * room, *o = M + at[l] * room;

		for (size_t a = 0; a < room; a += 8) {
			const kith_v8d D = G[l] *
			    (*(const kith_v8d_at *)(z + a) -
				*(const kith_v8d_at *)(x + a));

			*(kith_v8d_at *)(m + a) += D;
			*(kith_v8d_at *)(o + a) -= D;
		}
	}
}

/* -|z_i - z_j|^2 for all rows j. */
KITH_CLONES static void
turn_row_turn_far_apart(
    size_t room, size_t n, const double *z, const double *Z, double *e)
{
	for (size_t j = 0; j < n; j++) {
		kith_v8d sum = {0};

		for (size_t a = 0; a < room; a += 8) {
			const kith_v8d D = *(const kith_v8d_at *)(z + a) -
			    *(const kith_v8d_at *)(Z + j * room + a);

			sum -= D * D;
		}
		e[j] = ((sum[0] + sum[4]) + (sum[2] + sum[6])) +
		    ((sum[1] + sum[5]) + (sum[3] + sum[7]));
	}
}

/* G of the rows that are left from by how much their exponents miss the largest. */
static double
finish(const struct kith_relief_turn *turn, size_t i,
    struct kith_relief_turn_room *in)
{
	double sum;

	kith_vexp(in->left, in->G, in->G);
	sum = kith_vec_sum(in->left, in->G);
	for (size_t l = 0; l < in->left; l++)
		in->G[l] /= sum;
	return (turn->t ? regress : classify)(turn, i, in->left, in->at, in->G);
}

double
kith_relief_turn_row(const struct kith_relief_turn *turn, size_t i, bool far,
    double *e, struct kith_relief_turn_room *in)
{
	const size_t n = turn->s->X.n;
	double most;

	if (far)
		turn_row_turn_far_apart(
		    turn->room, n, turn->Z + i * turn->room, turn->Z, e);
	for (size_t j = 0; turn->weight && j < n; j++)
		e[j] += turn->log_weight[j];
	e[i] = -INFINITY;
	most = turn_row_turn_largest(n, e, in->chunk);
	in->left = take(
	    n, e, in->chunk, most - KITH_RELIEF_GONE, most, in->at, in->G);
	return finish(turn, i, in);
}

bool
kith_relief_turn_row_near(const struct kith_relief_turn *turn, size_t i,
    struct kith_relief_turn_room *in, double *value)
{
	double most;

	if (!kith_relief_turn_near_row(turn, i, in, &most))
		return false;
	*value = finish(turn, i, in);
	return true;
}

void
kith_relief_turn_few(const struct kith_relief_turn *turn, size_t i,
    const struct kith_relief_turn_room *in, double *M)
{
	turn_row_turn_add_few(
	    turn->room, i, in->left, in->at, in->G, turn->Z, M);
}
