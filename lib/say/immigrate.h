/* say/immigrate - what immigrate tells of its data and fits, beside weights. */
#ifndef KITH_SAY_IMMIGRATE_H
#define KITH_SAY_IMMIGRATE_H

#include "immigrate/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_cv_ends;
struct kith_immigrate_fit_how;
struct kith_err;
struct kith_out;
struct kith_trial;

/*
 * Note and log how a fit, of a vector by im4e or of a matrix, ended; warn where
 * it could not go on, or is not proved to be a fixed point (immigrate/check.h).
 * Returns the status of the command: 0 where that is proved, else 1.
 */
int kith_say_immigrate_end(bool vector, const struct kith_immigrate_how *how,
    const struct kith_immigrate_fit *fit, bool proved);

/* Note k trials of a cross-validation, and warn of how its fits ended. */
void kith_say_immigrate_cv(const struct kith_immigrate_fit_how *fit,
    const struct kith_trial *trial, size_t k,
    const struct kith_immigrate_cv_ends *ends);

/*
 * Open path for the table of --trace, and let how->tell write to it:
 * iteration C F step, NA for a C that is no number.
 */
int kith_say_immigrate_trace(struct kith_out *trace, const char *path,
    struct kith_immigrate_how *how, struct kith_err *err);

#endif
