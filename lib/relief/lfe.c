/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/lfe.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/eig.h"
#include "near/metric.h"
#include "relief/job.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { PANEL = 64 }; /* rows of a product in one block */

/* The nearest hits and misses of the rows sampled. */
struct pairs {
	size_t *hit, *miss;
};

/* M = A D, PANEL rows of it in a block: A = D' with the signs of its rows. */
struct scatter {
	const double *D; /* n x p: the differences of n pairs */
	const double *A; /* p x n */
	size_t n, p;
	double *M; /* p x p */
};

static void
multiply_panel(void *to, size_t block, size_t thread)
{
	const struct scatter *in = to;
	const size_t from = block * PANEL, left = in->p - from;

	(void)thread;
	kith_blas_product(left < PANEL ? left : PANEL, in->p, in->n,
	    in->A + from * in->n, in->D, in->M + from * in->p);
}

/* The differences of all pairs, and what they count; returns how many. */
static size_t
differences(const struct kith_relief_job *job, const struct pairs *at,
    double *D, double *sign)
{
	const struct kith_by_class *s = &job->s;
	const size_t p = s->X.p;
	size_t n = 0;

	for (size_t l = 0; l < 2 * s->m; l++) {
		const bool miss = l % 2 == 0;
		const size_t j = miss ? at->miss[l / 2] : at->hit[l / 2];

		if (j == KITH_NO_ROW)
			continue;
		for (size_t a = 0; a < p; a++)
			D[n * p + a] = kith_row(&s->Z, l / 2)[a] -
			    kith_row(&s->X, j)[a];
		sign[n++] = kith_relief_weight(job, s->asked[l / 2]) *
		    (miss ? 1 : -1);
	}
	return n;
}

/* M = sum sign D D' over the hits and misses. */
static void
scatter(const struct kith_relief_job *job, const struct pairs *at, double *M)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p, m = job->s.m;
	double *D = kith_new(&tmp, 2 * m, p * sizeof(*D));
	double *A = kith_new(&tmp, 2 * m, p * sizeof(*A));
	double *sign = kith_new(&tmp, 2 * m, sizeof(*sign));
	struct scatter in = {.D = D, .A = A, .p = p, .M = M};

	in.n = differences(job, at, D, sign);
	for (size_t l = 0; l < in.n; l++)
		for (size_t a = 0; a < p; a++)
			A[a * in.n + l] = sign[l] * D[l * p + a];
	kith_par(
	    job->how->threads, (p + PANEL - 1) / PANEL, multiply_panel, &in);
	kith_pool_free(&tmp);
}

/*
 * W = the sum of lambda v v' over lambda > 0, of norm 1: eigenvalues that
 * rounding alone may have lifted above 0 are 0.
 */
static void
positive_part(size_t p, const double *lambda, const double *V, double *W)
{
	struct kith_pool tmp = {0};
	const double most = fmax(fabs(lambda[0]), fabs(lambda[p - 1]));
	const double least = (double)p * DBL_EPSILON * most;
	double *A, norm = 0;
	size_t from = p;

	for (; from > 0 && lambda[from - 1] > least; from--)
		norm += lambda[from - 1] / most * (lambda[from - 1] / most);
	norm = sqrt(norm) * most;
	memset(W, 0, p * p * sizeof(*W));
	if (from == p)
		return;
	A = kith_new(&tmp, p, (p - from) * sizeof(*A));
	for (size_t i = from; i < p; i++)
		for (size_t a = 0; a < p; a++)
			A[a * (p - from) + i - from] = lambda[i] / norm *
			    V[i * p + a];
	kith_blas_product(p, p, p - from, A, V + from * p, W);
	for (size_t a = 0; a < p; a++)
		for (size_t b = 0; b < a; b++)
			W[a * p + b] = W[b * p + a];
	kith_pool_free(&tmp);
}

/* The result from the sum of all pairs itself. */
static bool
by_features(struct kith_relief_job *job, const struct pairs *at)
{
	struct kith_pool tmp = {0};
	const size_t p = job->s.X.p;
	double *lambda = kith_new(&tmp, p, sizeof(*lambda));
	double *V = kith_new(&tmp, p, p * sizeof(*V));
	bool done;

	scatter(job, at, job->w);
	done = kith_eig(p, job->w, lambda, V);
	if (done)
		positive_part(p, lambda, V, job->w);
	kith_pool_free(&tmp);
	return done;
}

/* L (n x n): sum sign (e_i - e_j) (e_i - e_j)' over the hits and misses. */
static void
laplacian(const struct kith_relief_job *job, const struct pairs *at, double *L)
{
	const struct kith_by_class *s = &job->s;
	const size_t n = s->X.n;

	for (size_t l = 0; l < 2 * s->m; l++) {
		const bool miss = l % 2 == 0;
		const size_t i = s->asked[l / 2];
		const size_t j = miss ? at->miss[l / 2] : at->hit[l / 2];
		const double f = kith_relief_weight(job, i) * (miss ? 1 : -1);

		if (j == KITH_NO_ROW)
			continue;
		L[i * n + i] += f;
		L[j * n + j] += f;
		L[i * n + j] -= f;
		L[j * n + i] -= f;
	}
}

