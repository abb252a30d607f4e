/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/columns.h"

#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "wsvm/krows.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { LANES = KITH_WSVM_LANES, FOUR = 4 };

struct kith_wsvm_columns *
kith_wsvm_columns_new(struct kith_krows *rows, size_t n, struct kith_pool *pool)
{
	struct kith_wsvm_columns *c = kith_new(pool, 1, sizeof(*c));

	c->rows = rows;
	c->pool = pool;
	c->n = n;
	c->slot = kith_new(pool, n, sizeof(*c->slot));
	return c;
}

/* K_ij of item i and the column j of a slot. */
static double *
place(const struct kith_wsvm_columns *c, size_t i, size_t slot)
{
	return c->cell + i * c->ld + slot;
}

/* A longer copy of an array of ld numbers. */
static void *
longer(struct kith_wsvm_columns *c, const void *old, size_t ld, size_t size)
{
	void *made = kith_new(c->pool, ld, size);

	if (c->ld > 0)
		memcpy(made, old, c->ld * size);
	return made;
}

/* The number of slots that are made where so many are needed. */
static size_t
slots_for(size_t needed)
{
	return ((needed / LANES + 1) | 1) * LANES;
}

/*
 * At least so many slots, and at least a quarter more than there were, but for
 * more than there are items; the last item moves first, for none is lost.
 */
static void
add_slots(struct kith_wsvm_columns *c, size_t needed)
{
	const size_t had = c->ld, least = had + had / 4 + 1;
	const size_t most = least < c->n ? least : c->n;
	const size_t ld = slots_for(needed > most ? needed : most);
	const size_t from = had ? (size_t)(c->cell - c->room) : 0;
	uintptr_t odd;

	assert(c->n > 0);
	assert(ld <= (SIZE_MAX / sizeof(double) - LANES) / c->n);
	kith_krows_reserve(c->rows, c->n * ld * sizeof(*c->room));
	c->room = kith_grow(
	    c->pool, c->room, c->n * ld + LANES, sizeof(*c->room));
	odd = (uintptr_t)c->room % (LANES * sizeof(double));
	c->cell = c->room + (odd ? LANES - odd / sizeof(double) : 0);
	for (size_t i = c->n; i-- > 0;) {
		double *to = c->cell + i * ld;

		memmove(to, c->room + from + i * had, had * sizeof(*to));
		memset(to + had, 0, (ld - had) * sizeof(*to));
	}
	c->names = longer(c, c->names, ld, sizeof(*c->names));
	c->item = longer(c, c->item, ld, sizeof(*c->item));
	c->a = longer(c, c->a, ld, sizeof(*c->a));
	c->b = longer(c, c->b, ld, sizeof(*c->b));
	c->half = longer(c, c->half, ld, sizeof(*c->half));
	for (size_t slot = had; slot < ld; slot++)
		c->half[slot] = INFINITY;
	KITH_NEW_REALS(c->pool, ld, 1, &c->u, &c->w);
	c->ld = ld;
}

void
kith_wsvm_columns_expect(struct kith_wsvm_columns *c, size_t count)
{
	const size_t all = c->top + count < c->n ? c->top + count : c->n;

	if (all > c->ld)
		add_slots(c, all);
}

/* A slot for column j, which has none. */
static size_t
find_slot(struct kith_wsvm_columns *c, size_t j)
{
	size_t slot = 0;

	while (slot < c->top && c->names[slot] > 0)
		slot++;
	if (slot == c->ld)
		add_slots(c, slot + 1);
	if (slot == c->top)
		c->top++;
	c->slot[j] = slot + 1;
	c->names[slot] = 1;
	c->item[slot] = j;
	return slot;
}

/* Columns j for slots that follow each other from `slot` on. */
static void
fill(struct kith_wsvm_columns *c, size_t slot, const size_t j[FOUR],
    size_t count)
{
	const double *row[FOUR];

	for (size_t q = 0; q < FOUR; q++)
		row[q] = kith_krows_get(c->rows, j[q < count ? q : 0]);
	for (size_t q = 0; q < count; q++)
		c->half[slot + q] = row[q][j[q]] / 2;
	for (size_t i = 0; i < c->n; i++) {
		double *to = place(c, i, slot);

		for (size_t q = 0; q < count; q++)
			to[q] = row[q][i];
	}
}

void
kith_wsvm_columns_take_all(
    struct kith_wsvm_columns *c, const size_t *j, size_t count)
{
	size_t made[FOUR], n = 0, first = 0;

	for (size_t k = 0; k < count; k++) {
		size_t slot;

		if (c->slot[j[k]] > 0) {
			c->names[c->slot[j[k]] - 1]++;
			continue;
		}
		slot = find_slot(c, j[k]);
		if (n == FOUR || (n > 0 && slot != first + n)) {
			fill(c, first, made, n);
			n = 0;
		}
		if (n == 0)
			first = slot;
		made[n++] = j[k];
	}
	if (n > 0)
		fill(c, first, made, n);
}

