/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/cost.h, rows.h and form.h by hand: sums over a few
 * rows, how rows are made ready, and closed forms of small matrices.
 */
#include "immigrate/cost.h"
#include "immigrate/data.h"
#include "immigrate/form.h"
#include "immigrate/rows.h"
#include "immigrate/soft.h"
#include "tap.h"

#include <float.h>

enum { TILE = KITH_IMMIGRATE_TILE };

/* Two rows, the second of which has no hits. */
static double weight[] = {1, 2};
static const struct kith_immigrate_data two = {.n = 2, .weight = weight};
static double hit_least[] = {.5, 7}, hit_sum[] = {2, 0}, hit_gone[] = {.2, .9};
static double hit_most[] = {1, 1e9}, hit_mean[] = {.25, 9};
static double miss_least[] = {1, 3}, miss_sum[] = {4, 8};
static double miss_gone[] = {.4, .8}, miss_most[] = {1, 3};
static double miss_mean[] = {.5, .75};
static struct kith_immigrate_soft soft = {.data = &two,
    .sigma = 1,
    .hit =
	{.least = hit_least, .most = hit_most, .sum = hit_sum, .mean = hit_mean, .gone = hit_gone},
    .miss = {.least = miss_least,
	.most = miss_most,
	.sum = miss_sum,
	.mean = miss_mean,
	.gone = miss_gone}};

static void
test_cost(void)
{
	struct kith_immigrate_cost cost = kith_immigrate_cost(&soft);

	is_near(cost.least, -6.5, 1e-15, "-1 + 1/2, and -3 twice");
	is_near(cost.logs, 7 * log(2), 1e-14, "log 4 / 2, and log 8 twice");
	ok(cost.error == 0, "of all pairs no error");
	soft.some = true;
	cost = kith_immigrate_cost(&soft);
	is_near(cost.error, .4, 1e-15, ".4 / 4, .2 / 2, and twice .8 / 8");
	soft.some = false;
}

/* The entropy where the first row's misses are of these distances. */
static double
entropy(double least, double most, double sum)
{
	miss_least[0] = least;
	miss_most[0] = most;
	miss_sum[0] = sum;
	return kith_immigrate_cost_entropy(&soft);
}

static void
test_entropy(void)
{
	is_near(entropy(1, 1, 4), 1 + 4 * log(2), 1e-14,
	    "means and logs, of misses less those of hits");
	/* The least number above 0 is exp(-744.4). */
	ok(isfinite(entropy(0, 745, 1.5)), "the least number there is");
	ok(isnan(entropy(0, 745, 4)), "a share of it is none");
	ok(isnan(entropy(0, 746, 1)), "nor is what is less");
	ok(isnan(entropy(800, 800, 1)), "even where nothing is more");
	soft.sigma = 2;
	ok(isfinite(entropy(0, 746, 1)), "distances are in units of sigma");
	soft.sigma = 1;
	(void)entropy(1, 1, 4);
	hit_most[0] = 746;
	ok(isnan(kith_immigrate_cost_entropy(&soft)), "hits count, too");
	hit_most[0] = 1;
}

