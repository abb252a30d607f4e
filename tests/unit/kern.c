/* Tests of lib/kern.h: against the definitions written out. */
#include "kern.h"

#include "err.h"
#include "mat.h"
#include "metric.h"
#include "pool.h"
#include "rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 13, P = 11 };

static struct kith_err err;
static struct kith_rng rng;
static double x[N * P], w[P], W[P * P];

static void
draw(void)
{
	for (size_t i = 0; i < (size_t)N * P; i++)
		x[i] = kith_rng_unit(&rng) * 4 - 2;
	for (size_t j = 0; j < P; j++) {
		x[P + j] = x[j]; /* row 1 is a copy of row 0 */
		w[j] = 0.1 + kith_rng_unit(&rng);
	}
	for (size_t i = 0; i < P; i++)
		for (size_t j = 0; j < P; j++)
			W[i * P + j] = i == j ? 2 : 0.1;
}

/* The kernel of rows i and j, written out. */
static double
due(const struct kith_kern *kern, size_t i, size_t j)
{
	const bool matrix = kern->metric->kind == KITH_SQUARED_MATRIX;
	const double *a = x + i * P, *b = x + j * P;
	double d = 0, xz = 0;

	for (size_t l = 0; l < P; l++)
		for (size_t m = 0; m < P; m++) {
			double u = matrix ? W[l * P + m] : 0;

			if (!matrix && l == m)
				u = kern->metric->w ? w[l] : 1;
			d += u * (a[l] - b[l]) * (a[m] - b[m]);
			xz += u * a[l] * b[m];
		}
	if (kern->kind == KITH_KERN_GAUSSIAN)
		return exp(-d / 2 / kern->sigma / kern->sigma);
	return kern->kind == KITH_KERN_LINEAR ? xz : 0.5 + xz / 2;
}

static void
compare(enum kith_kern_kind kind, enum kith_metric_kind of, bool weights)
{
	const double *v = of == KITH_SQUARED_MATRIX ? W : w;
	const struct kith_metric metric = {of, P, weights ? v : NULL};
	const struct kith_kern kern = {kind, &metric, 1.7};
	struct kith_mat X = {N, P, x};
	double K[N * (N + 3)], row[N], worst = 0;
	size_t bad;
	bool same = true;

	draw();
	if (kind == KITH_KERN_COSINE)
		ok(kith_kern_unit_rows(&X, &metric, &bad) == 0, "length 1");
	kith_kern_gram(&kern, x, N, N + 3, K);
	for (size_t i = 0; i < N; i++) {
		kith_kern_rows(&kern, x + i * P, x, N, row);
		for (size_t j = 0; j < N; j++) {
			worst = fmax(
			    worst, fabs(K[i * (N + 3) + j] - due(&kern, i, j)));
			same = same && K[i * (N + 3) + j] == K[j * (N + 3) + i];
			same = same &&
			    fabs(row[j] - K[i * (N + 3) + j]) < 1e-14;
		}
		same = same && K[i] == K[N + 3 + i];
	}
	ok(worst < 1e-13, "kernel %d, metric %d: %.1e", (int)kind, (int)of,
	    worst);
	ok(same, "symmetric, as by rows, and the same for a copy");
	ok(kind == KITH_KERN_LINEAR || K[1] == 1, "1 for a copy");
}

/* Any number of rows, packed or not: entries depend on their rows alone. */
static void
test_sizes(void)
{
	const struct kith_metric metric = {KITH_SQUARED, P, NULL};
	const struct kith_kern kern = {KITH_KERN_GAUSSIAN, &metric, 1.7};
	double all[N * N], K[N * (N + 1) + 1];
	size_t bad = 0;

	draw();
	kith_kern_gram(&kern, x, N, N, all);
	for (size_t n = 0; n <= N; n++)
		for (size_t ld = n; ld <= n + 1; ld++) {
			const size_t end = n > 0 ? (n - 1) * ld + n : 0;

			K[end] = -1;
			kith_kern_gram(&kern, x, n, ld, K);
			for (size_t i = 0; i < n; i++)
				for (size_t j = 0; j < n; j++)
					bad += K[i * ld + j] != all[i * N + j];
			bad += K[end] != -1;
		}
	is_size(bad, 0, "any number of rows, and none behind them");
}

