/*
 * immigrate/judge - immigrate/check.h asked of the weights of a method of
 * immigrate/fit.h: the one judgement of the status of a fit and of --check.
 */
#ifndef KITH_IMMIGRATE_JUDGE_H
#define KITH_IMMIGRATE_JUDGE_H

#include "immigrate/check.h"

#include <stdbool.h>

struct kith_fit;
struct kith_fit_how;
struct kith_immigrate_rows;
struct kith_mat;

/*
 * Check the weights W of the features X, all of rows->X or those that were
 * selected; a matrix p x p, or for im4e p numbers.  Returns the number of
 * checks in out.
 */
size_t kith_judge_immigrate(const struct kith_fit_how *how,
    const struct kith_immigrate_rows *rows, const struct kith_mat *X,
    const double *W, size_t threads,
    struct kith_check out[KITH_CHECK_IMMIGRATE]);

/*
 * Whether all checks of a fit of these rows hold.  They are computed only where
 * the fit is not sure of them, and left it open.
 */
bool kith_judge_immigrate_fit(const struct kith_fit_how *how,
    const struct kith_immigrate_rows *rows, const struct kith_fit *fit,
    size_t threads);

#endif
