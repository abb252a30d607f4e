/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/points - solutions at single weights that are right to a relative duality
 * gap, each begun from others nearby (wsvm/approx.h).
 */
#ifndef KITH_WSVM_POINTS_H
#define KITH_WSVM_POINTS_H

#include "wsvm/kink.h"
#include "wsvm/smo.h"

struct kith_pool;
struct kith_wsvm_problem;

/* A solution at the weights C of theta. */
struct kith_wsvm_point {
	double theta, b;
	double dual, own;  /* D, and G of wsvm/approx.h */
	double *C, *x, *g; /* N: weights, alpha, gradients with b */
	double *s;         /* n: scores without b */
};

enum { KITH_WSVM_SPARE = 64 };

/* Some variables as a problem of their own. */
struct kith_wsvm_points_part {
	size_t room;       /* K: so many numbers */
	double *block, *K; /* phi_v' phi_w without the signs; in block */
	size_t *plus, *minus, *own;                   /* N: rows; 0, 1, ... */
	double *sign, *q, *hi, *diagonal, *x, *s, *g; /* N */
};

/* What points of a problem share; its members are not for callers. */
struct kith_wsvm_points {
	const struct kith_wsvm_problem *problem;
	const double *from, *to;
	size_t n, N;
	struct kith_krows *rows;
	struct kith_smo_form form;
	double *diagonal, *zero; /* N */
	double *coef, *sum;      /* n */
	size_t *live, n_live;    /* variables that ever weigh */
	size_t *near;            /* those of them that smo looks at */
	struct kith_wsvm_points_part part;
	struct kith_wsvm_kink *kink; /* N: room */
	size_t *row;                 /* 2 N: room */
	double *by;                  /* 2 N: room */
	struct kith_wsvm_point *spare[KITH_WSVM_SPARE];
	size_t n_spare;
	size_t solved, steps; /* points, and steps of smo, so far */
	struct kith_pool *pool;
};

/* Points between the weights `from` and `to` (N each); all must stay. */
struct kith_wsvm_points *kith_wsvm_points_new(
    const struct kith_wsvm_problem *problem, const double *from,
    const double *to, struct kith_pool *pool);

/*
 * A point at theta, to be solved: from alpha = 0, or a solution of other
 * points of the same variables (NULL: none); from the shares that alpha of
 * another has in its weights; or from the straight line through two others, in
 * between or beyond.
 */
struct kith_wsvm_point *kith_wsvm_points_first(struct kith_wsvm_points *at,
    double theta, const struct kith_wsvm_point *start);
struct kith_wsvm_point *kith_wsvm_points_scaled(struct kith_wsvm_points *at,
    double theta, const struct kith_wsvm_point *of);
struct kith_wsvm_point *kith_wsvm_points_between(struct kith_wsvm_points *at,
    double theta, const struct kith_wsvm_point *a,
    const struct kith_wsvm_point *b);

/* A point is needed no more. */
void kith_wsvm_points_drop(
    struct kith_wsvm_points *at, struct kith_wsvm_point *p);

/* s += a phi_v' Phi of all items, for scores s (n). */
void kith_wsvm_points_add(
    const struct kith_smo_form *form, size_t v, double a, double *s);

/* The n variables in the list get alpha x (n); the scores follow. */
void kith_wsvm_points_move(struct kith_wsvm_points *at,
    struct kith_wsvm_point *p, const size_t *list, size_t n, const double *x);

/*
 * Put x_v on a bound of the form that it is beside by rounding, or beyond; the
 * scores follow but for rounding of x_v itself.  Whether it was not there.
 */
bool kith_wsvm_points_put(
    const struct kith_smo_form *form, size_t v, double *x, double *s);

#endif
