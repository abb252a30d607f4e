/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/labelprop.h"

#include "cli/cli.h"
#include "graph/graph.h"
#include "graph/propagate.h"

#include <string.h>

void
kith_say_prop_graph(const struct kith_prop *p, size_t labels)
{
	const struct kith_undirected *g = p->graph;

	kith_log_size("rows", g->W.n);
	kith_log_size("labels", labels);
	kith_log_size("edges", g->edges);
	kith_log_size("components", g->components);
	kith_log_size("unreached", p->unreached);
}

void
kith_say_prop_solved(const struct kith_prop *p, const struct kith_prop_solved *solved)
{
	static const char *const name[] = {
	    "none", "conjugate gradients", "Cholesky factor", "elimination without subtraction"};

	kith_log_size("equations", p->n_free);
	kith_log_size("right sides", p->labels->c);
	kith_log_text("solver", name[solved->solver]);
	if (solved->solver == KITH_PROP_CG)
		kith_log_size("iterations", solved->iterations);
	if (solved->fill > 0)
		kith_log_real("fill", solved->fill);
}

int
kith_say_prop_proof(const struct kith_prop_proof *proof)
{
	int status = 0;

	if (proof->y) {
		kith_log_size("tied", proof->tied);
		kith_log_size("undecided", proof->undecided);
	}
	for (size_t i = 0; i < proof->n; i++) {
		const struct kith_check *check = &proof->check[i];

		if (strcmp(check->check, "residual") == 0)
			kith_log_real("residual", check->value);
		if (kith_check_ok(check) || kith_check_open(check))
			continue;
		status = 1;
		if (strcmp(check->check, "undecided") == 0)
			kith_warn("%zu rows whose class is not decided: the "
				  "weights of the graph are too far apart",
			    proof->undecided);
		else
			kith_warn("scores cannot be certified: %s %g "
				  "(--check)",
			    check->check, check->value);
	}
	return status;
}
