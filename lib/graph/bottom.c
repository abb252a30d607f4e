/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/bottom.h"

#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "la/blas.h"
#include "la/eig.h"
#include "solve/arpack.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

/*
 * 1. Small matrices, and those of which many eigenvalues are due, are solved as
 *    dense ones.
 * 2. Lanczos steps with bound/2 I - A need no factor, and where the eigenvalues
 *    near 0 are apart, as in graphs of images, few products.
 * 3. When they have cost as much as a factor of A + shift I is going to cost,
 *    by its order and its count of entries, that is made, and the steps are
 *    with its inverse: few where a surface or a curve has many small ones.
 * 4. One start vector may miss a vector of an eigenvalue that is there several
 *    times.  So search for one more, what was found being projected out, until
 *    it is none of the k least.
 *
 * With Q the vectors to be left out, null among them, and P = I - Q Q', the
 * operator is P (bound/2 I - A) P - bound Q Q', or P (A + shift I)^-1 P: both
 * have the wanted values as their largest, and those of Q as their least.
 */

enum {
	SMALL = 200,       /* rows of a matrix that is solved as a dense one */
	BEYOND = 50,       /* and rows beyond the vectors that are due */
	DENSE = 30000,     /* most rows of a dense one */
	PATIENCE = 300,    /* products before the order of a factor is made */
	LARGE = 100000,    /* rows with which there is no such patience, */
	MESH = 16,         /* nor with so few entries a row, as surfaces have */
	PRODUCTS = 100000, /* most products, where there can be no factor */
	SPARE = 10         /* Lanczos vectors beyond two for each that is due */
};

/* A factor's operations go through BLAS, so many in the time of one product's. */
static const double BLAS_GAIN = 10;
static const double MOST_FILL = 5e8, MOST_FLOPS = 5e12;

/* What a Ritz vector's residual may be, relative to its value. */
static const double TOL = 1e-15, TOL_INVERSE = 1e-14, TOL_LOOSE = 1e-4;

/* The least shift, of the bound, that a factor is tried with. */
static const double SHIFT = 1e-13;

struct search {
	const struct kith_singular *m;
	struct kith_bottom *out;
	size_t threads;
	double *Q;         /* locked x n by rows */
	size_t locked;     /* null, then the vectors found */
	double *c, *x, *z; /* scratch: locked, n, n */
	double budget;     /* products until more is known, or the end */
	size_t starts;
};

bool
kith_bottom_affords(const struct kith_sparse_factor *order)
{
	return kith_sparse_fill(order) <= MOST_FILL && kith_sparse_flops(order) <= MOST_FLOPS;
}

/* x -= Q' Q x */
static void
project(const struct search *s, double *x)
{
	const size_t n = s->m->A.n;

	kith_blas_times(s->locked, n, s->Q, n, x, s->c);
	kith_blas_turned(s->locked, n, s->Q, n, s->c, s->x);
	for (size_t i = 0; i < n; i++)
		x[i] -= s->x[i];
}

/* The budget is used up: whether steps without a factor go on. */
static bool
go_on(struct search *s, size_t room)
{
	const struct kith_sparse *A = &s->m->A;
	const double n = (double)A->n, entries = (double)A->start[A->n];

	if (s->out->order)
		return false;
	s->out->order = kith_sparse_order(A);
	s->budget = kith_bottom_affords(s->out->order)
	    ? kith_sparse_flops(s->out->order) / BLAS_GAIN / (2 * entries + 4 * (double)room * n)
	    : PRODUCTS;
	return s->budget > (double)s->out->products;
}

struct step {
	struct search *s;
	size_t room;
};

static bool
times(void *to, const double *x, double *y)
{
	struct step *step = to;
	struct search *s = step->s;
	const struct kith_singular *m = s->m;
	const size_t n = m->A.n;
	double *z = s->z;

	if (!s->out->factored && (double)s->out->products >= s->budget && !go_on(s, step->room))
		return false;
	s->out->products++;
	kith_progress_add(1);
	memcpy(z, x, n * sizeof(*z));
	project(s, z);
	if (s->out->factored) {
		kith_sparse_solve(s->out->order, 1, z, y);
	} else {
		kith_sparse_times(&m->A, 1, z, y, s->threads);
		for (size_t i = 0; i < n; i++)
			y[i] = m->bound / 2 * z[i] - y[i];
	}
	project(s, y);
	for (size_t i = 0; i < n && !s->out->factored; i++)
		y[i] -= m->bound * (x[i] - z[i]);
	return true;
}

