/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/awake.h"

#include "la/simd.h"
#include "sqpfw/rows.h"

#include <string.h>

enum { WIDE = KITH_SQPFW_PANEL };

/* A gap that rounding may have made, as it removes ties that drift. */
#define DRIFT 1e-11
/* b'u that is rounding. */
#define STILL 1e-12
/* |a_P| / |a| that is taken for 0. */
#define LEAST 1e-100

void
kith_sqpfw_awake_begin(struct kith_sqpfw *s)
{
	if (s->awake.u)
		return;
	KITH_NEW_REALS(s->pool, s->points.ld, 1, &s->awake.u, &s->awake.a, &s->awake.support);
}

/* The entries of b of pair k: WIDE from each other. */
static double *
entries(const struct kith_sqpfw *s, size_t k)
{
	return s->awake.b + k / WIDE * (WIDE * s->points.p) + k % WIDE;
}

static void
grow(struct kith_sqpfw *s)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	const size_t was = awake->room, room = was ? 2 * was : (size_t)16 * WIDE;
	const size_t p = s->points.p;

	awake->pair = kith_grow(s->pool, awake->pair, room, sizeof(*awake->pair));
	awake->gap = kith_grow(s->pool, awake->gap, room, sizeof(*awake->gap));
	awake->change = kith_grow(s->pool, awake->change, room, sizeof(*awake->change));
	awake->b = kith_grow(s->pool, awake->b, room * p, sizeof(*awake->b));
	/* what no pair has is computed with, too */
	memset(awake->b + was * p, 0, (room - was) * p * sizeof(*awake->b));
	for (size_t k = was; k < room; k++)
		awake->gap[k] = awake->change[k] = 0;
	awake->room = room;
}

/* |a_P|, given the squares of |a_P| and |a|; no less than a number by which b may
 * be divided. */
static double
norm_of(double positive, double all)
{
	return kith_larger(sqrt(positive), LEAST * sqrt(all));
}

void
kith_sqpfw_awake_put(struct kith_sqpfw *s, uint32_t at, double gap)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	double positive = 0, all = 0, norm, factor;
	double *b;

	if (!(pair->row_norm > 0))
		return;
	kith_sqpfw_rows_fill(s->points.ld, &row, awake->a);
	for (size_t f = 0; f < s->points.p; f++) {
		const double square = awake->a[f] * awake->a[f];

		positive += f < s->positive ? square : 0;
		all += square;
	}
	norm = norm_of(positive, all);
	if (!(norm > 0))
		return;
	if (awake->n == awake->room)
		grow(s);
	/* b = +-a / |a_P|, g = b'w */
	factor = pair->state / norm;
	b = entries(s, awake->n);
	for (size_t f = 0; f < s->points.p; f++)
		b[s->feature[f] * WIDE] = awake->a[f] * factor;
	awake->gap[awake->n] = gap * factor;
	awake->change[awake->n] = 0;
	awake->pair[awake->n] = at;
	pair->queue_place = (uint32_t)awake->n++;
}

void
kith_sqpfw_awake_take(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	uint32_t *place = &s->pairs.pair[at].queue_place;
	const size_t k = *place, last = awake->n - 1;

	if (*place == KITH_SQPFW_NONE)
		return;
	for (size_t f = 0; f < s->points.p; f++)
		entries(s, k)[f * WIDE] = entries(s, last)[f * WIDE];
	awake->gap[k] = awake->gap[last];
	awake->change[k] = awake->change[last];
	awake->pair[k] = awake->pair[last];
	s->pairs.pair[awake->pair[k]].queue_place = (uint32_t)k;
	*place = KITH_SQPFW_NONE;
	awake->n--;
}

size_t
kith_sqpfw_awake_panels(const struct kith_sqpfw *s)
{
	return (s->awake.n + WIDE - 1) / WIDE;
}

/* b'u of the pairs of a panel. */
KITH_CLONES static void
awake_products(size_t p, const double *b, const double *u, double *out)
{
	kith_v8d sum = {0}, more = {0};

	for (size_t f = 0; f < p; f++, b += WIDE) {
		sum += *(const kith_v8d_at *)b * u[f];
		more += *(const kith_v8d_at *)(b + 8) * u[f];
	}
	*(kith_v8d_at *)out = sum;
	*(kith_v8d_at *)(out + 8) = more;
}

