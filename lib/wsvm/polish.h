/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/polish - the exact minimum of a box form (wsvm/smo.h) from a point near
 * it, by a primal active-set method; the objective never grows.
 */
#ifndef KITH_WSVM_POLISH_H
#define KITH_WSVM_POLISH_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;
struct kith_smo_form;
struct kith_wsvm_margin;
struct kith_wsvm_polish;

/* Room for forms of so many rows and variables, in the pool. */
struct kith_wsvm_polish *kith_wsvm_polish_new(
    const struct kith_smo_form *form, struct kith_pool *pool);

struct kith_wsvm_polish_job {
	const struct kith_smo_form *form;
	struct kith_wsvm_margin *margin;
	const size_t *live; /* the variables that may move */
	size_t count;

	/* e' x is to grow by the residual; where it is not 0, M is not empty. */
	double residual;
	double tol;         /* violations up to tol unit_v count as rounding */
	const double *unit; /* N, > 0: of those that are live */
	bool batch;         /* those nearly as bad as the worst enter with it */
	bool start;         /* M may have no factor (wsvm/margin_cg.h) */
	double *x; /* N: on a bound where not in M; within bounds in M */
	double *s; /* n: scores of x */
	double b;  /* the bias found; M empty: the middle of its interval */
};

/*
 * Make the variables that are between their bounds M.  Where one depends
 * linearly on those already in M, all move without changing any score, until
 * one is on a bound.
 */
void kith_wsvm_polish_begin(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job);

/*
 * Solve.  Returns the steps; tol is larger afterwards where rounding did not
 * let it be reached.  Time O(n |M| + count) per step.
 */
size_t kith_wsvm_polish(
    struct kith_wsvm_polish *room, struct kith_wsvm_polish_job *job);

#endif
