/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/part.h and lib/graph/refine.h: matrices of components,
 * entry by entry, and vectors that are told apart.
 */
#include "graph/part.h"

#include "base/pool.h"
#include "base/rng.h"
#include "graph/affine.h"
#include "graph/dense.h"
#include "graph/refine.h"
#include "la/eig.h"
#include "scratch.h"
#include "table/ends.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 24 };

static struct kith_pool pool;
static struct kith_rng rng;
static double W[N * N];

/* Two components whose nodes take turns, and a node apart: 0. */
static struct kith_undirected
draw_graph(void)
{
	memset(W, 0, sizeof(W));
	for (size_t i = 3; i < N; i++) {
		join(N, W, i, i - 2, .5 + kith_rng_unit(&rng));
		for (size_t j = 1 + (i + 1) % 2; j < i; j += 2)
			if (kith_rng_unit(&rng) < .2)
				join(N, W, i, j, .5 + kith_rng_unit(&rng));
	}
	return graph_of(N, W, &pool);
}

static void
test_pieces(void)
{
	const struct kith_undirected g = draw_graph();
	struct kith_pieces pieces;
	size_t bad = 0;

	kith_pieces(&g, &pieces, &pool);
	ok(pieces.n == 3 && kith_pieces_size(&pieces, 0) == 1 &&
		kith_pieces_size(&pieces, 1) == 12 && kith_pieces_size(&pieces, 2) == 11,
	    "three pieces");
	is_size(kith_pieces_largest(&pieces), 1, "the second is the largest");
	for (size_t c = 1; c < 3; c++)
		for (size_t i = 0; i < kith_pieces_size(&pieces, c); i++) {
			const size_t node = pieces.node[pieces.start[c] + i];

			bad += node != c + 2 * i || pieces.place[node] != i;
		}
	is_size(bad, 0, "nodes that are elsewhere");
}

/* The entry of the matrix of a kind, without its unit. */
static double
entry(const struct kith_undirected *g, enum kith_laplacian kind, size_t i, size_t j)
{
	const double w = W[i * N + j];

	if (kind == KITH_COMBINATORIAL)
		return i == j ? g->d[i] : -w;
	return (i == j) - w / sqrt(g->d[i] * g->d[j]);
}

/* A u, entry by entry, into y. */
static void
times(const struct kith_part *p, const double *u, double *y)
{
	kith_sparse_times(&p->m.A, 1, u, y, 1);
}

/* The matrix of the second component, into A (n x n). */
static void
test_matrix(const struct kith_undirected *g, const struct kith_part *p, double *A)
{
	double u[N], y[N], worst = 0;

	for (size_t j = 0; j < p->n; j++) {
		memset(u, 0, sizeof(u));
		u[j] = 1;
		times(p, u, y);
		for (size_t i = 0; i < p->n; i++) {
			const double due = entry(g, p->kind, p->node[i], p->node[j]);
			const int e = p->kind == KITH_COMBINATORIAL ? p->exponent - g->exponent : 0;

			A[i * p->n + j] = y[i];
			worst = fmax(worst, fabs(ldexp(y[i], e) - due));
		}
	}
	ok(worst <= 1e-15, "kind %d: the matrix: %g", (int)p->kind, worst);
}

/* What is said of a vector. */
static void
test_vector(const struct kith_part *p)
{
	double u[N], y[N], energy = 0, square = 0, r = 0;

	for (size_t i = 0; i < p->n; i++)
		u[i] = kith_rng_unit(&rng) - .3;
	times(p, u, y);
	for (size_t i = 0; i < p->n; i++) {
		energy += u[i] * y[i];
		square += u[i] * u[i];
		r += pow(y[i] - .7 * u[i], 2);
	}
	is_near(kith_part_value(p, u), energy / square, 1e-14, "u'Au / u'u");
	is_near(kith_part_residual(p, .7, u, 1), sqrt(r / square), 1e-14, "|A u - lambda u| / |u|");
}

static void
test_laplacian(enum kith_laplacian kind, int exponent)
{
	struct kith_undirected g = draw_graph();
	struct kith_pieces pieces;
	double y[N], V[N * N], A[N * N], lambda[N], r = 0, sum = 0;
	struct kith_part p;

	g.exponent = exponent;
	kith_pieces(&g, &pieces, &pool);
	kith_part(&g, &pieces, 1, kind, NULL, &p, &pool);
	test_matrix(&g, &p, A);
	times(&p, p.m.null, y);
	for (size_t i = 0; i < p.n; i++) {
		sum += p.m.null[i] * p.m.null[i];
		r = fmax(r, fabs(y[i]));
	}
	ok(fabs(sum - 1) <= 1e-15 && r <= 1e-15, "its null vector");
	ok(kith_eig(p.n, A, lambda, V) && lambda[p.n - 1] <= p.m.bound && p.m.bound <= 2 &&
		(kind != KITH_COMBINATORIAL || p.m.bound >= 1),
	    "its bound");
	test_vector(&p);
	is_near(p.scale, kind == KITH_RANDOM_WALK ? pow(2, -(double)exponent / 2) : 1, 1e-15,
	    "y'Dy is that of the weights that were read");
}

