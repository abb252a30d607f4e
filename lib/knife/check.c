/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/check.h"

#include "base/pool.h"
#include "knife/check_at.h"
#include "knife/check_loss.h"
#include "knife/problem.h"
#include "la/blas.h"
#include "la/mat.h"

#include <math.h>

static bool
is_linear(const struct kith_knife_problem *of)
{
	return of->kernel == KITH_KNIFE_LINEAR;
}

/* |w - P(w - dF)|, P being the projection on the box; NaN without alpha. */
static double
projected(const struct kith_check_knife_point *s, const double *w)
{
	return isnan(s->F) ? NAN : kith_knife_projected(s->p, w, s->dF);
}

/* x_j' u for all j. */
static void
find_products(const struct kith_check_knife_point *s, size_t k, const double *u, long double *to)
{
	struct kith_pool tmp = {0};
	double *g = kith_new(&tmp, s->p, sizeof(*g));

	if (!s->xu)
		kith_blas_turned(s->n, s->p, s->of->X->v, s->p, u, g);
	for (size_t j = 0; j < s->p; j++)
		to[j] = s->xu ? s->xu[k * s->p + j] : g[j];
	kith_pool_free(&tmp);
}

/* F less what the dual is at -2 lambda1 alpha. */
static double
gap(const struct kith_check_knife_point *s, struct kith_pool *pool)
{
	const struct kith_knife_problem *of = s->of;
	const size_t n = s->n, p = s->p;
	double *u = kith_new(pool, n, sizeof(*u));
	long double *g = kith_new(pool, p, sizeof(*g));
	long double *square = kith_new(pool, p, sizeof(*square));
	long double dual = 0, missed = 0;

	for (size_t k = 0; k < of->c; k++) {
		long double sum = 0;

		for (size_t i = 0; i < n; i++) {
			const double v = kith_check_knife_weight(of, i);
			long double at = s->u ? s->u[k * n + i]
					      : -2 * (long double)of->lambda1 * s->alpha[k * n + i];

			/* (v L)*(u) = v L*(u / v) */
			at /= v;
			dual -= v * kith_check_knife_conjugate(of, of->Y[k * n + i], &at);
			at *= v;
			sum += at;
			u[i] = (double)at;
		}
		missed += fabsl(sum * s->b[k]);
		find_products(s, k, u, g);
		for (size_t j = 0; j < p; j++)
			square[j] += g[j] * g[j] / (4 * of->lambda1);
	}
	for (size_t j = 0; j < p; j++)
		dual -= fmaxl(0, square[j] - of->lambda2);
	return (double)(s->F - dual + missed);
}

/* Of lambda2: what rounding may leave of dF, which is 0 next to it. */
#define BALANCED 1e-9

/* The limit of stationarity where the projected gradient was `first`. */
static double
limit_of(const struct kith_knife_problem *problem, double tol, double first)
{
	return 1.001 * fmax(tol * fmax(1, first), BALANCED * problem->lambda2);
}

/* F and the checks at w, after a start of the projected gradient `first`. */
static size_t
judge(const struct kith_knife_problem *problem, const double *w, double first, double tol,
    double *F, struct kith_check out[KITH_CHECK_KNIFE])
{
	struct kith_pool tmp = {0};
	const struct kith_check_knife_point s = kith_check_knife_at(problem, w, &tmp);
	double outside = 0;

	for (size_t j = 0; j < problem->X->p; j++)
		outside = fmax(outside, fmax(w[j] - 1, -w[j]));
	out[0] = (struct kith_check){"range", outside, 0};
	out[1] = (struct kith_check){"alpha", isnan(s.F) ? NAN : s.residual, 1e-8};
	out[2] = (struct kith_check){
	    "stationarity", projected(&s, w), limit_of(problem, tol, first)};
	if (is_linear(problem))
		out[3] = (struct kith_check){
		    "gap", gap(&s, &tmp), fmax(tol, BALANCED) * fmax(1, fabs(s.F))};
	*F = s.F;
	kith_pool_free(&tmp);
	return is_linear(problem) ? 4 : 3;
}

/* The projected gradient at the start. */
static double
first_of(const struct kith_knife_problem *problem, const double *start)
{
	struct kith_pool tmp = {0};
	const struct kith_check_knife_point s = kith_check_knife_at(problem, start, &tmp);
	const double first = projected(&s, start);

	kith_pool_free(&tmp);
	return first;
}

size_t
kith_check_knife(const struct kith_knife_problem *problem, const double *w, const double *start,
    double tol, struct kith_check out[KITH_CHECK_KNIFE])
{
	double F;

	return judge(problem, w, first_of(problem, start), tol, &F, out);
}

struct kith_check_knife_verdict
kith_check_knife_verdict(
    const struct kith_knife_problem *problem, const double *w, const double *start, double tol)
{
	struct kith_check check[KITH_CHECK_KNIFE];
	struct kith_check_knife_verdict verdict = {true, false, NAN};
	const size_t n = judge(problem, w, 0, tol, &verdict.F, check);

	if (!kith_check_ok(&check[2]) && !isnan(check[2].value))
		check[2].limit = limit_of(problem, tol, first_of(problem, start));
	verdict.solved = kith_check_ok(&check[1]);
	for (size_t i = 0; i < n; i++)
		verdict.holds = verdict.holds && kith_check_ok(&check[i]);
	return verdict;
}
