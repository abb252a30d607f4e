/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/say: what is noted, logged and warned of, word by word. */
#include "base/names.h"
#include "base/pool.h"
#include "graph/embed.h"
#include "graph/graph.h"
#include "graph/propagate.h"
#include "said.h"
#include "say/choice.h"
#include "say/constant.h"
#include "say/embedded.h"
#include "say/labelprop.h"
#include "say/needs.h"
#include "say/search.h"
#include "say/vote.h"
#include "table/needs.h"
#include "table/predicted.h"
#include "table/table.h"
#include "table/trial.h"
#include "tap.h"
#include "vote/ballot.h"

#include <math.h>

static char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
static char *const names[] = {a, b, c, d};
static const struct kith_names four = {.name = (char **)names, .n = 4};

static void
test_constant(void)
{
	bool flag[] = {false, true, false, false};
	double v[] = {1, 2, 1, 3, 1, 4, 2, 3};
	struct kith_table t = {.X = {2, 4, v}, .feature = four};

	kith_say_constant(&four, (const bool[4]){false}, "left out");
	is_text(said(), "", "none");
	kith_say_constant(&four, flag, NULL);
	is_text(said(), "warning: column \"b\" is constant\n", "one");
	flag[3] = true;
	kith_say_constant(&four, flag, "left out");
	is_text(said(), "warning: columns \"b\" and \"d\" are constant: left out\n", "two");
	flag[0] = true;
	kith_say_constant(&four, flag, NULL);
	is_text(said(), "warning: 3 columns are constant: \"a\", \"b\", \"d\"\n", "three");
	flag[2] = true;
	kith_say_constant(&four, flag, "left out");
	is_text(said(),
	    "warning: 4 columns are constant: left out: \"a\", \"b\", \"c\", "
	    "...\n",
	    "more");
	kith_say_constant_in(&t);
	is_text(said(), "warning: columns \"a\" and \"d\" are constant\n", "of a table");
}

static void
test_choice(void)
{
	struct kith_trial_form form = {
	    .key = {{.name = "drop"}, {.name = NULL}, {.name = "k"}}, .keys = 3};
	struct kith_trial t = {.key = {1, 7, 5}, .error = .25, .se = .125};

	kith_say_choice(&form, &t);
	is_text(said(),
	    "log: drop 1\nlog: k 5\nlog: error 0.25\nlog: se 0.125\n"
	    "say: chosen: --drop 1 -k 5 (error 0.25, se 0.125)\n",
	    "parameters and error");
	form.regress = true;
	t.key[2] = t.se = NAN;
	kith_say_choice(&form, &t);
	is_text(said(), "log: drop 1\nlog: rmse 0.25\nsay: chosen: --drop 1 (rmse 0.25)\n",
	    "of numbers, and what is not known");
}

static void
test_needs(void)
{
	struct kith_needs needs = {.file = "w"};

	ok(kith_say_needs_sigma(&needs, 3, true) >= 3, "its own");
	is_text(said(), "", "nothing is said");
	needs.sigma = 2;
	needs.unknowns = 1;
	strcpy(needs.unknown, "x");
	ok(kith_say_needs_sigma(&needs, 3, false) <= 2, "that of the table");
	is_text(
	    said(), "log: unknown notes w: \"x\" (1 in all)\nlog: sigma 2\n", "which is logged");
	needs.unknowns = 3;
	ok(kith_say_needs_sigma(&needs, 3, true) >= 3, "that which is given");
	is_text(said(),
	    "log: unknown notes w: \"x\" (3 in all)\n"
	    "warning: --sigma 3, but w was found with sigma 2\n",
	    "is another");
	needs.unknowns = 0;
	kith_say_needs_sigma(&needs, 2, true);
	is_text(said(), "", "or the same");
}

