/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/row.h"

#include "base/pool.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/knn.h"
#include "near/metric.h"
#include "nnk/local.h"
#include "solve/nn.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* The ridge of lle-gram, of the mean of the diagonal; lle-signed: of its sum. */
#define RIDGE 1e-3

/* Lengths of rows may differ by 2^GRADE before each has a unit of its own. */
enum { GRADE = 20 };

/* Of what nnk/check.h allows. */
#define SURE 5e-12

/* No b is as large as this. */
#define LARGEST 0x1p1000

/* A factor below this may cost weights some digits. */
#define SMALLEST 1e-280

struct kith_nnk_row *
kith_nnk_row_new(enum kith_nnk_form form, enum kith_kern_kind kernel, const struct kith_mat *X,
    const struct kith_local_pack *pack, size_t most, struct kith_pool *pool)
{
	struct kith_nnk_row *row = kith_new(pool, 1, sizeof(*row));
	const size_t p = pack->metric.p, ld = kith_qp_nn_stride(most + 1);

	row->form = form;
	row->kernel = kernel;
	row->X = X;
	row->pack = pack;
	row->qp = kith_qp_nn_new(most, pool);
	row->A = kith_new(pool, most, ld * sizeof(*row->A));
	row->b = kith_new(pool, most, sizeof(*row->b));
	row->t = kith_new(pool, most, sizeof(*row->t));
	row->r = kith_new(pool, most, sizeof(*row->r));
	row->lin = kith_new(pool, most, sizeof(*row->lin));
	row->size = kith_new(pool, most, sizeof(*row->size));
	row->q = kith_new(pool, p, sizeof(*row->q));
	row->G = kith_new(pool, most * p, sizeof(*row->G));
	return row;
}

/* The exponent of the largest of n numbers; INT_MIN where all are 0. */
static int
size_of(const double *x, size_t n)
{
	const double most = kith_vec_largest(n, x);

	return most > 0 ? ilogb(most) : INT_MIN;
}

static void
shift(double *x, size_t n, int by)
{
	for (size_t j = 0; j < n; j++)
		x[j] = scalbn(x[j], by);
}

/* Distances give the kernel. */
static void
pose_distances(
    struct kith_nnk_row *row, const struct kith_kern *kern, const struct kith_neighbour *nn)
{
	const double zero = 0, least = nn[0].d;

	for (size_t i = 0; i < row->n; i++)
		row->b[i] = nn[i].d;
	if (kern->kind == KITH_KERN_GAUSSIAN) {
		kith_kern_of_dist(kern, 1, &least, zero, &row->factor);
		kith_kern_of_dist(kern, row->n, row->b, least, row->b);
	} else
		kith_kern_of_dist(kern, row->n, row->b, zero, row->b);
	row->kqq = 1;
	kith_kern_gram(kern, row->G, row->n, row->ld, row->A);
}

/* Give features the roots of their weights, so that they count as 1. */
static struct kith_metric
root_weights(struct kith_nnk_row *row)
{
	struct kith_metric metric = row->pack->metric;
	const size_t p = metric.p;

	if (metric.kind != KITH_SQUARED || !metric.w)
		return metric;
	for (size_t j = 0; j < p; j++) {
		const double a = sqrt(metric.w[j]);

		row->q[j] *= a;
		for (size_t i = 0; i < row->n; i++)
			row->G[i * p + j] *= a;
	}
	metric.w = NULL;
	return metric;
}

/* The units of q and the candidates; those of 0 have that of the longest. */
static void
choose_units(struct kith_nnk_row *row, size_t p)
{
	int most = size_of(row->q, p), least = most;

	row->own = most;
	for (size_t i = 0; i < row->n; i++) {
		const int size = size_of(row->G + i * p, p);

		row->size[i] = size;
		most = size > most ? size : most;
		if (size != INT_MIN && (size < least || least == INT_MIN))
			least = size;
	}
	if (most == INT_MIN)
		most = least = 0;
	if (row->own == INT_MIN || most - least <= GRADE)
		row->own = most;
	for (size_t i = 0; i < row->n; i++)
		if (row->size[i] == INT_MIN || most - least <= GRADE)
			row->size[i] = most;
}

static void
pose_linear(struct kith_nnk_row *row)
{
	const struct kith_metric metric = root_weights(row);
	const struct kith_kern kern = {.kind = KITH_KERN_LINEAR, .metric = &metric};
	const size_t p = metric.p;

	choose_units(row, p);
	shift(row->q, p, -row->own);
	for (size_t i = 0; i < row->n; i++)
		shift(row->G + i * p, p, -row->size[i]);
	row->exponent = 2 * row->own;
	kith_kern_rows(&kern, row->q, row->G, row->n, row->b);
	kith_kern_rows(&kern, row->q, row->q, 1, &row->kqq);
	kith_kern_gram(&kern, row->G, row->n, row->ld, row->A);
}

/* Move the origin to q. */
static void
centre(struct kith_nnk_row *row)
{
	const size_t p = row->pack->metric.p;

	for (size_t i = 0; i < row->n; i++)
		for (size_t j = 0; j < p; j++)
			row->G[i * p + j] -= row->q[j];
}

/*
 * Eq. (7), K_Sq = 1: the cosine kernel of the directions.  A candidate that is
 * q itself has none: it represents q alone, so its kernels are 1.
 */
