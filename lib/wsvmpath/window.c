/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/window.h"
#include "wsvmpath/resolve.h"

#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "la/vec.h"
#include "machine/machine.h"
#include "near/metric.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/read.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { FIRST = 64 }; /* slots at the start */

/* Of the weight, or of the largest alpha, is a bound, as it is for --check. */
#define NEAR 1e-8

/*
 * Rows lie in slots, where they stay until they leave; the solver knows slots
 * only.  Where they do not suffice, all is copied to twice as many.
 */
struct kith_wsvm_window {
	struct kith_wsvm_window_how how;
	struct kith_pool pool;    /* of the window itself */
	struct kith_pool room[2]; /* of its slots and solver: room[now] */
	size_t now;
	size_t slots;
	struct kith_mat X; /* slots x p */
	size_t *plus;      /* slots: the slot itself */
	double *sign, *q;  /* slots */
	double *to;        /* slots: weights */
	double *coef;      /* slots: sign alpha */
	double b;
	size_t *order, n;    /* slots of the rows, the oldest first */
	size_t *spare, left; /* slots without a row */
	bool seen[2];
	bool ridged; /* how.ridge is that of the problem */
	struct kith_wsvm_problem problem;
	struct kith_wsvm *solver; /* NULL before both classes came */
	struct kith_machine machine;
	struct kith_wsvm_count done; /* by the solvers before this one */
};

/* The weight of row i of n, 1 <= i <= n. */
static double
weight(const struct kith_wsvm_window_how *how, size_t i, size_t n)
{
	/* C_i = C 2 / (1 + exp(a - 2 a i / n)) */
	return how->C * 2 / (1 + exp(how->a - 2 * how->a * (double)i / (double)n));
}

static void
make_slots(struct kith_wsvm_window *w, size_t slots)
{
	struct kith_pool *pool = &w->room[w->now];

	w->slots = slots;
	w->X = kith_mat_new(pool, slots, w->how.kern->metric->p);
	KITH_NEW_SIZES(pool, slots, 1, &w->plus, &w->order, &w->spare);
	KITH_NEW_REALS(pool, slots, 1, &w->sign, &w->q, &w->to, &w->coef);
	for (size_t i = 0; i < slots; i++) {
		w->plus[i] = i;
		w->sign[i] = 1;
		w->q[i] = -1;
	}
	/* Slots are taken from the end of spare: the first ones first. */
	w->left = slots - w->n;
	for (size_t i = 0; i < w->left; i++)
		w->spare[i] = slots - 1 - i;
}

/* The problem and the machine, whose arrays are those of the slots. */
static void
refer(struct kith_wsvm_window *w)
{
	w->problem = (struct kith_wsvm_problem){.X = &w->X,
	    .kern = w->how.kern,
	    .variables = w->slots,
	    .plus = w->plus,
	    .sign = w->sign,
	    .q = w->q,
	    .bias = true,
	    .ridge = w->how.ridge,
	    .cache = w->how.cache,
	    .threads = w->how.threads};
	w->machine = (struct kith_machine){.task = KITH_MACHINE_REGRESS,
	    .kern = *w->how.kern,
	    .metric = *w->how.kern->metric,
	    .X = w->X,
	    .coef = w->coef,
	    .bias = &w->b};
}

struct kith_wsvm_window *
kith_wsvm_window_new(const struct kith_wsvm_window_how *how)
{
	struct kith_pool pool = {0};
	struct kith_wsvm_window *w = kith_new(&pool, 1, sizeof(*w));
	const size_t most = how->rows + how->batch;

	assert(how->rows >= 1 && how->batch >= 1 && most > how->rows);
	w->how = *how;
	make_slots(w, most < FIRST ? most : FIRST);
	refer(w);
	w->pool = pool;
	return w;
}

void
kith_wsvm_window_free(struct kith_wsvm_window *w)
{
	struct kith_pool pool = w->pool;

	kith_pool_free(&w->room[w->now]);
	kith_pool_free(&pool);
}

void
kith_wsvm_window_count(const struct kith_wsvm_window *w, struct kith_wsvm_count *count)
{
	struct kith_wsvm_count own;

	*count = w->done;
	if (w->solver) {
		kith_wsvm_count(w->solver, &own);
		kith_wsvm_count_add(count, &own);
	}
	count->faults = count->wrong_ends; /* rows are predicted at the ends of paths alone */
}

/* A solver for the slots, from the solution of another for fewer of them. */
static struct kith_wsvm *
take_over(struct kith_wsvm_window *w, struct kith_wsvm *old, size_t had, double rest)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_solution at;
	double *alpha = kith_new(&tmp, w->slots, sizeof(*alpha));
	double *f = kith_new(&tmp, w->slots, sizeof(*f));
	int8_t *where = kith_new(&tmp, w->slots, sizeof(*where));
	struct kith_wsvm *s;

	kith_wsvm_get(old, &at);
	memcpy(alpha, at.alpha, had * sizeof(*alpha));
	memcpy(f, at.f, had * sizeof(*f));
	memcpy(where, at.where, had * sizeof(*where));
	for (size_t i = had; i < w->slots; i++)
		f[i] = rest; /* the rows of these slots are 0 */
	at.alpha = alpha;
	at.f = f;
	at.where = where;
	s = kith_wsvm_new(&w->problem, w->to, &at, &w->room[w->now]);
	kith_pool_free(&tmp);
	return s;
}

