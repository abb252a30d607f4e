/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/unit.h: units of columns, and of weights. */
#include "table/unit.h"

#include "base/err.h"
#include "base/names.h"
#include "base/pool.h"
#include "la/mat.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <string.h>

static char a[] = "a", b[] = "b", c[] = "c", *column[] = {a, b, c};
static const struct kith_names name = {.name = column, .n = 3};
static struct kith_pool pool;

static void
test_scaling(void)
{
	static const double is[] = {-1, 0, 1};
	double v[] = {1, 5, 1e308, 2, 5, 0, 3, 5, -1e308}, w[9];
	struct kith_mat X = {3, 3, w};
	struct kith_unit u;
	struct kith_err err;

	memcpy(w, v, sizeof(v));
	ok(kith_unit_fit(KITH_UNIT_ZSCORE, &X, &name, &u, &pool, &err) == 0,
	    "z-scores");
	ok(u.center[0] == 2 && u.scale[0] == 1, "mean and deviation");
	ok(u.scale[1] == 0, "a constant column");
	ok(kith_unit_apply(&u, &X, &name, &err) == 0, "apply them");
	for (size_t i = 0; i < 3; i++) {
		ok(fabs(w[3 * i] - is[i]) <= 0, "row %zu", i);
		is_near(w[3 * i + 1], 0, 0, "its constant");
		is_near(w[3 * i + 2], -is[i], 1e-15, "its large number");
	}
	memcpy(w, v, sizeof(v));
	w[2] = 10;
	w[8] = 5;
	ok(kith_unit_fit(KITH_UNIT_MINMAX, &X, &name, &u, &pool, &err) == 0,
	    "ranges");
	ok(kith_unit_apply(&u, &X, &name, &err) == 0, "apply them");
	ok(w[0] == 0 && w[3] == .5 && w[6] == 1, "from 0 to 1");
	is_near(w[8], .5, 0, "and between");
	w[2] = DBL_MAX;
	w[8] = -DBL_MAX;
	ok(kith_unit_fit(KITH_UNIT_MINMAX, &X, &name, &u, &pool, &err) == -1,
	    "a range beyond a double");
	ok(strstr(err.msg, "\"c\""), "names the column");
}

static void
test_weights(void)
{
	double center[3] = {0}, scale[] = {2, 0, 4};
	struct kith_unit u = {3, center, scale};
	double w[] = {4, 1, 16}, W[9];
	const double was[9] = {1, 1, 1, 4, 1, 2, 5, 7, 1};
	struct kith_err err;

	kith_unit_to_input(&u, KITH_SQUARED, &name, w, &err);
	ok(w[0] == 1 && w[1] == 0 && w[2] == 1, "of squares");
	kith_unit_from_input(&u, KITH_SQUARED, &name, w, &err);
	ok(w[0] == 4 && w[1] == 0 && w[2] == 16, "and back");
	kith_unit_to_input(&u, KITH_ABSOLUTE, &name, w, &err);
	ok(w[0] == 2 && w[2] == 4, "of absolute differences");
	memcpy(W, was, sizeof(W));
	ok(kith_unit_to_input(&u, KITH_ABSOLUTE_MATRIX, &name, W, &err) == 0,
	    "a matrix");
	ok(W[2] == was[2] / 8 && W[6] == was[6] / 8, "of pairs");
	ok(W[1] == 0 && W[4] == 0, "none of a constant column");
	w[0] = 1e-320;
	scale[0] = 1e10;
	ok(kith_unit_to_input(&u, KITH_SQUARED, &name, w, &err) == -1,
	    "a weight that would be lost");
	scale[0] = 1e-200;
	w[0] = 1;
	ok(kith_unit_to_input(&u, KITH_SQUARED, &name, w, &err) == -1,
	    "a weight that is too large");
	ok(strstr(err.msg, "\"a\""), "names the column");
}

int
main(void)
{
	test_scaling();
	test_weights();
	kith_pool_free(&pool);
	return done();
}
