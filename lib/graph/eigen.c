/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The smallest eigenvalues of a semidefinite sparse matrix with a known null vector.
 *
 * 1. A small matrix is solved as a dense one, and so is one of which many eigenvalues are asked
 *    for.
 * 2. Lanczos steps with bound/2 I - A need no factor.  They take few products where the eigenvalues
 *    near 0 are apart, as in graphs of images.
 * 3. When they have cost as much as a factor of A + shift I would, by its count of operations, that
 *    factor is computed, and the steps begin anew with the inverse: few of them, where a surface or
 *    a curve has many small eigenvalues.
 * 4. One start vector may miss a vector of a multiple eigenvalue.  So a search for one more vector,
 *    orthogonal to the vectors found, is repeated until its eigenvalue exceeds the k-th one.
 *
 * With the rows of Q, null among them, and P = I - Q'Q, the operator of the Lanczos steps is
 * P (bound/2 I - A) P - bound Q'Q, or P (A + shift I)^-1 P: the wanted eigenvalues are its largest,
 * and the eigenvalues of the rows of Q its smallest.
 */
#include "graph/internal.h"

#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "graph/embed.h"
#include "la/blas.h"
#include "la/lapack.h"
#include "la/vec.h"

#include <arpack/arpack.h>
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
	SMALL = 200, /* rows of a matrix that is solved as a dense one */
	BEYOND = 50, /* rows more than vectors asked for, up to which a matrix is solved as dense */
	DENSE = 30000,     /* rows of a dense matrix at most */
	PRODUCTS = 100000, /* products at most, where no factor fits */
	SPARE = 10,        /* Lanczos vectors beyond two for each eigenvalue */
	ROOM = 46000       /* Lanczos vectors: more overflow the int size of ARPACK's workspace */
};

static const double BLAS_GAIN = 10; /* operations of a factor in the time of one of a product */
static const double MOST_FILL = 5e8, MOST_FLOPS = 5e12;
static const double TOL = 1e-15, TOL_INVERSE = 1e-14, TOL_LOOSE = 1e-4; /* residuals over values */
static const double SHIFT = 1e-13; /* the least shift, of the bound, that a factor is tried with */

struct search {
	const struct kith_component *p;
	struct kith_embedded *e;          /* value, products, dense, factored */
	struct kith_sparse_factor *order; /* of A, or NULL */
	size_t threads;
	double *Q; /* locked x n by rows: null, then the vectors found */
	size_t locked;
	double *c, *x, *z; /* scratch: locked, n, n */
	double budget;     /* products without a factor at most */
	size_t starts;
};

bool
kith_factor_is_affordable(const struct kith_sparse_factor *order)
{
	return kith_sparse_fill(order) <= MOST_FILL && kith_sparse_flops(order) <= MOST_FLOPS;
}

/* x -= Q' Q x */
static void
project(const struct search *s, double *x)
{
	const size_t n = s->p->A.n;

	kith_blas_times(s->locked, n, s->Q, n, x, s->c);
	kith_blas_turned(s->locked, n, s->Q, n, s->c, s->x);
	for (size_t i = 0; i < n; i++)
		x[i] -= s->x[i];
}

/* y = P (bound/2 I - A) P x - bound Q'Q x, or P (A + shift I)^-1 P x; false: out of budget. */
static bool
multiply(struct search *s, const double *x, double *y)
{
	const struct kith_component *p = s->p;
	const size_t n = p->A.n;
	const bool factored = s->e->factored;

	if (!factored && (double)s->e->products >= s->budget)
		return false;
	s->e->products++;
	kith_progress_add(1);
	memcpy(s->z, x, n * sizeof(*x));
	project(s, s->z);
	if (factored) {
		kith_sparse_solve(s->order, 1, s->z, y);
	} else {
		kith_sparse_times(&p->A, 1, s->z, y, s->threads);
		for (size_t i = 0; i < n; i++)
			y[i] = p->bound / 2 * s->z[i] - y[i];
	}
	project(s, y);
	for (size_t i = 0; i < n && !factored; i++)
		y[i] -= p->bound * (x[i] - s->z[i]);
	return true;
}

/* Lanczos vectors for k eigenvalues. */
static size_t
vectors_for(const struct search *s, size_t k)
{
	return 2 * k + SPARE < s->p->A.n ? 2 * k + SPARE : s->p->A.n;
}

/*
 * Finds k vectors orthogonal to Q, from start or, if NULL, a random vector, by the implicitly
 * restarted Lanczos steps of ARPACK (Lehoucq, Sorensen and Yang 1998), whose state is global: on
 * one thread at a time.  False: no convergence.
 */
