/* SPDX-License-Identifier: BSD-2-Clause */
/* relief/turned - what relief/turn.c and the files beside it work on. */
#ifndef KITH_RELIEF_TURNED_H
#define KITH_RELIEF_TURNED_H

#include "near/near.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_by_class;

/* exp(-GONE) is below rounding of a sum of at least 1 over 2^20 terms. */
enum { KITH_RELIEF_GONE = 40 };

enum { KITH_RELIEF_CHUNK = 32 }; /* exponents that are looked at together */

/* Scratch of a thread, and what it knows of a row. */
struct kith_relief_turn_room {
	double *B, *E, *U; /* rows of a block: x room, x n, x room */
	double *e;         /* n: exponents of a row */
	double *col;       /* n: column sums of G */
	float *v;          /* n, and some: distances */
	double *chunk;     /* the largest exponent of each chunk */

	double *G;        /* n: df / dd_ij of the rows j that are left: */
	size_t *at, left; /* n: which, and how many */
};

/* Lists of near rows (relief/turn_near.h), and what is done with them. */
enum kith_relief_near {
	KITH_RELIEF_NEAR_IDLE,
	KITH_RELIEF_NEAR_MADE,
	KITH_RELIEF_NEAR_USED
};

struct kith_relief_turn_near {
	size_t k; /* rows of a list at most; 0: there are none */

	/* n x k, the nearest first; d: |z_i - z_j| was at least so large */
	struct kith_neighbour *nn;
	size_t *held;      /* n: how many are held, */
	double *reach;     /* n: and how far away all others were at least */
	double *Z;         /* n x room: z as they were */
	double *moved;     /* n: how far each has come since; */
	double most;       /* the largest of these */
	double size;       /* the largest |z|^2 as they were */
	double heaviest;   /* of log_weight */
	bool made;         /* there are lists of all rows, which */
	size_t served;     /* have been of use so often */
	size_t rest, idle; /* the last pause, and what is left of it */
	enum kith_relief_near now; /* what is done with them */
};

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
	bool *many,
	    *some;  /* n, blocks: rows whose G is in E, or E of a block */
	bool *lost; /* stripes: lists lack rows */
	struct kith_relief_turn_near near;
};

#endif
