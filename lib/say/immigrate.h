/* SPDX-License-Identifier: BSD-2-Clause */
/* say/immigrate - what immigrate tells of its data and fits, beside weights. */
#ifndef KITH_SAY_IMMIGRATE_H
#define KITH_SAY_IMMIGRATE_H

#include "immigrate/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_boost_how;
struct kith_immigrate_cv_ends;
struct kith_immigrate_fit_how;
struct kith_err;
struct kith_immigrate_sigma;
struct kith_out;
struct kith_reals;
struct kith_needs;
struct kith_pool;
struct kith_table;
struct kith_trial;

/*
 * Note and log how a fit, of a vector by im4e or of a matrix, ended; warn where
 * it could not go on, or is not proved to be a fixed point (immigrate/check.h).
 * Returns the status of the command: 0 where that is proved, else 1.
 */
int kith_say_immigrate_end(bool vector, const struct kith_immigrate_how *how,
    const struct kith_immigrate_fit *fit, bool proved);

/*
 * Read --sigma auto|LIST, in the pool; auto is a list of 0.  End with a wrong call where it is
 * neither.  The same for --sigma-range auto|X:X; auto is 0 twice.
 */
void kith_say_immigrate_sigmas(const char *text, struct kith_reals *sigmas, struct kith_pool *pool);
void kith_say_immigrate_range(const char *text, struct kith_boost_how *how);

/*
 * Note and log a sigma that was found from the rows, and warn where they did not
 * say one; nothing of one that was given.  Returns its value.
 */
double kith_say_immigrate_sigma(const struct kith_immigrate_sigma *sigma);

/*
 * Leave a sample of so many rows (immigrate/sample.h), and note and log how many
 * of how many they are; 0, or as many as there are: all stay, and *sample
 * becomes 0.
 */
int kith_say_immigrate_sample(struct kith_table *t, size_t *sample, uint64_t seed,
    struct kith_pool *pool, struct kith_err *err);

/* Warn where weights to be judged were found on other rows than these. */
void kith_say_immigrate_other(const struct kith_needs *needs, size_t sample, size_t seed);

/*
 * Note k trials of a cross-validation, and warn of how its fits ended.  With best
 * (table/trial.h), note and log the best of them, and return which it is.
 */
size_t kith_say_immigrate_cv(const struct kith_immigrate_fit_how *fit,
    const struct kith_trial *trial, size_t k, int best, const struct kith_immigrate_cv_ends *ends);

/*
 * Open path for the table of --trace, and let how->tell write to it:
 * iteration C F step, NA for a C that is no number.
 */
int kith_say_immigrate_trace(
    struct kith_out *trace, const char *path, struct kith_immigrate_how *how, struct kith_err *err);

#endif
