/* SPDX-License-Identifier: BSD-2-Clause */
/*
 *  1. g without b.
 *  2. wsvm_gap_look(): D, and from where to where b is right for all.
 *  3. least_bias(): if that is nowhere, b of the least G.
 *  4. wsvm_gap_shift(): g with b, and G.
 *
 * Steps 2 and 4 take eight variables at a time, and where fewer are left, a copy
 * of them with others of weight 0.
 */
#include "wsvm/gap.h"

#include "la/lanes.h"
#include "la/simd.h"
#include "wsvm/smo_form.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

#define EXACT 1e-13 /* of its terms, G is rounding */

/* Eight variables. */
struct eight {
	kith_v8d x, C, g, e, q;
};

/* Those from v on; e and q NULL: not needed. */
KITH_INLINE void
load(struct eight *to, size_t v, size_t N, const double *x, const double *C,
    const double *g, const double *e, const double *q)
{
	const size_t left = (N - v < LANES ? N - v : LANES) * sizeof(*x);

	if (left < LANES * sizeof(*x))
		*to = (struct eight){0};
	memcpy(&to->x, x + v, left);
	memcpy(&to->C, C + v, left);
	memcpy(&to->g, g + v, left);
	if (e)
		memcpy(&to->e, e + v, left);
	if (q)
		memcpy(&to->q, q + v, left);
}

/* is ? x : z */
KITH_INLINE void
choose(kith_v8d *to, const kith_v8i *is, const kith_v8d *x, const kith_v8d *z)
{
	*to = (kith_v8d)(((kith_v8i)*x & *is) | ((kith_v8i)*z & ~*is));
}

/* The largest b that is right for some that grow, and the least for others. */
KITH_INLINE void
look(const struct eight *at, kith_v8d *lo, kith_v8d *hi)
{
	const kith_v8d b = -at->e * at->g;
	const kith_v8d left = at->C - at->x;
	const kith_v8i up = at->e > 0;
	kith_v8d grows, falls;
	kith_v8i is;

	choose(&grows, &up, &left, &at->x);
	choose(&falls, &up, &at->x, &left);
	is = (grows > 0) & (b > *lo);
	choose(lo, &is, &b, lo);
	is = (falls > 0) & (b < *hi);
	choose(hi, &is, &b, hi);
}

/* Step 2; the sum of the terms of G. */
KITH_CLONES static double
wsvm_gap_look(struct kith_wsvm_gap *at, double *lo, double *hi)
{
	const struct kith_smo_form *form = at->form;
	kith_v8d dual = {0}, terms = {0}, least = {0}, most = {0};
	struct eight now;

	least -= INFINITY;
	most += INFINITY;
	for (size_t v = 0; v < form->N; v += LANES) {
		kith_v8d q;

		load(&now, v, form->N, at->x, form->hi, at->g, form->sign,
		    form->q);
		/* D = - x' (Q x) / 2 - q' x, Q x = g - q */
		dual += now.x * (now.g + now.q);
		q = (kith_v8d)((kith_v8i)now.q & INT64_MAX);
		terms += now.C * q;
		look(&now, &least, &most);
	}
	*lo = least[0];
	*hi = most[0];
	for (int k = 1; k < LANES; k++) {
		*lo = least[k] > *lo ? least[k] : *lo;
		*hi = most[k] < *hi ? most[k] : *hi;
	}
	at->dual = -kith_lanes_sum(&dual) / 2;
	return kith_lanes_sum(&terms);
}

/*
 * Step 3, where every b from lo to hi is wrong for some: dG / db = sum_v e_v
 * (g_v > 0 ? x_v : x_v - C_v) grows by C_v where g_v is 0.  It begins as it is
 * just before lo, which may be the place itself.
 */
static double
least_bias(struct kith_wsvm_gap *at, double lo, double hi)
{
	const struct kith_smo_form *form = at->form;
	double slope = 0;
	size_t n = 0;

	for (size_t v = 0; v < form->N; v++) {
		const double e = form->sign[v], b = -e * at->g[v];
		const double C = form->hi[v];
		const bool above = (e > 0) == (b < lo); /* g_v > 0 */

		slope += e * (above ? at->x[v] : at->x[v] - C);
		at->kink[n] = (struct kith_wsvm_kink){b, C};
		n += (size_t)((C > 0) & (b >= lo) & (b <= hi));
	}
	return kith_wsvm_kink_least(at->kink, n, slope, hi);
}

/* b, where it may be from lo to hi, or nowhere where lo > hi. */
static double
bias(struct kith_wsvm_gap *at, double lo, double hi)
{
	if (!at->form->bias)
		return 0;
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? (isinf(hi) ? 0 : hi) : lo;
	return lo > hi ? least_bias(at, hi, lo) : lo + (hi - lo) / 2;
}

/* G of eight variables. */
KITH_INLINE void
add_gap(const struct eight *at, kith_v8d *sum)
{
	const kith_v8d below = at->x - at->C;
	const kith_v8i is = at->g > 0;
	kith_v8d by;

	choose(&by, &is, &at->x, &below);
	*sum += at->g * by;
}

/* Step 4. */
KITH_CLONES static double
wsvm_gap_shift(struct kith_wsvm_gap *at)
{
	const struct kith_smo_form *form = at->form;
	kith_v8d sum = {0};
	struct eight now;

	for (size_t v = 0; v < form->N; v += LANES) {
		const size_t left = form->N - v;

		load(
		    &now, v, form->N, at->x, form->hi, at->g, form->sign, NULL);
		now.g += now.e * at->b;
		memcpy(at->g + v, &now.g,
		    (left < LANES ? left : LANES) * sizeof(*at->g));
		add_gap(&now, &sum);
	}
	return kith_lanes_sum(&sum);
}

void
kith_wsvm_gap_judge(struct kith_wsvm_gap *at)
{
	const struct kith_smo_form *form = at->form;
	double lo, hi, terms;

	for (size_t v = 0; v < form->N; v++)
		at->g[v] = kith_smo_gradient(form, at->s, at->x, v);
	terms = wsvm_gap_look(at, &lo, &hi);
	at->b = bias(at, lo, hi);
	at->own = wsvm_gap_shift(at);
	if (at->own <= EXACT * terms)
		at->own = 0;
}

KITH_CLONES static double
wsvm_gap_sum(size_t N, const double *x, const double *C, const double *g)
{
	kith_v8d sum = {0};
	struct eight now;

	for (size_t v = 0; v < N; v += LANES) {
		load(&now, v, N, x, C, g, NULL, NULL);
		add_gap(&now, &sum);
	}
	return kith_lanes_sum(&sum);
}

double
kith_wsvm_gap_of(size_t N, const double *x, const double *C, const double *g)
{
	return wsvm_gap_sum(N, x, C, g);
}
