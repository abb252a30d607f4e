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
	BLOCKS = 64, /* an average is the sum of at most so many, */
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

/* All that is known of one sigma; ld is b made a multiple of 8, for vectors. */
struct fit {
	const struct kith_mat *X, *Z; /* training rows, test rows */
	struct kith_mat C;            /* b x p centres */
	size_t *centre_at;            /* for each test row: which centre it is; b: none */
	struct kith_metric metric;
	double sigma;
	size_t ld;
	double *P; /* b x ld, 0 from column b on */
	double *h; /* ld, likewise */
	size_t threads;
};

/* Computes phi of the row x (ld), whose end stays. */
static void
compute_phi(const struct fit *fit, const double *x, double *phi)
{
	const struct kith_kern kern = {
	    .kind = KITH_KERN_GAUSSIAN, .metric = &fit->metric, .sigma = fit->sigma};

	kith_kern_rows(&kern, x, fit->C.v, fit->C.n, phi);
}

/*
 * Factors x P + ridge I in an empty factor for b rows; returns false where it is singular to working
 * precision.
 */
static bool
factor(const struct fit *fit, double x, double ridge, struct kith_chol *chol)
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

static int
fail_singular(struct kith_err *err)
{
	return kith_fail(
	    err, EX_DATAERR, "lambda is too small: H + lambda I is singular to working precision");
}

/* Draw b of m rows; in increasing order. */
static void
draw(uint64_t seed, size_t m, size_t b, size_t *row)
{
	struct kith_pool tmp = {0};
	struct kith_rng rng;
	size_t *all = kith_new(&tmp, m, sizeof(*all));

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	for (size_t j = 0; j < m; j++)
		all[j] = j;
	if (b < m)
		kith_rng_shuffle(&rng, all, m);
	memcpy(row, all, b * sizeof(*row));
	kith_sort_sizes(row, b);
	kith_pool_free(&tmp);
}

/* Put the distances > 0 of some rows of X and the centres into d; how many. */
static size_t
distances(const struct fit *fit, const struct kith_mat *X, double *d)
{
	const size_t some = X->n < SPACED ? X->n : SPACED, b = fit->C.n;
	size_t n = 0;

	for (size_t i = 0; i < some; i++) {
		double *at = d + n;

		kith_dist_rows(&fit->metric, kith_row(X, i * X->n / some), fit->C.v, b, at);
		for (size_t l = 0; l < b; l++)
			if (at[l] > 0)
				d[n++] = sqrt(at[l]);
	}
	return n;
}

