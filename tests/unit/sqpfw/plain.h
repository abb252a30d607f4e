/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/plain - Algorithm 1 of lib/sqpfw/sqpfw.h as it is written: all pairs,
 * all distances, and a factor made anew in every iteration.
 *
 * Pairs (i, j) and (i, l) whose squared differences are the same are one, with
 * so many copies; a blocking row that depends on the active ones is passed
 * over.  Pairs that touch their target at a minimum are left alone.
 */
#ifndef KITH_TEST_SQPFW_PLAIN_H
#define KITH_TEST_SQPFW_PLAIN_H

#include "base/pool.h"
#include "sqpfw/sums.h"

#include <string.h>

/* Count pairs with the same squared differences as one. */
static inline void
plain_merge(struct plain *s)
{
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n; j++) {
			size_t l = 0;

			for (; l < j; l++) {
				double off = 0, most = 0;

				if (i == l || plain_in(s, i, j, 0) != plain_in(s, i, l, 0))
					continue;
				for (size_t f = 0; f < s->p; f++) {
					const double a = plain_eps(s, i, j, f);
					const double b = plain_eps(s, i, l, f);

					off = fmax(off, fabs(a - b));
					most = fmax(most, fmax(a, b));
				}
				if (off <= 1e-10 * most)
					break;
			}
			if (i != j)
				s->copies[i * s->n + l]++;
		}
}

/* The first pair, by distance, then row, with need rows up to it. */
static inline void
plain_start(struct plain *s, size_t i, size_t miss)
{
	size_t need = miss ? s->misses : s->hits;

	for (;;) {
		size_t best = s->n;

		for (size_t j = 0; j < s->n; j++)
			if (plain_in(s, i, j, miss) && s->copies[i * s->n + j] > 0 &&
			    s->state[i * s->n + j] > 0 &&
			    (best == s->n ||
				plain_distance(s, s->w, i, j) < plain_distance(s, s->w, i, best)))
				best = j;
		if (s->copies[i * s->n + best] >= need) {
			s->state[i * s->n + best] = 0;
			s->target[2 * i + miss] = best;
			return;
		}
		need -= s->copies[i * s->n + best];
		s->state[i * s->n + best] = -1;
	}
}

/* The row of the pair (i, j): its differences less those of the target. */
static inline void
plain_row(const struct plain *s, size_t i, size_t j, double *row)
{
	const size_t r = s->target[2 * i + (s->y[i] != s->y[j])];

	for (size_t f = 0; f < s->p; f++)
		row[f] = plain_eps(s, i, j, f) - plain_eps(s, i, r, f);
}

/* Take off x what lies along the columns; its length then. */
static inline double
plain_project(const struct plain *s, size_t columns, double *x, double *z)
{
	double sum = 0;

	for (size_t f = 0; f < s->p; f++)
		if (s->zero[f])
			x[f] = 0;
	for (size_t k = 0; k < columns; k++)
		z[k] = 0;
	for (int pass = 0; pass < 3; pass++)
		for (size_t k = 0; k < columns; k++) {
			double h = 0;

			for (size_t f = 0; f < s->p; f++)
				h += s->Q[k * s->p + f] * x[f];
			for (size_t f = 0; f < s->p; f++)
				x[f] -= h * s->Q[k * s->p + f];
			z[k] += h;
		}
	for (size_t f = 0; f < s->p; f++)
		sum += x[f] * x[f];
	return sqrt(sum);
}

static inline void
plain_factor(struct plain *s)
{
	for (size_t t = 0; t <= s->ties; t++) {
		double *q = s->Q + t * s->p, *R = s->R + t * (s->p + 1), size;

		if (t == 0)
			for (size_t f = 0; f < s->p; f++)
				q[f] = 1;
		else
			plain_row(s, s->tie[t - 1] / s->n, s->tie[t - 1] % s->n, q);
		size = plain_project(s, t, q, R);
		R[t] = size;
		for (size_t f = 0; f < s->p; f++)
			q[f] /= size;
	}
}