static bool
lanczos(struct search *s, size_t k, double tol, const double *start, double *V)
{
	const size_t rows = s->p->A.n, most = s->e->factored ? PRODUCTS / 10 : PRODUCTS;
	const a_int n = (a_int)rows, wanted = (a_int)k, room = (a_int)vectors_for(s, k);
	const a_int lworkl = room * (room + 8);
	struct kith_pool tmp = {0};
	a_int *select = kith_new(&tmp, (size_t)room, sizeof(*select)), ipntr[14];
	/* Exact shifts, restarts, mode 1: A x = value x. */
	a_int iparam[11] = {1, 0, (a_int)most / (room - wanted) + 1, 0, 0, 0, 1};
	a_int info = 1, ido = 0; /* info 1: first is given */
	double *first, *increasing, *v, *workd, *workl;
	struct kith_rng rng;
	bool going, got = false;

	assert(rows <= INT_MAX / 3);
	KITH_NEW_REALS(&tmp, rows, 1, &first, &increasing);
	KITH_NEW_REALS(&tmp, rows, (size_t)room, &v);
	KITH_NEW_REALS(&tmp, rows, 3, &workd);
	KITH_NEW_REALS(&tmp, (size_t)lworkl, 1, &workl);
	kith_rng_seed(&rng, 1, KITH_RNG_START, s->starts++);
	for (size_t i = 0; i < rows; i++)
		first[i] = start ? start[i] : kith_rng_unit(&rng) - .5;
	project(s, first);
	kith_blas_alone();
	kith_progress_phase("eigenvectors", 0, "products");
	do { /* reverse communication: ARPACK asks for products */
		dsaupd_c(&ido, "I", n, "LA", wanted, tol, first, room, v, n, iparam, ipntr, workd,
		    workl, lworkl, &info);
		going = ido == 1 || ido == -1;
	} while (going && multiply(s, workd + ipntr[0] - 1, workd + ipntr[1] - 1));
	if (!going && info == 0) {
		dseupd_c(1, "A", select, increasing, v, n, 0, "I", n, "LA", wanted, tol, first,
		    room, v, n, iparam, ipntr, workd, workl, lworkl, &info);
		got = info == 0;
	}
	kith_progress_end();
	for (size_t i = 0; got && i < k; i++)
		memcpy(V + i * rows, v + (k - 1 - i) * rows, rows * sizeof(*V));
	kith_pool_free(&tmp);
	return got;
}

/* Factors A + shift I with the least shift that makes it positive definite. */
static bool
factor_shifted(struct search *s)
{
	double shift = SHIFT * s->p->bound;

	for (int turn = 0; turn < 4 && !s->e->factored; turn++) {
		s->e->factored = !kith_sparse_cholesky(s->order, &s->p->A, shift);
		shift *= 100;
	}
	return s->e->factored;
}

void
kith_rank_eigenpairs(const struct kith_component *p, size_t k, double *V, double *value)
{
	const size_t n = p->n;

	for (size_t i = 0; i < k; i++)
		value[i] = kith_component_value(p, V + i * n);
	for (size_t i = 1; i < k; i++)
		for (size_t j = i; j > 0 && value[j - 1] > value[j]; j--) {
			kith_vec_swap(value, j - 1, j);
			for (size_t l = 0; l < n; l++)
				kith_vec_swap(V, (j - 1) * n + l, j * n + l);
		}
}

/*
 * Sorts k vectors by their values, makes them orthonormal and orthogonal to null, and locks them.
 */
static void
lock(struct search *s, size_t k, double *V)
{
	const size_t n = s->p->A.n;

	kith_rank_eigenpairs(s->p, k, V, s->e->value);
	s->locked = 1;
	for (size_t j = 0; j < k; j++) {
		double *v = V + j * n;

		for (int round = 0; round < 2; round++) {
			double length;

			project(s, v);
			length = sqrt(kith_vec_dot(n, v, v));
			for (size_t i = 0; i < n; i++)
				v[i] /= length;
		}
		memcpy(s->Q + s->locked++ * n, v, n * sizeof(*v));
	}
}

/* Step 4: replaces the last vector by one that was missed; false if none is found. */
static bool
replace_missed(struct search *s, size_t k, double *V)
{
	const size_t n = s->p->A.n;
	const double last = s->e->value[k - 1], rounding = 8 * DBL_EPSILON * s->p->bound;
	const bool inverse = s->e->factored;
	const double loose = inverse ? TOL_LOOSE : fmax(TOL, TOL_LOOSE * last / s->p->bound);
	struct kith_pool tmp = {0};
	double *v = kith_new(&tmp, 2 * n, sizeof(*v));
	const bool found = k + 1 < n && lanczos(s, 1, loose, NULL, v) &&
	    kith_component_value(s->p, v) < last * (1 + 2 * TOL_LOOSE) + rounding &&
	    lanczos(s, 1, inverse ? TOL_INVERSE : TOL, v, v + n) &&
	    kith_component_value(s->p, v + n) < last * (1 - 1e-12) - rounding;

	if (found) {
		memcpy(V + (k - 1) * n, v + n, n * sizeof(*V));
		lock(s, k, V);
	}
	kith_pool_free(&tmp);
	return found;
}

