/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvmpath - exact paths of support vector machines with weighted rows.
 *
 *	wsvmpath.c   options; events, solutions and margins of a path; --check
 *	errors.c     --validate and --cv: the errors of a path, and its best solution
 */
#ifndef KITH_CMD_WSVMPATH_H
#define KITH_CMD_WSVMPATH_H

#include "wsvmpath/paths.h"

extern struct kith_svm_options options;

/* Logs the size of the task; parts: of cross-validation, or 0. */
void log_task(const struct kith_svm_task *task, size_t parts);

/*
 * Prints the errors of the paths of a task, or the best solution, and saves its model.  Returns the
 * status of the command, or -1.
 */
int print_errors(struct kith_svm_task *task, struct kith_out *out, struct kith_err *err);

#endif
