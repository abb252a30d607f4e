/* SPDX-License-Identifier: BSD-2-Clause */
/* edges - fuzz target: tables of edges between nine rows. */
#include "fuzz.h"

#include "table/edges.h"

#include <math.h>

static int
read_file(const char *file, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_node_names ends = {.n = 9};
	const struct kith_edges_how how = {.from = &ends, .to = &ends, .weights = true};
	const char *const files[] = {file, NULL};
	struct kith_graph graph;

	return kith_edges_read(files, &how, &graph, pool, err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	fuzz_read(read_file, data, len);
	return 0;
}
