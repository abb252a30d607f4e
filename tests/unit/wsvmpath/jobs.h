/* SPDX-License-Identifier: BSD-2-Clause */
/* Jobs of wsvmpath for its tests: of the table in scratch file 0. */
#ifndef KITH_TESTS_WSVMPATH_JOBS_H
#define KITH_TESTS_WSVMPATH_JOBS_H

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "wsvmpath/read.h"
#include "wsvmpath/task.h"
#include "wsvmpath/variables.h"

#include <stdio.h>
#include <stdlib.h>

static struct kith_rng rng __attribute__((unused));
static struct kith_pool pool;

/* A call for the table in scratch file 0. */
static struct kith_wsvm_call
call_of(int task, const char *const *files)
{
	return (struct kith_wsvm_call){.files = files,
	    .task = task,
	    .print = KITH_WSVM_COEF,
	    .from = "a",
	    .to = "b",
	    .coef0 = 1,
	    .degree = 2,
	    .epsilon = .1,
	    .ridge = 1e-6,
	    .threads = 1};
}

static inline void
make(const struct kith_wsvm_call *call, struct kith_wsvm_job *job)
{
	struct kith_err err;

	if (kith_wsvm_read(call, job, &pool, &err) ||
	    (call->task == KITH_WSVM_REGRESS ? kith_wsvm_regress(job, &err)
					     : kith_wsvm_classify(job, &err))) {
		printf("# %s\n", err.msg);
		abort();
	}
}

#endif
