/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/wait - pairs of rows of many features that wait until BLAS adds them
 * to Sigma = sum c D D', some hundred in one product.
 */
#ifndef KITH_IMMIGRATE_WAIT_H
#define KITH_IMMIGRATE_WAIT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_data;
struct kith_pool;

/* Pairs of one sign of c. */
struct kith_immigrate_waiting {
	size_t n;
	double *D; /* BLOCK x ld: sqrt|c| D */
	float *F;  /* the same in floats */
};

struct kith_immigrate_wait {
	struct kith_immigrate_waiting hit, miss; /* c > 0, c < 0 */
	float *sum;                              /* p x p, of a product of floats; NULL: doubles */
};

/* Room in the pool, for floats if there are to be any. */
struct kith_immigrate_wait kith_immigrate_wait_new(
    const struct kith_immigrate_data *data, bool floats, struct kith_pool *pool);

/*
 * Let rows x, z with c wait to be added to sum (p x p, the upper triangle), as
 * floats or doubles: the same from one end() to the next.  Returns |c| D'D.
 */
double kith_immigrate_wait_add(struct kith_immigrate_wait *wait,
    const struct kith_immigrate_data *data, const double *x, const double *z, double c, bool floats,
    double *sum);

/* Add all that wait. */
void kith_immigrate_wait_end(struct kith_immigrate_wait *wait,
    const struct kith_immigrate_data *data, bool floats, double *sum);

/* D = s |x - z|, of ld features; D'D. */
double kith_immigrate_wait_scaled(size_t ld, const double *x, const double *z, double s, double *D);

#endif