/* Put dw = what is left of v - w; whether it is not 0. */
static inline bool
plain_direction(struct plain *s)
{
	double most = 0;

	for (size_t f = 0; f < s->p; f++)
		s->v[f] = s->prior[f] - s->w[f];
	for (size_t i = 0; i < s->n; i++)
		for (size_t f = 0; f < s->p; f++)
			s->v[f] -= s->theta / (double)s->n *
			    (plain_eps(s, i, s->target[2 * i], f) -
				plain_eps(s, i, s->target[2 * i + 1], f));
	plain_factor(s);
	memcpy(s->dw, s->v, s->p * sizeof(*s->dw));
	plain_project(s, s->ties + 1, s->dw, s->z);
	for (size_t f = 0; f < s->p; f++)
		most = fmax(most, fabs(s->dw[f]));
	return most > 1e-12;
}

/* Lemma 6 for a tied pair: where it may go. */
static inline int
plain_goes(const struct plain *s, size_t i, size_t j, double beta)
{
	const size_t miss = s->y[i] != s->y[j];
	const size_t need = miss ? s->misses : s->hits;
	const size_t own = s->copies[i * s->n + j];
	const double none = 1e-10 * fmax(s->theta, 1e-6) / (double)s->n;
	size_t nearer = 0, tied = 0;

	for (size_t l = 0; l < s->n; l++)
		if (plain_in(s, i, l, miss)) {
			if (s->state[i * s->n + l] < 0)
				nearer += s->copies[i * s->n + l];
			if (s->state[i * s->n + l] == 0)
				tied += s->copies[i * s->n + l];
		}
	if (beta < -none && nearer + own < need)
		return -1;
	return beta > none && nearer + tied - own >= need;
}

/* Free the pair at this place, or the target of its group. */
static inline void
plain_free(struct plain *s, size_t t, bool target, int state)
{
	const size_t i = s->tie[t] / s->n, j = s->tie[t] % s->n;
	size_t *r = &s->target[2 * i + (s->y[i] != s->y[j])];

	if (target) {
		s->state[i * s->n + *r] = state;
		*r = j;
	} else
		s->state[i * s->n + j] = state;
	s->ties--;
	memmove(s->tie + t, s->tie + t + 1, (s->ties - t) * sizeof(*s->tie));
}

/* What is to leave the active set, by the largest multiplier so far. */
struct plain_leave {
	double best;
	size_t weight, tie;
	bool target;
	int state;
};

static inline void
plain_weigh(const struct plain *s, size_t t, bool target, double beta, struct plain_leave *leave)
{
	const size_t i = s->tie[t] / s->n, j = s->tie[t] % s->n;
	const size_t r = s->target[2 * i + (s->y[i] != s->y[j])];
	const int state = plain_goes(s, i, target ? r : j, beta);

	if (state != 0 && fabs(beta) > leave->best)
		*leave = (struct plain_leave){fabs(beta), s->p, t, target, state};
}

static inline void
plain_weigh_weights(struct plain *s, struct plain_leave *leave)
{
	double most = 1;

	for (size_t f = 0; f < s->p; f++)
		most = fmax(most, fabs(s->v[f]));
	for (size_t f = 0; f < s->p; f++) {
		double alpha = s->v[f] - s->z[0];

		for (size_t t = 0; t < s->ties; t++) {
			plain_row(s, s->tie[t] / s->n, s->tie[t] % s->n, s->row);
			alpha -= s->z[t + 1] * s->row[f];
		}
		if (s->zero[f] && alpha > 1e-12 * most && alpha > leave->best)
			*leave = (struct plain_leave){alpha, f, 0, false, 0};
	}
}

/* Let what has the largest multiplier go; false where nothing may. */
static inline bool
plain_release(struct plain *s)
{
	struct plain_leave leave = {0, s->p, 0, false, 0};

	for (size_t t = s->ties + 1; t-- > 0;) {
		for (size_t l = t + 1; l <= s->ties; l++)
			s->z[t] -= s->R[l * (s->p + 1) + t] * s->z[l];
		s->z[t] /= s->R[t * (s->p + 1) + t];
	}
	plain_weigh_weights(s, &leave);
	for (size_t t = 0; t < s->ties; t++) {
		const size_t i = s->tie[t] / s->n;
		const bool miss = s->y[i] != s->y[s->tie[t] % s->n];
		double beta = (miss ? -1 : 1) * s->theta / (double)s->n;
		bool first = true;

		plain_weigh(s, t, false, s->z[t + 1], &leave);
		for (size_t l = 0; l < s->ties; l++)
			if (s->tie[l] / s->n == i && (s->y[s->tie[l] % s->n] != s->y[i]) == miss) {
				beta -= s->z[l + 1];
				first = first && l >= t;
			}
		if (first)
			plain_weigh(s, t, true, beta, &leave);
	}
	if (leave.weight < s->p)
		s->zero[leave.weight] = false;
	else if (leave.state != 0)
		plain_free(s, leave.tie, leave.target, leave.state);
	return leave.best > 0;
}

