/*
 * immigrate/cv - how often weights of immigrate, with prediction by expected
 * distance, go wrong on rows that they were not fitted to, for several sigma.
 */
#ifndef KITH_IMMIGRATE_CV_H
#define KITH_IMMIGRATE_CV_H

#include "immigrate/fit.h"

#include <stddef.h>

struct kith_dest;
struct kith_err;
struct kith_out;

/* What one sigma came to. */
struct kith_immigrate_cv_count {
	double sigma;
	size_t n, errors; /* rows predicted, and those that were wrong */
	/* Of the fits: in all; 2-cycles; kept at the start; at the limit. */
	size_t fits, cycles, kept, limits;
};

/*
 * For each of the k counts, whose sigma are given: fit weights to the rows
 * outside of each part (part[i] in 0..parts-1) and predict those inside from
 * them.  A part is skipped when it has no row; where the rows outside are of
 * one class, that one is predicted.  Fails as kith_immigrate_fit_run() does for
 * a part, and where a part has all rows.
 *
 * Parts and sigmas are shared among the threads; the counts are the same for
 * any number of them.
 */
int kith_immigrate_cv(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *how, const size_t *part, size_t parts,
    struct kith_immigrate_cv_count *count, size_t k, struct kith_err *err);

/* Open path (NULL: standard output) and write sigma n errors error. */
int kith_immigrate_cv_write(const struct kith_immigrate_cv_count *count,
    size_t k, const struct kith_dest *to, struct kith_out *out,
    struct kith_err *err);

/* The place of the best of k counts: fewest errors, then smallest sigma. */
size_t kith_immigrate_cv_best(
    const struct kith_immigrate_cv_count *count, size_t k);

#endif
