/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/vote/predict.h and lib/vote/prior.h by hand: who voted, lists and
 * pairs that are known before, bandwidths of radii, scales and progress of
 * --cv, and what is said where nobody votes.
 */
#include "vote/predict.h"
#include "vote/prior.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "nnk/pairs.h"
#include "table/ends.h"
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
static const double t[N] = {10, 20, 30, 40, 50};
static const struct kith_sample classes = {{N, 1, x}, y, 2, NULL, NULL};
static const struct kith_sample numbers = {{N, 1, x}, NULL, 0, t, NULL};
static const size_t two[] = {2}, all[] = {KITH_ALL_WITHIN};

/* Whether these voted on a row, so far away and so much. */
static bool
voted(const struct kith_voted_list *list, size_t n, const size_t *row, const double *distance,
    const double *share)
{
	bool same = list->n == n;

	for (size_t j = 0; j < n && same; j++)
		same = list->v[j].row == row[j] && list->v[j].distance == distance[j] &&
		    fabs(list->v[j].share - share[j]) < 1e-15;
	return same;
}

static void
test_voted(void)
{
	static const size_t part[N] = {0, 1, 0, 1, 0};
	struct kith_predict_how how = how_of(&kith_vote_distance, two);
	struct kith_pool pool = {0};
	struct kith_predicted out;
	double zs[] = {2.5, 20};
	const struct kith_mat Z = {2, 1, zs};

	how.voted = true;
	ok(!kith_predict(&classes, &how, &Z, &out, &pool, &err), "predict");
	ok(voted(&out.voted[0], 2, (size_t[]){2, 1}, (double[]){.5, 1.5}, (double[]){.75, .25}),
	    "the two nearest, and their shares");
	ok(voted(&out.voted[1], 2, (size_t[]){4, 3}, (double[]){5, 13},
	       (double[]){13. / 18, 5. / 18}),
	    "those of the next row");
	ok(!kith_predict_cv(&classes, &how, part, 2, &out, &pool, &err), "cv");
	ok(voted(&out.voted[1], 2, (size_t[]){0, 2}, (double[]){1, 2}, (double[]){2. / 3, 1. / 3}),
	    "rows of the other part, as the table counts them");
	ok(voted(&out.voted[4], 2, (size_t[]){3, 1}, (double[]){8, 14},
	       (double[]){14. / 22, 8. / 22}),
	    "and of the first");
	how.radius = (double[]){1};
	how.k = all;
	ok(!kith_predict_loo(&classes, &how, &out, &pool, &err), "a radius");
	ok(voted(&out.voted[0], 1, (size_t[]){1}, (double[]){1}, (double[]){1}) &&
		out.voted[2].n == 0 && out.unreached == 3,
	    "those within; three rows have none");
	kith_pool_free(&pool);
}

/* Lists that are known before, in place of a search. */
static void
test_lists(void)
{
	struct kith_neighbour nn[] = {{4, 4}, {0, 9}, {3, 1}, {1, 1}, {2, 16}};
	size_t start[] = {0, 2, 5};
	const struct kith_ends from = {.n = 9, .read = 9};
	struct kith_predict_near near = {{start, nn}, "lists.tsv", &from, 3, NULL};
	struct kith_predict_how how = how_of(&kith_vote_majority, two);
	struct kith_pool pool = {0};
	struct kith_predicted out;
	double zs[] = {1, 2};
	const struct kith_mat Z = {2, 1, zs};

	how.near = &near;
	ok(!kith_predict(&numbers, &how, &Z, &out, &pool, &err), "lists");
	ok(out.t[0] == 30 && out.t[1] == 30, "the first two of each vote");
	ok(!out.search.search, "no search");
	how.k = (size_t[]){3};
	ok(kith_predict(&numbers, &how, &Z, &out, &pool, &err) < 0, "three");
	is_text(err.msg, "-k 3: row '4' has only 2 candidates", "are too many");
	ok(err.status == EX_DATAERR && strcmp(err.file, "lists.tsv") == 0, "of the file");
	how.radius = (double[]){3};
	how.k = all;
	ok(!kith_predict(&numbers, &how, &Z, &out, &pool, &err), "a radius");
	ok(out.t[0] == 30 && out.t[1] == 30, "those within it");
	how.vote = &kith_vote_distance;
	nn[2].d = -1;
	ok(kith_predict(&numbers, &how, &Z, &out, &pool, &err) < 0, "a distance below 0");
	kith_pool_free(&pool);
}

/* Pairs: rows have no features at all. */
static void
test_pairs(void)
{
	struct kith_neighbour nn[] = {{1, 4}, {2, 36}, {0, 4}, {0, 36}};
	size_t start[] = {0, 2, 3, 4};
	const struct kith_sample known = {{3, 1, NULL}, y, 2, NULL, NULL};
	const struct kith_pairs pairs = {.graph = {.m = 3}, .start = start, .nn = nn};
	const struct kith_predict_near near = {{start, nn}, "p", NULL, 0, &pairs};
	struct kith_predict_how how = how_of(&kith_vote_kernel, (size_t[]){1});
	struct kith_pool pool = {0};
	struct kith_predicted out;

	how.near = &near;
	how.voted = how.share = true;
	ok(!kith_predict_loo(&known, &how, &out, &pool, &err), "pairs");
	is_near(out.sigma[0], 10. / 9, 1e-15, "a third of 2, 2 and 6");
	ok(voted(&out.voted[2], 1, (size_t[]){0}, (double[]){6}, (double[]){1}), "at its distance");
	ok(out.y[0] == 1 && out.y[1] == 0 && out.y[2] == 0, "the nearest");
	how.radius = (double[]){6};
	how.k = all;
	ok(!kith_predict_loo(&known, &how, &out, &pool, &err), "a radius");
	is_near(out.sigma[0], 2, 1e-15, "a third of it");
	ok(out.voted[0].n == 2, "both are within");
	is_near(out.share[1], 1 / (1 + exp(-32. / 8)), 1e-15, "their shares");
	how.vote = &kith_vote_distance;
	ok(!kith_predict_loo(&known, &how, &out, &pool, &err), "by distance");
	is_near(out.sigma[0], 0, 0, "without a bandwidth");
	kith_pool_free(&pool);
}

