/*
 * 1. Turn the codes round: for each atom the rows that use it (gather).
 * 2. G = W'W and B = W'X, atom by atom, each in the order of its rows (sums).
 * 3. linear: solve G A = B (least_squares); should rounding make J rise, as
 *    where G is nearly singular, go on with 4 from the atoms as they were.
 * 4. cosine: sweep over the atoms until a sweep gains little (descend).
 * 5. Keep what makes J fall, by J itself (kith_means_update).
 */
#include "nnk/means_update.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/blas.h"
#include "la/chol.h"
#include "la/mat.h"
#include "la/spd.h"
#include "near/metric.h"
#include "nnk/means_code.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { SWEEPS = 10 };

/* Sweeps end when one gains less than this of what the first did. */
#define LITTLE .01

struct job {
	const struct kith_mat *X;
	const struct kith_codes *code;
	size_t K;
	size_t *start, *from; /* the entries of the codes that use atom j */
	double *G, *B;        /* K x K, K x p */
	size_t *used, m;      /* atoms that some row uses */
};

static void
gather(struct job *job, struct kith_pool *pool)
{
	const struct kith_codes *code = job->code;
	size_t *end;

	job->start = kith_new(pool, job->K + 2, sizeof(*job->start));
	for (size_t i = 0; i < code->n; i++)
		for (size_t s = i * code->k; s < i * code->k + code->count[i];
		     s++)
			job->start[code->atom[s] + 2] += code->w[s] > 0;
	for (size_t j = 1; j < job->K; j++)
		job->start[j + 2] += job->start[j + 1];
	end = job->start + 1;
	job->from = kith_new(pool, job->start[job->K + 1], sizeof(*job->from));
	for (size_t i = 0; i < code->n; i++)
		for (size_t s = i * code->k; s < i * code->k + code->count[i];
		     s++)
			if (code->w[s] > 0)
				job->from[end[code->atom[s]]++] = s;
}

static void
sums(void *to, size_t j, size_t thread)
{
	const struct job *job = to;
	const struct kith_codes *code = job->code;
	double *G = job->G + j * job->K;

	(void)thread;
	for (size_t e = job->start[j]; e < job->start[j + 1]; e++) {
		const size_t i = job->from[e] / code->k, at = i * code->k;
		const double w = code->w[job->from[e]];

		for (size_t s = at; s < at + code->count[i]; s++)
			G[code->atom[s]] += w * code->w[s];
		kith_codes_add(
		    job->X->p, w, kith_row(job->X, i), job->B + j * job->X->p);
	}
}

/* Solve for the atoms used where G is regular; false where it is not. */
static bool
solve_regular(const struct job *job, struct kith_mat *A)
{
	struct kith_pool tmp = {0};
	const size_t m = job->m, p = A->p;
	double *R = kith_new(&tmp, m, m * sizeof(*R));
	double *T = kith_new(&tmp, m, p * sizeof(*T)); /* a column after the
							  other */
	bool regular;

	for (size_t i = 0; i < m; i++) {
		for (size_t j = 0; j < m; j++)
			R[i * m + j] = job->G[job->used[i] * job->K +
			    job->used[j]];
		for (size_t c = 0; c < p; c++)
			T[c * m + i] = job->B[job->used[i] * p + c];
	}
	regular = kith_spd_factor(m, R);
	if (regular)
		kith_spd_solve(m, p, R, T);
	for (size_t i = 0; i < m && regular; i++)
		for (size_t c = 0; c < p; c++)
			kith_row(A, job->used[i])[c] = T[c * m + i];
	kith_pool_free(&tmp);
	return regular;
}

/* The same for independent atoms, the others being as they are. */
static void
solve_singular(const struct job *job, struct kith_mat *A)
{
	struct kith_pool tmp = {0};
	const size_t m = job->m, p = A->p, K = job->K;
	struct kith_chol chol = kith_chol_new(m, &tmp);
	size_t *at = kith_new(&tmp, m, sizeof(*at)), held;
	bool *moves = kith_new(&tmp, K, sizeof(*moves));
	double *x = kith_new(&tmp, m, sizeof(*x));

	memcpy(at, job->used, m * sizeof(*at));
	held = kith_chol_factor(&chol, job->G, K, at, m, (double)m * 0x1p-52);
	for (size_t i = 0; i < held; i++)
		moves[at[i]] = true;
	for (size_t c = 0; c < p; c++) {
		for (size_t i = 0; i < held; i++) {
			x[i] = job->B[at[i] * p + c];
			for (size_t j = 0; j < m; j++)
				if (!moves[job->used[j]])
					x[i] -= job->G[at[i] * K +
						    job->used[j]] *
					    kith_row(A, job->used[j])[c];
		}
		kith_chol_solve(&chol, x);
		for (size_t i = 0; i < held; i++)
			kith_row(A, at[i])[c] = x[i];
	}
	kith_pool_free(&tmp);
}

