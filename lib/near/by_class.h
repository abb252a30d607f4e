/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/by_class - rows in the order of their classes, and the rows of a class
 * that are nearest to some of them.
 */
#ifndef KITH_NEAR_BY_CLASS_H
#define KITH_NEAR_BY_CLASS_H

#include "la/mat.h"

#include <stddef.h>
#include <stdint.h>

struct kith_metric;
struct kith_neighbour;
struct kith_pool;

/* No row: all of a class are left out. */
#define KITH_NO_ROW SIZE_MAX

/* Rows by class, those of a class as they came. */
struct kith_by_class {
	struct kith_mat X; /* n x p */
	size_t c;
	size_t *first;     /* c + 1: where each class starts */
	size_t *row;       /* n: what number each row had */
	size_t m;          /* rows that are sampled: */
	size_t *asked;     /* their places, increasing */
	size_t *asked_of;  /* c + 1: where those of a class start */
	struct kith_mat Z; /* m x p: the rows */
	size_t *y;         /* n: their classes */
};

/*
 * Sort the rows of X by their classes y (NULL: one class of all).  The rows
 * sampled (NULL: all) are given in increasing order.
 */
void kith_by_class_sort(const struct kith_mat *X, const size_t *y, size_t c,
    const size_t *sample, size_t m, struct kith_by_class *s,
    struct kith_pool *pool);

/*
 * How many of k rows there are in class b for a row of class a: itself left
 * out where it is one of them.
 */
size_t kith_by_class_there(
    const struct kith_by_class *s, size_t a, size_t b, size_t k);

/*
 * For each of the m rows that are sampled the kith_by_class_there() nearest
 * rows of class b, nearest first, ties by row number, into nn (m x k): places
 * among the sorted rows.
 */
void kith_by_class_near(const struct kith_by_class *s,
    const struct kith_metric *metric, size_t b, size_t k, size_t threads,
    struct kith_neighbour *nn);

/*
 * The nearest hit and miss of each of the m rows, ties by row number; places
 * among the sorted rows, or KITH_NO_ROW.
 */
void kith_by_class_pairs(const struct kith_by_class *s,
    const struct kith_metric *metric, size_t threads, size_t *hit,
    size_t *miss);

#endif
