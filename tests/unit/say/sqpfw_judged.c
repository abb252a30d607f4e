/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/sqpfw_run.h: errors on other rows, the choice among them, and
 * margins, against distances under the weights of each step.
 */
#include "say/sqpfw_run.h"

#include "sqpfw_rows.h"
#include "table/trial.h"

static size_t ks[2] = {1, 3};

/* How many rows of Z the k nearest rows get wrong under these weights. */
static size_t
errors(const double *w, size_t k)
{
	size_t wrong = 0;

	for (size_t i = 0; i < M; i++) {
		double d[N];
		size_t ones = 0;

		for (size_t l = 0; l < N; l++) {
			d[l] = 0;
			for (size_t j = 0; j < P; j++)
				d[l] += w[j] * pow(Z[i * P + j] - X[l * P + j], 2);
		}
		for (size_t l = 0; l < N; l++) {
			size_t nearer = 0;

			for (size_t m = 0; m < N; m++)
				nearer += d[m] < d[l];
			ones += nearer < k && y[l] == 1;
		}
		wrong += (2 * ones > k) != z[i];
	}
	return wrong;
}

static void
validate(struct kith_sqpfw_run *r)
{
	ask(r, 0);
	r->validates = true;
	if (kith_validate_new(&r->in.known, &r->in.asked, ks, 2, 1, &r->validate, &r->pool, &error))
		abort();
}

/* Errors on other rows; the best of them; and the end where none are fewer. */
static void
test_validate(void)
{
	const struct kith_trial_form form = kith_sqpfw_form(false);
	const char *const header = "theta\tk\tn\terrors\terror\tse\tfeatures\n";
	double v[CELLS] = {0}, w[T][P], due[T * 2 * 7], got[2 * P] = {0};
	const size_t n = solve(v);
	struct kith_trial trial[T * 2];
	struct kith_sqpfw_run r;
	size_t best, least = SIZE_MAX, idle = 0, solutions = 0;

	for (size_t s = 0; s < T; s++) {
		step_of(v, n, s + 1, w[s]);
		for (size_t a = 0; a < 2; a++) {
			double *const at = due + (2 * s + a) * 7;
			const double wrong = (double)errors(w[s], ks[a]);

			at[0] = thetas[s];
			at[1] = (double)ks[a];
			at[2] = M;
			at[3] = wrong;
			at[4] = wrong / M;
			at[5] = sqrt(at[4] * (1 - at[4]) / (M - 1));
			at[6] = 0;
			for (size_t j = 0; j < P; j++)
				at[6] += w[s][j] > 0;
			trial[2 * s + a] = (struct kith_trial){.key = {at[0], at[1]},
			    .error = at[4],
			    .se = at[5],
			    .features = (size_t)at[6]};
		}
	}
	validate(&r);
	prints_cells(run(&r, 0), header, due, (size_t)T * 2 * 7, "errors on other rows");
	for (int how = KITH_BEST; how <= KITH_BEST_SE; how++) {
		validate(&r);
		r.best = how;
		best = kith_trial_choose(&form, trial, (size_t)T * 2, how);
		is_size(printed_cells(run(&r, 0), got, (size_t)2 * P), (size_t)2 * P,
		    "weights of the best");
		for (size_t j = 0; j < P; j++)
			is_near(got[2 * j + 1], w[best / 2][j], 0, "one of them");
		ok(strstr(said(), "note: best: theta "), "it is told");
	}
	for (; solutions < T && idle < 2; solutions++) {
		const size_t a = errors(w[solutions], 1);
		const size_t b = errors(w[solutions], 3);

		idle = a < least || b < least ? 0 : idle + 1;
		least = a < least ? a : least;
		least = b < least ? b : least;
	}
	validate(&r);
	r.patience = 2;
	prints_cells(run(&r, 0), header, due, solutions * 2 * 7, "an end without fewer errors");
	ok((strstr(said(), "note: no fewer errors in 2 solutions") != NULL) == (idle == 2),
	    "which is told");
}

/* The squared distance of rows i and l under weights. */
static double
distance(const double *w, size_t i, size_t l)
{
	double d = 0;

	for (size_t j = 0; j < P; j++)
		d += w[j] * pow(X[i * P + j] - X[l * P + j], 2);
	return d;
}

/* The nearest row of the class of i, or of the other: its distance. */
static double
nearest(const double *w, size_t i, bool other)
{
	double least = INFINITY;

	for (size_t l = 0; l < N; l++)
		if (l != i && (y[l] != y[i]) == other)
			least = fmin(least, distance(w, i, l));
	return least;
}

/* Rows that are as near as the nearest of a class are named, and how far. */
static void
test_margins(void)
{
	double v[CELLS] = {0}, w[P];
	const size_t n = solve(v);
	struct kith_sqpfw_run r;
	size_t good = 0;

	step_of(v, n, T, w);
	ask(&r, 0);
	r.only_last = true;
	r.print = KITH_SQPFW_MARGINS;
	r.thetas = (struct kith_reals){1, &thetas[T - 1]};
	is_size(printed_cells(run(&r, 0), v, CELLS), (size_t)N * 6, "margins");
	for (size_t i = 0; i < N; i++) {
		const double *const at = v + i * 6;
		const size_t hit = (size_t)at[1] - 1, miss = (size_t)at[2] - 1;
		const double d = nearest(w, i, false), e = nearest(w, i, true);

		good += (size_t)at[0] == i + 1 && y[hit] == y[i] && y[miss] != y[i] &&
		    fabs(distance(w, i, hit) - d) < 1e-6 && fabs(distance(w, i, miss) - e) < 1e-6 &&
		    fabs(at[3] - d) < 1e-6 && fabs(at[4] - e) < 1e-6 &&
		    fabs(at[5] - (e - d)) < 1e-6;
	}
	is_size(good, N, "of the nearest rows of each class");
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		draw(seed);
		test_validate();
		test_margins();
	}
	return done();
}
