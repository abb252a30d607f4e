/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/paths - the paths of the machines of a task: they are followed side by side, and their
 * solutions are printed, or kept for a model.
 */
#ifndef KITH_WSVMPATH_PATHS_H
#define KITH_WSVMPATH_PATHS_H

#include "base/err.h"
#include "base/par.h"
#include "wsvmpath/problem.h"

/* A path of several that are followed side by side. */
struct kith_svm_block {
	size_t thread, threads, cache; /* the thread of the block; its share of the options */
	struct kith_wsvm_count count;  /* set by the work */
	bool failed;
	struct kith_err err; /* set by the work if it fails */
};

/* Follows path number `number`; returns 0, or -1 with block->err set. */
typedef int kith_svm_work(void *to, size_t number, struct kith_svm_block *block);

/*
 * Does `phase->total` blocks of work, which share the threads and the cache of the task.  Adds what
 * was done to *count; fails as the first block that failed.
 */
int kith_svm_blocks(const struct kith_svm_task *task, const struct kith_par_phase *phase,
    kith_svm_work *work, void *to, struct kith_wsvm_count *count, struct kith_err *err);

/* Solves the problem of a task at theta 0, and begins the path to theta 1. */
struct kith_wsvm *kith_svm_start(
    struct kith_svm_task *task, const struct kith_svm_block *block, struct kith_pool *pool);

/* Solutions of all machines of a task at theta. */
struct kith_svm_solution {
	double theta;
	double *coef, *bias; /* n x machines; machines */
};

/* What is wanted of the paths of a task. */
struct kith_svm_wanted {
	struct kith_out *out; /* where solutions or events are printed, or NULL */
	int print;            /* KITH_SVM_EVENTS, ... */
	struct kith_reals at; /* thetas to print; n 0: all breakpoints */
	double until;         /* the theta up to which paths are followed; above 1: to their end */
	struct kith_svm_solution *solution; /* with theta set: to be kept; or NULL */
};

/*
 * Follows the paths of all machines.  Several machines are printed one after the other, behind
 * columns class1 and class2.  solution->coef and ->bias are in task->pool; alpha is the limit from
 * smaller theta.  Adds what was done to *count.  Returns the number of steps printed.
 */
size_t kith_svm_follow(const struct kith_svm_task *task, const struct kith_svm_wanted *wanted,
    struct kith_wsvm_count *count);

/* The leading columns of tables of several machines: class1, class2. */
extern const char *const kith_svm_class_columns[2];

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
