/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svm_judge - whether alpha and b solve a problem of wsvm/engine.h,
 *
 *	min 1/2 alpha' (Q + ridge 1) alpha - d' alpha
 *	lower_v <= alpha_v <= upper_v    sum_v e_v alpha_v = sum, where there is a bias b
 *
 * whose lower, upper, d and sum are affine in theta.  The judge sums in 80 bits, from the rows of
 * the table, and solves nothing.
 *
 * With g_v = (Q alpha)_v + ridge alpha_v - d_v + e_v b, A the largest |alpha| and
 * t_v = |d_v| + |b| + sum_w |Q_vw alpha_w| + ridge |alpha_v| the terms of g_v, a point is off where
 *
 *	lower_v - alpha_v or alpha_v - upper_v > 1e-8 A
 *	|sum_v e_v alpha_v - sum| > 1e-8 A
 *	g_v > 1e-9 t_v where alpha_v > lower_v + 1e-8 A
 *	-g_v > 1e-9 t_v where alpha_v < upper_v - 1e-8 A
 *
 * after what the 53 bits of theta leave open; at theta 1 the data have all their digits.
 */
#ifndef KITH_GEN_SVM_JUDGE_H
#define KITH_GEN_SVM_JUDGE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { SVM_ROWS = 60, SVM_COLUMNS = 80, SVM_VARIABLES = SVM_ROWS * SVM_ROWS };

enum svm_kernel { SVM_GAUSSIAN, SVM_LINEAR, SVM_POLYNOMIAL };

/* exp(-gamma |x - z|^2), x'z or (gamma x'z + 1)^degree. */
struct svm_kern {
	enum svm_kernel kind;
	double gamma;
	size_t degree;
};

/* A datum of each variable, or of the problem, at theta = 0 and at theta = 1. */
typedef long double svm_ends[2];

/* Variable v is sign_v (Phi(x_plus[v]) - Phi(x_minus[v])); the second part with `ranks` only. */
struct svm_problem {
	size_t n, N; /* rows; variables */
	bool ranks, bias;
	size_t plus[SVM_VARIABLES], minus[SVM_VARIABLES];
	long double sign[SVM_VARIABLES];
	svm_ends lower[SVM_VARIABLES], upper[SVM_VARIABLES], d[SVM_VARIABLES], sum;
	long double K[SVM_ROWS][SVM_ROWS], ridge;
};

/* A solution: alpha of the N variables. */
struct svm_point {
	long double theta, b, alpha[SVM_VARIABLES];
};

/* The worst violation over its limit (off > 1 is wrong), which it is, and where. */
struct svm_verdict {
	long double off;
	const char *what;
	size_t step;
};

/* K(x, z) of two rows of p numbers. */
static inline long double
svm_kernel_of(const struct svm_kern *kern, size_t p, const double *x, const double *z)
{
	long double dot = 0, square = 0, K = 1;

	for (size_t k = 0; k < p; k++) {
		const long double a = x[k], b = z[k];

		dot += a * b;
		square += (a - b) * (a - b);
	}
	if (kern->kind == SVM_LINEAR)
		return dot;
	if (kern->kind == SVM_GAUSSIAN)
		return expl(-(long double)kern->gamma * square);
	for (size_t d = 0; d < kern->degree; d++)
		K *= (long double)kern->gamma * dot + 1;
	return K;
}

static inline long double
svm_at(const svm_ends datum, long double theta)
{
	return theta < 1 ? datum[0] + theta * (datum[1] - datum[0]) : datum[1];
}

/* How far a datum is known at a theta whose last bit is `ulp`. */
static inline long double
svm_open(const svm_ends datum, long double ulp)
{
	return fabsl(datum[1] - datum[0]) * ulp;
}

static inline void
svm_worst(struct svm_verdict *v, long double off, const char *what, size_t step)
{
	if (off <= v->off)
		return;
	v->off = isnan(off) ? INFINITY : off;
	v->what = what;
	v->step = step;
}

/* Scores without b, the sums of their terms' sizes, and what theta leaves open of them. */
struct svm_scores {
	long double f[SVM_ROWS], terms[SVM_ROWS], open[SVM_ROWS];
};

