/* SPDX-License-Identifier: BSD-2-Clause */
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
#include "la/chol.h"
#include "la/chol_extend.h"
#include "la/mat.h"
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
		for (size_t s = i * code->k; s < i * code->k + code->count[i]; s++)
			job->start[code->atom[s] + 2] += code->w[s] > 0;
	for (size_t j = 1; j < job->K; j++)
		job->start[j + 2] += job->start[j + 1];
	end = job->start + 1;
	job->from = kith_new(pool, job->start[job->K + 1], sizeof(*job->from));
	for (size_t i = 0; i < code->n; i++)
		for (size_t s = i * code->k; s < i * code->k + code->count[i]; s++)
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
		kith_codes_add(job->X->p, w, kith_row(job->X, i), job->B + j * job->X->p);
	}
}

/*
 * Solve G A = B for independent atoms, the others of those used being as they
 * are.
 */
static void
least_squares(const struct job *job, struct kith_mat *A)
{
	struct kith_pool tmp = {0};
	const size_t m = job->m, p = A->p, K = job->K;
	struct kith_chol chol = kith_chol_new(m, &tmp);
	size_t *at = kith_new(&tmp, m, sizeof(*at)), held;
	bool *stays = kith_new(&tmp, K, sizeof(*stays));
	double *x = kith_new(&tmp, m, sizeof(*x));
	double *B = kith_new(&tmp, m, p * sizeof(*B));

	memcpy(at, job->used, m * sizeof(*at));
	held = kith_chol_factor(&chol, job->G, K, at, m, (double)m * 0x1p-52);
	for (size_t i = 0; i < m; i++)
		stays[job->used[i]] = true;
	for (size_t i = 0; i < held; i++)
		stays[at[i]] = false;
	for (size_t i = 0; i < held; i++) {
		double *b = B + i * p;

		memcpy(b, job->B + at[i] * p, p * sizeof(*b));
		for (size_t j = 0; j < K; j++)
			if (stays[j])
				kith_codes_add(p, -job->G[at[i] * K + j], kith_row(A, j), b);
	}
	for (size_t c = 0; c < p; c++) {
		for (size_t i = 0; i < held; i++)
			x[i] = B[i * p + c];
		kith_chol_solve(&chol, x);
		for (size_t i = 0; i < held; i++)
			kith_row(A, at[i])[c] = x[i];
	}
	kith_pool_free(&tmp);
}

/* v = B_j - sum over l != j of G_jl a_l */
static void
pull(const struct job *job, const struct kith_mat *A, size_t j, double *v)
{
	const double *G = job->G + j * job->K;

	memcpy(v, job->B + j * A->p, A->p * sizeof(*v));
	for (size_t l = 0; l < A->n; l++)
		if (l != j && G[l] > 0)
			kith_codes_add(A->p, -G[l], kith_row(A, l), v);
}

/* Put each atom where it is best for the others; what J falls by. */
static double
sweep(const struct job *job, enum kith_kern_kind kernel, struct kith_mat *A, double *v)
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
accept(struct kith_means_rows *rows, struct kith_codes *code, double most, const double *before)
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
		least_squares(&job, &rows->A);
		done = accept(rows, code, most, before);
	}
	if (!done) {
		descend(&job, rows->kernel, &rows->A);
		if (!accept(rows, code, most, before))
			kith_codes_errors(rows, code);
	}
	kith_pool_free(&tmp);
}
