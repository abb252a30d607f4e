/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/check_row.h"

#include "near/metric.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>

/* Exponents of lengths that may share a unit differ by so much at most. */
enum { GRADE = 20 };

/* A row of the data, as it is and packed. */
struct point {
	const double *raw, *packed;
	int unit; /* linear: the row counts divided by 2^unit */
};

/* The problem, everything divided by factor, and in the units of its rows. */
struct problem {
	const struct kith_check_nnk_row *row;
	struct point q;
	double factor;
	long double b, t, A; /* the sizes that lambda is compared with */
	long double sum;     /* of t */
	long double rounding;
};

/* sum_j w_j x_j z_j */
static long double
product(const struct kith_metric *metric, const double *x, const double *z)
{
	long double sum = 0;

	for (size_t j = 0; j < metric->p; j++)
		sum += (long double)x[j] * z[j] * (metric->w ? metric->w[j] : 1);
	return sum;
}

/* The kernel of two rows; gaussian: times exp(shift / (2 sigma^2)). */
static long double
kernel(const struct problem *of, struct point a, struct point b, double shift)
{
	const struct kith_metric *metric = of->row->metric;
	const double sigma = of->row->sigma;
	double d;

	if (of->row->kernel == KITH_KERN_COSINE)
		return (1 + product(metric, a.raw, b.raw)) / 2;
	if (of->row->kernel == KITH_KERN_LINEAR)
		return scalbnl(product(metric, a.raw, b.raw), -a.unit - b.unit);
	assert(of->row->kernel == KITH_KERN_GAUSSIAN);
	kith_dist_rows(of->row->packed, a.packed, b.packed, 1, &d);
	return exp(-(d - shift) / sigma / sigma / 2);
}

static struct point
point_of(const struct problem *of, size_t j)
{
	const struct kith_check_nnk_row *row = of->row;

	return (struct point){row->raw[j], row->G + j * row->packed->p, row->unit[j]};
}

/* The exponent of the length of a row; INT_MIN: it is 0. */
static int
length(const struct problem *of, const double *raw)
{
	const long double square = product(of->row->metric, raw, raw);

	return square > 0 ? ilogbl(square) / 2 : INT_MIN;
}

/* Choose the units of q and its candidates; rows of 0 need none. */
static void
choose_units(struct problem *of)
{
	const struct kith_check_nnk_row *row = of->row;
	const size_t n = row->n;
	int most = INT_MIN, least = INT_MAX;

	of->q.unit = INT_MIN;
	for (size_t j = 0; j <= n; j++) {
		int *unit = j < n ? &row->unit[j] : &of->q.unit;

		*unit = INT_MIN;
		if (of->row->kernel == KITH_KERN_LINEAR)
			*unit = length(of, j < n ? row->raw[j] : of->q.raw);
		if (*unit == INT_MIN)
			continue;
		most = *unit > most ? *unit : most;
		least = *unit < least ? *unit : least;
	}
	for (size_t j = 0; j <= n; j++) {
		int *unit = j < n ? &row->unit[j] : &of->q.unit;

		if (*unit == INT_MIN || most - least <= GRADE)
			*unit = most > INT_MIN ? most : 0;
	}
}

/* What is printed as w stands for this weight of candidate j. */
static long double
weight_of(const struct problem *of, double w, size_t j)
{
	return scalbnl(w, of->row->unit[j] - of->q.unit) / of->factor;
}

/* lambda += t K_Sj for all candidates; the largest |K_Sj|. */
static long double
add_column(const struct problem *of, size_t j, long double t)
{
	const struct point x = point_of(of, j);
	long double most = 0;

	for (size_t i = 0; i < of->row->n; i++) {
		const long double A = kernel(of, x, point_of(of, i), 0);

		of->row->lambda[i] += t * A;
		most = fabsl(A) > most ? fabsl(A) : most;
	}
	return most;
}

