/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/task - the options and tables of wsvmpath, svmtransduce and svmonline, and the problem
 * of wsvm/problem.h that wsvmpath/problem.h makes of a table.
 */
#ifndef KITH_WSVMPATH_TASK_H
#define KITH_WSVMPATH_TASK_H

#include "base/num.h"
#include "cli/options.h"
#include "machine/machine.h"
#include "table/table.h"
#include "wsvm/wsvm.h"

#include <float.h>

/* --task; KITH_SVM_TRANSDUCE is the task of svmtransduce. */
enum { KITH_SVM_CLASSIFY, KITH_SVM_REGRESS, KITH_SVM_RANK, KITH_SVM_TRANSDUCE };

/* --print */
enum { KITH_SVM_ERRORS, KITH_SVM_EVENTS, KITH_SVM_COEF, KITH_SVM_MARGINS };

/* --kernel */
enum { KITH_SVM_GAUSSIAN, KITH_SVM_LINEAR, KITH_SVM_POLYNOMIAL };

/* --measure */
enum { KITH_SVM_ERROR, KITH_SVM_SQUARED, KITH_SVM_NDCG };

/* Bytes of rows of the kernel matrix that are kept. */
enum { KITH_SVM_CACHE = 512 << 20 };

/* The options of a command line. */
struct kith_svm_options {
	struct kith_how how;      /* kith_svm_read() sets its task and roles */
	const char *const *files; /* the rows */
	const char *query, *cost; /* COL of --query, --cost; or NULL */
	const char *from, *to;    /* wsvmpath: --from and --to as given; or NULL */
	const char *weights, *validate, *save_model, *check; /* files of the options, or NULL */
	int task, print, kernel, measure;                    /* of the enums above */
	size_t ndcg;                                         /* K of --measure ndcg@K */
	double gamma; /* 0: kith_gamma_auto(), of a stream 1 / p */
	double coef0, epsilon, ridge;
	size_t degree;
	struct kith_reals at; /* in [0, 1], increasing */
	int best;             /* KITH_BEST, KITH_BEST_SE (table/trial.h), or 0 */
	size_t parts;         /* of --cv; 0: no cross-validation */
	size_t seed;
	int scale;            /* KITH_UNIT_ZSCORE, ... (table/unit.h) */
	double C, unlabelled; /* svmonline: of a row; svmtransduce: of labelled, unlabelled rows */
	double positive;      /* the share of +1 among unlabelled rows; -1: not given */
	size_t window;        /* svmonline: rows */
	size_t delay, batch;
	double forget;
	size_t threads;
};

/* clang-format off */
#define KITH_SVM_KERNEL_OPTIONS(options) \
	{0, "kernel", KITH_CHOICE(&(options)->kernel, "gaussian|linear|polynomial"), "the kernel of two rows [gaussian]", "The machine"}, \
	{0, "gamma", KITH_REAL(&(options)->gamma, DBL_TRUE_MIN, DBL_MAX), "gaussian: exp(-X distance^2); polynomial: (X x'z + coef0)^degree [1 / sum of variances]", NULL}, \
	{0, "degree", KITH_SIZE(&(options)->degree, 1, 0x1p53), "polynomial: the degree of (gamma x'z + coef0)^degree [2]", NULL}, \
	{0, "coef0", KITH_REAL(&(options)->coef0, 0, DBL_MAX), "polynomial: coef0 of (gamma x'z + coef0)^degree [1]", NULL}, \
	{0, "ridge", KITH_REAL(&(options)->ridge, 0, DBL_MAX), "add X times the mean K(x, x) to the diagonal [1e-6]", NULL}
/* clang-format on */

/* The values of options that are not given. */
#define KITH_SVM_DEFAULTS .coef0 = 1, .degree = 2, .ridge = 1e-6, .seed = 1, .threads = 1

/* Columns with roles of their own, which are kept as text. */
enum kith_svm_role {
	KITH_SVM_FROM,
	KITH_SVM_TO,
	KITH_SVM_QUERY,
	KITH_SVM_COST,
	KITH_SVM_TARGET, /* transduce: the target, which may be missing */
	KITH_SVM_ROLES
};

#define KITH_SVM_NONE SIZE_MAX

/* Rows and the problem of one machine; or of several classes, the rows of all machines. */
struct kith_svm_task {
	const struct kith_svm_options *options;
	struct kith_pool *pool;

