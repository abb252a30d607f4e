/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/check - the one judgement of weights of sqpfw/sqpfw.h: whether they are
 * a local minimum of the objective
 *
 *	F(w) = theta/n sum_i (d_i - e_i) + 1/2 |w - prior|^2
 *
 * from the rows and the weights alone.  Targets and what is tied with them are
 * found by comparing rows (sqpfw/targets.h), multipliers by sqpfw/certify.h;
 * nothing of the solver is used.  A command says that weights are a minimum,
 * and --check says yes to them, by the same call.
 */
#ifndef KITH_SQPFW_CHECK_H
#define KITH_SQPFW_CHECK_H

#include "sqpfw/certify.h"
#include "sqpfw/targets.h"
#include "table/check.h"

struct kith_pool;
struct kith_sqpfw_judge;

/* The most that rounding may make of |sum w - 1|. */
#define KITH_SQPFW_SUM 1e-12

struct kith_sqpfw_judge_how {
	size_t hits, misses; /* kappa, lambda */
	const double *prior; /* p; NULL: uniform */
	size_t threads;
	const double *weight; /* n, >= 0, of mean 1: of the rows; or NULL */
};

/* What a solver knows of its weights: it makes the judgement quicker, and no
 * other; with `only` it may miss a minimum. */
struct kith_sqpfw_known {
	struct kith_targets_hint rows;
	struct kith_certify_known shares;
	bool only; /* these multipliers or none (only_known) */
};

struct kith_sqpfw_verdict {
	double simplex;   /* |sum w - 1| */
	double objective; /* F(w) */
	struct kith_certificate seen;
	bool certified; /* w is a minimum: all three checks hold */
};

/*
 * Get ready to judge weights of rows X (n x p, finite) of classes y (0..c-1).
 * X, y, how->prior and
 * how->weight must stay where they are; kith_sqpfw_judge_free() goes
 * before the pool.  Requires that each class has more than how->hits rows, and
 * all other classes together at least how->misses.
 */
struct kith_sqpfw_judge *kith_sqpfw_judge_new(const struct kith_mat *X, const size_t *y, size_t c,
    const struct kith_sqpfw_judge_how *how, struct kith_pool *pool);

/*
 * Judge the weights w (p, not negative) at theta; known may be
 * NULL, down is that of sqpfw/certify.h.  Time: that of sqpfw/targets.h and
 * sqpfw/certify.h.
 */
void kith_sqpfw_judge(struct kith_sqpfw_judge *judge, const double *w, double theta,
    const struct kith_sqpfw_known *known, struct kith_sqpfw_verdict *out, double *down);

/* F(w) at theta alone. */
double kith_sqpfw_judge_objective(struct kith_sqpfw_judge *judge, const double *w, double theta);

void kith_sqpfw_judge_free(struct kith_sqpfw_judge *judge);

/*
 * The verdict as a table of checks:
 *
 *	simplex    |sum w - 1|, at most 1e-12
 *	concave    targets with a concave kink of which not all choices were
 *	           tried (sqpfw/certify.h), if theta > 0; at most 0
 *	residual   what is left of the condition of a minimum (sqpfw/certify.h)
 */
enum { KITH_CHECK_SQPFW = 3 };

void kith_check_sqpfw(
    const struct kith_sqpfw_verdict *verdict, struct kith_check out[KITH_CHECK_SQPFW]);

#endif