/* The rows less their mean. */
static double *
centre(const struct kith_mat *X, struct kith_pool *pool)
{
	double *C = kith_new(pool, X->n, X->p * sizeof(*C));

	for (size_t a = 0; a < X->p; a++) {
		double mean = 0;

		for (size_t i = 0; i < X->n; i++)
			mean += kith_row(X, i)[a] / (double)X->n;
		for (size_t i = 0; i < X->n; i++)
			C[i * X->p + a] = kith_row(X, i)[a] - mean;
	}
	return C;
}

/*
 * T (q x n), whose rows t make t X an orthonormal base of what the rows X span:
 * U' / sqrt(lambda) of X X' = U diag(lambda) U'; returns q.
 */
static size_t
base_of(size_t n, size_t p, const double *X, double *T)
{
	struct kith_pool tmp = {0};
	double *K = kith_new(&tmp, n, n * sizeof(*K));
	double *U = kith_new(&tmp, n, n * sizeof(*U));
	double *lambda = kith_new(&tmp, n, sizeof(*lambda));
	size_t q = 0;

	kith_blas_square(n, p, X, p, K, n);
	if (!kith_eig(n, K, lambda, U))
		lambda[n - 1] = 0; /* none */
	for (size_t i = n; i-- > 0; q++) {
		if (!(lambda[i] >
			(double)p * DBL_EPSILON * fabs(lambda[n - 1])))
			break;
		for (size_t j = 0; j < n; j++)
			T[q * n + j] = U[i * n + j] / sqrt(lambda[i]);
	}
	kith_pool_free(&tmp);
	return q;
}

/* W = B'B, and all of it. */
static void
square(size_t r, size_t p, const double *B, double *W)
{
	memset(W, 0, p * p * sizeof(*W));
	if (r > 0)
		kith_blas_gram(r, p, 1, B, p, W);
	for (size_t a0 = 0; a0 < p; a0 += PANEL)
		for (size_t b0 = 0; b0 <= a0; b0 += PANEL)
			for (size_t a = a0; a < p && a < a0 + PANEL; a++)
				for (size_t b = b0; b < a && b < b0 + PANEL;
				     b++)
					W[a * p + b] = W[b * p + a];
}

/* The inner matrix S = H'L H for H = X X'T' (n x q), which has M's eigenvalues. */
static void
inner(const struct kith_relief_job *job, const struct pairs *at, size_t q,
    const double *C, const double *T, double *S)
{
	struct kith_pool tmp = {0};
	const size_t n = job->s.X.n, p = job->s.X.p;
	double *L = kith_new(&tmp, n, n * sizeof(*L));
	double *Q = kith_new(&tmp, q, p * sizeof(*Q));
	double *H = kith_new(&tmp, q, n * sizeof(*H));
	double *G = kith_new(&tmp, q, n * sizeof(*G));

	laplacian(job, at, L);
	kith_blas_product(q, p, n, T, C, Q);
	kith_blas_rows(q, n, p, Q, p, C, p, H, n);
	kith_blas_product(q, n, n, H, L, G);
	kith_blas_rows(q, q, n, G, n, H, n, S, q);
	kith_pool_free(&tmp);
}

/*
 * The same where there are fewer rows than features: with Q = T X, of
 * orthonormal rows, the sum of all pairs is X'L X = Q'S Q, and the positive part
 * of S = E diag(theta) E' gives that of the sum.
 */
static bool
by_rows(struct kith_relief_job *job, const struct pairs *at)
{
	struct kith_pool tmp = {0};
	const size_t n = job->s.X.n, p = job->s.X.p;
	const double *C = centre(&job->s.X, &tmp);
	double *T = kith_new(&tmp, n, n * sizeof(*T)), *S, *E, *theta, *F, *B;
	const size_t q = base_of(n, p, C, T);
	double least, norm = 0;
	size_t r = 0;

	if (q == 0)
		return kith_pool_free(&tmp), false;
	S = kith_new(&tmp, q, q * sizeof(*S));
	E = kith_new(&tmp, q, q * sizeof(*E));
	theta = kith_new(&tmp, q, sizeof(*theta));
	inner(job, at, q, C, T, S);
	if (!kith_eig(q, S, theta, E))
		return kith_pool_free(&tmp), false;
	least = (double)p * DBL_EPSILON *
	    fmax(fabs(theta[0]), fabs(theta[q - 1]));
	while (r < q && theta[q - 1 - r] > least) {
		norm = hypot(norm, theta[q - 1 - r]);
		r++;
	}
	for (size_t i = q - r; i < q; i++)
		for (size_t a = 0; a < q; a++)
			E[i * q + a] *= sqrt(theta[i] / norm);
	F = kith_new(&tmp, r + !r, n * sizeof(*F));
	B = kith_new(&tmp, r + !r, p * sizeof(*B));
	kith_blas_product(r, n, q, E + (q - r) * q, T, F);
	kith_blas_product(r, p, n, F, C, B);
	square(r, p, B, job->w);
	kith_pool_free(&tmp);
	return true;
}

int
kith_relief_lfe(struct kith_relief_job *job, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_metric metric = {KITH_SQUARED, job->s.X.p, NULL};
	struct pairs at;
	bool done;

	KITH_NEW_SIZES(&tmp, job->s.m, 1, &at.hit, &at.miss);
	kith_by_class_pairs(
	    &job->s, &metric, job->how->threads, at.hit, at.miss);
	done = (job->s.X.p > job->s.X.n ? by_rows : by_features)(job, &at);
	kith_pool_free(&tmp);
	return done
	    ? 0
	    : kith_fail(err, EX_SOFTWARE, "the eigenvalues were not found");
}