static inline void
svm_add_score(const struct svm_problem *p, size_t v, long double alpha, long double open,
    struct svm_scores *sums)
{
	for (size_t i = 0; i < p->n && (alpha != 0 || open > 0); i++) {
		const long double K = p->K[i][p->plus[v]];
		const long double L = p->ranks ? p->K[i][p->minus[v]] : 0;

		sums->f[i] += p->sign[v] * alpha * (K - L);
		sums->terms[i] += fabsl(alpha) * (fabsl(K) + fabsl(L));
		sums->open[i] += open * fabsl(K - L);
	}
}

/* Judge a point, which is called `step` in the verdict. */
static inline void
svm_judge_point(const struct svm_problem *p, const struct svm_point *at, size_t step,
    struct svm_verdict *verdict)
{
	const long double ulp = at->theta < 1 ? DBL_EPSILON * at->theta : 0;
	const long double b = p->bias ? at->b : 0;
	long double A = 0, sum = -svm_at(p->sum, at->theta), loose = svm_open(p->sum, ulp);
	static struct svm_scores sums;

	memset(&sums, 0, sizeof(sums));
	for (size_t v = 0; v < p->N; v++) {
		const long double a = at->alpha[v];
		const long double open = fmaxl(
		    svm_open(p->lower[v], ulp), svm_open(p->upper[v], ulp));

		A = fmaxl(A, fabsl(a));
		sum += p->sign[v] * a;
		loose += open;
		svm_add_score(p, v, a, open, &sums);
	}
	if (p->bias)
		svm_worst(verdict, fabsl(sum) / (1e-8L * A + loose + LDBL_MIN), "sum", step);
	for (size_t v = 0; v < p->N; v++) {
		const size_t i = p->plus[v], j = p->minus[v];
		const long double lower = svm_at(p->lower[v], at->theta);
		const long double upper = svm_at(p->upper[v], at->theta);
		const long double d = svm_at(p->d[v], at->theta), a = at->alpha[v];
		const long double open = fmaxl(
		    svm_open(p->lower[v], ulp), svm_open(p->upper[v], ulp));
		const long double few = 1e-8L * A + open +
		    DBL_EPSILON * (fabsl(lower) + fabsl(upper)) + LDBL_MIN;
		const long double f = p->ranks ? sums.f[i] - sums.f[j] : sums.f[i];
		const long double g = p->sign[v] * (f + b) - d + p->ridge * a;
		const long double terms = fabsl(d) + fabsl(b) + sums.terms[i] +
		    (p->ranks ? sums.terms[j] : 0) + p->ridge * fabsl(a);
		const long double least = 1e-9L * terms + sums.open[i] +
		    (p->ranks ? sums.open[j] : 0) + p->ridge * open + svm_open(p->d[v], ulp) +
		    LDBL_MIN;

		svm_worst(verdict, fmaxl(lower - a, a - upper) / few, "bound", step);
		if (a > lower + few)
			svm_worst(verdict, g / least, "g above 0", step);
		if (a < upper - few)
			svm_worst(verdict, -g / least, "g below 0", step);
	}
}

/* Judge three points of the straight line between two solutions. */
static inline void
svm_judge_piece(const struct svm_problem *p, const struct svm_point *l, const struct svm_point *r,
    size_t step, struct svm_verdict *verdict)
{
	static struct svm_point at;
	struct svm_verdict own = {.what = ""};

	for (int k = 1; k < 4; k++) {
		const long double w = k / 4.0L;

		at.theta = l->theta + w * (r->theta - l->theta);
		at.b = l->b + w * (r->b - l->b);
		for (size_t v = 0; v < p->N; v++)
			at.alpha[v] = l->alpha[v] + w * (r->alpha[v] - l->alpha[v]);
		svm_judge_point(p, &at, step, &own);
	}
	if (r->theta > l->theta && own.off > 1)
		svm_worst(verdict, own.off,
		    own.what[0] == 'g'       ? "piece g"
			: own.what[0] == 's' ? "piece sum"
					     : "piece bound",
		    step);
}

#endif
