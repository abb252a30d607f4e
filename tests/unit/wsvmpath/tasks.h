/* SPDX-License-Identifier: BSD-2-Clause */
/* Tasks of wsvmpath for its tests: of the table in scratch file 0. */
#ifndef KITH_TESTS_WSVMPATH_TASKS_H
#define KITH_TESTS_WSVMPATH_TASKS_H

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "wsvmpath/problem.h"
#include "wsvmpath/task.h"

#include <stdio.h>
#include <stdlib.h>

static struct kith_rng rng __attribute__((unused));
static struct kith_pool pool;

/* The options of a call for the table in scratch file 0. */
static struct kith_svm_options
options_of(int task, const char *const *files)
{
	return (struct kith_svm_options){.files = files,
	    .task = task,
	    .print = KITH_SVM_COEF,
	    .from = "a",
	    .to = "b",
	    .coef0 = 1,
	    .degree = 2,
	    .epsilon = .1,
	    .ridge = 1e-6,
	    .threads = 1};
}

static inline void
make(const struct kith_svm_options *call, struct kith_svm_task *job)
{
	struct kith_err err;

	kith_run.quiet = true;
	if (kith_svm_read(call, job, &pool, &err) || kith_svm_make(job, &err)) {
		printf("# %s\n", err.msg);
		abort();
	}
}

#endif
