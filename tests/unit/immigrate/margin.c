/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/margin.h, lib/immigrate/votes.h and
 * lib/immigrate/write.h: against sums written out, and the tables themselves.
 */
#include "immigrate/margin.h"

#include "base/err.h"
#include "base/names.h"
#include "immigrate/data.h"
#include "immigrate/expect.h"
#include "immigrate/fit.h"
#include "immigrate/unit.h"
#include "immigrate/votes.h"
#include "immigrate/write.h"
#include "scratch.h"
#include "table/check.h"
#include "table/table.h"
#include "tap.h"
#include "text/out.h"

static struct kith_err err;

static double
distance(const struct set *set, size_t i, size_t n, const struct kith_metric *metric)
{
	const size_t p = set->X.p;
	const double *x = kith_row(&set->X, i), *z = kith_row(&set->X, n);
	const bool matrix = kith_metric_is_matrix(metric->kind);
	double d = 0;

	for (size_t j = 0; j < p; j++)
		for (size_t k = 0; k < (matrix ? p : 1); k++)
			d += matrix ? fabs(x[j] - z[j]) * metric->w[j * p + k] * fabs(x[k] - z[k])
				    : metric->w[j] * fabs(x[j] - z[j]);
	return d;
}

/* (3.3): the mean distance of row i to its hits, or to its misses. */
static double
plain(const struct set *set, size_t i, bool hits, const struct kith_metric *metric, double sigma)
{
	double least = INFINITY, sum = 0, total = 0;

	for (size_t n = 0; n < set->X.n; n++)
		if (n != i && (set->y[n] == set->y[i]) == hits)
			least = fmin(least, distance(set, i, n, metric));
	for (size_t n = 0; n < set->X.n; n++)
		if (n != i && (set->y[n] == set->y[i]) == hits) {
			const double d = distance(set, i, n, metric);

			total += exp((least - d) / sigma);
			sum += d * exp((least - d) / sigma);
		}
	return sum / total;
}

static void
test_margins(void)
{
	double worst = 0, hit[70], miss[70], one[70], two[70];
	size_t lone = 0, odd = 0;

	for (size_t run = 0; run < 40; run++) {
		const size_t p = 1 + run % 5, n = 15 + run;
		struct set *set = draw(n, p, 3, run % 3 == 0, run % 2);
		double *W = start(p, false);
		const struct kith_metric metric = {
		    run % 4 ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE, p, W};
		const double sigma = pow(10, (double)(run % 6) - 4);

		for (size_t k = 0; k < p; k++)
			if (run % 5 == 2 && p > 1)
				W[k] = W[k * p] = 0;
		kith_immigrate_margins(&set->rows, &metric, sigma, 1, hit, miss);
		kith_immigrate_margins(&set->rows, &metric, sigma, 3, one, two);
		for (size_t i = 0; i < n; i++) {
			const double h = plain(set, i, true, &metric, sigma);

			lone += isnan(h) ? 1 : 0;
			odd += isnan(h) != isnan(hit[i]);
			odd += !isnan(h) && hit[i] != one[i];
			odd += miss[i] != two[i];
			if (!isnan(h))
				worst = fmax(worst, fabs(h - hit[i]));
			worst = fmax(worst, fabs(plain(set, i, false, &metric, sigma) - miss[i]));
		}
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-12, "margins are as defined: %g", worst);
	ok(lone > 5, "%zu rows without hits", lone);
	is_size(odd, 0, "that are numbers, or threads that matter");
}