static void
test_vote(void)
{
	double sigma[] = {.25, 0, 4};
	struct kith_predicted out = {
	    .nk = 3, .sigma = sigma, .flat = true, .search = {"tree", NAN}};

	kith_say_vote_rows(3, &(struct kith_mat){5, 2, NULL});
	is_text(said(),
	    "log: rows 3\n"
	    "log: reference 5\nlog: features 2\n",
	    "rows");
	kith_say_vote_sigma(&out);
	is_text(said(),
	    "log: search tree\n"
	    "warning: the distances to the k-th neighbour are all 0: sigma is "
	    "1\nlog: sigma 0.25\nlog: sigma 4\n",
	    "bandwidths");
	out.flat = false;
	out.nk = 1;
	out.search = (struct kith_knn_choice){"leaves", .5};
	kith_say_vote_sigma(&out);
	is_text(said(),
	    "log: search leaves\nlog: leaves over products 0.5\n"
	    "log: sigma 0.25\n",
	    "of one k");
	kith_say_search(&(struct kith_knn_choice){NULL, 1});
	is_text(said(), "", "nothing");
}

static void
test_labels(void)
{
	const struct kith_prop_labels labels = {.c = 3};
	struct kith_undirected g = {.W = {.n = 9}, .edges = 12, .components = 1};
	struct kith_prop p = {.graph = &g, .labels = &labels, .n_free = 7, .unreached = 2};
	struct kith_prop_solved s = {.solver = KITH_PROP_CG, .iterations = 4};

	kith_say_prop_graph(&p, 5);
	g.components = 2;
	is_text(said(),
	    "log: rows 9\nlog: labels 5\nlog: edges 12\nlog: components 1\n"
	    "log: unreached 2\n",
	    "a graph");
	kith_say_prop_graph(&p, 5);
	ok(strstr(said(), "log: components 2\n"), "of several components");
	kith_say_prop_solved(&p, &s);
	is_text(said(),
	    "log: equations 7\nlog: right sides 3\n"
	    "log: solver conjugate gradients\nlog: iterations 4\n",
	    "how it was solved");
	s = (struct kith_prop_solved){.solver = KITH_PROP_CHOLESKY, .fill = 1};
	kith_say_prop_solved(&p, &s);
	is_text(said(),
	    "log: equations 7\nlog: right sides 3\n"
	    "log: solver Cholesky factor\nlog: fill 1\n",
	    "by a factor");
	s = (struct kith_prop_solved){.solver = KITH_PROP_GTH};
	kith_say_prop_solved(&p, &s);
	ok(strstr(said(), "log: solver elimination without subtraction\n"), "or by elimination");
	s.solver = KITH_PROP_NONE;
	kith_say_prop_solved(&p, &s);
	ok(strstr(said(), "log: solver none\n"), "or not at all");
}

static void
test_proof(void)
{
	size_t y = 0;
	struct kith_prop_proof proof = {.y = &y,
	    .tied = 3,
	    .undecided = 4,
	    .check = {{"residual", .5, 1}, {"undecided", 4, 0}, {"error", 2, NAN}},
	    .n = 1};

	ok(kith_say_prop_proof(&proof) == 0, "proved");
	is_text(said(), "log: tied 3\nlog: undecided 4\nlog: residual 0.5\n", "and logged");
	proof.n = 3;
	ok(kith_say_prop_proof(&proof) == 1, "not all classes are decided");
	is_text(strstr(said(), "warning"),
	    "warning: 4 rows whose class is not decided: the weights of the "
	    "graph are too far apart\n",
	    "which is said; nothing of what is open");
	proof.y = NULL;
	proof.check[0].value = 2;
	proof.n = 1;
	ok(kith_say_prop_proof(&proof) == 1, "a residual");
	is_text(said(),
	    "log: residual 2\n"
	    "warning: scores cannot be certified: residual 2 (--check)\n",
	    "said");
}

static double y[] = {1, 2, NAN, NAN, 3, NAN, 4, 5}, value[] = {.1, .2, .3};
static double other[] = {.5, INFINITY, NAN};

/* A component that is as it should be, and one that is not. */
static const struct kith_embedded good = {
    .d = 2, .value = value, .worst = 1e-13, .angle = 1e-4, .products = 7, .factored = true};
static const struct kith_embedded bad = {.d = 2,
    .value = other,
    .worst = 2e-12,
    .angle = 2e-3,
    .turned = 1,
    .missed = 2,
    .products = 5,
    .equal = 2};

