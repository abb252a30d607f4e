/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of measure_paths() and fit_probabilities(), cmd/wsvmpath/cv.c: the errors of parts, or of
 * other rows, are those of machines that are solved from nothing at each theta; sigmoids are those of
 * outputs of machines that have not learnt from the rows.
 */
#include "scratch.h"
#include "tap.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/rows.h"

#include <math.h>
#include <string.h>

enum { ROWS = 48, ASKED = 20, P = 2, PARTS = 3, CLASSES = 4 };

static struct kith_svm_task svm;
static struct test how;
static size_t of[ROWS];
static const char *files[2];
static bool costs = true; /* the column k has costs; false: each row costs 1 */
static const double thetas[] = {.02, .21, .4, .58, .77, .99};
enum { THETAS = sizeof(thetas) / sizeof(*thetas) };

/* What an error of row i costs. */
static double
cost_of(size_t i)
{
	return costs ? (double)(i % 3) : 1;
}

/* Rows of c classes that overlap. */
static const char *
draw(size_t number, size_t rows, size_t c)
{
	static char table[1 << 14];
	char *at = table + sprintf(table, "u,v,a,b,%sy\n", costs ? "k," : "");

	kith_rng_seed(&rng, c + number, KITH_RNG_SAMPLE, 4);
	for (size_t i = 0; i < rows; i++) {
		const size_t y = i % c;

		at += sprintf(at, "%.17g,%.17g,%.17g,%.17g,%s%c\n",
		    2 * kith_rng_unit(&rng) + .8 * (double)y,
		    2 * kith_rng_unit(&rng) + (y == 1 ? 1 : 0), .1 + kith_rng_unit(&rng),
		    5 * kith_rng_unit(&rng), costs ? (const char *[]){"0,", "1,", "2,"}[i % 3] : "",
		    (int)('a' + y));
	}
	return scratch_text(number, table);
}

static void
make_rows(size_t c, size_t threads, int scale)
{
	struct kith_err err;

	files[0] = draw(0, ROWS, c);
	set_options(KITH_SVM_CLASSIFY, files);
	options.validate = draw(1, ASKED, c);
	options.cost = costs ? "k" : NULL;
	options.kernel = KITH_SVM_POLYNOMIAL;
	options.gamma = .3;
	options.ridge = .2; /* of the mean K(x, x), another one in each part */
	options.scale = scale;
	options.parts = scale ? PARTS : 0;
	options.threads = threads;
	make(&svm);
	kith_rng_seed(&rng, c, KITH_RNG_SAMPLE, 5);
	for (size_t i = 0; i < ROWS; i++)
		of[i] = kith_rng_below(&rng, PARTS);
	of[0] = 0;
	of[ROWS - 1] = PARTS - 1;
	how = (struct test){.y = NULL};
	if (read_test(&svm, &how, &err))
		abort();
}

/* Copies item i, in the units of the rows outside the part. */
static void
copy_item(size_t part, size_t i, double *x)
{
	memcpy(x, kith_row(&svm.X, i), P * sizeof(*x));
	for (size_t j = 0; j < P && options.scale; j++) {
		double lo = INFINITY, hi = -INFINITY;

		for (size_t r = 0; r < ROWS; r++) {
			const double v = kith_row(&svm.unscaled, r)[j];

			lo = of[r] == part ? lo : fmin(lo, v);
			hi = of[r] == part ? hi : fmax(hi, v);
		}
		x[j] = (kith_row(&svm.unscaled, i)[j] - lo) / (hi - lo);
	}
}

