/* SPDX-License-Identifier: BSD-2-Clause */
#include "common/svm.h"

#include "base/pool.h"
#include "common/warn.h"
#include "kernel/kern.h"
#include "machine/model.h"
#include "table/weights.h"
#include "text/columns.h"
#include "text/out.h"

#include <stdio.h>
#include <string.h>

void
kith_svm_check_options(struct kith_svm_options *options)
{
	const bool polynomial = options->kernel == KITH_SVM_POLYNOMIAL;
	const bool regress = options->task == KITH_SVM_REGRESS;
	const struct kith_idle option[] = {
	    {options->kernel == KITH_SVM_LINEAR, &options->gamma, "--kernel linear"},
	    {!polynomial, &options->degree, "this --kernel"},
	    {!polynomial, &options->coef0, "this --kernel"},
	    {!regress, &options->epsilon, "this --task"},
	};

	if (regress && !(options->epsilon > 0))
		kith_misuse("--task regress needs --epsilon X: errors up to X cost nothing");
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

double
kith_svm_C(const struct kith_svm_options *options, double theta)
{
	const double from = options->from.C, to = options->to.C;

	if (!options->from.is_number || !options->to.is_number)
		return NAN;
	return theta < 1 ? from + theta * (to - from) : to;
}

enum { ORIGINS = 16 }; /* rows from which distances are computed */

/*
 * The limits of K* (kith_svm_resolved()) over S, and over S + ridge, as measured with 30 rows of
 * normal numbers plus a constant, the linear kernel and polynomials of degree 2, 3 and 5, C = 3 /
 * D, D the mean of the centred diagonal, against kernels centred in exact arithmetic.  With ridge 0
 * the worst f of 8 tables was off by 5e-5 where K* / D was 1e9, and by 3e-4 at 1e10; from 1.6e10 on
 * some were off by 300, and from 1e12 on all by 1 and more.  With ridge 1e-6 f was right to 2e-8
 * throughout, and signs were wrong from 1e15 on, but for one.
 */
#define SIGNS 1e14L
#define MARGINS 5e9L

static double
kernel(const struct kith_kern *kern, const struct kith_mat *X, size_t i, size_t r)
{
	return kith_kern_pair(kern, kith_row(X, i), kith_row(X, r));
}

/* Returns the mean squared distance from row r; *same: all K are equal. */
static long double
mean_distance(
    const struct kith_kern *kern, const struct kith_mat *X, size_t r, long double *most, bool *same)
{
	const double Krr = kernel(kern, X, r, r);
	long double sum = 0;

	for (size_t i = 0; i < X->n; i++) {
		const long double Kii = kernel(kern, X, i, i), Kir = kernel(kern, X, i, r);

		sum += fabsl(Kii - 2 * Kir + Krr);
		*most = fmaxl(*most, Kii);
		*same &= Kii == Krr && Kir == Krr;
	}
	return sum / X->n;
}

bool
kith_svm_resolved(const struct kith_kern *kern, const struct kith_mat *X, double ridge)
{
	const size_t origins = X->n < ORIGINS ? X->n : ORIGINS;
	const long double added = kith_svm_ridge(ridge, kern, X);
	long double S = INFINITY, most = 0;
	bool same = true;

	if (kern->kind != KITH_KERN_LINEAR && kern->kind != KITH_KERN_POLYNOMIAL)
		return true;
	for (size_t o = 0; o < origins; o++)
		S = fminl(S, mean_distance(kern, X, o * X->n / origins, &most, &same));
	return same || (most <= SIGNS * S && most <= MARGINS * (S + added));
}

double
kith_svm_ridge(double ridge, const struct kith_kern *kern, const struct kith_mat *X)
{
	double mean = 0;

	for (size_t i = 0; i < X->n; i++) /* no sum overflows */
		mean += (kernel(kern, X, i, i) - mean) / (double)(i + 1);
	return ridge * mean;
}

int
kith_svm_check_kernels(const struct kith_svm_task *task, const struct kith_mat *X,
    const size_t *row, const struct kith_mat *learnt, const char *scaled, struct kith_err *err)
{
	const int scale = task->options->scale;

	/* |K(x, z)| <= max K(x, x) */
	for (size_t k = 0; k < X->n; k++) {
		const size_t i = row ? row[k] : k;
		const struct kith_table *t = i < task->n ? &task->rows : &task->test;

		if (!(fabs(kernel(&task->kern, X, k, k)) <= KITH_SVM_LARGEST))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu%s: its kernels are too large for a double",
			    kith_table_number(t, i < task->n ? i : i - task->n), scaled);
	}
	if (kith_svm_resolved(&task->kern, learnt, task->options->ridge))
		return 0;
	return kith_fail_at(err, EX_DATAERR, task->rows.file, 0,
	    "kernels of the rows%s%s differ by less than doubles resolve: centre and scale the "
	    "features%s",
	    scaled, *scaled ? "," : "",
	    scale == KITH_UNIT_NONE || (*scaled && scale != KITH_UNIT_ZSCORE) ? " (--scale zscore?)"
									      : "");
}

