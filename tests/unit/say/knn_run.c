/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/knn_run.h: predictions, votes, errors and choices, against
 * distances that are sorted row by row.
 */
#include "say/knn_run.h"

#include "knn_plain.h"
#include "table/fold.h"
#include "table/trial.h"

/* All rows of Z, for each k; and the same by shards. */
static void
test_predictions(bool numbers)
{
	const char *const header = "id\tpredicted_1\tpredicted_3\tpredicted_5\n";
	struct kith_knn_run r = run_of(numbers);
	double due[M * (1 + KS)];
	size_t n = 0;

	for (size_t i = 0; i < M; i++) {
		const struct one one = one_of(Z + i * P);

		due[n++] = (double)(i + 1);
		for (size_t a = 0; a < KS; a++)
			due[n++] = plain(&one, ks[a], INFINITY, numbers);
	}
	prints_cells(run(&r), header, due, n, "predictions");
	kith_pool_free(&r.pool);
	n = 0;
	for (size_t i = 1; i <= 4; i++) {
		const size_t rows = i * M / 4 - (i - 1) * M / 4;

		r = run_of(numbers);
		r.shard = (struct kith_shard){i, 4};
		prints_cells(run(&r), header, due + n, rows * (1 + KS), "of a shard");
		n += rows * (1 + KS);
		kith_pool_free(&r.pool);
	}
	is_size(n, (size_t)M * (1 + KS), "the shards are all rows");
}

/* What a row of the known, or of Z, loses where this is predicted. */
static double
loss_of(size_t i, bool asked, bool numbers, double predicted)
{
	if (numbers)
		return pow(predicted - (asked ? u[i] : t[i]), 2);
	if (asked && own[i] == KITH_NO_CLASS)
		return NAN;
	return (size_t)predicted != (asked ? own[i] : y[i]);
}

/* The trial of one k, on the rows of Z, or on the known, which fall into parts. */
static size_t
judge(size_t k, const double *v, const size_t *part, bool asked, bool numbers, double *due)
{
	const size_t n = asked ? M : N;
	double loss[N];

	for (size_t i = 0; i < n; i++) {
		struct one one = one_of((asked ? Z : X) + i * P);

		memcpy(one.w, v, sizeof(one.w));
		for (size_t l = 0; l < N && !asked; l++)
			one.from[l] = part ? part[l] != part[i] : l != i;
		loss[i] = loss_of(i, asked, numbers, plain(&one, k, INFINITY, numbers));
	}
	return trial_of(loss, part, n, numbers, due);
}

/* Errors for each k: on Z, of rows left out one by one, and of parts. */
static void
test_errors(bool numbers)
{
	const char *const header = numbers ? "k\tn\trmse\tse\n" : "k\tn\terrors\terror\tse\n";
	size_t part[N];
	struct kith_err err;

	for (size_t way = 0; way < 3; way++) {
		struct kith_knn_run r = run_of(numbers);
		double due[KS * 5];
		size_t n = 0;

		r.print = KITH_KNN_ERRORS;
		r.train = way == 0;
		r.loo = way == 1;
		r.parts = way == 2 ? 5 : 0;
		r.asked.y = numbers ? NULL : own;
		r.asked.t = numbers ? u : NULL;
		if (kith_fold_deal_table(&r.known, 5, 7, part, &err))
			abort();
		for (size_t a = 0; a < KS; a++) {
			due[n++] = (double)ks[a];
			n += judge(ks[a], w, way == 2 ? part : NULL, way == 0, numbers, due + n);
		}
		prints_cells(run(&r), header, due, n,
		    way == 0       ? "errors on other rows"
			: way == 1 ? "each from the others"
				   : "in parts");
		kith_pool_free(&r.pool);
	}
}

/* The best of drops and k; and what it predicts, with the features it keeps. */
static void
test_best(void)
{
	const struct kith_trial_form form = {
	    .key = {{"drop", true, false}, {"k", true, true}}, .keys = 2};
	double share[] = {0, .25, .6}, due[9 * 6], v[3][P], of[M * 2];
	struct kith_trial trial[9];
	struct kith_knn_run r = run_of(false);
	size_t n = 0, best;

	for (size_t s = 0; s < 3; s++) {
		kith_weights_drop(P, w, share[s], v[s]);
		for (size_t a = 0; a < KS; a++) {
			double *const at = due + n;

			at[0] = share[s];
			at[1] = (double)ks[a];
			n += 2 + judge(ks[a], v[s], NULL, false, false, at + 2);
			trial[s * KS + a] = (struct kith_trial){.key = {at[0], at[1]},
			    .error = at[4],
			    .se = at[5],
			    .features = s == 2 ? 2 : P - s};
		}
	}
	r.train = false;
	r.loo = true;
	r.print = KITH_KNN_ERRORS;
	r.shares = (struct kith_reals){3, share};
	prints_cells(
	    run(&r), "drop\tk\tn\terrors\terror\tse\n", due, n, "errors of each drop and k");
	kith_pool_free(&r.pool);
	best = kith_trial_choose(&form, trial, 9, KITH_BEST);
	r.shares = (struct kith_reals){3, share};
	r.best = KITH_BEST;
	prints_cells(run(&r), "drop\tk\tn\terrors\terror\tse\n", due + best * 6, 6, "the best");
	kith_pool_free(&r.pool);
	r = run_of(false);
	r.loo = true;
	r.shares = (struct kith_reals){3, share};
	r.best = KITH_BEST;
	for (size_t i = 0; i < M; i++) {
		struct one one = one_of(Z + i * P);

		memcpy(one.w, v[best / KS], sizeof(one.w));
		of[2 * i] = (double)(i + 1);
		of[2 * i + 1] = plain(&one, ks[best % KS], INFINITY, false);
	}
	prints_cells(run(&r), "id\tpredicted\n", of, (size_t)M * 2, "predictions of the best");
	kith_pool_free(&r.pool);
}

/* The best k of rows left out one by one, and what it says of these. */
static void
test_known(void)
{
	const struct kith_trial_form form = {.key = {{"k", true, true}}, .keys = 1};
	struct kith_knn_run r = run_of(false);
	struct kith_trial trial[KS];
	double due[N * 3];
	size_t best;

	for (size_t a = 0; a < KS; a++) {
		double at[4];

		judge(ks[a], w, NULL, false, false, at);
		trial[a] = (struct kith_trial){.key = {(double)ks[a]}, .error = at[2], .se = at[3]};
	}
	best = kith_trial_choose(&form, trial, KS, KITH_BEST);
	for (size_t i = 0; i < N; i++) {
		struct one one = one_of(X + i * P);

		one.from[i] = false;
		due[3 * i] = (double)(i + 1);
		due[3 * i + 1] = plain(&one, ks[best], INFINITY, false);
		due[3 * i + 2] = (double)y[i];
	}
	r.train = false;
	r.loo = true;
	r.best = KITH_BEST;
	said();
	prints_cells(run(&r), "id\tpredicted\tactual\n", due, (size_t)N * 3,
	    "predictions of the rows known");
	ok(strstr(said(), "say: chosen: -k "), "the best is told");
	kith_pool_free(&r.pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 6; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		draw();
		test_predictions(false);
		test_predictions(true);
		test_errors(false);
		test_errors(true);
		test_best();
		test_known();
		said();
	}
	return done();
}
