/* SPDX-License-Identifier: BSD-2-Clause */
/* table/predicted - what is said of rows: classes or numbers, for several k. */
#ifndef KITH_TABLE_PREDICTED_H
#define KITH_TABLE_PREDICTED_H

#include "near/knn.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_predicted {
	size_t nk;
	size_t *y;        /* m x nk classes, KITH_NO_CLASS: none, or */
	double *t;        /* m x nk numbers, NaN: none */
	double *share;    /* m x nk x c, NaN where there is none; or NULL */
	double *pair;     /* m x pairs: f of pairs of classes; or NULL */
	char **pair_name; /* of these columns */
	size_t pairs;
	bool *none;                    /* m: nothing is said of the row; or NULL */
	struct kith_knn_choice search; /* of the last one; NULL: none */
	double *sigma;                 /* nk bandwidths, in units of the data; 0: not used */
	bool flat;                     /* some bandwidth was 0, and became 1 */
};

#endif
