#include "nnk/row.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"
#include "nnk/local.h"
#include "solve/nn.h"

#include <limits.h>
#include <math.h>

/* The ridge of lle-gram, relative to the mean of the diagonal. */
#define RIDGE 1e-3

struct kith_nnk_row *
kith_nnk_row_new(enum kith_nnk_form form, enum kith_kern_kind kernel,
    const struct kith_mat *X, const struct kith_local_pack *pack, size_t most,
    struct kith_pool *pool)
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
	row->q = kith_new(pool, p, sizeof(*row->q));
	row->G = kith_new(pool, most * p, sizeof(*row->G));
	return row;
}

/* The exponent of the largest of n numbers; INT_MIN where all are 0. */
static int
size_of(const double *x, size_t n)
{
	double most = 0;

	for (size_t j = 0; j < n; j++)
		most = fmax(most, fabs(x[j]));
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
pose_distances(struct kith_nnk_row *row, const struct kith_kern *kern,
    const struct kith_neighbour *nn)
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

static void
pose_linear(struct kith_nnk_row *row)
{
	const struct kith_metric metric = root_weights(row);
	const struct kith_kern kern = {
	    .kind = KITH_KERN_LINEAR, .metric = &metric};
	const size_t p = metric.p;
	const int a = size_of(row->q, p), b = size_of(row->G, row->n * p);
	const int size = a > b ? a : b;

	if (size != INT_MIN) {
		shift(row->q, p, -size);
		shift(row->G, row->n * p, -size);
		row->exponent = 2 * (size - ilogb(row->pack->unit));
	}
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
	const struct kith_kern kern = {
	    .kind = KITH_KERN_COSINE, .metric = &metric};
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
	double trace = 0, ridge = RIDGE;
	int size;

	centre(row);
	size = size_of(row->G, n * p);
	if (size != INT_MIN) {
		shift(row->G, n * p, -size);
		row->exponent = 2 * (ilogb(row->pack->unit) - size);
	}
	kith_kern_products(&metric, row->G, n, ld, row->A);
	for (size_t i = 0; i < n; i++) {
		trace += row->A[i * ld + i];
		row->b[i] = 1;
	}
	if (trace > 0)
		ridge *= trace / (double)n;
	for (size_t i = 0; i < n; i++)
		row->A[i * ld + i] += ridge;
	row->kqq = 0;
}

void
kith_nnk_row_pose(struct kith_nnk_row *row, const double *q,
    const struct kith_neighbour *nn, size_t n, double sigma)
{
	const struct kith_metric *metric = &row->pack->metric;
	const struct kith_kern kern = {
	    .kind = row->kernel, .metric = metric, .sigma = sigma};

	row->n = n;
	row->ld = kith_qp_nn_stride(n);
	row->factor = 1;
	row->exponent = 0;
	kith_local_pack_row(row->pack, q, row->q);
	for (size_t i = 0; i < n; i++)
		kith_local_pack_row(row->pack, kith_row(row->X, nn[i].row),
		    row->G + i * metric->p);
	if (n == 0) {
		row->kqq = row->form != KITH_NNK_GRAM;
		if (row->form == KITH_NNK_KERNEL &&
		    kern.kind == KITH_KERN_LINEAR)
			pose_linear(row);
	} else if (row->form == KITH_NNK_ANGLES)
		pose_angles(row);
	else if (row->form == KITH_NNK_GRAM)
		pose_gram(row);
	else if (row->kernel == KITH_KERN_LINEAR)
		pose_linear(row);
	else
		pose_distances(row, &kern, nn);
}

double
kith_nnk_row_solve(struct kith_nnk_row *row, double eta)
{
	double less = 0, got;

	if (eta > 0)
		less = scalbn(eta, -row->exponent) / row->factor;
	for (size_t i = 0; i < row->n; i++)
		row->lin[i] = row->b[i] - less;
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
