/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/plain.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/knn.h"
#include "nnk/local.h"

#include <math.h>

struct kith_nnk_plain {
	enum kith_kern_kind kernel;
	const struct kith_mat *X;
	const struct kith_local_pack *pack;
	double *q, *G; /* packed: p, most x p */
	double *b, *K; /* most */
};

struct kith_nnk_plain *
kith_nnk_plain_new(enum kith_kern_kind kernel, const struct kith_mat *X,
    const struct kith_local_pack *pack, size_t most, struct kith_pool *pool)
{
	struct kith_nnk_plain *plain = kith_new(pool, 1, sizeof(*plain));
	const size_t p = pack->metric.p;

	plain->kernel = kernel;
	plain->X = X;
	plain->pack = pack;
	plain->q = kith_new(pool, p, sizeof(*plain->q));
	plain->G = kith_new(pool, most * p, sizeof(*plain->G));
	plain->b = kith_new(pool, most, sizeof(*plain->b));
	plain->K = kith_new(pool, most, sizeof(*plain->K));
	return plain;
}

static void
gather(struct kith_nnk_plain *plain, const double *q, const struct kith_neighbour *nn, size_t n)
{
	const struct kith_local_pack *pack = plain->pack;

	kith_local_pack_row(pack, q, plain->q);
	for (size_t i = 0; i < n; i++)
		kith_local_pack_row(
		    pack, kith_row(plain->X, nn[i].row), plain->G + i * pack->metric.p);
}

/* The kernel of x with itself. */
static double
own(const struct kith_kern *kern, const double *x)
{
	double K = 1;

	if (kern->kind == KITH_KERN_LINEAR)
		kith_kern_rows(kern, x, x, 1, &K);
	return K;
}

/*
 * 1/2 t' K t - b' t + K_qq/2, a row of K at a time; infinite where that is no
 * double.
 */
static double
local_error(struct kith_nnk_plain *plain, const struct kith_kern *kern, const double *t, size_t n)
{
	const size_t p = kern->metric->p;
	double sum = own(kern, plain->q) / 2;

	for (size_t i = 0; i < n; i++) {
		const double *x = plain->G + i * p;
		double s = own(kern, x) / 2 * t[i] - plain->b[i];

		kith_kern_rows(kern, x, x + p, n - i - 1, plain->K);
		for (size_t j = i + 1; j < n; j++)
			s += plain->K[j - i - 1] * t[j];
		sum += t[i] * s;
	}
	if (!isfinite(sum))
		return INFINITY;
	return sum > 0 ? sum : 0;
}

double
kith_nnk_plain(struct kith_nnk_plain *plain, const double *q, const struct kith_neighbour *nn,
    size_t n, double sigma, bool error, double *w)
{
	const struct kith_kern kern = {
	    .kind = plain->kernel, .metric = &plain->pack->metric, .sigma = sigma};
	const bool linear = kern.kind == KITH_KERN_LINEAR;
	double J = 0;

	if (linear || error)
		gather(plain, q, nn, n);
	for (size_t i = 0; i < n; i++)
		plain->b[i] = nn[i].d;
	if (linear)
		kith_kern_rows(&kern, plain->q, plain->G, n, plain->b);
	else
		kith_kern_of_dist(&kern, n, plain->b, 0, plain->b);
	for (size_t i = 0; i < n; i++)
		w[i] = plain->b[i] > 0 ? plain->b[i] : 0;
	if (error)
		J = local_error(plain, &kern, w, n);
	return J;
}
