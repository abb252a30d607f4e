/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/knn_run.h: rows within a radius, and what becomes of those that
 * have none there.
 */
#include "say/knn_run.h"

#include "knn_plain.h"
#include "table/trial.h"

/* Rows within .3, where there are any; how many have none. */
static size_t
within(bool numbers, double else_, double *due)
{
	size_t unreached = 0;

	for (size_t i = 0; i < M; i++) {
		const struct one one = one_of(Z + i * P);
		const double got = plain(&one, N, .3, numbers);

		unreached += isnan(got) ? 1 : 0;
		due[2 * i] = (double)(i + 1);
		due[2 * i + 1] = isnan(got) ? else_ : got;
	}
	return unreached;
}

/* What is predicted, and said, of rows without a neighbour within the radius. */
static void
test_radius(bool numbers, bool prior)
{
	static const char *const what[] = {"NA (--unreached prior?)", "the commonest class",
	    "NA (--unreached prior?)", "the mean of the reference"};
	struct kith_knn_run r = run_of(numbers);
	size_t all[] = {KITH_ALL_WITHIN}, ones = 0;
	double due[M * 2], mean = 0, radius[] = {.3};
	char text[200] = "";
	const char *got;
	size_t n;

	for (size_t i = 0; i < N; i++) {
		mean += t[i] / N;
		ones += y[i];
	}
	r.radii = (struct kith_reals){1, radius};
	r.k = (struct kith_sizes){1, all};
	r.prior = prior;
	n = within(numbers, !prior ? NAN : numbers ? mean : 2 * ones > N ? 1 : 0, due);
	said();
	prints_cells(run(&r), "id\tpredicted\n", due, (size_t)M * 2, "rows within a radius");
	if (n > 0)
		snprintf(text, sizeof(text),
		    "warning: %zu rows without a neighbour within the radius: "
		    "%s\n",
		    n, what[2 * numbers + prior]);
	got = said();
	ok(n == 0 ? !strstr(got, "warning") : strstr(got, text) != NULL, "%zu out of reach", n);
	kith_pool_free(&r.pool);
}

/* Errors within two radii: rows out of reach count, of numbers as the mean. */
static void
test_radii(bool numbers)
{
	struct kith_knn_run r = run_of(numbers);
	size_t all[] = {KITH_ALL_WITHIN, KITH_ALL_WITHIN}, n = 0, lost = 0;
	double due[2 * 5], radius[] = {.3, 1.2}, mean = 0;
	char text[200] = "";

	for (size_t i = 0; i < N; i++)
		mean += t[i] / N;
	for (size_t a = 0; a < 2; a++) {
		double loss[M];

		for (size_t i = 0; i < M; i++) {
			const struct one one = one_of(Z + i * P);
			double got = plain(&one, N, radius[a], numbers);

			lost += isnan(got) ? 1 : 0;
			if (numbers)
				loss[i] = pow((isnan(got) ? mean : got) - u[i], 2);
			else
				loss[i] = own[i] == KITH_NO_CLASS ? NAN
				    : isnan(got)                  ? 1
								  : (size_t)got != own[i];
		}
		due[n++] = radius[a];
		n += trial_of(loss, NULL, M, numbers, due + n);
	}
	r.asked.y = numbers ? NULL : own;
	r.asked.t = numbers ? u : NULL;
	r.print = KITH_KNN_ERRORS;
	r.radii = (struct kith_reals){2, radius};
	r.k = (struct kith_sizes){2, all};
	said();
	prints_cells(run(&r), numbers ? "radius\tn\trmse\tse\n" : "radius\tn\terrors\terror\tse\n",
	    due, n, "errors within radii");
	if (lost > 0)
		snprintf(text, sizeof(text),
		    "warning: %zu predictions of rows without a neighbour "
		    "within the radius: %s\n",
		    lost, numbers ? "the mean of the reference" : "wrong (--unreached prior?)");
	ok(strstr(said(), text), "%zu out of reach of one", lost);
	kith_pool_free(&r.pool);
}

/* The best of radii, by rows left out one by one, predicts the others. */
static void
test_best(void)
{
	const struct kith_trial_form form = {.key = {{"radius", true, false}}, .keys = 1};
	struct kith_knn_run r = run_of(false);
	size_t all[] = {KITH_ALL_WITHIN, KITH_ALL_WITHIN}, best;
	double due[M * 2], radius[] = {.2, .6};
	struct kith_trial trial[2];

	for (size_t a = 0; a < 2; a++) {
		double loss[N], got[4];

		for (size_t i = 0; i < N; i++) {
			struct one one = one_of(X + i * P);
			double y_i;

			one.from[i] = false;
			y_i = plain(&one, N, radius[a], false);
			loss[i] = isnan(y_i) || (size_t)y_i != y[i] ? 1 : 0;
		}
		trial_of(loss, NULL, N, false, got);
		trial[a] = (struct kith_trial){.key = {radius[a]}, .error = got[2], .se = got[3]};
	}
	best = kith_trial_choose(&form, trial, 2, KITH_BEST);
	for (size_t i = 0; i < M; i++) {
		const struct one one = one_of(Z + i * P);

		due[2 * i] = (double)(i + 1);
		due[2 * i + 1] = plain(&one, N, radius[best], false);
	}
	r.loo = true;
	r.best = KITH_BEST;
	r.radii = (struct kith_reals){2, radius};
	r.k = (struct kith_sizes){2, all};
	said();
	prints_cells(
	    run(&r), "id\tpredicted\n", due, (size_t)M * 2, "predictions of the best radius");
	kith_pool_free(&r.pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 6; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		draw();
		for (unsigned a = 0; a < 4; a++)
			test_radius(a / 2, a % 2);
		test_radii(false);
		test_radii(true);
		test_best();
	}
	return done();
}
