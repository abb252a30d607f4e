/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/graph/prop_cv.h, against one run for each part, and of lists of
 * methods.
 */
#include "graph/prop_cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "graph/dense.h"
#include "table/fold.h"
#include "table/table.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 60 };

static struct kith_pool pool;
static struct kith_err err;
static struct kith_rng rng;
static struct kith_undirected g;
static uint32_t place[N];
static size_t y[N], part[N];
static double t[N];
static struct kith_table rows;
static struct kith_known known;

/* A graph with nodes that are apart, and labels of two of three rows. */
static void
make(bool classes)
{
	double W[N * N] = {0};

	draw(&rng, N, 0, 40, .05, W);
	draw(&rng, N, 42, N, .05, W);
	g = graph_of(N, W, &pool);
	for (size_t i = 0; i < N; i++) {
		const size_t at = (i * 7 + 3) % N;
		const bool lone = at == 40 || at == 41;
		const bool none = kith_rng_below(&rng, 3) == 0 && !lone;

		place[i] = (uint32_t)at;
		y[i] = none ? KITH_NO_CLASS : (at / 12 + kith_rng_below(&rng, 2)) % 3;
		t[i] = none ? NAN : (double)at + kith_rng_unit(&rng);
	}
	rows = (struct kith_table){.X = {.n = N}, .file = "rows"};
	rows.class.n = classes ? 3 : 0;
	rows.y = classes ? y : NULL;
	rows.t = classes ? NULL : t;
	kith_known_choose(&rows, 0, 1, &known, &pool);
}

static void
test_deal(void)
{
	static const size_t equal[] = {1, 1, 1, 1, 1};
	size_t of[N], due[N], m = 0, bad = 0;

	for (int classes = 0; classes < 2; classes++) {
		make(classes);
		ok(!kith_prop_cv_deal(&known, 5, 3, part, &err), "dealt");
		m = 0;
		for (size_t i = 0; i < N; i++)
			if (known.given[i])
				of[m++] = y[i];
		kith_fold_deal(classes ? of : NULL, m, classes ? 3 : 1, equal, 5, 3, due);
		m = 0;
		for (size_t i = 0; i < N; i++)
			bad += known.given[i] && part[i] != due[m++];
	}
	is_size(bad, 0, "rows that are in another part than alone");
	ok(!kith_prop_cv_deal(&known, known.count, 3, part, &err), "a row each");
	ok(kith_prop_cv_deal(&known, known.count + 1, 3, part, &err) == -1 &&
		err.status == EX_DATAERR && strcmp(err.file, "rows") == 0,
	    "more parts than labels");
	ok(strstr(err.msg, "--cv ") == err.msg && strstr(err.msg, " rows with a label"),
	    "says so: %s", err.msg);
}

/* The loss of all rows of one trial, by a run for each part. */
static double
plain_loss(const struct kith_prop_how *how, size_t parts, bool prior, size_t *unreached)
{
	double sum = 0;

	for (size_t one = 0; one < parts; one++) {
		struct kith_known some;
		struct kith_prop_run run;

		kith_known_without(&known, part, one, &some, &pool);
		kith_prop_run_pose(&g, place, &some, how, &run, &pool);
		kith_prop_run_solve(&run, NULL, 1, &pool);
		for (size_t i = 0; i < N; i++) {
			const bool reached = kith_prop_run_reaches(&run, i);

			if (!known.given[i] || part[i] != one)
				continue;
			*unreached += !reached;
			if (rows.t)
				sum += pow(kith_prop_run_number(&run, i) - t[i], 2);
			else if (reached || prior)
				sum += kith_prop_run_class(&run, i) != y[i];
			else
				sum++;
		}
	}
	return sum;
}

