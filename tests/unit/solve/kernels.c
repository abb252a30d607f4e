/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/solve/kernels.h: at each level the bits of plain loops. */
#include "solve/kernels.h"

#include "solve/sparse.h"
#include "tap.h"
#include "uniform.h"

#include <string.h>

enum { N = 24, NN = N * N, C = 9 };

static double A[NN], b[N], t[N], g[N];

/* A t - b, with every third t at 0. */
static void
test_gradient(size_t ld)
{
	const struct kith_solve_kernels *kernel = kith_solve_kernels_at_level();
	double due[N] = {0};
	size_t P[N] = {0}, n = 0;

	for (size_t i = 0; i < ld; i++)
		if (i % 3 == 0)
			t[i] = 0;
		else
			P[n++] = i;
	for (size_t j = 0; j < ld; j++) {
		due[j] = -b[j];
		for (size_t i = 0; i < n; i++)
			due[j] += t[P[i]] * A[P[i] * ld + j];
	}
	kernel->gradient(n, P, ld, A, b, t, g);
	ok(memcmp(g, due, ld * sizeof(*g)) == 0, "%s: A t - b of %zu", kith_level_name(kith_level),
	    ld);
}

/* From t = 0, where no t_j of a copy moves. */
static void
test_descend(size_t ld)
{
	const struct kith_solve_kernels *kernel = kith_solve_kernels_at_level();
	double due[N] = {0}, due_t[N] = {0};
	bool copy[N] = {false, false, true};

	memset(t, 0, sizeof(t));
	for (size_t j = 0; j < ld; j++) {
		A[j * ld + j] = 2;
		g[j] = due[j] = -b[j];
	}
	for (int sweep = 0; sweep < 2; sweep++) {
		for (size_t j = 0; j + 1 < ld; j++) {
			double d = -due[j] / 2;

			if (copy[j] || (due_t[j] == 0 && due[j] >= 0))
				continue;
			d = d < -due_t[j] ? -due_t[j] : d;
			due_t[j] += d;
			for (size_t l = 0; l < ld; l++)
				due[l] += d * A[j * ld + l];
		}
		kernel->descend(ld - 1, ld, A, copy, t, g);
	}
	ok(memcmp(t, due_t, ld * sizeof(*t)) == 0, "%s: descent of %zu",
	    kith_level_name(kith_level), ld);
	ok(memcmp(g, due, ld * sizeof(*g)) == 0, "and its gradient");
}

/* Rows of 0 .. N - 1 entries, summed in their order. */
static void
test_multiply(size_t c)
{
	static uint32_t column[NN];
	size_t start[N + 1] = {0};
	const struct kith_sparse S = {N, start, column, A, b};
	double X[N * C], Y[N * C], due[N * C] = {0};

	draw(N * c, X);
	for (size_t i = 0; i < N; i++) {
		start[i + 1] = start[i] + i;
		for (size_t e = 0; e < i; e++)
			column[start[i] + e] = (uint32_t)(e + (e >= N - i));
		for (size_t k = 0; k < c; k++) {
			double sum = b[i] * X[i * c + k];

			for (size_t e = 0; e < i; e++)
				sum += A[start[i] + e] * X[column[start[i] + e] * c + k];
			due[i * c + k] = sum;
		}
	}
	kith_sparse_times(&S, c, X, Y, 1);
	ok(memcmp(Y, due, N * c * sizeof(*Y)) == 0, "%s: a sparse matrix times %zu columns",
	    kith_level_name(kith_level), c);
}

/* (L L')^-1 times c columns, L having a diagonal of 2 and rows of 0 .. N - 1 entries before it. */
static void
test_ic_solve(size_t c)
{
	static uint32_t column[NN];
	size_t start[N + 1] = {0};
	double inverse[N], R[N * C], Z[N * C], due[N * C];
	const struct kith_sparse L = {N, start, column, A, inverse};

	draw(N * c, R);
	memcpy(due, R, N * c * sizeof(*R));
	for (size_t i = 0; i < N; i++) {
		inverse[i] = .5;
		start[i + 1] = start[i] + i;
		for (size_t e = 0; e < i; e++)
			column[start[i] + e] = (uint32_t)e;
	}
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < c; k++) {
			for (size_t j = 0; j < i; j++)
				due[i * c + k] -= A[start[i] + j] * due[j * c + k];
			due[i * c + k] *= inverse[i];
		}
	for (size_t i = N; i-- > 0;)
		for (size_t k = 0; k < c; k++) {
			due[i * c + k] *= inverse[i];
			for (size_t j = 0; j < i; j++)
				due[j * c + k] -= A[start[i] + j] * due[i * c + k];
		}
	kith_solve_kernels_at_level()->ic_solve(&L, c, R, Z);
	ok(memcmp(Z, due, N * c * sizeof(*Z)) == 0, "%s: a factor of rows, %zu columns",
	    kith_level_name(kith_level), c);
}

int
main(void)
{
	for (kith_level = 0; kith_level < kith_level_count(); kith_level++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
		for (size_t ld = 8; ld <= N; ld += 8) {
			draw(NN, A);
			draw(N, b);
			draw(N, t);
			test_gradient(ld);
			test_descend(ld);
		}
		for (size_t c = 1; c <= C; c++) {
			test_multiply(c);
			test_ic_solve(c);
		}
	}
	return done();
}
