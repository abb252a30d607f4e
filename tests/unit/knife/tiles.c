/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/knife/tiles.h and lib/knife/moduli.h against their definitions. */
#include "knife/tiles.h"

#include "base/err.h"
#include "knife/data.h"
#include "knife/gram.h"
#include "knife/moduli.h"
#include "tap.h"

#include <stdio.h>

static struct kith_err err;

static double
plain_at(const struct kith_knife_problem *problem, const double *w, size_t i, size_t l)
{
	return plain_kernel(problem, w, kith_row(problem->X, i), kith_row(problem->X, l));
}

/* Columns, some of them twice, and the diagonal. */
static void
test_columns(const struct kith_knife_state *state, const double *w, const char *what)
{
	const size_t n = state->n, row[] = {n - 1, 0, n / 2, n - 1};
	double *C = even(n * 4, 7), off = 0, own = 0;
	bool nothing = true;

	kith_knife_tiles_columns(state, 4, row, C);
	for (size_t i = 0; i < n; i++) {
		const double k = plain_at(state->problem, w, i, i);

		for (size_t l = 0; l < 4; l++) {
			const double due = plain_at(state->problem, w, i, row[l]);

			nothing = nothing && (due != 0 || C[i * 4 + l] == 0);
			off = fmax(off, fabs(C[i * 4 + l] - due) / (1 + fabs(due)));
		}
		own = fmax(own, fabs(kith_knife_tiles_own(state, i) - k) / (1 + fabs(k)));
	}
	ok(nothing, "what is 0 is 0, %s", what);
	ok(off < 1e-11, "columns, %s: %g", what, off);
	ok(own < 1e-11, "the diagonal, %s: %g", what, own);
}

/* K V, two columns, and the largest entry off the diagonal. */
static void
test_times(const struct kith_knife_state *state, const double *w, const char *what)
{
	const size_t n = state->n;
	double *V = numbers(2 * n), *got = even(2 * n, 7), *due = numbers(2 * n);
	double most = 0, coupling;

	for (size_t k = 0; k < 2 * n; k++)
		V[k] = normal(&rng);
	kith_knife_tiles_times(state, 2, V, got);
	for (size_t i = 0; i < n; i++)
		for (size_t l = 0; l < n; l++) {
			const double k = plain_at(state->problem, w, i, l);

			due[i] += k * V[l];
			due[n + i] += k * V[n + l];
			most = i == l ? most : fmax(most, fabs(k));
		}
	ok(largest(2 * n, got, due) < 1e-11 * (1 + largest(2 * n, due, NULL)), "products, %s: %g",
	    what, largest(2 * n, got, due));
	coupling = kith_knife_tiles_coupling(state);
	ok(fabs(coupling - most) <= 1e-11 * most, "coupling, %s: %g, not %g", what, coupling, most);
}

/* sum_o alpha_o' (dK / dw_j) alpha_o */
static void
test_forms(struct kith_knife_state *state, const double *w, const char *what)
{
	const size_t n = state->n, p = state->p;
	double *got = even(p, 7), *due;
	struct kith_knife_problem of = *state->problem;

	for (size_t k = 0; k < state->c * n; k++)
		state->alpha[k] = normal(&rng);
	kith_knife_tiles_forms(state, got);
	of.lambda1 = -1;
	of.lambda2 = 0;
	due = plain_gradient(&of, w, state->alpha);
	ok(largest(p, got, due) < 1e-10 * (1 + largest(p, due, NULL)), "forms, %s: %g of %g", what,
	    largest(p, got, due), largest(p, due, NULL));
}

