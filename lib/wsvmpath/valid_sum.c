#include "wsvmpath/valid_sum.h"
#include "base/pool.h"
#include "wsvmpath/task.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
counts(const struct kith_wsvm_valid_how *how, size_t i)
{
	return how->measure == KITH_WSVM_ERROR ? how->y[i] != 0
					       : !isnan(how->y[i]);
}

static double
cost(const struct kith_wsvm_valid_how *how, size_t i)
{
	return how->cost ? how->cost[i] : 1;
}

/* Part i has this value. */
static void
put(struct kith_wsvm_valid *v, size_t i, double value)
{
	size_t at = v->leaves + i;

	v->tree[at] = value;
	for (at /= 2; at > 0; at /= 2)
		v->tree[at] = v->tree[2 * at] + v->tree[2 * at + 1];
}

struct kith_wsvm_valid *
kith_wsvm_valid_new(const struct kith_wsvm_valid_how *how,
    kith_wsvm_valid_tell *tell, void *to, struct kith_pool *pool)
{
	struct kith_wsvm_valid *v = kith_new(pool, 1, sizeof(*v));

	*v = (struct kith_wsvm_valid){
	    .how = *how, .tell = tell, .to = to, .pool = pool};
	v->parts = how->measure == KITH_WSVM_NDCG ? how->queries : how->m;
	for (v->leaves = 1; v->leaves < v->parts;)
		v->leaves *= 2;
	v->tree = kith_new(pool, v->leaves, 2 * sizeof(*v->tree));
	v->wrong = kith_new(pool, v->parts, sizeof(*v->wrong));
	if (how->measure == KITH_WSVM_NDCG) {
		kith_wsvm_valid_queries(v);
		return v;
	}
	for (size_t i = 0; i < how->m; i++)
		if (counts(how, i)) {
			v->n++;
			put(v, i, cost(how, i));
		}
	v->weight = v->tree[1];
	memset(v->tree, 0, v->leaves * 2 * sizeof(*v->tree));
	return v;
}

void
kith_wsvm_valid_change(
    struct kith_wsvm_valid *v, const struct kith_wsvm_change *c)
{
	if (v->changes == v->room) {
		v->room = 2 * v->room + 64;
		v->change = kith_grow(
		    v->pool, v->change, v->room, sizeof(*v->change));
	}
	v->change[v->changes++] = *c;
}

static int
by_theta(const void *a, const void *b)
{
	const struct kith_wsvm_change *s = a, *t = b;

	if (s->theta != t->theta)
		return s->theta < t->theta ? -1 : 1;
	return (s->part > t->part) - (s->part < t->part);
}

static void
tell_open(struct kith_wsvm_valid *v)
{
	v->open.theta = v->open.from + (v->open.to - v->open.from) / 2;
	v->tell(v->to, &v->open);
}

/* The measure is as it is now, up to this theta. */
static void
extend(struct kith_wsvm_valid *v, double from, double to)
{
	const double value = v->weight > 0 ? v->tree[1] / v->weight : 0;

	if (kith_wsvm_valid_same(from, to))
		return;
	if (v->is_open && v->open.value == value &&
	    v->open.errors == v->errors) {
		v->open.to = to;
		return;
	}
	if (v->is_open) {
		from = v->open.to; /* steps of no length are left out */
		tell_open(v);
	}
	v->open = (struct kith_wsvm_interval){
	    .from = from, .to = to, .errors = v->errors, .value = value};
	v->is_open = true;
}

static void
apply(struct kith_wsvm_valid *v, const struct kith_wsvm_change *c)
{
	v->errors += (size_t)c->wrong - (size_t)v->wrong[c->part];
	v->wrong[c->part] = c->wrong;
	put(v, c->part, c->value);
}

