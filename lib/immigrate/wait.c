/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/wait.h"

#include "base/pool.h"
#include "immigrate/rows.h"
#include "immigrate/tile.h"
#include "la/blas.h"
#include "la/lanes.h"
#include "la/simd.h"

#include <math.h>

enum { BLOCK = KITH_IMMIGRATE_BLOCK };

struct kith_immigrate_wait
kith_immigrate_wait_new(const struct kith_immigrate_data *data, bool floats, struct kith_pool *pool)
{
	struct kith_immigrate_wait wait = {0};

	KITH_NEW_REALS(pool, BLOCK, data->ld, &wait.hit.D, &wait.miss.D);
	if (!floats)
		return wait;
	wait.hit.F = kith_new(pool, BLOCK, data->ld * sizeof(*wait.hit.F));
	wait.miss.F = kith_new(pool, BLOCK, data->ld * sizeof(*wait.miss.F));
	wait.sum = kith_new(pool, data->p, data->p * sizeof(*wait.sum));
	return wait;
}

/* v = s |x - z| of eight features; their squares are added to the sum. */
KITH_INLINE void
scale(const double *x, const double *z, double s, kith_v8d *v, kith_v8d *sum)
{
	kith_lanes_diff(v, x, z, true);
	*v *= s;
	*sum += *v * *v;
}

KITH_CLONES static double
wait_scaled(size_t ld, const double *x, const double *z, double s, double *D)
{
	kith_v8d sum = {0};

	for (size_t j = 0; j < ld; j += 8) {
		kith_v8d v;

		scale(x + j, z + j, s, &v, &sum);
		*(kith_v8d *)(D + j) = v;
	}
	return kith_lanes_sum(&sum);
}

/* The same, D in floats. */
KITH_CLONES static double
wait_scaled_floats(size_t ld, const double *x, const double *z, double s, float *D)
{
	kith_v8d sum = {0};

	for (size_t j = 0; j < ld; j += 8) {
		kith_v8d v;

		scale(x + j, z + j, s, &v, &sum);
		*(kith_v8f *)(D + j) = __builtin_convertvector(v, kith_v8f);
	}
	return kith_lanes_sum(&sum);
}

double
kith_immigrate_wait_scaled(size_t ld, const double *x, const double *z, double s, double *D)
{
	return wait_scaled(ld, x, z, s, D);
}

static void
flush_floats(const struct kith_immigrate_data *data, struct kith_immigrate_waiting *waiting,
    double sign, float *of, double *sum)
{
	const size_t p = data->p;

	kith_blas_gram_floats(waiting->n, p, waiting->F, data->ld, of);
	for (size_t i = 0; i < p; i++)
		for (size_t k = i * p + i; k < (i + 1) * p; k++)
			sum[k] += sign * (double)of[k];
}

static void
flush(struct kith_immigrate_wait *wait, const struct kith_immigrate_data *data,
    struct kith_immigrate_waiting *waiting, bool floats, double *sum)
{
	const double sign = waiting == &wait->hit ? 1 : -1;

	if (floats && waiting->n > 0)
		flush_floats(data, waiting, sign, wait->sum, sum);
	else
		kith_blas_gram(waiting->n, data->p, sign, waiting->D, data->ld, sum);
	waiting->n = 0;
}

double
kith_immigrate_wait_add(struct kith_immigrate_wait *wait, const struct kith_immigrate_data *data,
    const double *x, const double *z, double c, bool floats, double *sum)
{
	struct kith_immigrate_waiting *waiting = c > 0 ? &wait->hit : &wait->miss;
	const size_t ld = data->ld, at = waiting->n++ * ld;
	const double root = sqrt(fabs(c));
	double square;

	if (floats)
		square = wait_scaled_floats(ld, x, z, root, waiting->F + at);
	else
		square = wait_scaled(ld, x, z, root, waiting->D + at);
	if (waiting->n == BLOCK)
		flush(wait, data, waiting, floats, sum);
	return square;
}

void
kith_immigrate_wait_end(struct kith_immigrate_wait *wait, const struct kith_immigrate_data *data,
    bool floats, double *sum)
{
	flush(wait, data, &wait->hit, floats, sum);
	flush(wait, data, &wait->miss, floats, sum);
}
