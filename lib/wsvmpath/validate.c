/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/validate.h"

#include "base/pool.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate_rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The measure is the mean of parts: rows, or queries.  tree[1] is their sum, in
 * an order that does not depend on what changed when: tree[i] = tree[2 i] +
 * tree[2 i + 1], and part i is tree[leaves + i].
 */
struct kith_wsvm_valid {
	struct kith_wsvm_valid_how how;
	kith_wsvm_on_interval *on_interval;
	void *to;
	size_t n;      /* parts that count */
	double weight; /* sum of their costs */
	size_t parts, leaves;
	double *tree; /* 2 leaves */
	bool *wrong;  /* parts */
	size_t errors;
	struct kith_wsvm_changes changes;  /* in the present piece */
	struct kith_wsvm_ranking *ranking; /* ndcg */
	struct kith_wsvm_interval open;    /* the last one, which may go on */
	bool is_open;
	double end; /* of the last piece */
};

static bool
counts(const struct kith_wsvm_valid_how *how, size_t i)
{
	return how->measure == KITH_WSVM_ERROR ? how->y[i] != 0 : !isnan(how->y[i]);
}

static double
cost(const struct kith_wsvm_valid_how *how, size_t i)
{
	return how->cost ? how->cost[i] : 1;
}

/* Part i has this value. */
static void
set_part(struct kith_wsvm_valid *v, size_t i, double value)
{
	size_t at = v->leaves + i;

	v->tree[at] = value;
	for (at /= 2; at > 0; at /= 2)
		v->tree[at] = v->tree[2 * at] + v->tree[2 * at + 1];
}

/* The cost of query q. */
static double
query_cost(const struct kith_wsvm_valid_how *how, size_t q)
{
	return how->query_cost ? how->query_cost[q] : 1;
}

/* Let all queries with rows count, by their costs. */
static void
begin_queries(struct kith_wsvm_valid *v, struct kith_pool *pool)
{
	const struct kith_wsvm_valid_how *how = &v->how;

	v->ranking = kith_wsvm_ranking_new(
	    how->y, how->m, how->query, how->queries, how->k, &v->n, pool);
	for (size_t q = 0; q < how->queries; q++)
		if (kith_wsvm_ranking_counts(v->ranking, q))
			v->weight += query_cost(how, q);
}

struct kith_wsvm_valid *
kith_wsvm_valid_new(const struct kith_wsvm_valid_how *how, kith_wsvm_on_interval *on_interval,
    void *to, struct kith_pool *pool)
{
	struct kith_wsvm_valid *v = kith_new(pool, 1, sizeof(*v));

	*v = (struct kith_wsvm_valid){
	    .how = *how, .on_interval = on_interval, .to = to, .changes.pool = pool};
	v->parts = how->measure == KITH_WSVM_NDCG ? how->queries : how->m;
	for (v->leaves = 1; v->leaves < v->parts;)
		v->leaves *= 2;
	v->tree = kith_new(pool, v->leaves, 2 * sizeof(*v->tree));
	v->wrong = kith_new(pool, v->parts, sizeof(*v->wrong));
	if (how->measure == KITH_WSVM_NDCG) {
		begin_queries(v, pool);
		return v;
	}
	for (size_t i = 0; i < how->m; i++)
		if (counts(how, i)) {
			v->n++;
			set_part(v, i, cost(how, i));
		}
	v->weight = v->tree[1];
	memset(v->tree, 0, v->leaves * 2 * sizeof(*v->tree));
	return v;
}

static int
by_theta(const void *a, const void *b)
{
	const struct kith_wsvm_change *s = a, *t = b;

	if (s->theta != t->theta)
		return s->theta < t->theta ? -1 : 1;
	return (s->part > t->part) - (s->part < t->part);
}

/* The last interval is whole. */
static void
end_open(struct kith_wsvm_valid *v)
{
	v->open.theta = v->open.from + (v->open.to - v->open.from) / 2;
	v->on_interval(v->to, &v->open);
}

