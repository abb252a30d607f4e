/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/cv.h and lib/immigrate/sample.h: against fits and
 * predictions of the parts, one by one, and the rows that are dealt.
 */
#include "immigrate/cv.h"

#include "base/err.h"
#include "base/names.h"
#include "immigrate/data.h"
#include "immigrate/expect.h"
#include "immigrate/sample.h"
#include "scratch.h"
#include "table/fold.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/unit.h"
#include "tap.h"
#include "text/out.h"

enum { PARTS = 3, SIGMAS = 2 };

static struct kith_err err;
static struct kith_names feature;
static const struct kith_origin from = {.feature = &feature};

static void
name_features(void)
{
	static char letter[8][2] = {"a", "b", "c", "d", "e", "f", "g", "h"};
	static char *name[8];

	for (size_t j = 0; j < 8; j++)
		name[j] = letter[j];
	feature = (struct kith_names){.n = 8, .name = name};
}

/* Rows of a set that are in a part, or are not. */
static struct set *
some_of(const struct set *set, const size_t *part, size_t k, bool inside, size_t *row)
{
	struct set *some = kith_new(&pool, 1, sizeof(*some));
	size_t n = 0;

	some->y = kith_new(&pool, set->X.n, sizeof(*some->y));
	some->weight = kith_new(&pool, set->X.n, sizeof(*some->weight));
	for (size_t i = 0; i < set->X.n; i++)
		if ((part[i] == k) == inside) {
			some->y[n] = set->y[i];
			some->weight[n] = set->weight[i];
			row[n++] = i;
		}
	some->X = kith_mat_rows(&set->X, row, n, &pool);
	some->rows = (struct kith_immigrate_rows){
	    &some->X, some->y, set->rows.c, set->rows.weight ? some->weight : NULL};
	return some;
}

/* The losses of the rows of one part, and how its fit ended; 1: it failed. */
static size_t
plain_part(const struct set *set, struct kith_immigrate_fit_how how,
    const struct kith_immigrate_cv_plan *plan, size_t k, double *loss,
    struct kith_immigrate_cv_ends *ends)
{
	size_t row[200] = {0}, out[200] = {0};
	struct set *test = some_of(set, plan->part, k, true, row);
	struct set *known = some_of(set, plan->part, k, false, out);
	struct kith_immigrate_fitted fit;
	struct kith_unit unit;
	double *V = kith_new(&pool, test->X.n + 1, set->rows.c * sizeof(*V));

	if (kith_unit_scale(plan->scale, &known->X, &from, &test->X, &from, &unit, &pool, &err) ||
	    kith_immigrate_fit_run(&known->rows, &how, &fit, &pool, &err))
		return 1;
	ends->fits++;
	ends->cycles += fit.fit.end == KITH_IMMIGRATE_CYCLE;
	ends->kept += fit.fit.end == KITH_IMMIGRATE_KEPT;
	ends->limits += fit.fit.end == KITH_IMMIGRATE_LIMIT;
	if (fit.column) {
		known->X = kith_mat_take(&known->X, fit.column, fit.metric.p, &pool);
		test->X = kith_mat_take(&test->X, fit.column, fit.metric.p, &pool);
	}
	kith_expect_distances(
	    &(struct kith_expect){&known->X, known->y, set->rows.c, &fit.metric, fit.sigma.value},
	    &test->X, NULL, 1, V);
	for (size_t i = 0; i < test->X.n; i++)
		loss[row[i]] = kith_expect_class(V + i * set->rows.c, set->rows.c) != test->y[i];
	return 0;
}

static bool
same_ends(const struct kith_immigrate_cv_ends *a, const struct kith_immigrate_cv_ends *b)
{
	return a->fits == b->fits && a->cycles == b->cycles && a->kept == b->kept &&
	    a->limits == b->limits;
}

