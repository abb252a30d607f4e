/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/task - what wsvmpath, svmtransduce and svmonline work on: the options of a
 * command line, the tables, and the problem of wsvm/wsvm.h that a task makes of them.
 *
 *	task       the problem is made by   followed by
 *	classify   kith_wsvm_classify()     kith_wsvm_follow()
 *	regress    kith_wsvm_regress()      the same
 *	rank       kith_wsvm_rank()         the same
 *
 * while svmtransduce and svmonline go their own ways.
 */
#ifndef KITH_WSVMPATH_TASK_H
#define KITH_WSVMPATH_TASK_H

#include "cli/opt.h"
#include "machine/machine.h"
#include "table/table.h"
#include "wsvm/wsvm.h"

/* --task; the last is that of svmtransduce */
enum { KITH_WSVM_CLASSIFY, KITH_WSVM_REGRESS, KITH_WSVM_RANK, KITH_WSVM_TRANSDUCE };

/* --print */
enum { KITH_WSVM_ERRORS, KITH_WSVM_EVENTS, KITH_WSVM_COEF, KITH_WSVM_MARGINS };

/* --kernel */
enum { KITH_WSVM_GAUSSIAN, KITH_WSVM_LINEAR, KITH_WSVM_POLYNOMIAL };

/* --measure */
enum { KITH_WSVM_ERROR, KITH_WSVM_SQUARED, KITH_WSVM_NDCG };

/* Bytes of rows of the kernel matrix that are kept. */
enum { KITH_WSVM_CACHE = 512 << 20 };

/* The command line. */
struct kith_wsvm_call {
	struct kith_how how;              /* its task and roles: set when reading */
	const char *const *files;         /* the rows */
	const char *query, *cost;         /* COL of --query, --cost */
	const char *from, *to;            /* wsvmpath: C as it was given */
	const char *weights;              /* file, or NULL */
	const char *validate;             /* file, or NULL */
	const char *save_model;           /* file, or NULL */
	const char *check;                /* file, or NULL */
	int task, print, kernel, measure; /* of the enums above */
	size_t ndcg;                      /* K of --measure ndcg@K */
	double gamma;                     /* 0: kith_gamma_auto(), of a stream 1 / p */
	double coef0, epsilon, ridge;
	size_t degree;
	struct kith_reals at; /* in [0, 1], increasing */
	int best;             /* KITH_BEST, KITH_BEST_SE (table/trial.h), or 0 */
	size_t parts;         /* of --cv; 0: no errors of parts are asked for */
	size_t seed;
	int scale;            /* KITH_UNIT_ZSCORE, ... (table/unit.h) */
	double C, unlabelled; /* svmonline: of a row; svmtransduce: of labelled, unlabelled rows */
	double positive;      /* the share of +1 of the unlabelled; -1: not given */
	size_t online;        /* svmonline: rows of the window */
	size_t delay, batch;
	double forget;
	size_t threads;
};

/* What to do with many classes: column, class, column. */
#define KITH_WSVM_ONE_OF_MANY \
	"one against the rest: tabscale --method none | awk -F'\\t' " \
	"-v OFS='\\t' 'NR > 1 && $%zu != \"%.40s\" { $%zu = \"(rest)\" } 1' " \
	"| svmonline ..."

/* Columns with roles of their own, kept as text (kith_wsvm_cell()). */
enum kith_wsvm_role {
	KITH_WSVM_FROM,
	KITH_WSVM_TO,
	KITH_WSVM_QUERY,
	KITH_WSVM_COST,
	KITH_WSVM_TARGET, /* transduce: the target, which may be missing */
	KITH_WSVM_ROLES
};

/* What one machine of several classes tells apart: the columns class1 and class2. */
extern const char *const kith_wsvm_pair_column[2];
struct kith_wsvm_pair {
	size_t first, second; /* classes; second is +1 */
	const char *cell[2];  /* their names */
};

struct kith_wsvm_job {
	const struct kith_wsvm_call *call;
	struct kith_pool *pool;
	struct kith_table rows;             /* n rows; y or t as the task has it */
	struct kith_table asked;            /* m rows of --validate; X.n 0: none */
	size_t kept[KITH_WSVM_ROLES];       /* column of rows.keep, or NONE */
	size_t asked_kept[KITH_WSVM_ROLES]; /* of asked.keep */
	size_t n, m;
	struct kith_mat X;   /* n + m items: the rows, then those of asked */
	struct kith_mat raw; /* --scale and --cv: the rows before scaling */
	struct kith_kern kern;
	struct kith_machine learnt; /* what all solutions have; X as above */

	/*
	 * The problem: what it has of X, kern, ridge, cache and threads is
	 * there after reading, its variables after kith_wsvm_variables(); that
	 * is where they are to be filled in.
	 */
	struct kith_wsvm_problem problem;
	size_t *plus, *minus;              /* N; minus: rank alone, else NULL */
	const struct kith_wsvm_pair *pair; /* of wsvmpath/pairs.h, or NULL */
	double *sign, *q, *from, *to;      /* N */
};

static const size_t KITH_WSVM_NONE = SIZE_MAX;

/* The cell of row i in the kept column of a role: job->kept, asked_kept. */
struct kith_cell kith_wsvm_cell(const struct kith_table *t, size_t kept, size_t i);

/*
 * The constant that --from or --to says: 0, or 1 where it names a column; -1
 * where it is a number that will not do.
 */
int kith_wsvm_constant(const char *text, double *C);

/* The column that --from or --to, in text, names, or NULL. */
const char *kith_wsvm_named(const struct kith_wsvm_call *call, const char *text);

/* Whether --to is the word relevance or difference of --task rank. */
bool kith_wsvm_is_word(const struct kith_wsvm_call *call, const char *text);

/* The theta at which --save-model without --best saves: the one of --at, or -1. */
double kith_wsvm_saved_at(const struct kith_wsvm_call *call);

/*
 * Whether theta runs between two numbers of C, and into *C the one at theta.
 */
bool kith_wsvm_C(const struct kith_wsvm_call *call, double theta, double *C);

/*
 * The weights of the n rows, as --from or --to says, into w.  Fails where a
 * cell of the column is missing, no number, or negative.
 */
int kith_wsvm_weights(
    const struct kith_wsvm_job *job, enum kith_wsvm_role role, double *w, struct kith_err *err);

/*
 * The number >= 0 in a cell of row i of t, of the column named.  Fails, naming
 * the row, where it is missing, no finite number, or negative.
 */
int kith_wsvm_number(const struct kith_table *t, size_t i, const char *column,
    const struct kith_cell *c, double *x, struct kith_err *err);

#endif
