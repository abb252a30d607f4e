/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/mend.h"

#include "base/pool.h"
#include "knife/check.h"
#include "knife/check_at.h"
#include "knife/problem.h"
#include "la/mat.h"
#include "solve/box.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	MEMORY = 20,
	ROUNDS = 30, /* of both kinds of steps */
	SWEEPS = 40, /* of the linear update in a round */
	CUTS = 60    /* of a bisection */
};

#define ROUNDING 1e-13  /* of F */
#define ROOM .3         /* of the limits: what is sought */
#define LEAST 0x1p-1000 /* next to 0 */

/* A place, with F and dF there; F is NaN where alpha cannot be had. */
struct mend {
	const struct kith_mend_knife *how;
	size_t p, evaluations;
	double *w, *dF; /* p: the best so far */
	double F;
	double *at, *dF_at; /* p: the place looked at last */
	double F_at;
};

static double
value(void *to, const double *w, double *g)
{
	struct mend *m = to;
	struct kith_pool tmp = {0};
	const struct kith_check_knife_point s = kith_check_knife_at(m->how->problem, w, &tmp);
	double F = s.F;

	m->evaluations++;
	memcpy(g, s.dF, m->p * sizeof(*g));
	for (size_t j = 0; j < m->p; j++)
		if (!isfinite(g[j]))
			F = NAN;
	kith_pool_free(&tmp);
	return isfinite(F) ? F : NAN;
}

static void
look(struct mend *m)
{
	m->F_at = value(m, m->at, m->dF_at);
}

static void
keep(struct mend *m)
{
	memcpy(m->w, m->at, m->p * sizeof(*m->w));
	memcpy(m->dF, m->dF_at, m->p * sizeof(*m->dF));
	m->F = m->F_at;
}

/* Whether F at the last place is no higher but for rounding. */
static bool
is_no_higher(const struct mend *m)
{
	return m->F_at <= m->F + ROUNDING * fabs(m->F);
}

static bool
may_go_on(const struct mend *m)
{
	return m->evaluations < m->how->most;
}

static bool
holds(const struct mend *m)
{
	return kith_check_knife_verdict(m->how->problem, m->w, m->how->start, m->how->tol).holds;
}

/* Value, as long as that leaves an evaluation for where the search ends. */
static double
value_within(void *to, const double *w, double *g)
{
	const struct mend *m = to;

	return m->evaluations + 1 < m->how->most ? value(to, w, g) : NAN;
}

/* The gap counts what a weight costs, so that it may ask for more. */
static double
tolerance(const struct mend *m)
{
	const double p = (double)m->p;
	const double dear = m->how->problem->lambda2 * p / fmax(1, fabs(m->F));

	return ROOM * m->how->tol / fmax(sqrt(p), dear);
}

static void
quasi_newton(struct mend *m)
{
	const struct kith_lbfgs_box_how how = {.value = value_within,
	    .to = m,
	    .memory = MEMORY,
	    .max_iter = m->how->most,
	    .tol = tolerance(m)};

	memcpy(m->at, m->w, m->p * sizeof(*m->at));
	kith_lbfgs_box(&how, m->p, m->at);
	look(m);
	if (is_no_higher(m))
		keep(m);
}

/* Weights that are next to nothing, and that F would fall without, become 0. */
static void
clear(struct mend *m)
{
	const double limit = ROOM * m->how->tol;
	bool some = false;

	memcpy(m->at, m->w, m->p * sizeof(*m->at));
	for (size_t j = 0; j < m->p; j++)
		if (m->w[j] > 0 && m->w[j] <= limit && m->dF[j] > 0) {
			m->at[j] = 0;
			some = true;
		}
	if (!some || !may_go_on(m))
		return;
	look(m);
	for (size_t j = 0; j < m->p; j++)
		if (m->at[j] == 0 && m->w[j] > 0 && m->dF_at[j] < 0)
			m->F_at = NAN;
	if (is_no_higher(m))
		keep(m);
}