/* How far a pair lets w go, unless its row depends on the active ones. */
static inline double
plain_far(struct plain *s, size_t i, size_t j, double most)
{
	const size_t at = i * s->n + j;
	double gap = 0, change = 0, size = 0, left;

	if (i == j || s->copies[at] == 0 || s->state[at] == 0)
		return most;
	plain_row(s, i, j, s->row);
	for (size_t f = 0; f < s->p; f++) {
		gap += s->row[f] * s->w[f];
		change -= s->row[f] * s->dw[f] * s->state[at];
		size += s->zero[f] ? 0 : s->row[f] * s->row[f];
	}
	gap = fmax(gap * s->state[at], 0);
	if (!(change > 1e-13) || !(gap < most * change))
		return most;
	left = plain_project(s, s->ties + 1, s->row, s->z);
	return left > 1e-8 * sqrt(size) && size > 1e-22 ? gap / change : most;
}

/* Go along dw, and make active what blocks. */
static inline void
plain_walk(struct plain *s)
{
	size_t weight = s->p, pair = s->n * s->n;
	double tau = 1;

	for (size_t f = 0; f < s->p; f++)
		if (!s->zero[f] && s->dw[f] < -1e-15 && -s->w[f] / s->dw[f] < tau) {
			tau = fmax(-s->w[f] / s->dw[f], 0);
			weight = f;
		}
	for (size_t i = 0; i < s->n; i++)
		for (size_t j = 0; j < s->n; j++) {
			const double far = plain_far(s, i, j, tau);

			if (far < tau) {
				tau = far;
				pair = i * s->n + j;
			}
		}
	for (size_t f = 0; f < s->p; f++)
		s->w[f] = fmax(s->w[f] + tau * s->dw[f], 0);
	if (pair < s->n * s->n) {
		s->state[pair] = 0;
		s->tie[s->ties++] = pair;
	} else if (weight < s->p) {
		s->zero[weight] = true;
		s->w[weight] = 0;
	}
}

/* Solve from the prior; whether it took no more than 100000 iterations. */
static inline bool
plain_solve(struct plain *s, struct kith_pool *pool)
{
	const size_t n = s->n, p = s->p;

	s->w = kith_new(pool, p, sizeof(*s->w));
	s->v = kith_new(pool, p, sizeof(*s->v));
	s->dw = kith_new(pool, p, sizeof(*s->dw));
	s->row = kith_new(pool, p, sizeof(*s->row));
	s->zero = kith_new(pool, p, sizeof(*s->zero));
	s->state = kith_new(pool, n * n, sizeof(*s->state));
	s->copies = kith_new(pool, n * n, sizeof(*s->copies));
	s->target = kith_new(pool, 2 * n, sizeof(*s->target));
	s->tie = kith_new(pool, p + 1, sizeof(*s->tie));
	s->Q = kith_new(pool, (p + 1) * (p + 1), sizeof(*s->Q));
	s->R = kith_new(pool, (p + 1) * (p + 1), sizeof(*s->R));
	s->z = kith_new(pool, p + 1, sizeof(*s->z));
	for (size_t f = 0; f < p; f++) {
		s->w[f] = s->prior[f];
		s->zero[f] = !(s->w[f] > 0);
	}
	for (size_t k = 0; k < n * n; k++)
		s->state[k] = 1;
	plain_merge(s);
	for (size_t i = 0; i < n; i++)
		for (size_t miss = 0; miss < 2; miss++)
			plain_start(s, i, miss);
	for (s->ties = 0; s->iterations < 100000; s->iterations++) {
		if (plain_direction(s))
			plain_walk(s);
		else if (!plain_release(s))
			return true;
	}
	return false;
}

#endif
