/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For each component:
 *
 * 1. Its matrix A.
 * 2. One eigenvector more than is asked for, so that the gap behind the last is known (eigen.c).
 * 3. The eigenvalues as sums of squares; the vectors in the order of the eigenvalues.  Where gaps
 *    are small, Jacobi rotations within the span of the vectors separate them better.
 * 4. Residuals, gaps, and the number of missed eigenvalues, if a factor costs little.
 * 5. Coordinates, with their lengths and signs.
 */

#include "graph/embed.h"

#include "base/err.h"
#include "base/pool.h"
#include "graph/internal.h"
#include "la/mat.h"
#include "la/vec.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static const double EQUAL = 1e-8;     /* eigenvalues so near, relative to the larger, are equal */
static const double ALIKE = 1e-10;    /* moduli of entries so near are equal */
static const double DOUBTFUL = 1e-10; /* vectors that may be off by a larger angle are separated */
static const double
    CHEAP = 2e8; /* operations of a factor that eigenvalues are counted by: < .1 s */
/*
 * SEPARATED: the most vectors that are separated anew, in SWEEPS of rotations; SPARE: vectors more
 * than asked for in locally linear embedding, whose gaps are small.
 */
enum { SEPARATED = 64, SWEEPS = 30, SPARE = 3 };

void
kith_component_matrix(const struct kith_undirected *g, size_t c, enum kith_laplacian kind,
    struct kith_component *p, struct kith_pool *pool)
{
	const size_t n = g->start[c + 1] - g->start[c];
	const bool affine = kind == KITH_AFFINE, combinatorial = kind == KITH_COMBINATORIAL;
	const bool normalised = !affine && !combinatorial; /* I - D^-1/2 W D^-1/2 */
	const struct kith_sparse *W = &g->W;
	struct kith_sparse *A = &p->A;
	double most = 0, sum = 0; /* the largest degree; |root|^2 */
	size_t entries = 0;
	int exponent = 0;

	assert(n >= 2 && affine == (g->B.start != NULL));
	*p = (struct kith_component){
	    .kind = kind, .n = n, .node = g->node + g->start[c], .place = g->place, .B = &g->B};
	KITH_NEW_REALS(pool, n, 1, &p->root, &p->null);
	for (size_t i = 0; i < n; i++) {
		const double d = affine ? 1 : g->d[p->node[i]];

		entries += W->start[p->node[i] + 1] - W->start[p->node[i]];
		most = fmax(most, d);
		sum += normalised ? d : 1;
		p->root[i] = normalised ? sqrt(d) : 1;
	}
	if (combinatorial)
		frexp(most, &exponent);
	*A = kith_sparse_new(n, entries, pool);
	entries = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t row = p->node[i];
		double size;

		A->diagonal[i] = affine ? W->diagonal[row]
		    : combinatorial     ? ldexp(g->d[row], -exponent)
					: 1;
		size = A->diagonal[i];
		for (size_t e = W->start[row]; e < W->start[row + 1]; e++) {
			const size_t j = g->place[W->column[e]];

			/* Two divisions, for d_i d_j may underflow. */
			A->column[entries] = (uint32_t)j;
			A->x[entries] = affine
			    ? W->x[e]
			    : -ldexp(W->x[e] / p->root[i] / p->root[j], -exponent);
			size += fabs(A->x[entries++]);
		}
		A->start[i + 1] = entries;
		p->null[i] = p->root[i] / sqrt(sum);
		p->bound = fmax(p->bound, size); /* no eigenvalue exceeds the largest row sum */
	}
	if (!affine)
		p->bound = combinatorial ? 2 * ldexp(most, -exponent) : 2;
	/* The weights were divided by 2^g->exponent: y'Dy = 1 is meant without. */
	p->exponent = combinatorial ? exponent + g->exponent : 0;
	p->scale = affine              ? sqrt((double)n)
	    : kind == KITH_RANDOM_WALK ? ldexp(g->exponent % 2 ? sqrt(.5) : 1, -(g->exponent / 2))
				       : 1;
}

/* H (k x k, upper triangle) += s t'. */
static void
add_product(size_t k, const double *s, const double *t, double *H)
{
	for (size_t a = 0; a < k; a++)
		for (size_t b = a; b < k; b++)
			H[a * k + b] += s[a] * t[b];
}

/*
 * The upper triangle of H = V F'F V' for k vectors, the rows of V.  Affine: F = I - W.  Otherwise F
 * has a row for each edge, sqrt(w_ij) (v_i / root_i - v_j / root_j) with w_ij = -a_ij root_i
 * root_j; no root is taken, and the factors are grouped so that none overflows.
 */
