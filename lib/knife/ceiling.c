/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/ceiling.h"

#include "knife/knife.h"
#include "knife/state.h"

#include <math.h>
#include <string.h>

#define FIRST .1   /* of F / p */
#define CLOSE 1.25 /* ratio of both ends of the interval */
#define GOLDEN 0.6180339887498949
#define TOL 1e-4 /* of a search: whether w is 0 shows early */

enum {
	FACTOR = 4, /* of a step upwards */
	THIN = 4,
	ROWS = 300, /* of which a quarter is looked at first */
	MOST = 1200 /* such steps, more than a double holds */
};

struct search {
	struct kith_knife_problem problem; /* with a lambda2 of its own */
	const struct kith_knife_how *how;
	double *w, *v;        /* p: weights of the largest lambda2 below; room */
	double *alpha, *bias; /* of no further use */
	double step;          /* upwards */
	struct kith_err *err;
};

/* Solve from w: 1 where v is 0 all over, 0 where not. */
static int
vanishes(struct search *s, double lambda2)
{
	const size_t p = s->problem.X->p;
	struct kith_knife_fit fit;

	s->problem.lambda2 = lambda2;
	memcpy(s->v, s->w, p * sizeof(*s->v));
	if (kith_knife(&s->problem, s->how, s->v, s->alpha, s->bias, &fit, s->err))
		return -1;
	for (size_t j = 0; j < p; j++)
		if (s->v[j] > 0)
			return 0;
	return 1;
}

static int
bisect(struct search *s, double lo, double hi, double *lambda2)
{
	while (hi > CLOSE * lo && lo > 0) {
		const double at = sqrt(lo) * sqrt(hi);
		const int gone = vanishes(s, at);

		if (gone < 0)
			return -1;
		if (gone) {
			hi = at;
			continue;
		}
		lo = at;
		memcpy(s->w, s->v, s->problem.X->p * sizeof(*s->w));
	}
	*lambda2 = hi;
	return 0;
}

/* Step upwards from `at` until w is 0, or downwards until it is not. */
static int
climb(struct search *s, double at, double *lambda2)
{
	double lo = 0, hi = 0;

	for (int i = 0; i < MOST && at > 0 && isfinite(at); i++) {
		const int gone = vanishes(s, at);

		if (gone < 0)
			return -1;
		if (gone)
			hi = at;
		else
			lo = at;
		if (lo > 0 && !gone)
			memcpy(s->w, s->v, s->problem.X->p * sizeof(*s->w));
		if (lo > 0 && hi > 0)
			return bisect(s, lo, hi, lambda2);
		at = gone ? at / s->step : at * s->step;
	}
	*lambda2 = hi > 0 ? hi : at;
	return 0;
}

/*
 * A part of the rows of a problem, in the pool: those at multiples of the golden
 * section, which go along with no period of the data.
 */
static void
thin(struct kith_knife_problem *problem, size_t by, struct kith_mat *X, struct kith_pool *pool)
{
	const size_t n = problem->X->n, m = (n + by - 1) / by;
	size_t *row = kith_new(pool, m, sizeof(*row));
	double *Y = kith_new(pool, m, problem->c * sizeof(*Y));
	double *weight = kith_new(pool, m, sizeof(*weight));

	for (size_t i = 0; i < m; i++)
		row[i] = (size_t)((double)n * fmod((double)i * GOLDEN, 1));
	for (size_t i = 0; i < m && problem->weight; i++)
		weight[i] = problem->weight[row[i]];
	for (size_t k = 0; k < m * problem->c; k++)
		Y[k] = problem->Y[k / m * n + row[k % m]];
	*X = kith_mat_rows(problem->X, row, m, pool);
	problem->X = X;
	problem->Y = Y;
	if (problem->weight)
		problem->weight = weight;
}

/*
 * The same of a quarter of the rows, whose F is about a quarter; then of all from
 * half of it on, with the weights that are left there.
 */
static int
climb_all(struct search *s, struct kith_pool *tmp, double *lambda2)
{
	struct kith_mat *X = kith_new(tmp, 1, sizeof(*X));
	struct kith_knife_problem all = s->problem;
	double F, at = 0;

	s->step = FACTOR;
	if (all.X->n > ROWS) {
		thin(&s->problem, THIN, X, tmp);
		if (kith_knife_at(&s->problem, s->w, &F, NULL, s->alpha, s->bias, s->err) ||
		    climb(s, FIRST * F / (double)X->p, &at))
			return -1;
		s->problem = all;
		at *= THIN / 2.;
		s->step = 2;
	}
	if (!(at > 0) || !isfinite(at)) {
		if (kith_knife_at(&s->problem, s->w, &F, NULL, s->alpha, s->bias, s->err))
			return -1;
		at = FIRST * F / (double)all.X->p;
	}
	return climb(s, at, lambda2);
}

int
kith_knife_ceiling(const struct kith_knife_problem *problem, const struct kith_knife_how *how,
    const double *w, double *lambda2, struct kith_err *err)
{
	const size_t n = problem->X->n, p = problem->X->p, c = problem->c;
	struct kith_pool tmp = {0};
	struct kith_knife_how quiet = *how;
	struct search s = {.problem = *problem, .how = &quiet, .err = err};
	double F = 0, *dF = kith_new(&tmp, p, sizeof(*dF)), most = 0;
	int got;

	quiet.tell = NULL;
	quiet.tol = fmax(quiet.tol, TOL);
	KITH_NEW_REALS(&tmp, p, 1, &s.w, &s.v);
	s.alpha = kith_new(&tmp, n, c * sizeof(*s.alpha));
	s.bias = kith_new(&tmp, c, sizeof(*s.bias));
	s.problem.lambda2 = 0;
	if (problem->kernel == KITH_KNIFE_LINEAR) {
		got = kith_knife_at(&s.problem, s.w, &F, dF, s.alpha, s.bias, err);
		for (size_t j = 0; j < p; j++)
			most = fmax(most, -dF[j]);
		*lambda2 = most;
	} else {
		memcpy(s.w, w, p * sizeof(*s.w));
		got = climb_all(&s, &tmp, lambda2);
	}
	kith_pool_free(&tmp);
	return got;
}
