/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/knife/gram.h, kernels.h, tiles.h and of kith_knife_coupling(): all
 * entries of K and products with it are those of the rows.
 */
#include "knife/gram.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/knife.h"
#include "knife/state.h"
#include "knife/tiles.h"
#include "tap.h"

#include <stdio.h>

enum { P = 5 };

static struct kith_err err;

/* K by its definition. */
static double *
plain_gram(const struct kith_knife_problem *problem, const double *w)
{
	const size_t n = problem->X->n;
	double *K = numbers(n * n);

	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++)
			K[i * n + l] = plain_kernel(
			    problem, w, kith_row(problem->X, i), kith_row(problem->X, l));
	return K;
}

/* Products with K, and columns of it. */
static void
test_products(const struct kith_knife_state *state, const double *K, const char *what)
{
	const size_t n = state->n, m = n < 3 ? n : 3;
	const size_t row[] = {n - 1, 0, n / 2};
	double *v = numbers(2 * n), *due = numbers(2 * n);
	double *got = numbers(2 * n), *C = numbers(n * m), *D = numbers(n * m);
	double size = 0;

	for (size_t i = 0; i < 2 * n; i++)
		v[i] = normal(&rng);
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++) {
			due[i] += K[i * n + l] * v[l];
			due[n + i] += K[i * n + l] * v[n + l];
			size = fmax(size, fabs(K[i * n + l]));
		}
	kith_knife_times(state, v, got);
	kith_knife_times(state, v + n, got + n);
	ok(largest(2 * n, got, due) <= 1e-13 * size * (double)n, "K v, %s: %.1e", what,
	    largest(2 * n, got, due));
	if (state->tiled) {
		memset(got, 0, 2 * n * sizeof(*got));
		kith_knife_tiles_times(state, 2, v, got);
		ok(largest(2 * n, got, due) <= 1e-13 * size * (double)n, "two at once, %s", what);
		kith_knife_tiles_columns(state, m, row, C);
	} else if (!state->primal)
		kith_knife_columns(state, m, row, C);
	for (size_t i = 0; i < n && !state->primal; i++)
		for (size_t l = 0; l < m; l++)
			D[i * m + l] = K[i * n + row[l]];
	ok(largest(n * m, C, D) <= 1e-13 * size, "columns, %s", what);
}

static void
test_entries(struct kith_knife_problem *problem, const double *w, size_t held, const char *what)
{
	const size_t n = problem->X->n;
	const double *K = plain_gram(problem, w);
	struct kith_knife_state state;
	double own = 0, most = 0, due = 0;

	problem->held = held;
	state = kith_knife_begin(problem, true);
	ok(kith_knife_gram(&state, w, &err) == 0 && state.tiled == (held == 1), "at w, %s", what);
	if (!state.tiled && !state.primal)
		ok(largest(n * n, state.K, K) <= 1e-13 * largest(n * n, K, NULL),
		    "all of K, %s: %.1e", what, largest(n * n, state.K, K));
	for (size_t i = 0; i < n && !state.primal; i++)
		own = fmax(own, fabs(kith_knife_own(&state, i) / K[i * n + i] - 1));
	ok(own <= 1e-13, "its diagonal, %s: %.1e", what, own);
	test_products(&state, K, what);
	kith_knife_end(&state);
	if (problem->kernel == KITH_KNIFE_LINEAR)
		return;
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < i; l++)
			due = fmax(due, fabs(K[i * n + l]));
	most = kith_knife_coupling(problem, w);
	ok(fabs(most - due) <= 1e-13 * due, "the largest off it, %s: %g", what, most);
}

static void
test_sizes(void)
{
	static const size_t rows[] = {1, 2, 8, 9, 31, 33, 64, 65, 128, 129, 257, 300};
	double w[P] = {.3, 0, .7, 1, .01};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (unsigned kernel = 0; kernel < 4; kernel++) {
			struct kith_knife_problem problem = draw(
			    rows[i], P, 1, (enum kith_knife_kernel)kernel, KITH_KNIFE_SQUARED);
			char what[64];

			/* The largest entry is one of two rows alike. */
			if (rows[i] > 2)
				memcpy(kith_row(problem.X, rows[i] * 3 / 4),
				    kith_row(problem.X, rows[i] / 3), P * sizeof(double));
			problem.degree = 1 + i % 5;
			problem.coef0 = i % 2 ? 1 : 0;
			problem.threads = 1 + i % 3;
			snprintf(what, sizeof(what), "%s, n %zu", kernel_name[kernel], rows[i]);
			test_entries(&problem, w, 0, what);
			if (kernel > 0 && rows[i] > 1)
				test_entries(&problem, w, 1, what);
		}
}

