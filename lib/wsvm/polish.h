/*
 * wsvm/polish - the exact solution of a box form (wsvm/smo.h) from a point near
 * it, by a primal active-set method: M moves to the minimum over it, or as far
 * as its bounds let it, where a variable leaves; at the minimum the variable
 * with the largest violation enters.  The objective never grows.
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
	const size_t *live; /* those that may move */
	size_t count;
	double off; /* what e' x lacks at the start; M is not empty then */
	double tol; /* a violation */
	bool along; /* those nearly as bad as the worst enter with it */
	double *x;  /* N, at a bound where not in M; in bounds in M */
	double *s;  /* n: scores of x */
	double b;   /* found; M empty: the middle of its interval */
};

/*
 * Make those between their bounds M; where one depends on those already there,
 * all move along, without any score, until one is on a bound.
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
