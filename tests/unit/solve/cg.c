/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/solve/cg.h, lib/solve/mmat.h and lib/solve/ic.h on graphs of several
 * blocks: products, what is left, and as many iterations as the plain method takes.
 */
#include "solve/cg.h"

#include "solve/band.h"
#include "solve/ic.h"
#include "solve/inside.h"
#include "solve/sparse.h"
#include "tap.h"

/* Products of c columns. */
static void
test_products(size_t n, size_t c)
{
	const struct kith_mmat A = band(n, 7);
	double *P = random_numbers(n * c), *Q = numbers(n * c), pq[8];
	double sum[8] = {0}, worst = 0, left = 0;

	for (size_t k = 0; k < n * c; k++) {
		P[k] = A.out[k / c] ? 0 : P[k];
		Q[k] = NAN;
	}
	kith_mmat_times(&A, c, P, Q, pq, 2);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < c; k++) {
			const double due = band_times(&A, P, c, i, k);

			worst = fmax(worst, fabs(Q[i * c + k] - due));
			sum[k] += due * P[i * c + k];
			left += isnan(Q[i * c + k]);
		}
	for (size_t k = 0; k < c; k++)
		worst = fmax(worst, fabs(pq[k] - sum[k]) / (double)n);
	ok(worst < 1e-14 && left == 0, "A P and P'A P, %zu x %zu: %.1e", n, c, worst);
}

/* sum_j w_ij (x_j - x_i) - e_i x_i, or 0. */
static double
plain_rest(const struct kith_mmat *A, const double *X, size_t c, size_t i, size_t k)
{
	const double x = X[i * c + k];
	double sum = A->load ? -A->load[i] * x : 0;

	for (size_t j = i < 10 ? 0 : i - 10; j < A->n && j < i + 11; j++)
		sum += band_weight(i, j) * (X[j * c + k] - x);
	return A->out[i] ? 0 : sum;
}

/* What is left, of c columns, with loads and without. */
static void
test_rest(size_t n, size_t c)
{
	struct kith_mmat A = band(n, 7);
	double *X = random_numbers(n * c), *R = numbers(n * c);

	for (int loaded = 1; loaded >= 0; loaded--) {
		double worst = 0;

		A.load = loaded ? A.load : NULL;
		for (size_t k = 0; k < n * c; k++)
			R[k] = NAN;
		kith_mmat_rest(&A, c, X, R, 2);
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < c; k++) {
				const double d = fabs(R[i * c + k] - plain_rest(&A, X, c, i, k));

				worst = d <= worst ? worst : d;
			}
		ok(worst < 1e-14, "what is left, %s loads: %.1e", loaded ? "with" : "without",
		    worst);
	}
}

/* The matrix of the nodes that are in, and nothing else. */
static void
test_inside(size_t n, size_t every)
{
	const struct kith_mmat A = band(n, every);
	struct kith_sparse S;
	size_t *node, in = 0, edges = 0, wrong = 0;

	kith_mmat_inside(&A, &S, &pool, &node, &pool);
	for (size_t i = 0; i < n; i++) {
		size_t here = 0;

		if (A.out[i])
			continue;
		for (size_t j = 0; j < n; j++)
			here += !A.out[j] && j != i && band_weight(i, j) > 0;
		wrong += node[in] != i || S.diagonal[in] != A.diagonal[i] || S.start[in] != edges ||
		    S.start[in + 1] != edges + here;
		for (size_t e = edges; e < edges + here; e++) {
			const size_t j = node[S.column[e]];

			wrong += A.out[j] || S.x[e] != -band_weight(i, j) ||
			    (e > edges && S.column[e] <= S.column[e - 1]);
		}
		edges += here;
		in++;
	}
	ok(wrong == 0 && S.n == in, "%zu of %zu nodes are in, %zu edges", in, n, edges);
}

