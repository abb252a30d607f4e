/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/turned - what relief/turn.c and relief/turn_row.c work on. */
#ifndef KITH_RELIEF_TURNED_H
#define KITH_RELIEF_TURNED_H

#include "relief/turn_near.h"

#include <stddef.h>

struct kith_by_class;

struct kith_relief_turn {
	const struct kith_by_class *s; /* the rows; one class for numbers */
	const double *t; /* n targets by place: mean 0, variance 1; or */
	/* NULL: classes */
	const double *weight; /* n row weights > 0 by place; NULL: all are 1 */
	size_t r;             /* rows of A, <= p */
	size_t threads;

	/* kith_relief_turn_new() sets: */
	size_t room, stripes; /* doubles of a turned row; sums in parts */
	double total;         /* of the row weights */
	double wild;          /* more than any value */
	double *log_weight;   /* n */
	double *X;            /* n x p: less their mean */
	double *Z, *M;        /* n x room; stripes x n x room */
	double *E;            /* n x n exponents, or NULL where n is large */
	struct kith_relief_turn_room *each; /* of the threads */
	double *part;                       /* stripes: of the value */
	bool *many, *some; /* n, blocks: rows whose G is in E, or E of a block */
	bool *lost; /* stripes: lists lack rows */
	struct kith_relief_turn_near near;
};

#endif