/* A star: the first node has the largest degree. */
static void
test_star(void)
{
	struct kith_undirected g;
	struct kith_pieces pieces;
	struct kith_part p;

	memset(W, 0, sizeof(W));
	for (size_t i = 1; i < 7; i++)
		join(N, W, 0, i, 2);
	g = graph_of(N, W, &pool);
	kith_pieces(&g, &pieces, &pool);
	kith_part(&g, &pieces, 0, KITH_COMBINATORIAL, NULL, &p, &pool);
	ok(p.n == 7 && p.exponent == 4 && p.m.bound == 1.5 && p.m.A.diagonal[0] == .75 &&
		p.m.A.x[0] == -.125,
	    "degrees of 12 in units of 16");
}

/* Eigenvectors that were turned among each other, turned back. */
static void
untangle(const struct kith_part *p, size_t k, const double *due)
{
	double *V = kith_new(&pool, k * p->n, sizeof(*V)), worst = 0;

	memcpy(V, due, k * p->n * sizeof(*V));
	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b < a; b++) {
			const double t = 6 * kith_rng_unit(&rng);

			for (size_t i = 0; i < p->n; i++) {
				double *x = V + a * p->n + i;
				double *z = V + b * p->n + i;
				const double was = *x;

				*x = cos(t) * was - sin(t) * *z;
				*z = sin(t) * was + cos(t) * *z;
			}
		}
	kith_refine(p, k, V);
	/* In some order, with some sign. */
	for (size_t a = 0; a < k; a++) {
		double most = 0;

		for (size_t b = 0; b < k; b++) {
			double product = 0;

			for (size_t i = 0; i < p->n; i++)
				product += V[a * p->n + i] * due[b * p->n + i];
			most = fmax(most, fabs(product));
		}
		worst = fmax(worst, fabs(most - 1));
	}
	ok(worst <= 1e-13, "%zu vectors are told apart: %g", k, worst);
}

static void
test_refine(enum kith_laplacian kind)
{
	const struct kith_undirected g = draw_graph();
	struct kith_pieces pieces;
	double A[N * N], V[N * N], lambda[N];
	struct kith_part p;

	kith_pieces(&g, &pieces, &pool);
	kith_part(&g, &pieces, 2, kind, NULL, &p, &pool);
	for (size_t i = 0; i < p.n; i++)
		for (size_t j = 0; j < p.n; j++)
			A[i * p.n + j] = entry(&g, kind, p.node[i], p.node[j]);
	(void)kith_eig(p.n, A, lambda, V);
	for (size_t k = 1; k < p.n; k += 3)
		untangle(&p, k, V + p.n);
	untangle(&p, p.n - 1, V + p.n);
}

/* M of rows that are means of others, given by hand. */
static void
test_affine(void)
{
	const struct kith_ends nodes = {.n = 5, .read = 5};
	const char *const files[] = {scratch_text(0,
					 "from\tto\tweight\n1\t3\t2\n1\t4\t-1\n3\t1\t.5\n3\t4\t.5\n"
					 "4\t3\t1\n"),
	    NULL};
	/* I - W of nodes 1 3 4: 1 -2 1; -.5 1 -.5; 0 -1 1. */
	static const double B[] = {1, -2, 1, -.5, 1, -.5, 0, -1, 1};
	const double u[] = {3, 1, -2}, r[] = {-1, .5, -3};
	double y[3], V[9], M[9] = {0}, lambda[3], worst = 0;
	struct kith_affine a;
	struct kith_pieces pieces;
	struct kith_part p;
	struct kith_err *err = NULL;

	ok(!kith_affine_read(files, &nodes, &a, &pool, err) && a.graph.edges == 5 &&
		a.graph.components == 3,
	    "rows of weights");
	kith_pieces(&a.graph, &pieces, &pool);
	kith_part(&a.graph, &pieces, 0, KITH_AFFINE, &a, &p, &pool);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			for (size_t k = 0; k < 3; k++)
				M[i * 3 + j] += B[k * 3 + i] * B[k * 3 + j];
	times(&p, u, y);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			y[i] -= M[i * 3 + j] * u[j];
	for (size_t i = 0; i < 3; i++)
		worst = fmax(worst, fabs(y[i]));
	ok(p.n == 3 && worst == 0, "M = B'B");
	/* Rows of M: 1.25 -2.5 1.25; -2.5 6 -3.5; 1.25 -3.5 2.25. */
	ok(p.m.bound == 12 && p.scale == sqrt(3), "its bound and scale");
	is_near(kith_part_value(&p, u), (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) / 14, 1e-15,
	    "|B u|^2 / u'u");
	(void)kith_eig(3, M, lambda, V);
	untangle(&p, 2, V + 3);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_pieces();
	test_star();
	for (int kind = 0; kind <= KITH_COMBINATORIAL; kind++) {
		for (int e = 0; e < 4; e++)
			test_laplacian((enum kith_laplacian)kind, e);
		test_refine((enum kith_laplacian)kind);
	}
	test_affine();
	kith_pool_free(&pool);
	return done();
}
