/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/check.h"

#include "base/pool.h"
#include "wsvmpath/steps.h"
#include "wsvmpath/task.h"
#include "wsvmpath/terms.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
	STEPS = 128,      /* that are judged together, or */
	NUMBERS = 1 << 22 /* as many as their alpha and f take */
};

#define ALPHA 1e-8 /* of the largest alpha, is rounding */
#define EXACT 1e-9 /* of the terms of a sum, too */

/* A step of the path. */
struct step {
	double theta, b;
	double *alpha; /* N */
	double *g, *t; /* N: gradients, and their terms */
	double most;   /* the largest alpha */
};

/* A variable at a step, or between two; bits: what is open of theta at the steps. */
struct place {
	double theta, bits, most, alpha, g, t;
	long double C;
};

struct judge {
	const struct kith_wsvm_job *job;
	const double *from, *to; /* N: weights where theta is 0, and 1 */
	struct kith_pool pool;
	size_t n, N, room; /* steps judged together */
	double q_most;
	double *open;      /* n: t (wsvmpath/terms.h) of |to - from| */
	struct step *step; /* room + 1: the first is the last of before */
	size_t steps;      /* read, after the first */
	bool carried;      /* there is a step[0] */
	struct kith_wsvm_terms terms;

	struct kith_wsvm_steps *file;
	double worst[KITH_CHECK_WSVM];
};

enum { BOUNDS, SUM, KKT, GAP, INTERVAL, RANGE, PIECE };

/* The worst of each check. */
static void
tell(const struct judge *j, struct kith_check out[KITH_CHECK_WSVM])
{
	const struct kith_check check[KITH_CHECK_WSVM] = {{"bounds", 0, ALPHA}, {"sum", 0, ALPHA},
	    {"kkt", 0, EXACT}, {"gap", 0, EXACT}, {"interval", 0, EXACT}, {"range", 0, 0},
	    {"piece", 0, EXACT}};

	for (size_t i = 0; i < KITH_CHECK_WSVM; i++) {
		out[i] = check[i];
		out[i].value = j->worst[i];
	}
}

static void
raise_to(struct judge *j, int check, double value)
{
	/* NaN stays. */
	if (!(value <= j->worst[check]) && !isnan(j->worst[check]))
		j->worst[check] = value;
}

/* The weight of a variable, exact at both ends. */
static long double
weight(const struct judge *j, size_t v, double theta)
{
	const long double rate = (long double)j->to[v] - j->from[v];

	return theta < 1 ? j->from[v] + theta * rate : (long double)j->to[v];
}

/* g of all variables of a step and their terms; its f and t begin at `at`. */
static void
gradients(const struct judge *j, struct step *s, size_t at)
{
	const struct kith_wsvm_job *job = j->job;
	const double *f = j->terms.f + at, *t = j->terms.t + at;

	s->most = 0;
	for (size_t v = 0; v < j->N; v++) {
		const double own = job->problem.ridge * s->alpha[v];
		double h = f[job->plus[v]], terms = t[job->plus[v]];

		h = job->minus ? h - f[job->minus[v]] : h + s->b;
		terms += job->minus ? t[job->minus[v]] : fabs(s->b);
		s->g[v] = job->sign[v] * h + job->q[v] + own;
		s->t[v] = terms + fabs(job->q[v]) + fabs(own);
		s->most = fmax(s->most, s->alpha[v]);
	}
}

/* What the last bit of theta leaves open; at theta 1 weights have all their digits. */
static double
bits_of(double theta)
{
	return theta < 1 ? DBL_EPSILON * theta : 0;
}

/* The variable at w between two steps, or at l where they are one. */
static struct place
place_of(const struct judge *j, size_t v, const struct step *l, const struct step *r, double w)
{
	const double u = 1 - w;

	return (struct place){.theta = u * l->theta + w * r->theta,
	    .bits = u * bits_of(l->theta) + w * bits_of(r->theta),
	    .alpha = u * l->alpha[v] + w * r->alpha[v],
	    .g = u * l->g[v] + w * r->g[v],
	    .t = u * l->t[v] + w * r->t[v],
	    .C = u * weight(j, v, l->theta) + w * weight(j, v, r->theta)};
}

/* What alpha may be off from a bound. */
static long double
few_of(const struct judge *j, size_t v, const struct place *at)
{
	const long double rate = fabsl((long double)j->to[v] - j->from[v]);

	return ALPHA * (long double)at->most + at->bits * rate + DBL_EPSILON * at->C;
}

/* The terms of g, and what is open of them. */
static double
unit_of(const struct judge *j, size_t v, const struct place *at)
{
	double open = j->open[j->job->plus[v]];

	open += j->job->minus ? j->open[j->job->minus[v]] : 0;
	open += j->job->problem.ridge * fabs(j->to[v] - j->from[v]);
	return at->t + at->bits / EXACT * open + DBL_MIN;
}

/* By how much g has the wrong sign. */
static double
wrong_sign(const struct judge *j, size_t v, const struct place *at)
{
	const long double few = few_of(j, v, at);

	if (isnan(at->g))
		return NAN;
	return fmax(at->alpha > few ? at->g : 0, at->alpha < at->C - few ? -at->g : 0);
}

/* M empty: by how much b is outside of its interval. */
static void
judge_interval(struct judge *j, const struct step *s)
{
	double worst = 0;

	for (size_t v = 0; v < j->N; v++) {
		struct place at = place_of(j, v, s, s, 0);
		long double few;

		at.most = s->most;
		few = few_of(j, v, &at);
		if (at.alpha > few && at.alpha < at.C - few)
			return; /* M is not empty */
		worst = fmax(worst, wrong_sign(j, v, &at) / unit_of(j, v, &at));
	}
	raise_to(j, INTERVAL, worst);
}

