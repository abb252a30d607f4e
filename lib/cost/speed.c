/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost/speed.h"

#include "base/pool.h"
#include "cost/pace.h"
#include "la/blas.h"
#include "la/mat.h"

#include <math.h>
#include <stddef.h>

enum { SIDE = 192 }; /* of the matrices, which stay in the cache */

/* Seconds of a product on the stated machine. */
static const double STATED = 2.9e-4;

struct product {
	struct kith_mat A, B, C;
};

static void
multiply(void *with)
{
	const struct product *p = with;

	kith_blas_product(SIDE, SIDE, SIDE, p->A.v, p->B.v, p->C.v);
}

double
kith_cost_speed(void)
{
	struct kith_pool pool = {0};
	struct product p = {kith_mat_new(&pool, SIDE, SIDE), kith_mat_new(&pool, SIDE, SIDE),
	    kith_mat_new(&pool, SIDE, SIDE)};
	double speed;

	for (size_t e = 0; e < (size_t)SIDE * SIDE; e++) {
		p.A.v[e] = (double)(e % 1009) / 1009;
		p.B.v[e] = (double)(e % 2003) / 2003;
	}
	speed = kith_cost_median(multiply, &p) / STATED;
	kith_pool_free(&pool);
	return speed > 0 ? sqrt(speed * kith_cost_pace()) : 1;
}
