/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnk/symm - one weight per pair of rows from directed lists, section 3.5 of
 * Shekkizhar and Ortega.
 *
 * i has j when j is in the list of i, weight 0 included.  J is the error of a
 * row; NaN, that of a row without edges, counts as larger than all others.  Of a
 * pair,
 *
 *	node   the weight that the row with the smaller J, equal J: the first
 *	       row, gives the other; 0 where it has not the other
 *	error  both have each other: the weight of the side with the smaller
 *	       J, equal J: the larger weight; else the weight of the one side
 *	paper  the same, but no edge where only one has the other (Algorithm
 *	       3, whose E is 0 there)
 *	max, min, mean  of both weights, 0 where one side has not the other
 */
#ifndef KITH_NNK_SYMM_H
#define KITH_NNK_SYMM_H

#include <stdbool.h>
#include <stddef.h>

struct kith_graph;
struct kith_pool;

enum kith_symm {
	KITH_SYMM_NODE,
	KITH_SYMM_ERROR,
	KITH_SYMM_PAPER,
	KITH_SYMM_MAX,
	KITH_SYMM_MIN,
	KITH_SYMM_MEAN,
	KITH_SYMM_NONE /* of commands: leave the lists as they are */
};

/*
 * The undirected graph, in the pool, of lists of all n rows (m = n, first = 0,
 * in any order within a list; J for node, error and paper): each pair of positive
 * weight once, in the list of its smaller row, in order; distances along where
 * they are known.  Call kith_symm_cut() before.  Time and memory
 * O(n + edges).
 */
void kith_symm(const struct kith_graph *directed, enum kith_symm mode, struct kith_graph *out,
    struct kith_pool *pool);

/*
 * Put weights whose size does not exceed `least` times the largest of their list
 * to 0; the entries stay.
 */
void kith_symm_cut(struct kith_graph *graph, double least);

/*
 * Let J of rows without any entry, or `mute`, without one of positive weight,
 * be NaN: lists as they are printed, with or without weights of 0, do not tell
 * it.  Call kith_symm_cut() before; J may be NULL.
 */
void kith_symm_forget(struct kith_graph *graph, bool mute);

/* Put each list in order of its rows; in place. */
void kith_symm_sort(struct kith_graph *graph);

/* What -v tells of a graph. */
struct kith_symm_count {
	size_t edges;      /* of weight other than 0 */
	size_t isolated;   /* rows with no such edge, in or out */
	size_t components; /* of the n rows, edges taken both ways */
};

/* Count, for lists from and to the same n rows.  Time and memory O(n + edges).
 */
struct kith_symm_count kith_symm_count(const struct kith_graph *graph, size_t n);

/*
 * Which component each of the n rows is in, into part (n), numbered from 0 in
 * the order of their first rows; how many there are.  The same cost.
 */
size_t kith_symm_parts(const struct kith_graph *graph, size_t n, size_t *part);

#endif