static void
test_shift(void)
{
	const struct kith_metric metric = {KITH_SQUARED, 1, NULL};
	struct kith_kern kern = {KITH_KERN_GAUSSIAN, &metric, 1e-3};
	const double d[] = {4, 4.00001, 100, 1e308, INFINITY};
	double K[5];

	kith_kern_of_dist(&kern, 5, d, 0, K);
	ok(K[0] == 0, "lost without a shift");
	kith_kern_of_dist(&kern, 5, d, 4, K);
	ok(K[0] == 1 && K[2] == 0 && K[3] == 0 && K[4] == 0, "1 with it");
	is_near(K[1], exp(-5), 1e-9, "and the next in proportion");
	kern.sigma = 1e-200;
	kith_kern_of_dist(&kern, 5, d, 4, K);
	ok(K[0] == 1 && K[1] == 0, "a bandwidth without a square");
	kern.sigma = 1e200;
	kith_kern_of_dist(&kern, 5, d, 0, K);
	ok(K[0] == 1 && K[3] == 1 && K[4] == 0, "and a large one");
	kith_kern_of_dist(&kern, 1, d + 4, INFINITY, K);
	ok(K[0] == 1, "all infinitely far");
}

static void
test_unit_rows(void)
{
	double v[] = {
	    3, 4, 7, 3e-310, 4e-310, 0, 3e300, -4e300, 1e308, 0, 0, 9};
	struct kith_mat X = {4, 3, v};
	const struct kith_metric metric = {
	    KITH_SQUARED, 3, (const double[]){1, 1, 0}};
	size_t bad = 9;

	ok(kith_kern_unit_rows(&X, &metric, &bad) < 0, "a row of zeros");
	is_size(bad, 3, "is row 3");
	X.n = 3;
	ok(kith_kern_unit_rows(&X, &metric, &bad) == 0, "the others do");
	is_near(v[0], 0.6, 1e-15, "3 of 3, 4");
	is_near(v[4], 0.8, 1e-9, "tiny rows");
	is_near(v[7], -0.8, 1e-15, "huge rows");
	ok(v[2] == 0 && v[8] == 0, "what does not count is 0");
}

static void
refused(enum kith_kern_kind kind, enum kith_metric_kind of, const double *v,
    const char *message)
{
	const struct kith_metric metric = {of, 2, v};

	ok(kith_kern_check(kind, &metric, &err) < 0, "refused");
	is_size((size_t)err.status, EX_DATAERR, "65");
	is_text(err.msg, message, "says why");
}

static void
test_check(void)
{
	static const double good[] = {1, 1, 1, 1}, bad[] = {1, 2, 2, 1};
	struct kith_metric metric = {KITH_SQUARED, 2, NULL};

	for (int kind = KITH_KERN_GAUSSIAN; kind <= KITH_KERN_LINEAR; kind++)
		ok(kith_kern_check((enum kith_kern_kind)kind, &metric, &err) ==
			0,
		    "vectors do");
	metric = (struct kith_metric){KITH_SQUARED_MATRIX, 2, good};
	ok(kith_kern_check(KITH_KERN_GAUSSIAN, &metric, &err) == 0,
	    "semidefinite");
	metric.w = (const double[]){0, 0, 0, 0};
	ok(kith_kern_check(KITH_KERN_GAUSSIAN, &metric, &err) == 0, "all 0");
	refused(KITH_KERN_GAUSSIAN, KITH_SQUARED_MATRIX, bad,
	    "the matrix of weights is not positive semidefinite: it gives no "
	    "kernel");
	refused(KITH_KERN_LINEAR, KITH_SQUARED_MATRIX, good,
	    "a matrix of weights is for the gaussian kernel alone");
	refused(KITH_KERN_GAUSSIAN, KITH_ABSOLUTE, good,
	    "weights of |D| (weight_abs) give no kernel: it takes those of "
	    "D^2 (weight)");
}

int
main(void)
{
	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (int kind = KITH_KERN_GAUSSIAN; kind <= KITH_KERN_LINEAR; kind++) {
		compare((enum kith_kern_kind)kind, KITH_SQUARED, false);
		compare((enum kith_kern_kind)kind, KITH_SQUARED, true);
	}
	compare(KITH_KERN_GAUSSIAN, KITH_SQUARED_MATRIX, true);
	test_sizes();
	test_shift();
	test_unit_rows();
	test_check();
	return done();
}
