/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With z = M^-1 r, M being diag(a) or an incomplete factor, from x = 0 and
 * p = z on, in each column:
 *
 * 1. q = A p, alpha = r'z / p'q.
 * 2. x += alpha p, r -= alpha q.  End where r is small in all columns.
 * 3. z = M^-1 r, beta = r'z / r'z of before, p = z + beta p.
 *
 * Sums are taken block by block of rows, and the blocks in their order, so that
 * threads do not matter.
 */
#include "solve/cg.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/simd.h"
#include "solve/ic.h"
#include "solve/mmat.h"

#include <math.h>
#include <stdbool.h>

struct run {
	const struct kith_mmat *A;
	const struct kith_cg_how *how;
	size_t c, blocks;
	double *R, *X, *P, *Q;                /* n x c; Q serves as Z, too */
	double *alpha, *beta, *pq, *rz, *old; /* c */
	double *sum, *most;                   /* blocks x c */
};

/* Step 2, and r'z where M is the diagonal. */
KITH_CLONES static void
cg_step(void *to, size_t block, size_t thread)
{
	const struct run *r = to;
	const size_t c = r->c;
	size_t i, end = kith_mmat_block(r->A, block, &i);
	double *sum = r->sum + block * c, *most = r->most + block * c;

	(void)thread;
	for (size_t k = 0; k < c; k++)
		sum[k] = most[k] = 0;
	for (; i < end; i++) {
		const double inverse = r->A->out[i] ? 0 : 1 / r->A->diagonal[i];

		for (size_t k = 0; k < c; k++) {
			const size_t at = i * c + k;
			double z;

			r->X[at] += r->alpha[k] * r->P[at];
			r->R[at] -= r->alpha[k] * r->Q[at];
			z = r->R[at] * inverse;
			sum[k] += r->R[at] * z;
			most[k] = kith_mmat_larger(most[k], fabs(z));
		}
	}
}

/* r'z with z = Q, where M is a factor. */
KITH_CLONES static void
cg_dot(void *to, size_t block, size_t thread)
{
	const struct run *r = to;
	const size_t c = r->c;
	size_t i, end = kith_mmat_block(r->A, block, &i);
	double *sum = r->sum + block * c;

	(void)thread;
	for (size_t k = 0; k < c; k++)
		sum[k] = 0;
	for (; i < end; i++)
		for (size_t k = 0; k < c; k++)
			sum[k] += r->R[i * c + k] * r->Q[i * c + k];
}

/* The rest of step 3. */
KITH_CLONES static void
cg_turn(void *to, size_t block, size_t thread)
{
	const struct run *r = to;
	const size_t c = r->c;
	size_t i, end = kith_mmat_block(r->A, block, &i);

	(void)thread;
	for (; i < end; i++) {
		const double inverse = r->A->out[i] ? 0 : 1 / r->A->diagonal[i];

		for (size_t k = 0; k < c; k++) {
			const size_t at = i * c + k;
			const double z = r->how->ic ? r->Q[at] : r->R[at] * inverse;

			r->P[at] = z + r->beta[k] * r->P[at];
		}
	}
}

/* Add the blocks' sums up, in order. */
static void
add(const struct run *r, double *total)
{
	for (size_t k = 0; k < r->c; k++)
		total[k] = 0;
	for (size_t b = 0; b < r->blocks * r->c; b++)
		total[b % r->c] += r->sum[b];
}

/* x / y, or 0 where a column is done. */
static double
ratio(double x, double y)
{
	return y > 0 ? x / y : 0;
}

/* Take a step of the lengths alpha, and turn; the largest |r_i| / a_i. */
static double
advance(struct run *r)
{
	const size_t threads = r->how->threads;
	double most = 0;

	kith_par(threads, r->blocks, cg_step, r);
	for (size_t b = 0; b < r->blocks * r->c; b++)
		most = kith_mmat_larger(most, r->most[b]);
	if (r->how->ic) {
		kith_ic_solve(r->how->ic, r->c, r->R, r->Q);
		kith_par(threads, r->blocks, cg_dot, r);
	}
	add(r, r->rz);
	for (size_t k = 0; k < r->c; k++) {
		r->beta[k] = ratio(r->rz[k], r->old[k]);
		r->old[k] = r->rz[k];
	}
	kith_par(threads, r->blocks, cg_turn, r);
	return most;
}

size_t
kith_cg(const struct kith_mmat *A, size_t c, double *R, double *X, const struct kith_cg_how *how,
    double *size)
{
	struct kith_pool tmp = {0};
	const size_t blocks = kith_mmat_blocks(A);
	struct run r = {A, how, c, blocks, R, X, kith_new(&tmp, A->n * c, sizeof(double)),
	    kith_new(&tmp, A->n * c, sizeof(double)), kith_new(&tmp, c, sizeof(double)),
	    kith_new(&tmp, c, sizeof(double)), kith_new(&tmp, c, sizeof(double)),
	    kith_new(&tmp, c, sizeof(double)), kith_new(&tmp, c, sizeof(double)),
	    kith_new(&tmp, blocks * c, sizeof(double)), kith_new(&tmp, blocks * c, sizeof(double))};
	size_t done = 0;

	for (size_t i = 0; i < A->n * c; i++)
		X[i] = 0;
	kith_progress_phase("conjugate gradients", 0, "iterations");
	*size = advance(&r); /* of length 0: p = z */
	while (*size > how->tol && done < how->most) {
		kith_mmat_times(A, c, r.P, r.Q, r.pq, how->threads);
		for (size_t k = 0; k < c; k++)
			r.alpha[k] = ratio(r.rz[k], r.pq[k]);
		*size = advance(&r);
		done++;
		kith_progress_add(1);
		kith_progress_value("residual", *size);
	}
	kith_progress_end();
	kith_pool_free(&tmp);
	return done;
}