/* At weights of which some, or all, are 0. */
static void
test_state(size_t n, enum kith_knife_kernel kernel, unsigned degree, bool none)
{
	struct kith_knife_problem problem = draw(n, 9, 2, kernel, KITH_KNIFE_SQUARED);
	double *w = numbers(9);
	struct kith_knife_state state;
	char what[64];

	problem.degree = degree;
	problem.gamma = .3;
	problem.coef0 = .5;
	for (size_t j = 0; j < 9 && !none; j++)
		w[j] = j % 4 == 2 ? 0 : .1 + kith_rng_unit(&rng) / 2;
	state = kith_knife_begin(&problem, true);
	snprintf(what, sizeof(what), "%s %u, n %zu%s", kernel_name[kernel], degree, n,
	    none ? ", no weights" : "");
	ok(kith_knife_gram(&state, w, &err) == 0, "%s", what);
	test_columns(&state, w, what);
	test_times(&state, w, what);
	if (kernel != KITH_KNIFE_LINEAR)
		test_forms(&state, w, what);
	kith_knife_end(&state);
}

static void
test_states(void)
{
	static const size_t sizes[] = {10, 127, 128, 129, 140};

	for (size_t k = 0; k < 5; k++)
		for (unsigned degree = 1; degree < 4; degree++)
			test_state(sizes[k], KITH_KNIFE_POLYNOMIAL, degree, k == 4);
	for (size_t k = 0; k < 5; k++) {
		test_state(sizes[k], KITH_KNIFE_LINEAR, 1, k % 4 == 0);
		test_state(sizes[k], KITH_KNIFE_GAUSSIAN, 3, k == 4);
		test_state(sizes[k], KITH_KNIFE_LAPLACIAN, 3, k == 4);
	}
	test_state(260, KITH_KNIFE_GAUSSIAN, 2, false);
	test_state(260, KITH_KNIFE_LAPLACIAN, 2, false);
}

/* More blocks than groups of sums: columns at their ends, as products. */
static void
test_many(void)
{
	enum { N = 2180, M = 5 };
	static const size_t row[M] = {0, 1919, 2047, 2048, N - 1};
	struct kith_knife_problem problem = draw(N, 1, 1, KITH_KNIFE_GAUSSIAN, KITH_KNIFE_SQUARED);
	const size_t all = (size_t)M * N;
	double w = .5, *V = numbers(all), *got = numbers(all), most = 0;
	struct kith_knife_state state;

	problem.held = 1;
	problem.threads = 2;
	state = kith_knife_begin(&problem, true);
	ok(state.tiled && kith_knife_gram(&state, &w, &err) == 0, "many tiles");
	for (size_t l = 0; l < M; l++)
		V[l * N + row[l]] = 1;
	kith_knife_tiles_times(&state, M, V, got);
	for (size_t l = 0; l < M; l++)
		for (size_t i = 0; i < N; i++)
			most = fmax(most, fabs(got[l * N + i] - plain_at(&problem, &w, i, row[l])));
	ok(most < 1e-13, "columns of K, as products: %g", most);
	kith_knife_end(&state);
}

/* Sums are added to; p around lanes, and a row that counts nothing. */
static void
test_moduli(void)
{
	const double m[] = {.5, 0, -2, 3};

	for (size_t p = 1; p < 20; p++) {
		double x[20], Z[80], got[21], due[21];

		for (size_t j = 0; j < p; j++)
			x[j] = normal(&rng);
		for (size_t k = 0; k < 4 * p; k++)
			Z[k] = normal(&rng);
		for (size_t j = 0; j <= p; j++)
			got[j] = due[j] = (double)j;
		for (size_t l = 0; l < 4; l++)
			for (size_t j = 0; j < p; j++)
				due[j] += m[l] * fabs(x[j] - Z[l * p + j]);
		kith_knife_moduli(4, p, m, x, Z, got);
		ok(largest(p, got, due) < 1e-13 && got[p] == due[p], "moduli of %zu features", p);
	}
}

int
main(void)
{
	kith_rng_seed(&rng, 31, KITH_RNG_SAMPLE, 0);
	test_states();
	test_many();
	test_moduli();
	kith_pool_free(&pool);
	return done();
}
