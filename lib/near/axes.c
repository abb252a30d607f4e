/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/axes.h"

#include "base/pool.h"
#include "base/sort.h"
#include "la/blas.h"
#include "la/eig.h"
#include "near/float.h"
#include "near/pack.h"
#include "near/semi.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	MOST = 1024,   /* features */
	SAMPLE = 2048, /* rows that axes are found from */
	FEW = 16,      /* coordinates, where features are more: 15 axes and */
	MANY = KITH_KNN_AXES, /* the rest, or up to 63 */
	BLOCK = 64            /* rows turned at a time */
};

/*
 * Boxes on axes leave out little where the squares of a sample are spread over
 * more than so many of them: (sum l)^2 / sum l^2 for the parts l.
 */
static const double spread_most = 32;

/* Axes are enough that hold so much of the squares of a sample. */
static const double enough = .9;

/*
 * Rows of a query with |a| beyond it are not bounded; those of a reference are
 * below 2^40, or 2^80 for KITH_ABSOLUTE (near/float.h).
 */
static const double far_away = 0x1p55, far_away_absolute = 0x1p110;

struct kith_knn_axes {
	struct kith_knn_scale scale;
	size_t p, k, count; /* k axes; count = k, or k + 1 with the rest */
	bool absolute;
	const double *root; /* p x p: a becomes root a; or NULL */
	const double *V;    /* k x p; KITH_ABSOLUTE: NULL, and */
	const size_t *kept; /* k features, those with the largest spread */
	double off, left;   /* off_a = off |a| + left |a before root| + TINY */
	double slack;
};

/* What floats and doubles lose below their normal numbers. */
static const double TINY = 0x1p-120;

/*
 * The root of a semidefinite matrix W = Q diag(l) Q': diag(sqrt l) Q'.  What is
 * left of it, W - root' root, changes d by at most *left |a|^2.
 */
static const double *
root_of(const struct kith_knn_scale *s, size_t p, double *left,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	double *W = kith_new(&tmp, p, p * sizeof(*W));
	double *l = kith_new(&tmp, p, sizeof(*l));
	double *Q = kith_new(pool, p, p * sizeof(*Q));
	bool found;

	memcpy(W, s->W, p * p * sizeof(*W));
	found = kith_eig(p, W, l, Q) && l[0] >= -KITH_SEMI * l[p - 1];
	for (size_t i = 0; i < p && found; i++)
		for (size_t j = 0; j < p; j++)
			Q[i * p + j] *= l[i] > 0 ? sqrt(l[i]) : 0;
	if (found)
		*left = (l[0] < 0 ? -l[0] : 0) + s->rounding +
		    64 * (double)p * DBL_EPSILON * l[p - 1];
	kith_pool_free(&tmp);
	return found ? Q : NULL;
}

/* a of n packed rows, into A (n x p); with a matrix, room is as large. */
static void
turn(const struct kith_knn_axes *axes, const double *const *z, size_t n,
    double *A, double *room)
{
	const size_t p = axes->p;

	for (size_t i = 0; i < n; i++)
		kith_knn_scale_row(
		    &axes->scale, z[i], (axes->root ? room : A) + i * p);
	if (axes->root)
		kith_blas_rows(n, p, p, room, p, axes->root, p, A, p);
}

/* A sample of the rows of the reference, turned; its rows. */
static size_t
sample(const struct kith_knn_axes *axes, const struct kith_mat *X, double *A)
{
	struct kith_pool tmp = {0};
	const size_t n = X->n < SAMPLE ? X->n : SAMPLE;
	const double **z = kith_new(&tmp, n, sizeof(*z));
	double *room = kith_new(&tmp, n, axes->p * sizeof(*room));

	for (size_t i = 0; i < n; i++)
		z[i] = kith_row(X, i * X->n / n);
	turn(axes, z, n, A, room);
	kith_pool_free(&tmp);
	return n;
}

/* How many axes are enough, of these that hold parts of a total, at most p. */
static size_t
choose(const double *part, double total, size_t p)
{
	size_t k = FEW - 1, n = 0;
	double sum = 0;

	if (p <= FEW)
		return p;
	while (k < MANY - 1) {
		for (; n < k && n < p; n++)
			sum += part[n];
		if (sum >= enough * total)
			break;
		k = 2 * k + 1;
	}
	return k + 1 >= p ? p : k;
}

/* Principal axes of the sample A (n x p); `always`: however spread it is. */
static bool
principal(struct kith_knn_axes *axes, size_t n, const double *A, bool always,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t p = axes->p;
	double *mean, *l, *part, total = 0, trace = 0, square = 0;
	double *C = kith_new(&tmp, p, p * sizeof(*C));
	double *Q = kith_new(&tmp, p, p * sizeof(*Q)), *V;
	bool found;

	KITH_NEW_REALS(&tmp, p, 1, &mean, &l, &part);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			mean[j] += A[i * p + j] / (double)n;
	kith_blas_gram(n, p, 1. / (double)n, A, p, C);
	for (size_t i = 0; i < p; i++)
		for (size_t j = i; j < p; j++) {
			C[i * p + j] -= mean[i] * mean[j];
			trace += i == j ? C[i * p + j] : 0;
			square += (i == j ? 1 : 2) * C[i * p + j] *
			    C[i * p + j];
		}
	found = (always || trace * trace <= spread_most * square) &&
	    kith_eig(p, C, l, Q);
	for (size_t i = 0; i < p && found; i++) {
		part[i] = fmax(l[p - 1 - i], 0);
		total += part[i];
	}
	axes->k = found ? choose(part, total, p) : 0;
	V = kith_new(pool, axes->k + 1, p * sizeof(*V));
	for (size_t i = 0; i < axes->k; i++)
		memcpy(V + i * p, Q + (p - 1 - i) * p, p * sizeof(*V));
	axes->V = V;
	kith_pool_free(&tmp);
	return found;
}

