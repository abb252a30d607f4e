/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/relief_cv.h: errors and choices, against weights that are learnt
 * part by part, and distances under these.
 */
#include "say/relief_cv.h"

#include "knn_plain.h"
#include "relief/relief.h"
#include "table/parts.h"
#include "table/trial.h"

enum { PARTS = 4, SHARES = 3, TRIALS = 2 * SHARES * 2, CELLS = 8 };

static struct kith_err error;
static double shares[SHARES] = {0, 40, 100}, sigmas[] = {1, 5};
static size_t part[N], near[] = {2, 6};

/* The rows, as a table, in the pool. */
static struct kith_table
table_of(bool numbers, struct kith_pool *pool)
{
	struct kith_table table = run_of(numbers).known;

	kith_names_index(&table.class, table.class.name, table.class.n, pool);
	return table;
}

/* Weights that are learnt from all parts but f, without negative ones. */
static void
learn(const struct kith_relief_how *how, bool numbers, size_t f, double *v)
{
	struct kith_pool pool = {0};
	double Y[N * P], s[N];
	size_t class[N], n = 0;
	struct kith_relief got;
	struct kith_relief_rows rows = {.y = numbers ? NULL : class,
	    .c = numbers ? 0 : 2,
	    .t = numbers ? s : NULL};

	for (size_t i = 0; i < N; i++)
		if (part[i] != f) {
			memcpy(Y + n * P, X + i * P, P * sizeof(*X));
			class[n] = y[i];
			s[n++] = t[i];
		}
	rows.X = (struct kith_mat){n, P, Y};
	if (kith_relief(&rows, how, &got, &pool, &error))
		abort();
	for (size_t j = 0; j < P; j++)
		v[j] = fmax(got.w[j], 0);
	kith_pool_free(&pool);
}

/* What rows of other parts are without any feature: most of them, or the mean. */
static double
without(const bool *from, bool numbers)
{
	double sum = 0, n = 0;

	for (size_t l = 0; l < N; l++)
		if (from[l]) {
			sum += numbers ? t[l] : (double)y[l];
			n++;
		}
	return numbers ? sum / n : 2 * sum > n ? 1 : 0;
}

/* What row i loses under weights v, of which some may be positive. */
static double
loss_of(size_t i, const double *v, size_t positive, size_t k, bool numbers)
{
	struct one one = one_of(X + i * P);
	double got;

	memcpy(one.w, v, sizeof(one.w));
	one.absolute = true;
	for (size_t l = 0; l < N; l++)
		one.from[l] = part[l] != part[i];
	got = positive ? plain(&one, k, INFINITY, numbers)
		       : without(one.from, numbers);
	return numbers ? pow(got - t[i], 2) : (size_t)got != y[i];
}

/* A trial: what is printed of it behind its parameters. */
static size_t
trial(const struct kith_relief_how *how, double share, size_t k, bool numbers,
    double *due)
{
	double loss[N] = {0};
	size_t most = 0, n;

	for (size_t f = 0; f < PARTS; f++) {
		double v[P], left[P];
		size_t positive = 0;

		learn(how, numbers, f, v);
		kith_weights_drop(P, v, share, left);
		for (size_t j = 0; j < P; j++)
			positive += left[j] > 0;
		most = positive > most ? positive : most;
		for (size_t i = 0; i < N; i++)
			if (part[i] == f)
				loss[i] = loss_of(
				    i, left, positive, k, numbers);
	}
	n = trial_of(loss, part, N, numbers, due);
	due[n] = (double)most;
	return n + 1;
}

/* All trials, and what is printed of them; how many numbers that are. */
static size_t
try_all(const struct kith_relief_how *as, bool numbers, double *due,
    struct kith_trial *all)
{
	size_t n = 0;

