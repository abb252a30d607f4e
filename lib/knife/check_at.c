/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/check_at.h"

#include "base/par.h"
#include "base/pool.h"
#include "kernel/kern.h"
#include "knife/check_large.h"
#include "knife/check_loss.h"
#include "knife/check_sum.h"
#include "knife/problem.h"
#include "la/blas.h"
#include "la/spd.h"
#include "near/metric.h"

#include <math.h>
#include <string.h>

enum {
	ROWS = 16,   /* rows of a block of work */
	STEPS = 200, /* of Newton's method */
	STUCK = 5    /* that lead nowhere */
};

#define FLAT 1e-13 /* of the objective: no fall */

/* Parts of a step. */
#define SHORT 0x1p-20
#define SHORTEST 1e-12

/* Newton's method ends at this residual, relatively. */
#define SOLVED 1e-13

/* The kernels at w into K; for the polynomial one of this degree. */
static void
fill(const struct kith_knife_problem *of, const double *w, size_t degree, double *K)
{
	struct kith_pool tmp = {0};
	const size_t n = of->X->n, p = of->X->p;
	const bool absolute = of->kernel == KITH_KNIFE_LAPLACIAN;
	const struct kith_metric all = {absolute ? KITH_ABSOLUTE : KITH_SQUARED, p, w};
	size_t *kept = kith_new(&tmp, p, sizeof(*kept));
	const size_t some = kith_dist_kept(&all, kept);
	/* Without a column that counts all rows are the same. */
	const struct kith_mat X = kith_mat_take(of->X, kept, some + !some, &tmp);
	const struct kith_metric metric = kith_dist_pack(&all, kept, some, &tmp);
	struct kith_kern kern = kith_knife_kern(of);

	kern.metric = &metric;
	kern.degree = degree;
	kith_kern_gram(&kern, X.v, n, n, K);
	kith_pool_free(&tmp);
}

/* The factor of 2 lambda1 I + S K S, unless that of before is the same. */
static bool
factor(struct kith_check_knife_point *s)
{
	const size_t n = s->n;

	if (s->factored && memcmp(s->d2, s->curved, n * sizeof(*s->d2)) == 0)
		return true;
	memcpy(s->curved, s->d2, n * sizeof(*s->d2));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			s->A[i * n + j] = s->K[i * n + j] * sqrt(s->d2[i] * s->d2[j]) +
			    (i == j ? 2 * s->of->lambda1 : 0);
	s->factored = kith_spd_factor(n, s->A);
	return s->factored;
}

/*
 * Newton's step of alpha, its product with K, and that of b.  False where
 * 2 lambda1 I + S K S does not factor.
 */
static bool
newton(struct kith_check_knife_point *s, double *b)
{
	const size_t n = s->n;
	const double two = 2 * s->of->lambda1;
	double sum = 0, slope = 0;

	if (!factor(s))
		return false;
	kith_blas_times(n, n, s->K, n, s->r, s->v);
	for (size_t i = 0; i < n; i++) {
		s->v[i] *= -sqrt(s->d2[i]);
		s->h[i] = sqrt(s->d2[i]);
	}
	kith_spd_solve(n, 1, s->A, s->v);
	kith_spd_solve(n, 1, s->A, s->h);
	/* The sum of L' is linear in b, or all of L is. */
	*b = 0;
	if (s->of->intercept) {
		for (size_t i = 0; i < n; i++) {
			sum += s->d1[i] + sqrt(s->d2[i]) * s->v[i];
			slope += two * sqrt(s->d2[i]) * s->h[i];
		}
		*b = -sum / (slope > 0 ? slope : (double)n);
	}
	for (size_t i = 0; i < n; i++) {
		s->v[i] += two * *b * s->h[i];
		s->step[i] = -(s->r[i] + sqrt(s->d2[i]) * s->v[i]) / two;
	}
	kith_blas_times(n, n, s->K, n, s->step, s->Kstep);
	return true;
}

/* A column of the solution, and room for another one. */
struct column {
	size_t k;
	double *alpha, *f, *b;
	double *next, *g; /* n */
	double now;       /* the objective */
};

/*
 * Go by the part of the step, 1 or 1/2 ..., that lowers the objective as it
 * should; 0 where none down to the shortest does.
 */
static double
search(struct kith_check_knife_point *s, struct column *it, double db, double shortest)
{
	double t = 1, slope = 0;

	for (size_t i = 0; i < s->n; i++)
		slope += s->r[i] * s->Kstep[i] + s->d1[i] * db;
	for (;;) {
		double then;

		if (t < shortest)
			return 0;
		for (size_t i = 0; i < s->n; i++) {
			it->next[i] = it->alpha[i] + t * s->step[i];
			it->g[i] = it->f[i] + t * (s->Kstep[i] + db);
		}
		then = kith_check_knife_value(s, it->k, it->g, it->next, *it->b + t * db);
		if (then <= it->now + 1e-4 * t * slope + 1e-13 * fabs(it->now))
			break;
		t /= 2;
	}
	memcpy(it->alpha, it->next, s->n * sizeof(*it->alpha));
	*it->b += t * db;
	kith_blas_times(s->n, s->n, s->K, s->n, it->alpha, it->f);
	for (size_t i = 0; i < s->n; i++)
		it->f[i] += *it->b;
	return t;
}

/*
 * A step.  Where the curvature here tells too little of that further on,
 * parabolas above the losses give one that lowers the objective.
 */
