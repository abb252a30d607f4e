/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/fit.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "knife/ceiling.h"
#include "knife/check.h"
#include "knife/check_at.h"
#include "knife/knife.h"
#include "knife/mend.h"
#include "machine/machine.h"
#include "machine/write.h"
#include "solve/box.h"
#include "table/table.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

/* To mend a search: evaluations per step, and those of which rows are due. */
enum { EACH = 6, FEWEST = 30 };
#define WORK 2e9 /* n^2 (n + p) of them all */

#define SAME 1e-9 /* of F: what rounding may change */

/* Scale the rows of the fit by themselves. */
static int
scale(const struct kith_knife_rows *rows, int method, struct kith_knife_fitted *fit,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_origin from = kith_table_origin(rows->t);
	const struct kith_mat X = fit->X;

	from.row = fit->row;
	if (!fit->row) {
		fit->X = kith_mat_new(pool, X.n, X.p);
		memcpy(fit->X.v, X.v, X.n * X.p * sizeof(*X.v));
	}
	return kith_unit_scale(method, &fit->X, &from, NULL, NULL, &fit->unit, pool, err);
}

int
kith_knife_fitted_new(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    const size_t *row, size_t n, struct kith_knife_fitted *fit, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t c = rows->c, p = rows->t->X.p;

	*fit = (struct kith_knife_fitted){.problem = how->like, .row = row};
	fit->X = row ? kith_mat_rows(&rows->t->X, row, n, pool) : rows->t->X;
	if (how->scale && scale(rows, how->scale, fit, pool, err))
		return -1;
	fit->Y = kith_new(pool, n, c * sizeof(*fit->Y));
	fit->mean = kith_new(pool, c, sizeof(*fit->mean));
	KITH_NEW_REALS(pool, p, 1, &fit->w, &fit->start);
	fit->alpha = kith_new(pool, n, c * sizeof(*fit->alpha));
	fit->bias = kith_new(pool, c, sizeof(*fit->bias));
	if (rows->t->weight)
		fit->weight = kith_new(pool, n, sizeof(*fit->weight));
	kith_knife_rows_targets(rows, row, n, fit->Y, fit->mean, fit->weight);
	fit->problem.weight = fit->weight;
	fit->problem.X = &fit->X;
	fit->problem.Y = fit->Y;
	fit->problem.c = c;
	return 0;
}

void
kith_knife_fitted_start(struct kith_knife_fitted *fit, const double *w)
{
	memcpy(fit->w, w, fit->X.p * sizeof(*w));
	memcpy(fit->start, w, fit->X.p * sizeof(*w));
}

/* One more search, from random numbers; what is better is kept. */
static int
restart(struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how, size_t index,
    struct kith_knife_fitted *other, struct kith_err *err)
{
	const size_t n = fit->X.n, p = fit->X.p, c = fit->problem.c;
	struct kith_rng rng;

	kith_rng_seed(&rng, how->seed, KITH_RNG_START, index);
	for (size_t j = 0; j < p; j++)
		other->w[j] = kith_rng_unit(&rng);
	if (kith_knife(
		&fit->problem, &how->how, other->w, other->alpha, other->bias, &other->fit, err))
		return -1;
	fit->evaluations += other->fit.evaluations;
	fit->missed += !other->fit.converged;
	if (other->fit.objective > fit->worst)
		fit->worst = other->fit.objective;
	if (other->fit.objective < fit->fit.objective) {
		fit->fit = other->fit;
		memcpy(fit->w, other->w, p * sizeof(*fit->w));
		memcpy(fit->alpha, other->alpha, n * c * sizeof(*fit->alpha));
		memcpy(fit->bias, other->bias, c * sizeof(*fit->bias));
	}
	return 0;
}

