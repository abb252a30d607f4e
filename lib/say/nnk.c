#include "say/nnk.h"

#include "cli/cli.h"
#include "near/graph.h"
#include "nnk/check.h"
#include "nnk/nnk.h"
#include "nnk/symm.h"

#include <math.h>

void
kith_say_nnk_solved(const struct kith_nnk *nnk, bool gaussian)
{
	if (nnk->flat)
		kith_warn("the distances to the k-th neighbour are all 0: "
			  "sigma is 1");
	if (nnk->lost)
		kith_warn("%zu rows whose weights are all too small for a "
			  "double (a larger --sigma?)",
		    nnk->lost);
	if (gaussian && nnk->sigma > 0) {
		kith_note("bandwidth %g", nnk->sigma);
		kith_log_real("sigma", nnk->sigma);
	}
	kith_note("worst KKT residual %g", nnk->residual);
	kith_log_real("residual", nnk->residual);
}

void
kith_say_nnk_graph(const struct kith_graph *graph, size_t n, bool whole)
{
	const size_t others = n - graph->m;
	size_t edges = 0;

	for (size_t e = graph->start[0]; e < graph->start[graph->m]; e++)
		edges += graph->w[e] != 0;
	kith_log_size("edges", edges);
	kith_note("%zu rows, %zu edges, %.4g per row", n, edges,
	    (double)edges / (double)(n ? n : 1));
	if (whole && (kith_run.verbose || kith_run.log)) {
		struct kith_symm_count c = kith_symm_count(graph, graph->m);

		c.components += others;
		c.isolated += others;
		kith_note("%zu components, %zu isolated rows", c.components,
		    c.isolated);
		kith_log_size("components", c.components);
		kith_log_size("isolated", c.isolated);
	}
}

int
kith_say_nnk_residual(const struct kith_nnk *nnk, double exact)
{
	if (nnk->residual <= exact)
		return 0;
	kith_warn("worst KKT residual %g: weights may be off", nnk->residual);
	return 1;
}

int
kith_say_nnk_proof(const struct kith_check *check)
{
	double worst = 0;
	bool proved = true;

	for (size_t i = 0; i < KITH_CHECK_NNK; i++) {
		proved = proved && kith_check_ok(&check[i]);
		worst = fmax(worst, check[i].value);
	}
	if (!proved)
		kith_warn("rounding forbids a proof of the weights: a "
			  "condition is off by %g (--check; tabscale?)",
		    worst);
	return !proved;
}
