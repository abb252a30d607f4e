/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate/sides - what immigrate/soft.c and immigrate/soften.c work on. */
#ifndef KITH_IMMIGRATE_SIDES_H
#define KITH_IMMIGRATE_SIDES_H

#include "immigrate/tile.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_data;

/* n numbers each; a row without hits has the sum 0. */
struct kith_immigrate_side {
	double *least, *most; /* distances */
	double *sum;
	double *mean;    /* weighted mean of (d - least)/sigma; NaN if one is inf */
	size_t *nearest; /* the row at this least distance, or of any number */
	double *gone;    /* what left out pairs would add to sum at most */
};

/* Scratch of one thread. */
struct kith_immigrate_soft_room {
	struct kith_immigrate_tile_room tile;
	double *d;     /* TILE x TILE */
	double *strip; /* TILE x n: distances of a tile's rows to all rows */
	double *z, *e; /* n; SOFTEN_ROWS x n */
};

struct kith_immigrate_soft {
	const struct kith_immigrate_data *data;
	double sigma; /* > 0, in units of the distances; may be inf */
	size_t threads;
	struct kith_immigrate_metric metric;
	double *store; /* pairs of tiles x TILE x TILE; NULL: computed anew */

	bool nearest; /* find the nearest rows, too, */
	bool mean;    /* and the means */

	/*
	 * n x n: exp((least - d)/sigma) of each row and each other, 0 of itself, unless
	 * pairs are left out; NULL: they are computed anew.
	 */
	double *kept;

	/*
	 * Pairs are left out: in the store is the negative of a number that
	 * their distance is not below, and their weights count as 0.
	 */
	bool some;
	struct kith_immigrate_side hit, miss;
	struct kith_immigrate_soft_room *room; /* threads */
};

#endif
