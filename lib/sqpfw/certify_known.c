/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *	1. The shares t of the pairs of each kink, as proposed; an unknown one
 *	   has the rest.                                           find_shares()
 *	2. G = sum_i eps_hit - eps_miss, and n H_f of sqpfw/certify.h, row by
 *	   row; where a target has ties, sum t eps in place of its eps.
 *	                                                add_targets(), add_kinks()
 *	3. r = w - prior + theta/n G + phi 1 over max(1, theta H_f), with the
 *	   phi of least squares over the positive weights, which leaves all of
 *	   their entries 0 where the multipliers are right.        residual_of()
 */
#include "sqpfw/certify_known.h"

#include "base/pool.h"
#include "la/lanes.h"
#include "la/mat.h"
#include "la/simd.h"
#include "la/vec.h"
#include "sqpfw/kinks.h"
#include "sqpfw/targets.h"

#include <math.h>
#include <string.h>

#define BELIEVED (1e-2 * KITH_CERTIFY_LIMIT)

enum { WIDTH = 8 }; /* features at a time */

struct known {
	const struct kith_mat *X;
	const struct kith_ties *ties;
	const struct kith_kinks *kinks;
	const struct kith_certify_how *how;
	double *t;     /* shares of the pairs of all kinks */
	double *G, *H; /* p, and room for a whole vector more */
	double *most;  /* the same: of one kink */
};

/* Let the n shares of a kink sum to 1; false where they cannot. */
static bool
share_out(double *t, size_t n)
{
	double sum = 0, left = 1;
	size_t most = 0;

	for (size_t m = 0; m < n; m++) {
		t[m] = fmax(t[m], 0);
		sum += t[m];
		most = t[m] > t[most] ? m : most;
	}
	if (!(sum > 0 && sum < INFINITY))
		return false;
	for (size_t m = 0; m < n; m++) {
		t[m] /= sum;
		left -= m == most ? 0 : t[m];
	}
	t[most] = fmax(left, 0);
	return true;
}

/* Step 1, of a kink; false where too little is known. */
static bool
find_shares(const struct kith_certify_known *known, const struct kith_kink *kink, double *t)
{
	double sum = 0, *unknown = NULL;

	for (size_t m = 0; m < kink->n; m++) {
		t[m] = known->ask(known->of, kink->row, kink->miss, kink->pair[m]);
		if (isnan(t[m]))
			unknown = &t[m];
		sum += fmax(t[m], 0);
	}
	if (unknown)
		*unknown = 1 - sum;
	return share_out(t, kink->n);
}

static bool
find_all_shares(struct known *it)
{
	double *t = it->t;

	for (size_t k = 0; k < it->kinks->n; k++) {
		const struct kith_kink *kink = &it->kinks->kink[k];

		if (!find_shares(it->how->known, kink, t))
			return false;
		t += kink->n;
	}
	return true;
}

/* Rows x, a and b, and what is added to, from some feature on. */
struct piece {
	const double *x, *a, *b;
	double *G, *H;
};

/* G += factor ((a - x)^2 - (b - x)^2), and H += its modulus. */
KITH_INLINE void
add_eight(const struct piece *at, double factor, size_t f)
{
	const kith_v8d x = *kith_lanes_at(at->x + f);
	const kith_v8d d = *kith_lanes_at(at->a + f) - x;
	const kith_v8d e = *kith_lanes_at(at->b + f) - x;
	const kith_v8d g = factor * (d * d - e * e);

	*(kith_v8d_at *)(at->G + f) += g;
	*(kith_v8d_at *)(at->H + f) += (kith_v8d)((kith_v8i)g & INT64_MAX);
}

/* G += factor ((a - x)^2 - (b - x)^2), and H the larger of H and its modulus
 * without the factor. */
KITH_INLINE void
raise_eight(const struct piece *at, double factor, size_t f)
{
	const kith_v8d x = *kith_lanes_at(at->x + f);
	const kith_v8d a = *kith_lanes_at(at->a + f);
	const kith_v8d b = *kith_lanes_at(at->b + f);
	const kith_v8d g = (a - b) * ((a - x) + (b - x));
	const kith_v8i size = (kith_v8i)g & INT64_MAX;
	const kith_v8d most = *kith_lanes_at(at->H + f);
	const kith_v8i larger = (kith_v8d)size > most;

	*(kith_v8d_at *)(at->G + f) += factor * g;
	*(kith_v8d_at *)(at->H + f) = (kith_v8d)((size & larger) | ((kith_v8i)most & ~larger));
}

