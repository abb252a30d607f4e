/* SPDX-License-Identifier: BSD-2-Clause */
#include "ratio/ratio.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "base/sort.h"
#include "kernel/kern.h"
#include "la/chol.h"
#include "la/kernels.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/metric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	BLOCKS = 64, /* averages are sums of at most so many, */
	FEW = 8,     /* or so many where each takes more than: */
	LARGE = 256, /* centres */
	LEAST = 256, /* of at least so many rows */
	SPACED = 500 /* rows of a table that the median distance comes from */
};

/* Half decades: better than decades on 9 of 15 sets, worse on 4. */
static const double usual_lambda[] = {1e-3, 0.003162277660168379, 1e-2, 0.03162277660168379, 1e-1,
    0.31622776601683794, 1, 3.1622776601683795, 10};

enum { SIGMAS = 9, LAMBDAS = sizeof(usual_lambda) / sizeof(*usual_lambda) };

/* Pairs that are left out one by one, but worked on together. */
#define PAIRS ((size_t)64)

/* Pairs that a score is the mean of, at most. */
#define MOST ((size_t)5000)

/* A pivot whose square is less than this share of its diagonal is noise. */
static const double NOISE = 1e-14;

/*
 * The problem, and all that is known of one sigma.  ld is b made a multiple of 8, for vectors;
 * the last ld - b numbers of a row are 0.
 */
struct fit {
	const struct kith_mat *X, *Z; /* training rows, test rows */
	struct kith_mat C;            /* b x p centres */
	size_t *centre_at;            /* for each test row: which centre it is; b: none */
	struct kith_metric metric;
	size_t b, ld, threads;
	double *room; /* for each thread: (4 PAIRS + 1) x ld */
	struct kith_kern kern;
	double *P; /* b x ld: the average of phi phi' over X, up to the diagonal */
	double *h; /* ld: the average of phi over Z, behind P */
	size_t blocks;
	double *sum; /* blocks x (b + 1) x ld: the sums for P and h of some rows each */

	/* The scores of all lambda. */
	const double *lambda;
	size_t lambdas, pairs;
	bool *regular;   /* whether G has an inverse, for each lambda */
	double *inverse; /* lambdas x b x ld: G^-1 */
	double *g;       /* lambdas x ld: G^-1 h */
	double *part;    /* blocks x lambdas: sums of scores */

	/* The result. */
	double *alpha, *w;
};

/* The scratch space of a thread, of which phi() sets rows. */
static double *
room_of(const struct fit *fit, size_t thread)
{
	return fit->room + thread * (4 * PAIRS + 1) * fit->ld;
}

/* Computes phi of the row x (ld), whose end stays. */
static void
compute_phi(const struct fit *fit, const double *x, double *phi)
{
	kith_kern_rows(&fit->kern, x, fit->C.v, fit->b, phi);
}

/*
 * Factors x P + ridge I in an empty factor for b rows; returns false where it is singular to
 * working precision.
 */
static bool
factor(const struct fit *fit, double x, double ridge, struct kith_chol *chol)
{
	struct kith_pool tmp = {0};
	double *row = kith_new(&tmp, fit->b, sizeof(*row));
	bool regular = true;

	for (size_t a = 0; a < fit->b && regular; a++) {
		for (size_t l = 0; l < fit->b; l++)
			row[l] = x * fit->P[a * fit->ld + l];
		regular = kith_chol_append(chol, row, row[a] + ridge, NOISE);
	}
	kith_pool_free(&tmp);
	return regular;
}

static int
fail_singular(struct kith_err *err)
{
	return kith_fail(
	    err, EX_DATAERR, "lambda is too small: H + lambda I is singular to working precision");
}

/* The candidates that sigma has where none are given. */
static int
usual_sigma(const struct fit *fit, double *sigma, bool *flat, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	double *d = kith_new(&tmp, 2 * (size_t)SPACED, fit->b * sizeof(*d)), median = 1;
	size_t n = 0;

	for (size_t i = 0; i < 2 * (size_t)SPACED; i++) {
		const struct kith_mat *rows = i % 2 ? fit->Z : fit->X;
		const size_t some = rows->n < SPACED ? rows->n : SPACED;
		double *at = d + n;

		if (i / 2 >= some)
			continue;
		kith_dist_rows(
		    &fit->metric, kith_row(rows, i / 2 * rows->n / some), fit->C.v, fit->b, at);
		for (size_t l = 0; l < fit->b; l++)
			if (at[l] > 0)
				d[n++] = sqrt(at[l]);
	}
	kith_sort_reals(d, n);
	*flat = n == 0;
	if (n > 0)
		median = d[(n - 1) / 2] / 2 + d[n / 2] / 2;
	kith_pool_free(&tmp);
	if (isinf(median))
		return kith_fail(err, EX_DATAERR,
		    "distances of rows are too large for a double "
		    "(tabscale?)");
	for (size_t s = 0; s < SIGMAS; s++)
		sigma[s] = median * pow(10, (double)s / 4 - 1);
	return 0;
}

