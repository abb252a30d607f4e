/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of fit_probabilities(), cmd/wsvmpath/cv.c: the sigmoids are those of outputs of machines
 * that have not learnt from the rows, each made here by itself.
 */

#include "cli/cli.h"
#include "machine/platt.h"
#include "scratch.h"
#include "tap.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/rows.h"

#include <math.h>
#include <string.h>

enum { ROWS = 72, P = 2, PARTS = 3 };

/* Rows of c classes that overlap, and the part of each. */
static void
make_rows(struct kith_svm_task *svm, const char *files[2], size_t c, size_t of[ROWS])
{
	static char table[1 << 14];
	char *at = table + sprintf(table, "u,v,a,b,y\n");

	kith_rng_seed(&rng, c, KITH_RNG_SAMPLE, 11);
	for (size_t i = 0; i < ROWS; i++) {
		const size_t y = i % c;

		at += sprintf(at, "%.17g,%.17g,%.17g,%.17g,%c\n",
		    kith_rng_unit(&rng) + .3 * (double)y, kith_rng_unit(&rng) + (y == 1 ? .4 : 0),
		    1 + kith_rng_unit(&rng), 5 * kith_rng_unit(&rng), (int)('a' + y));
		of[i] = kith_rng_below(&rng, PARTS);
	}
	files[0] = scratch_text(0, table);
	files[1] = NULL;
	set_options(KITH_SVM_CLASSIFY, files);
	make(svm);
	options.parts = PARTS;
	svm->part = of;
}

/* Returns the sign of a class for the machine of the classes first and second, or 0. */
static double
sign_of(size_t y, size_t first, size_t second)
{
	return y == second ? 1 : y == first ? -1 : 0;
}

/* Scores the rows of a part by a machine of first and second that learns from all other rows. */
static void
score_part(const struct kith_svm_task *svm, size_t first, size_t second, double theta,
    const size_t of[ROWS], size_t part, double score[ROWS])
{
	struct kith_wsvm_problem problem = svm->problem;
	struct kith_mat X = kith_mat_new(&pool, ROWS, P);
	double sign[ROWS], q[ROWS], C[ROWS];
	size_t plus[ROWS], row[ROWS], n = 0, m = 0;
	struct kith_wsvm_solution at = {.b = 0};

	for (size_t i = 0; i < ROWS; i++) {
		const double s = sign_of(svm->rows.y[i], first, second);

		if (of[i] == part || s == 0)
			continue;
		memcpy(kith_row(&X, n), kith_row(&svm->X, i), P * sizeof(*X.v));
		sign[n] = s;
		q[n] = -1;
		plus[n] = n;
		C[n++] = kith_wsvm_weight_at(svm->from[i], svm->to[i], theta);
	}
	for (size_t i = 0; i < ROWS; i++)
		if (of[i] == part) {
			memcpy(kith_row(&X, n + m), kith_row(&svm->X, i), P * sizeof(*X.v));
			row[m++] = i;
		}
	X.n = n + m;
	problem.X = &X;
	problem.kern = &svm->kern;
	problem.ridge = svm->options->ridge; /* K_ii are 1 */
	problem.variables = n;
	problem.plus = plus;
	problem.sign = sign;
	problem.q = q;
	if (n > 0) /* else there is no machine, and f is 0 */
		kith_wsvm_get(kith_wsvm_new(&problem, C, NULL, &pool), &at);
	for (size_t i = 0; i < m; i++)
		score[row[i]] = at.f ? at.f[n + i] + at.b : 0;
}

static void
sigmoid_of(const struct kith_svm_task *svm, size_t first, size_t second, double theta,
    const size_t of[ROWS], struct kith_platt *due)
{
	double score[ROWS], f[ROWS];
	bool plus[ROWS];
	size_t n = 0;

	for (size_t part = 0; part < PARTS; part++)
		score_part(svm, first, second, theta, of, part, score);
	for (size_t i = 0; i < ROWS; i++) {
		const double s = sign_of(svm->rows.y[i], first, second);

		if (s == 0)
			continue;
		plus[n] = s > 0;
		f[n++] = score[i];
	}
	kith_platt_fit(f, plus, n, due);
}

static void
test_classes(size_t c, double theta, size_t threads, bool together)
{
	const char *files[2];
	size_t of[ROWS], o = 0, bad = 0;
	struct kith_svm_task svm;
	struct kith_wsvm_count count = {0};
	struct kith_platt due;
	struct kith_err err;

	make_rows(&svm, files, c, of);
	for (size_t i = 0; i < ROWS && together; i++)
		of[i] = svm.rows.y[i] == 2 ? 1 : of[i];
	options.threads = threads;
	if (fit_probabilities(&svm, theta, &count, &err))
		abort();
	for (size_t g = 0; g < c; g++)
		for (size_t h = g + 1; h < c; h++, o++) {
			sigmoid_of(&svm, g, h, theta, of, &due);
			bad += fabs(svm.model.A[o] - due.A) > 1e-6;
			bad += fabs(svm.model.B[o] - due.B) > 1e-6;
		}
	ok(bad == 0, "%zu classes, at %g", c, theta);
	ok(count.rows > 0 && count.faults == 0, "what was done is counted");
	kith_pool_free(&pool);
}

/* One class alone has no probabilities; a part of all rows is an error. */
static void
test_few(void)
{
	const char *files[2];
	size_t of[ROWS];
	struct kith_svm_task svm;
	struct kith_wsvm_count count = {0};
	struct kith_err err;

	make_rows(&svm, files, 1, of);
	ok(fit_probabilities(&svm, 1, &count, &err) == 0 && !svm.model.A, "one class has none");
	kith_pool_free(&pool);
	make_rows(&svm, files, 2, of);
	for (size_t i = 0; i < ROWS; i++)
		of[i] = 1;
	ok(fit_probabilities(&svm, 1, &count, &err) == -1,
	    "a part of all rows leaves none to learn from");
	is_text(strstr(err.msg, "no row outside part") ? strstr(err.msg, "part ") : err.msg,
	    "part 2 of 3", "and is named");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_run.quiet = true; /* machines may say nothing */
	test_classes(2, 1, 1, false);
	test_classes(3, .4, 1, false);
	test_classes(3, 1, 4, false);
	test_classes(3, 1, 1, true);
	test_few();
	return done();
}
