/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/sqpfw_cv.h: errors and choices, against weights that are learnt
 * part by part, and distances under these.
 */
#include "say/sqpfw_cv.h"

#include "sqpfw/minimum.h"
#include "sqpfw_rows.h"
#include "table/parts.h"
#include "table/trial.h"

enum { PARTS = 3, KS = 2, HITS = 2, TRIALS = HITS * T * KS, COLUMNS = 9 };

static size_t ks[KS] = {1, 3}, hits[HITS] = {1, 2}, two[] = {2}, part[N];

/* Weights of all thetas, from all rows but those of part f. */
static void
learn(size_t f, size_t hit, double w[T][P])
{
	struct kith_pool pool = {0};
	const struct kith_sqpfw_how how = {.hits = hit, .misses = 2, .threads = 1};
	double Y[N * P];
	size_t class[N];
	struct kith_mat rows = {0, P, Y};
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw *solver;

	for (size_t i = 0; i < N; i++)
		if (part[i] != f) {
			memcpy(Y + rows.n * P, X + i * P, P * sizeof(*X));
			class[rows.n++] = y[i];
		}
	judge = kith_sqpfw_judge_new(
	    &rows, class, 2, &(struct kith_sqpfw_judge_how){hit, 2, NULL, 1, NULL}, &pool);
	solver = kith_sqpfw_new(&rows, class, 2, &how, &pool);
	for (size_t s = 0; s < T; s++) {
		struct kith_sqpfw_verdict seen;
		struct kith_sqpfw_now now;

		kith_sqpfw_solve(solver, thetas[s]);
		kith_sqpfw_minimum(solver, judge, false, &seen);
		kith_sqpfw_at(solver, &now);
		memcpy(w[s], now.w, sizeof(w[s]));
	}
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(solver);
	kith_pool_free(&pool);
}

/* Whether the k nearest rows of other parts get row i wrong. */
static bool
is_wrong(size_t i, size_t k, const double *w)
{
	double d[N];
	size_t ones = 0;

	for (size_t l = 0; l < N; l++) {
		d[l] = part[l] == part[i] ? INFINITY : 0;
		for (size_t j = 0; j < P; j++)
			d[l] += w[j] * pow(X[i * P + j] - X[l * P + j], 2);
	}
	for (size_t l = 0; l < N; l++) {
		size_t nearer = 0;

		for (size_t m = 0; m < N; m++)
			nearer += d[m] < d[l];
		ones += nearer < k && y[l] == 1;
	}
	return (2 * ones > k) != (y[i] == 1);
}

/* What is printed of a trial: its parameters, errors, and the most features. */
static void
try(double w[PARTS][T][P], size_t hit, size_t s, size_t k, double *at)
{
	double wrong[PARTS] = {0}, count[PARTS] = {0}, mean = 0, spread = 0;

	at[0] = (double)hit;
	at[1] = 2;
	at[2] = thetas[s];
	at[3] = (double)k;
	at[4] = N;
	at[5] = at[8] = 0;
	for (size_t i = 0; i < N; i++) {
		const bool bad = is_wrong(i, k, w[part[i]][s]);

		at[5] += bad;
		wrong[part[i]] += bad;
		count[part[i]]++;
	}
	at[6] = at[5] / N;
	for (size_t f = 0; f < PARTS; f++) {
		double positive = 0;

		mean += wrong[f] / count[f] / PARTS;
		for (size_t j = 0; j < P; j++)
			positive += w[f][s][j] > 0;
		at[8] = fmax(at[8], positive);
	}
	for (size_t f = 0; f < PARTS; f++)
		spread += pow(wrong[f] / count[f] - mean, 2);
	at[7] = sqrt(spread / PARTS / (PARTS - 1));
}

static void
test_cv(void)
{
	const struct kith_trial_form form = kith_sqpfw_form(true);
	const struct kith_sqpfw_cv cv = {.parts = PARTS,
	    .seed = 5,
	    .targets = true,
	    .hits = {HITS, hits},
	    .misses = {1, two},
	    .k = {KS, ks}};
	double due[TRIALS * COLUMNS], w[PARTS][T][P], *at = due;
	struct kith_trial all[TRIALS];
	struct kith_sqpfw_run r;
	struct kith_out out;
	size_t best;

	ask(&r, 0);
	if (kith_parts_deal(&r.in.known, PARTS, 5, part, &error))
		abort();
	for (size_t h = 0; h < HITS; h++) {
		for (size_t f = 0; f < PARTS; f++)
			learn(f, hits[h], w[f]);
		for (size_t a = 0; a < (size_t)T * KS; a++, at += COLUMNS) {
			try(w, hits[h], a / KS, ks[a % KS], at);
			all[h * T * KS + a] = (struct kith_trial){
			    .key = {at[0], at[1], at[2], at[3]},
			    .error = at[6],
			    .se = at[7],
			    .features = (size_t)at[8]};
		}
	}
	said();
	ok(kith_sqpfw_cv(&cv, &r, &out, &error) == 0, "errors");
	prints_cells(printed(&out), "hits\tmisses\ttheta\tk\tn\terrors\terror\tse\tfeatures\n", due,
	    (size_t)TRIALS * COLUMNS, "of each parameter");
	is_text(said(),
	    "note: not certified as minima: 0 of 24 solutions of --cv\n"
	    "log: cv solutions 24\nlog: cv uncertified 0\n",
	    "how many there were");
	for (int how = KITH_BEST; how <= KITH_BEST_SE; how++) {
		r.best = how;
		r.thetas.n = T;
		best = kith_trial_choose(&form, all, TRIALS, how);
		ok(kith_sqpfw_cv(&cv, &r, &out, &error) == 0 && !r.best && r.only_last &&
			r.how.hits == hits[best / KS / T] && r.how.misses == 2 &&
			r.thetas.n == best / KS % T + 1,
		    "all rows are solved as the best");
	}
	kith_sqpfw_run_free(&r);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		draw(seed);
		test_cv();
	}
	return done();
}
