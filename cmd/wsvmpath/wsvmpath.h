/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath - exact paths of support vector machines with weighted rows.
 *
 *	wsvmpath.c   options; the order of work; --print errors, and the best solution
 *	problem.c    the problem that rows make, and that of some of the rows
 *	path.c       --print events, coef, margin: the paths of all machines
 *	cv.c         --validate and --cv: paths, the rows that they are measured on, and votes
 *	measure.c    error, squared or ndcg@K of a path, for all theta
 *	check.c      --check
 */
#ifndef KITH_CMD_WSVMPATH_H
#define KITH_CMD_WSVMPATH_H

#include "common/svm.h"

#include "base/par.h"
#include "table/check.h"
#include "table/trial.h"
#include "text/out.h"

/* What the options say; .parts is 0 where there is no cross-validation. */
extern struct kith_svm_options options;

/* problem.c */

/* Parses --from or --to of options.task; a wrong call where the text is a number, but no weight. */
struct kith_svm_weight parse_weight(const char *option, const char *text);

/*
 * Sets x (n) to the numbers >= 0 of all rows in the column with a role or, where there is none, to
 * `number`.  Fails, naming the row, where one is missing, no finite number, or negative.
 */
int read_weights(const struct kith_table *t, enum kith_svm_role role, double number, double *x,
    struct kith_err *err);

/*
 * Numbers the queries as they come; of (n), all 0, becomes the query of each row.  Without a column
 * of queries all rows are one query.  Fails, naming the row, where one is missing.
 */
int read_queries(const struct kith_table *t, size_t *of, size_t *queries, struct kith_pool *pool,
    struct kith_err *err);

/* Fails, naming a row, where rows of a query have different numbers x in the column with a role. */
int check_queries(const struct kith_table *t, enum kith_svm_role role, const size_t *of,
    const double *x, struct kith_pool *pool, struct kith_err *err);

/*
 * Makes the problem of the rows.
 *
 *	classify  two classes, the second +1; one class is +1.  Of more classes the whole task has
 *	          the weights of the rows alone, for make_subset().
 *	regress   variables v and n + v are of row v
 *	rank      a variable for each pair of rows i, j of one query with y_i > y_j, in order of i,
 *	          then of j
 *
 * More than two classes have a machine for each pair of them, 1 2, 1 3, ..., 2 3, ... in byte
 * order, which learns from the rows of both; the second class is +1.
 *
 * The weights of pairs are those of eqs. (32) and (33) of Karasuyama, Harada, Sugiyama and Takeuchi
 * (2012),
 *
 *	--from C0        C_ij = C0
 *	--to C1          C_ij = C1
 *	--to relevance   C_ij = (2^y_i - 2^y_j) C0
 *	--to difference  C_ij = (y_i - y_j) C0
 *
 * where C0 and C1 are numbers, or numbers of the query in a column.  Relevances are any numbers,
 * also negative ones.  Without a column of queries all rows are one query.  Warns of queries
 * without a pair.
 *
 * Fails with EX_DATAERR where a weight is missing, no number or negative, where no query has a
 * pair, a query is missing, or two rows of a query have different weights, and where sums would be
 * too large for a double.  Time O(n), and O(sum of g^2) for queries of g rows.
 */
int make_problem(struct kith_svm_task *task, struct kith_err *err);

/* Returns 1 or -1 for a row of this class that a machine learns from, 0 for other rows. */
double sign_of_class(const struct kith_svm_task *task, size_t machine, size_t class);

/* The leading columns of tables of several machines, class1 and class2, and their cells. */
extern const char *const class_columns[2];
void get_classes(const struct kith_svm_task *task, size_t machine, const char *class[2]);

/*
 * A machine that learns from some rows of a task and is validated on others: from all rows, and on
 * the rows of --validate; or from the rows outside a part of task->part, and on the rows in the
 * part, all in the units (--scale) of the rows outside.
 */
struct subset {
	struct kith_svm_task task; /* of this machine */
	size_t *test, m;           /* m rows validated on: of --validate, or of the whole task */
	size_t *item;              /* m: their items in task.problem.X */
	struct kith_pool pool;
};