/* Each part is predicted from the others, at each scale. */
static void
test_cv(enum kith_immigrate_fit_method method, int scale)
{
	struct kith_immigrate_cv_ends all = {0};
	size_t odd = 0, errors = 0, all_failed = 0;

	for (size_t run = 0; run < 12; run++) {
		const double sigma[SIGMAS] = {run % 3 ? .02 : 0, 2};
		const size_t p = 3 + run % 3, n = 30 + run;
		struct set *set = draw(n, p, 2 + run % 2, false, run % 2);
		struct kith_immigrate_fit_how how = {
		    .method = method, .how = usual(1, 30), .most = 9};
		size_t *part = kith_new(&pool, n, sizeof(*part));
		const struct kith_immigrate_cv_plan plan = {
		    part, PARTS, sigma, SIGMAS, scale, &from};
		struct kith_immigrate_cv_ends got, due = {0};
		struct kith_trial trial[SIGMAS], one;
		size_t failed, fails = 0;

		how.how.tol = 1e-6;
		how.how.threads = 1 + run % 3;
		set->rows.weight = run % 2 ? set->weight : NULL;
		for (size_t i = 0; i < n; i++)
			part[i] = kith_rng_below(&rng, PARTS);
		failed = kith_immigrate_cv(&set->rows, &how, &plan, trial, &got, &err) != 0;
		for (size_t s = 0; s < SIGMAS; s++) {
			double *loss = kith_new(&pool, n, sizeof(*loss));

			how.how.sigma = sigma[s];
			for (size_t k = 0; k < PARTS; k++)
				fails += plain_part(set, how, &plan, k, loss, &due);
			one = (struct kith_trial){.key = {sigma[s]}};
			kith_trial_rows(loss, part, n, PARTS, false, &one);
			odd += !failed &&
			    (trial[s].errors != one.errors || trial[s].n != n ||
				trial[s].key[0] != sigma[s] || trial[s].error != one.error ||
				trial[s].se != one.se);
			errors += one.errors;
		}
		odd += failed ? fails == 0 : fails > 0 || !same_ends(&got, &due);
		all_failed += failed;
		all.cycles += got.cycles;
		all.limits += got.limits;
		kith_pool_free(&pool);
	}
	is_size(odd, 0, "trials or ends that are not those of the parts");
	ok(errors > 0 && all_failed < 6 &&
		(method == KITH_IMMIGRATE_FIT_IM4E || all.cycles + all.limits > 0),
	    "%zu errors, %zu cycles, %zu limits, %zu fail", errors, all.cycles, all.limits,
	    all_failed);
}

