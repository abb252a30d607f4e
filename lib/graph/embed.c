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
#include "base/sort.h"
#include "graph/internal.h"
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
kith_components_list(
    const struct kith_undirected *g, struct kith_components *out, struct kith_pool *pool)
{
	size_t most = 0;

	*out = (struct kith_components){.n = g->components};
	KITH_NEW_SIZES(pool, g->components + 1, 1, &out->start);
	KITH_NEW_SIZES(pool, g->W.n, 1, &out->node, &out->place);
	kith_sort_by_class(g->component, g->W.n, out->n, out->node, out->start);
	for (size_t c = 0; c < out->n; c++) {
		const size_t first = out->start[c], end = out->start[c + 1];

		for (size_t l = first; l < end; l++)
			out->place[out->node[l]] = l - first;
		out->largest = end - first > most ? c : out->largest;
		most = end - first > most ? end - first : most;
	}
}

/* I - D^-1/2 W D^-1/2; two divisions, for d_i d_j may underflow. */
static void
normalise(const double *d, struct kith_component *p)
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
subtract(const double *d, struct kith_component *p)
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

void
kith_component_matrix(const struct kith_undirected *g, const struct kith_components *list, size_t c,
    enum kith_laplacian kind, struct kith_component *p, struct kith_pool *pool)
{
	const size_t n = list->start[c + 1] - list->start[c];
	const struct kith_sparse *W = &g->W;
	struct kith_sparse *A = &p->m.A;
	size_t entries = 0;

