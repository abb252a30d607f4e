/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/immigrate.h: known answers, the steps and how they
 * end, the smallest sigma, features and rows that tell nothing, and what step 4
 * cuts.
 */
#include "immigrate/immigrate.h"

#include "immigrate/data.h"
#include "tap.h"

#include <stdlib.h>

enum { STEPS = 200 };

struct told {
	size_t n;
	struct kith_immigrate_trace trace[STEPS + 2];
};

static void
tell(void *to, const struct kith_immigrate_trace *trace)
{
	struct told *told = to;

	if (told->n <= STEPS)
		told->trace[told->n++] = *trace;
}

static void
test_monotone(void)
{
	size_t rose = 0, stopped = 0, worse = 0;

	for (size_t run = 0; run < 50; run++) {
		const size_t p = 1 + kith_rng_below(&rng, 16);
		struct set *set = draw(
		    20 + kith_rng_below(&rng, 40), p, 2 + run % 3, run % 7 == 0, run % 5 == 0);
		struct kith_immigrate_how how = usual(pow(4, (double)(run % 5) - 2.5), 40);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		struct kith_immigrate_trace at;
		double *W = start(p, run % 2), *V = start(p, true);

		how.tol = 1e-9;
		how.monotone = true;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t t = 1; t < told.n; t++)
			rose += !(told.trace[t].F < told.trace[t - 1].F);
		stopped += fit.end != KITH_IMMIGRATE_LIMIT;
		/* KEPT: Sigma has no negative eigenvalue, there is no V. */
		worse += fit.end == KITH_IMMIGRATE_KEPT &&
		    look_at(&set->rows, &how, W, &at, NULL, V);
		worse += told.n != fit.iterations + 1 || fit.F != told.trace[told.n - 1].F;
		kith_pool_free(&pool);
	}
	is_size(rose, 0, "damped steps that do not lower F");
	is_size(worse, 0, "that are told wrongly, or pairs that ended early");
	ok(stopped >= 25, "%zu of 50 ended in 40 steps", stopped);
}

/* Plain steps at a small sigma end in cycles: the best is given. */
static void
test_cycles(void)
{
	size_t cycles = 0, wrong = 0, back = 0;

	for (size_t run = 0; run < 60; run++) {
		struct set *set = draw(24, 4, 2, false, false);
		struct kith_immigrate_how how = usual(.1, STEPS);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		struct kith_immigrate_trace at;
		double *W = start(4, true), *V = start(4, true), best = INFINITY;
		double *last = start(4, true);

		how.tol = 1e-9;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		if (fit.end != KITH_IMMIGRATE_CYCLE)
			continue;
		cycles++;
		for (size_t t = 0; t < told.n; t++)
			best = fmin(best, told.trace[t].F);
		wrong += fit.F != best;
		look_at(&set->rows, &how, W, &at, NULL, V);
		wrong += fabs(at.F - best) > 1e-9 * fmax(1, fabs(best));
		/* With tol 0 it goes on, and the last W is given. */
		how.tol = 0;
		how.max_iter = fit.iterations + 2;
		how.tell = NULL;
		memcpy(W, last, 16 * sizeof(*W));
		kith_immigrate(&set->rows, &how, W, &fit);
		how.max_iter -= 2;
		kith_immigrate(&set->rows, &how, last, &fit);
		back += fit.end == KITH_IMMIGRATE_LIMIT && apart(16, W, last) <= 1e-10;
		kith_pool_free(&pool);
	}
	ok(cycles > 0, "%zu cycles", cycles);
	is_size(wrong, 0, "that do not give the lowest F");
	is_size(back, cycles, "come back after two steps");
}

/* Many features: what is given is the best that was told of, to the bit. */
static void
test_wide_cycles(void)
{
	size_t cycles = 0, wrong = 0;

	for (size_t run = 0; run < 12; run++) {
		struct set *set = draw(20, 26, 2, false, false);
		struct kith_immigrate_how how = usual(.01, 60);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		double *W = start(26, true), best = INFINITY;

		how.tol = 1e-9;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t t = 0; t < told.n; t++)
			best = fmin(best, told.trace[t].F);
		cycles += fit.end == KITH_IMMIGRATE_CYCLE;
		wrong += fit.end == KITH_IMMIGRATE_CYCLE && (fit.F != best || fit.C != best);
		kith_pool_free(&pool);
	}
	ok(cycles > 0 && wrong == 0, "%zu cycles of many features, %zu wrong", cycles, wrong);
}