static void
pose_angles(struct kith_nnk_row *row)
{
	const struct kith_metric metric = root_weights(row);
	const struct kith_kern kern = {.kind = KITH_KERN_COSINE, .metric = &metric};
	const size_t p = metric.p;

	centre(row);
	for (size_t i = 0; i < row->n; i++) {
		double *x = row->G + i * p, square = 0;
		const int size = size_of(x, p);

		if (size != INT_MIN) {
			shift(x, p, -size);
			kith_kern_products(&metric, x, 1, 1, &square);
		}
		for (size_t j = 0; j < p; j++)
			x[j] = square > 0 ? x[j] / sqrt(square) : 0;
		row->b[i] = 1;
		row->lin[i] = square;
	}
	kith_kern_gram(&kern, row->G, row->n, row->ld, row->A);
	for (size_t i = 0; i < row->n; i++)
		for (size_t j = 0; j < row->n; j++)
			if (!(row->lin[i] > 0) || !(row->lin[j] > 0))
				row->A[i * row->ld + j] = 1;
	row->kqq = 1;
}

static void
pose_gram(struct kith_nnk_row *row)
{
	const struct kith_metric metric = root_weights(row);
	const size_t p = metric.p, n = row->n, ld = row->ld;
	double trace = 0;
	int size;

	centre(row);
	size = size_of(row->G, n * p);
	if (size != INT_MIN) {
		shift(row->G, n * p, -size);
		row->exponent = -2 * size;
	}
	kith_kern_products(&metric, row->G, n, ld, row->A);
	for (size_t i = 0; i < n; i++) {
		trace += row->A[i * ld + i];
		row->b[i] = 1;
	}
	row->kqq = 0;
	row->ridge = trace > 0 ? RIDGE * trace : RIDGE;
	if (row->form == KITH_NNK_SIGNED)
		return;
	if (trace > 0)
		row->ridge = RIDGE * (trace / (double)n);
	for (size_t i = 0; i < n; i++)
		row->A[i * ld + i] += row->ridge;
}

void
kith_nnk_row_pose(struct kith_nnk_row *row, const double *q, const struct kith_neighbour *nn,
    size_t n, double sigma)
{
	const struct kith_metric *metric = &row->pack->metric;
	const struct kith_kern kern = {.kind = row->kernel, .metric = metric, .sigma = sigma};

	row->n = n;
	row->ld = kith_qp_nn_stride(n);
	row->factor = 1;
	row->exponent = row->own = 0;
	kith_local_pack_row(row->pack, q, row->q);
	for (size_t i = 0; i < n; i++) {
		row->size[i] = 0;
		kith_local_pack_row(row->pack, kith_row(row->X, nn[i].row), row->G + i * metric->p);
	}
	if (n == 0) {
		row->kqq = row->form < KITH_NNK_GRAM;
		if (row->form == KITH_NNK_KERNEL && kern.kind == KITH_KERN_LINEAR)
			pose_linear(row);
	} else if (row->form == KITH_NNK_ANGLES)
		pose_angles(row);
	else if (row->form >= KITH_NNK_GRAM)
		pose_gram(row);
	else if (row->kernel == KITH_KERN_LINEAR)
		pose_linear(row);
	else
		pose_distances(row, &kern, nn);
}

/* eta in the units of b of candidate i. */
static double
eta_of(const struct kith_nnk_row *row, double eta, size_t i)
{
	if (!(eta > 0))
		return 0;
	eta = scalbn(eta, row->own - row->size[i] - row->exponent);
	return fmin(eta / row->factor, LARGEST);
}

double
kith_nnk_row_weight(const struct kith_nnk_row *row, size_t i)
{
	return scalbn(row->factor * row->t[i], row->own - row->size[i]);
}

double
kith_nnk_row_solve(struct kith_nnk_row *row, double eta)
{
	double got;

	for (size_t i = 0; i < row->n; i++)
		row->lin[i] = row->b[i] - eta_of(row, eta, i);
	got = kith_qp_nn(row->qp, row->n, row->A, row->lin, row->t, row->r);
	for (size_t i = 0; i < row->n; i++)
		row->r[i] = row->b[i] - row->lin[i] - row->r[i];
	return got;
}

double
kith_nnk_row_error(const struct kith_nnk_row *row)
{
	double sum = 0;

	for (size_t i = 0; i < row->n; i++)
		if (row->t[i] > 0)
			sum += row->t[i] * (row->b[i] + row->r[i]);
	sum = row->kqq - row->factor * row->factor * sum;
	if (row->form == KITH_NNK_KERNEL && sum < 0)
		sum = 0; /* half a squared norm, up to rounding */
	return scalbn(sum / 2, row->exponent);
}

/* Whether a weight is to be cut whose kernels may be large all the same. */
static bool
loses_one(const struct kith_nnk_row *row, double least)
{
	double most = 0;

	if (row->kernel != KITH_KERN_LINEAR)
		return false;
	for (size_t i = 0; i < row->n; i++)
		most = fmax(most, row->t[i]);
	for (size_t i = 0; i < row->n; i++)
		if (row->t[i] > 0 && !(row->t[i] > least * most))
			return true;
	return false;
}

/*
 * Kernels are off by a few roundings of the largest, the conditions by
 * (1 + sum t) times as much; they are relative to the largest b.
 */
bool
kith_nnk_row_is_sure(const struct kith_nnk_row *row, double least, double violation)
{
	const double rounding = DBL_EPSILON * (double)(row->pack->metric.p + 8);
	double most = 0, sum = 1, b = -INFINITY, left;

	if (row->n > 0 && (!(row->factor > SMALLEST) || loses_one(row, least)))
		return false;
	for (size_t i = 0; i < row->n; i++) {
		if (row->size[i] != row->own)
			return false;
		most = fmax(most, row->A[i * row->ld + i]);
		sum += row->t[i];
		b = fmax(b, row->lin[i]);
	}
	left = rounding * sum * most;
	return b < -left || violation * b + left <= SURE * b;
}
