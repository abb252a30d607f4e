/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relief/ascent - a search for a local minimum by L-BFGS, which begins anew
 * where a line search fails (for relief/nca.c and relief/metric.c).
 */
#ifndef KITH_RELIEF_ASCENT_H
#define KITH_RELIEF_ASCENT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

enum { KITH_RELIEF_PAST = 10 };

/* f(v), its gradient into g; a step that leads too far has a large value. */
typedef double kith_relief_value(void *to, const double *v, double *g);

struct kith_relief_ascent {
	kith_relief_value *value;
	void *to;
	size_t n;          /* variables */
	double tol;        /* ends it, where no derivative exceeds it */
	size_t max_iter;   /* at most */
	double gain;       /* it also ends where PAST iterations lower f by
			      less than this share of |f|; 0: never */
	double rows;       /* -f times it is what is told of on the way */
	size_t iterations; /* so far */
	size_t done;       /* of these before the present call of the library */
	double *last, *slope, f; /* n each: the last v asked for, and f there */
	bool known;              /* there was one */
	bool still;              /* they changed little: */
	double past[KITH_RELIEF_PAST]; /* f of the last iterations */
};

enum kith_relief_end {
	KITH_RELIEF_GRADIENT, /* no derivative exceeds tol */
	KITH_RELIEF_GAIN,     /* the last iterations changed little */
	KITH_RELIEF_FLAT,     /* no step tried lowers the value */
	KITH_RELIEF_LIMIT     /* max_iter iterations were not enough */
};

/* Room for n variables, as the search wants it. */
double *kith_relief_ascent_room(size_t n, struct kith_pool *pool);

/*
 * Minimise from v (kith_relief_ascent_room()); *f and g (n) are value and
 * gradient at the end.
 */
enum kith_relief_end kith_relief_ascend(
    struct kith_relief_ascent *search, double *v, double *g, double *f);

/*
 * Whether the search ended as it should: by the derivatives, or where rounding
 * hides any further step, by those of the logarithms of v, which have no unit.
 */
bool kith_relief_arrived(const struct kith_relief_ascent *search,
    enum kith_relief_end end, const double *v, const double *g);

#endif