/* Adds phi phi' of four rows phi to H (b x ld), up to the diagonal. */
static void
add_products(size_t b, size_t ld, const double *phi, double *H)
{
	const double *q = phi + ld, *r = q + ld, *s = r + ld;

	for (size_t a = 0; a < b; a++)
		for (size_t c = 0; c <= a; c++)
			H[a * ld + c] += (phi[a] * phi[c] + q[a] * q[c]) +
			    (r[a] * r[c] + s[a] * s[c]);
}

/* The sums of a block of rows of each table. */
static void
sum_block(void *to, size_t block, size_t thread)
{
	const struct fit *fit = to;
	const size_t b = fit->b, ld = fit->ld, n = fit->X->n, m = fit->Z->n;
	const size_t last = (block + 1) * n / fit->blocks;
	double *phi = room_of(fit, thread), *P = fit->sum + block * (b + 1) * ld, *h = P + b * ld;

	for (size_t i = block * n / fit->blocks; i < last; i += 4) {
		for (size_t r = 0; r < 4; r++)
			if (i + r < last)
				compute_phi(fit, kith_row(fit->X, i + r), phi + r * ld);
			else
				memset(phi + r * ld, 0, ld * sizeof(*phi));
		add_products(b, ld, phi, P);
	}
	for (size_t j = block * m / fit->blocks; j < (block + 1) * m / fit->blocks; j++) {
		compute_phi(fit, kith_row(fit->Z, j), phi);
		for (size_t l = 0; l < b; l++)
			h[l] += phi[l];
	}
}

/* Computes P and h for this sigma. */
static void
set_sigma(struct fit *fit, double sigma)
{
	struct kith_pool tmp = {0};
	const size_t n = fit->X->n, m = fit->Z->n, larger = n > m ? n : m;
	const size_t size = fit->b * fit->ld, most = fit->b > LARGE ? FEW : BLOCKS;

	fit->kern.sigma = sigma;
	fit->blocks = (larger + LEAST - 1) / LEAST < most ? (larger + LEAST - 1) / LEAST : most;
	fit->sum = kith_new(&tmp, fit->blocks, (size + fit->ld) * sizeof(*fit->sum));
	kith_par_told(fit->threads, fit->blocks, sum_block, fit,
	    &(struct kith_par_phase){"averages", n + m, "rows"});
	for (size_t k = 0; k < size + fit->ld; k++) {
		fit->P[k] = 0;
		for (size_t block = 0; block < fit->blocks; block++)
			fit->P[k] += fit->sum[block * (size + fit->ld) + k];
		fit->P[k] /= (double)(k < size ? n : m);
	}
	kith_pool_free(&tmp);
}

