/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath/solution - solutions of the path of a problem that is made
 * (wsvmpath/task.h): kept, saved, printed.
 */
#ifndef KITH_WSVMPATH_SOLUTION_H
#define KITH_WSVMPATH_SOLUTION_H

#include "wsvm/problem.h"

struct kith_err;
struct kith_machine;
struct kith_out;
struct kith_wsvm_call;
struct kith_wsvm_job;

/* A solution, once it is known. */
struct kith_wsvm_kept {
	bool known;
	double theta, b;
	double *alpha; /* N, within the bounds */
};

/* Keep the solution at theta of the piece; at->alpha has room. */
void kith_wsvm_keep(struct kith_wsvm_piece *piece, double theta, struct kith_wsvm_kept *at);

/*
 * Open the file of --save-model; one that ends in .libsvm gets a model as LIBSVM
 * writes it.  Fails where LIBSVM has no such model.
 */
int kith_wsvm_open_model(
    const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err);

/* Write a machine there, and close it. */
int kith_wsvm_write_model(const struct kith_wsvm_job *job, const struct kith_machine *machine,
    struct kith_out *out, struct kith_err *err);

/* Write the model of a solution, alpha (N), b, at theta, and close it. */
int kith_wsvm_save(const struct kith_wsvm_job *job, double theta, const double *alpha, double b,
    struct kith_out *out, struct kith_err *err);

/*
 * Follow the path up to theta, and write what --at theta would: the model into
 * `saved`, or where that is NULL the table of --print coef into `out`.  What was
 * done is added to *count.
 */
int kith_wsvm_give(const struct kith_wsvm_job *job, double theta, struct kith_out *out,
    struct kith_out *saved, struct kith_wsvm_count *count, struct kith_err *err);

/* Add what another path took. */
void kith_wsvm_count_add(struct kith_wsvm_count *count, const struct kith_wsvm_count *more);

/*
 * Report and log what was done; warn where a result is not certified, with theta
 * of the call's path, and C where its ends are numbers.  Returns the status of
 * the command.
 */
int kith_wsvm_report_count(const struct kith_wsvm_call *call, const struct kith_wsvm_count *count);

#endif