	/* kith_svm_read() sets the following members. */
	struct kith_table rows;           /* y or t as the task has them */
	struct kith_table test;           /* m rows of --validate */
	size_t kept[KITH_SVM_ROLES];      /* the column of rows.keep with a role, or NONE */
	size_t test_kept[KITH_SVM_ROLES]; /* the column of test.keep with a role, or NONE */
	size_t n, m;
	struct kith_mat X;         /* n + m items: the rows, then the rows of --validate, scaled */
	struct kith_mat unscaled;  /* --scale with --cv: the n rows before scaling */
	struct kith_kern kern;     /* its metric is model.metric */
	struct kith_machine model; /* what all models of the task have in common */

	/* kith_svm_make() or kith_svm_variables() set the variables, and kith_svm_subset() those of
	   a machine. */
	const size_t *row;    /* n: the row of `rows` that each item is; NULL: 0 ... n - 1 */
	const char *class[2]; /* a machine of several: its classes, the second +1; or NULL */
	struct kith_wsvm_problem problem;
	size_t *plus, *minus;         /* N; minus: rank alone, else NULL */
	double *sign, *q, *from, *to; /* N */
};

/*
 * Reads the tables as the options say, into the pool, which outlives the task; --scale brings all
 * items into the units of the rows.  Sets the kernel, the ridge and task->model.  Fails as
 * kith_table_read(), kith_weights_read(), kith_kern_check() and kith_unit_scale() do, and as
 * kith_svm_check_kernels().
 */
int kith_svm_read(const struct kith_svm_options *options, struct kith_svm_task *task,
    struct kith_pool *pool, struct kith_err *err);

/*
 * Sets the names of the features that --weights selects, their metric and the packed items of rows
 * and test (X.n may be 0) in m, and the kernel; gamma is 0 where --gamma is not given.  Fails as
 * kith_weights_read() and kith_kern_check().
 */
int kith_svm_features(const struct kith_svm_options *options, struct kith_table *rows,
    struct kith_table *test, struct kith_machine *m, struct kith_kern *kern, struct kith_pool *pool,
    struct kith_err *err);

/*
 * Fails with EX_DATAERR where K(x, x) of an item of X is too large, or K of the rows learnt from is
 * not resolved.  Item i is row[i] of the table (NULL: the items of task->X).  `scaled` is put into
 * messages behind the row: "", or ", scaled for --cv".
 */
int kith_svm_check_kernels(const struct kith_svm_task *task, const struct kith_mat *X,
    const size_t *row, const struct kith_mat *learnt, const char *scaled, struct kith_err *err);

/*
 * Fails with EX_DATAERR where sums of N weights `from` and `to`, with products of two kernels of
 * the first n items of X, are too large for a double.
 */
int kith_svm_check_weights(const struct kith_svm_task *task, const struct kith_mat *X, size_t n,
    size_t N, const double *from, const double *to, const char *scaled, struct kith_err *err);

/* Warns of parameters that the kernel has not. */
void kith_svm_warn_kernel(struct kith_svm_options *options);

/* Parses --from or --to.  Returns 0 for a number, 1 for a column, -1 for a number that is negative
   or not finite. */
int kith_svm_constant(const char *text, double *C);

/* Returns whether --to is the word relevance or difference of --task rank. */
bool kith_svm_is_word(const struct kith_svm_options *options, const char *text);

/* Returns the column that --from or --to names, or NULL. */
const char *kith_svm_named(const struct kith_svm_options *options, const char *text);

/* Returns whether --from and --to are numbers; then *C is C at theta. */
bool kith_svm_C(const struct kith_svm_options *options, double theta, double *C);

/* Returns the cell of row i in a column of keep (task->kept, task->test_kept). */
struct kith_cell kith_svm_cell(const struct kith_table *t, size_t kept, size_t i);

/*
 * Parses the number >= 0 of row i in a column of keep.  Fails, naming the row, where it is missing,
 * no finite number, or negative.
 */
int kith_svm_number(
    const struct kith_table *t, size_t kept, size_t i, double *x, struct kith_err *err);

/* Returns the row of task->rows that item i < n is. */
static inline size_t
kith_svm_row(const struct kith_svm_task *task, size_t i)
{
	return task->row ? task->row[i] : i;
}

#endif
