/* SPDX-License-Identifier: BSD-2-Clause */
/* vote/internal - what predict.c and loo.c share. */
#ifndef KITH_VOTE_INTERNAL_H
#define KITH_VOTE_INTERNAL_H

#include <stddef.h>

struct kith_err;
struct kith_mat;
struct kith_pool;
struct kith_predict_how;
struct kith_predicted;
struct kith_sample;

/* Sets `to` to n rows of a sample, in the pool. */
void kith_sample_rows(const struct kith_sample *all, const size_t *row, size_t n,
    struct kith_sample *to, struct kith_pool *pool);

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

/* Predicts the rows of part f from all others into out, as kith_predict_cv() does. */
int kith_predict_part(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, size_t f, struct kith_predicted *out, struct kith_err *err);

/*
 * What kith_predict_cv() does, where how->scale is a scale and each of the n >= 2 parts has one
 * row, row[f].  Fails as the first part does that fails.
 */
int kith_predict_scaled_loo(const struct kith_sample *reference, const struct kith_predict_how *how,
    const size_t *part, const size_t *row, struct kith_predicted *out, struct kith_err *err);

#endif
