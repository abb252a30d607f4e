/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/unit.h, and of the starts that are read in units of the
 * input (lib/immigrate/start.h).
 */
#include "immigrate/unit.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "immigrate/start.h"
#include "la/mat.h"
#include "scratch.h"
#include "table/ensemble.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { P = 4 };

static struct kith_pool pool;
static struct kith_err err;
static struct kith_names feature;
static double scale[P] = {2, 4, 0, .5}; /* c is constant */
static struct kith_immigrate_unit unit, none;

static void
set_up(void)
{
	static char letter[P][2] = {"a", "b", "c", "d"};
	static char *name[P];

	for (size_t j = 0; j < P; j++)
		name[j] = letter[j];
	kith_names_index(&feature, name, P, &pool);
	unit = (struct kith_immigrate_unit){&feature, {P, scale, scale, KITH_UNIT_ZSCORE}};
	none = (struct kith_immigrate_unit){.feature = &feature};
}

static bool
same(size_t n, const double *a, const double *b)
{
	for (size_t k = 0; k < n; k++)
		if (!(fabs(a[k] - b[k]) <= 1e-15))
			return false;
	return true;
}

static void
test_new(void)
{
	double v[] = {1, 5, 3, 5, 8, 5}, was[6];
	const struct kith_mat X = {3, 2, v};
	const struct kith_origin from = {.feature = &feature};
	struct kith_mat scaled;
	struct kith_immigrate_unit got;

	memcpy(was, v, sizeof(was));
	ok(kith_immigrate_unit_new(KITH_UNIT_NONE, &from, &X, &got, &scaled, &pool, &err) == 0 &&
		scaled.v == v && got.unit.p == 0 && got.feature == &feature,
	    "rows as they are");
	ok(kith_immigrate_unit_new(KITH_UNIT_MINMAX, &from, &X, &got, &scaled, &pool, &err) == 0 &&
		scaled.n == 3 && scaled.p == 2,
	    "scaled rows");
	ok(same(6, scaled.v, (const double[]){0, 0, 2. / 7, 0, 1, 0}),
	    "from 0 to 1, constant ones 0");
	ok(same(6, v, was), "are a copy");
	ok(got.unit.p == 2 && got.unit.scale[0] == 7 && got.unit.scale[1] == 0, "their unit");
	v[0] = -1.7e308;
	v[2] = 1.7e308;
	ok(kith_immigrate_unit_new(KITH_UNIT_ZSCORE, &from, &X, &got, &scaled, &pool, &err) == -1 ||
		(isfinite(scaled.v[0]) && isfinite(scaled.v[2])),
	    "a range beyond all numbers fits or fails");
}

static void
test_drop(void)
{
	const size_t first[] = {0, 2}, plain[] = {3, 1};
	double w[P] = {.1, .2, .3, .4}, W[] = {1, 2, 2, 3};
	struct kith_metric metric = {KITH_ABSOLUTE, P, w};

	ok(!kith_immigrate_unit_drop(&none, NULL, &metric, &pool) && metric.w == w,
	    "no unit: nothing is dropped");
	ok(kith_immigrate_unit_drop(&unit, NULL, &metric, &pool) &&
		same(P, metric.w, (const double[]){.1, .2, 0, .4}),
	    "the weight of a constant");
	is_near(w[2], .3, 0, "in a copy");
	ok(!kith_immigrate_unit_drop(&unit, NULL, &metric, &pool), "which is 0 then");
	metric = (struct kith_metric){KITH_ABSOLUTE_MATRIX, 2, W};
	ok(kith_immigrate_unit_drop(&unit, first, &metric, &pool) &&
		same(4, metric.w, (const double[]){1, 0, 0, 0}),
	    "rows and columns of a matrix");
	metric.w = W;
	ok(!kith_immigrate_unit_drop(&unit, plain, &metric, &pool) && same(4, metric.w, W),
	    "where none is constant");
	W[1] = W[2] = 0;
	metric.w = W;
	ok(kith_immigrate_unit_drop(&unit, first, &metric, &pool), "on the diagonal alone");
	W[3] = 0;
	metric.w = W;
	ok(!kith_immigrate_unit_drop(&unit, first, &metric, &pool), "zeros are not dropped");
}

/* Weights in the units of the input, and back. */
static void
test_change(void)
{
	const size_t some[] = {3, 1};
	double w[P] = {.1, .2, .3, .4}, W[] = {1, 2, 2, 3};
	struct kith_metric metric = {KITH_ABSOLUTE, P, w};
	struct kith_learner learner[2];
	struct kith_ensemble ensemble = {
	    .learner = learner, .n = 2, .column = (size_t *)some, .p = 2};

	ok(kith_immigrate_unit_metric(&none, NULL, &metric, &pool, &err) == 0 && metric.w == w,
	    "no unit: as it is");
	ok(kith_immigrate_unit_metric(&unit, NULL, &metric, &pool, &err) == 0 &&
		same(P, metric.w, (const double[]){.05, .05, 0, .8}),
	    "a vector over its scales");
	is_near(w[0], .1, 0, "in a copy");
	memcpy(w, metric.w, sizeof(w));
	ok(kith_immigrate_unit_from_input(&unit, NULL, KITH_ABSOLUTE, P, w, &err) == 0 &&
		same(P, w, (const double[]){.1, .2, 0, .4}),
	    "and back");
	ok(kith_immigrate_unit_from_input(&none, NULL, KITH_ABSOLUTE, P, w, &err) == 0 &&
		same(P, w, (const double[]){.1, .2, 0, .4}),
	    "no unit: in place");
	for (size_t l = 0; l < 2; l++)
		learner[l].metric = (struct kith_metric){KITH_ABSOLUTE_MATRIX, 2, W};
	ok(kith_immigrate_unit_ensemble(&unit, &ensemble, &pool, &err) == 0 &&
		same(4, learner[0].metric.w, (const double[]){4, 1, 1, 3. / 16}) &&
		same(4, learner[1].metric.w, learner[0].metric.w),
	    "learners of some columns");
	ok(W[0] == 1 && W[3] == 3, "in copies");
	scale[1] = 1e-308;
	W[3] = 1e10;
	metric = (struct kith_metric){KITH_ABSOLUTE_MATRIX, 2, W};
	ok(kith_immigrate_unit_metric(&unit, some, &metric, &pool, &err) == -1 &&
		err.status == EX_DATAERR && strstr(err.msg, "\"d\""),
	    "%s", err.msg);
	learner[1].metric.w = W;
	ok(kith_immigrate_unit_ensemble(&unit, &ensemble, &pool, &err) == -1,
	    "one of a learner, too");
	scale[1] = 4;
}

