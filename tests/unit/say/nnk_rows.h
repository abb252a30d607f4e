/* SPDX-License-Identifier: BSD-2-Clause */
/* nnk_rows - random rows, and runs of say/nnk_run.h on them. */
#ifndef NNK_ROWS_H
#define NNK_ROWS_H

#include "base/rng.h"
#include "printed.h"
#include "said.h"
#include "say/nnk_run.h"

enum { N = 26, P = 2, K = 3 };

static const double SIGMA = .4;
static struct kith_rng rng;
static double X[N * P], D[N * N];
static char names[P][2] = {"a", "b"};
static char *const name[] = {names[0], names[1]};
static struct kith_err error;

struct kith_run kith_run;

/* Two clouds, that no row of which is among the K nearest of the other. */
static inline void
draw(void)
{
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < P; j++)
			X[i * P + j] = kith_rng_unit(&rng) + (i % 2 == 0 ? 3 : 0);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			D[i * N + j] = hypot(X[i * P] - X[j * P], X[i * P + 1] - X[j * P + 1]);
}

/* A run that prints the K nearest rows of each; r stays. */
static inline void
ask(struct kith_nnk_run *r, enum kith_nnk_method method, enum kith_symm rule)
{
	*r = (struct kith_nnk_run){
	    .how = {.method = method, .k = K, .radius = .5, .sigma = {KITH_SIGMA_FIXED, SIGMA}},
	    .rule = rule,
	    .form = {.format = KITH_EDGES_TSV, .distance = true},
	    .block = {1, 1},
	    .shard = {1, 1},
	    .to = kith_output(),
	    .in = {.known = {.file = "known",
		       .X = {N, P, X},
		       .read = N,
		       .feature = {.name = (char **)name, .n = P}},
		.to = {.n = N, .read = N},
		.weights = {.metric = {KITH_SQUARED, P, NULL}}}};
	r->rows = (struct kith_local_rows){
	    .X = &r->in.known.X, .metric = &r->in.weights.metric, .m = N, .threads = 1};
}

/* What the graph is printed as; the status is due. */
static inline const char *
graph(struct kith_nnk_run *r, int due)
{
	struct kith_out out;

	ok(kith_nnk_run_graph(r, &out, &error) == due, "status %d", due);
	return printed(&out);
}

#endif
