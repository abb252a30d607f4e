/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * score/chance - how good probabilities are: those in the columns probability:CLASS of
 * a prediction (score/outcome.h), p_h of class h, y being the class that was true:
 *
 *	log_loss  the mean of -log p_y; infinite where a p_y is 0, and where y has
 *	          no column
 *	brier     the mean of sum_h (p_h - [h = y])^2 (Brier 1950)
 */
#ifndef KITH_SCORE_CHANCE_H
#define KITH_SCORE_CHANCE_H

#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;
struct kith_rows;

struct kith_chance {
	const char *of;  /* the prediction */
	size_t *from, c; /* columns of the classes */
	const char **class;
	long double log_loss, brier; /* sums over the rows so far, weighted */
};

/* Finds the columns that start with prefix, "probability:"; there may be none (c is 0). */
void kith_chance_find(struct kith_chance *chance, const char *of, const char *prefix,
    const struct kith_rows *rows, struct kith_pool *pool);

/*
 * Adds the row that was read last, of the class actual and of this weight.  Fails where its
 * scores are no numbers from 0 to 1, or their sum is not 1 to .01: they may be rounded.
 */
int kith_chance_add(struct kith_chance *chance, const struct kith_rows *rows, const char *actual,
    double weight, struct kith_err *err);

#endif