static void
test_embedded(void)
{
	struct kith_embedded part[] = {good, bad};
	const struct kith_embedding one = {1, 2, y, part, 1};
	const struct kith_embedding two = {4, 2, y, part, 2};

	ok(kith_say_embedded(&one, false) == 0, "one component");
	is_text(said(),
	    "log: embedded 1\nlog: solved factor\nlog: eigenvalue 0.1\n"
	    "log: eigenvalue 0.2\nlog: next 0.3\nlog: products 7\n"
	    "log: residual 1e-13\nlog: angle 0.0001\nlog: equal 0\n"
	    "log: counted yes\n",
	    "is logged");
	ok(kith_say_embedded(&two, true) == 1, "two components");
	is_text(said(),
	    "log: embedded 3\n"
	    "warning: 1 of 4 nodes have no coordinates: no edges\n"
	    "warning: 1 nodes have less than 2 coordinates: their components "
	    "are small\n"
	    "warning: eigenvalues 1 and 2 are nearly equal (0.5), and others: "
	    "what their coordinates span is unique, not the coordinates\n"
	    "log: products 12\nlog: residual 2e-12\nlog: angle 0.002\n"
	    "log: equal 2\nlog: counted yes\n"
	    "warning: worst residual 2e-12: coordinates may be off\n"
	    "warning: e2 may be off by 0.002 of its length, as eigenvalues "
	    "near inf differ by less than rounding\n"
	    "warning: eigenvalues up to inf that were not found: 2\n"
	    "warning: eigenvalue 2 is too large for a number\n",
	    "all that may be wrong");
}

/* Nodes without coordinates are counted, the first one, too. */
static void
test_first(void)
{
	double lost[] = {NAN, NAN, 1, 2, 3, NAN, NAN, NAN};
	struct kith_embedded part = good;
	const struct kith_embedding map = {4, 2, lost, &part, 1};

	kith_say_embedded(&map, true);
	ok(strstr(said(),
	       "log: embedded 2\n"
	       "warning: 2 of 4 nodes have no coordinates: no edges\n"
	       "warning: 1 nodes have less than 2 coordinates: "),
	    "the first and the last");
	part.worst = KITH_EMBED_RESIDUAL;
	part.angle = KITH_EMBED_ANGLE;
	ok(kith_say_embedded(&map, true) == 0 && !strstr(said(), "may be off"),
	    "at the limits nothing is off");
}

/* What is told of one component. */
static void
test_component(void)
{
	struct kith_embedded part = good;
	struct kith_embedding map = {2, 2, y, &part, 1};

	part.missed = NAN;
	part.dense = true;
	part.equal = 1;
	part.first_equal = 1;
	part.splits_equal = true;
	ok(kith_say_embedded(&map, false) == 0, "what was not counted");
	is_text(said(),
	    "log: embedded 1\nwarning: 1 of 2 nodes have no coordinates: not "
	    "in the largest component (--component all?)\n"
	    "warning: eigenvalues 2 and 3 are nearly equal (0.2): what their "
	    "coordinates span is unique, not the coordinates; nor that, where "
	    "the last and the next one are equal (--dims?)\n"
	    "log: solved dense\nlog: eigenvalue 0.1\nlog: eigenvalue 0.2\n"
	    "log: next 0.3\nlog: products 7\nlog: residual 1e-13\n"
	    "log: angle 0.0001\nlog: equal 1\nlog: counted no\n",
	    "is no error");
	part = bad;
	other[1] = .6;
	part.worst = part.angle = part.missed = 0;
	part.equal = 0;
	map.n = 1;
	ok(kith_say_embedded(&map, false) == 0, "all is well");
	ok(strstr(said(),
	       "log: solved products\nlog: eigenvalue 0.5\n"
	       "log: eigenvalue 0.6\nlog: products 5\n"),
	    "a value that is not there is not logged");
}

int
main(void)
{
	test_constant();
	test_choice();
	test_needs();
	test_vote();
	test_labels();
	test_proof();
	test_embedded();
	test_first();
	test_component();
	return done();
}