/* A bandwidth where the radius alone limits who votes. */
static void
test_radius(void)
{
	static const double radius[] = {6, 0}, far[] = {DBL_MAX, 6};
	const size_t none[] = {KITH_ALL_WITHIN, KITH_ALL_WITHIN};
	struct kith_predict_how how = how_of(&kith_vote_kernel, none);
	struct kith_pool pool = {0};
	struct kith_predicted out;

	how.nk = 2;
	how.radius = radius;
	is_size(kith_predict_asks(&how, 100, 7), 7, "asks for those alone");
	ok(!kith_predict_loo(&numbers, &how, &out, &pool, &err), "auto");
	ok(out.sigma[0] == 2 && out.sigma[1] == 1, "a third; of nothing 1");
	how.sigma.rule = KITH_SIGMA_LOCAL;
	ok(!kith_predict_loo(&numbers, &how, &out, &pool, &err), "local");
	ok(out.sigma[0] == 0, "of each row");
	is_near(out.t[0], (20 + 30 * exp(-4)) / (1 + exp(-4)), 1e-15,
	    "a third of the distance to the last");
	how.sigma = (struct kith_sigma){KITH_SIGMA_FIXED, .75};
	ok(!kith_predict_loo(&numbers, &how, &out, &pool, &err), "fixed");
	ok(out.sigma[0] == .75 && out.sigma[1] == .75, "as it was said");
	how.sigma.rule = KITH_SIGMA_MEDIAN;
	how.radius = far;
	ok(!kith_predict_loo(&numbers, &how, &out, &pool, &err), "no limit");
	ok(out.sigma[0] == DBL_MAX / 3 && out.sigma[1] == 2, "of the largest number");
	is_near(out.t[0], 35, 1e-15, "all others vote alike");
	how.k = two;
	how.nk = 1;
	how.radius = radius;
	is_size(kith_predict_asks(&how, 100, 7), 107, "asks for a sample, too");
	kith_pool_free(&pool);
}

/* Large numbers: bandwidths grow with them. */
static void
test_large(void)
{
	static const int rule[] = {KITH_SIGMA_FIXED, KITH_SIGMA_AUTO, KITH_SIGMA_LOCAL};
	struct kith_pool pool = {0};
	struct kith_predicted out, due;
	double far[N], radius = 6;
	struct kith_predict_how how = how_of(&kith_vote_kernel, all);
	struct kith_sample known = numbers;

	how.radius = &radius;
	for (size_t i = 0; i < N; i++)
		far[i] = x[i] * 0x1p450;
	for (size_t i = 0; i < 3; i++) {
		bool same = true;

		how.sigma.rule = rule[i];
		radius = 6;
		how.sigma.value = .75;
		known.X.v = x;
		same &= !kith_predict_loo(&known, &how, &due, &pool, &err);
		radius *= 0x1p450;
		how.sigma.value *= 0x1p450;
		known.X.v = far;
		same &= !kith_predict_loo(&known, &how, &out, &pool, &err);
		same &= out.sigma[0] == due.sigma[0] * 0x1p450;
		for (size_t j = 0; j < N; j++)
			same &= out.t[j] == due.t[j] || (isnan(out.t[j]) && isnan(due.t[j]));
		ok(same, "bandwidths of large numbers, rule %d", rule[i]);
	}
	kith_pool_free(&pool);
}

static void
test_prior(void)
{
	const struct kith_sample tied = {{4, 1, x}, y, 3, NULL, NULL};
	struct kith_pool pool = {0};
	struct kith_vote_prior prior = kith_vote_prior_new(&tied, &pool);
	double share[3];

	is_size(kith_vote_prior_class(&prior, SIZE_MAX, share), 0, "a tie");
	ok(share[0] == .5 && share[1] == .5 && share[2] == 0, "by halves");
	is_size(kith_vote_prior_class(&prior, 0, share), 1, "without the first");
	is_near(share[0], 1. / 3, 1e-15, "a third is left");
	is_size(kith_vote_prior_class(&prior, 3, NULL), 0, "without the last");
	prior = kith_vote_prior_new(&numbers, &pool);
	is_near(kith_vote_prior_mean(&prior, SIZE_MAX), 30, 0, "mean of all");
	is_near(kith_vote_prior_mean(&prior, 0), 35, 0, "without the first");
	is_near(kith_vote_prior_mean(&prior, 2), 30, 0, "one in the middle");
	is_near(kith_vote_prior_mean(&prior, 4), 25, 0, "and the last");
	kith_pool_free(&pool);
}

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
	how.voted = true;
	how.scale = KITH_UNIT_MINMAX;
	ok(!kith_predict_cv(&known, &how, part, 1, &out, &pool, &err), "cv");
	ok(out.voted[1].v[0].row == 3 && out.voted[1].v[0].distance == .375,
	    "in the units of the others");
	ok(!out.voted[0].v, "parts that are not asked for");
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
	raise(SIGUSR1);
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
		raise(SIGUSR1);
		_exit(0);
	}
	close(fd[1]);
	while ((got = read(fd[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	wait(NULL);
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
	test_voted();
	test_lists();
	test_pairs();
	test_radius();
	test_large();
	test_prior();
	test_scale();
	test_progress();
	return done();
}