/* v'Av */
static double
rayleigh(const struct search *s, const double *v)
{
	const size_t n = s->m->A.n;
	double sum = 0;

	kith_sparse_times(&s->m->A, 1, v, s->x, s->threads);
	for (size_t i = 0; i < n; i++)
		sum += v[i] * s->x[i];
	return sum;
}

/*
 * Find k vectors that are orthogonal to Q, into V, and their values; start: or
 * NULL.  False where they do not converge.
 */
static bool
find(struct search *s, size_t k, double tol, const double *start, double *V, double *value)
{
	const size_t n = s->m->A.n;
	struct kith_pool tmp = {0};
	double *first = kith_new(&tmp, n, sizeof(*first));
	struct step step = {s, 2 * k + SPARE < n ? 2 * k + SPARE : n};
	const struct kith_arpack job = {.n = n,
	    .k = k,
	    .room = step.room,
	    .tol = tol,
	    .most = s->out->factored ? PRODUCTS / 10 : PRODUCTS,
	    .times = times,
	    .to = &step};
	struct kith_rng rng;
	bool got;

	kith_rng_seed(&rng, 1, KITH_RNG_START, s->starts++);
	for (size_t i = 0; i < n; i++)
		first[i] = start ? start[i] : kith_rng_unit(&rng) - .5;
	project(s, first);
	kith_progress_phase("eigenvectors", 0, "products");
	got = kith_arpack(&job, first, value, V) == k;
	kith_progress_end();
	for (size_t i = 0; got && i < k; i++)
		value[i] = rayleigh(s, V + i * n);
	kith_pool_free(&tmp);
	return got;
}

/* Factor A + shift I, with the least shift that does. */
static bool
factor(struct search *s)
{
	struct kith_sparse A = s->m->A;
	struct kith_pool tmp = {0};
	double *diagonal = kith_new(&tmp, A.n, sizeof(*diagonal));
	struct kith_bottom *out = s->out;

	A.diagonal = diagonal;
	out->shift = SHIFT * s->m->bound;
	for (int turn = 0; turn < 4 && !out->factored; turn++) {
		out->shift *= turn > 0 ? 100 : 1;
		for (size_t i = 0; i < A.n; i++)
			diagonal[i] = s->m->A.diagonal[i] + out->shift;
		kith_sparse_take(out->order, &A);
		out->factored = !kith_sparse_cholesky(out->order);
	}
	kith_pool_free(&tmp);
	return out->factored;
}

/* Lengths of 1, and products of 0, among the locked rows and v. */
static void
straighten(const struct search *s, double *v)
{
	const size_t n = s->m->A.n;

	for (int round = 0; round < 2; round++) {
		double sum = 0;

		project(s, v);
		for (size_t i = 0; i < n; i++)
			sum += v[i] * v[i];
		for (size_t i = 0; i < n; i++)
			v[i] /= sqrt(sum);
	}
}

/* Lock k vectors in the order of their values, straightened, with new values. */
static void
lock(struct search *s, size_t k, double *V, double *value)
{
	const size_t n = s->m->A.n;

	for (size_t i = 1; i < k; i++)
		for (size_t j = i; j > 0 && value[j - 1] > value[j]; j--) {
			const double x = value[j];

			value[j] = value[j - 1];
			value[j - 1] = x;
			memcpy(s->x, V + j * n, n * sizeof(*V));
			memcpy(V + j * n, V + (j - 1) * n, n * sizeof(*V));
			memcpy(V + (j - 1) * n, s->x, n * sizeof(*V));
		}
	for (s->locked = 1; s->locked < k + 1; s->locked++) {
		double *v = V + (s->locked - 1) * n;

		straighten(s, v);
		value[s->locked - 1] = rayleigh(s, v);
		memcpy(s->Q + s->locked * n, v, n * sizeof(*v));
	}
}

/*
 * Step 4: look for a vector that belongs among the k, and put it there; false
 * where there is none.
 */