static void
invert(void *to, size_t l, size_t thread)
{
	struct kith_pool tmp = {0};
	const struct fit *fit = to;
	const size_t b = fit->b, ld = fit->ld;
	const double n = (double)fit->X->n;
	double *G = fit->inverse + l * b * ld, *g = fit->g + l * ld;
	struct kith_chol chol = kith_chol_new(b, &tmp);

	(void)thread;
	fit->regular[l] = factor(fit, n / (n - 1), fit->lambda[l], &chol);
	for (size_t a = 0; fit->regular[l] && a < b; a++) {
		G[a * ld + a] = 1;
		kith_chol_solve(&chol, G + a * ld);
	}
	if (fit->regular[l]) {
		memcpy(g, fit->h, b * sizeof(*g));
		kith_chol_solve(&chol, g);
	}
	kith_pool_free(&tmp);
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
 * The score of pair i of a block, whose test row is centre j (b: none), with the l-th lambda; NaN
 * where rounding has left none.  room has u = phi(x), v = phi(z), U = G^-1 u and V = G^-1 v.
 */
static double
score_pair(const struct fit *fit, size_t l, size_t i, size_t j, double *room)
{
	const size_t ld = fit->ld;
	const double n = (double)fit->X->n, m = (double)fit->Z->n;
	const double *inverse = fit->inverse + l * fit->b * ld, *g = fit->g + l * ld;
	const double *u = room + i * ld, *v = u + PAIRS * ld;
	double *U = room + (2 * PAIRS + i) * ld, *V = U + PAIRS * ld, *own = room + 4 * PAIRS * ld;
	double f, s, rest, at_x[8] = {0}, at_z[8] = {0};

	if (j < fit->b) {
		leave_centre(inverse, ld, j, U, U);
		leave_centre(inverse, ld, j, V, V);
		leave_centre(inverse, ld, j, g, own);
		g = own;
	}
	/* s (n - 1 - u' G^-1 u) = u' q, q = (m g - V) / (m - 1) */
	rest = n - 1 - kith_dot(ld, u, U);
	s = (m * kith_dot(ld, u, g) - kith_dot(ld, u, V)) / (m - 1) / rest;
	if (!(rest > 0))
		return NAN;
	for (size_t k = 0; k < ld; k += 8)
		for (size_t h = 0; h < 8; h++) {
			const double q = (m * g[k + h] - V[k + h]) / (m - 1);
			const double alpha = kith_larger(q + s * U[k + h], 0);

			at_x[h] += alpha * u[k + h];
			at_z[h] += alpha * v[k + h];
		}
	f = kith_vec_lanes(at_x);
	return f * f / 2 - kith_vec_lanes(at_z);
}

/*
 * The scores of some pairs: i-th of k equally spaced rows of each table.  Where the test row that
 * is left out is a centre, so is that centre: alpha_j = 0.
 */
static void
score_block(void *to, size_t block, size_t thread)
{
	const struct fit *fit = to;
	const size_t b = fit->b, ld = fit->ld, k = fit->pairs, first = block * PAIRS;
	const size_t n = fit->X->n, m = fit->Z->n;
	const size_t pairs = k - first < PAIRS ? k - first : PAIRS;
	double *room = room_of(fit, thread);

	for (size_t i = 0; i < pairs; i++) {
		compute_phi(fit, kith_row(fit->X, (first + i) * n / k), room + i * ld);
		compute_phi(fit, kith_row(fit->Z, (first + i) * m / k), room + (PAIRS + i) * ld);
	}
	for (size_t l = 0; l < fit->lambdas; l++) {
		double sum = 0;

		if (!fit->regular[l])
			continue;
		kith_la_kernels_at_level()->multiply(
		    2 * PAIRS, b, ld, room, fit->inverse + l * b * ld, room + 2 * PAIRS * ld);
		for (size_t i = 0; i < pairs; i++)
			sum += score_pair(fit, l, i, fit->centre_at[(first + i) * m / k], room);
		fit->part[block * fit->lambdas + l] = sum;
	}
}

/*
 * Computes the score of each lambda (> 0) at the sigma of the fit; NaN where G is singular to
 * working precision.  Requires two rows or more of each table.
 */
static void
score_lambdas(struct fit *fit, double *score)
{
	struct kith_pool tmp = {0};
	const size_t n = fit->X->n, m = fit->Z->n, least = n < m ? n : m, lambdas = fit->lambdas;
	const size_t k = least < MOST ? least : MOST;
	const size_t blocks = (k + PAIRS - 1) / PAIRS, ld = fit->ld;

	assert(k >= 2);
	fit->pairs = k;
	fit->regular = kith_new(&tmp, lambdas, sizeof(*fit->regular));
	fit->inverse = kith_new(&tmp, lambdas * fit->b, ld * sizeof(*fit->inverse));
	fit->g = kith_new(&tmp, lambdas, ld * sizeof(*fit->g));
	fit->part = kith_new(&tmp, blocks, lambdas * sizeof(*fit->part));
	kith_par_tasks(fit->threads, lambdas, invert, fit,
	    &(struct kith_par_phase){"factors", lambdas, "values of lambda"});
	kith_par_told(fit->threads, blocks, score_block, fit,
	    &(struct kith_par_phase){"leave-one-out", k, "rows"});
	for (size_t l = 0; l < lambdas; l++) {
		score[l] = 0;
		for (size_t block = 0; block < blocks; block++)
			score[l] += fit->part[block * lambdas + l];
		score[l] = fit->regular[l] ? score[l] / (double)k : NAN;
	}
	kith_pool_free(&tmp);
}

/* Chooses sigma and lambda by their scores, or takes what is given. */
static int
choose(
    struct fit *fit, const struct kith_ratio_how *how, struct kith_ratio *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t sigmas = how->sigmas ? how->sigmas : SIGMAS;
	const double *sigma;
	double usual[SIGMAS], *score;

	if (!how->sigmas && usual_sigma(fit, usual, &out->flat, err))
		return -1;
	sigma = how->sigmas ? how->sigma : usual;
	fit->lambdas = how->lambdas ? how->lambdas : LAMBDAS;
	fit->lambda = how->lambdas ? how->lambda : usual_lambda;
	score = kith_new(&tmp, fit->lambdas, sizeof(*score));
	out->score = NAN;
	if (fit->X->n < 2 || fit->Z->n < 2) {
		out->sigma = *sigma;
		out->lambda = *fit->lambda;
		kith_pool_free(&tmp);
		return sigmas == 1 && fit->lambdas == 1
		    ? 0
		    : kith_fail(err, EX_DATAERR,
			  "one row: no leave-one-out score to choose by "
			  "(one --sigma and one --lambda?)");
	}
	kith_progress_phase("scores", sigmas, "values of sigma");
	for (size_t s = 0; s < sigmas; s++, kith_progress_add(1)) {
		set_sigma(fit, sigma[s]);
		score_lambdas(fit, score);
		for (size_t l = 0; l < fit->lambdas; l++)
			if (isfinite(score[l]) && !(score[l] >= out->score)) { /* NaN: the first */
				out->sigma = sigma[s];
				out->lambda = fit->lambda[l];
				out->score = score[l];
			}
	}
	kith_progress_end();
	kith_pool_free(&tmp);
	return isnan(out->score) ? fail_singular(err) : 0;
}

/* The ratio at a block of training rows. */
static void
weigh_block(void *to, size_t block, size_t thread)
{
	const struct fit *fit = to;
	const size_t n = fit->X->n, first = block * LEAST;
	const size_t last = n - first < LEAST ? n : first + LEAST;
	double *phi = room_of(fit, thread);

	for (size_t i = first; i < last; i++) {
		compute_phi(fit, kith_row(fit->X, i), phi);
		fit->w[i] = kith_vec_dot(fit->b, fit->alpha, phi);
	}
}

/* alpha of the sigma and lambda chosen, and the ratio. */
static int
solve(struct fit *fit, struct kith_ratio *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t b = fit->b, n = fit->X->n;
	struct kith_chol chol = kith_chol_new(b, &tmp);
	bool regular;

	set_sigma(fit, out->sigma);
	regular = factor(fit, 1, out->lambda, &chol);
	out->alpha = fit->alpha = kith_new(pool, b, sizeof(*fit->alpha));
	out->w = fit->w = kith_new(pool, n, sizeof(*fit->w));
	memcpy(fit->alpha, fit->h, b * sizeof(*fit->alpha));
	if (regular)
		kith_chol_solve(&chol, fit->alpha);
	kith_pool_free(&tmp);
	if (!regular)
		return fail_singular(err);
	for (size_t l = 0; l < b; l++)
		fit->alpha[l] = fit->alpha[l] > 0 ? fit->alpha[l] : 0;
	kith_par_told(fit->threads, (n + LEAST - 1) / LEAST, weigh_block, fit,
	    &(struct kith_par_phase){"weights", n, "rows"});
	return 0;
}

int
kith_ratio(const struct kith_mat *X, const struct kith_mat *Z, const struct kith_ratio_how *how,
    struct kith_ratio *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t b = how->centres < Z->n ? how->centres : Z->n;
	struct fit fit = {.X = X, .Z = Z, .b = b, .ld = (b + 7) / 8 * 8, .threads = how->threads};
	int got;

	assert(b >= 1 && X->n >= 1 && X->p == Z->p);
	*out = (struct kith_ratio){.b = b};
	out->centre = kith_rng_sample(how->seed, Z->n, b, pool);
	fit.metric = (struct kith_metric){KITH_SQUARED, X->p, NULL};
	fit.kern = (struct kith_kern){.kind = KITH_KERN_GAUSSIAN, .metric = &fit.metric};
	fit.C = kith_mat_rows(Z, out->centre, b, &tmp);
	fit.centre_at = kith_new(&tmp, Z->n, sizeof(*fit.centre_at));
	for (size_t j = 0; j < Z->n; j++)
		fit.centre_at[j] = b;
	for (size_t l = 0; l < b; l++)
		fit.centre_at[out->centre[l]] = l;
	fit.P = kith_new(&tmp, b + 1, fit.ld * sizeof(*fit.P));
	fit.h = fit.P + b * fit.ld;
	fit.room = kith_new(&tmp, fit.threads * (4 * PAIRS + 1), fit.ld * sizeof(*fit.room));
	got = choose(&fit, how, out, err) || solve(&fit, out, pool, err) ? -1 : 0;
	kith_pool_free(&tmp);
	return got;
}
