#include "wsvm/columns.h"

#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "wsvm/krows.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/*
 * A column has a slot.  cell + i ld begins with K_ij for the columns j of all
 * slots; free slots have coefficient 0.  ld is an odd multiple of 8: rows a
 * power of two apart would share few sets of the processor's cache.
 */
enum { LANES = 8, TWO = 2 * LANES };

struct kith_wsvm_columns {
	struct kith_krows *rows;
	struct kith_pool *pool;
	size_t n, ld;  /* items, slots made */
	size_t top;    /* slots from here on are free */
	double *room;  /* n ld, and LANES more */
	double *cell;  /* in it, at a multiple of 64 bytes */
	size_t *slot;  /* n: the slot of column j plus 1; 0: none */
	size_t *names; /* ld: how often it was taken; 0: free */
	size_t *item;  /* ld: the column that a slot has */
	double *a, *b; /* ld: coefficients */
};

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

/* About twice as many slots; the last item moves first, for none is lost. */
static void
add_slots(struct kith_wsvm_columns *c)
{
	const size_t had = c->ld, ld = 2 * had + LANES;
	const size_t from = had ? (size_t)(c->cell - c->room) : 0;
	uintptr_t odd;

	assert(ld <= (SIZE_MAX / sizeof(double) - LANES) / c->n);
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
	c->ld = ld;
}

void
kith_wsvm_columns_take(struct kith_wsvm_columns *c, size_t j)
{
	const double *row;
	size_t slot = 0;

	if (c->slot[j] > 0) {
		c->names[c->slot[j] - 1]++;
		return;
	}
	while (slot < c->top && c->names[slot] > 0)
		slot++;
	if (slot == c->ld)
		add_slots(c);
	if (slot == c->top)
		c->top++;
	c->slot[j] = slot + 1;
	c->names[slot] = 1;
	c->item[slot] = j;
	row = kith_krows_get(c->rows, j);
	for (size_t i = 0; i < c->n; i++)
		*place(c, i, slot) = row[i];
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
	while (c->top > 0 && c->names[c->top - 1] == 0)
		c->top--;
}

double
kith_wsvm_columns_at(const struct kith_wsvm_columns *c, size_t i, size_t j)
{
	assert(c->slot[j] > 0);
	return *place(c, i, c->slot[j] - 1);
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

/* sum_j a_j K_ij and sum_j b_j K_ij, in one fixed order of the terms. */
KITH_INLINE void
score(const struct kith_wsvm_columns *c, size_t i, double out[2])
{
	const double *K = c->top ? c->cell + i * c->ld : NULL;
	const kith_v8d *k, *a, *b;
	kith_v8d u[2] = {{0}}, v[2] = {{0}};
	size_t j = 0;

	for (; j + LANES < c->top; j += TWO) {
		k = (const kith_v8d *)(K + j);
		a = (const kith_v8d *)(c->a + j);
		b = (const kith_v8d *)(c->b + j);
		u[0] += k[0] * a[0];
		u[1] += k[1] * a[1];
		v[0] += k[0] * b[0];
		v[1] += k[1] * b[1];
	}
	if (j < c->top) {
		k = (const kith_v8d *)(K + j);
		u[0] += k[0] * *(const kith_v8d *)(c->a + j);
		v[0] += k[0] * *(const kith_v8d *)(c->b + j);
	}
	u[0] += u[1];
	v[0] += v[1];
	out[0] = kith_lanes_sum(&u[0]);
	out[1] = kith_lanes_sum(&v[0]);
}

KITH_CLONES void
kith_wsvm_columns_score(
    const struct kith_wsvm_columns *c, size_t i, double out[2])
{
	score(c, i, out);
}

KITH_CLONES void
kith_wsvm_columns_scores(
    const struct kith_wsvm_columns *c, double *u, double *w)
{
	if (c->top == 0)
		return;
	for (size_t i = 0; i < c->n; i++) {
		double out[2];

		score(c, i, out);
		u[i] += out[0];
		if (w)
			w[i] += out[1];
	}
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