	assert(n >= 2 && (kind == KITH_AFFINE) == (g->B.start != NULL));
	*p = (struct kith_component){.kind = kind,
	    .n = n,
	    .node = list->node + list->start[c],
	    .place = list->place,
	    .scale = 1,
	    .B = &g->B};
	for (size_t i = 0; i < n; i++)
		entries += W->start[p->node[i] + 1] - W->start[p->node[i]];
	KITH_NEW_REALS(pool, n, 1, &p->root, &p->m.null, &A->diagonal);
	A->n = n;
	A->start = kith_new(pool, n + 1, sizeof(*A->start));
	A->column = kith_new(pool, entries, sizeof(*A->column));
	A->x = kith_new(pool, entries, sizeof(*A->x));
	entries = 0;
	for (size_t i = 0; i < n; i++) {
		const size_t row = p->node[i];
		double sum = fabs(W->diagonal[row]);

		for (size_t e = W->start[row]; e < W->start[row + 1]; e++) {
			A->column[entries] = (uint32_t)p->place[W->column[e]];
			A->x[entries++] = W->x[e];
			sum += fabs(W->x[e]);
		}
		A->start[i + 1] = entries;
		A->diagonal[i] = W->diagonal[row];
		p->root[i] = 1;
		p->m.null[i] = 1 / sqrt((double)n);
		p->m.bound = fmax(
		    p->m.bound, sum); /* affine: no eigenvalue exceeds the largest row sum */
	}
	if (kind == KITH_AFFINE)
		p->scale = sqrt((double)n);
	else if (kind == KITH_COMBINATORIAL)
		subtract(g->d, p);
	else
		normalise(g->d, p);
	/* The weights were divided by 2^g->exponent: y'Dy = 1 is meant without. */
	if (kind == KITH_COMBINATORIAL)
		p->exponent += g->exponent;
	if (kind == KITH_RANDOM_WALK)
		p->scale = ldexp(g->exponent % 2 ? sqrt(.5) : 1, -(g->exponent / 2));
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
	const struct kith_sparse *A = &p->m.A, *B = p->B;
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

void
kith_component_values(const struct kith_component *p, size_t k, const double *V, double *value)
{
	for (size_t a = 0; a < k; a++) {
		gram(p, 1, V + a * p->n, value + a);
		value[a] /= kith_vec_dot(p->n, V + a * p->n, V + a * p->n);
	}
}

double
kith_component_residual(
    const struct kith_component *p, double lambda, const double *u, size_t threads)
{
	struct kith_pool tmp = {0};
	double *r = kith_new(&tmp, p->n, sizeof(*r)), square;

	kith_sparse_times(&p->m.A, 1, u, r, threads);
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
	for (size_t a = 0; a < k; a++)
		for (size_t b = 0; b < a; b++)
			H[a * k + b] = H[b * k + a];
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

/* The k vectors found, and their order by value. */
struct found {
	const struct kith_component *p;
	size_t k;
	double *V, *value, *residual; /* value and residual in the order of value */
	size_t *at;                   /* k: rows of V in this order */
	bool separated;
};

/* Step 3, and the residuals. */
static void
rank(struct found *f, size_t threads)
{
	kith_component_values(f->p, f->k, f->V, f->value);
	for (size_t i = 0; i < f->k; i++) {
		f->at[i] = i;
		for (size_t j = i; j > 0 && f->value[j - 1] > f->value[j]; j--) {
			const size_t row = f->at[j];

			f->at[j] = f->at[j - 1];
			f->at[j - 1] = row;
			kith_vec_swap(f->value, j - 1, j);
		}
	}
	for (size_t i = 0; i < f->k; i++)
		f->residual[i] = kith_component_residual(
		    f->p, f->value[i], f->V + f->at[i] * f->p->n, threads);
}

/* The angle between vectors i and j that rounding may hide: rounding over the gap. */
static double
angle(const struct found *f, size_t i, size_t j)
{
	const double *value = f->value, bound = f->p->m.bound, rounding = 8 * DBL_EPSILON;
	const double gap = fabs(value[i] - value[j]);

	if (f->separated)
		return rounding *
		    (sqrt(bound) * (sqrt(value[i]) + sqrt(value[j])) + DBL_EPSILON * bound) / gap;
	return (f->residual[i] + f->residual[j] + rounding * bound) / gap;
}

/* Step 4: the largest angle of each coordinate with the other vectors, known and unknown. */
static void
find_angle(const struct found *f, struct kith_embedded *out)
{
	const double *value = f->value, last = value[f->k - 1];

	out->angle = 0;
	for (size_t i = 0; i < out->d; i++) {
		double most = 0;

		for (size_t j = 0; j < f->k; j++)
			if (j != i && !is_equal(value[i], value[j]))
				most = fmax(most, angle(f, i, j));
		if (f->k + 1 < f->p->n &&
		    !is_equal(value[i], last)) /* unknown ones are beyond the last */
			most = fmax(most,
			    (f->residual[i] + 8 * DBL_EPSILON * f->p->m.bound) / (last - value[i]));
		if (most > out->angle) {
			out->angle = most;
			out->turned = i;
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
finish(const struct kith_component *p, const struct kith_eigenpairs *b, size_t threads,
    struct kith_embedded *e, struct kith_embedding *out)
{
	struct kith_pool tmp = {0};
	struct found f = {.p = p, .k = b->k, .V = b->V};

	KITH_NEW_REALS(&tmp, b->k, 1, &f.value, &f.residual);
	KITH_NEW_SIZES(&tmp, b->k, 1, &f.at);
	rank(&f, threads);
	find_angle(&f, e);
	if (e->angle > DOUBTFUL && f.k <= SEPARATED) {
		separate(p, f.k, f.V);
		f.separated = true;
		rank(&f, threads);
		find_angle(&f, e);
	}
	for (size_t i = 0; i < e->d && i + 1 < f.k; i++)
		if (is_equal(f.value[i], f.value[i + 1])) {
			e->first_equal = e->equal++ == 0 ? i : e->first_equal;
			e->splits_equal = i + 1 == e->d;
		}
	for (size_t i = 0; i < e->d; i++) {
		e->worst = fmax(e->worst, f.residual[i] / p->m.bound * 2);
		set_coordinate(p, f.V + f.at[i] * p->n, i, out);
		e->residual[i] = ldexp(f.residual[i], p->exponent);
	}
	for (size_t i = 0; i <= e->d; i++)
		e->value[i] = i < f.k ? ldexp(f.value[i], p->exponent) : NAN;
	e->missed = b->dense ? 0 : NAN;
	if (b->order && kith_sparse_flops(b->order) <= CHEAP)
		e->missed = kith_count_missed(
		    &p->m, e->d, f.value, e->worst * p->m.bound / 2, b->order);
	e->products = b->products;
	e->dense = b->dense;
	e->factored = b->factored;
	kith_pool_free(&tmp);
}

int
kith_embed(const struct kith_undirected *graph, const struct kith_embed_how *how,
    struct kith_embedding *out, struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = graph->W.n;
	struct kith_pool list_pool = {0};
	struct kith_components list;
	size_t most;
	int got = 0;

	*out = (struct kith_embedding){.n = n, .d = how->d};
	if (graph->edges == 0)
		return kith_fail(err, EX_DATAERR, "no edge: nothing to embed");
	kith_components_list(graph, &list, &list_pool);
	most = list.start[list.largest + 1] - list.start[list.largest];
	if (how->d >= most)
		got = kith_fail(err, EX_DATAERR,
		    "%zu coordinates: a component of %zu nodes has %zu (--dims?)", how->d, most,
		    most - 1);
	out->part = kith_new(pool, list.n, sizeof(*out->part));
	if (got == 0)
		KITH_NEW_REALS(pool, n, how->d, &out->y);
	for (size_t i = 0; i < n * how->d && got == 0; i++)
		out->y[i] = NAN;
	for (size_t c = 0; c < list.n && got == 0; c++) {
		const size_t size = list.start[c + 1] - list.start[c];
		const size_t due = how->d + 1 + (how->kind == KITH_AFFINE ? SPARE : 0);
		const size_t k = due < size ? due : size - 1;
		struct kith_embedded *e = &out->part[out->parts];
		struct kith_pool tmp = {0};
		struct kith_component p;
		struct kith_eigenpairs b;

		if (how->all ? size < 2 : c != list.largest)
			continue;
		out->parts++;
		*e = (struct kith_embedded){
		    .component = c, .n = size, .d = how->d < k ? how->d : k};
		e->value = kith_new(pool, e->d + 1, sizeof(*e->value));
		e->residual = kith_new(pool, e->d, sizeof(*e->residual));
		kith_component_matrix(graph, &list, c, how->kind, &p, &tmp);
		kith_smallest_eigenpairs(&p.m, k, how->threads, &b, &tmp);
		if (b.k == 0)
			got = kith_fail(err, EX_SOFTWARE,
			    "%zu eigenvectors of %zu nodes: none after %zu products", k, size,
			    b.products);
		else
			finish(&p, &b, how->threads, e, out);
		if (b.order)
			kith_sparse_free(b.order);
		kith_pool_free(&tmp);
	}
	kith_pool_free(&list_pool);
	return got;
}