/* Known answers. */
static void
test_hand(void)
{
	double x[] = {0, 1, 10, 11}, W = 1, V = 0, Sigma = 0;
	size_t y[] = {0, 0, 1, 1}, mixed[] = {0, 1, 0, 1}, lone[] = {0, 1, 2, 3};
	const struct kith_mat X = {4, 1, x};
	struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	struct kith_immigrate_how how = usual(1e-3, 100);
	struct kith_immigrate_trace at;
	struct kith_immigrate_fit fit;

	how.tol = 1e-6;
	ok(look_at(&rows, &how, &W, &at, &Sigma, &V), "one feature");
	is_near(Sigma, 4 * 1 - 2 * (81 + 100), 1e-13, "hits 1, misses 9 and 10");
	is_near(at.C, Sigma, 1e-13, "C");
	is_near(V, 1, 1e-15, "V");
	kith_immigrate(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_CONVERGED && fit.iterations == 1 && W == 1, "there already");
	rows.y = mixed;
	kith_immigrate(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && W == 1 && fit.iterations == 0,
	    "hits are farther than misses");
	kith_im4e(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && W == 1, "for im4e too");
	rows.y = lone;
	rows.c = 4;
	ok(look_at(&rows, &how, &W, &at, &Sigma, &V), "no hits at all");
	is_near(Sigma, -4, 1e-13, "only misses");
	x[1] = x[2] = x[3] = 0;
	kith_immigrate(&rows, &how, &W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && W == 1 && fit.F == fit.C,
	    "rows that are all the same");
}

/* The smallest sigma: each row has one hit and one miss, but for ties. */
static void
test_one_hot(void)
{
	for (size_t run = 0; run < 6; run++) {
		const size_t p = run % 2 ? 3 : 15;
		struct set *set = draw(40, p, 2, false, run > 3);
		struct kith_immigrate_how how = usual(5e-324, 20);
		struct kith_immigrate_fit fit;
		double *W = start(p, true), *w = even(p);

		kith_immigrate(&set->rows, &how, W, &fit);
		ok(!isnan(fit.F) && apart(p * p, W, W) == 0, "sigma 5e-324");
		how.sigma = 1e-12;
		kith_im4e(&set->rows, &how, w, &fit);
		ok(!isnan(fit.F) && apart(p, w, w) == 0, "im4e");
		how.package = true;
		how.tol = .01;
		kith_immigrate(&set->rows, &how, W, &fit);
		ok(fit.no_cost && apart(p * p, W, W) == 0 && fit.iterations == 20,
		    "the package has no cost there, and goes on");
		kith_pool_free(&pool);
	}
}

/* A constant feature gets weight 0, wherever it lies. */
static void
test_constant(void)
{
	const size_t p = 14;
	struct set *set = draw(30, p, 2, false, false);
	const struct kith_immigrate_how how = usual(1, 3);
	struct kith_immigrate_fit fit;
	double *W = start(p, true), sum = 0;

	for (size_t i = 0; i < 30; i++)
		kith_row(&set->X, i)[3] = 1e300;
	kith_immigrate(&set->rows, &how, W, &fit);
	for (size_t j = 0; j < p; j++)
		sum += fabs(W[3 * p + j]);
	ok(sum <= 1e-15 && apart(p * p, W, W) == 0, "constant: %g", sum);
	for (size_t i = 0; i < 30; i++)
		for (size_t j = 0; j < p; j++)
			if (j != 3)
				kith_row(&set->X, i)[j] *= 0x1p-500;
	kith_immigrate(&set->rows, &how, W, &fit);
	ok(fit.end == KITH_IMMIGRATE_LIMIT && apart(p * p, W, W) == 0, "among tiny ones");
	kith_pool_free(&pool);
}

