#include "knife/cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "la/mat.h"
#include "machine/machine.h"
#include "near/dist.h"
#include "table/classes.h"
#include "table/predicted.h"
#include "table/table.h"
#include "text/out.h"

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
	double d;

	if (!asked->y) {
		d = predicted->t[i] - asked->t->t[at];
		return d * d;
	}
	if (asked->y[at] == KITH_NO_CLASS)
		return NAN;
	return predicted->y[i] != asked->y[at];
}

/* The rows asked, their features that count in the machine alone. */
static struct kith_mat
pack(const struct kith_machine *machine,
    const struct kith_knife_cv_asked *asked, const size_t *row, size_t m,
    struct kith_pool *pool)
{
	size_t *kept = kith_new(pool, machine->metric.p, sizeof(*kept));
	const size_t p = kith_dist_kept(&machine->metric, kept);
	struct kith_mat Z = asked->t->X;

	if (row)
		Z = kith_mat_rows(&asked->t->X, row, m, pool);
	return kith_mat_take(&Z, kept, p + !p, pool);
}

/*
 * The losses (m) of m of the rows asked (row NULL: of all), predicted as
 * kpredict does.  Fails with EX_DATAERR where an output is no number.
 */
static int
find_losses(const struct kith_machine *machine,
    const struct kith_knife_cv_asked *asked, const size_t *row, size_t m,
    size_t threads, double *loss, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_mat Z = pack(machine, asked, row, m, &tmp);
	struct kith_machine packed = *machine;
	struct kith_predicted predicted;
	size_t bad = 0;
	int got;

	kith_machine_pack(&packed, &tmp);
	got = kith_machine_predict(
	    &packed, &Z, false, threads, &predicted, &bad, &tmp);
	for (size_t i = 0; i < m && got == 0; i++)
		loss[i] = loss_of(asked, row ? row[i] : i, &predicted, i);
	if (got)
		kith_fail_at(err, EX_DATAERR, asked->t->file, 0,
		    "row %zu: its kernels are too large for a double",
		    kith_table_number(asked->t, row ? row[bad] : bad));
	kith_pool_free(&tmp);
	return got;
}

/* The error of n losses, those that are NaN aside, with their number. */
static void
take_mean(const struct kith_knife_rows *rows, const double *loss, size_t n,
    struct kith_knife_cv_result *result)
{
	long double sum = 0;

	result->n = 0;
	for (size_t i = 0; i < n; i++) {
		if (isnan(loss[i]))
			continue;
		sum += loss[i];
		result->n++;
	}
	result->error = (double)(sum / (long double)result->n);
	if (!rows->y)
		result->error = sqrt(result->error);
}

int
kith_knife_cv_judge(const struct kith_knife_rows *rows,
    const struct kith_knife_fitted *fit,
    const struct kith_knife_cv_asked *asked, const double *losses,
    size_t threads, struct kith_knife_cv_result *result, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_machine machine;
	double *loss;
	int got = 0;

	*result = (struct kith_knife_cv_result){.lambda2 = fit->problem.lambda2,
	    .features = kith_knife_fitted_features(fit)};
	if (losses) {
		take_mean(rows, losses, rows->t->X.n, result);
		return 0;
	}
	loss = kith_new(&tmp, asked->t->X.n, sizeof(*loss));
	kith_knife_fitted_machine(rows, fit, &machine, &tmp);
	got = find_losses(
	    &machine, asked, NULL, asked->t->X.n, threads, loss, err);
	if (got == 0)
		take_mean(rows, loss, asked->t->X.n, result);
	kith_pool_free(&tmp);
	return got;
}

/* The rows of a part, or all others; their number. */
static size_t
choose(const size_t *part, size_t n, size_t one, bool inside, size_t *row)
{
	size_t some = 0;

	for (size_t i = 0; i < n; i++)
		if ((part[i] == one) == inside)
			row[some++] = i;
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
	const size_t m = choose(plan->part, N, one, true, in);
	const size_t n = choose(plan->part, N, one, false, out);
	struct kith_knife_fitted fit;
	int got = 0;

	if (m > 0 && n == 0)
		got = kith_fail(err, EX_DATAERR, "a part has all rows");
	else if (m > 0)
		kith_knife_fitted_new(rows, how, out, n, plan->w, &fit, &pool);
	for (size_t s = 0; s < plan->k && m > 0 && got == 0; s++) {
		struct kith_pool tmp = {0};
		struct kith_machine machine;

		got = kith_knife_fit_at(&fit, how, plan->lambda2[s], err);
		if (got == 0) {
			*missed += fit.missed;
			kith_knife_fitted_machine(rows, &fit, &machine, &tmp);
			got = find_losses(&machine, &asked, in, m,
			    how->like.threads, some, err);
		}
		for (size_t i = 0; i < m; i++)
			loss[s * N + in[i]] = some[i];
		kith_pool_free(&tmp);
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

void
kith_knife_cv_header(bool regress, struct kith_out *out)
{
	const char *const column[] = {
	    "lambda2", "n", regress ? "rmse" : "error", "features"};

	kith_out_header(out, column, 4);
}

void
kith_knife_cv_write(
    const struct kith_knife_cv_result *result, struct kith_out *out)
{
	kith_out_put(out, "%g\t%zu\t%g\t%zu\n", result->lambda2, result->n,
	    result->error, result->features);
	kith_out_flush(out);
}

bool
kith_knife_cv_better(
    const struct kith_knife_cv_result *a, const struct kith_knife_cv_result *b)
{
	if (a->error != b->error)
		return a->error < b->error;
	if (a->features != b->features)
		return a->features < b->features;
	return a->lambda2 < b->lambda2;
}
