/* SPDX-License-Identifier: BSD-2-Clause */
#include "ratio/loo.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/kern.h"
#include "la/chol.h"
#include "ratio/kernels.h"

#include <assert.h>
#include <string.h>

/* Pairs that are left out one by one, but worked on together. */
#define PAIRS ((size_t)64)

/* Pairs that a score is the mean of, at most. */
#define MOST ((size_t)5000)

/* A pivot whose square is less than this share of its diagonal is noise. */
static const double NOISE = 1e-14;

void
kith_ratio_phi(const struct kith_ratio_fit *fit, const double *x, double *phi)
{
	const struct kith_kern kern = {
	    .kind = KITH_KERN_GAUSSIAN, .metric = &fit->metric, .sigma = fit->sigma};

	kith_kern_rows(&kern, x, fit->C.v, fit->C.n, phi);
}

bool
kith_ratio_factor(const struct kith_ratio_fit *fit, double x, double ridge, struct kith_chol *chol)
{
	struct kith_pool tmp = {0};
	const size_t b = fit->C.n;
	double *row = kith_new(&tmp, b, sizeof(*row));
	bool regular = true;

	for (size_t a = 0; a < b && regular; a++) {
		const double *P = fit->P + a * fit->ld;

		for (size_t l = 0; l < b; l++)
			row[l] = x * P[l];
		regular = kith_chol_append(chol, row, row[a] + ridge, NOISE);
	}
	kith_pool_free(&tmp);
	return regular;
}

/* What is known of a sigma and all lambda. */
struct job {
	const struct kith_ratio_fit *fit;
	const double *lambda;
	size_t lambdas, pairs;
	bool *regular;   /* whether G has an inverse, for each lambda */
	double *inverse; /* lambdas x b x ld: G^-1 */
	double *g;       /* lambdas x ld: G^-1 h */
	double *part;    /* blocks x lambdas: sums of scores */
	double *room;    /* for each thread: phi, G^-1 phi, and one g: (4 PAIRS + 1) x ld */
};

static void
invert(void *to, size_t l, size_t thread)
{
	struct kith_pool tmp = {0};
	const struct job *job = to;
	const struct kith_ratio_fit *fit = job->fit;
	const size_t b = fit->C.n, ld = fit->ld;
	const double n = (double)fit->X->n;
	double *G = job->inverse + l * b * ld, *g = job->g + l * ld;
	struct kith_chol chol = kith_chol_new(b, &tmp);

	(void)thread;
	job->regular[l] = kith_ratio_factor(fit, n / (n - 1), job->lambda[l], &chol);
	for (size_t a = 0; job->regular[l] && a < b; a++) {
		G[a * ld + a] = 1;
		kith_chol_solve(&chol, G + a * ld);
	}
	if (job->regular[l]) {
		memcpy(g, fit->h, b * sizeof(*g));
		kith_chol_solve(&chol, g);
	}
	kith_pool_free(&tmp);
}

/* The centre that is test row z; b if z is none. */
static size_t
find_centre(const struct kith_ratio_fit *fit, size_t z)
{
	size_t first = 0, n = fit->C.n;

	while (n > 0) {
		const size_t half = n / 2;

		if (fit->centre[first + half] < z) {
			first += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	return first < fit->C.n && fit->centre[first] == z ? first : fit->C.n;
}

/* out = x - G^-1 e_j x_j / (G^-1)_jj: of x = G^-1 y, the solution in which coordinate j is 0. */
static void
leave_centre(const double *inverse, size_t ld, size_t j, const double *x, double *out)
{
	const double *row = inverse + j * ld, share = x[j] / row[j];

	for (size_t l = 0; l < ld; l++)
		out[l] = x[l] - row[l] * share;
	out[j] = 0;
}

/*
 * The scores of some pairs: i-th of k equally spaced rows of each table.  Where the test row that
 * is left out is a centre, so is that centre: alpha_j = 0.
 */
static void
score_block(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_ratio_fit *fit = job->fit;
	const size_t b = fit->C.n, ld = fit->ld, k = job->pairs;
	const size_t n = fit->X->n, m = fit->Z->n, first = block * PAIRS;
	const size_t pairs = k - first < PAIRS ? k - first : PAIRS;
	double *phi = job->room + thread * (4 * PAIRS + 1) * ld;
	double *image = phi + 2 * PAIRS * ld, *g = phi + 4 * PAIRS * ld;

	for (size_t i = 0; i < pairs; i++) {
		kith_ratio_phi(fit, kith_row(fit->X, (first + i) * n / k), phi + i * ld);
		kith_ratio_phi(fit, kith_row(fit->Z, (first + i) * m / k), phi + (PAIRS + i) * ld);
	}
	for (size_t l = 0; l < job->lambdas; l++) {
		const double *inverse = job->inverse + l * b * ld;
		double sum = 0;

		if (!job->regular[l])
			continue;
		kith_ratio_kernels_at_level()->multiply(2 * PAIRS, b, ld, phi, inverse, image);
		for (size_t i = 0; i < pairs; i++) {
			const size_t j = find_centre(fit, (first + i) * m / k);
			double *U = image + i * ld, *V = image + (PAIRS + i) * ld;
			struct kith_ratio_pair pair = {(double)n, (double)m, phi + i * ld,
			    phi + (PAIRS + i) * ld, U, V, job->g + l * ld};

			if (j < b) {
				leave_centre(inverse, ld, j, U, U);
				leave_centre(inverse, ld, j, V, V);
				leave_centre(inverse, ld, j, pair.g, g);
				pair.g = g;
			}
			sum += kith_ratio_kernels_at_level()->score(ld, &pair);
		}
		job->part[block * job->lambdas + l] = sum;
	}
}

void
kith_ratio_loo(
    const struct kith_ratio_fit *fit, const double *lambda, size_t lambdas, double *score)
{
	struct kith_pool tmp = {0};
	const size_t n = fit->X->n, m = fit->Z->n, least = n < m ? n : m;
	const size_t k = least < MOST ? least : MOST;
	const size_t blocks = (k + PAIRS - 1) / PAIRS, ld = fit->ld;
	struct job job = {fit, lambda, lambdas, k, NULL, NULL, NULL, NULL, NULL};

	assert(k >= 2);
	job.regular = kith_new(&tmp, lambdas, sizeof(*job.regular));
	job.inverse = kith_new(&tmp, lambdas * fit->C.n, ld * sizeof(*job.inverse));
	job.g = kith_new(&tmp, lambdas, ld * sizeof(*job.g));
	job.part = kith_new(&tmp, blocks, lambdas * sizeof(*job.part));
	job.room = kith_new(&tmp, fit->threads * (4 * PAIRS + 1), ld * sizeof(*job.room));
	kith_par_tasks(fit->threads, lambdas, invert, &job,
	    &(struct kith_par_phase){"factors", lambdas, "values of lambda"});
	kith_par_told(fit->threads, blocks, score_block, &job,
	    &(struct kith_par_phase){"leave-one-out", k, "rows"});
	for (size_t l = 0; l < lambdas; l++) {
		score[l] = 0;
		for (size_t block = 0; block < blocks; block++)
			score[l] += job.part[block * lambdas + l];
		score[l] = job.regular[l] ? score[l] / (double)k : NAN;
	}
	kith_pool_free(&tmp);
}