/* The largest |r_i| / a_i of each column; what is no number is the largest. */
static void
test_size(void)
{
	const struct kith_mmat A = band(30, 30);
	double R[60] = {0}, most[2];

	R[0] = R[1] = 99; /* out */
	R[14] = -3;
	R[19] = 2;
	R[58] = 1e-3;
	kith_mmat_size(&A, 2, R, most);
	is_near(most[0], 3 / A.diagonal[7], 1e-15, "the first column");
	is_near(most[1], 2 / A.diagonal[9], 1e-15, "the second");
	R[8] = NAN;
	kith_mmat_size(&A, 2, R, most);
	ok(isnan(most[0]) && !isnan(most[1]), "no number");
}

/* A right side that is no number, next to others, is told. */
static void
test_nan(void)
{
	const struct kith_mmat A = band(5000, 5000);
	const struct kith_cg_how how = {1e-10, 20, NULL, 1};
	double *R = random_numbers(5000), *X = numbers(5000), size = 0;

	R[0] = 0;
	R[4] = NAN;
	kith_cg(&A, 1, R, X, &how, &size);
	ok(isnan(size), "no number of a right side");
}

static double
dot(size_t n, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

/* Conjugate gradients of one column; the iterations, and x. */
static size_t
plain_cg(
    const struct kith_mmat *A, const struct kith_ic *ic, const double *b, double tol, double *x)
{
	const size_t n = A->n;
	double *r = numbers(n), *z = numbers(n), *p = numbers(n);
	double *q = numbers(n), rz = 0;

	memcpy(r, b, n * sizeof(*r));
	for (size_t step = 0;; step++) {
		double most = 0, next, by;

		for (size_t i = 0; i < n; i++)
			if (!A->out[i])
				most = fmax(most, fabs(r[i]) / A->diagonal[i]);
		if (most <= tol)
			return step;
		for (size_t i = 0; i < n; i++)
			z[i] = A->out[i] ? 0 : r[i] / A->diagonal[i];
		if (ic)
			kith_ic_solve(ic, 1, r, z);
		next = dot(n, r, z);
		for (size_t i = 0; i < n; i++)
			p[i] = z[i] + (step > 0 ? next / rz * p[i] : 0);
		rz = next;
		for (size_t i = 0; i < n; i++)
			q[i] = band_times(A, p, 1, i, 0);
		by = rz / dot(n, p, q);
		for (size_t i = 0; i < n; i++) {
			x[i] += by * p[i];
			r[i] -= by * q[i];
		}
	}
}

static void
test_solve(size_t n, size_t c, bool factor, double tol)
{
	const struct kith_mmat A = band(n, 50);
	const struct kith_ic *ic = factor ? kith_ic_new(&A, &pool) : NULL;
	struct kith_cg_how how = {tol, 1000, ic, 2};
	double *R = random_numbers(n * c), *X = random_numbers(n * c), size;
	double *b = numbers(n), *x = numbers(n), worst = 0, off = 0, most = 0;
	size_t due = 0, steps;

	for (size_t k = 0; k < n * c; k++)
		R[k] = A.out[k / c] ? 0 : R[k];
	for (size_t i = 0; i < n && c > 2; i++)
		R[i * c + 2] = 0;
	for (size_t i = 0; i < n; i++)
		b[i] = R[i * c];
	/* The first column is the only one that takes its time. */
	for (size_t k = 0; k < n * c; k++)
		R[k] *= k % c == 0 ? 1 : 1e-3;
	due = plain_cg(&A, ic, b, tol, x);
	steps = kith_cg(&A, c, R, X, &how, &size);
	for (size_t i = 0; i < n; i++) {
		worst = fmax(worst, fabs(X[i * c] - x[i]));
		off = fmax(off, fabs(b[i] - band_times(&A, X, c, i, 0) - R[i * c]));
		for (size_t k = 0; k < c && !A.out[i]; k++)
			most = fmax(most, fabs(R[i * c + k]) / A.diagonal[i]);
		if (c > 2 && X[i * c + 2] != 0)
			ok(false, "nothing is asked of a column");
	}
	ok(steps + 1 >= due && steps <= due + 1, "%zu x %zu%s: %zu iterations, due %zu", n, c,
	    factor ? ", factor" : "", steps, due);
	ok(worst <= 1000 * tol && off <= 1e-12 && fabs(size / most - 1) < 1e-14 && size <= tol,
	    "its solution, off %.1e, left %.1e", worst, size);
	how.most = due / 2;
	memset(R, 0, n * c * sizeof(*R));
	for (size_t i = 0; i < n; i++)
		R[i * c] = b[i];
	steps = kith_cg(&A, c, R, X, &how, &size);
	ok(steps == due / 2 && size > tol, "at most %zu", steps);
	how.most = 1000;
	memset(R, 0, n * c * sizeof(*R));
	ok(kith_cg(&A, c, R, X, &how, &size) == 0 && size == 0 && X[n / 2] == 0, "nothing to do");
}

/* An incomplete factor by its definition, dense: entries where A has some. */
static double *
plain_factor(const struct kith_mmat *A)
{
	const size_t n = A->n;
	double *L = numbers(n * n);

	for (size_t i = 0; i < n; i++) {
		double pivot = A->diagonal[i];

		for (size_t j = 0; j < i && !A->out[i]; j++) {
			double sum = -band_weight(i, j);

			if (sum == 0 || A->out[j])
				continue;
			for (size_t k = 0; k < j; k++)
				sum -= L[i * n + k] * L[j * n + k];
			L[i * n + j] = sum / L[j * n + j];
			pivot -= L[i * n + j] * L[i * n + j];
		}
		L[i * n + i] = sqrt(pivot);
	}
	return L;
}

static void
test_factor(size_t n, size_t c)
{
	const struct kith_mmat A = band(n, 6);
	const struct kith_ic *ic = kith_ic_new(&A, &pool);
	const double *L = plain_factor(&A);
	double *R = random_numbers(n * c), *Z = numbers(n * c), worst = 0;

	kith_ic_solve(ic, c, R, Z);
	for (size_t k = 0; k < c; k++) {
		double *y = numbers(n);

		/* L L'z */
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n && !A.out[i]; j++)
				y[i] += L[j * n + i] * Z[j * c + k];
		for (size_t i = 0; i < n; i++) {
			double sum = 0;

			for (size_t j = 0; j <= i; j++)
				sum += L[i * n + j] * y[j];
			worst = fmax(
			    worst, A.out[i] ? fabs(Z[i * c + k]) : fabs(sum - R[i * c + k]));
		}
	}
	ok(worst < 1e-13, "%zu rows, %zu columns of a factor: %.1e", n, c, worst);
}