/* The standard error of the present value. */
static double
spread(const struct kith_wsvm_valid *v, double value)
{
	const double n = (double)v->n;
	long double sum = 0;

	if (v->n < 2)
		return NAN;
	if (v->how.measure == KITH_WSVM_ERROR)
		return sqrt(value * (1 - value) / (n - 1));
	for (size_t q = 0; q < v->parts; q++) {
		const double c = query_cost(&v->how, q);
		const long double d = c > 0 ? v->tree[v->leaves + q] / (long double)c - value : 0;

		if (kith_wsvm_ranking_counts(v->ranking, q))
			sum += c * d * d;
	}
	return (double)sqrtl(sum / (v->weight * (long double)(n - 1)));
}

/* The measure has its present value from `from` to `to`. */
static void
extend(struct kith_wsvm_valid *v, double from, double to)
{
	const double value = v->weight > 0 ? v->tree[1] / v->weight : 0;

	if (kith_wsvm_valid_same(from, to))
		return;
	if (v->is_open && v->open.value == value && v->open.errors == v->errors) {
		v->open.to = to;
		return;
	}
	if (v->is_open) {
		from = v->open.to; /* intervals of no length are left out */
		end_open(v);
	}
	v->open = (struct kith_wsvm_interval){
	    .from = from, .to = to, .errors = v->errors, .value = value, .sum = v->tree[1]};
	if (!v->how.sums)
		v->open.se = spread(v, value);
	v->is_open = true;
}

static void
apply(struct kith_wsvm_valid *v, const struct kith_wsvm_change *c)
{
	v->errors += (size_t)c->wrong - (size_t)v->wrong[c->part];
	v->wrong[c->part] = c->wrong;
	set_part(v, c->part, c->value);
}

/* Go through the changes of the piece, in order of theta. */
static void
sweep(struct kith_wsvm_valid *v, double from, double to)
{
	struct kith_wsvm_changes *changes = &v->changes;

	if (changes->n > 0)
		qsort(changes->v, changes->n, sizeof(*changes->v), by_theta);
	for (size_t i = 0; i < changes->n; i++) {
		const struct kith_wsvm_change *c = &changes->v[i];

		if (!kith_wsvm_valid_same(from, c->theta)) {
			extend(v, from, c->theta);
			from = c->theta;
		}
		apply(v, c);
	}
	extend(v, from, to);
	changes->n = 0;
}

/* Row i becomes wrong, y f <= 0, or right, at the start or within. */
static void
change(struct kith_wsvm_valid *v, size_t i, double from, double to, double f0, double f1)
{
	const struct kith_wsvm_valid_how *how = &v->how;
	const double a = how->y[i] * (f0 + from * f1);
	const double b = how->y[i] * (f0 + to * f1);
	const bool first = a < 0 || (a == 0 && b <= 0);
	const bool last = b < 0 || (b == 0 && a <= 0);
	struct kith_wsvm_change c = {from, i, cost(how, i) * first, first};

	if (how->y[i] == 0)
		return;
	if (first != v->wrong[i])
		kith_wsvm_changes_add(&v->changes, &c);
	if (first == last)
		return;
	c = (struct kith_wsvm_change){
	    kith_wsvm_valid_zero(from, to, a, b), i, cost(how, i) * last, last};
	kith_wsvm_changes_add(&v->changes, &c);
}

/* The sum of cost (y - f)^2 at theta. */
static long double
sum_of_squares(
    const struct kith_wsvm_valid *v, long double theta, const double *f0, const double *f1)
{
	const struct kith_wsvm_valid_how *how = &v->how;
	long double sum = 0;

	for (size_t i = 0; i < how->m; i++) {
		const long double e = counts(how, i)
		    ? (long double)how->y[i] - f0[i] - theta * f1[i]
		    : 0;

		sum += (long double)cost(how, i) * e * e;
	}
	return sum;
}