static void
gram(const struct kith_component *p, size_t k, const double *V, double *H)
{
	const struct kith_sparse *A = &p->A, *B = p->B;
	struct kith_pool tmp = {0};
	double *s, *t;

	KITH_NEW_REALS(&tmp, k, 1, &s, &t);
	memset(H, 0, k * k * sizeof(*H));
	for (size_t i = 0; i < p->n && p->kind == KITH_AFFINE; i++) {
		const size_t row = p->node[i];

		for (size_t a = 0; a < k; a++) {
			t[a] = 0;
			for (size_t e = B->start[row]; e < B->start[row + 1]; e++)
				t[a] += B->x[e] * V[a * p->n + p->place[B->column[e]]];
		}
		add_product(k, t, t, H);
	}
	for (size_t i = 0; i < p->n && p->kind != KITH_AFFINE; i++)
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const size_t j = A->column[e];
			const double root_i = p->root[i], root_j = p->root[j];

			if (j < i)
				continue;
			for (size_t a = 0; a < k; a++) {
				const double *v = V + a * p->n, x = v[i] / root_i - v[j] / root_j;

				s[a] = -A->x[e] * (root_i * x);
				t[a] = root_j * x;
			}
			add_product(k, s, t, H);
		}
	kith_pool_free(&tmp);
}

double
kith_component_value(const struct kith_component *p, const double *v)
{
	double square;

	gram(p, 1, v, &square);
	return square / kith_vec_dot(p->n, v, v);
}

double
kith_component_residual(
    const struct kith_component *p, double lambda, const double *u, size_t threads)
{
	struct kith_pool tmp = {0};
	double *r = kith_new(&tmp, p->n, sizeof(*r)), square;

	kith_sparse_times(&p->A, 1, u, r, threads);
	for (size_t i = 0; i < p->n; i++)
		r[i] -= lambda * u[i];
	square = kith_vec_dot(p->n, r, r) / kith_vec_dot(p->n, u, u);
	kith_pool_free(&tmp);
	return sqrt(square);
}

/* Rows (a, b) become (cos a - sin b, sin a + cos b). */
static void
rotate(size_t n, size_t step, double *a, double *b, double cosine, double sine)
{
	for (size_t i = 0; i < n; i++) {
		const double x = a[i * step], y = b[i * step];

		a[i * step] = cosine * x - sine * y;
		b[i * step] = sine * x + cosine * y;
	}
}

/*
 * Turns k orthonormal vectors, the rows of V, within their span to the eigenvectors of A there.
 * Jacobi rotations of H = V F'F V' keep a small relative error of small eigenvalues.
 */
static void
separate(const struct kith_component *p, size_t k, double *V)
{
	struct kith_pool tmp = {0};
	double *H = kith_new(&tmp, k * k, sizeof(*H));
	bool turned = true;

	gram(p, k, V, H);
	kith_mirror(k, k, H);
	for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
		turned = false;
		for (size_t a = 0; a + 1 < k; a++)
			for (size_t b = a + 1; b < k; b++) {
				const double x = H[a * k + a], y = H[b * k + b], z = H[a * k + b];
				const double theta = (y - x) / (2 * z);
				const double tangent = (theta < 0 ? -1 : 1) /
				    (fabs(theta) + hypot(theta, 1));
				const double cosine = 1 / hypot(tangent, 1);

				if (fabs(z) <= DBL_EPSILON * sqrt(x) * sqrt(y))
					continue;
				turned = true;
				rotate(k, 1, H + a * k, H + b * k, cosine, tangent * cosine);
				rotate(k, k, H + a, H + b, cosine, tangent * cosine);
				H[a * k + b] = H[b * k + a] = 0;
				rotate(
				    p->n, 1, V + a * p->n, V + b * p->n, cosine, tangent * cosine);
			}
	}
	kith_pool_free(&tmp);
}

static bool
is_equal(double a, double b)
{
	return fabs(a - b) <= EQUAL * fmax(a, b);
}

/* Step 3, and the residuals. */
static void
rank(const struct kith_component *p, size_t k, size_t threads, double *V, struct kith_embedded *e)
{
	kith_rank_eigenpairs(p, k, V, e->value);
	for (size_t i = 0; i < k; i++)
		e->residual[i] = kith_component_residual(p, e->value[i], V + i * p->n, threads);
}

/*
 * Step 4: the largest angle of each coordinate with one of the k vectors, or with an unknown one,
 * whose eigenvalue exceeds the k-th one, that rounding may hide: rounding over the gap.
 */
static void
find_angle(const struct kith_component *p, size_t k, bool separated, struct kith_embedded *e)
{
	const double *value = e->value, bound = p->bound, rounding = 8 * DBL_EPSILON;
	const size_t all = k + 1 < p->n ? k + 1 : k;

	e->angle = 0;
	for (size_t i = 0; i < e->d; i++)
		for (size_t j = 0; j < all; j++) {
			const double other = value[j < k ? j : k - 1];
			double off = e->residual[i] + (j < k ? e->residual[j] : 0) +
			    rounding * bound;

			if (separated && j < k)
				off = rounding *
				    (sqrt(bound) * (sqrt(value[i]) + sqrt(other)) +
					DBL_EPSILON * bound);
			off /= fabs(value[i] - other);
			if (!is_equal(value[i], other) && off > e->angle) {
				e->angle = off;
				e->turned = i;
			}
		}
}

