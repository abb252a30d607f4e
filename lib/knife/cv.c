/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/mat.h"
#include "machine/machine.h"
#include "machine/predict.h"
#include "near/dist.h"
#include "table/classes.h"
#include "table/parts.h"
#include "table/predicted.h"
#include "table/table.h"

#include <math.h>

int
kith_knife_cv_take(const struct kith_knife_rows *rows,
    const struct kith_table *validation, struct kith_knife_cv_asked *asked,
    struct kith_pool *pool, struct kith_err *err)
{
	size_t *y = kith_new(pool, validation->X.n, sizeof(*y));

	*asked = (struct kith_knife_cv_asked){validation, rows->y ? y : NULL};
	return kith_classes_asked(
		   validation, rows->t->target, &rows->class, y, err) < 0
	    ? -1
	    : 0;
}

static double
loss_of(const struct kith_knife_cv_asked *asked, size_t at,
    const struct kith_predicted *predicted, size_t i)
{
	if (!asked->y)
		return predicted->t[i] - asked->t->t[at];
	if (asked->y[at] == KITH_NO_CLASS)
		return NAN;
	return predicted->y[i] != asked->y[at];
}

/* Rows to predict by the machine of a fit. */
struct query {
	const struct kith_knife_rows *rows;
	const struct kith_knife_fitted *fit;
	const struct kith_knife_cv_asked *asked;
	const size_t *row; /* m of those asked; NULL: all */
	size_t m, threads;
};

/* The rows asked, their features that count in the machine alone. */
static struct kith_mat
pack(const struct query *q, const struct kith_machine *machine,
    struct kith_pool *pool)
{
	size_t *kept = kith_new(pool, machine->metric.p, sizeof(*kept));
	const size_t p = kith_dist_kept(&machine->metric, kept);
	struct kith_mat Z = q->asked->t->X;

	if (q->row)
		Z = kith_mat_rows(&q->asked->t->X, q->row, q->m, pool);
	return kith_mat_take(&Z, kept, p + !p, pool);
}

/*
 * The losses (m), predicted as kpredict does.  Fails with EX_DATAERR where an
 * output is no number, or a scaled feature.
 */
static int
find_losses(const struct query *q, double *loss, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_machine machine;
	struct kith_mat Z;
	struct kith_predicted predicted;
	size_t bad = 0;
	int got;

	kith_knife_fitted_machine(q->rows, q->fit, &machine, &tmp);
	Z = pack(q, &machine, &tmp);
	kith_machine_pack(&machine, &tmp);
	got = kith_machine_scale(&machine, &Z, err);
	if (got == 0) {
		got = kith_machine_predict(
		    &machine, &Z, false, q->threads, &predicted, &bad, &tmp);
		if (got)
			kith_fail_at(err, EX_DATAERR, q->asked->t->file, 0,
			    "row %zu: its kernels are too large for a double",
			    kith_table_number(
				q->asked->t, q->row ? q->row[bad] : bad));
	}
	for (size_t i = 0; i < q->m && got == 0; i++)
		loss[i] = loss_of(
		    q->asked, q->row ? q->row[i] : i, &predicted, i);
	kith_pool_free(&tmp);
	return got;
}

struct kith_trial_form
kith_knife_cv_form(const struct kith_knife_rows *rows)
{
	return (struct kith_trial_form){
	    .key = {{.name = "lambda2", .simple_is_large = true}},
	    .keys = 1,
	    .regress = !rows->y,
	    .features = true};
}

/* A trial at the lambda2 of a fit, but for its error. */
static struct kith_trial
trial_of(const struct kith_knife_fitted *fit)
{
	return (struct kith_trial){.key = {fit->problem.lambda2},
	    .features = kith_knife_fitted_features(fit)};
}

/* Sum up the losses of n rows in parts (NULL: each its own). */
static void
sum_up(const struct kith_knife_rows *rows, const double *loss,
    const size_t *part, size_t n, size_t parts, struct kith_trial *trial)
{
	if (rows->y)
		kith_trial_rows(loss, part, n, parts, false, trial);
	else
		kith_trial_numbers(loss, part, n, parts, trial);
}

int
kith_knife_cv_judge(const struct kith_knife_rows *rows,
    const struct kith_knife_fitted *fit,
    const struct kith_knife_cv_asked *asked, size_t threads,
    struct kith_trial *trial, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t m = asked->t->X.n;
	const struct query q = {rows, fit, asked, NULL, m, threads};
	double *loss = kith_new(&tmp, m, sizeof(*loss));
	const int got = find_losses(&q, loss, err);

	*trial = trial_of(fit);
	if (got == 0)
		sum_up(rows, loss, NULL, m, 0, trial);
	kith_pool_free(&tmp);
	return got;
}

void
kith_knife_cv_sum(const struct kith_knife_rows *rows,
    const struct kith_knife_fitted *fit, const struct kith_knife_cv_plan *plan,
    const double *loss, struct kith_trial *trial)
{
	*trial = trial_of(fit);
	sum_up(rows, loss, plan->part, rows->t->X.n, plan->parts, trial);
}

/* The rows to learn from of those listed, in their order; how many. */
static size_t
keep_learnt(const struct kith_table *t, size_t n, size_t *row)
{
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		if (!t->weight || t->weight[row[i]] > 0)
			row[some++] = row[i];
	return some;
}

/* Predict the rows of a part at all lambda2. */
static int
predict_part(const struct kith_knife_rows *rows,
    const struct kith_knife_fit_how *how, const struct kith_knife_cv_plan *plan,
    size_t one, double *loss, size_t *missed, struct kith_err *err)
{
	struct kith_pool pool = {0};
	const size_t N = rows->t->X.n;
	const struct kith_knife_cv_asked asked = {rows->t, rows->y};
	size_t *in = kith_new(&pool, N, sizeof(*in));
	size_t *out = kith_new(&pool, N, sizeof(*out));
	double *some = kith_new(&pool, N, sizeof(*some));
	const size_t others = kith_parts_split(plan->part, N, one, out, in);
	const size_t m = N - others, n = keep_learnt(rows->t, others, out);
	struct kith_knife_fitted fit;
	const struct query q = {rows, &fit, &asked, in, m, how->like.threads};
	int got = 0;

	if (m > 0 && n == 0)
		got = kith_fail(err, EX_DATAERR,
		    others ? "a part has all rows of weight above 0"
			   : "a part has all rows");
	else if (m > 0)
		got = kith_knife_fitted_new(
		    rows, how, out, n, &fit, &pool, err);
	if (m > 0 && got == 0)
		kith_knife_fitted_start(&fit, plan->w);
	for (size_t s = 0; s < plan->k && m > 0 && got == 0; s++) {
		got = kith_knife_fit_at(&fit, how, plan->lambda2[s], err);
		*missed += got == 0 ? fit.missed : 0;
		if (got == 0)
			got = find_losses(&q, some, err);
		for (size_t i = 0; i < m; i++)
			loss[s * N + in[i]] = some[i];
	}
	kith_pool_free(&pool);
	return got;
}

int
kith_knife_cv(const struct kith_knife_rows *rows,
    const struct kith_knife_fit_how *how, const struct kith_knife_cv_plan *plan,
    double *loss, size_t *missed, struct kith_err *err)
{
	int got = 0;

	*missed = 0;
	kith_progress_phase("cross-validation", plan->parts, "parts");
	for (size_t one = 0; one < plan->parts && got == 0; one++) {
		got = predict_part(rows, how, plan, one, loss, missed, err);
		kith_progress_add(1);
	}
	kith_progress_end();
	return got;
}
