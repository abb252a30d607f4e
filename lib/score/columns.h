/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * score/columns - the columns of a table of predictions, which vote/report.h writes.
 *
 *	predicted[_K] ... actual [probability[_K]:CLASS ... | score[_K]:CLASS ...]
 *
 * in any order, other columns aside.
 */
#ifndef KITH_SCORE_COLUMNS_H
#define KITH_SCORE_COLUMNS_H

#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

/* The name of a column of predictions is "predicted", or starts with "predicted_". */
bool kith_is_prediction(const char *column);

/* The scores of a column of predictions: its probabilities, where the table has some. */
struct kith_scores {
	const char *of;     /* name of the column of predictions */
	const char *prefix; /* "probability_K:", or where no column starts so "score_K:" */
	bool probabilities;
	size_t c;           /* columns that start with prefix; may be 0 */
	size_t *from;       /* c: the columns */
	const char **class; /* c: their classes */
};

void kith_scores_find(struct kith_scores *scores, const char *prediction,
    const struct kith_rows *rows, struct kith_pool *pool);

/* Returns which of two columns is of the second class in byte order; c where they are not two. */
size_t kith_scores_second(const struct kith_scores *scores);

/*
 * The losses of the row that was read last, whose probabilities are p_h of class h, if y is true:
 *
 *	log_loss  -log p_y; infinite where p_y is 0, and where y has no column
 *	brier     sum_h (p_h - [h = y])^2 (Brier 1950)
 *
 * Fails where a score is not a number from 0 to 1, or their sum is not 1 to .01: they may be
 * rounded.
 */
int kith_scores_losses(const struct kith_scores *scores, const struct kith_rows *rows,
    const char *actual, long double *log_loss, long double *brier, struct kith_err *err);

#endif
