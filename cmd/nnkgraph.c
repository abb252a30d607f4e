/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nnkgraph - a sparse graph of rows: each row is joined to the rows that represent it.
 *
 * 1. Read the rows, and with -t the reference; candidates, weights of features.
 * 2. Solve (nnk/nnk.h); warn where rounding forbids a proof of the weights.
 * 3. Make the graph symmetric, and print it; with --shard print all candidates of some rows.
 *
 * --merge joins shards and makes the graph symmetric; --check judges edges that were printed
 * before.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/sort.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "kernel/kern.h"
#include "la/mat.h"
#include "table/check.h"
#include "table/edges.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t k = 30;
static double radius, eta;
static struct kith_shard shard = {1, 1};
static struct kith_how how;
static const char *reference, *candidates, *weights_file, *edges_file;
static const char *sigma = "auto";
static struct kith_sigma bandwidth; /* sigma, parsed */
static int method, pool_of, kernel, symmetrize, scale = KITH_UNIT_ZSCORE;
static bool errors, merge;

static const struct kith_opt opts[] = {
    {'k', NULL, KITH_SIZE(&k, 1, 0x1p53), "consider the N nearest rows of each row [30]",
	"Which rows may be joined"},
    {'t', "train", KITH_FILE(&reference), "join each row to rows of FILE [to other rows]", NULL},
    {0, "radius", KITH_REAL(&radius, 0, DBL_MAX),
	"--method radius: join all rows within a distance of X", NULL},
    {0, "candidates", KITH_FILE(&candidates),
	"consider the pairs in FILE alone, columns from and to", NULL},
    {0, "method", KITH_CHOICE(&method, KITH_NNK_WORDS),
	"nnk: none behind another; knn, radius: all, by similarity; mp, omp: greedy; lle: local "
	"linear embedding; smooth, aew: fitted to all rows at once [nnk]",
	"How edges weigh"},
    {0, "kernel", KITH_CHOICE(&kernel, "gaussian|cosine|linear"),
	"the similarity of two rows [gaussian]", NULL},
    {0, "sigma", KITH_TEXT(&sigma, "S"),
	"width of the gaussian kernel: auto, median, local, a number [auto]", NULL},
    {0, "symmetrize", KITH_CHOICE(&symmetrize, KITH_SYMM_WORDS),
	"one weight a pair: of the row with the smaller error (node, error, paper), the larger, "
	"the "
	"smaller, the mean; none: directed edges [node; knn, radius: error; lle: mean; -t: none]",
	NULL},
    {0, "eta", KITH_REAL(&eta, 0, DBL_MAX), "nnk: penalty on weights; larger: fewer edges [0]",
	NULL},
    {0, "pool", KITH_CHOICE(&pool_of, "knn|all"),
	"mp, omp: choose among the -k nearest, or all [knn]", NULL},
    {'y', "target", KITH_COL(&how.target), "the class, left out; none: no column is [the last]",
	"Columns"},
    {'x', "features", KITH_LIST(&how.feature),
	"the columns to compare, as 'a:f,!*_id' [all others]", NULL},
    {0, "id", KITH_COL(&how.id), "the column of names of rows, for from and to", NULL},
    KITH_NA_OPTION(&how),
    KITH_SCALE_OPTION(&scale, "zscore; -w, cosine: none"),
    KITH_WEIGHTS_OPTION(&weights_file),
    {0, "errors", KITH_FLAG(&errors), "add a column: how badly its edges represent a row",
	"Output and proof"},
    {0, "check", KITH_FILE(&edges_file), "check that the directed edges in FILE are optimal", NULL},
    {0, "shard", KITH_SHARD(&shard), "print directed edges of the I-th of N blocks of rows",
	"Jobs in parts"},
    {0, "merge", KITH_FLAG(&merge), "join the FILEs of all --shard, one weight a pair", NULL},
    KITH_LAST_OPTIONS(&how, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "nnkgraph",
    .args = "[FILE]...",
    .about = "Join each row to the few rows that represent it best.",
    .examples = "  nnkgraph -y -1 -k 20 < train.tsv\n"
		"  nnkgraph -y -1 -t train.tsv test.tsv\n",
    .opts = opts,
    .gone = {{"--connect", "a larger -k, or eigenmap --component all"},
	{"--save-weights", "knife or relief learn weights of features"},
	{"--min-weight", "awk '$3 > X' takes the edges above X"},
	{"--full", "--shard 1/1 prints all candidates"},
	{"--rows", "the shards say how many rows there are; leave it out"},
	{"--distance", "the distance is always printed; leave it out"},
	{"--format", "cut -f 1-3 takes from, to and weight"},
	{"--pairs", "a factor F of K = F F' as features: see EXAMPLES of nnkgraph-methods(7)"},
	{"--reference-shard", "-t BLOCK for each block, then sort: see kith-cluster(7)"}},
};

struct run {
	struct kith_table known;   /* the reference, or without one the rows */
	struct kith_table asked;   /* the rows, where there is a reference */
	struct kith_node_names to; /* what the rows of known are called */
	struct kith_node_names asked_names;
	const struct kith_node_names *from; /* what the rows are called: to, or asked_names */
	struct kith_weights weights;
	struct kith_nnk_rows rows;
	struct kith_nnk_how how;
	struct kith_graph given; /* --candidates */
	struct kith_graph claim; /* --check */
	enum kith_symm rule;
	struct kith_pool *pool;
};

/* ---- The call ---- */

static const struct kith_nnk_traits *
traits(void)
{
	return &kith_nnk_traits[method];
}

/* Whether the method and the kernel have a bandwidth. */
static bool
is_gaussian(void)
{
	return kith_nnk_has_bandwidth((enum kith_nnk_method)method, (enum kith_kern_kind)kernel);
}

/* Whether the kernel is the cosine: the rows of the smallest angles are the nearest. */
static bool
is_cosine(void)
{
	return traits()->kernel && kernel == KITH_KERN_COSINE;
}

/* Ends with a wrong call where the method's lists cannot be made symmetric by this rule. */
static void
check_rule(enum kith_symm rule)
{
	const struct kith_rule rules[] = {
	    {method == KITH_NNK_LLE_SIGNED && rule != KITH_SYMM_NONE,
		"--method lle-signed needs --symmetrize none"},
	    {kith_symm_compares(rule) && !traits()->kernel,
		"--symmetrize node, error and paper compare errors; those of lle and lle-gram do "
		"not"},
	};

	kith_obey(rules, sizeof(rules) / sizeof(*rules));
}

/* Ends with a wrong call where options do not go together. */
static void
check_call(enum kith_symm rule)
{
	const bool both = rule != KITH_SYMM_NONE, part = kith_given(&shard);
	const bool joint = traits()->joint, within = method == KITH_NNK_RADIUS;
	const struct kith_rule rules[] = {
	    {merge && reference, "--merge and -t exclude each other"},
	    {merge && edges_file, "--merge and --check exclude each other"},
	    {merge && part, "--merge and --shard exclude each other"},
	    {part && how.id, "--shard and --id exclude each other: --merge reads numbers of rows"},
	    {edges_file && part, "--check and --shard exclude each other"},
	    {edges_file && both, "--check needs --symmetrize none"},
	    {edges_file && method != KITH_NNK && method != KITH_NNK_SMOOTH,
		"--check needs --method nnk or smooth"},
	    {scale && is_cosine(), "--kernel cosine takes no --scale: it is of angles"},
	    {joint && kith_given(&symmetrize), "--method smooth and aew exclude --symmetrize"},
	    {joint && reference, "--method smooth and aew exclude -t"},
	    {joint && part, "--method smooth and aew exclude --shard"},
	    {method == KITH_NNK_AEW && bandwidth.rule == KITH_SIGMA_LOCAL,
		"--method aew starts from one --sigma, not local ones"},
	    {reference && both, "-t needs --symmetrize none"},
	    {part && both, "--shard needs --symmetrize none"},
	    {within && !kith_given(&radius), "--method radius needs --radius X"},
	    {within && candidates, "--method radius finds its own candidates"},
	    {traits()->pursuit && pool_of && candidates,
		"--pool all and --candidates exclude each other"},
	};

	kith_obey(rules, sizeof(rules) / sizeof(*rules));
	if (!merge)
		check_rule(rule);
}

/* Warns of options that change nothing, or with --merge stay unread. */
static void
warn_unused(void)
{
	static const void *const unread[] = {&method, &radius, &pool_of, &eta, &candidates, &how.id,
	    &k, &kernel, &sigma, &weights_file, &scale, &how.format.threads, &how.target,
	    &how.feature, &how.na, &how.format.sep, &how.format.no_header};
	const char *const of = traits()->option;
	const bool fixed = bandwidth.rule == KITH_SIGMA_FIXED;
	const struct kith_idle options[] = {
	    {method != KITH_NNK_RADIUS, &radius, of},
	    {method != KITH_NNK, &eta, of},
	    {!traits()->pursuit, &pool_of, of},
	    {(candidates || method == KITH_NNK_RADIUS) && !traits()->pursuit &&
		    method != KITH_NNK_SMOOTH && (!is_gaussian() || fixed),
		&k, "the candidates and bandwidth given"},
	    {!traits()->kernel, &kernel, of},
	    {!is_gaussian(), &sigma, traits()->kernel ? "this --kernel" : of},
	    {edges_file, &errors, "--check"},
	    {traits()->joint, &errors, of},
	};

	for (size_t i = 0; merge && i < sizeof(unread) / sizeof(*unread); i++)
		kith_unused(unread[i], "--merge");
	if (!merge)
		kith_unused_all(options, sizeof(options) / sizeof(*options));
}

/* ---- Input ---- */

/* Reads the rows, the reference and the weights; scales the rows by the reference. */
static int
read_tables(struct run *run, const char *const *files, struct kith_err *err)
{
	const char *const references[] = {reference, NULL};
	struct kith_table *known = &run->known, *asked = &run->asked;
	struct kith_how query;
	struct kith_origin from, asked_from;
	struct kith_unit unit;

	how.targetless = true;
	how.no_target = how.feature != NULL;
	how.task = KITH_ASIDE;
	how.changed = weights_file || scale;
	query = how;
	query.format.allow_no_rows = true;
	if (kith_table_read(reference ? references : files, &how, NULL, known, run->pool, err) ||
	    kith_node_names_of(known, &run->to, run->pool, err))
		return -1;
	if (reference &&
	    (kith_table_read(files, &query, known, asked, run->pool, err) ||
		kith_node_names_of(asked, &run->asked_names, run->pool, err)))
		return -1;
	run->from = reference ? &run->asked_names : &run->to;
	if (kith_weights_read_for(
		weights_file, KITH_WEIGHTS_CLIP, known, asked, &run->weights, run->pool, err))
		return -1;
	from = kith_table_origin(known, &run->weights.metric);
	asked_from = kith_table_origin(asked, &run->weights.metric);
	return kith_unit_scale(scale, &known->X, &from, asked->X.n ? &asked->X : NULL, &asked_from,
	    &unit, run->pool, err);
}

static int
read_rows(struct run *run, const char *const *files, struct kith_err *err)
{
	const char *const lists[] = {candidates, NULL};
	const enum kith_kern_kind kind = traits()->kernel ? run->how.kernel : KITH_KERN_GAUSSIAN;
	/* --method knn takes any metric with the gaussian kernel; other methods need a kernel. */
	const bool any = method == KITH_NNK_KNN && is_gaussian();
	size_t m;

	if (read_tables(run, files, err) ||
	    (!any &&
		kith_weights_kernel(
		    kind, &run->weights.metric, weights_file, &run->known, &run->asked, err)))
		return -1;
	if (!how.target && run->known.target)
		kith_remark(run->known.fractions ? KITH_WARNING : KITH_NOTE, run->known.file,
		    run->known.head, "column " KITH_NAME " is left out as the target%s",
		    run->known.target,
		    run->known.fractions ? ": it holds numbers that are not whole (-y none?)" : "");
	if (kith_warn_weights(&run->weights.needs, scale, err))
		return -1;
	if (!weights_file && !scale)
		kith_warn_scales(&run->known, KITH_WARN_UNITS);
	kith_warn_outside(&run->known, &run->asked);
	run->rows = (struct kith_nnk_rows){.X = &run->known.X,
	    .metric = &run->weights.metric,
	    .Z = reference ? &run->asked.X : NULL,
	    .threads = how.format.threads};
	m = run->from->n;
	run->rows.first = (shard.i - 1) * m / shard.n;
	run->rows.m = shard.i * m / shard.n - run->rows.first;
	kith_log_size("rows", m);
	kith_log_size("reference", run->known.X.n);
	kith_log_size("features", run->known.X.p);
	if (!candidates)
		return 0;
	if (kith_edges_read(lists, &(struct kith_edges_how){.from = run->from, .to = &run->to},
		&run->given, run->pool, err))
		return -1;
	run->given.first = run->rows.first;
	run->given.m = run->rows.m;
	run->given.start += run->rows.first;
	return 0;
}

/* ---- Messages ---- */

static void
log_solution(const struct kith_nnk *nnk)
{
	if (nnk->sigma > 0)
		kith_log_real("sigma", nnk->sigma);
	if (!traits()->joint)
		kith_log_search(&nnk->search);
	if (method == KITH_NNK_SMOOTH) {
		kith_log_real("theta", nnk->theta);
		kith_log_size("steps", nnk->iterations);
	}
	if (method != KITH_NNK_AEW) {
		kith_log_real("residual", nnk->residual);
		return;
	}
	kith_log_real("start", nnk->start);
	kith_log_real("objective", nnk->objective);
	kith_log_real("gradient", nnk->gradient);
	kith_log_size("iterations", nnk->iterations);
}

/* Warns of weights that are not solved or not proved; the status, 0 or 1. */
static int
warn_of_solution(const struct kith_nnk *nnk)
{
	const bool judged = method == KITH_NNK || method == KITH_NNK_SMOOTH;
	double worst = 0;

	if (nnk->flat)
		kith_warn("the distances to the k-th neighbour are all 0: sigma is 1");
	if (nnk->lost)
		kith_warn("%zu rows whose weights are all too small for a double (a larger "
			  "--sigma?)",
		    nnk->lost);
	for (size_t i = 0; judged && i < KITH_NNK_CHECKS; i++)
		worst = fmax(worst, nnk->proof[i].value);
	if (judged && !kith_check_all_ok(nnk->proof, KITH_NNK_CHECKS))
		kith_warn("rounding forbids a proof of the weights: a condition is off by %g "
			  "(--check; tabscale?)",
		    worst);
	else if (!judged && nnk->residual > traits()->exact)
		kith_warn("worst KKT residual %g: weights may be off", nnk->residual);
	else if (method == KITH_NNK_AEW && !nnk->converged)
		kith_warn("bandwidths of features not converged after %zu iterations: a "
			  "derivative of %g is left",
		    nnk->iterations, nnk->gradient);
	else
		return 0;
	return 1;
}

/* The first row of the component of row i: parent[i] is a row of it before row i, or i. */
static size_t
first_of(size_t *parent, size_t i)
{
	while (parent[i] != i)
		i = parent[i] = parent[parent[i]];
	return i;
}

/*
 * Logs how many edges a graph has; of all rows its components and rows without an edge, too.  Warns
 * where copies of rows make it fall into components of 1 or 2 rows; --merge does not read the rows.
 */
static void
report_graph(const struct run *run, const struct kith_graph *graph)
{
	const size_t n = run->to.n;
	struct kith_pool tmp = {0};
	size_t *parent, *size, *point, *count;
	size_t edges = 0, components = 0, isolated = 0, copies = 0;

	for (size_t e = 0; e < graph->start[graph->m]; e++)
		edges += graph->w[e] != 0;
	kith_log_size("edges", edges);
	if (run->from != &run->to || graph->m != n)
		return;
	KITH_NEW_SIZES(&tmp, n, 1, &parent, &size, &point, &count);
	for (size_t i = 0; i < n; i++)
		parent[i] = i;
	for (size_t i = 0; i < n; i++)
		for (size_t e = graph->start[i]; e < graph->start[i + 1]; e++)
			if (graph->w[e] != 0) {
				const size_t a = first_of(parent, i);
				const size_t b = first_of(parent, graph->to[e]);

				parent[a > b ? a : b] = a > b ? b : a;
			}
	if (!merge)
		kith_points_find(&run->known.X, point);
	for (size_t i = 0; i < n; i++) {
		parent[i] = parent[parent[i]]; /* the first, as that of parent[i] is known */
		size[parent[i]]++;
		count[point[i]]++;
	}
	for (size_t i = 0; i < n; i++) {
		const size_t first = parent[i];

		components += first == i;
		isolated += size[first] == 1;
		copies += first == i ? size[i] == 1 && count[point[i]] > 1
				     : size[first] == 2 && point[first] == point[i];
	}
	kith_log_size("components", components);
	kith_log_size("isolated", isolated);
	if (!merge && components > 1 && copies > 0)
		kith_warn("%zu of %zu components are 1 or 2 rows that are copies (leave copies "
			  "out?)",
		    copies, components);
	kith_pool_free(&tmp);
}

/* ---- The graph ---- */

/*
 * Prints lists, made symmetric if they are to be; of a shard the comment line and all candidates,
 * too.
 */
static int
print_graph(struct run *run, struct kith_graph *lists, const struct kith_edges_shard *of,
    struct kith_out *out, struct kith_err *err)
{
	const struct kith_edges_form form = {run->from, &run->to, errors || of, of};
	struct kith_graph graph = *lists;

	if (run->rule == KITH_SYMM_NONE)
		kith_graph_sort(&graph, run->to.n);
	else
		kith_symmetrize(lists, run->rule, &graph, run->pool);
	report_graph(run, &graph);
	return kith_edges_write(&graph, &form, kith_output(), out, err);
}

/* The method of a shard and the options that its weights depend on, in the pool. */
static const char *
describe_options(struct run *run, double bandwidth_found)
{
	static const char *const kernels[] = {"gaussian", "cosine", "linear"};
	const bool within = method == KITH_NNK_RADIUS, penalty = method == KITH_NNK && eta > 0;
	char size[KITH_NUM_ROOM], of_eta[KITH_NUM_ROOM], width[KITH_NUM_ROOM] = "local";

	kith_format_size(size, k);
	if (within)
		kith_format_real(size, radius);
	kith_format_real(of_eta, eta);
	if (bandwidth_found > 0)
		kith_format_real(width, bandwidth_found);
	return kith_text(run->pool, "%s%s%s%s%s%s%s%s --scale %s%s%s", traits()->option,
	    within ? " --radius " : " -k ", size, traits()->pursuit && pool_of ? " --pool all" : "",
	    penalty ? " --eta " : "", penalty ? of_eta : "", traits()->kernel ? " --kernel " : "",
	    traits()->kernel ? kernels[kernel] : "", kith_unit_words[scale],
	    is_gaussian() ? " --sigma " : "", is_gaussian() ? width : "");
}

/* Prints the graph; with --check the verdict on given edges. */
static int
run_rows(struct run *run, struct kith_out *out, struct kith_err *err)
{
	const char *const files[] = {edges_file, NULL};
	const struct kith_edges_how due = {.from = run->from, .to = &run->to, .weights = true};
	struct kith_edges_shard of = {shard.i, shard.n,
	    reference ? run->asked.read : run->known.read, reference ? run->known.read : 0, NULL};
	struct kith_nnk nnk;
	int status;

	if (edges_file) {
		if (kith_edges_read(files, &due, &run->claim, run->pool, err))
			return -1;
		run->how.claim = &run->claim;
	}
	if (kith_nnk(&run->rows, &run->how, &nnk, run->pool, err))
		return -1;
	if (edges_file)
		return kith_check_write(nnk.proof, KITH_NNK_CHECKS, kith_output(), out, err);
	log_solution(&nnk);
	status = warn_of_solution(&nnk);
	if (kith_given(&shard))
		of.how = describe_options(run, nnk.sigma);
	return print_graph(run, &nnk.graph, of.how ? &of : NULL, out, err) ? -1 : status;
}

/* Sets the method to that of a shard. */
static int
find_method(const char *of, struct kith_err *err)
{
	for (method = 0; method <= KITH_NNK_AEW; method++) {
		const size_t length = strlen(traits()->option);

		if (strncmp(of, traits()->option, length) == 0 &&
		    (of[length] == ' ' || of[length] == '\0') && !traits()->joint)
			return 0;
	}
	return kith_fail(err, EX_DATAERR, "shards of no method: " KITH_CELL, of);
}

/* --merge: the shards of the files become the graph. */
static int
run_merge(struct run *run, const char *const *files, struct kith_out *out, struct kith_err *err)
{
	struct kith_edges_shard of;
	struct kith_graph lists;

	if (kith_edges_merge(files, &of, &lists, run->pool, err) || find_method(of.how, err))
		return -1;
	for (size_t e = 0; e < lists.start[lists.m] && method != KITH_NNK_LLE_SIGNED; e++)
		if (lists.w[e] < 0)
			return kith_fail(err, EX_DATAERR, "a weight below 0, which %s has not",
			    traits()->option);
	run->to = (struct kith_node_names){.n = of.others ? of.others : of.rows};
	run->asked_names = (struct kith_node_names){.n = of.rows};
	run->from = of.others ? &run->asked_names : &run->to;
	if (!kith_given(&symmetrize))
		run->rule = of.others ? KITH_SYMM_NONE : traits()->rule;
	if (of.others && run->rule != KITH_SYMM_NONE)
		kith_misuse("edges to the rows of -t need --symmetrize none");
	check_rule(run->rule);
	return print_graph(run, &lists, NULL, out, err);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run run = {.pool = pool};
	const bool part = kith_given(&shard);

	if (kith_sigma_parse(sigma, &bandwidth))
		kith_misuse(
		    "bad --sigma: " KITH_CELL " (auto, median, local or a number above 0)", sigma);
	run.rule = (enum kith_symm)symmetrize;
	if (!kith_given(&symmetrize) && !merge)
		run.rule = reference || edges_file || part ? KITH_SYMM_NONE : traits()->rule;
	if (!kith_given(&scale) && (weights_file || is_cosine()))
		scale = KITH_UNIT_NONE;
	check_call(run.rule);
	warn_unused();
	run.how = (struct kith_nnk_how){.method = (enum kith_nnk_method)method,
	    .kernel = (enum kith_kern_kind)kernel,
	    .k = k,
	    .radius = radius,
	    .eta = method == KITH_NNK ? eta : 0,
	    .all = traits()->pursuit && pool_of,
	    .errors = errors || part || kith_symm_compares(run.rule),
	    .sigma = bandwidth,
	    .given = candidates ? &run.given : NULL};
	if (merge)
		return run_merge(&run, files, out, err);
	return read_rows(&run, files, err) ? -1 : run_rows(&run, out, err);
}
