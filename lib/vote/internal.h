/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/internal - the functions of predict.c that loo.c uses. */
#ifndef KITH_VOTE_INTERNAL_H
#define KITH_VOTE_INTERNAL_H

#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_pool;
struct kith_predict_how;
struct kith_predicted;
struct kith_sample;

/* Allocates the predictions of m rows in the pool. */
void kith_predicted_new(const struct kith_sample *reference, const struct kith_predict_how *how,
    size_t m, struct kith_predicted *out, struct kith_pool *pool);

/*
 * The number of rows whose neighbours among n are searched: m queries, and the sample
 * that a bandwidth is found from.
 */
size_t kith_predict_queries(const struct kith_predict_how *how, size_t n, size_t m);

/*
 * Predicts the rows of Z from the reference, or with Z NULL each row of the reference from the
 * others, as kith_predict() does; row i becomes row to[i] of out (to NULL: row i).
 */
int kith_predict_rows(const struct kith_sample *reference, const struct kith_predict_how *how,
    const struct kith_mat *Z, const size_t *to, struct kith_predicted *out, struct kith_err *err);

#endif
