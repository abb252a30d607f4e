/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Each row lies in a slot until it leaves, and the solver knows slots only: a slot without a row
 *    has the weight 0.  If there are not enough slots, the rows move to twice as many, and the next
 *    solver starts from nothing.
 * 2. New rows enter free slots with the weight 0; along one path all weights move to the values of
 *    window.h, and the weights of rows that leave move to 0.
 */
#include "window.h"

#include "la/vec.h"

#include <assert.h>
#include <string.h>

enum { FIRST = 64 }; /* slots at the start */

/*
 * An alpha this near to a bound, over its weight or the largest alpha, is at the bound, as for
 * --check.
 */
#define NEAR 1e-8

struct window {
	const struct kith_kern *kern;
	bool regress;                /* numbers are predicted, not classes */
	struct kith_pool pool;       /* of this struct */
	struct kith_pool slots_pool; /* of the slots and the solver */
	size_t slots;
	struct kith_mat X; /* slots x p */
	double *y;         /* slots: as window_learn() has them */
	size_t N;          /* variables: variable v is of slot v % slots; two of each for numbers */
	size_t *plus;      /* N: the slot */
	double *sign, *q;  /* N */
	double *to;        /* N: weights */
	double *coef;      /* slots: the sum of sign alpha */
	double b;
	size_t *order, n;     /* slots of the n rows, the oldest first */
	size_t *free, n_free; /* slots without a row; the last one is used first */
	bool seen[2];         /* rows of class -1, of class +1 have come; with numbers, any row */
	struct kith_wsvm_problem problem;
	struct kith_wsvm *solver; /* NULL: nothing was solved yet */
	struct kith_machine machine;
	struct kith_wsvm_count count; /* of the solvers before this one */
};

/* Returns the weight of row i of n, 1 <= i <= n. */
static double
weight(size_t i, size_t n)
{
	const double C = how.C, a = how.forget;

	/* C_i = C 2 / (1 + exp(a - 2 a i / n)) */
	return C * 2 / (1 + exp(a - 2 * a * (double)i / (double)n));
}

/* Sets the weight of the variables of a slot. */
static void
set_weight(struct window *w, size_t slot, double C)
{
	for (size_t v = slot; v < w->N; v += w->slots)
		w->to[v] = C;
}

/* Allocates slots without rows, and sets the problem and the machine that refer to them. */
static void
make_slots(struct window *w, size_t slots)
{
	struct kith_pool *pool = &w->slots_pool;

	w->slots = slots;
	w->X = kith_mat_new(pool, slots, w->kern->metric->p);
	w->N = w->regress ? 2 * slots : slots;
	KITH_NEW_SIZES(pool, slots, 1, &w->order, &w->free);
	KITH_NEW_SIZES(pool, w->N, 1, &w->plus);
	KITH_NEW_REALS(pool, w->N, 1, &w->sign, &w->q, &w->to);
	KITH_NEW_REALS(pool, slots, 1, &w->y, &w->coef);
	for (size_t v = 0; v < w->N; v++) {
		w->plus[v] = v % slots;
		w->sign[v] = v < slots ? 1 : -1;
		w->q[v] = -1;
	}
	w->n = 0;
	w->n_free = slots;
	for (size_t i = 0; i < slots; i++)
		w->free[i] = slots - 1 - i;
	w->problem = (struct kith_wsvm_problem){.X = &w->X,
	    .kern = w->kern,
	    .variables = w->N,
	    .plus = w->plus,
	    .sign = w->sign,
	    .q = w->q,
	    .bias = true,
	    .ridge = w->problem.ridge,
	    .cache = KITH_SVM_CACHE,
	    .threads = options.threads};
	w->machine = (struct kith_machine){.task = KITH_MACHINE_REGRESS,
	    .kern = *w->kern,
	    .metric = *w->kern->metric,
	    .X = w->X,
	    .coef = w->coef,
	    .bias = &w->b};
}

struct window *
window_new(const struct kith_kern *kern)
{
	struct kith_pool pool = {0};
	struct window *w = kith_new(&pool, 1, sizeof(*w));
	const size_t most = how.window + how.batch;

	w->kern = kern;
	w->regress = options.task == KITH_SVM_REGRESS;
	w->problem.ridge = NAN;
	make_slots(w, most < FIRST ? most : FIRST);
	w->pool = pool;
	return w;
}

void
window_free(struct window *w)
{
	struct kith_pool pool = w->pool;

	kith_pool_free(&w->slots_pool);
	kith_pool_free(&pool);
}

void
window_count(const struct window *w, struct kith_wsvm_count *count)
{
	struct kith_wsvm_count present;

	*count = w->count;
	if (w->solver) {
		kith_wsvm_count(w->solver, &present);
		kith_svm_count_add(count, &present);
	}
	count->faults = count->end_faults; /* rows are predicted at the ends of paths alone */
}