static void
test_trials(bool classes, bool prior)
{
	const double key[][2] = {{KITH_PROP_HARMONIC, NAN}, {KITH_PROP_SPREAD, .3},
	    {KITH_PROP_SPREAD, .9}, {KITH_PROP_POISSON, NAN}};
	const struct kith_prop_how how = {.threads = 1, .alpha = .5};
	const size_t trials = classes ? 4 : 3, parts = 4;
	struct kith_prop_cv_plan plan = {&g, place, &known, part, parts, prior};
	struct kith_prop_cv_doubts doubts;
	struct kith_trial trial[4] = {0};
	size_t unreached = 0;

	make(classes);
	(void)kith_prop_cv_deal(&known, parts, 2, part, &err);
	for (size_t s = 0; s < trials; s++)
		memcpy(trial[s].key, key[s], sizeof(key[s]));
	kith_prop_cv(&plan, &how, trial, trials, &doubts);
	for (size_t s = 0; s < trials; s++) {
		const struct kith_prop_how of = kith_prop_cv_how(&how, &trial[s]);
		const double loss = plain_loss(&of, parts, prior, &unreached);
		const double n = (double)known.count;

		is_size(trial[s].n, known.count, "labelled rows");
		is_near(trial[s].error, classes ? loss / n : sqrt(loss / n), 1e-12, "error");
		ok(trial[s].se > 0, "its standard error");
	}
	ok(doubts.solutions == trials * parts && doubts.uncertain == 0, "solutions");
	is_size(doubts.unreached, unreached, "rows that no label reaches");
	ok(unreached > 0, "there are some");
}

static void
test_how(void)
{
	const struct kith_prop_how how = {.method = KITH_PROP_HARMONIC, .alpha = .25, .threads = 3};
	const struct kith_trial a = {.key = {KITH_PROP_SPREAD, .75}};
	const struct kith_trial b = {.key = {KITH_PROP_SPREAD, NAN}};

	ok(kith_prop_cv_how(&how, &a).method == KITH_PROP_SPREAD &&
		kith_prop_cv_how(&how, &a).alpha == .75 && kith_prop_cv_how(&how, &a).threads == 3,
	    "those of a trial");
	ok(kith_prop_cv_how(&how, &b).alpha == .25, "or those of all");
}

static void
test_form(void)
{
	struct kith_trial k[3] = {{.key = {KITH_PROP_SPREAD, NAN}},
	    {.key = {KITH_PROP_SPREAD, NAN}}, {.key = {KITH_PROP_SPREAD, .5}}};
	struct kith_trial_form form = kith_prop_cv_form(true, k, 2);

	ok(form.keys == 1 && !form.key[0].name && form.regress, "neither column");
	form = kith_prop_cv_form(false, k, 3);
	ok(form.keys == 2 && !form.key[0].name && !form.regress &&
		strcmp(form.key[1].name, "alpha") == 0,
	    "alpha, where one has it");
	form = kith_prop_cv_form(false, k + 2, 1);
	ok(form.keys == 2 && !form.key[0].name, "of one trial, too");
	k[1].key[0] = KITH_PROP_POISSON;
	form = kith_prop_cv_form(false, k, 2);
	ok(form.keys == 1 && strcmp(form.key[0].name, "method") == 0 &&
		form.word[0] == kith_prop_name && form.first_counts && form.key[1].simple_is_large,
	    "methods, where there are several");
}

static void
test_list(void)
{
	enum kith_prop_method m[KITH_PROP_METHODS];

	ok(kith_prop_methods("spread", m) == 1 && m[0] == KITH_PROP_SPREAD, "one method");
	ok(kith_prop_methods("poisson,harmonic,spread,normalized", m) == 4 &&
		m[0] == KITH_PROP_POISSON && m[1] == KITH_PROP_HARMONIC &&
		m[2] == KITH_PROP_SPREAD && m[3] == KITH_PROP_NORMALIZED,
	    "all of them, in their order");
	ok(kith_prop_methods("", m) == 0 && kith_prop_methods(",", m) == 0 &&
		kith_prop_methods("spread,", m) == 0 && kith_prop_methods(",spread", m) == 0,
	    "no word is no method");
	ok(kith_prop_methods("spread,poisson,spread", m) == 0 &&
		kith_prop_methods("sprea", m) == 0 && kith_prop_methods("spreads", m) == 0 &&
		kith_prop_methods("Spread", m) == 0,
	    "nor is one twice, or another word");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_deal();
	for (int way = 0; way < 4; way++)
		test_trials(way & 1, way & 2);
	test_how();
	test_form();
	test_list();
	kith_pool_free(&pool);
	return done();
}
