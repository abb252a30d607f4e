/* SPDX-License-Identifier: BSD-2-Clause */
#include "solve/mmat.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/simd.h"

#include <math.h>

typedef double v4d __attribute__((vector_size(32)));
typedef double v4d_at __attribute__((vector_size(32), aligned(8), may_alias));

struct job {
	const struct kith_mmat *A;
	size_t c;
	const double *X;
	double *Y;
	double *part; /* blocks x c sums, or NULL */
};

/* q_i = a_i p_i - sum_j w_ij p_j of four columns; the sum of p q into part. */
KITH_INLINE void
times_four(const struct kith_mmat *A, size_t c, size_t i, const double *P, double *Q, double *part)
{
	const v4d p = *(const v4d_at *)(P + i * c);
	v4d q = A->diagonal[i] * p, other = {0};
	size_t e = A->start[i];

	for (; e + 1 < A->start[i + 1]; e += 2) {
		q -= A->w[e] * *(const v4d_at *)(P + A->column[e] * c);
		other -= A->w[e + 1] * *(const v4d_at *)(P + A->column[e + 1] * c);
	}
	if (e < A->start[i + 1])
		q -= A->w[e] * *(const v4d_at *)(P + A->column[e] * c);
	q += other;
	*(v4d_at *)(Q + i * c) = q;
	*(v4d_at *)part += p * q;
}

/* The same of the only column. */
KITH_INLINE void
times_one(const struct kith_mmat *A, size_t i, const double *P, double *Q, double *part)
{
	double q = A->diagonal[i] * P[i];

	for (size_t e = A->start[i]; e < A->start[i + 1]; e++)
		q -= A->w[e] * P[A->column[e]];
	Q[i] = q;
	*part += P[i] * q;
}

KITH_CLONES static void
mmat_times(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_mmat *A = job->A;
	const size_t c = job->c;
	size_t first;
	const size_t end = kith_mmat_block(A, block, &first);

	(void)thread;
	for (size_t i = first; i < end; i++) {
		if (A->out[i]) {
			for (size_t k = 0; k < c; k++)
				job->Y[i * c + k] = 0;
		} else if (c == 1) {
			times_one(A, i, job->X, job->Y, job->part + block);
		} else {
			for (size_t k = 0; k < c; k += 4)
				times_four(
				    A, c, i, job->X + k, job->Y + k, job->part + block * c + k);
		}
	}
}

void
kith_mmat_times(
    const struct kith_mmat *A, size_t c, const double *P, double *Q, double *pq, size_t threads)
{
	const size_t blocks = kith_mmat_blocks(A);
	struct kith_pool tmp = {0};
	struct job job = {A, c, P, Q, kith_new(&tmp, blocks * c, sizeof(double))};

	kith_par(threads, blocks, mmat_times, &job);
	for (size_t k = 0; k < c; k++)
		pq[k] = 0;
	for (size_t b = 0; b < blocks * c; b++)
		pq[b % c] += job.part[b];
	kith_pool_free(&tmp);
}

/* r_i = sum_j w_ij (x_j - x_i) - e_i x_i, for the rows of a block. */
KITH_CLONES static void
mmat_rest(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_mmat *A = job->A;
	const size_t c = job->c;
	size_t first;
	const size_t end = kith_mmat_block(A, block, &first);

	(void)thread;
	for (size_t i = first; i < end; i++) {
		const double *x = job->X + i * c, e = A->load ? A->load[i] : 0;
		double *r = job->Y + i * c;

		for (size_t k = 0; k < c; k++)
			r[k] = A->out[i] ? 0 : -e * x[k];
		for (size_t l = A->start[i]; l < A->start[i + 1] && !A->out[i]; l++) {
			const double *y = job->X + A->column[l] * c;
			const double w = A->w[l];

			for (size_t k = 0; k < c; k++)
				r[k] += w * (y[k] - x[k]);
		}
	}
}

void
kith_mmat_rest(const struct kith_mmat *A, size_t c, const double *X, double *R, size_t threads)
{
	struct job job = {A, c, X, R, NULL};

	kith_par(threads, kith_mmat_blocks(A), mmat_rest, &job);
}

void
kith_mmat_size(const struct kith_mmat *A, size_t c, const double *R, double *most)
{
	for (size_t k = 0; k < c; k++)
		most[k] = 0;
	for (size_t i = 0; i < A->n; i++)
		for (size_t k = 0; k < c && !A->out[i]; k++) {
			const double r = fabs(R[i * c + k]) / A->diagonal[i];

			most[k] = kith_mmat_larger(most[k], r);
		}
}