/* The last features, less than eight, of rows that end with them. */
static struct piece
last_of(const struct piece *at, size_t p, double room[3][WIDTH])
{
	const size_t from = p / WIDTH * WIDTH, n = p - from;

	memset(room, 0, sizeof(*room) * 3);
	memcpy(room[0], at->x + from, n * sizeof(*at->x));
	memcpy(room[1], at->a + from, n * sizeof(*at->a));
	memcpy(room[2], at->b + from, n * sizeof(*at->b));
	return (struct piece){room[0], room[1], room[2], at->G + from, at->H + from};
}

KITH_CLONES static void
certify_known_add(size_t p, const struct piece *at, double factor)
{
	double room[3][WIDTH];
	const struct piece last = last_of(at, p, room);

	for (size_t f = 0; f + WIDTH <= p; f += WIDTH)
		add_eight(at, factor, f);
	add_eight(&last, factor, 0);
}

KITH_CLONES static void
certify_known_raise_largest(size_t p, const struct piece *at, double factor)
{
	double room[3][WIDTH];
	const struct piece last = last_of(at, p, room);

	for (size_t f = 0; f + WIDTH <= p; f += WIDTH)
		raise_eight(at, factor, f);
	raise_eight(&last, factor, 0);
}

/* The weight of the term of a row. */
static double
weight_of(const struct known *it, size_t row)
{
	return it->how->weight ? it->how->weight[row] : 1;
}

/* G = sum eps_hit - eps_miss of the targets, H the sum of its moduli. */
static void
add_targets(const struct known *it)
{
	for (size_t i = 0; i < it->X->n; i++) {
		const struct piece at = {kith_row(it->X, i),
		    kith_row(it->X, it->ties->target[2 * i]),
		    kith_row(it->X, it->ties->target[2 * i + 1]), it->G, it->H};

		certify_known_add(it->X->p, &at, weight_of(it, i));
	}
}

/*
 * Where targets have ties: G += sum of t (eps - eps_target), a minus before it
 * for misses, and H += max |eps - eps_target|.
 */
static void
add_kinks(const struct known *it)
{
	const size_t p = it->X->p;
	const double *t = it->t;

	for (size_t k = 0; k < it->kinks->n; k++) {
		const struct kith_kink *kink = &it->kinks->kink[k];
		const double weight = weight_of(it, kink->row);
		const size_t target = it->ties->target[2 * kink->row + kink->miss];

		memset(it->most, 0, p * sizeof(*it->most));
		for (size_t m = 0; m < kink->n; m++, t++) {
			const struct piece at = {kith_row(it->X, kink->row),
			    kith_row(it->X, kink->pair[m]), kith_row(it->X, target), it->G,
			    it->most};

			certify_known_raise_largest(
			    p, &at, kink->miss ? -weight * *t : weight * *t);
		}
		for (size_t f = 0; f < p; f++)
			it->H[f] += weight * it->most[f];
	}
}

/* The largest |r_f| that counts; w - prior + theta/n G goes to G. */
static double
residual_of(const struct known *it, const double *w)
{
	const double *prior = it->how->prior;
	const double unit = it->how->theta / (double)it->X->n;
	const size_t p = it->X->p;
	double *r = it->G, *size = it->H, sum = 0, squares = 0, most = 0;

	for (size_t f = 0; f < p; f++) {
		r[f] = w[f] - (prior ? prior[f] : 1 / (double)p) + unit * r[f];
		size[f] = kith_larger(1, unit * size[f]);
		if (w[f] > 0) {
			sum += r[f] / (size[f] * size[f]);
			squares += 1 / (size[f] * size[f]);
		}
	}
	for (size_t f = 0; f < p; f++) {
		const double left = (r[f] - sum / squares) / size[f];

		if (isnan(left))
			return NAN;
		if (left < 0 || w[f] > 0)
			most = kith_larger(most, fabs(left));
	}
	return most;
}

bool
kith_certify_known(const struct kith_mat *X, const struct kith_ties *ties,
    const struct kith_kinks *kinks, const double *w, const struct kith_certify_how *how,
    double *residual)
{
	struct known it = {X, ties, kinks, how, NULL, NULL, NULL, NULL};
	struct kith_pool tmp = {0};
	size_t pairs = 0;
	bool holds = false;
	double left;

	for (size_t k = 0; k < kinks->n; k++)
		pairs += kinks->kink[k].n;
	KITH_NEW_REALS(&tmp, X->p + WIDTH, 1, &it.G, &it.H, &it.most);
	it.t = kith_new(&tmp, pairs, sizeof(*it.t));
	if (find_all_shares(&it)) {
		add_targets(&it);
		add_kinks(&it);
		left = residual_of(&it, w);
		holds = left <= BELIEVED;
	}
	if (holds)
		*residual = left;
	kith_pool_free(&tmp);
	return holds;
}