int
kith_svm_check_weights(
    const struct kith_svm_task *task, size_t n, const char *scaled, struct kith_err *err)
{
	const int items = task->minus ? 4 : 1; /* kernels in one Q_vw */
	long double sum = 0, most = 1;

	for (size_t i = 0; i < n; i++)
		most = fmaxl(most, kernel(&task->kern, &task->X, i, i));
	for (size_t v = 0; v < task->problem.variables; v++)
		sum += (long double)task->from[v] + task->to[v];
	if (sum * items * most * items * most <= KITH_SVM_LARGEST)
		return 0;
	return kith_fail_at(err, EX_DATAERR, task->rows.file, 0,
	    "weights and kernels%s%s are together too large for a double", scaled,
	    *scaled ? "," : "");
}

/* Fails where an id is "(bias)", which names b in tables of coefficients. */
static int
check_ids(const struct kith_table *t, struct kith_err *err)
{
	for (size_t i = 0; t->id_name && i < t->X.n; i++)
		if (strcmp(t->id.cell[i].s, "(bias)") == 0)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: id \"(bias)\" is a reserved name", kith_table_number(t, i));
	return 0;
}

/*
 * Reads the rows, then the rows of --validate: their columns of weights, costs and queries have the
 * same names.  --from and --to name a column, as a number is a weight; the column of the target has
 * no other role.
 */
static int
read_tables(struct kith_svm_task *task, struct kith_err *err)
{
	const struct kith_svm_options *options = task->options;
	struct kith_table *t = &task->rows;
	struct kith_how how = options->how;

	how.keep[KITH_SVM_FROM] = options->from.column;
	how.keep[KITH_SVM_TO] = options->to.column;
	how.keep[KITH_SVM_QUERY] = options->query;
	how.keep[KITH_SVM_COST] = options->cost;
	how.changed = true;
	how.task = options->task == KITH_SVM_CLASSIFY ? KITH_CLASSIFY : KITH_REGRESS;
	if (kith_table_read(options->files, &how, NULL, t, task->pool, err))
		return -1;
	for (int r = 0; r < KITH_KEEP; r++) {
		if (!t->kept[r])
			continue;
		if (r <= KITH_SVM_TO && strcmp(t->kept[r], how.keep[r]) != 0)
			return kith_column_absent(
			    &(struct kith_rows){
				.name = t->column, .first = t->file, .head = t->head},
			    how.keep[r], "", err);
		if (strcmp(t->kept[r], t->target) == 0)
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME ": the target has another role", t->target);
		how.keep[r] = r <= KITH_SVM_TO ? NULL : t->kept[r];
	}
	if (check_ids(t, err))
		return -1;
	how.id = NULL;
	return options->validate ? kith_table_read((const char *const[]){options->validate, NULL},
				       &how, t, &task->test, task->pool, err)
				 : 0;
}

struct kith_kern
kith_svm_kern(const struct kith_svm_options *options, const struct kith_metric *metric)
{
	static const enum kith_kern_kind kind[] = {
	    KITH_KERN_GAUSSIAN, KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL};

	return (struct kith_kern){.kind = kind[options->kernel],
	    .metric = metric,
	    .gamma = options->gamma,
	    .degree = options->degree,
	    .coef0 = options->coef0};
}

