/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * solve/box_model - the quadratic model of solve/box.h: the BFGS matrix of the
 * last steps, and its minimum over the box.
 *
 *	B = theta I + sum_i (y_i y_i' / y_i's_i - b_i b_i' / s_i'b_i)
 *
 * with b_i = B_i s_i, B_i being made of the steps before i.
 */
#ifndef KITH_SOLVE_BOX_MODEL_H
#define KITH_SOLVE_BOX_MODEL_H

#include <stddef.h>

struct kith_pool;

struct kith_lbfgs_box_model {
	size_t n, memory, held;
	double theta;
	double *S, *Y;  /* memory x n: steps, damped changes of the gradient */
	double *W;      /* 2 memory x n: y_i and b_i, over the roots of their norms */
	double *mix;    /* 2 memory */
	double *packed; /* 2 memory x n: W of the variables that are free */
	size_t *free;   /* n */
	double *room;   /* 6 x n */
};

struct kith_lbfgs_box_model kith_lbfgs_box_model(size_t n, size_t memory, struct kith_pool *pool);

/* Learn from the step s and the change y of the gradient along it. */
void kith_lbfgs_box_learn(struct kith_lbfgs_box_model *model, const double *s, const double *y);

/* Forget all steps; B = theta I. */
void kith_lbfgs_box_forget(struct kith_lbfgs_box_model *model, double theta);

/*
 * z (n) minimises g'(z - x) + (z - x)' B (z - x) / 2 in [0, 1], to about 1e-4
 * of the projected gradient at x.
 */
void kith_lbfgs_box_minimise(
    struct kith_lbfgs_box_model *model, const double *x, const double *g, double *z);

#endif
