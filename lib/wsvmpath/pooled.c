/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/pooled.h"

#include "base/pool.h"
#include "table/trial.h"
#include "wsvmpath/task.h"
#include "wsvmpath/validate_rank.h"

#include <math.h>
#include <stdbool.h>

struct pooled {
	int measure;
	const struct kith_wsvm_part *part;
	size_t N;
	kith_wsvm_on_interval *on_interval;
	void *to;
	size_t *at;            /* N: the interval of each part now */
	double *loss, *weight; /* N */
	struct kith_wsvm_interval open;
	bool is_open;
};

/* The interval of part i now. */
static const struct kith_wsvm_interval *
now(const struct pooled *p, size_t i)
{
	return &p->part[i].v[p->at[i]];
}

/* The squared errors of part i at theta. */
static long double
square(const struct pooled *p, size_t i, double theta)
{
	const struct kith_wsvm_parabola *s = &now(p, i)->square;
	const long double t = theta - s->at;

	return s->least + s->curve * t * t;
}

/* The error and its spread, where the losses of all parts are known. */
static struct kith_trial
judge(const struct pooled *p)
{
	struct kith_trial trial = {.errors = 0};

	kith_trial_parts(p->loss, p->weight, p->N, p->measure == KITH_WSVM_SQUARED, &trial);
	return trial;
}

/* The root of the mean of squares at theta, and its spread. */
static struct kith_trial
rmse(struct pooled *p, double theta)
{
	for (size_t i = 0; i < p->N; i++)
		p->loss[i] = (double)square(p, i, theta);
	return judge(p);
}

/* Where in the interval the sum of parabolas is least. */
static double
lowest(const struct pooled *p, double from, double to)
{
	long double sum = 0, curve = 0;

	for (size_t i = 0; i < p->N; i++) {
		const struct kith_wsvm_parabola *s = &now(p, i)->square;

		sum += s->curve * (s->at - from);
		curve += s->curve;
	}
	if (!(sum > 0) || !(curve > 0))
		return from;
	sum = from + sum / curve;
	return sum < to ? (double)sum : to;
}

static void
tell_squares(struct pooled *p, double from, double to)
{
	struct kith_wsvm_interval it = {.from = from, .to = to};
	struct kith_trial trial;

	it.theta = lowest(p, from, to);
	it.value_from = rmse(p, from).error;
	it.value_to = rmse(p, to).error;
	trial = rmse(p, it.theta);
	it.value = trial.error;
	it.se = trial.se;
	p->on_interval(p->to, &it);
}

static void
end_open(struct pooled *p)
{
	p->open.theta = p->open.from + (p->open.to - p->open.from) / 2;
	p->on_interval(p->to, &p->open);
}

static bool
same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* The measure has its present value from `from` to `to`. */
static void
extend(struct pooled *p, double from, double to)
{
	struct kith_wsvm_interval *open = &p->open;
	struct kith_trial trial;
	size_t errors = 0;

	if (kith_wsvm_valid_same(from, to))
		return;
	for (size_t i = 0; i < p->N; i++) {
		p->loss[i] = now(p, i)->sum;
		errors += now(p, i)->errors;
	}
	trial = judge(p);
	if (p->is_open && open->errors == errors && open->value == trial.error &&
	    same(open->se, trial.se)) {
		open->to = to;
		return;
	}
	if (p->is_open) {
		from = open->to; /* intervals of no length are left out */
		end_open(p);
	}
	*open = (struct kith_wsvm_interval){
	    .from = from, .to = to, .errors = errors, .value = trial.error, .se = trial.se};
	p->is_open = true;
}

/* The next breakpoint of a part; parts that have ended have none. */
static double
next(const struct pooled *p)
{
	double least = 1;

	for (size_t i = 0; i < p->N; i++)
		if (p->at[i] + 1 < p->part[i].n)
			least = fmin(least, now(p, i)->to);
	return least;
}

/* Go to the breakpoint; false: it is the end. */
static bool
advance(struct pooled *p, double theta)
{
	bool more = false;

	for (size_t i = 0; i < p->N; i++)
		if (p->at[i] + 1 < p->part[i].n) {
			p->at[i] += now(p, i)->to <= theta;
			more = true;
		}
	return more;
}

void
kith_wsvm_pooled(int measure, const struct kith_wsvm_part *part, size_t N,
    kith_wsvm_on_interval *on_interval, void *to)
{
	struct kith_pool tmp = {0};
	struct pooled p = {
	    .measure = measure, .part = part, .N = N, .on_interval = on_interval, .to = to};
	double from = 0, end;

	KITH_NEW_SIZES(&tmp, N, 1, &p.at);
	KITH_NEW_REALS(&tmp, N, 1, &p.loss, &p.weight);
	for (size_t i = 0; i < N; i++)
		p.weight[i] = part[i].weight;
	do {
		end = next(&p);
		if (measure != KITH_WSVM_SQUARED)
			extend(&p, from, end);
		else if (end > from)
			tell_squares(&p, from, end);
		from = end;
	} while (advance(&p, end));
	if (p.is_open) {
		p.open.to = 1;
		end_open(&p);
	}
	kith_pool_free(&tmp);
}
