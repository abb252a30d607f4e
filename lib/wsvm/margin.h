/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/margin - what wsvm/margin_kkt.h and its kin share.
 */
#ifndef KITH_WSVM_MARGIN_H
#define KITH_WSVM_MARGIN_H

#include "la/chol.h"

#include <stdbool.h>
#include <stdint.h>

struct kith_pool;
struct kith_smo_form;
struct kith_wsvm_columns;
struct kith_wsvm_margin_cg;

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

	/* M without columns and factor (wsvm/margin_cg.h), or NULL. */
	struct kith_wsvm_margin_cg *cg;
	bool settled; /* of M then: solve_next() has solved its systems */

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

#endif