/* Rows all equally far apart: u is 0 but for rounding. */
static void
test_no_gradient(void)
{
	size_t kept = 0, runs = 0;

	for (size_t n = 6; n <= 60; n += 6, runs++) {
		struct set *set = draw(n, n, 3, false, false);
		const struct kith_immigrate_how how = usual(.7, 3);
		struct kith_immigrate_fit fit;
		double *w = even(n);

		memset(set->X.v, 0, n * n * sizeof(*set->X.v));
		for (size_t i = 0; i < n; i++) {
			set->y[i] = i % 3;
			kith_row(&set->X, i)[i] = .1 * (double)(i + 1);
		}
		for (size_t i = 0; i < n; i++)
			w[i] = 1 / (double)(i + 1);
		kith_im4e(&set->rows, &how, w, &fit);
		kept += fit.end == KITH_IMMIGRATE_KEPT && fit.iterations == 0;
		kith_pool_free(&pool);
	}
	is_size(kept, runs, "rounding is no gradient");
}

/* Step 4: what is below the threshold is 0, the rest has norm 1. */
static void
test_threshold(void)
{
	size_t bad = 0, early = 0, rose = 0;

	for (size_t run = 0; run < 30; run++) {
		const size_t p = 2 + run % 14;
		struct set *set = draw(40, p, 2, false, false);
		struct kith_immigrate_how how = usual(4, 60);
		struct told told = {0};
		struct kith_immigrate_fit fit;
		double *W = start(p, true), norm = 0, least = INFINITY;

		how.tol = 1e-7;
		how.threshold = 1 / (double)p;
		how.monotone = run % 3 == 0;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		for (size_t k = 0; k < p * p; k++) {
			norm += W[k] * W[k];
			if (W[k] != 0)
				least = fmin(least, W[k]);
		}
		bad += fabs(norm - 1) > 1e-12 || least < how.threshold ||
		    fit.end == KITH_IMMIGRATE_KEPT;
		early += fit.iterations < 30;
		for (size_t t = 1; t < told.n && how.monotone; t++)
			rose += told.trace[t].F > told.trace[t - 1].F;
		kith_pool_free(&pool);
	}
	is_size(bad, 0, "weights that are not cut, or not normalised");
	ok(early > 5, "%zu ended before half of the iterations", early);
	ok(rose <= 10, "monotone: at most one rise each (%zu)", rose);
}

/* Step 4 follows an early end at once, with its share of iterations. */
static void
test_phases(void)
{
	size_t early = 0, late = 0, wrong = 0;

	for (size_t run = 0; run < 60; run++) {
		const size_t p = 2 + run % 6;
		struct set *set = draw(30, p, 2, false, false);
		struct kith_immigrate_how how = usual(run % 2 ? 4 : 1, 22);
		struct kith_immigrate_fit plain, cut;
		double *W = start(p, true), *Z = start(p, true);

		how.tol = 1e-4;
		kith_immigrate(&set->rows, &how, W, &plain);
		how.threshold = 1 / (double)p;
		kith_immigrate(&set->rows, &how, Z, &cut);
		if (plain.iterations < 11) {
			early++;
			wrong += cut.iterations > plain.iterations + 11 ||
			    cut.iterations < plain.iterations + 2;
			late += cut.end == KITH_IMMIGRATE_LIMIT &&
			    cut.iterations == plain.iterations + 11;
		} else {
			wrong += cut.iterations < 11 + 2;
		}
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "iterations of Step 4");
	ok(early > 0 && late > 0, "%zu early, %zu of them to the end", early, late);
}

/* A threshold that nothing reaches. */
static void
test_nothing_left(void)
{
	struct set *set = draw(30, 4, 2, false, false);
	struct kith_immigrate_how how = usual(1, 4);
	struct kith_immigrate_fit fit;
	double *W = start(4, true);

	how.threshold = 1.5;
	kith_immigrate(&set->rows, &how, W, &fit);
	ok(fit.end == KITH_IMMIGRATE_KEPT && fit.iterations == 2, "threshold 1.5: the W before it");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_monotone();
	test_cycles();
	test_one_hot();
	test_constant();
	test_no_gradient();
	test_threshold();
	test_phases();
	test_nothing_left();
	test_wide_cycles();
	kith_pool_free(&pool);
	return done();
}
