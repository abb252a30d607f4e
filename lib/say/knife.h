/* SPDX-License-Identifier: BSD-2-Clause */
/* say/knife - what knife tells of its data and searches, beside weights. */
#ifndef KITH_SAY_KNIFE_H
#define KITH_SAY_KNIFE_H

#include "knife/fit.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_knife_trials;
struct kith_mat;
struct kith_out;
struct kith_table;

/*
 * Fail with EX_DATAERR, and a recipe, where a loss that takes two classes meets
 * more.
 */
int kith_say_knife_classes(const struct kith_knife_rows *rows, int loss, struct kith_err *err);

/*
 * Fail with EX_DATAERR, naming the column, where its numbers (gaussian,
 * laplacian: its range) are so large that kernels, or their slopes, do not fit
 * a double.  X has the features of the table, as they are fitted.
 */
int kith_say_knife_ranges(const struct kith_table *t, const struct kith_mat *X,
    const struct kith_knife_problem *like, struct kith_err *err);

/* Warn where the kernels of all pairs of rows are below 1e-8 at w. */
void kith_say_knife_coupling(const struct kith_knife_problem *problem, const double *w);

/* kith_knife_fitted_grid(), noting and logging the upper end. */
int kith_say_knife_grid(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    struct kith_knife_fitted *fit, size_t k, double *lambda2, struct kith_err *err);

/* Note and log what is fitted. */
void kith_say_knife_rows(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how);

/* Note a fit. */
void kith_say_knife_fit(const struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how);

/*
 * Log a fit, and warn where it did not converge; returns the status of the
 * command, 0 or 1.
 */
int kith_say_knife_end(const struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how);

/* Note and log the best of k trials; returns its fit. */
const struct kith_knife_fitted *kith_say_knife_best(
    const struct kith_knife_trials *trials, size_t k, int best);

/* Log, and warn of, searches of --cv that did not converge. */
void kith_say_knife_cv(size_t missed);

/*
 * Log k solutions, so many of which did not converge, which is warned of unless
 * one of them alone is told of.
 */
void kith_say_knife_path(size_t k, size_t doubts, size_t evaluations, bool alone);

/* Write a header, and let how->tell write: iteration objective gradient. */
void kith_say_knife_trace(struct kith_out *trace, struct kith_knife_how *how);

#endif
