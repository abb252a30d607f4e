/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/sigma - the scale of distances that the rows themselves ask for.
 *
 * With m the median, over the rows, of the distance to the nearest row of
 * another class under equal weights (of the distances above 0, where half of
 * them are 0), the scales tried are 8 m, 2 m, m/4 and m/32.  At each of them
 * weights are fitted in a few iterations, and each row is predicted from all
 * others by expected distance under these (near/expect.h); the one that gets the
 * least weight of rows wrong is taken, of equal ones the largest.
 */
#ifndef KITH_IMMIGRATE_SIGMA_H
#define KITH_IMMIGRATE_SIGMA_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_how;
struct kith_immigrate_rows;

/* The most rows that scales are tried on. */
enum { KITH_IMMIGRATE_SIGMA_ROWS = 1000 };

struct kith_immigrate_sigma {
	double value; /* the scale, above 0 and finite */
	double unit;  /* m; 0: rows of two classes never differ, value is 1 */
	double times; /* value over the unit */
	double wrong; /* the share of the rows' weight that it gets wrong */
	size_t rows;  /* looked at */
};

/*
 * The scale for a fit of the rows as `how` says, whose sigma is not looked at,
 * from the start W: a matrix (p x p, of Frobenius norm 1) or a vector (p, of sum
 * 1).  Where there are more than KITH_IMMIGRATE_SIGMA_ROWS rows, so many, of each
 * class in proportion and equally spaced, stand for all.  Time: that of the fits,
 * on these rows.  The same for any number of threads.
 */
struct kith_immigrate_sigma kith_immigrate_sigma(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_how *how, bool matrix, const double *W);

#endif
