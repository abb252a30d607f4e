/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/immigrate/gap.h: the gap and its error from Sigma itself, by pairs
 * of rows too; and of what long ways with pairs left out come to.
 */
#include "immigrate/gap.h"

#include "immigrate/data.h"
#include "tap.h"

#include <float.h>

/* Sigma in full (p x p) of a model, by all pairs; a vector: u. */
static void
fill(struct kith_immigrate_model *model, double *S)
{
	const size_t p = model->data.p;

	if (model->by_gram)
		kith_immigrate_sum(&model->sum);
	for (size_t k = 0; k < model->len; k++)
		S[k] = model->matrix ? model->sum.total[k / p < k % p ? k : k % p * p + k / p]
				     : model->sum.total[k] - model->sum.total[model->data.ld + k];
}

static double
dot(size_t n, const double *a, const double *b)
{
	double sum = 0;

	for (size_t k = 0; k < n; k++)
		sum += a[k] * b[k];
	return sum;
}

/* The largest distance of a vector; a matrix: as if each D were 1. */
static double
largest_of(const struct kith_immigrate_model *model)
{
	double most = 0;

	for (size_t i = 0; i < model->data.n && !model->matrix; i++)
		most = fmax(most, fmax(model->soft.hit.most[i], model->soft.miss.most[i]));
	return model->matrix ? (double)model->data.p : most;
}

/* The error of Sigma, over the part that V is of. */
static double
error_of(const struct kith_immigrate_model *model, double norm)
{
	const double n = (double)model->data.n, p = (double)model->data.p;
	const double exact = DBL_EPSILON *
	    (n + 8 * p * (1 + largest_of(model) / model->soft.sigma));

	return (exact * model->sum.size + n * n / 2 * model->sum.least * p) / norm;
}

/* A model at W, and V of it. */
static struct kith_immigrate_model *
model_at(size_t n, size_t p, bool matrix, double sigma, const double *W, double *V)
{
	struct set *set = draw(n, p, 2, false, false);
	const struct kith_immigrate_how how = usual(sigma, 1);
	struct kith_immigrate_model *model = kith_immigrate_model_new(
	    &set->rows, &how, matrix, &pool);

	kith_immigrate_model_at(model, W, false);
	return kith_immigrate_model_closed(model, V) ? model : NULL;
}

static void
test_values(bool matrix, size_t n, const char *what)
{
	double worst = 0, error = 0, square = 0;
	size_t odd = 0, some = 0, gram = 0;

	for (size_t run = 0; run < 20; run++) {
		const size_t p = n < 10 ? 60 : 2 + run;
		double *W = matrix ? start(p, run % 2) : even(p), norm, all;
		double *V = start(p, true), *S = start(p, true), apart_, e;
		struct kith_immigrate_model *model = model_at(n, p, matrix, run % 3 ? 1 : .1, W, V);
		struct kith_immigrate_gap gap, squared;

		if (!model)
			continue;
		some++;
		gram += model->by_gram;
		gap = kith_immigrate_gap(model, W, V, false);
		squared = kith_immigrate_gap(model, W, V, true);
		fill(model, S);
		all = sqrt(dot(model->len, S, S));
		norm = model->form.norm;
		for (size_t k = 0; k < p && !matrix; k++)
			norm = k == 0 ? fmax(-S[0], 0) : hypot(norm, fmax(-S[k], 0));
		e = error_of(model, norm);
		apart_ = 0;
		for (size_t k = 0; k < model->len; k++)
			apart_ += (W[k] - V[k]) * (W[k] - V[k]);
		if (matrix)
			worst = fmax(worst,
			    fabs(
				gap.value - (dot(model->len, S, W) - dot(model->len, S, V)) / all));
		else
			worst = fmax(worst,
			    fabs(gap.value -
				(dot(p, S, W) / sqrt(dot(p, W, W)) -
				    dot(p, S, V) / sqrt(dot(p, V, V))) /
				    all));
		square = fmax(square, fabs(squared.value - apart_ / 2));
		error = fmax(error, fabs(gap.error / (e * (sqrt(apart_) + e)) - 1));
		odd += gap.left_out ||
		    gap.falls != (matrix || dot(p, S, W) - dot(p, S, V) > 1e-9 * all);
		kith_pool_free(&pool);
	}
	ok(some > 5 && (gram > 0) == (n < 10), "%s: %zu, %zu by rows", what, some, gram);
	ok(worst <= 1e-12, "gaps: %g", worst);
	ok(square <= 1e-14, "half of squares: %g", square);
	ok(error <= 1e-9, "their errors: %g", error);
	is_size(odd, 0, "slopes, or what is left out");
}

