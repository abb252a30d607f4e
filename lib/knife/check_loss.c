/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/check_loss.h"

#include "knife/problem.h"

#include <math.h>

#define SMALL 1e-4 /* |t| where tanh(t/2)/(2 t) is 1/4 */

static long double
logistic(double y, long double t, long double *d1, double *d2)
{
	const long double e = expl(-fabsl(t));

	*d1 = -y * (t > 0 ? e : 1) / (1 + e);
	*d2 = (double)(e / ((1 + e) * (1 + e)));
	return log1pl(e) + (t > 0 ? 0 : -t);
}

long double
kith_check_knife_loss(
    const struct kith_knife_problem *of, double y, long double f, long double *d1, double *d2)
{
	const long double short_of = 1 - y * f, delta = of->delta;

	switch (of->loss) {
	case KITH_KNIFE_SQUARED:
		*d1 = 2 * (f - y);
		*d2 = 2;
		return (f - y) * (f - y);
	case KITH_KNIFE_LOGISTIC:
		return logistic(y, y * f, d1, d2);
	case KITH_KNIFE_SQHINGE:
		*d1 = short_of > 0 ? -2 * y * short_of : 0;
		*d2 = short_of > 0 ? 2 : 0;
		return short_of > 0 ? short_of * short_of : 0;
	case KITH_KNIFE_HUBERHINGE:
		break;
	}
	*d1 = short_of > delta ? -y : short_of > 0 ? -y * short_of / delta : 0;
	*d2 = short_of > 0 && short_of <= delta ? 1 / of->delta : 0;
	if (short_of > delta)
		return short_of - delta / 2;
	return short_of > 0 ? short_of * short_of / (2 * delta) : 0;
}

double
kith_check_knife_weight(const struct kith_knife_problem *of, size_t i)
{
	return of->weight ? of->weight[i] : 1;
}

long double
kith_check_knife_row(const struct kith_knife_problem *of, size_t i, double y, long double f,
    long double *d1, double *d2)
{
	const double v = kith_check_knife_weight(of, i);
	const long double loss = kith_check_knife_loss(of, y, f, d1, d2);

	*d1 *= v;
	*d2 *= v;
	return v * loss;
}

/*
 * Less a half of its slope, a margin loss is an even function g about u = 0,
 * g'(u)/u falls with |u|, and so g'(u)/u at the output is the curvature of a
 * parabola that touches g there and is nowhere below.
 */
double
kith_check_knife_curvature(const struct kith_knife_problem *of, double y, double f)
{
	double u = y * f, e;

	if (of->loss == KITH_KNIFE_LOGISTIC) {
		e = exp(-fabs(u));
		return fabs(u) > SMALL ? (1 - e) / (1 + e) / fabs(u) / 2 : .25;
	}
	if (of->loss != KITH_KNIFE_HUBERHINGE)
		return 2;
	u = 1 - u - of->delta / 2;
	return 1 / fmax(of->delta, 2 * fabs(u));
}

long double
kith_check_knife_conjugate(const struct kith_knife_problem *of, double y, long double *u)
{
	long double t = -y * *u;

	if (of->loss == KITH_KNIFE_SQUARED)
		return *u * *u / 4 + y * *u;
	t = fmaxl(t, 0);
	if (of->loss != KITH_KNIFE_SQHINGE)
		t = fminl(t, 1);
	*u = -y * t;
	if (of->loss == KITH_KNIFE_SQHINGE)
		return -t + t * t / 4;
	if (of->loss == KITH_KNIFE_HUBERHINGE)
		return -t + of->delta * t * t / 2;
	return (t > 0 ? t * logl(t) : 0) + (t < 1 ? (1 - t) * log1pl(-t) : 0);
}
