/* SPDX-License-Identifier: BSD-2-Clause */
/* nnkgraph - join each row to the rows that represent it. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "kernel/kern.h"
#include "nnk/methods.h"
#include "nnk/nnk.h"
#include "nnk/symm.h"
#include "say/doubt.h"
#include "say/nnk_blocks.h"
#include "say/nnk_read.h"
#include "say/nnk_run.h"
#include "table/edges.h"
#include "table/graph.h"
#include "table/input.h"
#include "table/table.h"
#include "text/out.h"

#include <float.h>

static size_t k = 30, threads = 1, rows;
static double radius, eta, min_weight = 1e-10;
static struct kith_shard shard = {1, 1}, block = {1, 1};
static struct kith_how how;
static const char *reference, *candidates, *weights_file, *edges_file;
static const char *saved;
static const char *sigma = "auto";
static int method, pool_of, kernel, symmetrize, format, pairs;
static bool distance, errors, full, merge, connected;

static const struct kith_opt opts[] = {
    {'k', NULL, KITH_SIZE(&k, 1, 0x1p53), "candidates: the N nearest rows [30]"},
    {0, "method", KITH_CHOICE(&method, kith_nnk_words),
	"how weights of candidates are computed [nnk]"},
    {0, "radius", KITH_REAL(&radius, 0, DBL_MAX), "radius: candidates are all rows within X"},
    {0, "pool", KITH_CHOICE(&pool_of, "knn|all"),
	"mp, omp: choose from the candidates, or all rows [knn]"},
    {0, "eta", KITH_REAL(&eta, 0, DBL_MAX), "nnk: a penalty of X times the sum of the weights [0]"},
    {0, "kernel", KITH_CHOICE(&kernel, "gaussian|cosine|linear"),
	"how similar two rows are [gaussian]"},
    {0, "sigma", KITH_TEXT(&sigma, "S"), "gaussian: auto, median, local or a number [auto]"},
    {0, "symmetrize", KITH_CHOICE(&symmetrize, "node|error|paper|max|min|mean|none"),
	"one weight per pair [node; knn, radius: error; lle: mean; -t: none]"},
    {0, "connect", KITH_FLAG(&connected), "add the shortest edges that make one component"},
    {'t', "train", KITH_FILE(&reference), "edges go to the rows of FILE"},
    {0, "candidates", KITH_FILE(&candidates), "candidates are the edges of FILE, from and to"},
    {0, "pairs", KITH_CHOICE(&pairs, "distance|similarity"),
	"FILE has this of its pairs; features are not read"},
    {'w', "weights", KITH_FILE(&weights_file), "weigh features as FILE says"},
    {0, "save-weights", KITH_FILE(&saved), "aew: write the weights of the features to FILE"},
    {0, "min-weight", KITH_REAL(&min_weight, 0, 1),
	"no edge up to X times the row's largest [1e-10]"},
    {0, "distance", KITH_FLAG(&distance), "print the distance of each edge"},
    {0, "errors", KITH_FLAG(&errors), "print the local error of its row"},
    {0, "full", KITH_FLAG(&full), "print all candidates, of weight 0 too"},
    {0, "format", KITH_CHOICE(&format, "tsv|ncol"), "a table, or lines without header [tsv]"},
    {0, "check", KITH_FILE(&edges_file), "check the directed edges of FILE"},
    {0, "merge", KITH_FLAG(&merge), "symmetrize edges that --full printed"},
    {0, "rows", KITH_SIZE(&rows, 1, 0x1p53), "merge: there are N rows"},
    {0, "shard", KITH_SHARD(&shard), "edges from the I-th of N blocks of rows"},
    {0, "reference-shard", KITH_SHARD(&block), "knn, radius: to the I-th of N blocks; for --merge"},
    {'y', "target", KITH_COL(&how.target), "COL is no feature [none]"},
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_THREADS_OPTION(&threads),
    KITH_TABLE_OPTIONS_BUT_FORMAT(&how.format),
    KITH_COMMON_OPTIONS,
    {0},
};

static const struct kith_tool tool = {
    .name = "nnkgraph",
    .args = "[FILE]...",
    .about = "Join each row to the few rows that represent it best.",
    .examples = "  nnkgraph -y -1 -k 20 < train.tsv\n"
		"  nnkgraph -y -1 --symmetrize none -t train.tsv test.tsv\n",
    .opts = opts,
};

static const struct kith_nnk_method_row *
way(void)
{
	return &kith_nnk_methods[method];
}

/* What is known of pairs. */
static enum kith_pairs_of
pairs_of(void)
{
	if (!kith_given(&pairs))
		return KITH_PAIRS_NONE;
	return pairs ? KITH_PAIRS_SIMILARITY : KITH_PAIRS_DISTANCE;
}

/* Whether weights are those of a kernel with a bandwidth. */
static bool
is_gaussian(void)
{
	return way()->takes_sigma ||
	    (way()->takes_kernel && kernel == KITH_KERN_GAUSSIAN &&
		pairs_of() != KITH_PAIRS_SIMILARITY);
}

/* Whether two errors decide on an edge. */
static bool
compares(void)
{
	return symmetrize <= KITH_SYMM_PAPER;
}

