/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * common/svm - what the commands wsvmpath, svmtransduce and svmonline share: options, the table and
 * its kernel, the problem of wsvm/wsvm.h that is made of the table, and what is written.
 */
#ifndef KITH_COMMON_SVM_H
#define KITH_COMMON_SVM_H

#include "base/num.h"
#include "cli/cli.h"
#include "machine/machine.h"
#include "table/table.h"
#include "wsvm/wsvm.h"

#include <float.h>

/* --task */
enum {
	KITH_SVM_CLASSIFY = KITH_MACHINE_CLASSIFY,
	KITH_SVM_REGRESS = KITH_MACHINE_REGRESS,
	KITH_SVM_RANK = KITH_MACHINE_RANK
};

/* --print */
enum { KITH_SVM_ERRORS, KITH_SVM_EVENTS, KITH_SVM_COEF, KITH_SVM_MARGINS };

/* --kernel */
enum { KITH_SVM_GAUSSIAN, KITH_SVM_LINEAR, KITH_SVM_POLYNOMIAL };

/* The largest number that a kernel, and sums of weights with products of kernels, may reach. */
#define KITH_SVM_LARGEST (1e-4 * DBL_MAX)

/* Bytes of rows of the kernel matrix that are kept. */
enum { KITH_SVM_CACHE = 512 << 20 };

/* --from or --to, the weights of the rows: a number, a column, or a word of --task rank. */
struct kith_svm_weight {
	bool is_number;
	double C;           /* the number, or 0 */
	const char *column; /* or NULL */
	char word;          /* 'r': relevance, 'd': difference; or 0 */
};

/* The options of wsvmpath, svmonline and svmtransduce in one struct. */
struct kith_svm_options {
	struct kith_how how;             /* kith_svm_read() sets its task and columns to keep */
	const char *const *files;        /* the rows */
	const char *query, *cost;        /* COL of --query, --cost; or NULL */
	struct kith_svm_weight from, to; /* wsvmpath */
	const char *weights, *validate, *save_model, *check; /* files of the options, or NULL */
	int task, print, kernel;                             /* of the enums above */
	size_t ndcg;                                         /* K of --measure ndcg@K */
	double gamma; /* 0: kith_gamma_auto(), of a stream 1 / p */
	double coef0, epsilon, ridge;
	size_t degree;
	struct kith_reals at; /* in [0, 1], increasing */
	int best;             /* KITH_BEST, KITH_BEST_SE (table/trial.h), or 0 */
	size_t parts;         /* of --cv; 0: no cross-validation */
	size_t seed;
	int scale; /* KITH_UNIT_ZSCORE, ... (table/unit.h) */
	size_t threads;
};

/* clang-format off */
/* default_gamma: what --help says of it. */
#define KITH_SVM_KERNEL_OPTIONS(options, default_gamma) \
	{0, "kernel", KITH_CHOICE(&(options)->kernel, "gaussian|linear|polynomial"), "the kernel of two rows [gaussian]", "The machine"}, \
	{0, "gamma", KITH_REAL(&(options)->gamma, DBL_TRUE_MIN, DBL_MAX), "gaussian: exp(-X distance^2); polynomial: (X x'z + coef0)^degree [" default_gamma "]", NULL}, \
	{0, "degree", KITH_SIZE(&(options)->degree, 1, 0x1p53), "polynomial: the degree of (gamma x'z + coef0)^degree [2]", NULL}, \
	{0, "coef0", KITH_REAL(&(options)->coef0, 0, DBL_MAX), "polynomial: coef0 of (gamma x'z + coef0)^degree [1]", NULL}, \
	{0, "ridge", KITH_REAL(&(options)->ridge, 0, DBL_MAX), "add X times the mean K(x, x) to the diagonal [1e-6]", NULL}
/* clang-format on */

/* The values of options that are not given. */
#define KITH_SVM_DEFAULTS .coef0 = 1, .degree = 2, .ridge = 1e-6, .seed = 1, .threads = 1

/* Columns with roles of their own, which are kept as text (struct kith_table: kept, keep). */
enum kith_svm_role { KITH_SVM_FROM, KITH_SVM_TO, KITH_SVM_QUERY, KITH_SVM_COST };

#define KITH_SVM_NONE SIZE_MAX

/* The rows and the problem of one machine; or of several classes, the rows of all machines. */
struct kith_svm_task {
	const struct kith_svm_options *options;
	struct kith_pool *pool;

	/* kith_svm_read() sets the following members. */
	struct kith_table rows; /* y or t as the task has them */
	struct kith_table test; /* m rows of --validate */
	size_t n, m;
	struct kith_mat X;         /* n + m items: the rows, then the rows of --validate, scaled */
	struct kith_mat unscaled;  /* --scale with --cv: the n rows before scaling */
	struct kith_kern kern;     /* its metric is model.metric */
	struct kith_machine model; /* what all models of the task have in common */

