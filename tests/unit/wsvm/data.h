/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/data - problems of lib/wsvm/wsvm.h, and what must hold of their paths.
 */
#ifndef KITH_TEST_WSVM_DATA_H
#define KITH_TEST_WSVM_DATA_H

#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "near/metric.h"
#include "wsvm/wsvm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct kith_pool pool;

/* The largest |x_i - y_i|. */
static inline double
largest_gap(size_t n, const double *x, const double *y)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, fabs(x[i] - y[i]));
	return most;
}

/* A problem, its weights, and its matrices written out. */
struct task {
	struct kith_mat X;
	struct kith_metric metric;
	struct kith_kern kern;
	struct kith_wsvm_problem problem;
	size_t N, *plus, *minus;
	double *sign, *q, *from, *to;
	double *K;   /* n x n */
	double most; /* the largest of K, and 1 */
};

static inline void
task_new(struct task *t, size_t n, size_t p, size_t N, bool ranks)
{
	*t = (struct task){.N = N};
	t->X = kith_mat_new(&pool, n, p);
	t->plus = kith_new(&pool, N, sizeof(*t->plus));
	t->minus = ranks ? kith_new(&pool, N, sizeof(*t->minus)) : NULL;
	t->sign = kith_new(&pool, N, sizeof(*t->sign));
	t->q = kith_new(&pool, N, sizeof(*t->q));
	t->from = kith_new(&pool, N, sizeof(*t->from));
	t->to = kith_new(&pool, N, sizeof(*t->to));
}

/* Once X and the variables are there. */
static inline void
task_ready(struct task *t, enum kith_kern_kind kind, double gamma, double ridge)
{
	t->metric = (struct kith_metric){KITH_SQUARED, t->X.p, NULL};
	t->kern = (struct kith_kern){.kind = kind, .metric = &t->metric, .gamma = gamma};
	t->problem = (struct kith_wsvm_problem){.X = &t->X,
	    .kern = &t->kern,
	    .variables = t->N,
	    .plus = t->plus,
	    .minus = t->minus,
	    .sign = t->sign,
	    .q = t->q,
	    .bias = !t->minus,
	    .ridge = ridge,
	    .cache = (size_t)64 << 20,
	    .threads = 1};
	t->K = kith_new(&pool, t->X.n, t->X.n * sizeof(*t->K));
	t->most = 1;
	for (size_t i = 0; i < t->X.n; i++)
		for (size_t j = 0; j < t->X.n; j++) {
			const double *x = kith_row(&t->X, i);
			const double *z = kith_row(&t->X, j);
			double sum = 0;

			for (size_t l = 0; l < t->X.p; l++)
				sum += kind == KITH_KERN_LINEAR ? x[l] * z[l]
								: (x[l] - z[l]) * (x[l] - z[l]);
			sum = kind == KITH_KERN_LINEAR ? sum : exp(-gamma * sum);
			t->K[i * t->X.n + j] = sum;
			t->most = fmax(t->most, sum);
		}
}

/* Returns the numbers of all items, in the pool. */
static inline size_t *
all_items(const struct task *t)
{
	size_t *item = kith_new(&pool, t->X.n, sizeof(*item));

	for (size_t i = 0; i < t->X.n; i++)
		item[i] = i;
	return item;
}

/* The scores f (n) of alpha, b included, by the definition. */
static inline void
task_scores(const struct task *t, const double *alpha, double b, double *f)
{
	const size_t n = t->X.n;

	for (size_t i = 0; i < n; i++) {
		f[i] = b;
		for (size_t v = 0; v < t->N; v++) {
			const double *K = t->K + i * n;
			double phi = K[t->plus[v]];

			if (t->minus)
				phi -= K[t->minus[v]];
			f[i] += alpha[v] * t->sign[v] * phi;
		}
	}
}

static inline double
task_weight(const struct task *t, size_t v, double theta)
{
	return t->from[v] + theta * (t->to[v] - t->from[v]);
}

/* What one point of a path must fulfil, and what it does. */
struct judged {
	double alpha[400], g[400], f[400];
	double bound, sum, slope, scale, dual;
};

/* 0 <= alpha <= C, e' alpha = 0, the signs of g; the dual. */
static inline void
task_judge(const struct task *t, double theta, const double *alpha, double b, struct judged *at)
{
	double C_most = 0, sum = 0, sums = 0;

	memset(at, 0, sizeof(*at));
	memcpy(at->alpha, alpha, t->N * sizeof(*alpha));
	task_scores(t, alpha, b, at->f);
	for (size_t v = 0; v < t->N; v++)
		C_most = fmax(C_most, fmax(t->from[v], t->to[v]));
	C_most = fmax(1, C_most);
	for (size_t v = 0; v < t->N; v++) {
		const double C = task_weight(t, v, theta), a = alpha[v];
		double f = at->f[t->plus[v]], g, norm;

		if (t->minus)
			f -= at->f[t->minus[v]];
		g = t->sign[v] * f + t->q[v] + t->problem.ridge * a;
		at->g[v] = g;
		at->bound = fmax(at->bound, fmax(-a, a - C));
		at->sum += t->problem.bias ? t->sign[v] * a : 0;
		sum += a;
		sums += t->from[v] + t->to[v];
		norm = g - t->q[v] - (t->problem.bias ? t->sign[v] * b : 0); /* (Q alpha)_v */
		at->dual -= a * (norm / 2 + t->q[v]);
		if (C > 0 && a > 1e-9 * C_most)
			at->slope = fmax(at->slope, g);
		if (C > 0 && a < C - 1e-9 * C_most)
			at->slope = fmax(at->slope, -g);
	}
	at->bound /= C_most;
	at->sum = fabs(at->sum) / C_most;
	/*
	 * The last is what v0 + theta v1 loses where v0 and v1 are large; that
	 * is more where no ridge keeps alpha small.
	 */
	at->scale = 1 +
	    (t->minus ? 4 : 1) * t->most * (sum + (t->problem.ridge > 0 ? 1e-5 : 1e-4) * sums);
}

/*
 * The products of the two ends of a piece that must be 0, alpha in units of
 * the largest weight: then the whole piece fulfils the conditions.
 */
static inline double
task_cross(const struct task *t, double from, double to, const struct judged *left,
    const struct judged *right)
{
	double worst = 0, unit = 1;

	for (size_t v = 0; v < t->N; v++)
		unit = fmax(unit, fmax(t->from[v], t->to[v]));
	for (size_t v = 0; v < t->N; v++) {
		const double CL = task_weight(t, v, from);
		const double CR = task_weight(t, v, to);
		const double l = left->g[v], r = right->g[v];
		double own = left->alpha[v] * fmax(r, 0);

		own = fmax(own, right->alpha[v] * fmax(l, 0));
		own = fmax(own, (CL - left->alpha[v]) * fmax(-r, 0));
		own = fmax(own, (CR - right->alpha[v]) * fmax(-l, 0));
		worst = fmax(worst, own / unit);
	}
	return worst;
}

#endif
