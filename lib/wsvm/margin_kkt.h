/*
 * wsvm/margin_kkt - the margin M of a box form (wsvm/smo.h), the variables
 * between their bounds, and their linear systems.
 *
 * With a bias these are bordered, eq. (10):
 *
 *	[ Q_MM  e_M ] [ x ]   [ c ]
 *	[ e_M'   0  ] [ b ] = [ r ]
 *
 * As e_M' x = r, Q_MM + rho e e' and c + rho r e give the same x and b.  What
 * is kept is the Cholesky factor of Q_MM + rho e e', which exists wherever the
 * bordered system has one solution.
 */
#ifndef KITH_WSVM_MARGIN_KKT_H
#define KITH_WSVM_MARGIN_KKT_H

#include "la/chol.h"

#include <stdint.h>

struct kith_smo_form;
struct kith_wsvm_columns;

/* The place of a variable that is not in M. */
#define KITH_WSVM_NOT SIZE_MAX

struct kith_wsvm_margin {
	size_t size;                       /* |M| */
	size_t *list;                      /* M, in the order of the systems */
	size_t *place;                     /* N: of v in list, or NOT */
	struct kith_wsvm_columns *columns; /* of the kernel, of M */
	double residual; /* of the last systems solved, over their terms */

	/* The rest is wsvm/margin_kkt.c's. */
	const struct kith_smo_form *form;
	struct kith_pool *pool;
	size_t most;    /* room for so many variables */
	size_t changes; /* of the factor since it was computed anew */
	double rho;
	struct kith_chol chol;
	double *unit; /* most: (Q_MM + rho e e')^-1 e */
	bool fresh;   /* unit is that of the present M */
	double *room; /* 4 x most */
	double *side; /* SIDES x chol.ld */
};

/* M is empty; the form stays where it is, its rows and signs as they are. */
struct kith_wsvm_margin *kith_wsvm_margin_new(
    const struct kith_smo_form *form, struct kith_pool *pool);

/*
 * v enters M, at the end.  False, and v stays outside, where the system would
 * be singular.  Time O(n + |M|^2), and a kernel row for each of its items.
 */
bool kith_wsvm_margin_enter(struct kith_wsvm_margin *margin, size_t v);

/* v leaves M.  Time O(|M|^2). */
void kith_wsvm_margin_leave(struct kith_wsvm_margin *margin, size_t v);

/*
 * Solve Q_MM x + e_M b = c, e_M' x = r for `count` right-hand sides, one or two
 * (c_k from c + k |M| on, x likewise), with iterative refinement until only
 * rounding is left; without a bias r is not used and b is 0.  |M| >= 1.  Time
 * O(|M|^2); the factor is computed anew, O(|M|^3), where the residual is large,
 * or after as many changes as M has variables, and at least 100.
 */
void kith_wsvm_margin_solve(struct kith_wsvm_margin *margin, size_t count,
    const double *c, const double *r, double *x, double *b);

/*
 * z (|M|), the change of M with which v, which enter() refused, grows by 1 and
 * no score changes: Q_MM z + e_M b = -Q_Mv, e_M' z = -e_v.
 */
void kith_wsvm_margin_null(
    struct kith_wsvm_margin *margin, size_t v, double *z);

/*
 * The scores of M: u_i += sum_v a_v phi_v' Phi(x_i); a holds |M| numbers, u
 * n.  Time O(n |M|).
 */
void kith_wsvm_margin_scores(
    struct kith_wsvm_margin *margin, const double *a, double *u);

/*
 * The same in two steps, for some items: load a, and b unless it is NULL,
 * which stay until M changes or solve() is called; then score the columns of M
 * (wsvm/columns.h).
 */
void kith_wsvm_margin_load(
    struct kith_wsvm_margin *margin, const double *a, const double *b);
#endif
