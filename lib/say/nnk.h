/* SPDX-License-Identifier: BSD-2-Clause */
/* say/nnk - what nnkgraph tells of its graph, beside edges. */
#ifndef KITH_SAY_NNK_H
#define KITH_SAY_NNK_H

#include <stdbool.h>
#include <stddef.h>

struct kith_aew;
struct kith_check;
struct kith_graph;
struct kith_ends;
struct kith_mat;
struct kith_nnk;
struct kith_nnk_connect;
struct kith_pairs_nnk;
struct kith_smooth_pairs;

/* Note, log and warn of how the weights were found. */
void kith_say_nnk_solved(const struct kith_nnk *nnk, bool gaussian);

/*
 * Say what graph of n rows it is, of which those behind graph->m have no edge;
 * parts and isolated rows where it is whole.
 */
void kith_say_nnk_graph(const struct kith_graph *graph, size_t n, bool whole);

/*
 * Note and log the edges that connect the graph, and warn of those whose kernel
 * is 0.
 */
/*
 * Warns where components of 1 or 2 rows are copies of a row of X (n rows, those of the graph): a
 * copy at distance 0 represents a row completely, so that NNK joins copies to nothing else.
 */
void kith_say_nnk_copies(const struct kith_graph *graph, const struct kith_mat *X);

void kith_say_nnk_connect(const struct kith_nnk_connect *it);

/*
 * Warn of weights whose residual is above what counts as exact; the status of
 * the command, 0 or 1.
 */
int kith_say_nnk_residual(const struct kith_nnk *nnk, double exact);

/*
 * Warn of weights that do not pass n checks; the status of the command, 0 or 1.
 */
int kith_say_nnk_proof(const struct kith_check *check, size_t n);

/* Note and log how pairs were solved, in so many steps, and checked. */
void kith_say_nnk_smooth(
    const struct kith_smooth_pairs *pairs, const struct kith_check *check, size_t steps);

/*
 * Note and log how features were weighted, and warn where that did not come to
 * its end; the status, 0 or 1.
 */
int kith_say_nnk_aew(const struct kith_aew *aew);

/*
 * Warn where similarities are no kernel: how many rows, and what the first is
 * called; the status of the command, 0 or 1.
 */
int kith_say_nnk_pairs(const struct kith_pairs_nnk *got, const struct kith_ends *from);

#endif