/* lambda = K_SS theta - K_Sq + eta, and the sizes. */
static void
find_lambda(struct problem *of)
{
	for (size_t j = 0; j < of->row->n; j++) {
		const struct point x = point_of(of, j);
		const long double b = kernel(of, of->q, x, of->row->shift);

		of->row->lambda[j] = -b;
		if (of->row->eta > 0)
			of->row->lambda[j] += scalbnl(of->row->eta, -of->q.unit - x.unit) /
			    of->factor;
		of->b = b > of->b ? b : of->b;
	}
	for (size_t j = 0; j < of->row->n && of->factor > 0; j++) {
		const long double t = weight_of(of, of->row->t[j], j);
		long double A = 0;

		if (t > 0)
			A = add_column(of, j, t);
		of->A = A > of->A ? A : of->A;
		of->t = t > of->t ? t : of->t;
		of->sum += t;
	}
}

/* What rounding makes of lambda. */
static long double
rounding(const struct problem *of)
{
	const double n = (double)of->row->n, p = (double)of->row->metric->p;
	long double most = 1;

	if (of->row->kernel == KITH_KERN_LINEAR && of->A > 1)
		most = of->A;
	return DBL_EPSILON * (n + p + 8) * most * (1 + of->sum);
}

/* What lambda is relative to. */
static long double
size_of(const struct problem *of)
{
	/* Weights too small for a double are not told exactly. */
	const long double tiny = (long double)DBL_TRUE_MIN * (double)of->row->n / of->factor;

	return of->b + of->t * of->A + (tiny + of->rounding) / of->row->limit;
}

/*
 * Give candidate j, which has no edge, its best weight up to `most`; whether
 * that is another one than before.
 */
static bool
put_back_one(const struct problem *of, size_t j, double most)
{
	const struct point x = point_of(of, j);
	const long double A = kernel(of, x, x, 0);
	const long double limit = weight_of(of, most, j);
	const long double was = of->row->cut[j];
	long double t = was;

	if (!(A > 0) || (was == 0 && !(of->row->lambda[j] < -of->row->limit * size_of(of))))
		return false;
	t -= of->row->lambda[j] / A;
	t = t < 0 ? 0 : t > limit ? limit : t;
	add_column(of, j, t - was);
	of->row->cut[j] = t;
	return t != was;
}

/* Put back what was cut, as far as that lowers the objective. */
static void
put_back(struct problem *of)
{
	double most = 0;
	bool more = true;

	for (size_t j = 0; j < of->row->n; j++)
		most = fmax(most, of->row->t[j]);
	for (size_t round = 0; round < of->row->n && more; round++) {
		more = false;
		for (size_t j = 0; j < of->row->n; j++)
			if (!(of->row->t[j] > 0) && put_back_one(of, j, of->row->least * most))
				more = true;
	}
}

static double
larger(double a, long double b)
{
	return b > a ? (double)b : a;
}

/* The largest lambda of edges, and -lambda of others, into at. */
static void
measure(const struct problem *of, double at[2])
{
	const long double size = size_of(of);

	at[0] = at[1] = 0;
	for (size_t j = 0; j < of->row->n; j++) {
		const long double lambda = of->row->lambda[j] == 0 ? 0 : of->row->lambda[j] / size;

		if (of->row->t[j] > 0)
			at[0] = larger(at[0], fabsl(lambda));
		else
			at[1] = larger(at[1], of->row->cut[j] > 0 ? fabsl(lambda) : -lambda);
	}
}

void
kith_check_nnk_row(const struct kith_check_nnk_row *row, double at[2])
{
	struct problem of = {.row = row, .q = {row->raw_q, row->q, 0}, .factor = 1};

	assert(row->n > 0);
	if (row->kernel == KITH_KERN_GAUSSIAN)
		of.factor = exp(-row->shift / row->sigma / row->sigma / 2);
	choose_units(&of);
	find_lambda(&of);
	for (size_t j = 0; j < row->n; j++)
		row->cut[j] = 0;
	measure(&of, at);
	if (fmax(at[0], at[1]) > row->limit && of.factor > 0) {
		of.rounding = rounding(&of);
		put_back(&of);
		measure(&of, at);
	}
}
