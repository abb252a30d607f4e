/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/minimum.h: where the search goes on, what it comes to, and
 * when it does not begin.
 */
#include "sqpfw/minimum.h"

#include "sqpfw/data.h"
#include "sqpfw/state.h"
#include "tap.h"

enum { SETS = 60, LARGEST = 22 };

static struct kith_pool pool;

/* The weights of a solver at the first event after it was restarted. */
struct heard {
	const struct kith_sqpfw *s;
	double w[FEATURES];
	size_t events;
};

static void
report(void *to, const struct kith_sqpfw_event *event)
{
	struct heard *heard = to;

	(void)event;
	if (heard->events++ == 0)
		memcpy(heard->w, heard->s->w_by_feature, heard->s->points.p * sizeof(*heard->w));
}

/* w + tau down, brought to sum 1; F there. */
static double
along(const struct set *set, const double *w, const double *down, double tau, double *at)
{
	const struct plain plain = plain_of(set, set->theta);
	double sum = 0;

	for (size_t f = 0; f < set->X.p; f++)
		sum += at[f] = fmax(w[f] + tau * down[f], 0);
	for (size_t f = 0; f < set->X.p; f++)
		at[f] /= sum;
	return plain_objective(&plain, at);
}

/* The lowest of 4^-22, 4^-21, ... 1 times the longest feasible step, as far as
 * F falls from each to the next. */
static void
descend(const struct set *set, const double *w, const double *down, double *at)
{
	double longest = INFINITY, tau = 0, F = along(set, w, down, 0, at);

	for (size_t f = 0; f < set->X.p; f++)
		if (down[f] < 0)
			longest = fmin(longest, w[f] / -down[f]);
	for (int k = -LARGEST; k <= 0; k++) {
		const double step = longest * pow(4, k);
		const double got = along(set, w, down, step, at);

		if (got >= F && tau > 0)
			break;
		if (got < F) {
			F = got;
			tau = step;
		}
	}
	along(set, w, down, tau, at);
}

struct tally {
	size_t found, certified, same, lower, higher, quick, limited, heard;
};

/* From the prior, which a solver is left at, on. */
static void
try_set(size_t k, struct tally *tally)
{
	struct kith_sqpfw_verdict before, out, again;
	double down[FEATURES], due[FEATURES];
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw_now now;
	struct kith_sqpfw *s;
	struct heard heard = {0};
	struct set set;

	draw(&set, (enum kind)(k % KINDS), &pool);
	set.how.report = report;
	set.how.report_to = &heard;
	s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
	judge = judge_of(&set, &pool);
	heard.s = s;
	s->theta = scalbn(set.theta, -2 * s->points.exponent);
	s->theta_given = set.theta;
	kith_sqpfw_judge(judge, set.prior, set.theta, NULL, &before, down);
	kith_sqpfw_minimum(s, judge, true, &out);
	tally->quick += heard.events == 0 && s->iterations == 0 && !out.certified &&
	    distance(s->w_by_feature, set.prior, set.X.p) == 0;
	s->limited = true;
	kith_sqpfw_minimum(s, judge, false, &out);
	tally->limited += heard.events == 0 && s->iterations == 0 &&
	    fabs(out.objective - before.objective) < 1e-12;
	s->limited = false;
	descend(&set, set.prior, down, due);
	kith_sqpfw_minimum(s, judge, false, &out);
	kith_sqpfw_at(s, &now);
	tally->heard += heard.events > 0;
	tally->found += distance(heard.w, due, set.X.p) < 1e-12;
	kith_sqpfw_judge(judge, now.w, set.theta, NULL, &again, NULL);
	tally->same += again.certified == out.certified &&
	    fabs(again.objective - out.objective) < 1e-13 && again.simplex == out.simplex;
	tally->certified += out.certified;
	tally->lower += out.objective < before.objective;
	tally->higher += out.objective > before.objective + 1e-15;
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(s);
	kith_pool_free(&pool);
}

/* A minimum with a weight next to nothing is one without it. */
static void
test_tiny(void)
{
	double x[] = {0, 0, 1, 0, 0, 10, 1, 12};
	const size_t y[] = {0, 0, 1, 1};
	const struct kith_mat X = {4, 2, x};
	const struct kith_sqpfw_how how = {1, 1, .threads = 1};
	const struct kith_sqpfw_judge_how judging = {1, 1, NULL, 1, NULL};
	struct kith_sqpfw_judge *judge = kith_sqpfw_judge_new(&X, y, 2, &judging, &pool);

	/* the first weight is .5 - theta / 4 (3 + 436) / 2 */
	for (int k = 0; k < 2; k++) {
		const double left = k ? 5e-14 : 5e-13;
		struct kith_sqpfw *s = kith_sqpfw_new(&X, y, 2, &how, &pool);
		struct kith_sqpfw_verdict out;
		struct kith_sqpfw_now now;

		kith_sqpfw_solve(s, (.5 - left) * 8 / 439);
		kith_sqpfw_at(s, &now);
		ok(fabs(now.w[0] - left) < 1e-15, "a weight of %.1e", left);
		kith_sqpfw_minimum(s, judge, false, &out);
		kith_sqpfw_at(s, &now);
		ok(out.certified && (now.w[0] > 0) == (k == 0), k ? "is dropped" : "stays");
		kith_sqpfw_free(s);
	}
	kith_sqpfw_judge_free(judge);
	kith_pool_free(&pool);
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 47, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < SETS; k++)
		try_set(k, &tally);
	is_size(tally.quick, SETS, "a quick judgement leaves w alone");
	is_size(tally.limited, SETS, "so does one after max_iter");
	ok(tally.heard > SETS / 2, "else %zu searches change the active set,", tally.heard);
	is_size(tally.found, tally.heard, "first where F is lowest on the way down");
	is_size(tally.same, SETS, "what is said is of the weights at its end");
	is_size(tally.higher, 0, "which are nowhere higher");
	ok(tally.lower >= SETS - SETS / 10, "but lower in %zu sets", tally.lower);
	ok(tally.certified >= SETS - SETS / 10, "%zu of %d are minima", tally.certified, (int)SETS);
	test_tiny();
	return done();
}
