/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With u_i = 1 / d_i the solution is w_e = max(0, (u_i + u_j) / 2 - z_e), and u
 * is the minimiser of the strictly convex dual
 *
 *	g(u) = sum_e max(0, (u_i + u_j) / 2 - z_e)^2 - sum_i log u_i,
 *	grad g = d(u) - 1 / u,  Hessian diag(1 / u^2) + B_A B_A' / 2,
 *
 * B_A being the columns of B for the edges of positive weight: a semismooth
 * Newton method on n unknowns.
 *
 *	1. Start: each row by itself, u_i = 1 / d_i.
 *	2. Gradient; done where |d_i u_i - 1| is of the size of rounding for all.
 *	3. Step: the Hessian's equations by conjugate gradients, preconditioned
 *	   by the diagonal, or where these are slow by a sparse factor.
 *	4. Halve the step until u stays positive and g falls (Armijo); to 2.
 *
 * For a row far from all others w is a small difference of large numbers, whose
 * sum the row's conditions determine, so u is a sum u + low of long doubles.
 */
#include "nnk/smooth.h"

#include "base/pool.h"
#include "base/progress.h"
#include "nnk/smooth_step.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STEPS = 1000, TRIALS = 60 };

#define EXACT 1e-15  /* of |d_i u_i - 1| */
#define TOL 1e-8     /* of the equations of a step */
#define CLOSE 1e-6   /* where a step that does not help is rounding's fault */
#define ARMIJO 1e-4L /* of the slope */
#define NOISE 1e-17L /* of the sum of |terms| of g: what rounding may add */

struct newton {
	const struct kith_smooth_pairs *pairs;
	size_t n;
	bool *alone;                  /* n: rows without a pair */
	long double *u, *low;         /* n */
	long double *at, *at_low;     /* n: u as tried */
	long double *F;               /* n: the gradient at what was looked at last */
	struct kith_smooth_step step; /* its H, b = -F and x */
};

/* a + b, and what rounding took from it (Knuth). */
static long double
add(long double a, long double b, long double *lost)
{
	const long double sum = a + b, of_b = sum - a;

	*lost = (a - (sum - of_b)) + (b - of_b);
	return sum;
}

/* (u_i + u_j) / 2 - z_e: where this cancels, the first difference is exact. */
static long double
excess(const struct newton *it, const long double *u, const long double *low, size_t i, size_t e)
{
	const struct kith_graph *graph = &it->pairs->graph;
	const size_t j = graph->to[e];
	const long double z = (long double)it->pairs->theta * graph->d[e];
	long double lost;
	const long double sum = add(u[i], u[j], &lost);

	return (sum / 2 - z) + (lost + low[i] + low[j]) / 2;
}

/* g at u, its gradient into F, and the sum of its terms' sizes. */
static long double
look(struct newton *it, const long double *u, const long double *low, long double *size)
{
	const struct kith_graph *graph = &it->pairs->graph;
	long double g = 0, *F = it->F;

	*size = 0;
	for (size_t i = 0; i < it->n; i++)
		F[i] = it->alone[i] ? 0 : -1 / u[i];
	for (size_t i = 0; i < it->n; i++) {
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const long double w = excess(it, u, low, i, e);

			if (!(w > 0))
				continue;
			g += w * w;
			F[i] += w;
			F[graph->to[e]] += w;
		}
		*size += it->alone[i] ? 0 : fabsl(logl(u[i]));
		g -= it->alone[i] ? 0 : logl(u[i]);
	}
	*size += fabsl(g);
	return g;
}

/* The largest |d_i u_i - 1|. */
static double
distance(const struct newton *it)
{
	long double worst = 0;

	for (size_t i = 0; i < it->n; i++)
		worst = fmaxl(worst, fabsl(it->F[i]) * it->u[i]);
	return (double)worst;
}