/* |b_P|^2, P where support is 1, and |b|^2 of the pairs of a panel. */
KITH_CLONES static void
awake_squares(size_t p, const double *b, const double *support, double *positive, double *all)
{
	kith_v8d in[2] = {{0}}, sum[2] = {{0}};

	for (size_t f = 0; f < p; f++, b += WIDE)
		for (size_t half = 0; half < 2; half++) {
			kith_v8d square = *(const kith_v8d_at *)(b + 8 * half);

			square *= square;
			in[half] += square * support[f];
			sum[half] += square;
		}
	for (size_t half = 0; half < 2; half++) {
		*(kith_v8d_at *)(positive + 8 * half) = in[half];
		*(kith_v8d_at *)(all + 8 * half) = sum[half];
	}
}

KITH_CLONES static void
awake_scale(size_t p, double *b, const double *factor)
{
	for (size_t f = 0; f < p; f++, b += WIDE)
		for (size_t half = 0; half < 2; half++)
			*(kith_v8d_at *)(b + 8 * half) *= *(const kith_v8d_at *)(factor + 8 * half);
}

/* b'v of all pairs, v by feature. */
static void
products(const struct kith_sqpfw *s, const double *v, double *out)
{
	const size_t panels = kith_sqpfw_awake_panels(s);

	for (size_t k = 0; k < panels; k++)
		awake_products(s->points.p, entries(s, k * WIDE), v, out + k * WIDE);
}

/* How far gaps may be off after a path that is longer by so much. */
static double
off_by(const struct kith_sqpfw *s, double length)
{
	return DRIFT + ((double)s->points.p + 8) * 0x1p-52 * (s->awake.path + length);
}

/* Where other weights are positive than before, b and g are divided by |b_P|. */
static void
renormalise(struct kith_sqpfw *s)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	const size_t p = s->points.p;
	bool same = true;

	for (size_t at = 0; at < p; at++) {
		double *in = &awake->support[s->feature[at]];

		same &= (*in > 0) == (at < s->positive);
		*in = at < s->positive;
	}
	for (size_t k = 0; k < awake->n && !same; k += WIDE) {
		double positive[WIDE], all[WIDE], factor[WIDE];

		awake_squares(p, entries(s, k), awake->support, positive, all);
		for (size_t l = 0; l < WIDE; l++) {
			const double norm = norm_of(positive[l], all[l]);

			factor[l] = norm > 0 ? 1 / norm : 1;
			awake->gap[k + l] *= factor[l];
		}
		awake_scale(p, entries(s, k), factor);
	}
}

uint32_t
kith_sqpfw_awake_first(struct kith_sqpfw *s, double tau)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	const size_t p = s->points.p;
	const double norm = s->step.norm, off = off_by(s, tau * norm);
	double t = tau * norm;
	uint32_t first = KITH_SQPFW_NONE;

	renormalise(s);
	for (size_t f = 0; f < p; f++)
		awake->u[s->feature[f]] = f < s->positive && norm > 0 ? s->step.dw[f] / norm : 0;
	products(s, awake->u, awake->change);
	for (size_t k = 0; k < awake->n; k++)
		if (awake->gap[k] + t * awake->change[k] < 0 && awake->gap[k] > off) {
			t = awake->gap[k] / -awake->change[k];
			first = awake->pair[k];
		}
	return first;
}

size_t
kith_sqpfw_awake_due(const struct kith_sqpfw *s, size_t panel, double tau, uint32_t *out)
{
	const struct kith_sqpfw_awake *awake = &s->awake;
	const double t = tau * s->step.norm, off = off_by(s, t);
	size_t n = 0;

	for (size_t k = panel * WIDE; k < (panel + 1) * WIDE && k < awake->n; k++)
		/* g' = g + t b'u */
		if (awake->gap[k] + t * awake->change[k] < off && awake->change[k] < -STILL)
			out[n++] = awake->pair[k];
	return n;
}

void
kith_sqpfw_awake_move(struct kith_sqpfw *s, double tau)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	const double t = tau * s->step.norm;

	for (size_t k = 0; k < awake->n; k++)
		awake->gap[k] += t * awake->change[k];
	awake->path += t;
}

void
kith_sqpfw_awake_refresh(struct kith_sqpfw *s)
{
	struct kith_sqpfw_awake *awake = &s->awake;

	products(s, s->w_by_feature, awake->gap);
	awake->path = 0;
}

size_t
kith_sqpfw_awake_near(const struct kith_sqpfw *s, double range, uint32_t *out)
{
	const struct kith_sqpfw_awake *awake = &s->awake;
	size_t n = 0;

	for (size_t k = 0; k < awake->n; k++)
		if (awake->gap[k] < off_by(s, range) + range)
			out[n++] = awake->pair[k];
	return n;
}