/* The candidates that sigma has where none are given. */
static int
usual_sigma(const struct fit *fit, double *sigma, bool *flat, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	double *d = kith_new(&tmp, 2 * (size_t)SPACED, fit->C.n * sizeof(*d));
	size_t n = distances(fit, fit->X, d);
	double median = 1;

	n += distances(fit, fit->Z, d + n);
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

/* A sorted copy of a list. */
static double *
sorted(const double *v, size_t n, struct kith_pool *pool)
{
	double *to = kith_new(pool, n, sizeof(*to));

	memcpy(to, v, n * sizeof(*to));
	kith_sort_reals(to, n);
	return to;
}

/* The average of phi phi' and phi over a table. */
struct average {
	const struct fit *fit;
	const struct kith_mat *X;
	size_t rows; /* of a block */
	double *H;   /* blocks x b x ld, or NULL */
	double *h;   /* blocks x ld */
	double *phi; /* for each thread: 4 x ld */
};

/* Adds phi'phi of four rows phi to H (b x ld), from the diagonal on. */
static void
add_products(size_t b, size_t ld, const double *phi, double *H)
{
	for (size_t a = 0; a < b; a++)
		for (size_t c = a; c < b; c++)
			for (size_t r = 0; r < 4; r++)
				H[a * ld + c] += phi[r * ld + a] * phi[r * ld + c];
}

static void
average_block(void *to, size_t block, size_t thread)
{
	const struct average *job = to;
	const struct fit *fit = job->fit;
	const size_t ld = fit->ld, n = job->X->n, b = fit->C.n;
	const size_t first = block * job->rows;
	const size_t last = n - first < job->rows ? n : first + job->rows;
	double *phi = job->phi + thread * 4 * ld, *h = job->h + block * ld;

	for (size_t i = first; i < last; i += 4) {
		for (size_t r = 0; r < 4; r++)
			if (i + r < last)
				compute_phi(fit, kith_row(job->X, i + r), phi + r * ld);
			else
				memset(phi + r * ld, 0, ld * sizeof(*phi));
		for (size_t l = 0; l < ld; l++)
			h[l] += (phi[l] + phi[ld + l]) + (phi[2 * ld + l] + phi[3 * ld + l]);
		if (job->H)
			add_products(b, ld, phi, job->H + block * b * ld);
	}
}

/* Puts the averages over X into H (b x ld) and h (ld); NULL: not wanted. */
static void
average(const struct fit *fit, const struct kith_mat *X, double *H, double *h)
{
	struct kith_pool tmp = {0};
	const size_t ld = fit->ld, b = fit->C.n, n = X->n;
	const size_t most = b > LARGE ? FEW : BLOCKS;
	struct average job = {fit, X, (n + most - 1) / most, NULL, NULL,
	    kith_new(&tmp, fit->threads, 4 * ld * sizeof(double))};
	size_t blocks;

	job.rows = job.rows < LEAST ? LEAST : job.rows;
	blocks = (n + job.rows - 1) / job.rows;
	job.h = kith_new(&tmp, blocks, ld * sizeof(*job.h));
	if (H)
		job.H = kith_new(&tmp, blocks * b, ld * sizeof(*job.H));
	kith_par_told(fit->threads, blocks, average_block, &job,
	    &(struct kith_par_phase){"averages", n, "rows"});
	for (size_t l = 0; h && l < ld; l++) {
		h[l] = 0;
		for (size_t block = 0; block < blocks; block++)
			h[l] += job.h[block * ld + l] / (double)n;
	}
	for (size_t a = 0; H && a < b; a++)
		for (size_t l = a; l < b; l++) {
			double sum = 0;

			for (size_t block = 0; block < blocks; block++)
				sum += job.H[(block * b + a) * ld + l];
			H[a * ld + l] = H[l * ld + a] = sum / (double)n;
		}
	kith_pool_free(&tmp);
}

/* Have phi, P and h for this sigma. */
static void
set_sigma(struct fit *fit, double sigma)
{
	fit->sigma = sigma;
	average(fit, fit->X, fit->P, NULL);
	average(fit, fit->Z, NULL, fit->h);
}

/* What is known of a sigma and all lambda. */
struct loo {
	const struct fit *fit;
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
	const struct loo *job = to;
	const struct fit *fit = job->fit;
	const size_t b = fit->C.n, ld = fit->ld;
	const double n = (double)fit->X->n;
	double *G = job->inverse + l * b * ld, *g = job->g + l * ld;
	struct kith_chol chol = kith_chol_new(b, &tmp);

	(void)thread;
	job->regular[l] = factor(fit, n / (n - 1), job->lambda[l], &chol);
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

/* out = x - G^-1 e_j x_j / (G^-1)_jj: of x = G^-1 y, the solution in which coordinate j is 0. */
static void
leave_centre(const double *inverse, size_t ld, size_t j, const double *x, double *out)
{
	const double *row = inverse + j * ld, share = x[j] / row[j];

	for (size_t l = 0; l < ld; l++)
		out[l] = x[l] - row[l] * share;
	out[j] = 0;
}

/* A pair of rows: u = phi(x), v = phi(z), U = G^-1 u, V = G^-1 v, g = G^-1 h; ld numbers each. */
struct pair {
	const double *u, *v, *U, *V, *g;
};

/* The score of a pair of tables of n and m rows; NaN where rounding has left none. */
static double
score_pair(size_t ld, double n, double m, const struct pair *p)
{
	double f, s, rest, uU, ug, uV, at_x[8] = {0}, at_z[8] = {0};

	kith_la_kernels_at_level()->products(ld, NULL, p->u, p->U, 1, &uU);
	kith_la_kernels_at_level()->products(ld, NULL, p->u, p->g, 1, &ug);
	kith_la_kernels_at_level()->products(ld, NULL, p->u, p->V, 1, &uV);
	/* s (n - 1 - u' G^-1 u) = u' q, q = (m g - V) / (m - 1) */
	rest = n - 1 - uU;
	s = (m * ug - uV) / (m - 1) / rest;
	if (!(rest > 0))
		return NAN;
	for (size_t l = 0; l < ld; l += 8)
		for (size_t h = 0; h < 8; h++) {
			const size_t k = l + h;
			const double q = (m * p->g[k] - p->V[k]) / (m - 1);
			const double alpha = kith_larger(q + s * p->U[k], 0);

			at_x[h] += alpha * p->u[k];
			at_z[h] += alpha * p->v[k];
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
	const struct loo *job = to;
	const struct fit *fit = job->fit;
	const size_t b = fit->C.n, ld = fit->ld, k = job->pairs;
	const size_t n = fit->X->n, m = fit->Z->n, first = block * PAIRS;
	const size_t pairs = k - first < PAIRS ? k - first : PAIRS;
	double *phi = job->room + thread * (4 * PAIRS + 1) * ld;
	double *image = phi + 2 * PAIRS * ld, *g = phi + 4 * PAIRS * ld;

	for (size_t i = 0; i < pairs; i++) {
		compute_phi(fit, kith_row(fit->X, (first + i) * n / k), phi + i * ld);
		compute_phi(fit, kith_row(fit->Z, (first + i) * m / k), phi + (PAIRS + i) * ld);
	}
	for (size_t l = 0; l < job->lambdas; l++) {
		const double *inverse = job->inverse + l * b * ld;
		double sum = 0;

		if (!job->regular[l])
			continue;
		kith_la_kernels_at_level()->multiply(2 * PAIRS, b, ld, phi, inverse, image);
		for (size_t i = 0; i < pairs; i++) {
			const size_t j = fit->centre_at[(first + i) * m / k];
			double *U = image + i * ld, *V = image + (PAIRS + i) * ld;
			struct pair pair = {
			    phi + i * ld, phi + (PAIRS + i) * ld, U, V, job->g + l * ld};

			if (j < b) {
				leave_centre(inverse, ld, j, U, U);
				leave_centre(inverse, ld, j, V, V);
				leave_centre(inverse, ld, j, pair.g, g);
				pair.g = g;
			}
			sum += score_pair(ld, (double)n, (double)m, &pair);
		}
		job->part[block * job->lambdas + l] = sum;
	}
}

/*
 * Computes the score of each lambda (> 0) at the sigma of the fit; NaN where G is singular to
 * working precision.  Requires two rows or more of each table.
 */
static void
score_lambdas(const struct fit *fit, const double *lambda, size_t lambdas, double *score)
{
	struct kith_pool tmp = {0};
	const size_t n = fit->X->n, m = fit->Z->n, least = n < m ? n : m;
	const size_t k = least < MOST ? least : MOST;
	const size_t blocks = (k + PAIRS - 1) / PAIRS, ld = fit->ld;
	struct loo job = {fit, lambda, lambdas, k, NULL, NULL, NULL, NULL, NULL};

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

/* Choose sigma and lambda by their scores. */
static int
search(struct fit *fit, const double *sigma, size_t sigmas, const double *lambda, size_t lambdas,
    struct kith_ratio *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	double *score = kith_new(&tmp, lambdas, sizeof(*score));
	bool any = false;

	kith_progress_phase("scores", sigmas, "values of sigma");
	for (size_t s = 0; s < sigmas; s++, kith_progress_add(1)) {
		set_sigma(fit, sigma[s]);
		score_lambdas(fit, lambda, lambdas, score);
		for (size_t l = 0; l < lambdas; l++)
			if (isfinite(score[l]) && (!any || score[l] < out->score)) {
				any = true;
				out->sigma = sigma[s];
				out->lambda = lambda[l];
				out->score = score[l];
			}
	}
	kith_progress_end();
	kith_pool_free(&tmp);
	return any ? 0 : fail_singular(err);
}

/* Choose, or take what is given; -1 if there is no choice. */
static int
choose(
    struct fit *fit, const struct kith_ratio_how *how, struct kith_ratio *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t sigmas = how->sigmas ? how->sigmas : SIGMAS;
	const size_t lambdas = how->lambdas ? how->lambdas : LAMBDAS;
	const double *lambda = how->lambdas ? how->lambda : usual_lambda;
	double usual[SIGMAS];
	int got = 0;

	if (!how->sigmas)
		got = usual_sigma(fit, usual, &out->flat, err);
	out->score = NAN;
	if (got == 0 && (fit->X->n < 2 || fit->Z->n < 2)) {
		out->sigma = how->sigmas ? *how->sigma : 0;
		out->lambda = *lambda;
		if (sigmas > 1 || lambdas > 1)
			got = kith_fail(err, EX_DATAERR,
			    "one row: no leave-one-out score to choose by "
			    "(one --sigma and one --lambda?)");
	} else if (got == 0) {
		got = search(fit, sorted(how->sigmas ? how->sigma : usual, sigmas, &tmp), sigmas,
		    sorted(lambda, lambdas, &tmp), lambdas, out, err);
	}
	kith_pool_free(&tmp);
	return got;
}

/* The ratio at a block of training rows. */
struct weigh {
	const struct fit *fit;
	const double *alpha;
	double *phi; /* ld for each thread */
	double *w;
};

static void
weigh_block(void *to, size_t block, size_t thread)
{
	const struct weigh *job = to;
	const struct fit *fit = job->fit;
	const size_t n = fit->X->n, first = block * LEAST;
	const size_t last = n - first < LEAST ? n : first + LEAST;
	double *phi = job->phi + thread * fit->ld;

	for (size_t i = first; i < last; i++) {
		compute_phi(fit, kith_row(fit->X, i), phi);
		job->w[i] = kith_vec_dot(fit->C.n, job->alpha, phi);
	}
}

/* alpha of the sigma and lambda chosen, and the ratio. */
static int
solve(struct fit *fit, struct kith_ratio *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t b = fit->C.n, n = fit->X->n;
	struct kith_chol chol = kith_chol_new(b, &tmp);
	struct weigh job = {
	    fit, NULL, kith_new(&tmp, fit->threads, fit->ld * sizeof(double)), NULL};
	bool regular;

	set_sigma(fit, out->sigma);
	regular = factor(fit, 1, out->lambda, &chol);
	if (regular) {
		out->alpha = kith_new(pool, b, sizeof(*out->alpha));
		memcpy(out->alpha, fit->h, b * sizeof(*out->alpha));
		kith_chol_solve(&chol, out->alpha);
		for (size_t l = 0; l < b; l++)
			out->alpha[l] = out->alpha[l] > 0 ? out->alpha[l] : 0;
		out->w = kith_new(pool, n, sizeof(*out->w));
		job.alpha = out->alpha;
		job.w = out->w;
		kith_par_told(fit->threads, (n + LEAST - 1) / LEAST, weigh_block, &job,
		    &(struct kith_par_phase){"weights", n, "rows"});
	}
	kith_pool_free(&tmp);
	return regular ? 0 : fail_singular(err);
}

int
kith_ratio(const struct kith_mat *X, const struct kith_mat *Z, const struct kith_ratio_how *how,
    struct kith_ratio *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct fit fit = {.X = X, .Z = Z, .threads = how->threads};
	const size_t b = how->centres < Z->n ? how->centres : Z->n;
	int got;

	assert(b >= 1 && X->n >= 1 && X->p == Z->p);
	*out = (struct kith_ratio){.b = b};
	out->centre = kith_new(pool, b, sizeof(*out->centre));
	draw(how->seed, Z->n, b, out->centre);
	fit.metric = (struct kith_metric){KITH_SQUARED, X->p, NULL};
	fit.C = kith_mat_rows(Z, out->centre, b, &tmp);
	fit.centre_at = kith_new(&tmp, Z->n, sizeof(*fit.centre_at));
	for (size_t j = 0; j < Z->n; j++)
		fit.centre_at[j] = b;
	for (size_t l = 0; l < b; l++)
		fit.centre_at[out->centre[l]] = l;
	fit.ld = (b + 7) / 8 * 8;
	fit.P = kith_new(&tmp, b, fit.ld * sizeof(*fit.P));
	fit.h = kith_new(&tmp, fit.ld, sizeof(*fit.h));
	got = choose(&fit, how, out, err);
	if (got == 0)
		got = solve(&fit, out, pool, err);
	kith_pool_free(&tmp);
	return got;
}
