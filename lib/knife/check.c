#include "knife/check.h"

#include "base/pool.h"
#include "knife/check_at.h"
#include "knife/knife.h"
#include "la/blas.h"
#include "la/mat.h"

#include <math.h>

static bool
is_linear(const struct kith_knife_problem *of)
{
	return of->kernel == KITH_KNIFE_LINEAR;
}

/*
 * The conjugate of the loss at *u, which is put where that is finite, too far
 * by rounding as it may be.
 */
static double
conjugate(const struct kith_knife_problem *of, double y, double *u)
{
	double t = -y * *u;

	if (of->loss == KITH_KNIFE_SQUARED)
		return *u * *u / 4 + y * *u;
	t = fmax(t, 0);
	if (of->loss != KITH_KNIFE_SQHINGE)
		t = fmin(t, 1);
	*u = -y * t;
	if (of->loss == KITH_KNIFE_SQHINGE)
		return -t + t * t / 4;
	if (of->loss == KITH_KNIFE_HUBERHINGE)
		return -t + of->delta * t * t / 2;
	return (t > 0 ? t * log(t) : 0) + (t < 1 ? (1 - t) * log1p(-t) : 0);
}

static double
projected(const struct kith_check_knife_at *s, const double *w)
{
	double sum = 0;

	for (size_t j = 0; j < s->p; j++) {
		const double to = fmin(fmax(w[j] - s->dF[j], 0), 1);

		if (isnan(s->dF[j]))
			return NAN;
		sum += (w[j] - to) * (w[j] - to);
	}
	return sqrt(sum);
}

/* F less what the dual is at -2 lambda1 alpha. */
static double
gap(const struct kith_check_knife_at *s, struct kith_pool *pool)
{
	const struct kith_knife_problem *of = s->of;
	const size_t n = s->n, p = s->p;
	const double two = 2 * of->lambda1;
	double *u = kith_new(pool, n, sizeof(*u));
	double *g = kith_new(pool, p, sizeof(*g));
	double *square = kith_new(pool, p, sizeof(*square));
	double dual = 0, missed = 0;

	for (size_t k = 0; k < of->c; k++) {
		double sum = 0;

		for (size_t i = 0; i < n; i++) {
			u[i] = -two * s->alpha[k * n + i];
			dual -= conjugate(of, of->Y[k * n + i], &u[i]);
			sum += u[i];
		}
		missed += fabs(sum * s->b[k]);
		kith_blas_turned(n, p, of->X->v, p, u, g);
		for (size_t j = 0; j < p; j++)
			square[j] += g[j] * g[j] / (4 * of->lambda1);
	}
	for (size_t j = 0; j < p; j++)
		dual -= fmax(0, square[j] - of->lambda2);
	return s->F - dual + missed;
}

size_t
kith_check_knife(const struct kith_knife_problem *problem, const double *w,
    const double *start, double tol, struct kith_check out[KITH_CHECK_KNIFE])
{
	struct kith_pool tmp = {0};
	struct kith_check_knife_at s;
	double outside = 0, first;

	for (size_t j = 0; j < problem->X->p; j++)
		outside = fmax(outside, fmax(w[j] - 1, -w[j]));
	s = kith_check_knife_at(problem, start, &tmp);
	first = projected(&s, start);
	kith_pool_free(&tmp);
	s = kith_check_knife_at(problem, w, &tmp);
	out[0] = (struct kith_check){"range", outside, 0};
	out[1] = (struct kith_check){
	    "alpha", isnan(s.F) ? NAN : s.residual, 1e-8};
	out[2] = (struct kith_check){
	    "stationarity", projected(&s, w), 1.001 * tol * fmax(1, first)};
	if (is_linear(problem))
		out[3] = (struct kith_check){
		    "gap", gap(&s, &tmp), tol * fmax(1, fabs(s.F))};
	kith_pool_free(&tmp);
	return is_linear(problem) ? 4 : 3;
}
