/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/fit.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/sort.h"
#include "immigrate/boost.h"
#include "immigrate/immigrate.h"
#include "immigrate/start.h"
#include "immigrate/unit.h"
#include "table/weights.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sigma of learners goes from one to the other, of what the rows ask for. */
#define MOST 4
#define LEAST .2

int
kith_immigrate_fit_threshold(const char *text, struct kith_immigrate_fit_how *how)
{
	if (strcmp(text, "auto") == 0) {
		how->how.threshold = -1;
		return 0;
	}
	return kith_parse_real(text, strlen(text), &how->how.threshold) || how->how.threshold < 0
	    ? -1
	    : 0;
}

/* How to solve for rows of p features: how->how, its threshold as it is. */
static struct kith_immigrate_how
solver_of(const struct kith_immigrate_fit_how *how, size_t p)
{
	struct kith_immigrate_how of = how->how;

	if (of.threshold < 0)
		of.threshold = 1 / (double)p;
	return of;
}

/* The sigma of a fit from the start W, or w: as given, or from the rows. */
static struct kith_immigrate_sigma
sigma_of(const struct kith_immigrate_rows *rows, const struct kith_immigrate_how *of, bool matrix,
    const double *W)
{
	if (of->sigma > 0)
		return (struct kith_immigrate_sigma){.value = of->sigma};
	return kith_immigrate_sigma(rows, of, matrix, W);
}

/* Fit a vector of weights, into w (p), by plain steps. */
static void
fit_vector(const struct kith_immigrate_rows *rows, const struct kith_immigrate_fit_how *how,
    bool to_select, double *w, struct kith_immigrate_fit *fit, struct kith_immigrate_sigma *sigma)
{
	const size_t p = rows->X->p;
	struct kith_immigrate_how of = solver_of(how, p);

	of.damped = of.monotone;
	of.monotone = false;
	if (to_select)
		of.tell = NULL;
	if (how->start == KITH_IMMIGRATE_FIT_GIVEN)
		memcpy(w, how->given, p * sizeof(*w));
	else if (how->start == KITH_IMMIGRATE_FIT_RANDOM)
		kith_immigrate_start_draw(how->seed, p, w);
	else
		kith_immigrate_start_uniform(p, w);
	*sigma = sigma_of(rows, &of, false, w);
	of.sigma = sigma->value;
	kith_im4e(rows, &of, w, fit);
}

/*
 * Select features: their columns, in order, into *column, and their weights,
 * into *w (both in the pool); *fit tells of im4e.  Returns their number, or -1.
 */
static long
select_features(const struct kith_immigrate_rows *rows, const struct kith_immigrate_fit_how *how,
    size_t **column, double **w, struct kith_immigrate_fit *fit, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X->p;
	const double above = how->weights_above ? how->select : 1 / (double)p;
	double *all = kith_new(&tmp, p, sizeof(*all));
	struct kith_immigrate_sigma sigma;
	size_t n = 0;

	fit_vector(rows, how, true, all, fit, &sigma);
	*column = kith_new(pool, p, sizeof(**column));
	kith_weights_order(p, all, *column);
	while (n < p && n < how->most && all[(*column)[n]] > above)
		n++;
	kith_sort_sizes(*column, n);
	*w = kith_new(pool, n, sizeof(**w));
	for (size_t j = 0; j < n; j++)
		(*w)[j] = all[(*column)[j]];
	kith_pool_free(&tmp);
	if (n > 0)
		return (long)n;
	return kith_fail(
	    err, EX_DATAERR, "im4e gives no feature a weight above %g (--select?)", above);
}

/* Fit a matrix of weights, into W (p x p), which holds the start. */
static void
fit_matrix(const struct kith_immigrate_rows *rows, const struct kith_immigrate_fit_how *how,
    double *W, struct kith_immigrate_fit *fit, struct kith_immigrate_sigma *sigma)
{
	struct kith_immigrate_how of = solver_of(how, rows->X->p);

	*sigma = sigma_of(rows, &of, true, W);
	of.sigma = sigma->value;
	kith_immigrate(rows, &of, W, fit);
}

/* Select features, and fit a matrix to them from the diagonal of im4e. */
static int
fit_selected(const struct kith_immigrate_rows *rows, const struct kith_immigrate_fit_how *how,
    struct kith_immigrate_fitted *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_immigrate_rows some = *rows;
	struct kith_mat X;
	double *w, *W;
	const long got = select_features(rows, how, &out->column, &w, &out->select, pool, err);
	size_t p;

	if (got < 0)
		return -1;
	p = (size_t)got;
	X = kith_mat_take(rows->X, out->column, p, &tmp);
	some.X = &X;
	W = kith_new(pool, p, p * sizeof(*W));
	for (size_t j = 0; j < p; j++)
		W[j * p + j] = w[j];
	if (kith_immigrate_start_norm(p * p, true, W))
		kith_immigrate_start_identity(p, W); /* selected were weights of 0 */
	fit_matrix(&some, how, W, &out->fit, &out->sigma);
	out->metric = (struct kith_metric){KITH_ABSOLUTE_MATRIX, p, W};
	kith_pool_free(&tmp);
	return 0;
}