/* Sets the features that --weights selects, their metric and the kernel, and packs all items. */
static int
read_features(struct kith_svm_task *task, struct kith_err *err)
{
	const struct kith_svm_options *options = task->options;
	struct kith_table *rows = &task->rows, *test = &task->test;
	struct kith_machine *m = &task->model;
	struct kith_pool *pool = task->pool;
	struct kith_weights w;

	if (kith_weights_read_for(options->weights, KITH_WEIGHTS_CLIP, rows, test, &w, pool, err) ||
	    kith_warn_weights(&w.needs, options->scale, err))
		return -1;
	task->kern = kith_svm_kern(options, &m->metric);
	if (kith_kern_check(task->kern.kind, &w.metric, options->weights, 0, err))
		return -1;
	m->feature = rows->feature;
	m->mean = rows->mean;
	m->metric = w.metric;
	m->X = kith_mat_new(pool, task->n + task->m, w.metric.p);
	memcpy(m->X.v, rows->X.v, task->n * m->X.p * sizeof(double));
	if (task->m)
		memcpy(kith_row(&m->X, task->n), test->X.v, task->m * m->X.p * sizeof(double));
	kith_machine_pack(m, pool);
	task->X = m->X;
	rows->X.v = test->X.v = NULL;
	return 0;
}

/* Brings the items into the units of the rows (--scale), and checks their range. */
static int
scale(struct kith_svm_task *task, struct kith_err *err)
{
	struct kith_mat rows = {task->n, task->X.p, task->X.v};
	struct kith_mat test = {task->m, task->X.p, task->X.v + task->n * task->X.p};
	struct kith_machine *model = &task->model;
	struct kith_origin from = kith_table_origin(&task->rows, &model->metric);
	struct kith_origin test_from = kith_table_origin(&task->test, &model->metric);
	const int method = task->options->scale;

	from.feature = test_from.feature = &model->feature;
	if (task->options->parts && method != KITH_UNIT_NONE) {
		task->unscaled = kith_mat_new(task->pool, rows.n, rows.p);
		memcpy(task->unscaled.v, rows.v, rows.n * rows.p * sizeof(*rows.v));
	}
	return kith_unit_scale(
	    method, &rows, &from, &test, &test_from, &model->unit, task->pool, err);
}

/* Sets the default gamma, or warns where the given one is too large. */
static void
set_gamma(struct kith_svm_task *task, const struct kith_mat *X)
{
	double most;

	if (!(task->options->gamma > 0)) {
		task->kern.gamma = kith_gamma_auto(X, &task->model.metric);
		return;
	}
	if (task->kern.kind != KITH_KERN_GAUSSIAN)
		return;
	most = kith_gamma_coupling(&task->kern, X, X);
	if (most < KITH_GAMMA_COUPLED)
		kith_warn("gamma %g is too large for these data: most rows have no kernel with "
			  "another above %.3g",
		    task->kern.gamma, most);
}

/* Sets the members of models that do not depend on the solution. */
static void
begin_model(struct kith_svm_task *task)
{
	struct kith_machine *m = &task->model;

	m->task = (enum kith_machine_task)task->options->task;
	m->kern = task->kern;
	m->class = task->rows.class;
	m->multi = KITH_MACHINE_ONE;
	m->target = task->rows.target;
	m->column = task->rows.column;
}

/* Warns of tables that are hardly meant. */
static void
warn_tables(const struct kith_svm_task *task)
{
	const struct kith_svm_options *options = task->options;

	if (options->task == KITH_SVM_CLASSIFY && !options->how.query)
		kith_warn_target(&task->rows, "--task regress?");
	if (options->kernel != KITH_SVM_LINEAR && !options->weights && !options->scale)
		kith_warn_scales(&task->rows, KITH_WARN_UNITS);
	kith_warn_outside(&task->rows, &task->test);
}

int
kith_svm_read(const struct kith_svm_options *options, struct kith_svm_task *task,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_mat rows;

	*task = (struct kith_svm_task){.options = options, .pool = pool};
	if (read_tables(task, err))
		return -1;
	warn_tables(task);
	task->n = task->rows.X.n;
	task->m = task->test.X.n;
	if (read_features(task, err))
		return -1;
	rows = (struct kith_mat){task->n, task->X.p, task->X.v};
	if (scale(task, err))
		return -1;
	set_gamma(task, &rows);
	begin_model(task);
	if (kith_svm_check_kernels(task, &task->X, NULL, &rows, "", err))
		return -1;
	task->problem = (struct kith_wsvm_problem){.X = &task->X,
	    .kern = &task->kern,
	    .cache = KITH_SVM_CACHE,
	    .threads = options->threads,
	    .ridge = kith_svm_ridge(options->ridge, &task->kern, &rows)};
	return 0;
}

