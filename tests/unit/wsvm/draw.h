/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/draw - random degenerate problems of lib/wsvm: copies with equal and with
 * opposite labels, integer grids, weights of 0, one class, huge weights.
 */
#ifndef KITH_TEST_WSVM_DRAW_H
#define KITH_TEST_WSVM_DRAW_H

#include "base/rng.h"
#include "wsvm/data.h"

#include <assert.h>

static struct kith_rng rng;

static inline size_t
pick(size_t n)
{
	return (size_t)(kith_rng_unit(&rng) * (double)n);
}

/* Points at random, or on a grid, some of them copies. */
static inline void
draw_rows(struct kith_mat *X)
{
	const size_t grid = pick(4), copies = pick(3);

	for (size_t i = 0; i < X->n; i++)
		for (size_t j = 0; j < X->p; j++) {
			double x = kith_rng_unit(&rng);

			if (grid > 0)
				x = (double)pick(2 * grid);
			kith_row(X, i)[j] = x;
		}
	for (size_t i = 1; i < X->n && copies > 0; i++)
		if (pick(3) < copies)
			memcpy(kith_row(X, i), kith_row(X, pick(i)), X->p * sizeof(*X->v));
}

/* One weight: of a kind that all have, with some 0. */
static inline double
draw_weight(size_t kind, double huge)
{
	switch (kind) {
	case 0:
		return 0;
	case 1:
		return huge;
	case 2:
		return pick(3) ? huge : 0;
	case 3:
		return (double)pick(3) * huge;
	default:
		return kith_rng_unit(&rng) * huge;
	}
}

static inline void
draw_weights(double *C, size_t N, double huge)
{
	const size_t kind = pick(6);

	for (size_t v = 0; v < N; v++)
		C[v] = draw_weight(kind, huge);
}

static inline void
draw_classes(struct task *t)
{
	const size_t n = t->X.n, kind = pick(6);

	for (size_t i = 0; i < n; i++) {
		t->plus[i] = i;
		t->sign[i] = kind == 0 ? 1 : kind == 1 ? (i % 2 ? 1 : -1) : pick(2) ? 1 : -1;
		t->q[i] = -1;
	}
}

static inline void
draw_targets(struct task *t)
{
	const size_t n = t->X.n, whole = pick(3);
	const double eps = whole ? .5 : .1;

	for (size_t i = 0; i < n; i++) {
		const double y = whole == 1 ? (double)pick(3)
		    : whole == 2            ? 1
					    : sin(6 * t->X.v[i * t->X.p]) + kith_rng_unit(&rng);

		t->plus[i] = t->plus[i + n] = i;
		t->sign[i] = 1;
		t->sign[i + n] = -1;
		t->q[i] = eps - y;
		t->q[i + n] = eps + y;
	}
}

static inline void
draw_pairs(struct task *t)
{
	size_t *minus = t->minus;

	assert(minus);
	for (size_t v = 0; v < t->N; v++) {
		t->plus[v] = pick(t->X.n);
		minus[v] = pick(t->X.n);
		t->sign[v] = 1;
		t->q[v] = -1;
	}
}

static inline void
draw_task(struct task *t, size_t type)
{
	static const double sizes[] = {1, 10, 1e-3, 1e6};
	const size_t n = 1 + pick(40), p = 1 + pick(2);
	const double huge = sizes[pick(4)];
	const bool linear = pick(4) == 0;

	task_new(t, n, p, type == 0 ? n : 2 * n, type == 2);
	draw_rows(&t->X);
	if (type == 0)
		draw_classes(t);
	else if (type == 1)
		draw_targets(t);
	else
		draw_pairs(t);
	draw_weights(t->from, t->N, huge);
	draw_weights(t->to, t->N, huge);
	for (size_t i = 0; i < n && type == 1; i++) {
		t->from[i + n] = t->from[i];
		t->to[i + n] = t->to[i];
	}
	task_ready(t, linear ? KITH_KERN_LINEAR : KITH_KERN_GAUSSIAN, pick(2) ? 1 : 10,
	    pick(3) ? 1e-6 : 0);
}

/* Variable v of classes (type 0) or ranks (2); draw_targets() has those of 1. */
static inline void
draw_variable(struct task *t, size_t type, size_t v)
{
	const size_t n = t->X.n;

	if (type != 1) {
		t->plus[v] = type == 2 ? pick(n) : v;
		t->sign[v] = type == 2 || pick(2) ? 1 : -1;
		t->q[v] = -1;
	}
	if (type == 2)
		t->minus[v] = (t->plus[v] + 1 + pick(n - 1)) % n;
}

/* n rows in general position, for variables of a type: one a row or two. */
static inline void
draw_frame(struct task *t, size_t type, size_t n)
{
	task_new(t, n, 2, type == 0 ? n : 2 * n, type == 2);
	for (size_t i = 0; i < 2 * n; i++)
		t->X.v[i] = kith_rng_unit(&rng);
	if (type == 1)
		draw_targets(t);
}

#endif