/* The features of the sample that spread most, of equal spreads the first. */
static void
widest(struct kith_knn_axes *axes, size_t n, const double *A,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t p = axes->p;
	double *spread, *part, total = 0;
	size_t *kept = kith_new(pool, p, sizeof(*kept));

	KITH_NEW_REALS(&tmp, p, 1, &spread, &part);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < p; j++)
			spread[j] += fabs(A[i * p + j]) / (double)n;
	for (size_t i = 0; i < p; i++) {
		size_t at = i;

		/* Few features: an insertion into those before. */
		for (; at > 0 && spread[i] > spread[kept[at - 1]]; at--)
			kept[at] = kept[at - 1];
		kept[at] = i;
		total += spread[i];
	}
	for (size_t i = 0; i < p; i++)
		part[i] = spread[kept[i]];
	axes->k = choose(part, total, p);
	axes->kept = kept;
	kith_pool_free(&tmp);
}

struct kith_knn_axes *
kith_knn_axes_new(
    const struct kith_knn_pack *pack, bool always, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct kith_knn_axes *axes = kith_new(pool, 1, sizeof(*axes));
	const size_t p = pack->metric.p;
	double *A, left = 0; /* of W, in squares */
	bool found = true;
	size_t n;

	if (p == 0 || p > MOST)
		return NULL;
	axes->scale = kith_knn_scale_new(pack, pool);
	axes->p = p;
	axes->absolute = pack->metric.kind == KITH_ABSOLUTE;
	if (axes->scale.W) {
		axes->root = root_of(&axes->scale, p, &left, pool);
		if (!axes->root)
			return NULL;
	}
	A = kith_new(
	    &tmp, pack->X.n < SAMPLE ? pack->X.n : SAMPLE, p * sizeof(*A));
	n = sample(axes, &pack->X, A);
	if (axes->absolute)
		widest(axes, n, A, pool);
	else
		found = principal(axes, n, A, always, pool);
	kith_pool_free(&tmp);
	axes->count = axes->k + (axes->k < p);
	/* Rounding to floats, of sums in doubles, and of the matrix. */
	axes->off = 1.1 * 0x1p-24 + 64 * ((double)p + 16) * DBL_EPSILON;
	axes->left = sqrt(left);
	axes->slack = ((double)axes->count + 16) * 0x1p-23;
	return found ? axes : NULL;
}

size_t
kith_knn_axes_count(const struct kith_knn_axes *axes)
{
	return axes->count;
}

double
kith_knn_axes_scale(const struct kith_knn_axes *axes)
{
	return axes->scale.scale;
}

double
kith_knn_axes_slack(const struct kith_knn_axes *axes)
{
	return axes->slack;
}

bool
kith_knn_axes_absolute(const struct kith_knn_axes *axes)
{
	return axes->absolute;
}

/* |a|, in the norm of the metric. */
static double
length(const struct kith_knn_axes *axes, const double *a, size_t p)
{
	double sum = 0;

	for (size_t j = 0; j < p; j++)
		sum += axes->absolute ? fabs(a[j]) : a[j] * a[j];
	return axes->absolute ? sum : sqrt(sum);
}

/* V'a, and the length of what is left of a, for n rows: Y (n x count). */
static void
project(const struct kith_knn_axes *axes, size_t n, double *A, double *back,
    double *Y)
{
	const size_t p = axes->p, k = axes->k, count = axes->count;

	if (axes->V) {
		kith_blas_rows(n, k, p, A, p, axes->V, p, Y, count);
	} else {
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < k; j++) {
				double *a = &A[i * p + axes->kept[j]];

				Y[i * count + j] = *a;
				*a = 0;
			}
	}
	if (count == k)
		return;
	if (axes->V) {
		for (size_t i = 0; i < n; i++)
			kith_blas_turned(
			    k, p, axes->V, p, Y + i * count, back + i * p);
		for (size_t i = 0; i < n * p; i++)
			A[i] -= back[i];
	}
	for (size_t i = 0; i < n; i++)
		Y[i * count + k] = length(axes, A + i * p, p);
}

void
kith_knn_axes_fill(const struct kith_knn_axes *axes, const double *const *z,
    size_t n, float *y, float *off)
{
	struct kith_pool tmp = {0};
	const size_t p = axes->p, count = axes->count;
	const double most = axes->absolute ? far_away_absolute : far_away;
	double *A, *room, *Y = kith_new(&tmp, BLOCK, count * sizeof(*Y));

	KITH_NEW_REALS(&tmp, BLOCK, p, &A, &room);
	for (size_t first = 0; first < n; first += BLOCK) {
		const size_t m = n - first < BLOCK ? n - first : BLOCK;

		turn(axes, z + first, m, A, room);
		for (size_t i = 0; i < m; i++) {
			const double all = length(axes, A + i * p, p);
			const double raw = axes->root
			    ? length(axes, room + i * p, p)
			    : 0;
			const double e = axes->off * all + axes->left * raw;

			/* A NaN, of a sum that overflows, is far away, too. */
			off[first + i] = all < most && raw < most
			    ? (float)(1.01 * (e + TINY))
			    : INFINITY;
		}
		project(axes, m, A, room, Y);
		for (size_t i = 0; i < m; i++)
			for (size_t j = 0; j < count; j++)
				y[(first + i) * count + j] = isinf(
								 off[first + i])
				    ? 0
				    : (float)Y[i * count + j];
	}
	kith_pool_free(&tmp);
}