/* So many rows that blocks share a sum: x'z + 1 has products that are known. */
static void
test_groups(size_t n)
{
	const double w[] = {1, .5};
	struct kith_knife_problem problem = draw(
	    n, 2, 1, KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED);
	double *v = numbers(n), *got = numbers(n), sum[3] = {0}, worst = 0;
	struct kith_knife_state state;

	problem.degree = 1;
	problem.held = 1;
	problem.threads = 2;
	state = kith_knife_begin(&problem, true);
	kith_knife_gram(&state, w, &err);
	for (size_t i = 0; i < n; i++) {
		const double *x = kith_row(problem.X, i);

		v[i] = normal(&rng);
		sum[0] += w[0] * x[0] * v[i];
		sum[1] += w[1] * x[1] * v[i];
		sum[2] += v[i];
	}
	kith_knife_tiles_times(&state, 1, v, got);
	for (size_t i = 0; i < n; i++) {
		const double *x = kith_row(problem.X, i);
		const double due = sum[0] * x[0] + sum[1] * x[1] + sum[2];

		worst = fmax(worst, fabs(got[i] - due));
	}
	ok(worst < 1e-9, "%zu rows: K v to %.1e", n, worst);
	kith_knife_end(&state);
}

/* H of the polynomial kernel has one factor less. */
static void
test_powers(void)
{
	const double w[P] = {.3, 0, .7, 1, .01};

	for (size_t degree = 1; degree < 9; degree++) {
		struct kith_knife_problem problem = draw(
		    40, P, 1, KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED);
		struct kith_knife_problem less = problem;
		struct kith_knife_state state;
		const double *H;

		problem.degree = degree;
		less.degree = degree - 1;
		H = plain_gram(&less, w);
		state = kith_knife_begin(&problem, false);
		kith_knife_gram(&state, w, &err);
		ok(largest(1600, state.H, H) <= 1e-13 * largest(1600, H, NULL),
		    "the power %zu, and one less", degree);
		kith_knife_end(&state);
	}
}

/*
 * Pairs of rows that are near each other and far from the rest: their distances are
 * those of differences, not of products that cancel; wherever in a row they are.
 */
static void
test_near(void)
{
	const double w[2] = {1, 1};

	for (size_t n = 4; n < 36; n += 3) {
		struct kith_knife_problem problem = draw(
		    n, 2, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
		double most = 0;

		problem.gamma = 100;
		for (size_t i = 0; i < n; i++) {
			double *x = kith_row(problem.X, i);

			x[0] = 1000 * (double)(i % (n / 2)) + x[0] / 20;
		}
		for (size_t held = 0; held < 2; held++) {
			struct kith_knife_state state;
			const double *K = plain_gram(&problem, w);
			double *C = numbers(n * n);
			size_t row[40];

			for (size_t i = 0; i < n; i++)
				row[i] = i;
			problem.held = held;
			state = kith_knife_begin(&problem, true);
			kith_knife_gram(&state, w, &err);
			if (held)
				kith_knife_tiles_columns(&state, n, row, C);
			else
				kith_knife_columns(&state, n, row, C);
			most = fmax(most, largest(n * n, C, K));
			kith_knife_end(&state);
		}
		ok(most <= 1e-9, "%zu rows in pairs far apart: %.1e", n, most);
	}
}

static void
test_too_large(void)
{
	static const char due[] = "values of the kernel are too large for a "
				  "double (tabscale?)";
	const double w[P] = {1, 1, 1, 1, 1};
	double F, alpha[20], bias;

	for (size_t held = 0; held < 2; held++)
		for (size_t i = 0; i < 20; i += 19) {
			struct kith_knife_problem problem = draw(
			    20, P, 1, KITH_KNIFE_POLYNOMIAL, KITH_KNIFE_SQUARED);

			problem.held = held;
			kith_row(problem.X, i)[0] = 1e60;
			ok(kith_knife_coupling(&problem, w) == INFINITY,
			    "an entry that is too large");
			ok(kith_knife_at(&problem, w, &F, NULL, alpha, &bias, &err) == -1 &&
				err.status == EX_DATAERR,
			    "no machine of it");
			is_text(err.msg, due, "its message");
			kith_row(problem.X, i)[0] = 1e200;
			problem.kernel = KITH_KNIFE_LINEAR;
			ok(kith_knife_at(&problem, w, &F, NULL, alpha, &bias, &err) == -1,
			    "nor of a linear one");
			is_text(err.msg, due, "its message");
		}
}

/* Without a weight K is 0, and so is its product, exactly. */
static void
test_none(void)
{
	struct kith_knife_problem problem = draw(9, P, 1, KITH_KNIFE_LINEAR, KITH_KNIFE_SQUARED);
	struct kith_knife_state state = kith_knife_begin(&problem, true);
	double *v = even(9, 1), *got = even(9, 7);

	kith_knife_gram(&state, numbers(P), &err);
	kith_knife_times(&state, v, got);
	ok(state.primal && largest(9, got, NULL) == 0, "no weights: K v = 0");
	kith_knife_end(&state);
}

int
main(void)
{
	kith_rng_seed(&rng, 4, KITH_RNG_SAMPLE, 0);
	test_sizes();
	test_groups(2048);
	test_groups(2049);
	test_groups(2300);
	test_powers();
	test_near();
	test_too_large();
	test_none();
	kith_pool_free(&pool);
	return done();
}