void
kith_svm_variables(struct kith_svm_task *task, size_t N, bool ranks)
{
	KITH_NEW_SIZES(task->pool, N, 1, &task->plus);
	task->minus = ranks ? kith_new(task->pool, N, sizeof(*task->minus)) : NULL;
	KITH_NEW_REALS(task->pool, N, 1, &task->sign, &task->q, &task->from, &task->to);
	task->problem.variables = N;
	task->problem.plus = task->plus;
	task->problem.minus = task->minus;
	task->problem.sign = task->sign;
	task->problem.q = task->q;
	task->problem.bias = !ranks;
}

void
kith_svm_coef(const struct kith_svm_task *task, const double *alpha, double *coef)
{
	for (size_t i = 0; i < task->n; i++)
		coef[i] = 0;
	for (size_t v = 0; v < task->problem.variables; v++) {
		coef[task->plus[v]] += task->sign[v] * alpha[v];
		if (task->minus)
			coef[task->minus[v]] -= task->sign[v] * alpha[v];
	}
}

/* Returns whether a model in this file has the format of LIBSVM. */
static bool
is_libsvm(const char *file)
{
	const char *end = strrchr(file, '.');

	return end && strcmp(end, ".libsvm") == 0;
}

int
kith_svm_model_open(const struct kith_svm_task *task, struct kith_out *out, struct kith_err *err)
{
	const char *file = task->options->save_model;

	if (is_libsvm(file) && kith_libsvm_check(&task->model, task->rows.file, err))
		return -1;
	return kith_out_open(out, file, err);
}

int
kith_svm_model_write(const struct kith_svm_task *task, const struct kith_svm_solution *solution,
    struct kith_out *out, struct kith_err *err)
{
	struct kith_machine machine = task->model;
	const double C = kith_svm_C(task->options, solution->theta);

	kith_machine_rows(&machine, &task->rows, &task->X, solution->coef, task->pool);
	machine.kern.metric = &task->model.metric;
	machine.bias = solution->bias;
	machine.C = isnan(C) ? NULL : &C;
	kith_log_size("model rows", machine.X.n);
	if (is_libsvm(task->options->save_model))
		kith_libsvm_write(&machine, out);
	else if (kith_model_write(&machine, out, err))
		return -1;
	return kith_out_close(out, err);
}

void
kith_svm_count_add(struct kith_wsvm_count *count, const struct kith_wsvm_count *more)
{
	count->events += more->events;
	count->margin += more->margin;
	count->rows += more->rows;
	count->restarts += more->restarts;
	count->residual = fmax(count->residual, more->residual);
	count->solved_anew += more->solved_anew;
	if (count->faults == 0 || more->fault.violation > count->fault.violation)
		count->fault = more->fault;
	count->faults += more->faults;
	count->end_faults += more->end_faults;
	if (count->longest_restart == 0)
		count->restart_at = more->restart_at;
	count->longest_restart = fmax(count->longest_restart, more->longest_restart);
}

const char *
kith_svm_text(char text[64], const char *before, int digits, double x, const char *after)
{
	snprintf(text, 64, "%s%.*g%s", before, digits, x, after);
	return isnan(x) ? "" : text;
}

int
kith_svm_count_report(const struct kith_svm_options *options, const struct kith_wsvm_count *count)
{
	const struct kith_wsvm_fault *fault = &count->fault;
	const double change = kith_svm_C(options, 1) - kith_svm_C(options, 0);
	char C[64], of_C[64];

	kith_log_size("events", count->events);
	kith_log_real(
	    "mean margin", count->events ? (double)count->margin / (double)count->events : 0);
	kith_log_size("kernel rows", count->rows);
	kith_log_size("cold solves", count->restarts);
	kith_log_real("residual", count->residual);
	kith_log_size("solved anew", count->solved_anew);
	if (count->restarts > 0)
		kith_warn(
		    "%zu times events could not be told apart, first at theta %.17g%s: solved "
		    "anew up to %.2g of theta%s further on, and what lies between judged",
		    count->restarts, count->restart_at,
		    kith_svm_text(C, ", C ", 6, kith_svm_C(options, count->restart_at), ""),
		    count->longest_restart,
		    kith_svm_text(of_C, ", ", 2, count->longest_restart * fabs(change), " of C"));
	if (count->faults == 0)
		return 0;
	kith_warn(
	    "%zu solutions are off, the worst up to theta %.17g%s: %s is %.3g times its limit",
	    count->faults, fault->theta,
	    kith_svm_text(C, ", C ", 6, kith_svm_C(options, fault->theta), ""), fault->what,
	    fault->violation);
	return 1;
}