/* The linear update, as long as it changes something. */
static void
sweep_linear(struct mend *m)
{
	const double lambda2 = m->how->problem->lambda2;

	for (int sweep = 0; sweep < SWEEPS && may_go_on(m); sweep++) {
		double most = 0;

		for (size_t j = 0; j < m->p; j++) {
			/* lambda1 |x_j' alpha|^2 */
			const double q = fmax(lambda2 - m->dF[j], 0);
			const double by = lambda2 > 0 ? sqrt(q / lambda2) : 2;

			m->at[j] = fmin(1, m->w[j] * by);
			most = fmax(most, fabs(m->at[j] - m->w[j]));
		}
		if (!(most > 0))
			return;
		look(m);
		if (!is_no_higher(m))
			return;
		keep(m);
	}
}

/* What weight j adds to the projected gradient. */
static double
unrest(const double *w, const double *dF, size_t j)
{
	return fabs(w[j] - fmin(fmax(w[j] - dF[j], 0), 1));
}

/* A place between both, by their logarithms. */
static double
between(double lo, double hi)
{
	return sqrt(fmax(lo, LEAST)) * sqrt(hi);
}

/* Look at weight j = x, the others being as they are; whether F is lower. */
static bool
try_one(struct mend *m, size_t j, double x)
{
	memcpy(m->at, m->w, m->p * sizeof(*m->at));
	m->at[j] = x;
	look(m);
	return m->F_at < m->F;
}

/*
 * Move weight j until F stops to fall along it.  Below lo F falls with w_j, or
 * it is higher than it was; from hi on it rises, or is higher.
 */
static bool
move_one(struct mend *m, size_t j, double enough)
{
	const bool up = m->dF[j] < 0;
	double lo = up ? m->w[j] : 0, hi = up ? 1 : m->w[j];
	bool moved = try_one(m, j, up ? 1 : 0);

	if (moved) {
		const bool bound = up ? m->dF_at[j] <= 0 : m->dF_at[j] >= 0;

		if (bound) {
			keep(m);
			return true;
		}
	}
	moved = false;
	for (int cut = 0; cut < CUTS && may_go_on(m); cut++) {
		const double x = between(lo, hi);
		bool lower;

		if (!(lo < x && x < hi))
			break;
		lower = try_one(m, j, x);
		if (up ? !lower || m->dF_at[j] >= 0 : lower && m->dF_at[j] >= 0)
			hi = x;
		else
			lo = x;
		if (!lower)
			continue;
		keep(m);
		moved = true;
		if (unrest(m->w, m->dF, j) <= enough)
			break;
	}
	return moved;
}

/* Move weights one by one, that of the largest unrest first. */
static void
sweep_others(struct mend *m)
{
	struct kith_pool tmp = {0};
	bool *stuck = kith_new(&tmp, m->p, sizeof(*stuck));
	const double enough = ROOM * m->how->tol / sqrt((double)m->p);

	while (may_go_on(m)) {
		size_t best = m->p;

		for (size_t j = 0; j < m->p; j++)
			if (!stuck[j] && unrest(m->w, m->dF, j) > enough &&
			    (best == m->p || unrest(m->w, m->dF, j) > unrest(m->w, m->dF, best)))
				best = j;
		if (best == m->p)
			break;
		stuck[best] = true;
		if (move_one(m, best, enough))
			for (size_t j = 0; j < m->p; j++)
				stuck[j] = stuck[j] && j == best;
	}
	kith_pool_free(&tmp);
}

bool
kith_mend_knife(const struct kith_mend_knife *how, double *w, size_t *evaluations)
{
	struct kith_pool tmp = {0};
	const size_t p = how->problem->X->p;
	struct mend m = {.how = how, .p = p, .w = w};
	bool yes = false;

	KITH_NEW_REALS(&tmp, p, 1, &m.dF, &m.at, &m.dF_at);
	memcpy(m.at, w, p * sizeof(*w));
	look(&m);
	if (!isnan(m.F_at))
		keep(&m);
	for (int round = 0; round < ROUNDS && !isnan(m.F_at) && !yes; round++) {
		const double before = m.F;

		if (how->problem->kernel == KITH_KNIFE_LINEAR)
			sweep_linear(&m);
		else
			sweep_others(&m);
		clear(&m);
		yes = holds(&m);
		if (!yes && may_go_on(&m)) {
			quasi_newton(&m);
			clear(&m);
			yes = holds(&m);
		}
		if (round > 1 && !(m.F < before))
			break;
		m.F_at = m.F;
	}
	*evaluations = m.evaluations;
	kith_pool_free(&tmp);
	return yes;
}