/* Parts without rows, with all rows, and what is known of one class. */
static void
test_parts(void)
{
	double x[] = {0, 1, 2, 3, 4, 5}, sigma = 1;
	const size_t y[] = {0, 0, 0, 1, 1, 1};
	size_t part[] = {0, 0, 0, 2, 2, 2};
	const struct kith_mat X = {6, 1, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_immigrate_fit_how how = {.how = usual(1, 5)};
	const struct kith_immigrate_cv_plan plan = {part, PARTS, &sigma, 1, KITH_UNIT_NONE, &from};
	struct kith_immigrate_cv_ends ends;
	struct kith_trial trial;

	ok(kith_immigrate_cv(&rows, &how, &plan, &trial, &ends, &err) == 0 && trial.errors == 6 &&
		trial.n == 6 && ends.fits == 0,
	    "the one class that is known is wrong for all");
	part[2] = 1;
	part[3] = 1;
	ok(kith_immigrate_cv(&rows, &how, &plan, &trial, &ends, &err) == 0 && ends.fits == 3 &&
		trial.errors == 0,
	    "near rows of both classes");
	for (size_t i = 0; i < 6; i++)
		part[i] = 1;
	ok(kith_immigrate_cv(&rows, &how, &plan, &trial, &ends, &err) == -1 &&
		err.status == EX_DATAERR,
	    "a part of all rows");
	is_text(err.msg, "a part has all rows", "which is said");
	ok(ends.fits == 0, "no fits");
}

/* A part whose columns do not fit once they are scaled. */
static void
test_scale(void)
{
	double x[] = {0, 1e-300, 2e-300, 3e-300, 1e300, 5e-300}, sigma = 1;
	const size_t y[] = {0, 1, 0, 1, 0, 1};
	const size_t part[] = {0, 0, 1, 1, 2, 2};
	const struct kith_mat X = {6, 1, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_immigrate_fit_how how = {.how = usual(1, 5)};
	const struct kith_immigrate_cv_plan plan = {
	    part, PARTS, &sigma, 1, KITH_UNIT_MINMAX, &from};
	struct kith_immigrate_cv_ends ends;
	struct kith_trial trial;

	ok(kith_immigrate_cv(&rows, &how, &plan, &trial, &ends, &err) == -1 &&
		err.status == EX_DATAERR && strstr(err.msg, "\"a\""),
	    "%s", err.msg);
}

static void
test_table(void)
{
	const struct kith_trial trial[] = {
	    {.key = {.5}, .n = 4, .errors = 1, .error = .25, .se = .5},
	    {.key = {8}, .n = 4, .errors = 2, .error = .5, .se = .25}};
	struct kith_trial word = trial[0];
	const char *path = scratch_text(0, "");
	const struct kith_dest to = {.path = path};
	static const char *const due[] = {"sigma\tn\terrors\terror\tse\n0.5\t4\t1\t0.25\t0.5\n"
					  "8\t4\t2\t0.5\t0.25\n",
	    "sigma\tn\terrors\terror\tse\nauto\t4\t1\t0.25\t0.5\n"};
	struct kith_out out;

	word.key[0] = 0;
	for (size_t k = 0; k < 2; k++) {
		char text[200] = "";
		FILE *f;

		ok(kith_immigrate_cv_table(k ? &word : trial, k ? 1 : 2, &to, &out, &err) == 0 &&
			kith_out_close_alone(&out, NULL, &err) == 0,
		    "trials");
		f = fopen(path, "r");
		if (f) {
			text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
			fclose(f);
		}
		is_text(text, due[k], k ? "a scale of the rows" : "of scales");
	}
	ok(kith_trial_choose(&kith_immigrate_cv_form, trial, 2, KITH_BEST_SE) == 1,
	    "the larger scale is the simpler one");
}

/* The rows of a table that are dealt to a sample, with all that is theirs. */
static void
test_sample(bool numbered, bool weighted)
{
	enum { N = 23, M = 9 };
	double *x = kith_new(&pool, N, sizeof(*x)), weight[N];
	size_t y[N], number[N], part[N], at = 0, odd = 0;
	const size_t shares[] = {M, N - M};
	struct kith_table t = {.X = {N, 1, x}, .y = y, .class = {.n = 3}};
	char id[8];

	t.id_name = numbered ? "id" : NULL;
	for (size_t i = 0; i < N; i++) {
		const struct kith_cell cell = {id, 2, false};

		x[i] = (double)i;
		y[i] = i % 3;
		weight[i] = (double)i / 2;
		number[i] = 100 + 3 * i;
		id[0] = (char)('a' + i);
		id[1] = 'x';
		id[2] = '\0';
		kith_texts_add(&t.id, &cell, &pool);
	}
	t.number = numbered ? number : NULL;
	t.weight = weighted ? weight : NULL;
	kith_fold_deal(y, N, 3, shares, 2, 5, part);
	ok(kith_immigrate_sample(&t, M, 5, &pool, &err) == 0 && t.X.n == M && t.read_y == y,
	    "a sample of the rows");
	for (size_t i = 0; i < N && at < t.X.n; i++) {
		if (part[i] != 0)
			continue;
		odd += t.X.v[at] != x[i] || t.y[at] != i % 3 ||
		    t.number[at] != (numbered ? 100 + 3 * i : i + 1) ||
		    (weighted && t.weight[at] != weight[i]);
		odd += numbered && *kith_texts_at(&t.id, at).s != (char)('a' + i);
		at++;
	}
	is_size(odd, 0, "rows that are not those dealt");
	is_size(at, M, "in their order");
	ok(weighted == (t.weight != NULL), "weights");
	for (size_t k = 0; k < M && weighted; k++)
		t.weight[k] = 0;
	t.file = "rows.csv";
	if (weighted)
		ok(kith_immigrate_sample(&t, 2, 5, &pool, &err) == -1 && err.status == EX_DATAERR &&
			strcmp(err.file, "rows.csv") == 0 && t.read_y == y,
		    "%s", err.msg);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 8, KITH_RNG_SAMPLE, 0);
	name_features();
	test_cv(KITH_IMMIGRATE_FIT_IMMIGRATE, KITH_UNIT_NONE);
	test_cv(KITH_IMMIGRATE_FIT_IM4E, KITH_UNIT_ZSCORE);
	test_cv(KITH_IMMIGRATE_FIT_SELECTED, KITH_UNIT_MINMAX);
	test_parts();
	test_scale();
	test_table();
	test_sample(false, false);
	test_sample(true, true);
	return done();
}
