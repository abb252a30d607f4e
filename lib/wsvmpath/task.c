/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/task.h"

#include "base/num.h"
#include "base/pool.h"
#include "common/warn.h"
#include "kernel/gamma.h"
#include "table/input.h"
#include "wsvmpath/range.h"

#include <string.h>

void
kith_svm_warn_kernel(struct kith_svm_options *options)
{
	const bool polynomial = options->kernel == KITH_SVM_POLYNOMIAL;
	const struct kith_idle option[] = {
	    {options->kernel == KITH_SVM_LINEAR, &options->gamma, "--kernel linear"},
	    {!polynomial, &options->degree, "this --kernel"},
	    {!polynomial, &options->coef0, "this --kernel"},
	};

	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

int
kith_svm_constant(const char *text, double *C)
{
	double x;
	const enum kith_num num = kith_parse_real(text, strlen(text), &x);

	if (num == KITH_NUM_TEXT)
		return 1;
	if (num != KITH_NUM_OK || x < 0)
		return -1;
	*C = x;
	return 0;
}

bool
kith_svm_is_word(const struct kith_svm_options *options, const char *text)
{
	return options->task == KITH_SVM_RANK && text == options->to &&
	    (strcmp(text, "relevance") == 0 || strcmp(text, "difference") == 0);
}

const char *
kith_svm_named(const struct kith_svm_options *options, const char *text)
{
	double C;

	if (!text || kith_svm_is_word(options, text) || kith_svm_constant(text, &C) <= 0)
		return NULL;
	return text + (*text == '=');
}

bool
kith_svm_C(const struct kith_svm_options *options, double theta, double *C)
{
	double from, to;

	if (!options->from || kith_svm_constant(options->from, &from) ||
	    kith_svm_constant(options->to, &to))
		return false;
	*C = theta < 1 ? from + theta * (to - from) : to;
	return true;
}

struct kith_cell
kith_svm_cell(const struct kith_table *t, size_t kept, size_t i)
{
	return kith_texts_at(&t->keep, i * t->kept.n + kept);
}

int
kith_svm_number(const struct kith_table *t, size_t kept, size_t i, double *x, struct kith_err *err)
{
	const struct kith_cell c = kith_svm_cell(t, kept, i);
	const char *why = NULL;

	if (kith_cell_missing(&c))
		why = "missing";
	else if (kith_parse_real(c.s, c.len, x))
		why = "no finite number";
	else if (*x < 0)
		why = "negative";
	if (!why)
		return 0;
	return kith_fail_at(err, EX_DATAERR, t->file, 0,
	    "row %zu: column " KITH_NAME ": %s: " KITH_CELL, kith_table_number(t, i),
	    t->kept.name[kept], why, c.s);
}

int
kith_svm_check_kernels(const struct kith_svm_task *task, const struct kith_mat *X,
    const size_t *row, const struct kith_mat *learnt, const char *scaled, struct kith_err *err)
{
	const size_t bad = kith_svm_too_large(&task->kern, X);
	const int scale = task->options->scale;

	if (bad < X->n) {
		const size_t i = row ? row[bad] : bad;

		return kith_fail_at(err, EX_DATAERR,
		    i < task->n ? task->rows.file : task->test.file, 0,
		    "row %zu%s: its kernels are too large for a double",
		    i < task->n ? kith_table_number(&task->rows, i)
				: kith_table_number(&task->test, i - task->n),
		    scaled);
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
kith_svm_check_weights(const struct kith_svm_task *task, const struct kith_mat *X, size_t n,
    size_t N, const double *from, const double *to, const char *scaled, struct kith_err *err)
{
	const int items = task->minus ? 4 : 1; /* kernels in one Q_vw */
	long double sum = 0, most = 1;

	for (size_t i = 0; i < n; i++) {
		double K;

		kith_kern_rows(&task->kern, kith_row(X, i), kith_row(X, i), 1, &K);
		most = fmaxl(most, K);
	}
	for (size_t v = 0; v < N; v++)
		sum += (long double)from[v] + to[v];
	if (sum * items * most * items * most <= 1e-4L * DBL_MAX)
		return 0;
	return kith_fail_at(err, EX_DATAERR, task->rows.file, 0,
	    "weights and kernels%s%s are together too large for a double", scaled,
	    *scaled ? "," : "");
}

/* Appends a column to a LIST (text/columns.h), in quotes. */
static char *
append_column(char *to, const char *column)
{
	*to++ = '"';
	if (*column == '@') /* a name, no file of names */
		*to++ = '@';
	for (; *column; column++) {
		if (*column == '"')
			*to++ = '"';
		*to++ = *column;
	}
	*to++ = '"';
	return to;
}

/*
 * Makes a LIST of the columns of all roles, each once; kept[r] is the place of role r in the list.
 * Returns the number of columns; *list is NULL where it is 0.
 */
static size_t
list_columns(const char *const column[KITH_SVM_ROLES], size_t kept[KITH_SVM_ROLES], char **list,
    struct kith_pool *pool)
{
	size_t n = 0, length = 1;
	char *at;

	for (int r = 0; r < KITH_SVM_ROLES; r++)
		length += column[r] ? 2 * strlen(column[r]) + 4 : 0;
	at = *list = kith_new(pool, length, 1);
	for (int r = 0; r < KITH_SVM_ROLES; r++) {
		kept[r] = KITH_SVM_NONE;
		for (int s = 0; column[r] && s < r; s++)
			if (column[s] && strcmp(column[s], column[r]) == 0)
				kept[r] = kept[s];
		if (!column[r] || kept[r] != KITH_SVM_NONE)
			continue;
		if (n > 0)
			*at++ = ',';
		at = append_column(at, column[r]);
		kept[r] = n++;
	}
	if (n == 0)
		*list = NULL;
	return n;
}

/* Checks that each COL selected one column, --from and --to by a name, and none the target. */
static int
check_columns(const struct kith_svm_task *task, const char *const column[KITH_SVM_ROLES],
    size_t listed, struct kith_err *err)
{
	const struct kith_table *t = &task->rows;

	for (int r = KITH_SVM_FROM; r <= KITH_SVM_TO; r++)
		if (column[r] &&
		    (t->kept.n != listed || strcmp(t->kept.name[task->kept[r]], column[r]) != 0))
			return kith_fail_at(err, EX_DATAERR, t->file, t->head,
			    "column " KITH_NAME ": not found", column[r]);
	if (t->kept.n != listed)
		return kith_fail_at(
		    err, EX_DATAERR, t->file, t->head, "several columns where one is expected");
	for (int r = 0; r < KITH_SVM_TARGET; r++)
		if (column[r] && t->target && strcmp(t->kept.name[task->kept[r]], t->target) == 0)
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME ": the target has another role", t->target);
	return 0;
}

static int
read_rows(struct kith_svm_task *task, struct kith_err *err)
{
	static const int target[] = {KITH_CLASSIFY, KITH_REGRESS, KITH_REGRESS, KITH_ASIDE};
	const struct kith_svm_options *options = task->options;
	const char *column[KITH_SVM_ROLES] = {
	    [KITH_SVM_FROM] = kith_svm_named(options, options->from),
	    [KITH_SVM_TO] = kith_svm_named(options, options->to),
	    [KITH_SVM_QUERY] = options->query,
	    [KITH_SVM_COST] = options->cost};
	struct kith_how how = options->how;
	size_t listed, unused[KITH_SVM_ROLES];
	char *list;

	list_columns(column, unused, &list, task->pool);
	how.other = list;
	if (options->task == KITH_SVM_TRANSDUCE)
		column[KITH_SVM_TARGET] = how.target ? how.target : "-1";
	listed = list_columns(column, task->kept, &list, task->pool);
	how.keep = list;
	how.changed = true;
	how.task = target[options->task];
	if (kith_table_read(options->files, &how, NULL, &task->rows, task->pool, err))
		return -1;
	return check_columns(task, column, listed, err);
}

/* Fails where an id is "(bias)", which names b in tables of coefficients. */
static int
check_ids(const struct kith_table *t, struct kith_err *err)
{
	for (size_t i = 0; t->id_name && i < t->X.n; i++)
		if (strcmp(kith_texts_at(&t->id, i).s, "(bias)") == 0)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "row %zu: id \"(bias)\" is a reserved name", kith_table_number(t, i));
	return 0;
}

/* Reads the rows of --validate; their columns have the names of the columns of the rows. */
static int
read_test(struct kith_svm_task *task, struct kith_err *err)
{
	const struct kith_svm_options *options = task->options;
	const char *column[KITH_SVM_ROLES] = {NULL};
	struct kith_how how = options->how;
	char *list;

	for (int r = KITH_SVM_QUERY; r <= KITH_SVM_COST; r++)
		if (task->kept[r] != KITH_SVM_NONE)
			column[r] = task->rows.kept.name[task->kept[r]];
	list_columns(column, task->test_kept, &list, task->pool);
	if (!options->validate)
		return 0;
	how.changed = true;
	how.task = options->task == KITH_SVM_CLASSIFY ? KITH_CLASSIFY : KITH_REGRESS;
	how.keep = list;
	return kith_table_read_other(
	    options->validate, &how, &task->rows, &task->test, task->pool, err);
}

int
kith_svm_features(const struct kith_svm_options *options, struct kith_table *rows,
    struct kith_table *test, struct kith_machine *m, struct kith_kern *kern, struct kith_pool *pool,
    struct kith_err *err)
{
	static const enum kith_kern_kind kind[] = {
	    KITH_KERN_GAUSSIAN, KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL};
	struct kith_weights w;

	if (kith_input_weights(options->weights, rows, test, &w, pool, err) ||
	    (options->weights && kith_warn_scale(&w.needs, options->scale, err)))
		return -1;
	kith_warn_weights(&w.needs);
	*kern = (struct kith_kern){.kind = kind[options->kernel],
	    .metric = &m->metric,
	    .gamma = options->gamma,
	    .degree = options->degree,
	    .coef0 = options->coef0};
	if (kith_kern_check(kern->kind, &w.metric, err)) {
		err->file = options->weights;
		return -1;
	}
	m->feature = rows->feature;
	m->mean = rows->mean;
	m->metric = w.metric;
	if (w.column)
		kith_machine_name(m, w.column, w.metric.p, pool);
	m->X = kith_mat_new(pool, rows->X.n + test->X.n, w.metric.p);
	if (rows->X.n)
		memcpy(m->X.v, rows->X.v, rows->X.n * m->X.p * sizeof(double));
	if (test->X.n)
		memcpy(kith_row(&m->X, rows->X.n), test->X.v, test->X.n * m->X.p * sizeof(double));
	kith_machine_pack(m, pool);
	return 0;
}

/* Brings the items into the units of the rows (--scale), and checks their range. */
static int
scale(struct kith_svm_task *task, struct kith_err *err)
{
	struct kith_mat rows = {task->n, task->X.p, task->X.v};
	struct kith_mat test = {task->m, task->X.p, task->X.v + task->n * task->X.p};
	struct kith_machine *model = &task->model;
	struct kith_origin from = kith_table_origin(&task->rows);
	struct kith_origin test_from = kith_table_origin(&task->test);
	const int method = task->options->scale;

	from.metric = test_from.metric = &model->metric;
	from.feature = test_from.feature = &model->feature;
	if (method == KITH_UNIT_NONE)
		return kith_range_check(&rows, &from, err) ||
			kith_range_check(&test, &test_from, err)
		    ? -1
		    : 0;
	if (task->options->parts) {
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
	static const enum kith_machine_task name[] = {
	    KITH_MACHINE_CLASSIFY, KITH_MACHINE_REGRESS, KITH_MACHINE_RANK, KITH_MACHINE_CLASSIFY};
	struct kith_machine *m = &task->model;

	m->task = name[task->options->task];
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

	if (options->task == KITH_SVM_CLASSIFY)
		kith_warn_target(&task->rows, "--task regress?");
	if (options->kernel != KITH_SVM_LINEAR && !options->weights && !options->scale)
		kith_warn_scales(&task->rows, NULL, KITH_WARN_UNITS);
	kith_warn_outside(&task->rows, &task->test, NULL);
}

int
kith_svm_read(const struct kith_svm_options *options, struct kith_svm_task *task,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_mat rows;

	*task = (struct kith_svm_task){.options = options, .pool = pool};
	if (read_rows(task, err) || check_ids(&task->rows, err) || read_test(task, err))
		return -1;
	warn_tables(task);
	task->n = task->rows.X.n;
	task->m = task->test.X.n;
	if (kith_svm_features(
		options, &task->rows, &task->test, &task->model, &task->kern, pool, err))
		return -1;
	task->X = task->model.X;
	task->rows.X.v = task->test.X.v = NULL;
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
