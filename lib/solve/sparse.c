/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/sparse.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/blas.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <suitesparse/cholmod.h>

enum { ROWS = 4096 }; /* of a block that a thread multiplies */

struct product {
	const struct kith_sparse *A;
	size_t c;
	const double *X;
	double *Y;
};

/* y_i = A_ii x_i + sum_j A_ij x_j, for the rows of a block. */
static void
times(void *to, size_t block, size_t thread)
{
	const struct product *job = to;
	const struct kith_sparse *A = job->A;
	const size_t c = job->c, first = block * ROWS;
	const size_t end = A->n - first < ROWS ? A->n : first + ROWS;

	(void)thread;
	for (size_t i = first; i < end; i++) {
		double *y = job->Y + i * c;

		for (size_t k = 0; k < c; k++)
			y[k] = A->diagonal[i] * job->X[i * c + k];
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			const double *x = job->X + A->column[e] * c;

			for (size_t k = 0; k < c; k++)
				y[k] += A->x[e] * x[k];
		}
	}
}

void
kith_sparse_times(const struct kith_sparse *A, size_t c, const double *X, double *Y, size_t threads)
{
	struct product job = {A, c, X, Y};

	kith_par(threads, (A->n + ROWS - 1) / ROWS, times, &job);
}

struct kith_sparse_factor {
	struct kith_pool pool; /* has this struct, too */
	cholmod_common common;
	cholmod_sparse *lower; /* A's lower triangle by columns */
	cholmod_factor *L;
};

/* End where CHOLMOD found no memory; all else would be a fault of ours. */
static void
check(const cholmod_common *common)
{
	if (common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE)
		kith_no_memory(1, common->memory_usage);
	assert(common->status >= CHOLMOD_OK);
}

/* Put the places of A's lower triangle, and the numbers too, into f. */
static void
copy(struct kith_sparse_factor *f, const struct kith_sparse *A, bool numbers)
{
	const size_t entries = A->n + A->start[A->n] / 2;
	SuiteSparse_long *start, *row, n = 0;
	double *x;

	if (!f->lower)
		f->lower = cholmod_l_allocate_sparse(
		    A->n, A->n, entries, 1, 1, -1, CHOLMOD_REAL, &f->common);
	check(&f->common);
	start = f->lower->p;
	row = f->lower->i;
	x = f->lower->x;

	for (size_t i = 0; i < A->n; i++) {
		start[i] = n;
		row[n] = (SuiteSparse_long)i;
		if (numbers)
			x[n] = A->diagonal[i];
		n++;
		for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
			if (A->column[e] < i)
				continue;
			row[n] = (SuiteSparse_long)A->column[e];
			if (numbers)
				x[n] = A->x[e];
			n++;
		}
	}
	start[A->n] = n;
}

struct kith_sparse_factor *
kith_sparse_order(const struct kith_sparse *A)
{
	struct kith_pool pool = {0};
	struct kith_sparse_factor *f = kith_new(&pool, 1, sizeof(*f));

	f->pool = pool;
	kith_blas_alone();
	cholmod_l_start(&f->common);
	f->common.print = 0;
	f->common.nmethods = 1;
	f->common.method[0].ordering = CHOLMOD_AMD;
	f->common.postorder = true;
	copy(f, A, false);
	kith_progress_phase("order of a factor", 0, NULL);
	f->L = cholmod_l_analyze(f->lower, &f->common);
	kith_progress_end();
	check(&f->common);
	return f;
}

double
kith_sparse_fill(const struct kith_sparse_factor *f)
{
	return f->L->is_super ? (double)f->L->xsize : f->common.lnz;
}

double
kith_sparse_flops(const struct kith_sparse_factor *f)
{
	return f->common.fl;
}

void
kith_sparse_ordered(const struct kith_sparse_factor *f, size_t *order)
{
	const SuiteSparse_long *row = f->L->Perm;

	for (size_t i = 0; i < f->L->n; i++)
		order[i] = (size_t)row[i];
}

void
kith_sparse_take(struct kith_sparse_factor *f, const struct kith_sparse *A)
{
	copy(f, A, true);
}