/*
 * Makes a machine (0 where there is but one) of a task whose problem is made; part KITH_SVM_NONE:
 * from all rows.  The subset must stay where it is.  A machine without a row to learn from has no
 * variables.  Where the task has one machine, the machine has all items of the whole task, so that
 * parts in one unit can share the kernel matrix.  Where it has several, a machine has the rows that
 * it learns from, of which there are task.n, then the rows that it is validated on.
 *
 * Fails where a part has all rows or pairs, cannot be scaled, or has kernels out of range once
 * scaled.  s->pool is to be freed, also then.  Time and memory O(n p).
 */
int make_subset(struct subset *s, const struct kith_svm_task *whole, size_t part, size_t machine,
    struct kith_err *err);

/* path.c */

/* A path of several that are followed side by side. */
struct block {
	void *to;                     /* of run_blocks() */
	size_t threads, cache;        /* its share of the options */
	struct kith_wsvm_count count; /* set by the work */
	struct kith_err err;          /* status 0, or set by the work as it fails */
};

/*
 * Does `phase->total` blocks of work, which share the threads and the cache of the task; the work
 * gets an array of them, and the number of its own.  Adds what was done to *count; fails as the
 * first block that failed.
 */
int run_blocks(const struct kith_svm_task *task, const struct kith_par_phase *phase,
    kith_par_work *work, void *to, struct kith_wsvm_count *count, struct kith_err *err);

/* Solves the problem of a subset at theta 0, and begins the path to theta 1. */
struct kith_wsvm *start_path(struct subset *s, const struct block *block);

/*
 * Follows the paths of all machines up to theta `until`; above 1: to their end.  Writes to *out
 * (NULL: nothing) what --print says, at the thetas of --at (none: at all breakpoints),
 *
 *	events   step theta event row was becomes [other] [C]
 *	coef     step theta name value     (bias), and the alpha that are not 0
 *	margin   step theta row margin     f of each row
 *
 * Steps count the solutions from 1: at theta 0, at each end of a piece, and, where b jumps there,
 * also after the jump.  With --at, only its thetas have steps; at a jump, the solution is the limit
 * from smaller theta.  An event has the step before it; it is called enter or leave (the margin),
 * or cross.  A variable has the name of its row; regress: alpha is signed, and both variables of a
 * row are one; rank: the name is better>worse, and better and worse are row and other of events.
 * Several machines are written one after the other, behind columns class1 and class2.
 *
 * Sets the coefficients of *solution (NULL: none), at its theta, in task->pool; alpha is the limit
 * from smaller theta.  Adds what was done to *count.  Returns the number of steps written.
 */
size_t follow_paths(const struct kith_svm_task *task, double until, struct kith_out *out,
    struct kith_svm_solution *solution, struct kith_wsvm_count *count);

/* Logs the size of the task. */
void log_task(const struct kith_svm_task *task);

/* Returns the name of variable v, in the pool. */
char *name_variable(const struct kith_svm_task *task, size_t v, struct kith_pool *pool);

/* measure.c */

/* The rows that paths are validated on: arrays with an element for each row of a table. */
struct test {
	size_t classes;      /* learnt, where they are several; else 2 */
	const double *y;     /* 1 or -1, or numbers; a row of NaN does not count */
	const size_t *class; /* the class, of one machine 1: that of y f > 0; or KITH_NO_CLASS */
	const double *cost;  /* >= 0, of ndcg equal within a query */
	const size_t *query; /* ndcg: the query, below `queries`; each has a row */
	size_t queries;
};

/* The measure on the thetas (from, to). */
struct interval {
	double from, to;
	double theta;                /* squared: where the measure is least; else the middle */
	struct kith_trial at;        /* there: the measure (error) and its se; error: errors */
	double value_from, value_to; /* squared: the measure at both ends */
};

/* A growing list of intervals, in order of theta; set pool, and 0 otherwise. */
struct intervals {
	struct kith_pool *pool;
	struct interval *v;
	size_t n, capacity;
};

/* A path that is measured on some rows. */
struct measure {
	const struct test *test;
	size_t m;      /* rows of the test, of which the following are the targets and classes */
	double *y;     /* m */
	size_t *class; /* m */
	size_t n;      /* rows (ndcg: queries) that count */
	double *cost;  /* of each row (ndcg: query), 0 where it does not count */
	double weight; /* the sum of the costs; of a part it may be 0 */
	bool begun;    /* there was a piece */
	struct change *change;
	size_t changes, capacity;
	struct kith_pool pool;

	bool *is_positive; /* error: m: f > 0, of one machine y f > 0 */

