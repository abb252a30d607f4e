/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/la/lapack.h: what is found is put back into A = V' diag(lambda) V or A X = B.
 */
#include "la/lapack.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { MOST = 60 };

static struct kith_rng rng;
static double A[MOST * MOST], B[MOST * MOST], V[MOST * MOST], lambda[MOST];

/* What is worst of A - V' diag(lambda) V and of V V' - I; -1: no result. */
struct worst {
	double rebuilt, orthogonal;
	bool order, sign;
};

static double
rebuilt(size_t n, size_t i, size_t j)
{
	double s = 0;

	for (size_t l = 0; l < n; l++)
		s += lambda[l] * V[l * n + i] * V[l * n + j];
	return s;
}

static double
product(size_t n, size_t i, size_t j)
{
	double s = i == j ? -1 : 0;

	for (size_t l = 0; l < n; l++)
		s += V[i * n + l] * V[j * n + l];
	return s;
}

static bool
sign_is_right(size_t n, const double *v)
{
	double most = 0;

	for (size_t j = 0; j < n; j++)
		if (fabs(v[j]) > fabs(most))
			most = v[j];
	return most > 0;
}

/* Only the upper triangle may be read. */
static struct worst
solve(size_t n)
{
	struct worst worst = {0, 0, true, true};
	double most = 0;

	memcpy(B, A, n * n * sizeof(*A));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			most = fmax(most, fabs(A[i * n + j]));
			if (j < i)
				B[i * n + j] = NAN;
		}
	if (!kith_eig(n, B, lambda, V))
		return (struct worst){-1, -1, false, false};
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && lambda[i] < lambda[i - 1])
			worst.order = false;
		if (!sign_is_right(n, V + i * n))
			worst.sign = false;
		for (size_t j = 0; j < n; j++) {
			const double r = rebuilt(n, i, j) - A[i * n + j];

			worst.rebuilt = fmax(worst.rebuilt, r == 0 ? 0 : fabs(r / most));
			worst.orthogonal = fmax(worst.orthogonal, fabs(product(n, i, j)));
		}
	}
	return worst;
}

static void
test_hand(void)
{
	const double a[] = {0, 2, 2, 3};
	const double r = sqrt(5);
	double least[] = {NAN};

	memcpy(A, a, sizeof(a));
	ok(solve(2).rebuilt >= 0, "0 2; 2 3");
	is_near(lambda[0], -1, 1e-15, "the smaller value");
	is_near(lambda[1], 4, 1e-15, "the larger value");
	is_near(V[0], 2 / r, 1e-15, "first vector, its largest entry positive");
	is_near(V[1], -1 / r, 1e-15, "the other entry");
	is_near(V[2], 1 / r, 1e-15, "second vector");
	is_near(V[3], 2 / r, 1e-15, "its largest entry");
	A[0] = -7;
	ok(solve(1).rebuilt == 0 && lambda[0] == -7 && V[0] == 1, "1 x 1");
	ok(kith_eig(0, A, lambda, V), "nothing");
	ok(!kith_eig(1, least, lambda, V), "not a number");
	ok(!kith_eig(2, (double[]){1, INFINITY, 0, 1}, lambda, V), "infinite");
}

/* Symmetric of rank m (0: full, of any sign), times a unit. */
static void
draw(size_t n, size_t m, double unit)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++)
			A[i * n + j] = A[j * n + i] = m > 0 ? 0 : unit * (kith_rng_unit(&rng) - .5);
	for (size_t l = 0; l < m; l++) {
		double v[MOST];

		for (size_t i = 0; i < n; i++)
			v[i] = kith_rng_unit(&rng) - .5;
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				A[i * n + j] += v[i] * v[j] * unit;
	}
}

static void
test_random(void)
{
	const double unit[] = {1, 1e-150, 1e150};

	for (size_t run = 0; run < 60; run++) {
		const size_t n = 1 + kith_rng_below(&rng, MOST);
		struct worst worst;

		draw(n, run % 2 ? 0 : 1 + kith_rng_below(&rng, n), unit[run % 3]);
		worst = solve(n);
		ok(worst.rebuilt >= 0 && worst.rebuilt <= 1e-13 && worst.orthogonal <= 1e-13 &&
			worst.order && worst.sign,
		    "%zu x %zu: %.1e, %.1e", n, n, worst.rebuilt, worst.orthogonal);
	}
}