/* Step 1: the smallest of A + 2 bound null null'. */
static bool
solve_dense(struct search *s, size_t k, double *V)
{
	const struct kith_component *p = s->p;
	const struct kith_sparse *A = &p->A;
	const size_t n = A->n;
	struct kith_pool tmp = {0};
	double *dense = kith_new(&tmp, n * n, sizeof(*dense));
	double *all = kith_new(&tmp, n * n, sizeof(*all));
	double *lambda = kith_new(&tmp, n, sizeof(*lambda));
	bool got;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++)
			dense[i * n + j] = 2 * p->bound * p->null[i] * p->null[j];
		dense[i * n + i] += A->diagonal[i];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
			dense[i * n + A->column[e]] += A->x[e];
	}
	got = kith_eig(n, dense, lambda, all);
	memcpy(V, all, k * n * sizeof(*V));
	kith_pool_free(&tmp);
	if (got)
		lock(s, k, V);
	return got;
}

/* Steps 2 to 4. */
static bool
solve_sparse(struct search *s, size_t k, double *V)
{
	const struct kith_sparse *A = &s->p->A;
	bool got;

	s->budget = PRODUCTS;
	s->order = kith_sparse_order(A);
	if (kith_factor_is_affordable(s->order))
		s->budget = kith_sparse_flops(s->order) / BLAS_GAIN /
		    (2 * (double)A->start[A->n] + 4 * (double)(vectors_for(s, k) * A->n));
	got = lanczos(s, k, TOL, NULL, V);
	if (!got && kith_factor_is_affordable(s->order))
		got = factor_shifted(s) && lanczos(s, k, TOL_INVERSE, NULL, V);
	if (!got)
		return false;
	s->budget = INFINITY;
	lock(s, k, V);
	for (size_t round = 0; round <= k && replace_missed(s, k, V); round++)
		continue;
	return true;
}

bool
kith_smallest_eigenpairs(const struct kith_component *p, size_t k, size_t threads, double *V,
    struct kith_embedded *e, struct kith_sparse_factor **order)
{
	const size_t n = p->A.n;
	struct kith_pool tmp = {0};
	struct search s = {.p = p, .e = e, .threads = threads, .locked = 1};
	bool got;

	assert(k >= 1 && k < n);
	KITH_NEW_REALS(&tmp, k + 1, n, &s.Q);
	KITH_NEW_REALS(&tmp, n, 1, &s.x, &s.z);
	KITH_NEW_REALS(&tmp, k + 1, 1, &s.c);
	memcpy(s.Q, p->null, n * sizeof(*s.Q));
	e->dense = n <= SMALL || n <= k + BEYOND || (n <= DENSE && n / 3 < k) ||
	    2 * k + SPARE > ROOM;
	got = e->dense ? n <= DENSE && solve_dense(&s, k, V) : solve_sparse(&s, k, V);
	*order = s.order;
	kith_pool_free(&tmp);
	return got;
}

/*
 * Counts the eigenvalues below at + side * margin by the inertia of A - s I.  The margin is slack
 * and at least the rounding error of the factor, which it grows to; false where that is too large.
 */
static bool
count_below(const struct kith_component *p, double at, double side, double slack,
    struct kith_sparse_factor *order, size_t *below, double *margin)
{
	double room = 1e-13 * p->bound;

	for (int turn = 0; turn < 5; turn++) {
		double error;

		*margin = slack + room;
		error = kith_sparse_inertia(order, &p->A, -(at + side * *margin), below);
		if (error <= room)
			return true;
		room = error < 1e-6 * p->bound ? 2 * error : 100 * room;
	}
	return false;
}

/*
 * Just above the last value there are at least d + 1 eigenvalues, 0 among them.  If there are more,
 * some may be so near the last value that they do not count: then the eigenvalues below all that
 * are near the last value are counted, of which first + 1 are known.
 */
double
kith_count_missed(const struct kith_component *p, size_t d, const double *value, double slack,
    struct kith_sparse_factor *order)
{
	size_t first = d - 1, below;
	double margin;

	if (!count_below(p, value[d - 1], 1, slack, order, &below, &margin))
		return NAN;
	if (below <= d + 1)
		return (double)below - (double)(d + 1);
	while (first > 0 && value[first] - value[first - 1] <= 4 * margin)
		first--;
	if (!count_below(p, value[first], -1, slack, order, &below, &margin) ||
	    value[first] <= 2 * margin)
		return NAN;
	return below > first + 1 ? (double)(below - (first + 1)) : 0;
}