static double
go(struct kith_check_knife_point *s, struct column *it)
{
	double db, t = 0;

	if (newton(s, &db))
		t = search(s, it, db, SHORT);
	if (t > 0)
		return t;
	kith_check_knife_value(s, it->k, it->f, it->alpha, *it->b);
	for (size_t i = 0; i < s->n; i++)
		s->d2[i] = kith_check_knife_weight(s->of, i) *
		    kith_check_knife_curvature(s->of, s->of->Y[it->k * s->n + i], it->f[i]);
	return newton(s, &db) ? search(s, it, db, SHORTEST) : 0;
}

/* alpha, b and f of column k; its objective, or NaN. */
static double
solve(struct kith_check_knife_point *s, size_t k, struct kith_pool *pool)
{
	const size_t n = s->n;
	struct column it = {k, s->alpha + k * n, s->f + k * n, s->b + k,
	    kith_new(pool, n, sizeof(double)), kith_new(pool, n, sizeof(double)), 0};
	double left;
	int stuck = 0;

	it.now = kith_check_knife_value(s, k, it.f, it.alpha, *it.b);
	left = kith_check_knife_residual(s, it.alpha);
	for (int step = 0; step < STEPS && left > SOLVED && stuck < STUCK; step++) {
		const double was = it.now, last = left, t = go(s, &it);

		if (!(t > 0))
			return NAN;
		it.now = kith_check_knife_value(s, k, it.f, it.alpha, *it.b);
		left = kith_check_knife_residual(s, it.alpha);
		stuck = left > last / 2 && !(it.now < was - FLAT * fabs(was)) ? stuck + 1 : 0;
		/* Rounding allows no more. */
		if (t == 1 && left < 1e-8 && left > last / 4)
			break;
	}
	s->residual = left >= s->residual ? left : s->residual;
	return it.now;
}

/* The work on dF: sums over pairs of rows, a part for each block. */
struct job {
	const struct kith_check_knife_point *s;
	double *part; /* blocks x p */
};

static void
sum_pairs(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_check_knife_point *s = job->s;
	const struct kith_mat *X = s->of->X;
	const size_t n = X->n;

	(void)thread;
	for (size_t i = block * ROWS; i < (block + 1) * ROWS && i < n; i++)
		for (size_t h = 0; h <= i; h++)
			kith_check_knife_pair(s->of->kernel, X->p,
			    s->A[i * n + h] * (i == h ? 1 : 2), kith_row(X, i), kith_row(X, h),
			    job->part + block * X->p);
}

/* dF: dK/dw_j is M with the products, or differences, of feature j. */
static void
differentiate(struct kith_check_knife_point *s, const double *w)
{
	struct kith_pool tmp = {0};
	const struct kith_knife_problem *of = s->of;
	const size_t n = s->n, blocks = (n + ROWS - 1) / ROWS;
	struct job job = {s, kith_new(&tmp, blocks, s->p * sizeof(double))};
	double factor = 1;

	if (of->kernel == KITH_KNIFE_POLYNOMIAL)
		factor = (double)of->degree;
	if (factor > 1)
		fill(of, w, of->degree - 1, s->A);
	else if (!kith_knife_of_differences(of))
		for (size_t i = 0; i < n * n; i++)
			s->A[i] = 1;
	else {
		memcpy(s->A, s->K, n * n * sizeof(*s->A));
		factor = -of->gamma;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t h = 0; h < n; h++) {
			double sum = 0;

			for (size_t k = 0; k < of->c; k++)
				sum += s->alpha[k * n + i] * s->alpha[k * n + h];
			s->A[i * n + h] *= sum;
		}
	kith_par_told(
	    of->threads, blocks, sum_pairs, &job, &(struct kith_par_phase){"check", n, "rows"});
	for (size_t j = 0; j < s->p; j++) {
		double sum = 0;

		for (size_t b = 0; b < blocks; b++)
			sum += job.part[b * s->p + j];
		s->dF[j] = of->lambda2 - of->lambda1 * factor * sum;
	}
	kith_pool_free(&tmp);
}

struct kith_check_knife_point
kith_check_knife_at(
    const struct kith_knife_problem *problem, const double *w, struct kith_pool *pool)
{
	const struct kith_knife_problem *of = problem;
	const size_t n = of->X->n, p = of->X->p;
	struct kith_check_knife_point at = {.of = of, .n = n, .p = p}, *s = &at;

	KITH_NEW_REALS(pool, n, of->c, &s->alpha, &s->f);
	s->b = kith_new(pool, of->c, sizeof(*s->b));
	s->dF = kith_new(pool, p, sizeof(*s->dF));
	if (kith_check_knife_is_linear(of, w)) {
		kith_check_knife_linear(s, w, pool);
		return at;
	}
	if (kith_knife_is_large(of)) {
		KITH_NEW_REALS(pool, n, 1, &s->d1, &s->d2, &s->r);
		kith_check_knife_large(s, w);
		return at;
	}
	KITH_NEW_REALS(pool, n, n, &s->K, &s->A);
	KITH_NEW_REALS(
	    pool, n, 1, &s->d1, &s->d2, &s->r, &s->v, &s->h, &s->step, &s->Kstep, &s->curved);
	fill(of, w, of->degree, s->K);
	for (size_t j = 0; j < p; j++)
		s->F += of->lambda2 * w[j];
	for (size_t k = 0; k < of->c; k++)
		s->F += solve(s, k, pool);
	differentiate(s, w);
	return at;
}