/* Solves the machine of the rows outside the part whose sign is not 0; f is set for all items. */
static void
solve(size_t part, const double sign[ROWS], double theta, double *f)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_problem problem = svm.problem;
	struct kith_mat X = kith_mat_new(&tmp, ROWS + svm.X.n, P);
	double s[ROWS], q[ROWS], C[ROWS], K, sum = 0;
	size_t plus[ROWS], n = 0;
	struct kith_wsvm_solution at;

	for (size_t i = 0; i < ROWS; i++) {
		if (of[i] == part || sign[i] == 0)
			continue;
		copy_item(part, i, kith_row(&X, n));
		kith_kern_rows(&svm.kern, kith_row(&X, n), kith_row(&X, n), 1, &K);
		sum += K;
		s[n] = sign[i];
		q[n] = -1;
		plus[n] = n;
		C[n++] = kith_wsvm_weight_at(svm.from[i], svm.to[i], theta);
	}
	for (size_t i = 0; i < svm.X.n; i++)
		copy_item(part, i, kith_row(&X, n + i));
	X.n = n + svm.X.n;
	problem.X = &X;
	problem.ridge = options.ridge * sum / (double)n;
	problem.variables = n;
	problem.plus = plus;
	problem.sign = s;
	problem.q = q;
	kith_wsvm_get(kith_wsvm_new(&problem, C, &tmp), &at);
	for (size_t i = 0; i < svm.X.n; i++)
		f[i] = at.f[n + i] + at.b;
	kith_pool_free(&tmp);
}

/* Predicts the class of each item by the votes of the machines of a part. */
static void
predict(size_t part, size_t c, double theta, size_t *class)
{
	double sign[ROWS], f[ROWS + ASKED];
	size_t votes[ROWS + ASKED][CLASSES] = {0};

	for (size_t g = 0; g < c; g++)
		for (size_t h = g + 1; h < c; h++) {
			for (size_t i = 0; i < ROWS; i++) {
				const size_t y = svm.rows.y[i];

				sign[i] = y == h ? 1 : y == g ? -1 : 0;
			}
			solve(part, sign, theta, f);
			for (size_t i = 0; i < svm.X.n; i++)
				votes[i][f[i] > 0 ? h : g]++;
		}
	for (size_t i = 0; i < svm.X.n; i++) {
		class[i] = 0;
		for (size_t g = 1; g < c; g++)
			if (votes[i][g] > votes[i][class[i]])
				class[i] = g;
	}
}

/* Returns whether the intervals have the number of errors and the error `value` at theta. */
static bool
has(const struct intervals *all, double theta, size_t errors, double value)
{
	const struct interval *v = all->v;
	size_t k = 0;

	while (k + 1 < all->n && v[k].to < theta)
		k++;
	return all->n > 0 && v[0].from == 0 && v[all->n - 1].to == 1 && v[k].at.errors == errors &&
	    fabs(v[k].at.error - value) < 1e-9;
}

/* Returns whether the errors of all parts at theta are the errors of machines solved at theta. */
static bool
agrees(const struct intervals *all, size_t c, double theta)
{
	size_t errors = 0, class[ROWS + ASKED];
	double sum = 0, costs_sum = 0;

	for (size_t p = 0; p < PARTS; p++) {
		predict(p, c, theta, class);
		for (size_t i = 0; i < ROWS; i++) {
			const bool wrong = class[i] != svm.rows.y[i] && of[i] == p;

			errors += wrong;
			sum += wrong ? cost_of(i) : 0;
			costs_sum += of[i] == p ? cost_of(i) : 0;
		}
	}
	return has(all, theta, errors, sum / costs_sum);
}

/* Validates on the rows of parts, not on other rows. */
static void
use_parts(void)
{
	options.validate = NULL;
	options.parts = PARTS;
	svm.part = of;
	svm.m = 0;
	svm.X.n = ROWS;
}

/* Compares the errors of --cv at some thetas, and just within both ends of each interval. */
static void
test_parts(size_t c, size_t threads, int scale)
{
	struct intervals all = {.pool = &pool};
	struct kith_wsvm_count count = {0};
	struct kith_err err;
	size_t rows = 0, bad = 0;
	int got;

	make_rows(c, threads, scale);
	use_parts();
	if (read_test(&svm, &how, &err))
		abort();
	got = measure_paths(&svm, &how, &all, &rows, &count, &err);
	for (size_t t = 0; t < THETAS; t++)
		bad += !agrees(&all, c, thetas[t]);
	for (size_t k = 0; k < all.n; k++)
		bad += all.v[k].to - all.v[k].from > 4e-6 &&
		    !(agrees(&all, c, all.v[k].from + 1e-6) && agrees(&all, c, all.v[k].to - 1e-6));
	ok(got == 0 && bad == 0, "parts of %zu classes, %zu threads", c, threads);
	is_size(rows, ROWS, "all rows count");
	ok(count.events > 9 && count.rows > 0 && count.faults == 0, "what was done is counted");
	kith_pool_free(&pool);
}

