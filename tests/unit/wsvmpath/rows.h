/* SPDX-License-Identifier: BSD-2-Clause */
/* Problems of wsvmpath for its tests, of the table in scratch file 0. */
#ifndef KITH_TESTS_WSVMPATH_ROWS_H
#define KITH_TESTS_WSVMPATH_ROWS_H

#include "base/rng.h"
#include "cli/cli.h"
#include "wsvmpath/wsvmpath.h"

#include <stdio.h>
#include <stdlib.h>

struct kith_svm_options options;

static struct kith_rng rng __attribute__((unused));
static struct kith_pool pool;

/* Sets the options of a call for the table files[0], whose columns a and b are --from and --to. */
static inline void
set_options(int task, const char *const *files)
{
	options = (struct kith_svm_options){.files = files,
	    .task = task,
	    .print = KITH_SVM_COEF,
	    .from = {.column = "a"},
	    .to = {.column = "b"},
	    .coef0 = 1,
	    .degree = 2,
	    .epsilon = .1,
	    .ridge = 1e-6,
	    .threads = 1};
}

/* Makes the problem of the rows. */
static inline void
make(struct kith_svm_task *svm)
{
	struct kith_err err;

	kith_run.quiet = true;
	if (kith_svm_read(&options, svm, &pool, &err) || make_problem(svm, &err)) {
		printf("# %s\n", err.msg);
		abort();
	}
}

#endif
