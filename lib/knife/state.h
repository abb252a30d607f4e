/*
 * knife/state - what the parts of knife/knife.h share: the matrices at a w, and
 * the machine.
 */
#ifndef KITH_KNIFE_STATE_H
#define KITH_KNIFE_STATE_H

#include "base/pool.h"
#include "kernel/kern.h"
#include "knife/knife.h"
#include "la/mat.h"
#include "near/metric.h"

#include <stdbool.h>
#include <stddef.h>

enum { KITH_KNIFE_TILE = 256 }; /* rows of a block of work */

struct kith_knife_state {
	const struct kith_knife_problem *problem;
	struct kith_pool pool;
	size_t n, p, c;
	struct kith_mat X; /* the rows, columns centred where K is of x - z */

	/* Columns of weight > 0: root of the weight times x, or the weight. */
	size_t kept;
	double *Z;    /* n x kept */
	double *size; /* n: |z_i|^2 */

	bool primal;  /* linear, kept < n: K is not made */
	bool dense;   /* never so */
	double *mean; /* p: of Z, for knife/primal.c */
	bool centred; /* by it: the factor is of a problem with an intercept */

	double *K; /* n x n */
	double *H; /* polynomial: (x'wz + coef0)^(degree - 1), else K */
	double *R; /* n x n: a factor, room else */

	double *alpha, *Ka; /* c columns of n: the machine, K alpha */
	double *bias;       /* c */
	double *room;       /* threads x 2 x tile x max(n, p) */
	double *sums;       /* tiles x p */
	bool warm;          /* alpha is that of a w nearby */
};

/*
 * Ready for any w; the problem must live as long.  state->pool is to be freed.
 */
struct kith_knife_state kith_knife_begin(
    const struct kith_knife_problem *problem);

/*
 * Z, K and H at w.  Fails with EX_DATAERR where they are too large for a
 * double.
 */
int kith_knife_gram(
    struct kith_knife_state *state, const double *w, struct kith_err *err);

/* to (n) = K v */
void kith_knife_times(
    const struct kith_knife_state *state, const double *v, double *to);

/*
 * Where state->primal is true: the factor for curvatures h (n) of the loss,
 * false where it is singular; then the machine that solves 2 lambda1 alpha + g
 * + D (K alpha + b - f) = 0, and 1'alpha = 0 where there is a b.
 */
bool kith_knife_primal_factor(
    struct kith_knife_state *state, const double *h, bool intercept);

void kith_knife_primal_solve(const struct kith_knife_state *state,
    const double *h, const double *g, const double *f, double *alpha,
    double *Ka, double *bias);

/* alpha, Ka and bias at K; knife/knife.h tells how it fails. */
int kith_knife_solve(struct kith_knife_state *state, struct kith_err *err);

/* The same for the losses that are not squared, by Newton's method. */
int kith_knife_newton(struct kith_knife_state *state, struct kith_err *err);

/* The message that lambda1 is too small; -1. */
int kith_knife_singular(
    const struct kith_knife_state *state, struct kith_err *err);

/* v += b u (n) such that 1'v = sum; b, for u of 1'u > 0. */
double kith_knife_balance(size_t n, double sum, const double *u, double *v);

/* q_j (p) = the sum over the outputs of alpha' (dK/dw_j) alpha. */
void kith_knife_forms(struct kith_knife_state *state, double *q);

/* sum_j += m_l |x_j - z_lj| over the n rows z that follow each other from Z. */
void kith_knife_moduli(size_t n, size_t p, const double *m, const double *x,
    const double *Z, double *sum);

/*
 * A (n x p) of output o: A_ij = sum_l alpha_l d K_il / d w_j.  square (n x p)
 * is room.
 */
void kith_knife_slopes(
    struct kith_knife_state *state, size_t o, double *square, double *A);

/* F at the machine and w. */
double kith_knife_objective(
    const struct kith_knife_state *state, const double *w);

/* Rows first..last - 1 of a block. */
static inline size_t
kith_knife_tile(size_t n, size_t block, size_t *first)
{
	*first = block * KITH_KNIFE_TILE;
	return n - *first < KITH_KNIFE_TILE ? n : *first + KITH_KNIFE_TILE;
}

static inline size_t
kith_knife_tiles(size_t n)
{
	return (n + KITH_KNIFE_TILE - 1) / KITH_KNIFE_TILE;
}

#endif