/* Compares the errors of --validate at some thetas. */
static void
test_validate(size_t c, size_t threads)
{
	struct intervals all = {.pool = &pool};
	struct kith_wsvm_count count = {0};
	struct kith_err err;
	size_t bad = 0, class[ROWS + ASKED], rows;
	int got;

	make_rows(c, threads, KITH_UNIT_NONE);
	got = measure_paths(&svm, &how, &all, &rows, &count, &err);
	for (size_t t = 0; t < THETAS; t++) {
		size_t errors = 0;
		double sum = 0, costs_sum = 0;

		predict(PARTS, c, thetas[t], class);
		for (size_t i = 0; i < ASKED; i++) {
			const bool wrong = class[ROWS + i] != i % c;

			errors += wrong;
			sum += wrong ? cost_of(i) : 0;
			costs_sum += cost_of(i);
		}
		bad += !has(&all, thetas[t], errors, sum / costs_sum);
	}
	ok(got == 0 && bad == 0, "other rows of %zu classes", c);
	is_size(rows, ASKED, "all of them count");
	kith_pool_free(&pool);
}

/* The sigmoid of the outputs of machines of the classes g and h, each for the rows of its part. */
static void
sigmoid_of(size_t g, size_t h, double theta, double *A, double *B)
{
	double sign[ROWS], f[ROWS] = {0}, score[ROWS] = {0};
	bool plus[ROWS];
	size_t n = 0;

	for (size_t i = 0; i < ROWS; i++)
		sign[i] = svm.rows.y[i] == h ? 1 : svm.rows.y[i] == g ? -1 : 0;
	for (size_t p = 0; p < PARTS; p++) {
		solve(p, sign, theta, f);
		for (size_t i = 0; i < ROWS; i++)
			score[i] = of[i] == p ? f[i] : score[i];
	}
	for (size_t i = 0; i < ROWS; i++)
		if (sign[i] != 0) {
			plus[n] = sign[i] > 0;
			score[n++] = score[i];
		}
	kith_platt_fit(score, plus, n, A, B);
}

/* Fits sigmoids to the outputs of parts; together: a class has its rows in one part. */
static void
test_probabilities(size_t c, double theta, size_t threads, bool together)
{
	struct kith_wsvm_count count = {0};
	double A, B;
	struct kith_err err;
	size_t bad = 0, o = 0;

	make_rows(c, threads, KITH_UNIT_NONE);
	use_parts();
	for (size_t i = 0; i < ROWS && together; i++)
		of[i] = svm.rows.y[i] == 2 ? 1 : of[i];
	if (fit_probabilities(&svm, theta, &count, &err))
		abort();
	for (size_t g = 0; g < c; g++)
		for (size_t h = g + 1; h < c; h++, o++) {
			sigmoid_of(g, h, theta, &A, &B);
			bad += fabs(svm.model.A[o] - A) > 1e-6 || fabs(svm.model.B[o] - B) > 1e-6;
		}
	ok(c > 1 ? bad == 0 && count.rows > 0 && count.faults == 0 : !svm.model.A,
	    "sigmoids of %zu classes, at %g", c, theta);
	for (size_t i = 0; i < ROWS; i++)
		of[i] = 1;
	ok(c == 1 ||
		(fit_probabilities(&svm, theta, &count, &err) == -1 &&
		    strstr(err.msg, "no row outside part") && strstr(err.msg, "part 2 of 3")),
	    "a part of all rows leaves none to learn from, and is named");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_parts(2, 1, KITH_UNIT_NONE);
	test_parts(2, 2, KITH_UNIT_NONE);
	test_parts(3, 2, KITH_UNIT_NONE);
	test_parts(4, 1, KITH_UNIT_NONE);
	test_parts(2, 2, KITH_UNIT_MINMAX);
	test_parts(3, 1, KITH_UNIT_MINMAX);
	test_validate(2, 1);
	test_validate(3, 1);
	test_validate(4, 2);
	costs = false;
	test_validate(3, 1);
	kith_run.quiet = true; /* machines may say nothing */
	test_probabilities(1, 1, 1, false);
	test_probabilities(2, 1, 1, false);
	test_probabilities(3, .4, 1, false);
	test_probabilities(3, 1, 4, false);
	test_probabilities(3, 1, 1, true);
	return done();
}