static void
judge_step(struct judge *j, const struct step *s)
{
	const struct kith_wsvm_job *job = j->job;
	long double sum = 0, open = 0;
	long double own = 0, size = LDBL_MIN; /* a'g+ + (C - a)'g-, its terms */

	for (size_t v = 0; v < j->N; v++) {
		struct place at = place_of(j, v, s, s, 0);
		long double off, unit = unit_of(j, v, &at), wrong;

		at.most = s->most;
		off = fmaxl(-at.alpha, at.alpha - at.C);
		wrong = wrong_sign(j, v, &at);
		raise_to(j, BOUNDS, (double)(off * ALPHA / (few_of(j, v, &at) + LDBL_MIN)));
		raise_to(j, KKT, (double)(wrong / unit));
		sum += job->sign[v] * (long double)at.alpha;
		open += fabsl((long double)j->to[v] - j->from[v]);
		own += wrong * (at.g > 0 ? at.alpha : at.C - at.alpha);
		size += at.C * unit;
	}
	open *= bits_of(s->theta);
	if (job->problem.bias)
		raise_to(j, SUM, (double)(fabsl(sum) / (s->most + open / ALPHA + LDBL_MIN)));
	raise_to(j, GAP, (double)(own / size));
	if (job->problem.bias)
		judge_interval(j, s);
}

/* At a quarter, a half and three quarters of the way from l to r. */
static void
judge_piece(struct judge *j, const struct step *l, const struct step *r)
{
	for (int k = 1; k < 4 && l->theta < r->theta; k++) {
		double most = 0;

		for (size_t v = 0; v < j->N; v++)
			most = fmax(most, place_of(j, v, l, r, k / 4.0).alpha);
		for (size_t v = 0; v < j->N; v++) {
			struct place at = place_of(j, v, l, r, k / 4.0);

			at.most = most;
			raise_to(j, PIECE, wrong_sign(j, v, &at) / unit_of(j, v, &at));
		}
	}
}

/* Judge the steps that were read; the last one becomes step[0]. */
static void
judge_steps(struct judge *j)
{
	const struct step first = j->step[0];
	const double *alpha[STEPS];

	for (size_t s = 0; s < j->steps; s++)
		alpha[s] = j->step[1 + s].alpha;
	kith_wsvm_terms_compute(&j->terms, j->steps, alpha);
	for (size_t s = 1; s <= j->steps; s++) {
		gradients(j, &j->step[s], (s - 1) * j->n);
		judge_step(j, &j->step[s]);
		if (s > 1 || j->carried)
			judge_piece(j, &j->step[s - 1], &j->step[s]);
	}
	if (j->steps == 0)
		return;
	j->step[0] = j->step[j->steps];
	j->step[j->steps] = first;
	j->carried = true;
	j->steps = 0;
}

/* Find what the bits of theta leave open. */
static void
make_open(struct judge *j)
{
	struct kith_pool tmp = {0};
	double *rate = kith_new(&tmp, j->N, sizeof(*rate));
	bool any = false;

	j->open = kith_new(&j->pool, j->n, sizeof(*j->open));
	for (size_t v = 0; v < j->N; v++) {
		rate[v] = j->to[v] - j->from[v];
		any |= rate[v] != 0;
		j->q_most = fmax(j->q_most, fabs(j->job->q[v]));
	}
	if (any)
		kith_wsvm_terms_sizes(j->job, rate, j->open);
	kith_pool_free(&tmp);
}

/* Make room for so many steps. */
static void
make(struct judge *j, size_t most)
{
	make_open(j);
	j->room = most < STEPS ? most : STEPS;
	j->step = kith_new(&j->pool, j->room + 1, sizeof(*j->step));
	for (size_t s = 0; s <= j->room; s++) {
		j->step[s].alpha = kith_new(&j->pool, j->N, sizeof(double));
		j->step[s].g = kith_new(&j->pool, j->N, sizeof(double));
		j->step[s].t = kith_new(&j->pool, j->N, sizeof(double));
	}
	kith_wsvm_terms_new(&j->terms, j->job, j->room, &j->pool);
}

static int
judge_file(struct judge *j, struct kith_err *err)
{
	int got;

	make(j, NUMBERS / (j->N + j->n) + 1);
	do {
		struct step *s = &j->step[1 + j->steps];

		got = kith_wsvm_steps_next(j->file, &s->theta, &s->b, s->alpha, err);
		j->steps += got > 0;
		if (j->steps == j->room || got == 0)
			judge_steps(j);
	} while (got > 0);
	return got;
}

int
kith_check_wsvm(const struct kith_wsvm_job *job, const char *file,
    struct kith_check out[KITH_CHECK_WSVM], size_t *checks, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_steps steps;
	int got = kith_wsvm_steps_open(&steps, job, file, &tmp, err);

	if (got == 0) {
		got = kith_check_wsvm_steps(job, &steps, out, checks, err);
		kith_rows_close(&steps.rows);
	}
	kith_pool_free(&tmp);
	return got;
}

int
kith_check_wsvm_steps(const struct kith_wsvm_job *job, struct kith_wsvm_steps *file,
    struct kith_check out[KITH_CHECK_WSVM], size_t *checks, struct kith_err *err)
{
	struct judge j = {.job = job,
	    .from = job->from,
	    .to = job->to,
	    .n = job->n,
	    .N = job->problem.variables,
	    .file = file};
	const int got = judge_file(&j, err);

	if (got == 0) {
		raise_to(&j, RANGE, fmax(file->first, 1 - file->theta));
		tell(&j, out);
	}
	*checks = job->call->at.n ? RANGE : KITH_CHECK_WSVM;
	kith_pool_free(&j.pool);
	return got;
}