/* v = B_j - sum over l != j of G_jl a_l; G_jj is 0 while it lasts. */
static void
pull(const struct job *job, const struct kith_mat *A, size_t j, double *v)
{
	double *G = job->G + j * job->K;
	const double own = G[j];

	G[j] = 0;
	kith_blas_turned(job->K, A->p, A->v, A->p, G, v);
	G[j] = own;
	for (size_t c = 0; c < A->p; c++)
		v[c] = job->B[j * A->p + c] - v[c];
}

/* Put each atom where it is best for the others; what J falls by. */
static double
sweep(const struct job *job, enum kith_kern_kind kernel, struct kith_mat *A,
    double *v)
{
	const size_t p = A->p;
	const struct kith_metric plain = {KITH_SQUARED, p, NULL};
	double gain = 0;

	for (size_t i = 0; i < job->m; i++) {
		const size_t j = job->used[i];
		const double own = job->G[j * job->K + j];
		double *a = kith_row(A, j);
		struct kith_mat to = {1, p, v};
		size_t row;

		pull(job, A, j, v);
		if (kernel == KITH_KERN_COSINE) {
			double before = 0, after = 0;

			for (size_t c = 0; c < p; c++) {
				before += a[c] * v[c];
				after += v[c] * v[c];
			}
			gain += sqrt(after) - before;
			if (kith_kern_unit_rows(&to, &plain, &row))
				continue;
		} else
			for (size_t c = 0; c < p; c++) {
				const double step = v[c] / own - a[c];

				gain += own * step * step;
				v[c] = a[c] + step;
			}
		memcpy(a, v, p * sizeof(*a));
	}
	return gain;
}

static void
descend(const struct job *job, enum kith_kern_kind kernel, struct kith_mat *A)
{
	struct kith_pool tmp = {0};
	double *v = kith_new(&tmp, A->p, sizeof(*v));
	const double first = sweep(job, kernel, A, v);

	for (int i = 1; i < SWEEPS; i++)
		if (!(sweep(job, kernel, A, v) > LITTLE * first))
			break;
	kith_pool_free(&tmp);
}

/* Keep the atoms where J is below `most`; else they are as before. */
static bool
accept(struct kith_means_rows *rows, struct kith_codes *code, double most,
    const double *before)
{
	if (kith_codes_errors(rows, code) <= most)
		return true;
	memcpy(rows->A.v, before, rows->A.n * rows->A.p * sizeof(*before));
	return false;
}

void
kith_means_update(struct kith_means_rows *rows, struct kith_codes *code)
{
	struct kith_pool tmp = {0};
	const size_t K = rows->A.n, p = rows->A.p;
	const double most = kith_codes_sum(code);
	struct job job = {.X = rows->X, .code = code, .K = K};
	double *before = kith_new(&tmp, K, p * sizeof(*before));
	bool done = false;

	memcpy(before, rows->A.v, K * p * sizeof(*before));
	gather(&job, &tmp);
	job.G = kith_new(&tmp, K, K * sizeof(*job.G));
	job.B = kith_new(&tmp, K, p * sizeof(*job.B));
	job.used = kith_new(&tmp, K, sizeof(*job.used));
	kith_par(rows->threads, K, sums, &job);
	for (size_t j = 0; j < K; j++)
		if (job.G[j * K + j] > 0)
			job.used[job.m++] = j;
	if (rows->kernel == KITH_KERN_LINEAR) {
		if (!solve_regular(&job, &rows->A))
			solve_singular(&job, &rows->A);
		done = accept(rows, code, most, before);
	}
	if (!done) {
		descend(&job, rows->kernel, &rows->A);
		if (!accept(rows, code, most, before))
			kith_codes_errors(rows, code);
	}
	kith_pool_free(&tmp);
}
