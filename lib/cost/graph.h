/* SPDX-License-Identifier: BSD-2-Clause */
/* cost/graph - what labelprop and eigenmap cost. */
#ifndef KITH_COST_GRAPH_H
#define KITH_COST_GRAPH_H

#include "cost/cost.h"
#include "graph/graph.h"
#include "graph/prop.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_out;

struct kith_cost_graph {
	const struct kith_undirected *graph;
	size_t c;     /* classes; 0: numbers */
	size_t dims;  /* of eigenmap */
	size_t times; /* from 1 */
	size_t threads;
	bool check; /* instead: what a file says is judged */
};

/* The sizes, seconds and bytes. */
struct kith_cost kith_cost_of_prop(const struct kith_cost_graph *of, enum kith_prop_method method);
struct kith_cost kith_cost_of_embed(const struct kith_cost_graph *of);

/* Tell them, in place of the command's table. */
int kith_cost_prop(const struct kith_cost_graph *of, enum kith_prop_method method,
    struct kith_out *out, struct kith_err *err);
int kith_cost_embed(const struct kith_cost_graph *of, struct kith_out *out, struct kith_err *err);

#endif