/* No feature that counts, and distances beyond all numbers. */
static void
test_wild(void)
{
	double x[] = {0, 1, 3e307, 1.5e308}, hit[4], miss[4];
	double weight = 0;
	size_t y[] = {0, 0, 1, 1};
	const struct kith_mat X = {4, 1, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_metric metric = {KITH_ABSOLUTE, 1, &weight};

	kith_immigrate_margins(&rows, &metric, 1, 1, hit, miss);
	ok(apart(4, hit, (const double[]){0, 0, 0, 0}) == 0 && apart(4, miss, hit) == 0,
	    "weights of 0");
	weight = 10;
	kith_immigrate_margins(&rows, &metric, 1, 1, hit, miss);
	ok(hit[0] == 10 && isinf(hit[2]) && isinf(miss[0]) && miss[0] > 0,
	    "distances that are too large");
	x[2] = 5;
	kith_immigrate_margins(&rows, &metric, 1, 1, hit, miss);
	ok(hit[0] == 10 && miss[0] == 50 && isinf(hit[2]) &&
		fabs(miss[2] - (40 + 10 * exp(-10) / (1 + exp(-10)))) < 1e-12,
	    "beside others: %g", miss[2]);
}

/* What a fit found decides, unless the smallest are equal up to rounding. */
static void
test_votes(void)
{
	enum { N = 40, P = 4 };
	const size_t C = 3;
	struct set *set = draw(N, P, C, false, false);
	const double *w = even(P);
	const struct kith_metric metric = {KITH_ABSOLUTE, P, w};
	double V[N * 3], exact[N * 3];
	size_t row[N], odd = 0, close = 0;
	bool wrong[N];

	for (size_t i = 0; i < N; i++)
		row[i] = i;
	kith_expect_distances(
	    &(struct kith_expect){&set->X, set->y, C, &metric, .5}, &set->X, row, 1, exact);
	for (size_t i = 0; i < N; i++) {
		/* The class h is the nearest by far; or two are near. */
		const size_t h = i % C, of = i / C % 4;
		static const double by[] = {1, 1e-8, 5e-10, 0};

		for (size_t k = 0; k < C; k++)
			V[i * C + k] = k == h ? .3 : .9;
		V[i * C + (h + 1) % C] = .3 * (1 + by[of]);
	}
	kith_immigrate_wrong(&set->rows, &metric, .5, V, 2, wrong);
	for (size_t i = 0; i < N; i++) {
		const bool doubt = i / C % 4 >= 2;
		const size_t due = doubt ? kith_expect_class(exact + i * C, C) : i % C;

		close += doubt;
		odd += wrong[i] != (due != set->y[i]);
	}
	is_size(odd, 0, "predictions that are not those of V, or exact ones");
	ok(close > 10, "%zu of them exact", close);
	for (size_t k = 0; k < N * C; k++)
		V[k] = k % C == 0 ? 1e-15 : k % C == 1 ? 4e-12 : 3e-12;
	kith_immigrate_wrong(&set->rows, &metric, .5, V, 1, wrong);
	for (size_t i = 0; i < N; i++)
		odd += wrong[i] != (kith_expect_class(exact + i * C, C) != set->y[i]);
	is_size(odd, 0, "numbers as small as rounding are no numbers");
	for (size_t k = 0; k < N * C; k++)
		V[k] = k % C == 0 ? 1e-15 : 5e-12;
	kith_immigrate_wrong(&set->rows, &metric, .5, V, 1, wrong);
	for (size_t i = 0; i < N; i++)
		odd += wrong[i] != (set->y[i] != 0);
	is_size(odd, 0, "but larger ones are");
	kith_pool_free(&pool);
}

/* What a file has become. */
static const char *
text_of(struct kith_out *out, const char *path)
{
	static char text[2000];
	FILE *f;
	size_t len;

	if (kith_out_close_alone(out, NULL, &err))
		return err.msg;
	f = fopen(path, "r");
	len = f ? fread(text, 1, sizeof(text) - 1, f) : 0;
	if (f)
		fclose(f);
	text[len] = '\0';
	return text;
}

static void
test_write(void)
{
	static char a[] = "a", b[] = "b", *name[] = {a, b};
	const char *path = scratch_text(0, "");
	const struct kith_dest to = {.path = path};
	double x[] = {0, 5, 2, 7, 4, 8}, w[] = {1, .5}, scale[] = {2, 1};
	size_t y[] = {0, 0, 1}, second[] = {1};
	struct kith_table t = {.X = {3, 2, x}, .y = y};
	struct kith_immigrate_rows rows = {&t.X, y, 2, NULL};
	struct kith_immigrate_unit unit = {&t.feature, {2, scale, scale, KITH_UNIT_ZSCORE}};
	struct kith_immigrate_fitted fit = {
	    .metric = {KITH_ABSOLUTE, 2, w}, .sigma = {.value = 1e-3}};
	struct kith_immigrate_result result = {.t = &t,
	    .rows = &rows,
	    .unit = &unit,
	    .fit = &fit,
	    .threads = 1,
	    .sample = 3,
	    .seed = 9};
	const struct kith_check check = {"norm", .5, 2};
	struct kith_out out;

	kith_names_index(&t.feature, name, 2, &pool);
	ok(kith_immigrate_write(&result, true, &to, &out, &pool, &err) == 0, "margins");
	is_text(text_of(&out, path),
	    "id\thit\tmiss\tmargin\n1\t3\t5.5\t2.5\n2\t3\t2.5\t-0.5\n"
	    "3\tNA\t2.5\tNA\n",
	    "in the units of the fit");
	ok(kith_immigrate_write(&result, false, &to, &out, &pool, &err) == 0, "weights");
	is_text(text_of(&out, path),
	    "# sigma\t0.001\n# scale\tzscore\n# sample\t3\n# seed\t9\n"
	    "feature\tweight_abs\na\t0.5\nb\t0.5\n",
	    "in those of the input");
	fit = (struct kith_immigrate_fitted){
	    .metric = {KITH_ABSOLUTE, 1, w}, .column = second, .sigma = {.value = 1e-3}};
	ok(kith_immigrate_write(&result, true, &to, &out, &pool, &err) == 0, "of one column");
	is_text(text_of(&out, path),
	    "id\thit\tmiss\tmargin\n1\t2\t3\t1\n2\t2\t1\t-1\n3\tNA\t1\tNA\n", "the second");
	ok(kith_immigrate_verdict(&check, 1, 3, 9, &to, &out, &err) == 0 &&
		strncmp(text_of(&out, path), "# sample\t3\n# seed\t9\ncheck\t", 26) == 0,
	    "a verdict of a sample");
	scale[1] = 1e-320;
	ok(kith_immigrate_write(&result, false, &to, &out, &pool, &err) == -1 &&
		err.status == EX_DATAERR,
	    "%s", err.msg);
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 6, KITH_RNG_SAMPLE, 0);
	test_margins();
	test_wild();
	test_votes();
	test_write();
	return done();
}