static bool
complete(struct search *s, size_t k, double *V, double *value)
{
	const size_t n = s->m->A.n;
	const double last = value[k - 1], rounding = 8 * DBL_EPSILON * s->m->bound;
	const bool inverse = s->out->factored;
	struct kith_pool tmp = {0};
	double *v = kith_new(&tmp, 2 * n, sizeof(*v)), got[1];
	bool found = k + 1 < n &&
	    find(s, 1, inverse ? TOL_LOOSE : fmax(TOL, TOL_LOOSE * last / s->m->bound), NULL, v,
		got) &&
	    got[0] < last * (1 + 2 * TOL_LOOSE) + rounding &&
	    find(s, 1, inverse ? TOL_INVERSE : TOL, v, v + n, got) &&
	    got[0] < last * (1 - 1e-12) - rounding;

	if (found) {
		memcpy(V + (k - 1) * n, v + n, n * sizeof(*V));
		value[k - 1] = got[0];
		lock(s, k, V, value);
	}
	kith_pool_free(&tmp);
	return found;
}

/* Step 1: A + 2 bound null null', whose k least are those. */
static bool
solve_dense(const struct search *s, size_t k, double *V, double *value)
{
	const struct kith_sparse *A = &s->m->A;
	const size_t n = A->n;
	struct kith_pool tmp = {0};
	double *B = kith_new(&tmp, n * n, sizeof(*B));
	double *all = kith_new(&tmp, n * n, sizeof(*all));
	double *lambda = kith_new(&tmp, n, sizeof(*lambda));
	bool got;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			B[i * n + j] = 2 * s->m->bound * s->m->null[i] * s->m->null[j];
		B[i * n + i] += A->diagonal[i];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			B[i * n + A->column[e]] += A->x[e];
	}
	got = kith_eig(n, B, lambda, all);
	memcpy(V, all, k * n * sizeof(*V));
	memcpy(value, lambda, k * sizeof(*value));
	kith_pool_free(&tmp);
	return got;
}

/* Steps 2 to 4. */
static bool
solve(struct search *s, size_t k, double *V, double *value)
{
	const struct kith_sparse *A = &s->m->A;
	const struct kith_bottom *out = s->out;
	bool got;

	s->budget = A->n < LARGE && A->start[A->n] > MESH * A->n ? PATIENCE : 0;
	got = find(s, k, TOL, NULL, V, value);
	if (!got && out->order && kith_bottom_affords(out->order))
		got = factor(s) && find(s, k, TOL_INVERSE, NULL, V, value);
	if (!got)
		return false;
	s->budget = INFINITY;
	lock(s, k, V, value);
	for (size_t round = 0; round <= k && complete(s, k, V, value); round++)
		continue;
	return true;
}

void
kith_bottom(const struct kith_singular *m, size_t k, size_t threads, struct kith_bottom *out,
    struct kith_pool *pool)
{
	const size_t n = m->A.n;
	struct kith_pool tmp = {0};
	struct search s = {.m = m, .out = out, .threads = threads, .locked = 1};
	bool got;

	assert(k >= 1 && k < n);
	*out = (struct kith_bottom){.k = k};
	out->V = kith_new(pool, k * n, sizeof(*out->V));
	out->value = kith_new(pool, k, sizeof(*out->value));
	s.Q = kith_new(&tmp, (k + 1) * n, sizeof(*s.Q));
	s.c = kith_new(&tmp, k + 1, sizeof(*s.c));
	s.x = kith_new(&tmp, n, sizeof(*s.x));
	s.z = kith_new(&tmp, n, sizeof(*s.z));
	memcpy(s.Q, m->null, n * sizeof(*s.Q));
	out->dense = n <= SMALL || n <= k + BEYOND || (n <= DENSE && n / 3 < k) ||
	    2 * k + SPARE > KITH_ARPACK_ROOM;
	if (out->dense) {
		got = n <= DENSE && solve_dense(&s, k, out->V, out->value);
		if (got)
			lock(&s, k, out->V, out->value);
	} else {
		got = solve(&s, k, out->V, out->value);
	}
	if (!got)
		out->k = 0;
	kith_pool_free(&tmp);
}
