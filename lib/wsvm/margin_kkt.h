/* SPDX-License-Identifier: BSD-2-Clause */
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

#include <stdbool.h>
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
	double residual;    /* of the last systems solved, over their terms */
	const double *left; /* 2 size: those of solve_next(), until M changes */
	const size_t *items; /* those of scores(); NULL: all */
	size_t n_items;

	/* The rest is that of wsvm/margin_*.c; F = Q_MM + rho e e'. */
	const struct kith_smo_form *form;
	struct kith_pool *pool;
	size_t most;    /* room for so many variables */
	size_t changes; /* of the factor since it was computed anew */
	double rho;
	struct kith_chol chol;
	double *unit; /* most: F^-1 e */
	bool fresh;   /* unit is that of the present M */
	double *room; /* 4 x most; first F_vw of v that entered last */
	struct kith_wsvm_margin_step {
		bool on, enters;
		size_t changes; /* the step holds while these are so many */
		double shift[2], bias, *x, *unit;
	} step;       /* of wsvm/margin_step.c */
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

/*
 * The variables v[0..count-1] enter M in this order, all before the first that
 * enter() refuses; returns their number.  Time as theirs, but a fraction of it
 * for the factor.
 */
size_t kith_wsvm_margin_enter_all(
    struct kith_wsvm_margin *margin, const size_t *v, size_t count);

/* v leaves M.  Time O(|M|^2). */
void kith_wsvm_margin_leave(struct kith_wsvm_margin *margin, size_t v);

/*
 * Factor Q_MM + rho e e' anew.  A variable that depends on others, but for
 * rounding, gets a larger diagonal; refinement corrects the solutions.  Time
 * O(|M|^3).
 */
void kith_wsvm_margin_factor(struct kith_wsvm_margin *margin);

/* a_w = Q_vw for all w of M, and v outside.  Time O(n), and kernel rows. */
void kith_wsvm_margin_column(
    struct kith_wsvm_margin *margin, size_t v, double *a);

/*
 * The scores of M: u_i += sum_v a_v phi_v' Phi(x_i) for all items i, or those of
 * margin->items; a holds |M| numbers, u n.  Time O(|M|) for each.
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
