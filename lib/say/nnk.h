/* say/nnk - what nnkgraph tells of its graph, beside edges. */
#ifndef KITH_SAY_NNK_H
#define KITH_SAY_NNK_H

#include <stdbool.h>
#include <stddef.h>

struct kith_check;
struct kith_graph;
struct kith_nnk;

/* Note, log and warn of how the weights were found. */
void kith_say_nnk_solved(const struct kith_nnk *nnk, bool gaussian);

/*
 * Say what graph of n rows it is, of which those behind graph->m have no edge;
 * parts and isolated rows where it is whole.
 */
void kith_say_nnk_graph(const struct kith_graph *graph, size_t n, bool whole);

/*
 * Warn of weights whose residual is above what counts as exact; the status of
 * the command, 0 or 1.
 */
int kith_say_nnk_residual(const struct kith_nnk *nnk, double exact);

/*
 * Warn of weights that nnk/check.h, its checks being given, does not pass; the
 * status of the command, 0 or 1.
 */
int kith_say_nnk_proof(const struct kith_check *check);

#endif
