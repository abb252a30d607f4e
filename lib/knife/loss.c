/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The losses of knife.h and their derivatives by the output f, in t = y f and u = 1 - t:
 *
 *	            L                          L'                L''
 *	squared     (f - y)^2                  2 (f - y)         2
 *	logistic    log(1 + e^-t)              -y / (1 + e^t)    e^-|t| / (1 + e^-|t|)^2
 *	sqhinge     max(0, u)^2                -2 y max(0, u)    2 where u > 0
 *	huberhinge  u^2 / (2 delta) up to      -y u / delta      1 / delta
 *	            u = delta, u - delta/2     -y                0
 */
#include "knife/engine.h"

#include <math.h>

long double
kith_knife_loss(const struct kith_knife_problem *problem, double y, long double f, bool precise,
    long double *d1, double *d2)
{
	const long double t = y * f, u = 1 - t, delta = problem->delta;
	long double e;

	switch (problem->loss) {
	case KITH_KNIFE_LOGISTIC:
		e = precise ? expl(-fabsl(t)) : exp(-fabs((double)t));
		*d1 = -y * (t > 0 ? e : 1) / (1 + e);
		*d2 = (double)(e / ((1 + e) * (1 + e)));
		return (precise ? log1pl(e) : log1p((double)e)) + (t > 0 ? 0 : -t);
	case KITH_KNIFE_SQHINGE:
		*d1 = u > 0 ? -2 * y * u : 0;
		*d2 = u > 0 ? 2 : 0;
		return u > 0 ? u * u : 0;
	case KITH_KNIFE_HUBERHINGE:
		*d1 = u > delta ? -y : u > 0 ? -y * u / delta : 0;
		*d2 = u > 0 && u <= delta ? 1 / problem->delta : 0;
		if (u > delta)
			return u - delta / 2;
		return u > 0 ? u * u / (2 * delta) : 0;
	default:
		*d1 = 2 * (f - y);
		*d2 = 2;
		return (f - y) * (f - y);
	}
}

/*
 * A margin loss less half of its asymptotic slope is an even function h of a shifted f, and
 * h'(u)/u falls with |u|: h'(u)/u is the curvature.
 */
double
kith_knife_parabola(const struct kith_knife_problem *problem, double y, double f)
{
	double u = fabs(y * f), e = exp(-u);

	if (problem->loss == KITH_KNIFE_LOGISTIC)
		return u > 1e-4 ? (1 - e) / (1 + e) / u / 2 : .25;
	if (problem->loss != KITH_KNIFE_HUBERHINGE)
		return 2;
	u = 1 - y * f - problem->delta / 2;
	return 1 / fmax(problem->delta, 2 * fabs(u));
}
