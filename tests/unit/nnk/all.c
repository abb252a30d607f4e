/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/nnk/all.h: pursuit among all rows, as it is defined, with all
 * kernels and with weights of which some are 0.
 */
#include "nnk/data.h"

#include <string.h>

enum { ATOMS = 3 };

static const double sigma = .3;
static double K[N * N];

/* The kernel matrix of the rows; for cosines they get length 1 first. */
static void
matrix(enum kith_kern_kind kernel, const double *w)
{
	for (size_t i = 0; i < N && kernel == KITH_KERN_COSINE; i++) {
		double square = 0;

		for (size_t j = 0; j < P; j++)
			square += (w ? w[j] : 1) * x[i * P + j] * x[i * P + j];
		for (size_t j = 0; j < P; j++)
			x[i * P + j] /= sqrt(square);
	}
	for (size_t e = 0; e < N * N; e++) {
		const double *a = x + e / N * P, *b = x + e % N * P;
		double d = 0, product = 0;

		for (size_t j = 0; j < P; j++) {
			d += (w ? w[j] : 1) * (a[j] - b[j]) * (a[j] - b[j]);
			product += (w ? w[j] : 1) * a[j] * b[j];
		}
		K[e] = kernel == KITH_KERN_GAUSSIAN ? exp(-d / (2 * sigma * sigma))
		    : kernel == KITH_KERN_COSINE    ? .5 + product / 2
						    : product;
	}
}

/* Weights >= 0 of n atoms that are nearest to row i: the best of all subsets. */
static void
best_weights(size_t i, const size_t *atom, size_t n, double *t)
{
	double best = 0;

	memset(t, 0, ATOMS * sizeof(*t));
	for (unsigned set = 1; set < 1U << n; set++) {
		double A[ATOMS][ATOMS + 1] = {{0}}, J = 0, least = INFINITY;

		for (size_t a = 0; a < n; a++)
			for (size_t b = 0; b <= n; b++)
				A[a][b] = !(set >> a & 1) ? a == b
				    : b == n              ? K[i * N + atom[a]]
				    : set >> b & 1        ? K[atom[a] * N + atom[b]]
							  : 0;
		for (size_t a = 0; a < n; a++) /* Gauss and Jordan */
			for (size_t r = 0; r < n; r++) {
				const double f = A[r][a] / A[a][a];

				for (size_t b = a; b <= n && r != a; b++)
					A[r][b] -= f * A[a][b];
			}
		for (size_t a = 0; a < n; a++) {
			const double s = A[a][n] / A[a][a];

			least = fmin(least, s);
			J -= s * K[i * N + atom[a]] / 2;
		}
		if (least < 0 || J >= best)
			continue;
		best = J;
		for (size_t a = 0; a < n; a++)
			t[a] = A[a][n] / A[a][a];
	}
}

/* Algorithm 2 with k atoms for row i, its weights into w (N); returns J. */
static double
pursue(size_t i, size_t k, bool orthogonal, double *w)
{
	double r[N], t[ATOMS], J = K[i * N + i] / 2;
	size_t atom[ATOMS], n = 0;

	memset(w, 0, N * sizeof(*w));
	memcpy(r, K + i * N, sizeof(r));
	while (n < k) {
		double most = 0;

		for (size_t j = 0; j < N; j++) {
			const double z = r[j] / sqrt(K[j * N + j]);
			bool free = j != i;

			for (size_t s = 0; s < n; s++)
				free = free && atom[s] != j;
			if (free && z > most) {
				most = z;
				atom[n] = j;
			}
		}
		if (!(most > 0))
			break;
		t[n] = r[atom[n]] / K[atom[n] * N + atom[n]];
		n++;
		if (orthogonal)
			best_weights(i, atom, n, t);
		for (size_t j = 0; j < N; j++) {
			r[j] = K[i * N + j];
			for (size_t s = 0; s < n; s++)
				r[j] -= t[s] * K[atom[s] * N + j];
		}
	}
	for (size_t s = 0; s < n; s++) {
		w[atom[s]] = t[s];
		J -= t[s] * (K[i * N + atom[s]] + r[atom[s]]) / 2;
	}
	return J;
}

static void
test_all(enum kith_kern_kind kernel, const double *w, bool orthogonal)
{
	static const char *const name[] = {[KITH_KERN_GAUSSIAN] = "gaussian",
	    [KITH_KERN_COSINE] = "cosine",
	    [KITH_KERN_LINEAR] = "linear"};
	const struct kith_mat X = {N, P, x};
	const struct kith_metric metric = {KITH_SQUARED, P, w};
	const struct kith_local_rows rows = {&X, &metric, NULL, 0, N, 2};
	const struct kith_nnk_how how = {.method = orthogonal ? KITH_NNK_OMP : KITH_NNK_MP,
	    .kernel = kernel,
	    .k = w ? 2 : ATOMS, /* two features are left */
	    .all = true,
	    .errors = true,
	    .sigma = {KITH_SIGMA_FIXED, sigma}};
	double due[N], off = 0;
	struct kith_nnk out;

	draw(0);
	/* A row of length 0 is no atom, and has none. */
	if (kernel == KITH_KERN_LINEAR)
		memset(x + 7 * P, 0, P * sizeof(*x));
	matrix(kernel, w);
	out = run(&rows, &how);
	for (size_t i = 0; i < N; i++) {
		const double J = pursue(i, how.k, orthogonal, due);

		for (size_t e = out.graph.start[i]; e < out.graph.start[i + 1]; e++)
			due[out.graph.to[e]] -= out.graph.w[e];
		for (size_t j = 0; j < N; j++)
			off = fmax(off, fabs(due[j]));
		off = fmax(off, fabs(J - out.graph.J[i]));
	}
	ok(off <= 1e-9, "%s of all, %s%s: to %.1e", orthogonal ? "omp" : "mp", name[kernel],
	    w ? ", weights" : "", off);
}

int
main(void)
{
	static const double w[P] = {2, 0, .5};
	static const enum kith_kern_kind kernel[] = {
	    KITH_KERN_GAUSSIAN, KITH_KERN_COSINE, KITH_KERN_LINEAR};

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < 12; k++)
		test_all(kernel[k / 4], k & 1 ? w : NULL, k & 2);
	kith_pool_free(&pool);
	return done();
}
