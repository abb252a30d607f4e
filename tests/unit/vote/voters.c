/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/predict.h by hand: scales and progress of --cv.
 */
#include "vote/predict.h"

#include "ask.h"
#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "table/predicted.h"
#include "table/unit.h"
#include "tap.h"
#include "vote/ballot.h"
#include "vote/how.h"
#include "vote/vote.h"
#include "vote/votes.h"

#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 5 };

static struct kith_err err;
static double x[N] = {0, 1, 3, 7, 15};
static const size_t y[N] = {0, 1, 0, 1, 1};
static const struct kith_sample classes = {{N, 1, x}, y, 2, NULL, NULL};
static const double t[N] = {10, 20, 30, 40, 50};
static const size_t two[] = {2};

/* Units of the other rows, and a part that leaves none of these. */
static void
test_scale(void)
{
	static const int method[] = {KITH_UNIT_NONE, KITH_UNIT_MINMAX};
	static const size_t part[4] = {1, 0, 1, 1}, same[4] = {1, 1, 1, 1};
	double z[] = {0, 0, 5, 100, 4, 10, 8, 100};
	static char a[] = "a", b[] = "b", *column[] = {a, b};
	const struct kith_names name = {.name = column, .n = 2};
	const struct kith_origin from = {.feature = &name};
	const struct kith_sample known = {{4, 2, z}, NULL, 0, t, &from};
	const struct kith_metric plain = {KITH_SQUARED, 2, NULL};
	struct kith_predict_how how = how_of(&kith_vote_majority, (size_t[]){1});
	struct kith_pool pool = {0};
	struct kith_predicted out;

	how.metric = &plain;
	how.scale = KITH_UNIT_MINMAX;
	ok(!kith_predict_cv(&known, &how, part, 1, &out, &pool, &err), "cv");
	ok(out.t[1] == 40, "in the units of the others");
	ok(out.t[0] == 0, "parts that are not asked for");
	for (size_t i = 0; i < 2; i++) {
		how.scale = method[i];
		ok(kith_predict_cv(&known, &how, same, 2, &out, &pool, &err) < 0 &&
			err.status == EX_DATAERR,
		    "one part");
		is_text(err.msg, "a part has all rows", "leaves none");
	}
	kith_pool_free(&pool);
}

static void
weigh_and_tell(void *begun, const struct kith_voters *by, double *v)
{
	(void)begun;
	ask();
	for (size_t i = 0; i < by->k; i++)
		v[i] = 1;
}

/* What --cv says of its progress while the first and last rows are voted on. */
static void
test_progress(void)
{
	static const struct kith_vote telling = {.weigh = weigh_and_tell};
	static const size_t part[N] = {0, 1, 2, 1, 1};
	const struct kith_predict_how how = how_of(&telling, two);
	struct kith_pool pool = {0};
	struct kith_predicted out;
	char text[4096] = "";
	size_t used = 0;
	ssize_t got;
	int fd[2];

	fflush(stdout);
	if (pipe(fd) == 0 && fork() == 0) {
		dup2(fd[1], STDERR_FILENO);
		kith_progress_begin("t");
		kith_predict_cv(&classes, &how, part, 3, &out, &pool, &err);
		ask();
		_exit(0);
	}
	close(fd[1]);
	wait(NULL);
	while ((got = read(fd[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	close(fd[0]);
	ok(strncmp(text, "t: cross-validation, 0 of 3 parts; votes, 0 of 1 rows", 53) == 0,
	    "the first part");
	ok(strstr(text, "t: cross-validation, 1 of 3 parts; votes, 0 of 3 rows"), "the second");
	ok(strstr(text, "t: cross-validation, 2 of 3 parts; votes, 0 of 1 rows"), "the last");
	got = (ssize_t)strlen(text);
	while (got > 1 && text[got - 2] != '\n')
		got--;
	ok(got > 1 && !strstr(text + got - 1, "parts"), "and no more: %s",
	    got > 0 ? text + got - 1 : "");
}

int
main(void)
{
	test_scale();
	test_progress();
	return done();
}
