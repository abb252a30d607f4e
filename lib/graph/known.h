/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * graph/known - the labels that a method knows (graph/prop.h), out of those of
 * a table, and back from scores to predictions.
 */
#ifndef KITH_GRAPH_KNOWN_H
#define KITH_GRAPH_KNOWN_H

#include "graph/prop.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_pool;
struct kith_table;

struct kith_known {
	const struct kith_table *rows;
	bool *given;                    /* n: the label of the row is known */
	size_t count;                   /* of these rows */
	double least, most;             /* numbers: their range among these */
	struct kith_prop_labels labels; /* of the rows; numbers: c is 1 */
};

/*
 * Know all labels of a table, or, where share is above 0, those that
 * kith_labels_reveal() chooses; numbers are brought to 0..1.  In the pool.
 */
void kith_known_choose(const struct kith_table *rows, double share, uint64_t seed,
    struct kith_known *known, struct kith_pool *pool);

/*
 * The shares of the classes among them, into share (c); the class with the
 * largest, the first of equal ones.
 */
size_t kith_known_shares(const struct kith_known *known, double *share);

/* The mean of the numbers, within 0..1. */
double kith_known_mean(const struct kith_known *known);

/* The number that u of 0..1 stands for, and back. */
double kith_known_number(const struct kith_known *known, double u);
double kith_known_unit(const struct kith_known *known, double t);

#endif
