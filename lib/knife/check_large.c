/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/check_large.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "kernel/kern.h"
#include "knife/check_sum.h"
#include "knife/knife.h"
#include "la/vec.h"
#include "near/metric.h"

#include <math.h>
#include <string.h>

enum { ROWS = 16 }; /* of a block of work */

struct job {
	struct kith_check_knife_point *s;
	struct kith_mat X;         /* columns that count */
	struct kith_metric metric; /* of these */
	struct kith_kern kern;
	double *room; /* threads x 2 n */
	double *part; /* blocks x p: of dF */
};

/* What the pairs of row i and rows up to it have in dF; H: the kernels. */
static void
add_slopes(const struct job *job, size_t i, const double *H, double *sum)
{
	const struct kith_check_knife_point *s = job->s;
	const struct kith_mat *X = s->of->X;
	const double *x = kith_row(X, i);
	const size_t n = s->n, p = s->p;

	for (size_t h = 0; h <= i; h++) {
		const double *z = kith_row(X, h);
		double m = 0;

		for (size_t k = 0; k < s->of->c; k++)
			m += s->alpha[k * n + i] * s->alpha[k * n + h];
		m *= H[h] * (h == i ? 1 : 2);
		kith_check_knife_pair(s->of->kernel, p, m, x, z, sum);
	}
}

static void
sum_rows(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_check_knife_point *s = job->s;
	const size_t n = s->n;
	const bool poly = s->of->kernel == KITH_KNIFE_POLYNOMIAL;
	double *K = job->room + thread * 2 * n, *H = poly ? K + n : K;
	struct kith_kern kern = job->kern, less = kern;

	kern.metric = less.metric = &job->metric;
	less.degree = kern.degree - 1;
	for (size_t i = block * ROWS; i < (block + 1) * ROWS && i < n; i++) {
		const double *x = kith_row(&job->X, i);

		kith_kern_rows(&kern, x, job->X.v, n, K);
		for (size_t l = 0; l <= i && less.degree == 0; l++)
			H[l] = poly ? 1 : H[l];
		if (poly && less.degree > 0)
			kith_kern_rows(&less, x, job->X.v, i + 1, H);
		for (size_t k = 0; k < s->of->c; k++)
			s->f[k * n + i] = s->b[k] + kith_vec_dot(n, s->alpha + k * n, K);
		add_slopes(job, i, H, job->part + block * s->p);
	}
}

/* The columns of weight > 0; without any all rows are the same. */
static void
pack(struct job *job, const double *w, struct kith_pool *pool)
{
	const struct kith_knife_problem *of = job->s->of;
	const bool absolute = of->kernel == KITH_KNIFE_LAPLACIAN;
	const struct kith_metric all = {absolute ? KITH_ABSOLUTE : KITH_SQUARED, job->s->p, w};
	size_t *kept = kith_new(pool, job->s->p, sizeof(*kept));
	const size_t some = kith_dist_kept(&all, kept);

	job->X = kith_mat_take(of->X, kept, some + !some, pool);
	job->metric = kith_dist_pack(&all, kept, some, pool);
	job->kern = kith_knife_kern(of);
}

static void
sum_up(struct kith_check_knife_point *s, const double *w)
{
	struct kith_pool tmp = {0};
	const struct kith_knife_problem *of = s->of;
	const size_t n = s->n, p = s->p, blocks = (n + ROWS - 1) / ROWS;
	const double factor = kith_knife_of_differences(of) ? -of->gamma : (double)of->degree;
	struct job job = {.s = s};

	pack(&job, w, &tmp);
	job.room = kith_new(&tmp, of->threads * 2, n * sizeof(*job.room));
	job.part = kith_new(&tmp, blocks, p * sizeof(*job.part));
	kith_par_told(
	    of->threads, blocks, sum_rows, &job, &(struct kith_par_phase){"check", n, "rows"});
	for (size_t j = 0; j < p; j++) {
		double sum = 0;

		for (size_t b = 0; b < blocks; b++)
			sum += job.part[b * p + j];
		s->dF[j] = of->lambda2 - of->lambda1 * factor * sum;
	}
	kith_pool_free(&tmp);
}

void
kith_check_knife_large(struct kith_check_knife_point *s, const double *w)
{
	const size_t n = s->n;
	struct kith_err err;
	double F;

	if (kith_knife_at(s->of, w, &F, NULL, s->alpha, s->b, &err)) {
		s->F = s->residual = NAN;
		return;
	}
	sum_up(s, w);
	for (size_t j = 0; j < s->p; j++)
		s->F += s->of->lambda2 * w[j];
	for (size_t k = 0; k < s->of->c; k++) {
		s->F += kith_check_knife_value(s, k, s->f + k * n, s->alpha + k * n, s->b[k]);
		s->residual = fmax(s->residual, kith_check_knife_residual(s, s->alpha + k * n));
	}
}
