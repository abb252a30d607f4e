/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/part.h"

#include "base/pool.h"
#include "graph/affine.h"

#include <assert.h>
#include <float.h>
#include <math.h>

void
kith_pieces(const struct kith_undirected *g, struct kith_pieces *pieces, struct kith_pool *pool)
{
	const size_t n = g->W.n;
	struct kith_pool tmp = {0};
	size_t *end = kith_new(&tmp, g->components, sizeof(*end));

	pieces->n = g->components;
	pieces->start = kith_new(pool, g->components + 1, sizeof(*pieces->start));
	pieces->node = kith_new(pool, n, sizeof(*pieces->node));
	pieces->place = kith_new(pool, n, sizeof(*pieces->place));
	for (size_t i = 0; i < n; i++)
		pieces->start[g->component[i] + 1]++;
	for (size_t c = 0; c < g->components; c++)
		pieces->start[c + 1] += pieces->start[c];
	for (size_t i = 0; i < n; i++) {
		const size_t c = g->component[i];

		pieces->place[i] = (uint32_t)end[c];
		pieces->node[pieces->start[c] + end[c]++] = (uint32_t)i;
	}
	kith_pool_free(&tmp);
}

size_t
kith_pieces_largest(const struct kith_pieces *pieces)
{
	size_t largest = 0;

	for (size_t c = 0; c < pieces->n; c++)
		if (kith_pieces_size(pieces, c) > kith_pieces_size(pieces, largest))
			largest = c;
	return largest;
}

/* The entries of W, or M, in the rows of the part. */
static void
copy(const struct kith_sparse *W, struct kith_part *p, struct kith_pool *pool)
{
	struct kith_sparse *A = &p->m.A;
	size_t n = 0;

	A->n = p->n;
	A->start = kith_new(pool, p->n + 1, sizeof(*A->start));
	A->diagonal = kith_new(pool, p->n, sizeof(*A->diagonal));
	for (size_t i = 0; i < p->n; i++)
		n += W->start[p->node[i] + 1] - W->start[p->node[i]];
	A->column = kith_new(pool, n, sizeof(*A->column));
	A->x = kith_new(pool, n, sizeof(*A->x));
	n = 0;
	for (size_t i = 0; i < p->n; i++) {
		const size_t row = p->node[i];

		for (size_t e = W->start[row]; e < W->start[row + 1]; e++) {
			A->column[n] = p->place[W->column[e]];
			A->x[n++] = W->x[e];
		}
		A->start[i + 1] = n;
		A->diagonal[i] = W->diagonal[row];
	}
}

/* I - D^-1/2 W D^-1/2, by two divisions, for d_i d_j may underflow. */
static void
normalise(const double *d, struct kith_part *p)
{
	struct kith_sparse *A = &p->m.A;
	double sum = 0;

	for (size_t i = 0; i < p->n; i++) {
		sum += d[p->node[i]];
		p->root[i] = sqrt(d[p->node[i]]);
		A->diagonal[i] = 1;
	}
	for (size_t i = 0; i < p->n; i++) {
		p->m.null[i] = p->root[i] / sqrt(sum);
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			A->x[e] = -(A->x[e] / p->root[i]) / p->root[A->column[e]];
	}
	p->m.bound = 2;
}

/* (D - W) / 2^exponent, whose largest degree is in [1/2, 1). */
static void
subtract(const double *d, struct kith_part *p)
{
	struct kith_sparse *A = &p->m.A;
	double most = 0;

	for (size_t i = 0; i < p->n; i++)
		most = fmax(most, d[p->node[i]]);
	frexp(most, &p->exponent);
	for (size_t i = 0; i < p->n; i++) {
		A->diagonal[i] = ldexp(d[p->node[i]], -p->exponent);
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			A->x[e] = -ldexp(A->x[e], -p->exponent);
	}
	p->m.bound = 2 * ldexp(most, -p->exponent);
}

/* No eigenvalue of M is above its largest sum of a row's sizes. */
static void
bound(struct kith_part *p)
{
	const struct kith_sparse *A = &p->m.A;

	for (size_t i = 0; i < p->n; i++) {
		double sum = fabs(A->diagonal[i]);

		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			sum += fabs(A->x[e]);
		p->m.bound = fmax(p->m.bound, sum);
	}
	p->scale = sqrt((double)p->n);
}

void
kith_part(const struct kith_undirected *g, const struct kith_pieces *pieces, size_t c,
    enum kith_laplacian kind, const struct kith_affine *affine, struct kith_part *part,
    struct kith_pool *pool)
{
	const size_t size = kith_pieces_size(pieces, c);

	assert(size >= 2 && (kind == KITH_AFFINE) == (affine != NULL));
	*part = (struct kith_part){.kind = kind,
	    .n = size,
	    .node = pieces->node + pieces->start[c],
	    .place = pieces->place,
	    .scale = 1,
	    .affine = affine};
	copy(&g->W, part, pool);
	part->root = kith_new(pool, size, sizeof(*part->root));
	part->m.null = kith_new(pool, size, sizeof(*part->m.null));
	for (size_t i = 0; i < size; i++) {
		part->root[i] = 1;
		part->m.null[i] = 1 / sqrt((double)size);
	}
	if (kind == KITH_AFFINE)
		bound(part);
	else if (kind == KITH_COMBINATORIAL)
		subtract(g->d, part);
	else
		normalise(g->d, part);
	/* Weights were divided by 2^exponent: d, and so y'Dy, should not be. */
	if (kind == KITH_COMBINATORIAL)
		part->exponent += g->exponent;
	if (kind == KITH_RANDOM_WALK)
		part->scale = ldexp(g->exponent % 2 ? sqrt(.5) : 1, -(g->exponent / 2));
}

/* |(I - W) u|^2 */
static double
affine_energy(const struct kith_part *p, const double *u)
{
	const struct kith_affine *a = p->affine;
	double sum = 0;

	for (size_t i = 0; i < p->n; i++) {
		const size_t row = p->node[i];
		double r = 0;

		for (size_t e = a->start[row]; e < a->start[row + 1]; e++)
			r += a->x[e] * u[p->place[a->column[e]]];
		sum += r * r;
	}
	return sum;
}

/* The sum of w_ij (u_i / root_i - u_j / root_j)^2 over all edges. */
static double
energy(const struct kith_part *p, const double *u)
{
	const struct kith_sparse *A = &p->m.A;
	const double *root = p->root;
	double sum = 0;

	for (size_t i = 0; i < p->n; i++)
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const size_t j = A->column[e];
			const double t = u[i] / root[i] - u[j] / root[j];

			if (j > i)
				sum -= A->x[e] * (root[i] * t) * (root[j] * t);
		}
	return sum;
}

double
kith_part_value(const struct kith_part *part, const double *u)
{
	double sum = 0;

	for (size_t i = 0; i < part->n; i++)
		sum += u[i] * u[i];
	return (part->kind == KITH_AFFINE ? affine_energy(part, u) : energy(part, u)) / sum;
}

double
kith_part_residual(const struct kith_part *part, double lambda, const double *u, size_t threads)
{
	struct kith_pool tmp = {0};
	double *r = kith_new(&tmp, part->n, sizeof(*r)), of_r = 0, of_u = 0;

	kith_sparse_times(&part->m.A, 1, u, r, threads);
	for (size_t i = 0; i < part->n; i++) {
		r[i] -= lambda * u[i];
		of_r += r[i] * r[i];
		of_u += u[i] * u[i];
	}
	kith_pool_free(&tmp);
	return sqrt(of_r / of_u);
}
