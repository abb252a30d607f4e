/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * svmtransduce - label the rows without a class, by the widest margin of all rows
 * (wsvm/transduction.c).  Rows with a class have the weight C (--labelled), rows without one up to
 * C* (--unlabelled).
 */
#include "common/svm.h"
#include "text/out.h"

#include <assert.h>

static struct kith_svm_options options = {KITH_SVM_DEFAULTS, .how.query = true};
static double labelled = 1, unlabelled = 1; /* weights of rows */
static double positive = -1; /* the share of +1 among unlabelled rows; -1: not given */

static const struct kith_opt opts[] = {
    {0, "labelled", KITH_REAL(&labelled, 0, DBL_MAX), "cost of an error in a row with a class [1]",
	"What is learnt"},
    {0, "unlabelled", KITH_REAL(&unlabelled, 0, DBL_MAX),
	"cost of an error in a row without a class [1]", NULL},
    {0, "positive-share", KITH_REAL(&positive, 0, 1),
	"fraction of the second class among rows without a class [as among the others]", NULL},
    {0, "save-model", KITH_SAVE(&options.save_model), "write the machine to FILE, for kpredict",
	NULL},
    KITH_SVM_KERNEL_OPTIONS(&options, "1 / sum of variances"),
    KITH_TARGET_OPTION(&options.how),
    KITH_FEATURE_OPTIONS(&options.how),
    KITH_NA_OPTION(&options.how),
    KITH_SCALE_OPTION(&options.scale, "none"),
    KITH_LAST_OPTIONS(&options.how, &options.threads),
};

const struct kith_tool kith_tool = {
    .name = "svmtransduce",
    .args = "[FILE]...",
    .about = "Label the rows without a class so that an SVM of all rows has a wide margin.",
    .examples = "  svmtransduce --scale zscore some.tsv\n"
		"  svmtransduce --unlabelled .1 --save-model svm.tsv < some.tsv\n",
    .opts = opts,
};

/* Counts the rows of each of the two classes; others have none. */
static int
count_classes(const struct kith_table *t, size_t count[2], struct kith_err *err)
{
	if (t->class.n != 2)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "%zu class%s, two expected (rows without one have an empty " KITH_NAME ")",
		    t->class.n, t->class.n == 1 ? "" : "es", t->target);
	count[0] = count[1] = 0;
	for (size_t i = 0; i < t->X.n; i++)
		if (t->y[i] != KITH_NO_CLASS)
			count[t->y[i]]++;
	if (count[0] + count[1] < t->X.n)
		return 0;
	return kith_fail_at(
	    err, EX_DATAERR, t->file, 0, "no row has an empty " KITH_NAME, t->target);
}

/* Returns the number of +1 among k rows without a class, rounded half up. */
static size_t
count_positives(const size_t count[2], size_t k)
{
	const size_t known = count[0] + count[1];

	assert(known > 0);
	if (positive < 0)
		return (2 * count[1] * k + known) / (2 * known);
	return (size_t)floor(positive * (double)k + .5);
}

/*
 * Makes the problem: row i has variable i, of its class, or of +1 where it has none; then it has
 * another variable, from n on, of -1.
 */
static struct kith_wsvm_transduce_how
make_problem(struct kith_svm_task *task, const size_t count[2])
{
	const size_t *y = task->rows.y, n = task->n, k = n - count[0] - count[1];
	size_t u = 0;

	kith_svm_variables(task, n + k, false);
	for (size_t i = 0; i < n; i++) {
		task->plus[i] = i;
		task->q[i] = -1;
		task->sign[i] = y[i] ? 1 : -1;
		task->from[i] = task->to[i] = y[i] == KITH_NO_CLASS ? unlabelled : labelled;
		if (y[i] != KITH_NO_CLASS)
			continue;
		task->plus[n + u] = i;
		task->q[n + u] = task->sign[n + u] = -1;
		task->from[n + u] = task->to[n + u] = unlabelled;
		u++;
	}
	return (struct kith_wsvm_transduce_how){.problem = &task->problem,
	    .k = k,
	    .positives = count_positives(count, k),
	    .C = labelled,
	    .C_star = unlabelled};
}

/* Writes all rows: a row without a class gets its last label, another one the sign of f. */
static void
write_rows(
    const struct kith_svm_task *task, const struct kith_wsvm_transduced *got, struct kith_out *out)
{
	static const char *const column[] = {"id", "predicted", "actual", "margin"};
	char *const *class = task->rows.class.name;
	size_t u = 0;

	kith_out_header(out, column, 4);
	for (size_t i = 0; i < task->n && !out->failed; i++) {
		const double f = got->at.f[i] + got->at.b;
		const size_t y = task->rows.y[i];
		const bool known = y != KITH_NO_CLASS, is_plus = known ? f > 0 : got->yes[u++];

		kith_table_write_id(&task->rows, i, out);
		kith_out_put(out, "\t%s\t%s\t%g\n", class[is_plus], known ? class[y] : NULL, f);
	}
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_svm_task task;
	struct kith_wsvm_transduce_how how;
	struct kith_wsvm_transduced got;
	struct kith_wsvm_count count;
	struct kith_svm_solution solution = {.theta = 1};
	struct kith_out saved;
	size_t rows[2] = {0};

	options.files = files;
	kith_svm_check_options(&options);
	if (kith_svm_read(&options, &task, pool, err) || count_classes(&task.rows, rows, err))
		return -1;
	how = make_problem(&task, rows);
	if (kith_svm_check_weights(&task, task.n, "", err) ||
	    (options.save_model && kith_svm_model_open(&task, &saved, err)) ||
	    kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_wsvm_transduction(&how, &got, &count, pool);
	write_rows(&task, &got, out);
	kith_log_size("rows", task.n);
	kith_log_size("features", task.X.p);
	kith_log_real("gamma", task.kern.gamma);
	kith_log_size("unlabelled", how.k);
	kith_log_size("positives", how.positives);
	kith_log_size("exchanges", got.switches);
	kith_log_size("stages", got.stages);
	KITH_NEW_REALS(pool, task.n, 1, &solution.coef);
	kith_svm_coef(&task, got.at.alpha, solution.coef);
	solution.bias = &got.at.b;
	if (options.save_model && kith_svm_model_write(&task, &solution, &saved, err))
		return -1;
	return kith_svm_count_report(&options, &count);
}