/* The Hessian at u; rows come in order, so columns of each row do too. */
static void
curve(struct newton *it)
{
	const struct kith_graph *graph = &it->pairs->graph;
	struct kith_sparse *H = &it->step.H;
	size_t *end = H->start + 1;

	for (size_t i = 0; i < it->n; i++)
		H->diagonal[i] = it->alone[i] ? 1
					      : fmax((double)(1 / (it->u[i] * it->u[i])), DBL_MIN);
	memset(H->start, 0, (it->n + 2) * sizeof(*H->start));
	for (size_t i = 0; i < it->n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			if (excess(it, it->u, it->low, i, e) > 0) {
				end[i + 1]++;
				end[graph->to[e] + 1]++;
			}
	for (size_t i = 0; i < it->n; i++)
		end[i + 1] += end[i];
	for (size_t i = 0; i < it->n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const size_t j = graph->to[e];

			if (!(excess(it, it->u, it->low, i, e) > 0))
				continue;
			H->column[end[i]++] = (uint32_t)j;
			H->column[end[j]++] = (uint32_t)i;
			H->diagonal[i] += .5;
			H->diagonal[j] += .5;
		}
}

/* Go along s from where g is *g; whether it fell, or may have. */
static bool
go(struct newton *it, long double *g)
{
	long double t = 1, slope = 0, size;

	for (size_t i = 0; i < it->n; i++) {
		slope += it->F[i] * it->step.x[i];
		if (it->u[i] + t * it->step.x[i] <= 0)
			t = -.9L * it->u[i] / it->step.x[i];
	}
	for (size_t trial = 0; trial < TRIALS; trial++) {
		long double now;

		for (size_t i = 0; i < it->n; i++)
			it->at[i] = add(it->u[i], it->low[i] + t * it->step.x[i], &it->at_low[i]);
		now = look(it, it->at, it->at_low, &size);
		if (now <= *g + ARMIJO * t * slope + NOISE * size) {
			memcpy(it->u, it->at, it->n * sizeof(*it->u));
			memcpy(it->low, it->at_low, it->n * sizeof(*it->u));
			*g = now;
			return true;
		}
		t /= 2;
	}
	return false;
}

/* What row i would have by itself: sum_e max(0, u - z_e) = 1 / u. */
static void
begin(struct newton *it, struct kith_pool *pool)
{
	const struct kith_graph *graph = &it->pairs->graph;
	double *sum = kith_new(pool, it->n, sizeof(*sum));
	size_t *count = kith_new(pool, it->n, sizeof(*count));

	for (size_t i = 0; i < it->n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++) {
			const double z = it->pairs->theta * graph->d[e];
			const size_t j = graph->to[e];

			sum[i] += z;
			sum[j] += z;
			count[i]++;
			count[j]++;
		}
	for (size_t i = 0; i < it->n; i++) {
		const long double k = (long double)count[i];

		it->alone[i] = count[i] == 0;
		it->u[i] = it->alone[i] ? 1
					: sum[i] / (2 * k) + hypotl(sum[i] / (2 * k), 1 / sqrtl(k));
	}
}

/* Room for it all, in the pool. */
static struct newton
make(const struct kith_smooth_pairs *pairs, struct kith_pool *pool)
{
	const size_t n = pairs->graph.m, edges = pairs->graph.start[n];
	struct newton it = {.pairs = pairs, .n = n};

	it.alone = kith_new(pool, n, sizeof(*it.alone));
	it.u = kith_new(pool, 4 * n, sizeof(*it.u));
	it.low = it.u + n;
	it.at = it.low + n;
	it.at_low = it.at + n;
	it.F = kith_new(pool, n, sizeof(*it.F));
	it.step = kith_smooth_step_new(n, edges, pool);
	return it;
}

size_t
kith_smooth(struct kith_smooth_pairs *pairs, size_t threads)
{
	struct kith_pool tmp = {0};
	const struct kith_graph *graph = &pairs->graph;
	struct newton it = make(pairs, &tmp);
	double before = INFINITY, now;
	size_t steps = 0;
	long double g, size;

	begin(&it, &tmp);
	g = look(&it, it.u, it.low, &size);
	kith_progress_phase("smooth", 0, "iterations");
	for (; steps < STEPS; steps++) {
		now = distance(&it);
		kith_progress_value("off by", now);
		if (now <= EXACT || (now <= CLOSE && now > before / 2))
			break;
		before = now;
		curve(&it);
		for (size_t i = 0; i < it.n; i++)
			it.step.b[i] = (double)-it.F[i];
		kith_smooth_step(&it.step, fmin(TOL, now), threads);
		if (!go(&it, &g))
			break;
		kith_progress_add(1);
	}
	kith_progress_end();
	for (size_t i = 0; i < it.n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			graph->w[e] = (double)fmaxl(excess(&it, it.u, it.low, i, e), 0);
	kith_pool_free(&tmp);
	return steps;
}