/* Equal values, and zeros: any vectors will do. */
static void
test_equal(void)
{
	struct worst worst;

	memset(A, 0, sizeof(A));
	worst = solve(MOST);
	ok(worst.rebuilt == 0 && worst.orthogonal <= 1e-14, "zero");
	for (size_t i = 0; i < MOST; i++)
		A[i * MOST + i] = i % 2 ? 3 : -3;
	worst = solve(MOST);
	ok(worst.rebuilt <= 1e-15 && worst.orthogonal <= 1e-14 && lambda[0] == -3 &&
		lambda[MOST - 1] == 3,
	    "two values");
}

/* Blocks of two along the diagonal: what is 0 has no sign. */
static void
test_zeros(void)
{
	enum { N = 10 };
	size_t zeros = 0, minus = 0;

	for (size_t run = 0; run < 10; run++) {
		memset(A, 0, sizeof(A));
		for (size_t i = 0; i < N; i++)
			for (size_t j = 0; j <= i; j++)
				if (i / 2 == j / 2)
					A[i * N + j] = A[j * N + i] = kith_rng_unit(&rng) - .5;
		ok(solve(N).rebuilt <= 1e-14, "blocks");
		for (size_t k = 0; k < (size_t)N * N; k++) {
			zeros += V[k] == 0;
			minus += V[k] == 0 && signbit(V[k]);
		}
	}
	ok(zeros > 100 && minus == 0, "%zu zeros, none below 0", zeros);
}

/* A matrix, and the same with rows and columns times powers of two. */
static void
test_spd_scale(void)
{
	static const int e[] = {0, 300, -200};
	const double given[9] = {4, 1, .5, 1, 3, .25, .5, .25, 2};
	double R[9], S[9], b[3] = {1, 2, 3}, x[3], most = 0;

	memcpy(R, given, sizeof(given));
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < 3; j++)
			S[i * 3 + j] = ldexp(given[i * 3 + j], e[i] + e[j]);
	ok(kith_spd_factor(3, R) && kith_spd_factor(3, S), "both factor");
	for (size_t i = 0; i < 3; i++)
		for (size_t j = i; j < 3; j++)
			ok(S[i * 3 + j] == ldexp(R[i * 3 + j], e[j]),
			    "entry %zu %zu: the same digits", i, j);
	memcpy(x, b, sizeof(b));
	kith_spd_solve(3, 1, R, x);
	for (size_t i = 0; i < 3; i++) {
		double left = -b[i];

		for (size_t j = 0; j < 3; j++)
			left += given[i * 3 + j] * x[j];
		most = fmax(most, fabs(left));
	}
	ok(most < 1e-15, "solved to %g", most);
}

/* What is factored, and what is not: pivots above 3 2^-52 of the diagonal. */
static void
test_spd(void)
{
	const double e = 0x1p-52;
	static const struct {
		const char *what;
		size_t n;
		double A[9];
		bool yes;
	} cases[] = {
	    {"singular", 2, {1, 1, 1, 1}, false},
	    {"singular, of any scale", 2, {1e200, 1e100, 1e100, 1}, false},
	    {"no number", 2, {1, 0, 0, NAN}, false},
	    {"indefinite", 2, {1, 2, 2, 1}, false},
	    {"too small a pivot", 3, {1, 1, 0, 7, 1 + 0x1p-51, 0, 7, 7, 1}, false},
	    {"a larger one", 3, {1, 1, 0, 7, 1 + 0x1p-50, 0, 7, 7, 1}, true},
	    {"infinity", 1, {INFINITY}, false},
	    {"0", 1, {0}, false},
	    {"nothing", 0, {0}, true},
	};
	double sides[6] = {2, 1, 0, 3, -4, 8}, C[4] = {4, 2, 7, 5};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double R[9];

		memcpy(R, cases[i].A, sizeof(R));
		ok(kith_spd_factor(cases[i].n, R) == cases[i].yes, "%s", cases[i].what);
	}
	ok(kith_spd_factor(2, C) && C[0] == 2 && C[1] == 1 && C[2] == 7 && C[3] == 2,
	    "the lower triangle stays");
	kith_spd_solve(2, 0, C, sides);
	kith_spd_solve(0, 3, C, sides);
	ok(sides[0] == 2 && sides[5] == 8, "nothing to solve");
	kith_spd_solve(2, 3, C, sides);
	ok(sides[0] == .5 && sides[1] == 0 && fabs(sides[2] + .375) < e &&
		fabs(sides[3] - .75) < e && fabs(sides[4] + 2.25) < 4 * e &&
		fabs(sides[5] - 2.5) < 4 * e,
	    "three sides at once");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	test_hand();
	test_random();
	test_equal();
	test_zeros();
	test_spd_scale();
	test_spd();
	return done();
}
