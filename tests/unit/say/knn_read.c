/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/knn_read.h: which tables and weights a run is given, and which
 * do not fit.
 */
#include "say/knn_read.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/call.h"
#include "cli/opt_given.h"
#include "said.h"
#include "say/knn_run.h"
#include "scratch.h"
#include "table/roles.h"
#include "tap.h"
#include "vote/votes.h"

#include <math.h>

static struct kith_err error;
static const char *sigma;
static struct kith_how how = {.target = "y"};

static bool given;
static size_t idle;

/* These stand in place of those of cli: whether sigma was given, and is idle. */
bool
kith_given(const void *place)
{
	return place == &sigma && given;
}

void
kith_unused(const void *place, const char *with)
{
	(void)with;
	idle += place == &sigma;
}

static const char known[] = "a\tb\ty\n1\t2\tu\n3\t5\tv\n2\t9\tu\n";
static const char bare[] = "b\ta\n7\t8\n";
static const char one_class[] = "a\tb\ty\n1\t2\tu\n3\t5\tu\n";
static const char pair[] = "feature1\tfeature2\tweight_abs\nb\tb\t2\n";
static const char two[] = "learner\talpha\tsigma\tfeature1\tfeature2\tweight_abs\n"
			  "1\t2\t.5\ta\ta\t3\n2\t1\t.25\tb\tb\t4\n";

/* Read these files (train, weights: NULL: none) into a run that is begun. */
static int
input(const char *train, const char *rows, const char *weights, struct kith_knn_run *r)
{
	const char *const files[] = {scratch_text(1, rows), NULL};
	const struct kith_knn_files from = {
	    train ? scratch_text(0, train) : NULL, files, &how, &sigma};

	r->train = train != NULL;
	r->shard = (struct kith_shard){1, 1};
	if (!r->how.vote)
		r->how.vote = &kith_vote_majority;
	r->weights_file = weights ? scratch_text(2, weights) : NULL;
	return kith_knn_read(r, &from, &error);
}

static void
test_tables(void)
{
	struct kith_knn_run r = {0};

	ok(input(known, bare, NULL, &r) == 0 && r.known.X.n == 3 && r.asked.X.n == 1 &&
		!r.asked.y && !r.weights.metric.w && r.weights.metric.p == 2,
	    "other rows without a target");
	is_near(r.asked.X.v[0], 8, 0, "whose features have their names");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.print = KITH_KNN_ERRORS};
	ok(input(known, bare, NULL, &r) && error.line == 1 && strstr(error.msg, "\"y\": not found"),
	    "have no errors");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.print = KITH_KNN_ERRORS};
	ok(input(known, known, NULL, &r) == 0 && r.asked.y[1] == 1, "which others have");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.loo = true};
	ok(input(NULL, known, NULL, &r) == 0 && r.known.X.n == 3 && r.asked.X.n == 0, "rows alone");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.loo = true};
	ok(input(NULL, one_class, NULL, &r) && error.status == EX_DATAERR, "of one class");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){0};
	ok(input(one_class, bare, NULL, &r) == 0, "as they are of others");
	kith_pool_free(&r.pool);
}

static void
test_weights(void)
{
	double share = 10;
	struct kith_knn_run r = {.shares = {1, &share}};

	ok(input(known, bare, pair, &r) && error.line == 0 &&
		strcmp(error.file, r.weights_file) == 0,
	    "a matrix has no share");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.shares = {1, &share}};
	ok(input(known, bare, "feature\tweight_abs\nb\t2\n", &r) == 0 &&
		r.weights.metric.kind == KITH_ABSOLUTE,
	    "a vector has");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){0};
	ok(input(known, bare, pair, &r) == 0 && r.known.X.p == 1 && r.asked.X.p == 1 &&
		r.weights.metric.p == 1,
	    "a matrix of one feature");
	is_near(r.asked.X.v[0], 7, 0, "of the rows, too");
	kith_pool_free(&r.pool);
}

static void
test_learners(void)
{
	struct kith_knn_run r = {
	    .how.vote = &kith_vote_expected, .how.sigma = {KITH_SIGMA_FIXED, 3}};

	ok(input(known, bare, two, &r) == 0 && r.ensemble.boosted && r.ensemble.n == 2 &&
		r.known.X.p == 2,
	    "two learners");
	is_size(idle, 1, "have bandwidths of their own");
	ok(fabs(r.ensemble.learner[1].alpha - 1) < 1e-9 &&
		fabs(r.ensemble.learner[0].sigma - .5) < 1e-9 &&
		r.weights.metric.w == r.ensemble.learner[0].metric.w,
	    "the first stands for both");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){
	    .how.vote = &kith_vote_expected, .how.sigma = {KITH_SIGMA_FIXED, 3}};
	ok(input(known, bare, pair, &r) == 0 && !r.ensemble.boosted && r.known.X.p == 1 &&
		r.asked.X.p == 1 && fabs(r.weights.metric.w[0] - 2) < 1e-9 &&
		fabs(r.how.sigma.value - 3) < 1e-9,
	    "a matrix is one");
	kith_pool_free(&r.pool);
	r = (struct kith_knn_run){.how.vote = &kith_vote_expected};
	how.task = KITH_REGRESS;
	ok(input("a\tb\ty\n1\t2\t3\n3\t4\t5\n", bare, two, &r) &&
		strstr(error.msg, "predict classes"),
	    "several are of classes");
	how.task = 0;
	kith_pool_free(&r.pool);
}

int
main(void)
{
	test_tables();
	test_weights();
	test_learners();
	return done();
}
