/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife/state - what the parts of knife/knife.h share: the matrices at a w, and
 * the machine.
 */
#ifndef KITH_KNIFE_STATE_H
#define KITH_KNIFE_STATE_H

#include "base/pool.h"
#include "knife/problem.h"
#include "near/metric.h"

enum { KITH_KNIFE_TILE = 256 }; /* rows of a block of work */

/* K = G G' + E (knife/rank.h). */
struct kith_knife_rank {
	size_t r;     /* columns */
	double *G;    /* n x r */
	double trace; /* of E, what is left */
};

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
	bool tiled;   /* K is not held: knife/tiles.h */
	double *mean; /* p: of Z, for knife/primal.c */
	bool centred; /* by it: the factor is of a problem with an intercept */

	/* Where it is tiled: */
	struct kith_pool now;        /* what belongs to a w */
	bool ranked;                 /* there is */
	struct kith_knife_rank rank; /* in it */
	size_t products;             /* with K */

	double *K; /* n x n */
	double *H; /* polynomial: (x'wz + coef0)^(degree - 1), else K */
	double *R; /* n x n: a factor, room else */

	double *alpha, *Ka; /* c columns of n: the machine, K alpha */
	double *bias;       /* c */
	size_t tile;        /* of the rows of a block, times max(n, p) */
	double *room;       /* threads x 2 x tile */
	double *sums;       /* tiles x p */
	bool warm;          /* alpha is that of a w nearby */
	size_t dense;       /* of so many features K is of no low rank */
};

/*
 * Ready for any w; the problem must live as long.  tiled: K is not to be held
 * where the problem is large.
 */
struct kith_knife_state kith_knife_begin(const struct kith_knife_problem *problem, bool tiled);
void kith_knife_end(struct kith_knife_state *state);

/* The message that lambda1 is too small; -1. */
int kith_knife_singular(const struct kith_knife_state *state, struct kith_err *err);

/* v += b u (n) such that 1'v = sum; b, for u of 1'u > 0. */
double kith_knife_balance(size_t n, double sum, const double *u, double *v);

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
