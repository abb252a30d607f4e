/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/judge.h"

#include "base/pool.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "wsvm/problem.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ITEMS = 256 }; /* of a block of work */

#define ALPHA 9e-9L     /* of the largest alpha */
#define GRADIENT 9e-10L /* of the terms of a gradient */

/* Sums over the variables for each item: of a point, or of rates. */
struct sums {
	double *coef;         /* n: sum of sign alpha */
	double *size;         /* n: of |alpha| */
	long double *f, *abs; /* n: sum K coef, sum |K| size */
};

struct judge {
	const struct kith_wsvm_problem *problem;
	const double *from, *to;
	size_t n, N;
	struct sums at[2]; /* of l and r */
	struct sums rate;  /* of the weights that change */
	double *of[2];     /* N: alpha of l and r */
	struct kith_pool pool;
};

static void
sums_new(struct judge *j, struct sums *s)
{
	KITH_NEW_REALS(&j->pool, j->n, 1, &s->coef, &s->size);
	s->f = kith_new(&j->pool, j->n, sizeof(*s->f));
	s->abs = kith_new(&j->pool, j->n, sizeof(*s->abs));
}

static void
add(const struct judge *j, struct sums *s, size_t v, double a)
{
	const struct kith_wsvm_problem *problem = j->problem;

	s->coef[problem->plus[v]] += problem->sign[v] * a;
	s->size[problem->plus[v]] += fabs(a);
	if (!problem->minus)
		return;
	s->coef[problem->minus[v]] -= problem->sign[v] * a;
	s->size[problem->minus[v]] += fabs(a);
}

/* What row K of the kernel, of item i, adds to `items` items from `first`. */
static void
add_row(struct sums *s, size_t i, const double *K, size_t first, size_t items)
{
	const double a = s->coef[i], size = s->size[i];

	for (size_t k = 0; k < items && size > 0; k++) {
		s->f[first + k] += (long double)a * K[k];
		s->abs[first + k] += fabsl((long double)size * K[k]);
	}
}

static void
score(struct judge *j)
{
	const struct kith_mat *X = j->problem->X;
	double K[ITEMS];

	for (size_t i = 0; i < j->n; i++) {
		if (!(j->at[0].size[i] > 0 || j->at[1].size[i] > 0 ||
			j->rate.size[i] > 0))
			continue;
		for (size_t at = 0; at < j->n; at += ITEMS) {
			const size_t left = j->n - at;
			const size_t items = left < ITEMS ? left : ITEMS;

			kith_kern_rows(j->problem->kern, kith_row(X, i),
			    kith_row(X, at), items, K);
			add_row(&j->at[0], i, K, at, items);
			add_row(&j->at[1], i, K, at, items);
			add_row(&j->rate, i, K, at, items);
		}
	}
}

static void
worst(struct kith_wsvm_verdict *verdict, long double value, long double limit,
    const char *what)
{
	const double off = (double)(value / (limit + LDBL_MIN));

	if (off <= verdict->off)
		return;
	verdict->off = isnan(off) ? INFINITY : off;
	verdict->what = what;
}

/* A value of l and r, at w between them. */
static long double
between(long double l, long double r, long double w)
{
	return w <= 0 ? l : w >= 1 ? r : l + w * (r - l);
}

/* f of the variable's items, or the sum of their terms. */
static long double
of_items(const struct judge *j, size_t v, const long double *f, bool terms)
{
	const size_t *minus = j->problem->minus;
	long double x = f[j->problem->plus[v]];

	if (minus)
		x += terms ? f[minus[v]] : -f[minus[v]];
	return x;
}

/* What C_v, and alpha_v beside it, may be off. */
static long double
few_of(const struct judge *j, size_t v, long double theta, long double A)
{
	const long double rate = (long double)j->to[v] - j->from[v];

	return ALPHA * A + DBL_EPSILON * theta * fabsl(rate) +
	    DBL_EPSILON * (j->from[v] + theta * rate);
}

/* The conditions of v; A: the largest alpha. */
static void
judge_variable(const struct judge *j, size_t v, long double theta,
    long double w, long double b, long double A,
    struct kith_wsvm_verdict *verdict)
{
	const struct kith_wsvm_problem *problem = j->problem;
	const long double rate = (long double)j->to[v] - j->from[v];
	const long double C = j->from[v] + theta * rate;
	const long double few = few_of(j, v, theta, A);
	const long double a = between(j->of[0][v], j->of[1][v], w);
	const long double f = between(of_items(j, v, j->at[0].f, false),
	    of_items(j, v, j->at[1].f, false), w);
	const long double abs = between(of_items(j, v, j->at[0].abs, true),
	    of_items(j, v, j->at[1].abs, true), w);
	const long double g = problem->sign[v] * (f + b) + problem->q[v] +
	    problem->ridge * a;
	const long double limit = DBL_EPSILON * theta *
		(of_items(j, v, j->rate.abs, true) +
		    problem->ridge * fabsl(rate)) +
	    GRADIENT *
		(fabsl(problem->q[v]) + fabsl(b) + abs + problem->ridge * a);

	worst(verdict, fmaxl(-a, a - C), few, "bound");
	if (a > few)
		worst(verdict, g, limit, "kkt");
	if (a < C - few)
		worst(verdict, -g, limit, "kkt");
}

static void
judge_point(const struct judge *j, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r, long double w,
    struct kith_wsvm_verdict *verdict)
{
	const bool bias = j->problem->bias;
	const long double theta = between(l->theta, r->theta, w);
	const long double b = bias ? between(l->b, r->b, w) : 0;
	long double A = 0, sum = 0, rates = 0;