int
kith_knife_fitted_grid(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    struct kith_knife_fitted *fit, size_t k, double *lambda2, double *most, struct kith_err *err)
{
	if (kith_knife_ceiling(&fit->problem, &how->how, fit->w, most, err))
		return -1;
	if (!(*most > 0) || !isfinite(*most))
		return kith_fail_at(err, EX_DATAERR, rows->t->file, 0,
		    "no largest --lambda2 for --grid: it would be %g", *most);
	for (size_t s = 0; s < k; s++)
		lambda2[s] = *most * pow(1e-3, 1 - (double)s / ((double)k - 1));
	return 0;
}

/*
 * What the check finds at the weights: its machine and numbers in place of
 * those of the search.
 */
static void
take_checked(struct kith_knife_fitted *fit)
{
	const size_t n = fit->X.n, p = fit->X.p, c = fit->problem.c;
	struct kith_pool tmp = {0};
	const struct kith_check_knife_point at = kith_check_knife_at(&fit->problem, fit->w, &tmp);

	fit->fit.objective = at.F;
	fit->fit.gradient = kith_lbfgs_box_gradient(p, fit->w, at.dF);
	memcpy(fit->alpha, at.alpha, n * c * sizeof(*fit->alpha));
	memcpy(fit->bias, at.b, c * sizeof(*fit->bias));
	kith_pool_free(&tmp);
}

/* Evaluations to mend a search: as many steps as it left, if not too dear. */
static size_t
budget(const struct kith_knife_fitted *fit, const struct kith_knife_how *how)
{
	const double n = (double)fit->X.n, p = (double)fit->X.p;
	const double most = fmax(WORK / (n * n * (n + p)), FEWEST);
	const size_t left = how->max_iter - fit->fit.iterations;

	if (fit->fit.iterations >= how->max_iter)
		return 0;
	return EACH * (double)left < most ? EACH * left : (size_t)most;
}

/*
 * Ask the check, and mend what it does not pass.  Where its F is another one,
 * for numbers are of scales far apart, its machine is the better one, too.
 */
static void
prove(struct kith_knife_fitted *fit, const struct kith_knife_how *how)
{
	struct kith_knife_fit *it = &fit->fit;
	const struct kith_mend_knife mend = {&fit->problem, fit->start, how->tol, budget(fit, how)};
	const struct kith_check_knife_verdict verdict = kith_check_knife_verdict(
	    &fit->problem, fit->w, fit->start, how->tol);
	const double F = verdict.F;
	size_t evaluations;

	fit->converged = verdict.holds;
	if (!verdict.holds && verdict.solved && mend.most > 0 &&
	    (it->converged || !how->alternate)) {
		fit->converged = kith_mend_knife(&mend, fit->w, &evaluations);
		fit->evaluations += evaluations;
		it->iterations++;
		take_checked(fit);
		if (how->tell)
			how->tell(how->to,
			    &(struct kith_knife_trace){
				it->iterations, it->objective, it->gradient});
	} else if (fabs(F - it->objective) > SAME * fabs(F))
		take_checked(fit);
}

int
kith_knife_fit_at(struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how,
    double lambda2, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_knife_fitted other = kith_knife_fitted_copy(fit, &tmp);
	int got;

	kith_progress_value("lambda2", lambda2);
	fit->problem.lambda2 = lambda2;
	/* The problem points at what may have been moved. */
	fit->problem.X = &fit->X;
	got = kith_knife(&fit->problem, &how->how, fit->w, fit->alpha, fit->bias, &fit->fit, err);
	fit->evaluations = fit->fit.evaluations;
	fit->missed = !fit->fit.converged;
	fit->worst = fit->fit.objective;
	for (size_t r = 1; r <= how->restarts && got == 0; r++)
		got = restart(fit, how, r, &other, err);
	fit->converged = fit->fit.converged;
	if (got == 0 && how->prove)
		prove(fit, &how->how);
	kith_pool_free(&tmp);
	return got;
}