void
kith_wsvm_columns_take(struct kith_wsvm_columns *c, size_t j)
{
	kith_wsvm_columns_take_all(c, &j, 1);
}

void
kith_wsvm_columns_drop(struct kith_wsvm_columns *c, size_t j)
{
	const size_t slot = c->slot[j] - 1;

	assert(c->slot[j] > 0);
	if (--c->names[slot] > 0)
		return;
	c->slot[j] = 0;
	c->a[slot] = c->b[slot] = 0;
	c->half[slot] = INFINITY;
	while (c->top > 0 && c->names[c->top - 1] == 0)
		c->top--;
}

double
kith_wsvm_columns_at(const struct kith_wsvm_columns *c, size_t i, size_t j)
{
	assert(c->slot[j] > 0);
	return *place(c, i, c->slot[j] - 1);
}

const double *
kith_wsvm_columns_item(const struct kith_wsvm_columns *c, size_t i)
{
	return c->cell + i * c->ld;
}

size_t
kith_wsvm_columns_place(const struct kith_wsvm_columns *c, size_t j)
{
	assert(c->slot[j] > 0);
	return c->slot[j] - 1;
}

void
kith_wsvm_columns_clear(struct kith_wsvm_columns *c)
{
	for (size_t slot = 0; slot < c->top; slot++)
		c->a[slot] = c->b[slot] = 0;
}

void
kith_wsvm_columns_add(struct kith_wsvm_columns *c, size_t j, double a, double b)
{
	const size_t slot = c->slot[j] - 1;

	assert(c->slot[j] > 0);
	c->a[slot] += a;
	c->b[slot] += b;
}

/*
 * What the items of slots s .. s+3 add to the scores: with the columns of the
 * vector that they are in their own ones alone, and with those behind it both.
 */
KITH_INLINE void
own_score(const struct kith_wsvm_columns *c, size_t s)
{
	const double *K[FOUR], *next[FOUR], *a = c->a + s, *b = c->b + s;
	const size_t block = s / LANES * LANES;
	kith_v8d u[FOUR], w[FOUR];

#pragma GCC unroll 4
	for (size_t q = 0; q < FOUR; q++) {
		K[q] = c->cell + c->item[s + q] * c->ld;
		next[q] = s + FOUR < c->top
		    ? c->cell + c->item[s + FOUR + q] * c->ld
		    : K[q];
		u[q] = *kith_simd_at(K[q], block) * *kith_simd_at(c->a, block);
		w[q] = *kith_simd_at(K[q], block) * *kith_simd_at(c->b, block);
	}
	for (size_t j = block + LANES; j < c->top; j += LANES) {
		kith_v8d x = *kith_simd_at(c->u, j), y = *kith_simd_at(c->w, j);

#pragma GCC unroll 4
		for (size_t q = 0; q < FOUR; q++)
			__builtin_prefetch(next[q] + j);

#pragma GCC unroll 4
		for (size_t q = 0; q < FOUR; q++) {
			u[q] += *kith_simd_at(K[q], j) * *kith_simd_at(c->a, j);
			w[q] += *kith_simd_at(K[q], j) * *kith_simd_at(c->b, j);
			x += *kith_simd_at(K[q], j) * a[q];
			y += *kith_simd_at(K[q], j) * b[q];
		}
		*(kith_v8d *)(c->u + j) = x;
		*(kith_v8d *)(c->w + j) = y;
	}
#pragma GCC unroll 4
	for (size_t q = 0; q < FOUR; q++) {
		c->u[s + q] += kith_lanes_sum(&u[q]);
		c->w[s + q] += kith_lanes_sum(&w[q]);
	}
}

KITH_CLONES static void
wsvm_columns_score_own(struct kith_wsvm_columns *c)
{
	if (c->top == 0)
		return;
	memset(c->u, 0, c->ld * sizeof(*c->u));
	memset(c->w, 0, c->ld * sizeof(*c->w));
	for (size_t s = 0; s < c->top; s += FOUR)
		own_score(c, s);
}

void
kith_wsvm_columns_score_own(struct kith_wsvm_columns *c)
{
	wsvm_columns_score_own(c);
}

void
kith_wsvm_columns_own(
    const struct kith_wsvm_columns *c, size_t j, double out[2])
{
	assert(c->slot[j] > 0);
	out[0] = c->u[c->slot[j] - 1];
	out[1] = c->w[c->slot[j] - 1];
}

void
kith_wsvm_columns_replace(struct kith_wsvm_columns *c, size_t i)
{
	assert(c->slot[i] == 0);
	for (size_t slot = 0; slot < c->top; slot++)
		if (c->names[slot] > 0)
			*place(c, i, slot) = kith_krows_entry(
			    c->rows, c->item[slot], i);
}
