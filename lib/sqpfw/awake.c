/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/awake.h"

#include "la/simd.h"
#include "sqpfw/pair.h"
#include "sqpfw/rows.h"

#include <string.h>

enum { WIDE = KITH_SQPFW_PANEL };

/* How far w may be from where it should be, by rounding. */
#define DRIFT 1e-11

void
kith_sqpfw_awake_begin(struct kith_sqpfw *s)
{
	s->awake.u = kith_new(s->pool, s->points.p, sizeof(*s->awake.u));
	s->awake.a = kith_new(s->pool, s->points.ld, sizeof(*s->awake.a));
}

/* The entries of b of pair k: WIDE from each other. */
static float *
entries(const struct kith_sqpfw *s, size_t k)
{
	return s->awake.b + k / WIDE * (WIDE * s->points.p) + k % WIDE;
}

static void
grow(struct kith_sqpfw *s)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	const size_t was = awake->room, room = was ? 2 * was : 16 * WIDE;
	const size_t p = s->points.p;

	awake->pair = kith_grow(
	    s->pool, awake->pair, room, sizeof(*awake->pair));
	awake->gap = kith_grow(s->pool, awake->gap, room, sizeof(*awake->gap));
	awake->factor = kith_grow(
	    s->pool, awake->factor, room, sizeof(*awake->factor));
	awake->change = kith_grow(
	    s->pool, awake->change, room, sizeof(*awake->change));
	awake->b = kith_grow(s->pool, awake->b, room * p, sizeof(*awake->b));
	/* what no pair has is computed with, too */
	memset(awake->b + was * p, 0, (room - was) * p * sizeof(*awake->b));
	for (size_t k = was; k < room; k++)
		awake->gap[k] = awake->change[k] = 0;
	awake->room = room;
}

void
kith_sqpfw_awake_put(struct kith_sqpfw *s, uint32_t at, double gap)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	struct kith_sqpfw_pair *pair = &s->pairs.pair[at];
	const struct kith_sqpfw_row row = kith_sqpfw_row(s, pair);
	double norm, factor;
	float *b;

	if (!(pair->row_norm > 0))
		return;
	kith_sqpfw_rows_fill(s->points.ld, &row, awake->a);
	norm = sqrt(kith_sqpfw_dot(s->points.ld, awake->a, awake->a));
	if (!(norm > 0))
		return;
	if (awake->n == awake->room)
		grow(s);
	/* b = +-a / |a|, g = b'w */
	factor = pair->state / norm;
	b = entries(s, awake->n);
	for (size_t f = 0; f < s->points.p; f++)
		b[s->feature[f] * WIDE] = (float)(awake->a[f] * factor);
	awake->factor[awake->n] = factor;
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
	awake->factor[k] = awake->factor[last];
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
awake_products(size_t p, const float *b, const float *u, double *out)
{
	kith_v16f sum = {0};
	float one[WIDE];

	for (size_t f = 0; f < p; f++)
		sum += *(const kith_v16f_at *)(b + f * WIDE) * u[f];
	*(kith_v16f_at *)one = sum;
	for (size_t l = 0; l < WIDE; l++)
		out[l] = one[l];
}

/* How far gaps may be off after a path that is longer by so much. */
static double
off_by(const struct kith_sqpfw *s, double length)
{
	return DRIFT +
	    ((double)s->points.p + 8) * 0x1p-23 * (s->awake.path + length);
}

uint32_t
kith_sqpfw_awake_first(struct kith_sqpfw *s, double tau)
{
	struct kith_sqpfw_awake *awake = &s->awake;
	const size_t p = s->points.p, panels = kith_sqpfw_awake_panels(s);
	const double norm = s->step.norm;
	double t = tau * norm;
	const double off = off_by(s, t);
	uint32_t first = KITH_SQPFW_NONE;

	for (size_t f = 0; f < p; f++)
		awake->u[s->feature[f]] = f < s->positive && norm > 0
		    ? (float)(s->step.dw[f] / norm)
		    : 0;
	for (size_t k = 0; k < panels; k++)
		awake_products(p, entries(s, k * WIDE), awake->u,
		    awake->change + k * WIDE);
	for (size_t k = 0; k < awake->n; k++)
		if (awake->gap[k] + t * awake->change[k] < 0 &&
		    awake->gap[k] > off) {
			t = awake->gap[k] / -awake->change[k];
			first = awake->pair[k];
		}
	return first;
}

size_t
kith_sqpfw_awake_due(
    const struct kith_sqpfw *s, size_t panel, double tau, uint32_t *out)
{
	const struct kith_sqpfw_awake *awake = &s->awake;
	const double t = tau * s->step.norm, off = off_by(s, t);
	size_t n = 0;

	for (size_t k = panel * WIDE; k < (panel + 1) * WIDE && k < awake->n;
	     k++)
		/* g' = g + t b'u */
		if (awake->gap[k] + t * awake->change[k] < off)
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

	for (size_t k = 0; k < awake->n; k++)
		awake->gap[k] = awake->factor[k] *
		    kith_sqpfw_pair_gap(s, awake->pair[k]);
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
