/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/loss.h"

#include "knife/problem.h"
#include "la/vec.h"

#include <math.h>

/* A row: the loss of t = y f, its derivatives by t. */
struct item {
	double value, slope, curve;
};

static struct item
logistic(double t)
{
	const double e = exp(-fabs(t)), p = e / (1 + e), q = 1 / (1 + e);

	if (t >= 0)
		return (struct item){log1p(e), -p, p * q};
	return (struct item){log1p(e) - t, -q, p * q};
}

static struct item
sqhinge(double t)
{
	const double u = 1 - t;

	if (!(u > 0))
		return (struct item){0};
	return (struct item){u * u, -2 * u, 2};
}

static struct item
huberhinge(double t, double delta)
{
	const double u = 1 - t;

	if (!(u > 0))
		return (struct item){0};
	if (u > delta)
		return (struct item){u - delta / 2, -1, 0};
	return (struct item){u * u / (2 * delta), -u / delta, 1 / delta};
}

static struct item
item_of(const struct kith_knife_problem *problem, double y, double f)
{
	struct item it;

	switch (problem->loss) {
	case KITH_KNIFE_LOGISTIC:
		it = logistic(y * f);
		break;
	case KITH_KNIFE_SQHINGE:
		it = sqhinge(y * f);
		break;
	case KITH_KNIFE_HUBERHINGE:
		it = huberhinge(y * f, problem->delta);
		break;
	default:
		return (struct item){(y - f) * (y - f), -2 * (y - f), 2};
	}
	it.slope *= y;
	return it;
}

double
kith_knife_loss(const struct kith_knife_problem *problem, size_t n, const double *y,
    const double *f, double *g, double *h)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct item it = item_of(problem, y[i], f[i]);
		const double v = problem->weight ? problem->weight[i] : 1;

		sum += v * it.value;
		if (g)
			g[i] = v * it.slope;
		if (h)
			h[i] = v * it.curve;
	}
	return sum;
}

double
kith_knife_total(const struct kith_knife_problem *problem)
{
	const size_t n = problem->X->n;

	return problem->weight ? kith_vec_sum(n, problem->weight) : (double)n;
}

double
kith_knife_curvature(const struct kith_knife_problem *problem)
{
	switch (problem->loss) {
	case KITH_KNIFE_LOGISTIC:
		return 0.25;
	case KITH_KNIFE_HUBERHINGE:
		return 1 / problem->delta;
	default:
		return 2;
	}
}
