/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/start.h, lib/immigrate/rows.h and of how a run begins
 * (lib/immigrate/run.h).
 */
#include "immigrate/start.h"

#include "immigrate/data.h"
#include "immigrate/unit.h"
#include "tap.h"

#include <float.h>

static void
test_random(void)
{
	enum { P = 5 };
	double W[P * P], due[P * P] = {0}, w[P], sum = 0, norm = 0;
	struct kith_rng r;

	kith_rng_seed(&r, 11, KITH_RNG_START, 3);
	for (size_t i = 0; i < P; i++)
		for (size_t j = i; j < P; j++)
			due[i * P + j] = due[j * P + i] = kith_rng_unit(&r);
	for (size_t k = 0; k < (size_t)P * P; k++)
		norm += due[k] * due[k];
	for (size_t k = 0; k < (size_t)P * P; k++)
		due[k] /= sqrt(norm);
	kith_immigrate_start_random(11, 3, P, W);
	ok(apart((size_t)P * P, W, due) <= 1e-15, "a random matrix, by rows");
	kith_rng_seed(&r, 11, KITH_RNG_START, 0);
	for (size_t j = 0; j < P; j++)
		sum += due[j] = kith_rng_unit(&r);
	for (size_t j = 0; j < P; j++)
		due[j] /= sum;
	kith_immigrate_start_draw(11, P, w);
	ok(apart(P, w, due) <= 1e-15, "a random vector");
	kith_immigrate_start_uniform(P, w);
	ok(w[0] == 1. / P && w[P - 1] == 1. / P, "an even one");
	kith_immigrate_start_identity(1, W);
	ok(W[0] == 1, "one feature");
}

static void
test_norm(void)
{
	double w[] = {3, 0, 1}, W[] = {3, -4, 0, 0}, none[] = {0, 0};
	double huge[] = {1e200, 3e200};

	ok(kith_immigrate_start_norm(3, false, w) == 0 && w[0] == .75 && w[1] == 0 && w[2] == .25,
	    "a vector of sum 1");
	ok(kith_immigrate_start_norm(4, true, W) == 0 && fabs(W[0] - .6) < 1e-15 &&
		fabs(W[1] + .8) < 1e-15,
	    "a matrix of norm 1");
	ok(kith_immigrate_start_norm(2, true, huge) == 0 && fabs(huge[0] - sqrt(.1)) < 1e-15,
	    "without overflow");
	ok(kith_immigrate_start_norm(2, true, none) == -1 && none[0] == 0, "nothing has none");
	kith_immigrate_normalise(2, false, none);
	ok(none[0] == 0, "and stays");
}

/* Rows by class, in units near the widest range; constant features are 0. */
static void
test_rows(void)
{
	double x[] = {5, 7, 1, 5, -9, 2, 5, 3, 3, 5, 0, 0, 5, 6, 5};
	const size_t y[] = {2, 0, 2, 0, 2}, row[] = {1, 3, 0, 2, 4};
	const double weight[] = {1, 2, 3, 4, 5};
	const struct kith_mat X = {5, 3, x};
	const struct kith_immigrate_rows rows = {&X, y, 4, weight};
	const struct kith_immigrate_data data = kith_immigrate_data_new(&rows, &pool);
	size_t odd = 0;

	ok(data.n == 5 && data.p == 3 && data.ld == 8 && data.tiles == 1 && data.total == 15,
	    "sizes");
	ok(data.start[0] == 0 && data.start[1] == 2 && data.start[2] == 2 && data.start[3] == 5 &&
		data.start[4] == 5,
	    "classes");
	/* The widest range is 16: differences are below 1. */
	ok(data.unit == 5, "a unit of 2^%d", data.unit);
	for (size_t k = 0; k < 5; k++) {
		odd += data.row[k] != row[k] || data.y[k] != y[row[k]] ||
		    data.weight[k] != weight[row[k]];
		for (size_t j = 0; j < 8; j++) {
			const double due = j == 1 || j == 2 ? x[row[k] * 3 + j] / 32 : 0;

			odd += data.X[k * 8 + j] != due;
			odd += j < 3 && data.columns[j * 64 + k] != due;
		}
	}
	is_size(odd, 0, "numbers that are not those of the rows");
	for (size_t k = 0; k < 15; k++)
		x[k] = k % 3 ? 2 : (double)k * DBL_TRUE_MIN;
	ok(kith_immigrate_data_new(&rows, &pool).unit < -1060, "the least range is one");
	for (size_t k = 0; k < 15; k++)
		x[k] = 2;
	ok(kith_immigrate_data_new(&rows, &pool).unit == 0, "no range is none");
	kith_pool_free(&pool);
}

static void
test_tiles(void)
{
	static const size_t ns[] = {1, 63, 64, 65, 128, 129, 400};

	for (size_t k = 0; k < 7; k++) {
		struct kith_immigrate_data data = {.n = ns[k]};
		size_t t = 0, odd = 0, rows = 0;

		data.tiles = (ns[k] + 63) / 64;
		for (size_t I = 0; I < data.tiles; I++) {
			rows += kith_immigrate_tile_rows(&data, I);
			for (size_t J = I; J < data.tiles; J++, t++) {
				size_t i, j;

				kith_immigrate_tile_pair(&data, t, &i, &j);
				odd += i != I || j != J;
			}
		}
		ok(odd == 0 && t == kith_immigrate_tile_pairs(&data) && rows == ns[k],
		    "%zu pairs of tiles", t);
	}
	ok(kith_immigrate_limit(1e-6, false) == 1e-6 * 100 &&
		kith_immigrate_limit(1e-6, true) == 1e-6 / 100 &&
		kith_immigrate_limit(0, false) == 1e-12 &&
		kith_immigrate_limit(1e-13, true) == 1e-12,
	    "limits of tolerances");
}

/* Whether a run knows that its start has no negative eigenvalue. */
static bool
is_definite(bool matrix, const double *W)
{
	const double x[] = {0, 1, 2, 3, 1, 0, 4, 4, 5, 2, 9, 1};
	const size_t y[] = {0, 1, 0, 1};
	const struct kith_mat X = {4, 3, (double *)x};
	const struct kith_immigrate_rows rows = {&X, y, 2, NULL};
	const struct kith_immigrate_how how = usual(1, 1);
	const bool definite = kith_immigrate_run_new(
	    &how, kith_immigrate_model_new(&rows, &how, matrix, &pool), W, &pool)
				  .definite;

	kith_pool_free(&pool);
	return definite;
}

static void
test_definite(void)
{
	double W[9] = {1, 0, 0, 0, 0, 0, 0, 0, 2}, w[] = {.5, 0, .5};

	ok(is_definite(true, W) && is_definite(false, w), "a diagonal, and a vector");
	w[1] = -.1;
	ok(!is_definite(false, w), "a negative one");
	for (size_t k = 0; k < 9; k++) {
		const double was = W[k];

		W[k] = -1;
		ok(!is_definite(true, W), "a negative entry at %zu", k);
		W[k] = 1;
		ok(is_definite(true, W) == (k % 4 == 0), "or a positive one");
		W[k] = was;
	}
}

int
main(void)
{
	test_random();
	test_norm();
	test_rows();
	test_tiles();
	test_definite();
	return done();
}
