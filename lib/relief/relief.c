/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/relief.h"

#include "base/err.h"
#include "base/pool.h"
#include "relief/once.h"
#include "relief/turf.h"

#include <assert.h>
#include <math.h>

/* Weights below this share of the largest are none. */
static const double NOTHING = 0x1p-200;

static bool
is_constant(const double *t, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (t[i] != t[0])
			return false;
	return true;
}

/* Whether all rows are of one class. */
static bool
is_one_class(const size_t *y, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (y[i] != y[0])
			return false;
	return true;
}

/* Weights of mean 1 for n rows; NULL where all are equal. */
static const double *
mean_one(double *weight, size_t n)
{
	double most = 0, sum = 0;
	bool equal = true;

	for (size_t i = 0; i < n; i++) {
		most = fmax(most, weight[i]);
		equal = equal && weight[i] == weight[0];
	}
	for (size_t i = 0; i < n; i++) {
		weight[i] /= most;
		sum += weight[i];
	}
	for (size_t i = 0; i < n; i++)
		weight[i] *= (double)n / sum;
	return equal ? NULL : weight;
}

/* Leave out the rows of weight 0, and those that vanish beside the others. */
static int
sift(
    struct kith_relief_rows *rows, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_relief_rows all = *rows;
	size_t *row = kith_new(pool, all.X.n, sizeof(*row)), n = 0;
	size_t *y = all.y ? kith_new(pool, all.X.n, sizeof(*y)) : NULL;
	double *t = all.t ? kith_new(pool, all.X.n, sizeof(*t)) : NULL;
	double *weight = kith_new(pool, all.X.n, sizeof(*weight)), most = 0;

	for (size_t i = 0; i < all.X.n; i++)
		most = fmax(most, all.weight[i]);
	for (size_t i = 0; i < all.X.n; i++) {
		if (!(all.weight[i] / most > NOTHING))
			continue;
		if (y)
			y[n] = all.y[i];
		if (t)
			t[n] = all.t[i];
		weight[n] = all.weight[i];
		row[n++] = i;
	}
	rows->X = kith_mat_rows(&all.X, row, n, pool);
	rows->y = y;
	rows->t = t;
	rows->weight = mean_one(weight, n);
	if (y && is_one_class(y, n))
		return kith_fail(err, EX_DATAERR,
		    "one class only has rows of weight above 0");
	return 0;
}

static int
check(const struct kith_relief_rows *rows, struct kith_err *err)
{
	if (!rows->y && rows->t && is_constant(rows->t, rows->X.n))
		return kith_fail(err, EX_DATAERR, "the target is constant");
	return 0;
}

int
kith_relief(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, struct kith_relief *out,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_relief_rows some = *rows;
	int got;

	assert(rows->X.n >= 1 && (rows->y || kith_relief_takes_numbers(how)));
	assert(how->k >= 1 || how->method != KITH_RELIEFF);
	*out = (struct kith_relief){.converged = true, .best = 1};
	got = rows->weight ? sift(&some, &tmp, err) : 0;
	if (got == 0)
		got = check(&some, err);
	if (got == 0)
		got = how->turf > 0
		    ? kith_relief_turf(&some, how, out, pool, err)
		    : kith_relief_once(&some, how, out, pool, err);
	kith_pool_free(&tmp);
	return got;
}