/* The root of the mean loss at theta. */
static double
loss(const struct kith_wsvm_valid *v, double theta, const double *f0, const double *f1)
{
	const long double sum = sum_of_squares(v, theta, f0, f1);

	return v->weight > 0 ? (double)sqrtl(sum / (long double)v->weight) : 0;
}

/* The standard error of that root, `value`. */
static double
spread_of_squares(
    const struct kith_wsvm_valid *v, double theta, const double *f0, const double *f1, double value)
{
	const struct kith_wsvm_valid_how *how = &v->how;
	const long double mean = (long double)value * value;
	long double sum = 0;

	if (v->n < 2)
		return NAN;
	for (size_t i = 0; i < how->m; i++) {
		const long double e = (long double)how->y[i] - f0[i] - (long double)theta * f1[i];
		const long double d = counts(how, i) ? e * e - mean : 0;

		sum += (long double)cost(how, i) * d * d;
	}
	if (!(sum > 0) || !(value > 0))
		return 0;
	sum /= (long double)v->weight * (long double)(v->n - 1);
	return (double)(sqrtl(sum) / (2 * (long double)value));
}

/*
 * The sum of cost (e - t f1)^2 for theta = from + t, e = y - f at `from`, is
 * least at t = sum cost e f1 / sum cost f1^2.
 */
static void
squares(struct kith_wsvm_valid *v, double from, double to, const double *f0, const double *f1)
{
	const struct kith_wsvm_valid_how *how = &v->how;
	long double es = 0, ss = 0, at = from; /* sums of cost e f1, cost f1^2 */
	struct kith_wsvm_interval piece = {.from = from, .to = to};

	for (size_t i = 0; i < how->m; i++) {
		if (!counts(how, i))
			continue;
		es += (long double)cost(how, i) * f1[i] *
		    ((long double)how->y[i] - f0[i] - (long double)from * f1[i]);
		ss += (long double)cost(how, i) * f1[i] * f1[i];
	}
	if (ss > 0)
		at += es / ss;
	if (how->sums) {
		piece.square = (struct kith_wsvm_parabola){sum_of_squares(v, at, f0, f1), at, ss};
	} else {
		piece.theta = at < from ? from : at < to ? (double)at : to;
		piece.value_from = loss(v, from, f0, f1);
		piece.value_to = loss(v, to, f0, f1);
		piece.value = loss(v, piece.theta, f0, f1);
		piece.se = spread_of_squares(v, piece.theta, f0, f1, piece.value);
	}
	v->on_interval(v->to, &piece);
}

void
kith_wsvm_valid_piece(
    struct kith_wsvm_valid *v, double from, double to, const double *f0, const double *f1)
{
	v->end = to;
	if (!(to > from))
		return;
	if (v->how.measure == KITH_WSVM_ERROR) {
		for (size_t i = 0; i < v->how.m; i++)
			change(v, i, from, to, f0[i], f1[i]);
		sweep(v, from, to);
	}
	if (v->how.measure == KITH_WSVM_SQUARED)
		squares(v, from, to, f0, f1);
	if (v->how.measure == KITH_WSVM_NDCG) {
		kith_wsvm_ranking_piece(v->ranking, from, to, f0, f1, &v->changes);
		for (size_t i = 0; i < v->changes.n; i++)
			v->changes.v[i].value *= query_cost(&v->how, v->changes.v[i].part);
		sweep(v, from, to);
	}
}

void
kith_wsvm_valid_changes(
    struct kith_wsvm_valid *v, double from, double to, const struct kith_wsvm_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		kith_wsvm_changes_add(&v->changes, &changes->v[i]);
	v->end = to;
	sweep(v, from, to);
}

void
kith_wsvm_valid_end(struct kith_wsvm_valid *v)
{
	if (!v->is_open)
		return;
	v->open.to = v->end;
	end_open(v);
	v->is_open = false;
}

size_t
kith_wsvm_valid_count(const struct kith_wsvm_valid *v, double *weight)
{
	*weight = v->weight;
	return v->n;
}
