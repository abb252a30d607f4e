/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/check - whether weights are a local minimum of F of sqpfw/sqpfw.h, from the
 * rows and the weights alone: nothing of the solver is used.  The command's own
 * certificate and its option --check are the same call.
 */
#ifndef KITH_SQPFW_CHECK_H
#define KITH_SQPFW_CHECK_H

#include "table/check.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_mat;
struct kith_pool;
struct kith_sqpfw_how;
struct kith_sqpfw_judge;

/* The largest |sum w - 1| and the largest residual of a certified minimum. */
#define KITH_SQPFW_SUM 1e-12
#define KITH_SQPFW_RESIDUAL 1e-8

/*
 * Proposed multipliers: ask() returns the share of the pair of rows (i, j) in the
 * multiplier of the target of row i, NAN if it is unknown.  A proposal makes the
 * search for multipliers shorter and is never believed without proof.
 */
struct kith_sqpfw_shares {
	double (*ask)(const void *of, size_t i, bool miss, size_t j);
	const void *of;
};

struct kith_sqpfw_verdict {
	double simplex;   /* |sum w - 1| */
	double objective; /* F(w) */
	size_t ties;      /* tied pairs with different rows that were looked at, less one a kink */
	size_t concave;   /* concave kinks */
	size_t open;      /* concave kinks not all of whose choices were tried, or, where more rows
			     are tied than can be looked at, all kinks */
	double residual;  /* largest |r_f| / max(1, theta H_f) (check.c); NaN: not known */
	bool certified;   /* w is a local minimum */
};

/*
 * Prepares to judge weights of rows X (n x p, finite) of classes y (0..c-1); all arguments but
 * *how must outlive the judge.  Of *how (sqpfw/sqpfw.h) the ranks, the prior, the weights of the
 * rows and the threads count.  Each class must have more than `hits` rows, and `misses` rows must
 * lie outside of it.
 */
struct kith_sqpfw_judge *kith_sqpfw_judge_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_how *how, struct kith_pool *pool);

/*
 * Judges the weights w (p, >= 0) at theta.  shares may be NULL.  If the residual is
 * above its limit, down (p; NULL: not wanted) receives a direction along which F
 * falls unless rounding prevents it, else 0.
 */
void kith_sqpfw_judge(struct kith_sqpfw_judge *it, const double *w, double theta,
    const struct kith_sqpfw_shares *shares, struct kith_sqpfw_verdict *out, double *down);

/* F(w) at theta alone. */
double kith_sqpfw_judge_objective(struct kith_sqpfw_judge *it, const double *w, double theta);

/* The targets under w: hit of row i at 2 i, miss at 2 i + 1; of equals the first. */
const size_t *kith_sqpfw_judge_targets(struct kith_sqpfw_judge *it, const double *w);

/* Frees what is not in the pool; to be called before the pool is freed. */
void kith_sqpfw_judge_free(struct kith_sqpfw_judge *it);

/* The verdict as a table of checks: simplex, concave (open kinks), residual. */
enum { KITH_CHECK_SQPFW = 3 };

void kith_check_sqpfw(
    const struct kith_sqpfw_verdict *verdict, struct kith_check out[KITH_CHECK_SQPFW]);

#endif