/* Errors by what was left out, which go where nothing is. */
static void
test_left_out(void)
{
	const size_t p = 5;
	double *W = start(p, true), *V = start(p, true), e, apart_ = 0;
	struct kith_immigrate_model *model = model_at(40, p, true, 1, W, V);
	const double norm = model->form.norm;
	struct kith_immigrate_gap gap;

	model->sum.least = 1e-4 * norm / (800. * 5) * 1.01;
	gap = kith_immigrate_gap(model, W, V, false);
	ok(isinf(gap.error) && gap.left_out, "more than may be left out");
	model->sum.least = 1e-4 * norm / (800. * 5) * .99;
	gap = kith_immigrate_gap(model, W, V, false);
	ok(isfinite(gap.error) && !gap.left_out, "less than that");
	model->sum.least = 0;
	model->sum.floats = true;
	for (size_t k = 0; k < p * p; k++)
		apart_ += (W[k] - V[k]) * (W[k] - V[k]);
	e = error_of(model, norm) + FLT_EPSILON * 256 * model->sum.size / norm;
	gap = kith_immigrate_gap(model, W, V, false);
	if (e <= 1e-4)
		is_near(gap.error, e * (sqrt(apart_) + e), 1e-9, "of floats");
	else
		ok(isinf(gap.error) && gap.left_out, "of floats: %g", e);
	kith_immigrate_model_all(model);
	gap = kith_immigrate_gap(model, W, V, false);
	ok(isfinite(gap.error) && gap.error < 1e-10 && !gap.left_out, "of all pairs: %g",
	    gap.error);
	model->sum.size *= 1e13;
	gap = kith_immigrate_gap(model, W, V, false);
	ok(isinf(gap.error) && !gap.left_out, "rounding is not left out");
	kith_pool_free(&pool);
}

struct told {
	size_t n, rose;
	double F;
};

static void
tell(void *to, const struct kith_immigrate_trace *trace)
{
	struct told *told = to;

	told->rose += told->n > 0 && trace->F > told->F + 1e-7 * (1 + fabs(told->F));
	told->F = trace->F;
	told->n++;
}

/* Monotone with many features: what is given is of all pairs. */
static void
test_ends(void)
{
	double worst = 0;
	size_t converged = 0, rose = 0, far = 0;

	for (size_t run = 0; run < 8; run++) {
		const size_t p = 25 + 5 * (run % 3);
		struct set *set = draw(60 + 10 * run, p, 2, false, false);
		struct kith_immigrate_how how = usual(run % 2 ? .05 : .5, 150);
		struct kith_immigrate_fit fit;
		struct kith_immigrate_trace at;
		struct told told = {0};
		double *W = start(p, true);

		how.tol = 1e-6;
		how.monotone = true;
		how.tell = tell;
		how.to = &told;
		kith_immigrate(&set->rows, &how, W, &fit);
		how.monotone = false;
		how.tell = NULL;
		look_at(&set->rows, &how, W, &at, NULL, NULL);
		worst = fmax(worst, fabs(fit.F / at.F - 1));
		rose += told.rose;
		converged += fit.end == KITH_IMMIGRATE_CONVERGED;
		far += fit.end == KITH_IMMIGRATE_CONVERGED &&
		    fit.gap > kith_immigrate_limit(how.tol, false);
		kith_pool_free(&pool);
	}
	ok(worst <= 1e-11, "F of all pairs: %g", worst);
	is_size(rose, 0, "times that F rose");
	ok(converged >= 4 && far == 0, "%zu ended, %zu far from it", converged, far);
}

int
main(void)
{
	kith_rng_seed(&rng, 13, KITH_RNG_SAMPLE, 0);
	test_values(true, 40, "matrices");
	test_values(false, 40, "vectors");
	test_values(true, 7, "few rows");
	test_left_out();
	test_ends();
	return done();
}