	/* The rows of query q are ranking[start[q]] ... ranking[start[q + 1] - 1], by their scores
	   in the last piece; tied: with the score of the row before.  Of error and squared each row
	   that counts is a query. */
	size_t *start, *ranking; /* queries + 2, m */
	bool *tied;              /* m */

	/*
	 * The sum of losses is tree[1]; it does not depend on the order of changes, because
	 * tree[i] = tree[2 i] + tree[2 i + 1], and the loss of row (ndcg: query) i is
	 * tree[leaves + i].
	 */
	size_t leaves;
	double *tree;                  /* 2 leaves */
	size_t errors, *votes;         /* error: wrong rows; m x classes */
	bool *wrong;                   /* error: m */
	const struct parabola *square; /* squared: the present one */
};

/* Begins to measure a path by the measure of the task on m rows of the test; p->pool is to be freed. */
void measure_begin(struct measure *p, const struct test *test, const size_t *row, size_t m);

/*
 * The next piece of the path, from where the last one ended: f = f0 + theta f1 (m rows).  Time
 * O(m); ndcg, O(g^2 log g) for each query of g rows whose order changes.
 */
void measure_piece(struct measure *p, double from, double to, const double *f0, const double *f1);

/*
 * Adds the measure of all rows of all parts (1: without parts) to *out, from the paths of their
 * machines: part i has the paths path[i * machines] to path[(i + 1) * machines - 1], all of the
 * same rows.  Returns the number of rows, or queries, that count.
 *
 *	error    sum of costs of wrong rows / sum of costs; several classes are predicted as
 *	         kpredict does, by the votes of all machines that have a path
 *	squared  the root of sum of squared errors / sum of costs: a sum of parabolas is one
 *	ndcg     the mean over all queries
 *
 * with the standard error of table/trial.h over the parts.  Intervals of error and ndcg are
 * maximal, unless the measure stays and its standard error changes; intervals of squared go from
 * each breakpoint of a part to the next.  Sums are in the order of the parts.  Time O(T log T) for
 * T changes, O(parts) for each theta of one, and O(log m), or of several classes O(classes), for
 * each sign of f that changes.
 */
size_t add_measures(struct measure *path, size_t parts, size_t machines, struct intervals *out);

/* cv.c */

/*
 * Sets the targets, costs and queries of the rows of task->test if --validate is given, else of
 * task->rows; in the pool.  Fails, naming file and row, where there is no target column or all
 * targets are missing, and on a class that was not learnt, on costs that are missing, no numbers,
 * negative, all 0 or different within a query, and on relevances out of the range of score/score.h.
 */
int read_test(const struct kith_svm_task *task, struct test *test, struct kith_err *err);

/*
 * Adds the measure of the paths from theta 0 to 1 to *out: on the rows of --validate or, with --cv,
 * on the rows of each part of task->part by machines that learnt from the rows outside the part; a
 * machine without a row to learn from has no path.
 *
 * *rows is the number of rows, or queries, that count.  Adds what was done to *count.  Fails where
 * a part has all rows or pairs, cannot be scaled, or has kernels out of range once scaled.  The
 * result does not depend on the threads.
 */
int measure_paths(const struct kith_svm_task *task, const struct test *test, struct intervals *out,
    size_t *rows, struct kith_wsvm_count *count, struct kith_err *err);

/*
 * Fits the numbers A and B of machine/machine.h of each machine of a task with classes, into
 * task->model, to the outputs at theta for each row by the machine of its part: no row is scored by
 * a machine that learnt from it.  Every row counts as one, whatever its weight.  Nothing is fitted
 * to one class.  Warns where f falls as the class gets likelier.  Adds what was done to *count.
 * Fails as make_subset().  Time: a machine of each part is solved from nothing.
 */
int fit_probabilities(
    struct kith_svm_task *task, double theta, struct kith_wsvm_count *count, struct kith_err *err);

/* check.c */

/* The checks of a machine; from WHOLE_PATH on they are of whole paths alone. */
enum { WHOLE_PATH = 5, CHECKS = 7 };

/*
 * Checks the table of coefficients of --check ("-": standard input) into out, machines x CHECKS.
 * Several machines follow each other in their order, with columns class1 and class2.  Fails, naming
 * file and line, where the file is no table of coefficients, its steps are not in order, a name is
 * no row of the task, or a machine has no rows.  Time O(n (n p + s a)) for s steps and a rows whose
 * alpha is not 0 in some step.
 */
int check_paths(const struct kith_svm_task *task, struct kith_check *out, struct kith_err *err);

#endif