static int
read_start(size_t i, const char *text, bool vector, double *W)
{
	return kith_immigrate_start_read(scratch_text(i, text), &unit, vector, W, &err);
}

/* Starts from tables, in the units of the input. */
static void
test_read(void)
{
	double W[P * P] = {0};
	const double left = sqrt(2. * 4 * 4 + 16 * 16);

	ok(read_start(0, "feature\tweight_abs\nb\t1\nd\t8\n", true, W) == 0 &&
		same(P, W, (const double[]){0, .5, 0, .5}),
	    "a vector of sum 1");
	ok(read_start(0, "feature1\tfeature2\tweight_abs\na\td\t4\nb\tb\t1\n", false, W) == 0,
	    "a matrix");
	ok(fabs(W[3] - 4 / left) <= 1e-15 && W[12] == W[3] && fabs(W[5] - 16 / left) <= 1e-15 &&
		W[0] == 0,
	    "of norm 1");
	ok(read_start(1, "feature\tweight_abs\nb\t0\n", true, W) == -1 &&
		err.status == EX_DATAERR && err.file == scratch_path[1],
	    "no weights");
	is_text(err.msg, "all weights are 0", "which is said");
	ok(read_start(1, "feature\tweight_abs\nb\t1\n", false, W) == -1, "a vector for a matrix");
	is_text(err.msg, "a vector of weights: the start is a matrix", "which is said");
	ok(read_start(1, "feature1\tfeature2\tweight_abs\na\ta\t1\n", true, W) == -1,
	    "a matrix for a vector");
	is_text(err.msg, "a matrix of weights: the start is a vector", "which is said");
	ok(read_start(1, "feature\tweight_abs\nx\t1\n", true, W) == -1 && err.line == 2,
	    "another feature: %s", err.msg);
	ok(read_start(1, "feature1\tfeature2\tweight_abs\na\tb\t1\nb\ta\t2\n", false, W) == -1,
	    "no symmetric one: %s", err.msg);
}

static struct kith_immigrate_judged judged;

static int
read_judged(const char *text, bool vector, bool named)
{
	return kith_immigrate_start_judged(
	    scratch_text(2, text), &unit, vector, named, &judged, &pool, &err);
}

/* Weights that are to be judged, of all features or of those that are named. */
static void
test_judged(void)
{
	static const char vector[] = "feature\tweight_abs\nb\t1\nd\t8\n";
	static const char matrix[] = "# sigma\t3\nfeature1\tfeature2\tweight_abs\n"
				     "b\td\t1\nd\tb\t2\nd\td\t4\n";

	ok(read_judged(vector, true, false) == 0 && judged.p == P && !judged.column &&
		judged.needs.sigma == 0 && same(P, judged.W, (const double[]){0, 4, 0, 4}),
	    "a vector as it is");
	ok(read_judged(matrix, false, true) == 0 && judged.p == 2 && judged.column &&
		judged.column[0] == 1 && judged.column[1] == 3,
	    "the features that are named");
	ok(same(4, judged.W, (const double[]){0, 2, 4, 1}) && judged.needs.sigma == 3,
	    "a matrix of these, not symmetric");
	ok(read_judged(matrix, false, false) == 0 && judged.p == P && !judged.column &&
		judged.W[7] == 2 && judged.W[13] == 4 && judged.W[15] == 1 && judged.W[0] == 0,
	    "or of all");
	ok(read_judged(vector, false, true) == -1 && err.status == EX_DATAERR &&
		err.file == scratch_path[2],
	    "a vector for a matrix");
	is_text(err.msg, "not the weights of this --method", "which is said");
	ok(read_judged(matrix, true, false) == -1, "a matrix for a vector");
	ok(read_judged("feature\tweight\na\t1\n", true, false) == -1, "weights of squares");
	ok(read_judged("feature\tweight_abs\na\tx\n", true, false) == -1, "no number: %s", err.msg);
	scale[1] = 1e300;
	ok(read_judged("feature\tweight_abs\nb\t1e300\n", true, false) == -1,
	    "no number of the unit: %s", err.msg);
	scale[1] = 4;
}

int
main(void)
{
	set_up();
	test_new();
	test_drop();
	test_change();
	test_read();
	test_judged();
	kith_pool_free(&pool);
	return done();
}
