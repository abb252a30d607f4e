/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/say: how graphs of nnkgraph ended, word by word. */
#include "base/ends.h"
#include "base/pool.h"
#include "nnk/connect.h"
#include "nnk/nnk.h"
#include "nnk/pairs_nnk.h"
#include "said.h"
#include "say/nnk.h"
#include "table/check.h"
#include "table/ends.h"
#include "table/graph.h"
#include "tap.h"

static struct kith_pool pool;

/* Stands in place of that of cli. */
struct kith_run kith_run;

static void
test_nnk(void)
{
	struct kith_nnk nnk = {.sigma = 2, .residual = 1e-9, .lost = 3, .flat = true};
	const struct kith_ends from = {.n = 9, .read = 9};
	struct kith_pairs_nnk pairs = {.first = 4};
	struct kith_nnk_connect connect = {.added = 0};
	struct kith_check check[] = {{"a", .5, 1}, {"b", 2, 3}};

	kith_say_nnk_solved(&nnk, true);
	is_text(said(),
	    "warning: the distances to the k-th neighbour are all 0: sigma is "
	    "1\nwarning: 3 rows whose weights are all too small for a double "
	    "(a larger --sigma?)\nnote: bandwidth 2\nlog: sigma 2\n"
	    "note: worst KKT residual 1e-09\nlog: residual 1e-09\n",
	    "a graph that was solved");
	nnk.lost = nnk.flat = 0;
	kith_say_nnk_solved(&nnk, false);
	is_text(
	    said(), "note: worst KKT residual 1e-09\nlog: residual 1e-09\n", "without a bandwidth");
	ok(kith_say_nnk_residual(&nnk, 1e-9) == 0 && !*said(), "exact enough");
	ok(kith_say_nnk_residual(&nnk, 1e-10) == 1, "not so");
	is_text(said(), "warning: worst KKT residual 1e-09: weights may be off\n", "said");
	ok(kith_say_nnk_proof(check, 2) == 0 && !*said(), "proved");
	check[1].limit = 1;
	ok(kith_say_nnk_proof(check, 2) == 1, "not proved");
	is_text(said(),
	    "warning: rounding forbids a proof of the weights: a condition is "
	    "off by 2 (--check; tabscale?)\n",
	    "said");
	ok(kith_say_nnk_pairs(&pairs, &from) == 0 && !*said(), "kernels");
	pairs.indefinite = 2;
	ok(kith_say_nnk_pairs(&pairs, &from) == 1, "some are none");
	is_text(said(),
	    "log: indefinite 2\nwarning: 2 rows whose candidates have no "
	    "kernel (their similarities are not positive semidefinite), the "
	    "first is '5': weights may not be the best\n",
	    "said");
	kith_say_nnk_connect(&connect);
	is_text(said(), "log: connecting 0\n", "nothing to connect");
	connect.added = 2;
	connect.longest = 4;
	connect.vanished = 1;
	kith_say_nnk_connect(&connect);
	is_text(said(),
	    "log: connecting 2\nnote: 2 edges connect it, the longest of "
	    "length 4\nlog: longest 4\nwarning: 1 edges of --connect have the "
	    "kernel 0: their weight is the least positive number (a larger "
	    "--sigma?)\n",
	    "edges that connect");
}

/* 0 - 1 - 2, and 3 alone; rows beyond the graph are alone, too. */
static void
test_graph(void)
{
	size_t start[] = {0, 1, 3, 4, 4}, to[] = {1, 0, 2, 1};
	double w[] = {1, 1, .5, 0};
	const struct kith_graph g = {0, 4, start, to, w, NULL, NULL};

	kith_say_nnk_graph(&g, 4, true);
	is_text(said(), "log: edges 3\nnote: 4 rows, 3 edges, 0.75 per row\n",
	    "edges of weight above 0");
	kith_run.verbose = true;
	kith_say_nnk_graph(&g, 5, true);
	is_text(said(),
	    "log: edges 3\nnote: 5 rows, 3 edges, 0.6 per row\n"
	    "note: 3 components, 2 isolated rows\nlog: components 3\n"
	    "log: isolated 2\n",
	    "components");
	kith_say_nnk_graph(&g, 4, false);
	is_text(said(), "log: edges 3\nnote: 4 rows, 3 edges, 0.75 per row\n", "not of a part");
}

int
main(void)
{
	test_nnk();
	test_graph();
	kith_pool_free(&pool);
	return done();
}
