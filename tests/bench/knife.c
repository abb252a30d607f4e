/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife - the profile of the solver on normal numbers.
 *
 *	knife at N P [THREADS]     F and its gradient at w = .5
 *	knife solve FILE LAMBDA2   one lambda2 from w = .5
 *	knife path FILE STEPS      a path over lambda2, from its dense end
 *
 * Gaussian, squared loss, gamma 1/p, lambda1 1.  Prints CPU seconds: of one
 * evaluation, the least of three; of all, and the evaluations made.  FILE holds
 * numbers divided by tabs or commas, a header, the target last; columns are
 * scaled to variance 1, the target is centred.
 */
#include "knife/engine.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cpu.h"
#include "la/mat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 3, TEXT = 1 << 20 };

static struct kith_pool pool;
static struct kith_err err;

/* y = sin(2 x1) + x2 x3, and noise. */
static struct kith_mat
draw(size_t n, size_t p, double *y)
{
	struct kith_mat X = kith_mat_new(&pool, n, p);
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < n; i++) {
		double *x = kith_row(&X, i);

		for (size_t j = 0; j < p; j++)
			x[j] = normal(&rng);
		y[i] = sin(2 * x[0]) + x[1 % p] * x[2 % p];
	}
	return X;
}

static double *
even(size_t p, double value)
{
	double *w = kith_new(&pool, p, sizeof(*w));

	for (size_t j = 0; j < p; j++)
		w[j] = value;
	return w;
}

static void
bench_at(const struct kith_knife_problem *problem)
{
	const size_t p = problem->X->p;
	const struct kith_knife_control control = {0};
	double *w = even(p, .5), *dF = even(p, 0), least = INFINITY, F;
	struct kith_knife_engine *e = kith_knife_engine_new(problem, &control, &pool);

	for (int run = 0; run < RUNS; run++) {
		const double start = cpu_seconds();

		check(kith_knife_evaluate(e, w, &F, dF, &err), &err);
		least = fmin(least, cpu_seconds() - start);
	}
	printf("%.6g\t%.17g\n", least, F);
}

static const struct kith_knife_control control = {.max_iter = 1000, .tol = 1e-6};

/* Solves from sol->w; returns the evaluations. */
static size_t
solve(struct kith_knife_engine *e, double lambda2, const double *start,
    struct kith_knife_solution *sol)
{
	check(kith_knife_fit(e, lambda2, start, sol, &err), &err);
	if (!sol->certified)
		fprintf(
		    stderr, "bench: lambda2 %g: projected gradient %g\n", lambda2, sol->gradient);
	return sol->evaluations;
}

/* Solutions at `steps` values up to the largest useful one, or at one of them. */
static void
bench_path(const struct kith_knife_problem *problem, size_t steps, double lambda2)
{
	struct kith_knife_engine *e = kith_knife_engine_new(problem, &control, &pool);
	struct kith_knife_solution sol = {.w = even(problem->X->p, .5)};
	double *w = even(problem->X->p, .5), top = lambda2, start = cpu_seconds();
	size_t evaluations = 0;

	if (steps > 1) {
		check(kith_knife_lambda2_max(e, w, &top, &err), &err);
		printf("%.6g\t%.6g\n", cpu_seconds() - start, top);
		start = cpu_seconds();
	}
	for (size_t i = 0; i < steps; i++)
		evaluations += solve(e,
		    steps > 1 ? top * pow(1e-3, 1 - (double)i / (double)(steps - 1)) : lambda2, w,
		    &sol);
	printf("%.6g\t%zu\n", cpu_seconds() - start, evaluations);
}

/* Each column to mean 0, and variance 1 unless it is constant. */
static void
standardise(double *v, size_t n, size_t apart, bool scale)
{
	double mean = 0, square = 0;

	for (size_t i = 0; i < n; i++)
		mean += v[i * apart] / (double)n;
	for (size_t i = 0; i < n; i++) {
		v[i * apart] -= mean;
		square += v[i * apart] * v[i * apart] / (double)n;
	}
	for (size_t i = 0; i < n && scale && square > 0; i++)
		v[i * apart] /= sqrt(square);
}

static struct kith_mat
read_rows(const char *path, double **y)
{
	char *text = kith_new(&pool, TEXT, 1), *s, *end;
	FILE *f = fopen(path, "r");
	struct kith_mat all = {0}, X;
	size_t held = 0;

	if (!f || !fgets(text, TEXT, f))
		exit(1);
	while (fgets(text, TEXT, f)) {
		for (s = text;; s = end + 1) {
			all.v = kith_grow(&pool, all.v, held + 1, sizeof(double));
			all.v[held++] = strtod(s, &end);
			if (*end != ',' && *end != '\t')
				break;
		}
		all.n++;
	}
	fclose(f);
	if (all.n == 0)
		exit(1);
	all.p = held / all.n;
	X = kith_mat_new(&pool, all.n, all.p - 1);
	*y = kith_new(&pool, all.n, sizeof(**y));
	for (size_t i = 0; i < all.n; i++) {
		memcpy(kith_row(&X, i), kith_row(&all, i), X.p * sizeof(double));
		(*y)[i] = kith_row(&all, i)[X.p];
	}
	for (size_t j = 0; j < X.p; j++)
		standardise(X.v + j, X.n, X.p, true);
	standardise(*y, X.n, 1, false);
	return X;
}

int
main(int argc, char *argv[])
{
	struct kith_knife_problem problem = {.c = 1,
	    .kern = {.kind = KITH_KERN_GAUSSIAN},
	    .loss = KITH_KNIFE_SQUARED,
	    .lambda1 = 1,
	    .lambda2 = 1,
	    .threads = 1};
	const bool at = argc > 1 && strcmp(argv[1], "at") == 0;
	struct kith_mat X;
	size_t n, p;
	double *y, number;

	if (argc < 4 ||
	    (at &&
		(kith_parse_size(argv[2], &n) || kith_parse_size(argv[3], &p) || n == 0 ||
		    p == 0)) ||
	    (argc > 4 && kith_parse_size(argv[4], &problem.threads)))
		return 2;
	number = strtod(argv[3], NULL);
	if (at) {
		y = kith_new(&pool, n, sizeof(*y));
		X = draw(n, p, y);
	} else {
		X = read_rows(argv[2], &y);
	}
	problem.X = &X;
	problem.Y = y;
	problem.kern.gamma = 1 / (double)X.p;
	if (at)
		bench_at(&problem);
	else if (strcmp(argv[1], "solve") == 0)
		bench_path(&problem, 1, number);
	else
		bench_path(&problem, (size_t)number, 0);
	kith_pool_free(&pool);
	return 0;
}