	for (size_t v = 0; v < j->N; v++) {
		const long double a = between(j->of[0][v], j->of[1][v], w);

		A = fmaxl(A, a);
		sum += j->problem->sign[v] * a;
		rates += fabsl((long double)j->to[v] - j->from[v]);
	}
	if (bias)
		worst(verdict, fabsl(sum),
		    ALPHA * A + DBL_EPSILON * theta * rates, "sum");
	for (size_t v = 0; v < j->N; v++)
		judge_variable(j, v, theta, w, b, A, verdict);
}

/*
 * Whether the second half of the variables is of the items of the first, with
 * the other sign, as in regression.
 */
static bool
is_mirrored(const struct kith_wsvm_problem *problem)
{
	const size_t half = problem->variables / 2;
	const size_t *plus = problem->plus;
	bool mirrored = !problem->minus && problem->variables % 2 == 0;

	for (size_t v = 0; v < half && mirrored; v++)
		mirrored = plus[v] == plus[half + v] &&
		    problem->sign[v] == -problem->sign[half + v];
	return mirrored;
}

/*
 * The alpha of a point.  Of a variable and its mirror the caller sees but the
 * difference: what both have is taken off both, which changes no score and
 * lowers the objective by at least the sum of their q.
 */
static double *
own_alpha(struct judge *j, const double *alpha)
{
	const size_t half = is_mirrored(j->problem) ? j->N / 2 : 0;
	double *own = kith_new(&j->pool, j->N, sizeof(*own));

	memcpy(own, alpha, j->N * sizeof(*own));
	for (size_t v = 0; v < half; v++) {
		const double both = fmin(own[v], own[half + v]);

		if (!(both > 0))
			continue;
		own[v] -= both;
		own[half + v] -= both;
	}
	return own;
}

/* Compute the sums of both points. */
static void
begin(struct judge *j, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r)
{
	const struct kith_wsvm_problem *problem = j->problem;

	j->N = problem->variables;
	for (size_t v = 0; v < j->N; v++) { /* items that are named */
		const size_t plus = problem->plus[v];
		const size_t minus = problem->minus ? problem->minus[v] : 0;

		j->n = plus >= j->n ? plus + 1 : j->n;
		j->n = minus >= j->n ? minus + 1 : j->n;
	}
	j->of[0] = own_alpha(j, l->alpha);
	j->of[1] = l == r ? j->of[0] : own_alpha(j, r->alpha);
	sums_new(j, &j->at[0]);
	sums_new(j, &j->at[1]);
	sums_new(j, &j->rate);
	for (size_t v = 0; v < j->N; v++) {
		add(j, &j->at[0], v, j->of[0][v]);
		add(j, &j->at[1], v, j->of[1][v]);
		if (r->theta > 0)
			add(j, &j->rate, v, j->to[v] - j->from[v]);
	}
	score(j);
}

struct kith_wsvm_verdict
kith_wsvm_judge(const struct kith_wsvm_problem *problem, const double *from,
    const double *to, const struct kith_wsvm_point *l,
    const struct kith_wsvm_point *r)
{
	struct kith_wsvm_verdict verdict = {0, "nothing"};
	struct judge j = {.problem = problem, .from = from, .to = to};

	l = l ? l : r;
	begin(&j, l, r);
	for (int k = l == r ? 4 : 0; k <= 4; k++)
		judge_point(&j, l, r, k / 4.0L, &verdict);
	kith_pool_free(&j.pool);
	return verdict;
}

double
kith_wsvm_judge_bias(const struct kith_wsvm_problem *problem,
    const double *from, const double *to, const struct kith_wsvm_point *at,
    bool middle)
{
	struct judge j = {.problem = problem, .from = from, .to = to};
	long double lo = -INFINITY, hi = INFINITY, A = 0, b = at->b;
	long double least = -INFINITY, most = INFINITY; /* without rounding */
	bool is_free = false;

	if (!problem->bias)
		return 0;
	begin(&j, at, at);
	for (size_t v = 0; v < j.N; v++)
		A = fmaxl(A, j.of[1][v]);
	for (size_t v = 0; v < j.N; v++) {
		const long double rate = (long double)to[v] - from[v];
		const long double C = from[v] + at->theta * rate;
		const long double a = j.of[1][v];
		const long double few = few_of(&j, v, at->theta, A);
		const long double abs = j.at[1].abs[problem->plus[v]];
		const long double e = problem->sign[v];
		/* e b is to be at most, or at least, -g without b. */
		const long double g = e * j.at[1].f[problem->plus[v]] +
		    problem->q[v] + problem->ridge * a;
		const long double slack = GRADIENT / 2 *
		    (fabsl(problem->q[v]) + abs + problem->ridge * a);

		is_free |= a > few && a < C - few;
		if (e > 0 ? a > few : a < C - few) {
			hi = fminl(hi, -e * g + slack);
			most = fminl(most, -e * g);
		}
		if (e > 0 ? a < C - few : a > few) {
			lo = fmaxl(lo, -e * g - slack);
			least = fmaxl(least, -e * g);
		}
	}
	kith_pool_free(&j.pool);
	if (middle && !is_free && least <= most)
		b = isinf(least)  ? isinf(most) ? b : most
		    : isinf(most) ? least
				  : (least + most) / 2;
	return (double)(lo > hi ? (lo + hi) / 2
		: b < lo        ? lo
		: b > hi        ? hi
				: b);
}