int
kith_immigrate_fit_run(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *how, struct kith_immigrate_fitted *out,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t p = rows->X->p;
	const bool vector = how->method == KITH_IMMIGRATE_FIT_IM4E;
	double *W;

	*out = (struct kith_immigrate_fitted){0};
	if (how->method == KITH_IMMIGRATE_FIT_SELECTED)
		return fit_selected(rows, how, out, pool, err);
	W = kith_new(pool, p, (vector ? 1 : p) * sizeof(*W));
	out->metric = (struct kith_metric){vector ? KITH_ABSOLUTE : KITH_ABSOLUTE_MATRIX, p, W};
	if (vector) {
		fit_vector(rows, how, false, W, &out->fit, &out->sigma);
		return 0;
	}
	if (how->start == KITH_IMMIGRATE_FIT_GIVEN)
		memcpy(W, how->given, p * p * sizeof(*W));
	else if (how->start == KITH_IMMIGRATE_FIT_RANDOM)
		kith_immigrate_start_random(how->seed, 0, p, W);
	else
		kith_immigrate_start_identity(p, W);
	fit_matrix(rows, how, W, &out->fit, &out->sigma);
	return 0;
}

void
kith_immigrate_fit_settle(const struct kith_immigrate_unit *unit, struct kith_immigrate_fitted *fit,
    struct kith_pool *pool)
{
	const bool matrix = kith_metric_is_matrix(fit->metric.kind);
	const size_t p = fit->metric.p, all = matrix ? p * p : p;
	double *w;

	if (!kith_immigrate_unit_drop(unit, fit->column, &fit->metric, pool))
		return;
	w = kith_new(pool, all, sizeof(*w));
	memcpy(w, fit->metric.w, all * sizeof(*w));
	kith_immigrate_start_norm(all, matrix, w);
	fit->metric.w = w;
	fit->fit.sure = false;
	fit->fit.open = true;
}

/* Sigma of the first learner, and of the last, from the rows. */
static void
find_range(const struct kith_immigrate_rows *rows, struct kith_boost_how *how)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X->p;
	double *W = kith_new(&tmp, p, p * sizeof(*W));
	struct kith_immigrate_how of = how->inner;
	struct kith_immigrate_sigma sigma;

	kith_immigrate_start_identity(p, W);
	sigma = kith_immigrate_sigma(rows, &of, true, W);
	how->most = fmin(MOST * sigma.value, DBL_MAX);
	how->least = fmax(LEAST * sigma.value, DBL_TRUE_MIN);
	kith_pool_free(&tmp);
}

int
kith_immigrate_fit_boost(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *fit, const struct kith_boost_how *boost,
    struct kith_ensemble *ensemble, struct kith_boost_count *count,
    struct kith_immigrate_fit *select, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_immigrate_rows some = *rows;
	struct kith_boost_how how = *boost;
	size_t *column = NULL;
	struct kith_mat X = *rows->X;
	double *w, *W = NULL;
	int got;

	if (fit->method == KITH_IMMIGRATE_FIT_SELECTED) {
		const long p = select_features(rows, fit, &column, &w, select, pool, err);

		if (p < 0)
			return -1;
		X = kith_mat_take(&X, column, (size_t)p, &tmp);
		some.X = &X;
	} else if (fit->start == KITH_IMMIGRATE_FIT_IDENTITY) {
		W = kith_new(&tmp, X.p, X.p * sizeof(*W));
		kith_immigrate_start_identity(X.p, W);
	}
	how.start = column || fit->start != KITH_IMMIGRATE_FIT_GIVEN ? W : fit->given;
	how.inner = solver_of(fit, X.p);
	how.inner.max_iter = boost->inner.max_iter;
	how.inner.tell = NULL;
	if (how.most == 0)
		find_range(&some, &how);
	got = kith_boost(&some, &how, ensemble, count, pool, err);
	ensemble->column = column;
	kith_pool_free(&tmp);
	return got;
}

size_t
kith_immigrate_judge(const struct kith_immigrate_fit_how *how,
    const struct kith_immigrate_rows *rows, const double *W,
    struct kith_check out[KITH_CHECK_IMMIGRATE])
{
	const struct kith_immigrate_how of = solver_of(how, rows->X->p);

	if (how->method == KITH_IMMIGRATE_FIT_IM4E) {
		kith_check_im4e(rows, &of, W, out);
		return KITH_CHECK_IM4E;
	}
	kith_check_immigrate(rows, &of, W, out);
	return KITH_CHECK_IMMIGRATE;
}

bool
kith_immigrate_judge_fit(const struct kith_immigrate_fit_how *how,
    const struct kith_immigrate_rows *rows, const struct kith_immigrate_fitted *fit)
{
	struct kith_pool tmp = {0};
	struct kith_check check[KITH_CHECK_IMMIGRATE];
	struct kith_immigrate_rows some = *rows;
	struct kith_mat X = *rows->X;
	bool yes = true;
	size_t n;

	if (fit->fit.sure || !fit->fit.open)
		return fit->fit.sure;
	if (fit->column)
		X = kith_mat_take(&X, fit->column, fit->metric.p, &tmp);
	some.X = &X;
	n = kith_immigrate_judge(how, &some, fit->metric.w, check);
	for (size_t i = 0; i < n; i++)
		yes = yes && kith_check_ok(&check[i]);
	kith_pool_free(&tmp);
	return yes;
}
