/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Conjugate gradients for A x = r, preconditioned by M = L L'.  An iteration, for each column:
 *
 * 1. z = M^-1 r, beta = r'z / (r'z of the last iteration; the first beta is 0), p = z + beta p.
 * 2. q = A p, alpha = r'z / p'q.
 * 3. x += alpha p, r -= alpha q.  Stop where r is small in all columns.
 */
#include "solve/cg.h"

#include "base/pool.h"
#include "base/progress.h"
#include "solve/kernels.h"
#include "solve/sparse.h"

#include <math.h>
#include <string.h>

/*
 * l_ij = (a_ij - sum_{k<j} l_ik l_jk) / l_jj,  l_ii^2 = a_ii - sum_k l_ik^2, or a_ii if that is
 * not positive.  A has both triangles, of which L takes the lower one.
 */
struct kith_sparse *
kith_ic_new(const struct kith_sparse *A, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	double *row = kith_new(&tmp, A->n, sizeof(*row)); /* l_i1 .. l_in, 0 between rows */
	struct kith_sparse *L = kith_new(pool, 1, sizeof(*L));
	size_t n = 0;

	*L = kith_sparse_new(A->n, A->start[A->n] / 2, pool);
	for (size_t i = 0; i < A->n; i++) {
		double pivot = A->diagonal[i];

		for (size_t e = A->start[i]; e < A->start[i + 1] && A->column[e] < i; e++) {
			const size_t j = A->column[e];
			double l = A->x[e];

			for (size_t k = L->start[j]; k < L->start[j + 1]; k++)
				l -= L->x[k] * row[L->column[k]];
			l *= L->diagonal[j];
			L->column[n] = (uint32_t)j;
			L->x[n++] = row[j] = l;
			pivot -= l * l;
		}
		L->start[i + 1] = n;
		for (size_t e = L->start[i]; e < n; e++)
			row[L->column[e]] = 0;
		L->diagonal[i] = 1 / sqrt(pivot > 0 ? pivot : A->diagonal[i]);
	}
	kith_pool_free(&tmp);
	return L;
}

/* sum_k = x_k'y_k for the c columns x_k, y_k of two n x c matrices. */
static void
column_products(size_t n, size_t c, const double *X, const double *Y, double *sum)
{
	memset(sum, 0, c * sizeof(*sum));
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < c; k++)
			sum[k] += X[i * c + k] * Y[i * c + k];
}

size_t
kith_cg(const struct kith_cg *job, double *R, double *X, double *size)
{
	const size_t n = job->A->n, c = job->c;
	struct kith_pool tmp = {0};
	double *P, *Q, *ratio, *pq, *rz, *rz_before; /* n x c: p; z, then q.  c: beta, then alpha */
	const double *a = job->A->diagonal;
	double largest; /* |r_ik| / a_ii */
	size_t done = 0;

	KITH_NEW_REALS(&tmp, n, c, &P, &Q);
	KITH_NEW_REALS(&tmp, c, 1, &ratio, &pq, &rz, &rz_before);
	memset(X, 0, n * c * sizeof(*X));
	kith_progress_phase("conjugate gradients", 0, "iterations");
	for (;; done++) {
		largest = 0;
		/* Step 3 of the last iteration; before the first one alpha is 0. */
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < c; k++) {
				const size_t at = i * c + k;

				X[at] += ratio[k] * P[at];
				R[at] -= ratio[k] * Q[at];
				if (!(fabs(R[at]) <= largest * a[i]) && !isnan(largest))
					largest = fabs(R[at]) / a[i];
			}
		kith_progress_value("residual", largest);
		if (!(largest > job->tol) || done == job->most)
			break;
		kith_solve_kernels_at_level()->ic_solve(job->ic, c, R, Q);
		column_products(n, c, R, Q, rz);
		for (size_t k = 0; k < c; k++) { /* r'z is 0 for a column with r = 0 */
			ratio[k] = rz_before[k] > 0 ? rz[k] / rz_before[k] : 0;
			rz_before[k] = rz[k];
		}
		for (size_t i = 0; i < n * c; i += c)
			for (size_t k = 0; k < c; k++)
				P[i + k] = Q[i + k] + ratio[k] * P[i + k];
		kith_sparse_times(job->A, c, P, Q, job->threads);
		column_products(n, c, P, Q, pq);
		for (size_t k = 0; k < c; k++)
			ratio[k] = pq[k] > 0 ? rz[k] / pq[k] : 0;
		kith_progress_add(1);
	}
	kith_progress_end();
	kith_pool_free(&tmp);
	*size = largest;
	return done;
}