/* Go through the changes of a piece, in order. */
static void
sweep(struct kith_wsvm_valid *v, double from, double to)
{
	if (v->changes > 0)
		qsort(v->change, v->changes, sizeof(*v->change), by_theta);
	for (size_t i = 0; i < v->changes; i++) {
		const struct kith_wsvm_change *c = &v->change[i];

		if (!kith_wsvm_valid_same(from, c->theta)) {
			extend(v, from, c->theta);
			from = c->theta;
		}
		apply(v, c);
	}
	extend(v, from, to);
	v->changes = 0;
}

/* The signs of y f: what changes at the start of the piece, and within. */
static void
errors(struct kith_wsvm_valid *v, double from, double to, const double *f0,
    const double *f1)
{
	const struct kith_wsvm_valid_how *how = &v->how;

	for (size_t i = 0; i < how->m; i++) {
		const double a = how->y[i] * (f0[i] + from * f1[i]);
		const double b = how->y[i] * (f0[i] + to * f1[i]);
		const bool first = a < 0 || (a == 0 && b <= 0);
		const bool last = b < 0 || (b == 0 && a <= 0);
		struct kith_wsvm_change c = {
		    from, i, cost(how, i) * first, first};

		if (how->y[i] == 0)
			continue;
		if (first != v->wrong[i])
			kith_wsvm_valid_change(v, &c);
		if (first == last)
			continue;
		c = (struct kith_wsvm_change){
		    kith_wsvm_valid_zero(from, to, a, b), i,
		    cost(how, i) * last, last};
		kith_wsvm_valid_change(v, &c);
	}
	sweep(v, from, to);
}

/* The mean loss at theta. */
static double
loss(const struct kith_wsvm_valid *v, double theta, const double *f0,
    const double *f1)
{
	const struct kith_wsvm_valid_how *how = &v->how;
	long double sum = 0;

	for (size_t i = 0; i < how->m; i++) {
		const long double e = counts(how, i) ? (long double)how->y[i] -
			f0[i] - (long double)theta * f1[i]
						     : 0;

		sum += (long double)cost(how, i) * e * e;
	}
	return v->weight > 0 ? (double)sqrtl(sum / (long double)v->weight) : 0;
}

/* A parabola: e = y - f at `from`, and what f gains from there. */
static void
squares(struct kith_wsvm_valid *v, double from, double to, const double *f0,
    const double *f1)
{
	const struct kith_wsvm_valid_how *how = &v->how;
	long double es = 0, ss = 0;
	struct kith_wsvm_interval piece = {from, to, 0, 0, from, 0, 0};

	for (size_t i = 0; i < how->m; i++) {
		if (!counts(how, i))
			continue;
		es += (long double)cost(how, i) * f1[i] *
		    ((long double)how->y[i] - f0[i] -
			(long double)from * f1[i]);
		ss += (long double)cost(how, i) * f1[i] * f1[i];
	}
	if (es > 0 && ss > 0) {
		const long double at = from + es / ss;

		piece.theta = at < to ? (double)at : to;
	}
	piece.value_from = loss(v, from, f0, f1);
	piece.value_to = loss(v, to, f0, f1);
	piece.value = loss(v, piece.theta, f0, f1);
	v->tell(v->to, &piece);
}

void
kith_wsvm_valid_piece(struct kith_wsvm_valid *v, double from, double to,
    const double *f0, const double *f1)
{
	v->end = to;
	if (v->how.measure == KITH_WSVM_ERROR)
		errors(v, from, to, f0, f1);
	if (v->how.measure == KITH_WSVM_SQUARED)
		squares(v, from, to, f0, f1);
	if (v->how.measure == KITH_WSVM_NDCG) {
		kith_wsvm_valid_ranks(v, from, to, f0, f1);
		sweep(v, from, to);
	}
}

void
kith_wsvm_valid_end(struct kith_wsvm_valid *v)
{
	if (!v->is_open)
		return;
	v->open.to = v->end;
	tell_open(v);
	v->is_open = false;
}