/* Rows of two numbers, and what they become. */
static double
scaled(double a, double b, int *unit)
{
	double x[] = {a, 3, b, 3};
	size_t y[] = {0, 1};
	const struct kith_mat X = {2, 2, x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_immigrate_data data = kith_immigrate_data_new(&rows, &pool);

	*unit = data.unit;
	return data.X[1] == 0 && data.X[data.ld + 1] == 0 ? data.X[data.ld] : NAN;
}

/* Half a range becomes 1/4 to 1/2; what is constant 0. */
static void
test_unit(void)
{
	int unit;

	ok(scaled(0, 1, &unit) == .5 && unit == 1, "1");
	ok(scaled(0, 1.75, &unit) == .875 && unit == 1, "7/4");
	ok(scaled(-1, 1, &unit) == .25 && unit == 2, "2");
	ok(scaled(5, 5, &unit) == 0 && unit == 0, "none");
	ok(scaled(0, DBL_TRUE_MIN, &unit) == .25 && unit == -1072,
	    "the least there is, half of which is 0");
	ok(scaled(-DBL_MAX, DBL_MAX, &unit) == DBL_MAX * 0x1p-1025 && unit == 1025,
	    "the largest there is, twice which is none");
	kith_pool_free(&pool);
}

/* By class, each in its order, with tiles of columns where there are few. */
static void
test_rows(void)
{
	struct set *set = draw(2 * TILE + 1, KITH_IMMIGRATE_SMALL, 3, 0, 0);
	struct kith_immigrate_data data;
	size_t odd = 0, I, J;

	set->rows.weight = set->weight;
	data = kith_immigrate_data_new(&set->rows, &pool);
	for (size_t i = 0; i < data.n; i++) {
		const size_t at = data.row[i];

		odd += data.y[i] != set->y[at] || data.weight[i] != set->weight[at] ||
		    i < data.start[data.y[i]] || i >= data.start[data.y[i] + 1] ||
		    (i > data.start[data.y[i]] && at < data.row[i - 1]);
		data.total -= set->weight[i];
	}
	ok(odd == 0 && data.start[0] == 0 && data.start[3] == data.n && data.total == 0,
	    "%zu rows in wrong places", odd);
	odd = 0;
	for (size_t i = 0; i < data.tiles * TILE; i++)
		for (size_t j = 0; j < data.p; j++)
			odd += data.columns[(i / TILE * data.p + j) * TILE + i % TILE] !=
			    (i < data.n ? data.X[i * data.ld + j] : 0);
	ok(odd == 0 && data.tiles == 3 && data.ld == 24, "columns of tiles");
	ok(kith_immigrate_tile_pairs(&data) == 6 && kith_immigrate_tile_rows(&data, 1) == TILE &&
		kith_immigrate_tile_rows(&data, 2) == 1,
	    "three tiles, six pairs of them");
	for (size_t t = 0; t < 6; t++) {
		kith_immigrate_tile_pair(&data, t, &I, &J);
		ok(I == (size_t) "000112"[t] - '0' && J == (size_t) "012122"[t] - '0', "pair %zu",
		    t);
	}
	set = draw(TILE, KITH_IMMIGRATE_SMALL + 1, 2, 0, 0);
	data = kith_immigrate_data_new(&set->rows, &pool);
	ok(!data.columns && data.tiles == 1 && data.ld == 32 && data.total == TILE,
	    "of more features none");
	kith_pool_free(&pool);
}

/* The closed form of diag(a, b), into W; whether there is one. */
static bool
closed(struct kith_immigrate_form *form, double a, double b, double size, double W[4])
{
	const double Sigma[] = {a, 0, 0, b};
	const bool got = kith_immigrate_form_closed(form, Sigma, size);

	kith_immigrate_form_full(form, W);
	return got;
}

static void
test_closed(void)
{
	const struct kith_immigrate_data data = {.p = 2, .ld = 8};
	struct kith_immigrate_form form = kith_immigrate_form_new(&data, &pool);
	double W[4];

	ok(closed(&form, -3, -4, 1, W) && fabs(form.norm - 5) <= 1e-15 &&
		fabs(W[0] - .6) <= 1e-15 && fabs(W[3] - .8) <= 1e-15 && form.r == 8 &&
		form.sign[1] == 1 && form.sign[2] == 0,
	    "-3 and -4 are 5 long");
	ok(closed(&form, -3, 4, 1, W) && form.norm == 3 && W[0] == 1 && W[3] == 0, "4 is left out");
	ok(closed(&form, -4, 0, .99 * 4e14, W) && !closed(&form, -4, 0, 1.01 * 4e14, W),
	    "rounding of terms of that size");
	ok(closed(&form, -1, -2.1 * DBL_EPSILON, 1, W) && form.sign[1] == 1,
	    "of the largest itself");
	ok(closed(&form, -1, -1.9 * DBL_EPSILON, 1, W) && form.sign[1] == 0, "which is less");
	ok(!closed(&form, -1, 1e16, 1, W) && form.norm == 0, "or of one above 0");
	ok(!closed(&form, 2, 1, 1, W), "none is negative");
	kith_immigrate_form_edge(&form);
	kith_immigrate_form_full(&form, W);
	ok(form.norm == 0 && form.r == 8 && W[0] == 0 && W[1] == 0 && W[3] == 1,
	    "the edge is the least of them");
}

/* The same of few rows in three dimensions. */
static void
test_gram(void)
{
	const struct kith_immigrate_data data = {.p = 3, .ld = 8};
	struct kith_immigrate_form form = kith_immigrate_form_new(&data, &pool);
	double Z[16] = {3, 0, 4}, W[9], worst = 0;
	const double due[] = {.36, 0, .48, 0, 0, 0, .48, 0, .64};

	ok(!kith_immigrate_form_gram(&form, 0, Z, NULL, 1), "of no rows");
	ok(!kith_immigrate_form_gram(&form, 1, Z, (double[]){1}, 25), "of a positive one none");
	ok(kith_immigrate_form_gram(&form, 1, Z, (double[]){-1}, 25), "of a negative one");
	is_near(form.norm, 25, 1e-13, "its square");
	for (size_t j = 0; j < 3; j++)
		Z[8 + j] = 2 * Z[j];
	ok(kith_immigrate_form_gram(&form, 2, Z, (double[]){1, -1}, 125), "twice the same row");
	is_near(form.norm, 75, 1e-12, "4 less 1 of it");
	kith_immigrate_form_full(&form, W);
	for (size_t k = 0; k < 9; k++)
		worst = fmax(worst, fabs(W[k] - due[k]));
	ok(worst <= 1e-14 && form.r == 8 && form.sign[1] == 0, "one row: %g", worst);
	memset(Z, 0, sizeof(Z));
	ok(!kith_immigrate_form_gram(&form, 2, Z, (double[]){1, -1}, 1) && form.r == 0,
	    "rows of 0");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 12, KITH_RNG_SAMPLE, 0);
	test_cost();
	test_entropy();
	test_unit();
	test_rows();
	test_closed();
	test_gram();
	return done();
}