/* A row that is a copy: its pivot is replaced by its diagonal. */
static void
test_pivot(void)
{
	struct kith_ic *f = kith_ic_begin(&pool);
	const uint32_t column[] = {0};
	const double x[] = {2}, r[] = {4, 0};
	double z[2];

	ok(kith_ic_append(f, 4, column, x, 0, 1e-10), "a row");
	ok(!kith_ic_append(f, 1, column, x, 1, 1e-10), "its copy by a half");
	/* L = (2 0; 1 1): y = (2, -2), z = (2, -2) */
	kith_ic_solve(f, 1, r, z);
	ok(z[0] == 2 && z[1] == -2, "(L L')^-1 (4, 0) = (%g, %g)", z[0], z[1]);
	f = kith_ic_begin(&pool);
	kith_ic_append(f, 4, column, x, 0, .5);
	ok(!kith_ic_append(f, 2, column, x, 1, .5), "half of it is left");
	f = kith_ic_begin(&pool);
	kith_ic_append(f, 4, column, x, 0, .5);
	ok(kith_ic_append(f, 2.001, column, x, 1, .5), "a little more is");
}

int
main(void)
{
	static const size_t rows[] = {1, 40, 4095, 4096, 4097, 8200};

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < 6; k++) {
		test_products(rows[k], k % 3 == 0 ? 1 : 4 * (k % 3));
		test_rest(rows[k], 1 + k);
	}
	test_products(16500, 4);
	test_inside(1, 2);
	test_inside(60, 7);
	test_inside(61, 2);
	test_size();
	test_nan();
	for (int factor = 0; factor < 2; factor++) {
		test_solve(300, 1, factor, 1e-10);
		test_solve(200, 4, factor, 1e-5);
		test_solve(4200, 8, factor, 1e-3);
	}
	test_factor(50, 1);
	test_factor(33, 4);
	test_pivot();
	kith_pool_free(&pool);
	return done();
}