int
kith_sparse_cholesky(struct kith_sparse_factor *f)
{
	f->common.quick_return_if_not_posdef = true;
	f->common.final_ll = true;
	kith_progress_phase("factor", 0, NULL);
	cholmod_l_factorize(f->lower, f->L, &f->common);
	kith_progress_end();
	cholmod_l_free_sparse(&f->lower, &f->common);
	check(&f->common);
	return f->L->minor < f->L->n ? -1 : 0;
}

/*
 * A bound of |E|_2 for the factor L D L' of A + E in doubles: |E| is, entry by
 * entry, at most (m + 2) eps |L| |D| |L'|, m being the most entries of a row of
 * L (Higham, Accuracy and Stability, theorem 9.3), and no norm of a symmetric
 * matrix is below its largest row sum's.
 */
static double
rounding(const cholmod_factor *L)
{
	const SuiteSparse_long *start = L->p, *row = L->i, *count = L->nz;
	const double *x = L->x;
	struct kith_pool tmp = {0};
	double *sum = kith_new(&tmp, L->n, sizeof(*sum)), most = 0;
	size_t *entries = kith_new(&tmp, L->n, sizeof(*entries)), m = 0;

	for (size_t j = 0; j < L->n; j++) {
		const SuiteSparse_long end = start[j] + count[j];
		double s = 1; /* |d_j| sum_i |l_ij| */

		for (SuiteSparse_long e = start[j] + 1; e < end; e++)
			s += fabs(x[e]);
		s *= fabs(x[start[j]]);
		sum[j] += s;
		for (SuiteSparse_long e = start[j] + 1; e < end; e++) {
			sum[row[e]] += fabs(x[e]) * s;
			entries[row[e]]++;
		}
	}
	for (size_t j = 0; j < L->n; j++) {
		most = fmax(most, sum[j]);
		m = entries[j] > m ? entries[j] : m;
	}
	kith_pool_free(&tmp);
	return (double)(m + 2) * DBL_EPSILON * most;
}

int
kith_sparse_inertia(
    struct kith_sparse_factor *f, const struct kith_sparse *A, size_t *negative, double *error)
{
	cholmod_common *common = &f->common;
	struct kith_pool tmp = {0};
	SuiteSparse_long *order = kith_new(&tmp, A->n, sizeof(*order));
	bool zero;

	memcpy(order, f->L->Perm, A->n * sizeof(*order));
	cholmod_l_free_factor(&f->L, common);
	copy(f, A, true);
	common->supernodal = CHOLMOD_SIMPLICIAL;
	common->final_ll = false;
	common->nmethods = 1;
	common->method[0].ordering = CHOLMOD_GIVEN;
	f->L = cholmod_l_analyze_p(f->lower, order, NULL, 0, common);
	check(common);
	kith_pool_free(&tmp);
	cholmod_l_factorize(f->lower, f->L, common);
	check(common);
	*negative = 0;
	zero = f->L->minor < A->n;
	for (size_t j = 0; j < A->n && !zero; j++) {
		const SuiteSparse_long *start = f->L->p;
		const double d = ((const double *)f->L->x)[start[j]];

		*negative += d < 0;
		zero = !(fabs(d) > 0);
	}
	*error = zero ? INFINITY : rounding(f->L);
	return zero ? -1 : 0;
}

void
kith_sparse_solve(struct kith_sparse_factor *f, size_t c, const double *B, double *X)
{
	cholmod_dense b = {.nrow = f->L->n,
	    .ncol = c,
	    .nzmax = f->L->n * c,
	    .d = f->L->n,
	    .xtype = CHOLMOD_REAL,
	    .dtype = CHOLMOD_DOUBLE};
	cholmod_dense *x;

	assert(f->L->xtype == CHOLMOD_REAL && f->L->is_ll);
	memmove(X, B, b.nzmax * sizeof(*X));
	b.x = X;
	x = cholmod_l_solve(CHOLMOD_A, f->L, &b, &f->common);
	check(&f->common);
	memcpy(X, x->x, b.nzmax * sizeof(*X));
	cholmod_l_free_dense(&x, &f->common);
}

void
kith_sparse_free(struct kith_sparse_factor *f)
{
	struct kith_pool pool;

	cholmod_l_free_sparse(&f->lower, &f->common);
	cholmod_l_free_factor(&f->L, &f->common);
	cholmod_l_finish(&f->common);
	pool = f->pool;
	kith_pool_free(&pool);
}