/* Puts a row into a free slot. */
static void
add_row(struct window *w, const double *x, double y)
{
	const size_t slot = w->free[--w->n_free];

	memcpy(kith_row(&w->X, slot), x, w->X.p * sizeof(*x));
	w->y[slot] = y;
	w->order[w->n++] = slot;
	if (w->regress) {
		w->q[slot] = options.epsilon - y;
		w->q[w->slots + slot] = options.epsilon + y;
		w->seen[0] = w->seen[1] = true;
	} else {
		w->sign[slot] = y;
		w->seen[y > 0] = true;
	}
	if (w->solver)
		kith_wsvm_replace(w->solver, slot);
}

/* Moves the rows to twice as many slots, at most `most`. */
static void
add_slots(struct window *w, size_t most)
{
	struct window old = *w;

	window_count(&old, &w->count);
	w->slots_pool = (struct kith_pool){0};
	w->solver = NULL;
	make_slots(w, 2 * old.slots < most ? 2 * old.slots : most);
	for (size_t i = 0; i < old.n; i++)
		add_row(w, kith_row(&old.X, old.order[i]), old.y[old.order[i]]);
	kith_pool_free(&old.slots_pool);
}

/*
 * Returns b of the rows in the window.  Where no row is strictly within its bounds, b has an
 * interval: then its middle, or its finite end.  The solver's b may differ, because rows that leave
 * bound it up to the end of the path, and a row that comes to its bound there may still be in M.
 */
static double
bias(const struct window *w, const struct kith_wsvm_solution *at)
{
	double lo = -INFINITY, hi = INFINITY;
	const double most = kith_vec_largest(w->N, at->alpha);

	for (size_t v = 0; v < w->N; v++) {
		const double C = w->to[v], a = at->alpha[v], e = w->sign[v];
		const double tolerance = NEAR * kith_lesser(C, most);
		const bool grows = C - a > tolerance, shrinks = a > tolerance;
		/* g_v = e (f + b) + q + ridge a = 0 */
		const double b = -e * (w->q[v] + w->problem.ridge * a) - at->f[w->plus[v]];

		if (C > 0 && grows && shrinks)
			return at->b;
		if (C > 0 && (e > 0 ? grows : shrinks))
			lo = fmax(lo, b);
		if (C > 0 && (e > 0 ? shrinks : grows))
			hi = fmin(hi, b);
	}
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? (isinf(hi) ? 0 : hi) : lo;
	return lo + (hi - lo) / 2;
}

/* Solves for the weights of the rows in the window: along the path, or the first time at once. */
static void
solve(struct window *w)
{
	struct kith_pool *pool = &w->slots_pool;
	struct kith_wsvm_solution at;
	struct kith_wsvm_piece piece;

	if (isnan(w->problem.ridge)) {
		const struct kith_mat X = kith_mat_rows(&w->X, w->order, w->n, pool);

		w->problem.ridge = kith_svm_ridge(options.ridge, w->kern, &X);
	}
	if (!w->solver)
		w->solver = kith_wsvm_new(&w->problem, w->to, pool);
	kith_wsvm_aim(w->solver, &(struct kith_wsvm_data){.upper = w->to});
	while (kith_wsvm_next(w->solver, &piece, NULL, NULL))
		;
	kith_wsvm_get(w->solver, &at);
	memset(w->coef, 0, w->slots * sizeof(*w->coef));
	for (size_t v = 0; v < w->N; v++)
		w->coef[w->plus[v]] += w->sign[v] * at.alpha[v];
	w->b = bias(w, &at);
}

void
window_learn(struct window *w, size_t m, const double *x, const double *y)
{
	size_t gone;

	assert(1 <= m && m <= how.batch);
	while (w->n_free < m)
		add_slots(w, how.window + how.batch);
	for (size_t i = 0; i < m; i++)
		add_row(w, x + i * w->X.p, y[i]);
	gone = w->n > how.window ? w->n - how.window : 0;
	w->n -= gone;
	for (size_t i = 0; i < gone; i++) {
		set_weight(w, w->order[i], 0);
		w->free[w->n_free++] = w->order[i];
	}
	memmove(w->order, w->order + gone, w->n * sizeof(*w->order));
	for (size_t i = 0; i < w->n; i++)
		set_weight(w, w->order[i], weight(i + 1, w->n));
	if (window_ready(w))
		solve(w);
}

bool
window_ready(const struct window *w)
{
	return w->seen[0] && w->seen[1];
}

double
window_score(struct window *w, const double *x)
{
	const struct kith_mat Z = {1, w->X.p, (double *)x};
	double f = 0;

	kith_machine_score(&w->machine, &Z, 1, &f);
	return f;
}