struct kith_knife_fitted
kith_knife_fitted_copy(const struct kith_knife_fitted *fit, struct kith_pool *pool)
{
	const size_t n = fit->X.n, p = fit->X.p, c = fit->problem.c;
	struct kith_knife_fitted copy = *fit;

	copy.w = kith_new(pool, p, sizeof(*copy.w));
	copy.alpha = kith_new(pool, n, c * sizeof(*copy.alpha));
	copy.bias = kith_new(pool, c, sizeof(*copy.bias));
	memcpy(copy.w, fit->w, p * sizeof(*copy.w));
	memcpy(copy.alpha, fit->alpha, n * c * sizeof(*copy.alpha));
	memcpy(copy.bias, fit->bias, c * sizeof(*copy.bias));
	return copy;
}

size_t
kith_knife_fitted_features(const struct kith_knife_fitted *fit)
{
	size_t some = 0;

	for (size_t j = 0; j < fit->X.p; j++)
		some += fit->w[j] != 0 && (fit->unit.p == 0 || fit->unit.scale[j] > 0);
	return some;
}

int
kith_knife_fitted_weights(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    double *w, struct kith_err *err)
{
	memcpy(w, fit->w, fit->X.p * sizeof(*w));
	if (fit->unit.p == 0)
		return 0;
	return kith_unit_to_input(
	    &fit->unit, kith_knife_kind(fit->problem.kernel), &rows->t->feature, w, err);
}

enum kith_metric_kind
kith_knife_kind(enum kith_knife_kernel kernel)
{
	return kernel == KITH_KNIFE_LAPLACIAN ? KITH_ABSOLUTE : KITH_SQUARED;
}

/* The rows that count, with what they are called. */
static void
take_rows(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    struct kith_machine *m, struct kith_pool *pool)
{
	const struct kith_table *t = rows->t;
	const size_t n = fit->X.n, c = fit->problem.c;
	double *coef = kith_new(pool, n, c * sizeof(*coef));
	size_t *row = kith_new(pool, n, sizeof(*row));
	size_t *number = kith_new(pool, n, sizeof(*number));
	size_t s = 0;

	for (size_t i = 0; i < n; i++) {
		const size_t at = fit->row ? fit->row[i] : i;
		bool counts = false;

		for (size_t k = 0; k < c; k++) {
			coef[s * c + k] = fit->alpha[k * n + i];
			counts |= coef[s * c + k] != 0;
		}
		if (!counts)
			continue;
		if (t->id_name) {
			const struct kith_cell id = kith_texts_at(&t->id, at);

			kith_texts_add(&m->id, &id, pool);
		}
		number[s] = kith_table_number(t, at);
		row[s++] = i;
	}
	m->X = kith_mat_rows(&fit->X, row, s, pool);
	m->coef = coef;
	m->number = number;
}

void
kith_knife_fitted_machine(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    struct kith_machine *m, struct kith_pool *pool)
{
	const size_t p = fit->X.p, c = fit->problem.c;
	double *bias = kith_new(pool, c, sizeof(*bias));

	for (size_t k = 0; k < c; k++)
		bias[k] = fit->bias[k] + fit->mean[k];
	*m = (struct kith_machine){.task = rows->y ? KITH_MACHINE_CLASSIFY : KITH_MACHINE_REGRESS,
	    .kern = kith_knife_kern(&fit->problem),
	    .metric = {kith_knife_kind(fit->problem.kernel), p, fit->w},
	    .bias = bias,
	    .feature = rows->t->feature,
	    .class = rows->class,
	    .target = rows->t->target,
	    .column = rows->t->column,
	    .mean = rows->t->mean,
	    .unit = fit->unit};
	take_rows(rows, fit, m, pool);
	m->kern.metric = &m->metric;
}

int
kith_knife_fitted_save(const struct kith_knife_rows *rows, const struct kith_knife_fitted *fit,
    struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_machine machine;

	kith_knife_fitted_machine(rows, fit, &machine, pool);
	if (kith_machine_write(&machine, out, err))
		return -1;
	return kith_out_close(out, err);
}
