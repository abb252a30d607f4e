/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/means_code - the codes of rows in a dictionary of atoms: the weights of
 * nnk/means.h, and what they leave of each row.
 */
#ifndef KITH_NNK_MEANS_CODE_H
#define KITH_NNK_MEANS_CODE_H

#include "kernel/kern.h"
#include "la/mat.h"
#include "nnk/check.h"

#include <stddef.h>

struct kith_err;
struct kith_graph;
struct kith_pool;

/* The rows and the atoms; for the cosine kernel all of length 1. */
struct kith_means_rows {
	enum kith_kern_kind kernel; /* linear or cosine */
	const struct kith_mat *X;   /* n x p */
	struct kith_mat A;          /* K x p */
	size_t threads;
};

struct kith_codes {
	size_t n, k;   /* rows; most candidates of a row */
	size_t *count; /* n: candidates of row i, from i * k on in */
	size_t *atom;  /* n x k */
	double *w;     /* n x k; 0: the candidate is not used */
	double *J;     /* n: J_i of nnk/means.h */
	size_t kept;   /* rows that kept older candidates */
	size_t doubts; /* rows for which kith_codes_check() has to decide */
};

/* Room, in the pool, for n rows without any candidate. */
struct kith_codes kith_codes_new(size_t n, size_t k, struct kith_pool *pool);

/*
 * Code all rows anew.  The candidates of a row are its k nearest atoms, or
 * the atoms of positive weight in its older code where the best weights of
 * these leave less of the row: so J_i is at most that of the older weights, up
 * to rounding.  Weights are those of kith_nnk() with these candidates: the
 * nearest first, or as the older code has them.  Time O(n K p), the search, and
 * at most twice O(k (p + k^2)) for each row; memory O(n k + K (K + p)).
 */
void kith_codes_find(const struct kith_means_rows *rows, struct kith_codes *code);

/* J_i of all rows with these weights, into code->J; returns their sum. */
double kith_codes_errors(const struct kith_means_rows *rows, struct kith_codes *code);

/* The sum of J_i, in order. */
double kith_codes_sum(const struct kith_codes *code);

/*
 * The codes as lists of atoms, in the pool: all candidates, or with `used`
 * those of positive weight.
 */
struct kith_graph kith_codes_graph(
    const struct kith_codes *code, bool used, struct kith_pool *pool);

/* What nnk/check.h says of the weights; fails as kith_check_nnk() does. */
int kith_codes_check(const struct kith_means_rows *rows, const struct kith_codes *code,
    struct kith_check out[KITH_CHECK_NNK], struct kith_err *err);

/* y += a x, for p numbers. */
void kith_codes_add(size_t p, double a, const double *x, double *y);

#endif