/* What --sigma says. */
static struct kith_sigma
bandwidth(void)
{
	struct kith_sigma s;

	if (!kith_sigma_parse(sigma, &s))
		return s;
	kith_misuse("bad --sigma: " KITH_CELL " (auto, median, local or a number above 0)", sigma);
}

/* End with a wrong call where others do not go with --pairs. */
static void
check_pairs(void)
{
	const bool nnk = method == KITH_NNK;
	const bool fitted = is_gaussian() && bandwidth().rule <= KITH_SIGMA_MEDIAN;
	const struct kith_rule rule[] = {
	    {!candidates, "--pairs needs --candidates FILE"},
	    {!nnk && method != KITH_NNK_KNN,
		"--pairs is for --method nnk and knn: others need the rows"},
	    {edges_file, "--check and --pairs exclude each other"},
	    {pairs && distance, "--pairs similarity gives no --distance"},
	    {!pairs && kernel, "--pairs distance gives the gaussian kernel alone"},
	    {reference && nnk,
		"--pairs with -t needs --method knn: nnk needs pairs of rows "
		"of the reference"},
	    {reference && (errors || full),
		"--pairs with -t gives no errors: --errors and --full need "
		"pairs of rows of the reference"},
	    {reference && fitted,
		"--pairs with -t needs --sigma local or a number: a bandwidth "
		"is that of the reference"},
	};

	if (pairs_of() && !merge)
		kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where others do not go with --connect. */
static void
check_connect(void)
{
	const struct kith_rule rule[] = {
	    {kith_given(&shard),
		"--connect and --shard exclude each other (--merge "
		"--connect?)"},
	    {edges_file, "--connect and --check exclude each other"},
	    {merge && !reference, "--merge --connect needs the rows (-t FILE)"},
	    {!merge && reference, "--connect and -t exclude each other"},
	    {symmetrize == KITH_SYMM_NONE && !way()->joint,
		"--connect and --symmetrize none exclude each other"},
	    {!way()->takes_kernel,
		"--connect needs --method nnk, knn, radius, mp or omp: its "
		"weights are kernels"},
	    {!merge && pairs_of(), "--connect and --pairs exclude each other: it needs the rows"},
	};

	if (connected)
		kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where others do not go with blocks of the reference. */
static void
check_blocks(void)
{
	const bool fitted = is_gaussian() && bandwidth().rule != KITH_SIGMA_FIXED;
	const struct kith_rule rule[] = {
	    {method != KITH_NNK_KNN && !way()->takes_radius,
		"--reference-shard needs --method knn or radius"},
	    {symmetrize != KITH_SYMM_NONE, "--reference-shard needs --symmetrize none"},
	    {fitted,
		"--reference-shard needs a number as --sigma: others are of "
		"all rows"},
	    {merge || edges_file || candidates,
		"--reference-shard takes no --merge, --check and --candidates"},
	    {how.id,
		"--reference-shard takes no --id: blocks are merged by "
		"numbers"},
	    {how.na == KITH_NA_MEAN, "--reference-shard takes no --na mean: it is of all rows"},
	    {errors || full, "--reference-shard takes no --errors and --full"},
	    {format != KITH_EDGES_TSV, "--reference-shard takes no --format ncol"},
	};

	if (kith_given(&block))
		kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool both = symmetrize != KITH_SYMM_NONE, part = kith_given(&shard);
	const bool by_radius = way()->takes_radius;
	const struct kith_rule rule[] = {
	    {merge && !rows, "--merge needs --rows N"},
	    {!merge && rows, "--rows needs --merge"},
	    {merge && reference && !connected, "--merge and -t exclude each other"},
	    {merge && edges_file, "--merge and --check exclude each other"},
	    {merge && part, "--merge and --shard exclude each other"},
	    {edges_file && part, "--check and --shard exclude each other"},
	    {edges_file && both, "--check needs --symmetrize none"},
	    {edges_file && method && method != KITH_NNK_SMOOTH,
		"--check needs --method nnk or smooth"},
	    {way()->joint && kith_given(&symmetrize),
		"--method smooth and aew exclude --symmetrize"},
	    {way()->joint && reference, "--method smooth and aew exclude -t"},
	    {way()->joint && part, "--method smooth and aew exclude --shard"},
	    {way()->joint && merge, "--method smooth and aew exclude --merge"},
	    {way()->joint && full, "--method smooth and aew exclude --full"},
	    {method == KITH_NNK_AEW && bandwidth().rule == KITH_SIGMA_LOCAL,
		"--method aew starts from one --sigma, not local ones"},
	    {reference && both && !merge, "-t needs --symmetrize none"},
	    {way()->is_signed && both, "--method lle-signed needs --symmetrize none"},
	    {part && both, "--shard needs --symmetrize none"},
	    {format != KITH_EDGES_TSV && !edges_file && kith_output()->style,
		"--csv excludes --format ncol"},
	    {full && both, "--full needs --symmetrize none"},
	    {compares() && !way()->compares,
		"--symmetrize node, error and paper compare errors; those of "
		"lle and lle-gram do not"},
	    {!merge && by_radius && !kith_given(&radius), "--method radius needs --radius X"},
	    {by_radius && candidates, "--method radius finds its own candidates"},
	    {way()->takes_pool && pool_of && candidates,
		"--pool all and --candidates exclude each other"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* Warn of options that change nothing, or with --merge stay unread. */
static void
warn_unused(void)
{
	static const void *const solver_only[] = {
	    &radius, &pool_of, &eta, &candidates, &pairs, &saved, &how.id};
	static const void *const rows_only[] = {&k, &kernel, &sigma, &weights_file, &threads,
	    &how.target, &how.feature, &how.ignore, &how.na, &how.format.sep, &how.format.no_header,
	    &how.format.header};
	const char *const of = way()->option;
	const bool table = format == KITH_EDGES_TSV && !edges_file;
	const bool fixed = bandwidth().rule == KITH_SIGMA_FIXED;
	const struct kith_idle option[] = {
	    {!way()->takes_radius, &radius, of},
	    {!way()->takes_eta, &eta, of},
	    {!way()->takes_pool, &pool_of, of},
	    {((candidates && !pairs_of()) || way()->takes_radius) && !way()->takes_pool &&
		    method != KITH_NNK_SMOOTH && (!is_gaussian() || fixed),
		&k, "the candidates and bandwidth given"},
	    {!way()->takes_kernel, &kernel, of},
	    {pairs_of(), &weights_file, "--pairs"},
	    {pairs_of(), &how.feature, "--pairs"},
	    {pairs_of(), &how.ignore, "--pairs"},
	    {pairs_of(), &how.na, "--pairs"},
	    {pairs_of() == KITH_PAIRS_SIMILARITY, &kernel, "--pairs similarity"},
	    {!is_gaussian(), &sigma,
		pairs_of()                ? "--pairs similarity"
		    : way()->takes_kernel ? "this --kernel"
					  : of},
	    {!table, &distance, edges_file ? "--check" : "this --format"},
	    {!table, &errors, edges_file ? "--check" : "this --format"},
	    {way()->joint, &errors, of},
	    {method != KITH_NNK_AEW, &saved, of},
	    {way()->joint, &min_weight, of},
	    {edges_file, &full, "--check"},
	    {edges_file, &format, "--check"},
	    {full && !edges_file, &min_weight, "--full"},
	    {kith_given(&block), &min_weight, "--reference-shard"},
	    {kith_given(&block), &distance, "--reference-shard"},
	};

	if (merge)
		kith_unused_each(
		    solver_only, sizeof(solver_only) / sizeof(*solver_only), "--merge");
	if (merge && !connected)
		kith_unused_each(rows_only, sizeof(rows_only) / sizeof(*rows_only), "--merge");
	if (!merge)
		kith_unused_all(option, sizeof(option) / sizeof(*option));
}

/* What is asked, beside the rows. */
static void
ask(struct kith_nnk_run *run)
{
	run->how = (struct kith_nnk_how){.method = (enum kith_nnk_method)method,
	    .kernel = (enum kith_kern_kind)kernel,
	    .k = k,
	    .radius = radius,
	    .eta = eta,
	    .least = full ? 0 : min_weight,
	    .all = pool_of,
	    .sigma = bandwidth(),
	    .given = candidates ? &run->given : NULL};
	run->rule = (enum kith_symm)symmetrize;
	run->form = (struct kith_edges_form){
	    .format = format, .distance = distance, .error = errors || full, .full = full};
	run->merged = rows;
	run->connect = connected;
	run->block = block;
	run->to = kith_output();
	run->saved = saved;
}

int
main(int argc, char *argv[])
{
	struct kith_nnk_run run = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {reference, candidates, weights_file, edges_file};
	const char *const *files = kith_inputs(operand, other, 4);
	const char *const merged[] = {reference, NULL};
	const struct kith_nnk_files from = {merge ? NULL : reference, merge ? merged : files,
	    candidates, weights_file, &how, pairs_of(), &shard, threads};
	const struct kith_written written[] = {
	    kith_written_output(), {"save-weights", saved}, kith_written_log()};
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	kith_apart(written, 3);
	if (!kith_given(&symmetrize))
		symmetrize = (reference && !merge) || edges_file ? KITH_SYMM_NONE
								 : (int)way()->rule;
	check_connect();
	check_blocks();
	check_call();
	check_pairs();
	warn_unused();
	how.featureless = pairs_of();
	ask(&run);
	if (merge && connected && kith_nnk_read(&run, &from, &err))
		kith_die(&err);
	if (merge) {
		status = kith_nnk_run_merge(&run, files, &out, &err);
		if (run.blocks && kith_only_is_lasting(*files))
			status = kith_nnk_blocks_merge(&run, files, &out, &err);
	} else if ((status = kith_nnk_read(&run, &from, &err)) == 0) {
		status = edges_file      ? kith_nnk_run_check(&run, edges_file, &out, &err)
		    : kith_given(&block) ? kith_nnk_blocks_print(&run, &out, &err)
					 : kith_nnk_run_graph(&run, &out, &err);
	}
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&run.pool);
	return kith_finish(&out, status);
}
