/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of kith_svm_best(), lib/wsvmpath/measure.h: which interval is the best, and which the
 * simplest within a standard error.
 */
#include "base/pool.h"
#include "table/trial.h"
#include "tap.h"
#include "wsvmpath/measure.h"
#include "wsvmpath/task.h"

static struct kith_svm_options call;
static struct kith_pool pool;

/* theta, half the width, value, se */
static void
add(struct kith_svm_intervals *all, double theta, double half, double value, double se)
{
	const struct kith_svm_interval it = {
	    .from = theta - half, .to = theta + half, .theta = theta, .value = value, .se = se};

	all->v = kith_more(&pool, all->v, all->n, &all->capacity, sizeof(*all->v));
	all->v[all->n++] = it;
}

static double
best(const struct kith_svm_intervals *all, int measure, int how)
{
	call.measure = measure;
	call.best = how;
	return kith_svm_best(&call, all)->theta;
}

static void
test_best(void)
{
	struct kith_svm_intervals all = {.pool = &pool};

	add(&all, .25, .0625, .5, .25);
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST) == .25, "the only one");
	add(&all, .5, .0625, .25, .125);
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST) == .5, "the smaller error");
	ok(best(&all, KITH_SVM_NDCG, KITH_BEST) == .25, "the larger NDCG");
	add(&all, .625, .125, .25, .25);
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST) == .625, "the wider one");
	ok(best(&all, KITH_SVM_SQUARED, KITH_BEST) == .5, "squared: the first, however wide");
	add(&all, .875, .125, .25, .25);
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST) == .625, "the first of equal ones");
}

static void
test_simplest(void)
{
	struct kith_svm_intervals all = {.pool = &pool};

	call.from = "weight";
	call.to = "10";
	add(&all, .125, .0625, .5, .5);
	add(&all, .25, .0625, .375, .5);
	add(&all, .5, .125, .25, .125);
	add(&all, .75, .0625, .25, .5);
	add(&all, .875, .0625, .375, .5);
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST_SE) == .25,
	    "no C: the smallest theta within the error of the best, the "
	    "widest");
	call.from = "1";
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST_SE) == .25, "C grows: the smallest");
	call.from = "20";
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST_SE) == .875, "C shrinks: the last");
	call.from = "10";
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST_SE) == .25, "C stays: the smallest theta");
	all.v[2].se = NAN;
	ok(best(&all, KITH_SVM_ERROR, KITH_BEST_SE) == .5, "an error that is not known is none");
	call.from = "1";
	add(&all, .96875, .015625, .75, .25);
	ok(best(&all, KITH_SVM_NDCG, KITH_BEST_SE) == .125,
	    "NDCG: the least C of those not below the largest less its error");
}

int
main(void)
{
	test_best();
	test_simplest();
	kith_pool_free(&pool);
	return done();
}