	for (size_t b = 0; b < 2; b++)
		for (size_t s = 0; s < SHARES; s++)
			for (size_t a = 0; a < 2; a++) {
				struct kith_relief_how how = *as;
				double *const at = due + n;

				how.k = numbers ? near[0] : near[b];
				how.sigma = numbers ? sigmas[b] : sigmas[0];
				at[0] = numbers ? how.sigma : (double)how.k;
				at[1] = (double)ks[a];
				at[2] = shares[s];
				n += 3 +
				    trial(&how, shares[s], ks[a], numbers,
					at + 3);
				*all++ = (struct kith_trial){
				    .key = {at[0], at[1], at[2]},
				    .error = at[numbers ? 4 : 5],
				    .se = at[numbers ? 5 : 6],
				    .features = (size_t)due[n - 1]};
			}
	return n;
}

/* Errors of all lists; and the best of them. */
static void
judge(bool numbers)
{
	const struct kith_trial_form form = {
	    .key = {{"k", true, !numbers}, {"vote_k", true, true},
		{"share", true, false}},
	    .keys = 3};
	struct kith_pool pool = {0};
	struct kith_table table = table_of(numbers, &pool);
	struct kith_relief_choice choice = {
	    .how = {.method = KITH_RELIEFF, .k = 2, .sigma = 1, .threads = 1}};
	struct kith_relief_cv cv = {.parts = PARTS,
	    .seed = 3,
	    .k = {numbers ? 1 : 2, near},
	    .sigma = {numbers ? 2 : 1, sigmas},
	    .takes_k = !numbers,
	    .takes_sigma = numbers,
	    .vote_k = {2, ks},
	    .share = {SHARES, shares},
	    .takes_share = true,
	    .output = kith_output()};
	double due[TRIALS * CELLS] = {0};
	struct kith_trial all[TRIALS];
	struct kith_out out;
	size_t n;

	if (kith_parts_deal(&table, PARTS, 3, part, &error))
		abort();
	n = try_all(&choice.how, numbers, due, all);
	ok(kith_relief_cv(&cv, &table, &choice, &out, &error) == 0, "errors");
	prints_cells(printed(&out),
	    numbers ? "sigma\tvote_k\tshare\tn\trmse\tse\tfeatures\n"
		    : "k\tvote_k\tshare\tn\terrors\terror\tse\tfeatures\n",
	    due, n, "of each parameter");
	for (cv.best = KITH_BEST; cv.best <= KITH_BEST_SE; cv.best++) {
		const struct kith_trial *const best = all +
		    kith_trial_choose(&form, all, TRIALS, cv.best);
		double is;

		ok(kith_relief_cv(&cv, &table, &choice, &out, &error) == 0,
		    "the best is chosen");
		is = numbers ? choice.how.sigma : (double)choice.how.k;
		is_near(is, best->key[0], 0, "its parameter");
		is_near(choice.drop, best->key[2], 0, "its share");
	}
	kith_pool_free(&pool);
}

/* Searches that do not end are counted, and warned of. */
static void
test_doubts(void)
{
	struct kith_pool pool = {0};
	struct kith_table table = table_of(false, &pool);
	struct kith_relief_choice choice = {
	    .how = {.method = KITH_RELIEF_IRELIEF,
		.sigma = 1,
		.max_iter = 1,
		.tol = 1e-12,
		.threads = 1}};
	struct kith_relief_cv cv = {.parts = PARTS,
	    .k = {1, near},
	    .sigma = {2, sigmas},
	    .takes_sigma = true,
	    .vote_k = {1, ks},
	    .share = {1, shares},
	    .output = kith_output()};
	struct kith_out out;

	said();
	ok(kith_relief_cv(&cv, &table, &choice, &out, &error) == 1,
	    "not vouched for");
	ok(strncmp(printed(&out), "sigma\tvote_k\tn\terrors\t", 22) == 0,
	    "columns");
	is_text(said(),
	    "log: cv not converged 8\n"
	    "note: not converged: 8 of 8 searches of --cv\n"
	    "warning: not converged: 8 of 8 searches\n",
	    "all are said");
	kith_pool_free(&pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 4; seed++) {
		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		draw();
		judge(false);
		judge(true);
	}
	test_doubts();
	return done();
}