/* Step 5: coordinate j of the component's nodes, from the vector u. */
static void
set_coordinate(
    const struct kith_component *p, const double *u, size_t j, struct kith_embedding *out)
{
	double most = 0, sign = 0;

	for (size_t i = 0; i < p->n; i++) {
		const double root = p->kind == KITH_RANDOM_WALK ? p->root[i] : 1;
		double *y = &out->y[p->node[i] * out->d + j];

		*y = u[i] / root * p->scale;
		most = fmax(most, fabs(*y));
	}
	for (size_t i = 0; i < p->n && sign == 0; i++) {
		const double y = out->y[p->node[i] * out->d + j];

		if (fabs(y) >= most * (1 - ALIKE))
			sign = y < 0 ? -1 : 1;
	}
	for (size_t i = 0; i < p->n; i++)
		out->y[p->node[i] * out->d + j] *= sign;
}

/* Steps 3 to 5. */
static void
finish(const struct kith_component *p, size_t k, size_t threads, double *V,
    struct kith_sparse_factor *order, struct kith_embedded *e, struct kith_embedding *out)
{
	rank(p, k, threads, V, e);
	find_angle(p, k, false, e);
	if (e->angle > DOUBTFUL && k <= SEPARATED) {
		separate(p, k, V);
		rank(p, k, threads, V, e);
		find_angle(p, k, true, e);
	}
	for (size_t i = 0; i < e->d; i++) {
		if (is_equal(e->value[i], e->value[i + 1])) {
			e->first_equal = e->equal++ == 0 ? i : e->first_equal;
			e->splits_equal = i + 1 == e->d;
		}
		e->worst = fmax(e->worst, e->residual[i] / p->bound * 2);
		set_coordinate(p, V + i * p->n, i, out);
	}
	e->missed = e->dense ? 0 : NAN;
	if (order && kith_sparse_flops(order) <= CHEAP)
		e->missed = kith_count_missed(p, e->d, e->value, e->worst * p->bound / 2, order);
	for (size_t i = 0; i <= e->d; i++) {
		e->value[i] = ldexp(e->value[i], p->exponent);
		e->residual[i] = ldexp(e->residual[i], p->exponent);
	}
}

static int
embed_component(const struct kith_undirected *graph, const struct kith_embed_how *how, size_t c,
    struct kith_embedding *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_embedded *e = &out->part[out->parts++];
	struct kith_pool tmp = {0};
	struct kith_sparse_factor *order;
	struct kith_component p;
	size_t k = how->d + 1 + (how->kind == KITH_AFFINE ? SPARE : 0);
	double *V;
	int got = 0;

	kith_component_matrix(graph, c, how->kind, &p, &tmp);
	k = k < p.n ? k : p.n - 1;
	*e = (struct kith_embedded){.component = c, .n = p.n, .d = how->d < k ? how->d : k};
	KITH_NEW_REALS(pool, k + 1, 1, &e->value, &e->residual);
	e->value[k] = NAN;
	KITH_NEW_REALS(&tmp, k, p.n, &V);
	if (kith_smallest_eigenpairs(&p, k, how->threads, V, e, &order))
		finish(&p, k, how->threads, V, order, e, out);
	else
		got = kith_fail(err, EX_SOFTWARE,
		    "%zu eigenvectors of %zu nodes: none after %zu products", k, p.n, e->products);
	if (order)
		kith_sparse_free(order);
	kith_pool_free(&tmp);
	return got;
}

int
kith_embed(const struct kith_undirected *graph, const struct kith_embed_how *how,
    struct kith_embedding *out, struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = graph->W.n;
	size_t most;

	*out = (struct kith_embedding){.n = n, .d = how->d};
	if (graph->edges == 0)
		return kith_fail(err, EX_DATAERR, "no edge: nothing to embed");
	most = graph->start[graph->largest + 1] - graph->start[graph->largest];
	if (how->d >= most)
		return kith_fail(err, EX_DATAERR,
		    "%zu coordinates: a component of %zu nodes has %zu (--dims?)", how->d, most,
		    most - 1);
	out->part = kith_new(pool, graph->components, sizeof(*out->part));
	KITH_NEW_REALS(pool, n, how->d, &out->y);
	for (size_t i = 0; i < n * how->d; i++)
		out->y[i] = NAN;
	for (size_t c = 0; c < graph->components; c++) {
		const size_t size = graph->start[c + 1] - graph->start[c];

		if ((how->all ? size >= 2 : c == graph->largest) &&
		    embed_component(graph, how, c, out, pool, err))
			return -1;
	}
	return 0;
}
