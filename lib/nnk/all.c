/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/all.h"

#include "base/pool.h"
#include "la/mat.h"
#include "near/knn.h"
#include "near/metric.h"
#include "nnk/local.h"
#include "nnk/pursuit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const double one = 1;

struct kith_nnk_atoms {
	enum kith_kern_kind kernel;
	const struct kith_local_pack *pack;
	struct kith_mat X;      /* packed */
	const double *diagonal; /* of the kernel; its step */
	size_t step;
};

struct kith_nnk_all {
	const struct kith_nnk_atoms *atoms;
	struct kith_kern kern;
	struct kith_pursuit pursuit;
	double *q, *d, *b; /* p, n, n */
	double *columns;   /* k x n */
};

struct kith_nnk_atoms *
kith_nnk_atoms_new(enum kith_kern_kind kernel, const struct kith_mat *X,
    const struct kith_local_pack *pack, struct kith_pool *pool)
{
	struct kith_nnk_atoms *atoms = kith_new(pool, 1, sizeof(*atoms));
	const struct kith_kern kern = {.kind = kernel, .metric = &pack->metric, .sigma = 1};
	const size_t n = X->n, p = pack->metric.p;
	double *diagonal;

	*atoms = (struct kith_nnk_atoms){kernel, pack, *X, &one, 0};
	if (pack->kept) {
		atoms->X = (struct kith_mat){n, p, kith_new(pool, n * p, sizeof(one))};
		for (size_t i = 0; i < n; i++)
			kith_local_pack_row(pack, kith_row(X, i), kith_row(&atoms->X, i));
	}
	if (kernel != KITH_KERN_LINEAR)
		return atoms;
	diagonal = kith_new(pool, n, sizeof(*diagonal));
	for (size_t i = 0; i < n; i++) {
		const double *x = kith_row(&atoms->X, i);

		kith_kern_rows(&kern, x, x, 1, diagonal + i);
	}
	atoms->diagonal = diagonal;
	atoms->step = 1;
	return atoms;
}

static const double *
column(void *of, size_t s, size_t j)
{
	struct kith_nnk_all *all = of;
	const struct kith_mat *X = &all->atoms->X;
	double *to = all->columns + s * X->n;

	kith_kern_rows(&all->kern, kith_row(X, j), X->v, X->n, to);
	return to;
}

struct kith_nnk_all *
kith_nnk_all_new(
    const struct kith_nnk_atoms *atoms, size_t k, bool orthogonal, struct kith_pool *pool)
{
	struct kith_nnk_all *all = kith_new(pool, 1, sizeof(*all));
	const size_t n = atoms->X.n;

	all->atoms = atoms;
	all->pursuit = kith_pursuit_new(n, k, orthogonal, pool);
	all->q = kith_new(pool, atoms->pack->metric.p, sizeof(*all->q));
	all->d = kith_new(pool, n, sizeof(*all->d));
	all->b = kith_new(pool, n, sizeof(*all->b));
	all->columns = kith_new(pool, k, n * sizeof(*all->columns));
	return all;
}

/* Products of all atoms with q; returns their factor. */
static double
match(struct kith_nnk_all *all, size_t self)
{
	const struct kith_mat *X = &all->atoms->X;
	double least = INFINITY, factor = 1;

	kith_dist_rows(all->kern.metric, all->q, X->v, X->n, all->d);
	for (size_t i = 0; i < X->n; i++) {
		all->d[i] = all->d[i] > 0 ? all->d[i] : 0;
		if (i != self && all->d[i] < least)
			least = all->d[i];
	}
	if (all->kern.kind == KITH_KERN_LINEAR)
		kith_kern_rows(&all->kern, all->q, X->v, X->n, all->b);
	else if (all->kern.kind == KITH_KERN_COSINE)
		kith_kern_of_dist(&all->kern, X->n, all->d, 0, all->b);
	else {
		kith_kern_of_dist(&all->kern, 1, &least, 0, &factor);
		kith_kern_of_dist(&all->kern, X->n, all->d, least, all->b);
	}
	if (self != SIZE_MAX)
		all->b[self] = -INFINITY;
	return factor;
}

struct kith_nnk_pursued
kith_nnk_all(struct kith_nnk_all *all, const double *q, size_t self, size_t k, double sigma,
    struct kith_neighbour *nn, double *w)
{
	const struct kith_nnk_atoms *atoms = all->atoms;
	const bool linear = atoms->kernel == KITH_KERN_LINEAR;
	struct kith_pursuit *it = &all->pursuit;
	struct kith_nnk_pursued got = {0};
	double kqq = 1;

	kith_local_pack_row(atoms->pack, q, all->q);
	all->kern = (struct kith_kern){
	    .kind = atoms->kernel, .metric = &atoms->pack->metric, .sigma = sigma};
	got.factor = match(all, self);
	it->n = atoms->X.n;
	it->most = k;
	it->b = all->b;
	it->diagonal = atoms->diagonal;
	it->step = atoms->step;
	it->order = all->d;
	it->column = column;
	it->of = all;
	kith_pursuit(it);
	if (linear)
		kith_kern_rows(&all->kern, all->q, all->q, 1, &kqq);
	for (size_t s = 0; s < it->taken; s++) {
		const size_t j = it->atom[s];

		nn[s] = (struct kith_neighbour){j, all->d[j]};
		w[s] = it->t[s];
		got.error += it->t[s] * (it->b[j] + it->r[j]);
	}
	got.error = (kqq - got.factor * got.factor * got.error) / 2;
	got.error = got.error > 0 ? got.error : 0;
	got.n = it->taken;
	got.residual = it->residual;
	return got;
}
