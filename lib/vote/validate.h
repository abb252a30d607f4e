/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vote/validate - how weights of the features do on rows that they were not
 * learnt from: these are predicted by the nearest rows of the reference, for
 * several k, classes by majority vote and numbers by the mean, and what is
 * wrong is summed up.
 */
#ifndef KITH_VOTE_VALIDATE_H
#define KITH_VOTE_VALIDATE_H

#include "vote/ballot.h"

#include <stddef.h>

struct kith_err;
struct kith_table;

struct kith_validate {
	struct kith_sample known; /* the reference */
	struct kith_mat Z;        /* m x p, the rows to predict */
	/* m classes of the reference, c: none of them, or KITH_NO_CLASS, or: */
	size_t *actual;
	const double *number; /* m numbers, NaN: missing */
	size_t n;             /* rows that count */
	const size_t *k;
	size_t nk, threads;
};

/*
 * Get ready to predict the rows of asked, which was read with the reference
 * known, for these nk numbers of neighbours.  Both stay where they are; known.X
 * and asked.X, as they are now, are used.
 *
 * A row whose class the reference lacks counts as an error each time; one whose
 * target is missing does not count.  Fails with EX_DATAERR, naming the file,
 * when asked has no targets, or none that is not missing, and when a k exceeds
 * the rows of the reference.
 */
int kith_validate_new(const struct kith_table *known, const struct kith_table *asked,
    const size_t *k, size_t nk, size_t threads, struct kith_validate *out, struct kith_pool *pool,
    struct kith_err *err);

/*
 * What is wrong for each k, into loss (nk), under a metric of the p features:
 * how many rows have another class than predicted, or the sum of the squared
 * differences.  Fails as kith_predict() does.  Time that of a search for
 * neighbours (near/knn.h).
 */
int kith_validate(const struct kith_validate *v, const struct kith_metric *metric, double *loss,
    struct kith_err *err);

/*
 * The same where no feature is of use: each row is predicted to be of the
 * class that most rows of the reference have, of equal ones the first, or to be
 * their mean.
 */
void kith_validate_without(const struct kith_validate *v, double *loss);

#endif