/* Copy all to more slots; the rows keep their numbers. */
static void
grow(struct kith_wsvm_window *w, size_t most)
{
	struct kith_wsvm_window was = *w;
	struct kith_pool tmp = {0};
	double *zero = kith_new(&tmp, was.X.p, sizeof(*zero));
	double rest = 0;

	if (w->solver)
		rest = kith_wsvm_window_score(w, zero) - w->b;
	kith_wsvm_window_count(&was, &w->done);
	w->now = !w->now;
	make_slots(w, 2 * was.slots < most ? 2 * was.slots : most);
	memcpy(w->X.v, was.X.v, was.slots * was.X.p * sizeof(*was.X.v));
	memcpy(w->sign, was.sign, was.slots * sizeof(*was.sign));
	memcpy(w->to, was.to, was.slots * sizeof(*was.to));
	memcpy(w->coef, was.coef, was.slots * sizeof(*was.coef));
	memcpy(w->order, was.order, was.n * sizeof(*was.order));
	memcpy(w->spare + (w->slots - was.slots), was.spare, was.left * sizeof(*was.spare));
	w->left = w->slots - was.n;
	for (size_t i = 0; i < w->slots - was.slots; i++)
		w->spare[i] = w->slots - 1 - i;
	refer(w);
	if (w->solver)
		w->solver = take_over(w, was.solver, was.slots, rest);
	kith_pool_free(&w->room[!w->now]);
	kith_pool_free(&tmp);
}

/* Put the rows into free slots. */
static void
add_rows(struct kith_wsvm_window *w, size_t m, const double *x, const bool *y)
{
	const size_t p = w->X.p;

	for (size_t i = 0; i < m; i++) {
		const size_t slot = w->spare[--w->left];

		memcpy(kith_row(&w->X, slot), x + i * p, p * sizeof(*x));
		w->sign[slot] = y[i] ? 1 : -1;
		w->order[w->n++] = slot;
		w->seen[y[i]] = true;
		if (w->solver)
			kith_wsvm_replace(w->solver, slot);
	}
}

/*
 * b, which has an interval where no row is strictly within its bounds: then its
 * middle, or its end.  Up to the end of the path, rows that leave the window
 * bound it, and a row that comes to its bound there may still be in M.
 */
static double
bias(const struct kith_wsvm_window *w, const struct kith_wsvm_solution *at)
{
	double lo = -INFINITY, hi = INFINITY;
	const double most = kith_vec_largest(w->slots, at->alpha);

	for (size_t i = 0; i < w->slots; i++) {
		const double C = w->to[i], a = at->alpha[i], e = w->sign[i];
		const double few = NEAR * kith_lesser(C, most);
		const bool grows = C - a > few, falls = a > few;
		/* g_i + e b = 0 */
		const double b = e * (1 - w->problem.ridge * a) - at->f[i];

		if (C > 0 && grows && falls)
			return at->b;
		if (C > 0 && (e > 0 ? grows : falls))
			lo = fmax(lo, b);
		if (C > 0 && (e > 0 ? falls : grows))
			hi = fmin(hi, b);
	}
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? (isinf(hi) ? 0 : hi) : lo;
	return lo + (hi - lo) / 2;
}

/* Follow the path to the weights of the rows in the window. */
static void
follow(struct kith_wsvm_window *w)
{
	struct kith_wsvm_solution at;
	struct kith_wsvm_piece piece;

	if (!w->solver && !w->ridged) {
		/* That of the first rows holds for all. */
		const struct kith_mat X = kith_mat_rows(&w->X, w->order, w->n, &w->room[w->now]);

		w->ridged = true;
		w->how.ridge = kith_wsvm_ridge(w->how.ridge, w->how.kern, &X);
		refer(w);
	}
	if (!w->solver) {
		double *none = kith_new(&w->room[w->now], w->slots, sizeof(*none));

		w->solver = kith_wsvm_new(&w->problem, none, NULL, &w->room[w->now]);
	}
	kith_wsvm_aim(w->solver, w->to);
	while (kith_wsvm_next(w->solver, &piece, NULL, NULL))
		;
	kith_wsvm_get(w->solver, &at);
	for (size_t i = 0; i < w->slots; i++)
		w->coef[i] = w->sign[i] * at.alpha[i];
	w->b = bias(w, &at);
}

void
kith_wsvm_window_learn(struct kith_wsvm_window *w, size_t m, const double *x, const bool *y)
{
	const size_t most = w->how.rows + w->how.batch;
	size_t gone;

	assert(1 <= m && m <= w->how.batch);
	while (w->left < m)
		grow(w, most);
	add_rows(w, m, x, y);
	gone = w->n > w->how.rows ? w->n - w->how.rows : 0;
	w->n -= gone;
	for (size_t i = 0; i < gone; i++) {
		w->to[w->order[i]] = 0;
		w->spare[w->left++] = w->order[i];
	}
	memmove(w->order, w->order + gone, w->n * sizeof(*w->order));
	for (size_t i = 0; i < w->n; i++)
		w->to[w->order[i]] = weight(&w->how, i + 1, w->n);
	if (kith_wsvm_window_ready(w))
		follow(w);
}

void
kith_wsvm_window_flip(struct kith_wsvm_window *w)
{
	const bool second = w->seen[1];

	assert(!kith_wsvm_window_ready(w));
	for (size_t i = 0; i < w->n; i++)
		w->sign[w->order[i]] *= -1;
	w->seen[1] = w->seen[0];
	w->seen[0] = second;
}

bool
kith_wsvm_window_ready(const struct kith_wsvm_window *w)
{
	return w->seen[0] && w->seen[1];
}

double
kith_wsvm_window_score(struct kith_wsvm_window *w, const double *x)
{
	const struct kith_mat Z = {1, w->X.p, (double *)x};
	double f = 0;

	kith_machine_score(&w->machine, &Z, 1, &f);
	return f;
}