	/* The command sets the following members, some of them by kith_svm_variables(). */
	const size_t *part;   /* --cv: n: the part of each row, < options->parts; or NULL */
	const size_t *row;    /* of a machine: n: the row of `rows` that each item is */
	const char *class[2]; /* a machine of several: its classes, the second +1; or NULL */
	struct kith_wsvm_problem problem;
	size_t *plus, *minus;         /* N; minus: rank alone, else NULL */
	double *sign, *q, *from, *to; /* N */
};

/* Ends with a wrong call without an epsilon of regress; warns of options that change nothing. */
void kith_svm_check_options(struct kith_svm_options *options);

/* Returns C at theta, or NaN where --from and --to are no numbers. */
double kith_svm_C(const struct kith_svm_options *options, double theta);

/* Returns x with texts around it, written into `text`, or "" where x is NaN. */
const char *kith_svm_text(
    char text[64], const char *before, int digits, double x, const char *after);

/*
 * Reads the tables as the options say, into the pool, which outlives the task; --scale brings all
 * items into the units of the rows.  Sets the kernel, the ridge and task->model.  Fails as
 * kith_table_read(), kith_weights_read(), kith_kern_check() and kith_unit_scale() do, and as
 * kith_svm_check_kernels().
 */
int kith_svm_read(const struct kith_svm_options *options, struct kith_svm_task *task,
    struct kith_pool *pool, struct kith_err *err);

/* Returns the kernel of the options with this metric; gamma is 0 where --gamma is not given. */
struct kith_kern kith_svm_kern(
    const struct kith_svm_options *options, const struct kith_metric *metric);

/* Returns the ridge as it is added: `ridge` times the mean of K(x, x) over X. */
double kith_svm_ridge(double ridge, const struct kith_kern *kern, const struct kith_mat *X);

/*
 * Returns whether the differences of kernels of the rows of X are resolved.  Each K has an error of
 * about 1e-16 K*, K* = max K(x, x), and a machine with a bias learns from the differences of rows:
 * with
 *
 *	S = min_r mean_i (K(x_i, x_i) - 2 K(x_i, x_r) + K(x_r, x_r)),
 *
 * the mean squared distance from a row, which is between 1 and about 2 times the mean of the
 * centred diagonal, and the ridge as it is added, they are not where
 *
 *	K* > 1e14 S            the signs of f are rounding, or
 *	K* > 5e9 (S + ridge)   f is off by a large part of the margin.
 *
 * Returns true for gaussian kernels, and where all K of the rows are equal.  `ridge` is relative:
 * times the mean of K(x, x).  r is one of at most 16 rows spread over X.  Requires finite K.  Time
 * O(16 n p).
 */
bool kith_svm_resolved(const struct kith_kern *kern, const struct kith_mat *X, double ridge);

/*
 * Fails with EX_DATAERR where K(x, x) of an item of X is too large, or K of the rows learnt from is
 * not resolved.  Item i is row[i] of the table (NULL: the items of task->X).  `scaled` is put into
 * messages behind the row: "", or ", scaled for --cv".
 */
int kith_svm_check_kernels(const struct kith_svm_task *task, const struct kith_mat *X,
    const size_t *row, const struct kith_mat *learnt, const char *scaled, struct kith_err *err);

/*
 * Fails with EX_DATAERR where sums of the weights `from` and `to`, with products of two kernels of
 * the first n items, are too large for a double.
 */
int kith_svm_check_weights(
    const struct kith_svm_task *task, size_t n, const char *scaled, struct kith_err *err);

/* Makes N variables, all 0, with minus for ranks. */
void kith_svm_variables(struct kith_svm_task *task, size_t N, bool ranks);

/* Sets the coefficients of the n rows: sums of sign alpha. */
void kith_svm_coef(const struct kith_svm_task *task, const double *alpha, double *coef);

/* Solutions of all machines of a task at theta. */
struct kith_svm_solution {
	double theta;
	double *coef, *bias; /* n x machines; machines */
};

/* Opens the file of --save-model; a name that ends in .libsvm gets the format of LIBSVM.  Fails
   where LIBSVM has no such model. */
int kith_svm_model_open(
    const struct kith_svm_task *task, struct kith_out *out, struct kith_err *err);

/* Writes the model of a solution, of the rows with a coefficient that is not 0, and closes it. */
int kith_svm_model_write(const struct kith_svm_task *task, const struct kith_svm_solution *solution,
    struct kith_out *out, struct kith_err *err);

/* Adds what another path took. */
void kith_svm_count_add(struct kith_wsvm_count *count, const struct kith_wsvm_count *more);

/*
 * Logs what was done; warns where a solution is not certified, with theta and, if --from and --to
 * are numbers, C.  Returns the status of the command.
 */
int kith_svm_count_report(
    const struct kith_svm_options *options, const struct kith_wsvm_count *count);

#endif
