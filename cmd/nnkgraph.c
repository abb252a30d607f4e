/* nnkgraph - join each row to the rows that represent it. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "kernel/kern.h"
#include "near/graph.h"
#include "nnk/methods.h"
#include "nnk/nnk.h"
#include "nnk/symm.h"
#include "say/nnk_run.h"
#include "table/edges.h"
#include "table/input.h"
#include "table/table.h"
#include "text/out.h"

#include <float.h>

static size_t k = 30, threads = 1, rows;
static double radius, eta, min_weight = 1e-10;
static struct kith_shard shard = {1, 1};
static struct kith_how how;
static const char *reference, *candidates, *weights_file, *edges_file;
static const char *sigma = "auto";
static int method, pool_of, kernel, symmetrize, format;
static bool distance, errors, full, merge;

static const struct kith_opt opts[] = {
    {'k', NULL, KITH_SIZE(&k, 1, 0x1p53),
	"candidates: the N nearest rows [30]"},
    {0, "method", KITH_CHOICE(&method, kith_nnk_words),
	"what gives a candidate its weight [nnk]"},
    {0, "radius", KITH_REAL(&radius, 0, DBL_MAX),
	"radius: candidates are all rows within X"},
    {0, "pool", KITH_CHOICE(&pool_of, "knn|all"),
	"mp, omp: choose from the candidates, or all rows [knn]"},
    {0, "eta", KITH_REAL(&eta, 0, DBL_MAX),
	"nnk: X times the sum of the weights is added [0]"},
    {0, "kernel", KITH_CHOICE(&kernel, "gaussian|cosine|linear"),
	"how similar two rows are [gaussian]"},
    {0, "sigma", KITH_TEXT(&sigma, "S"),
	"gaussian: auto, median, local or a number [auto]"},
    {0, "symmetrize",
	KITH_CHOICE(&symmetrize, "node|error|paper|max|min|mean|none"),
	"one weight per pair [node; knn, radius: error; lle: mean; -t: none]"},
    {'t', "train", KITH_FILE(&reference), "edges go to the rows of FILE"},
    {0, "candidates", KITH_FILE(&candidates),
	"candidates are the edges of FILE, from and to"},
    {'w', "weights", KITH_FILE(&weights_file), "weigh features as FILE says"},
    {0, "min-weight", KITH_REAL(&min_weight, 0, 1),
	"no edge up to X times the row's largest [1e-10]"},
    {0, "distance", KITH_FLAG(&distance), "print the distance of each edge"},
    {0, "errors", KITH_FLAG(&errors), "print the local error of its row"},
    {0, "full", KITH_FLAG(&full), "print all candidates, of weight 0 too"},
    {0, "format", KITH_CHOICE(&format, "tsv|mtx|ncol"),
	"a table, Matrix Market, or lines without header [tsv]"},
    {0, "check", KITH_FILE(&edges_file), "judge the directed edges of FILE"},
    {0, "merge", KITH_FLAG(&merge), "symmetrize edges that --full printed"},
    {0, "rows", KITH_SIZE(&rows, 1, 0x1p53), "merge: there are N rows"},
    {0, "shard", KITH_SHARD(&shard), "edges from the I-th of N blocks of rows"},
    {'y', "target", KITH_COL(&how.target), "COL is no feature [none]"},
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_LAST_OPTIONS(&how, &threads),
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

/* Whether weights are those of a kernel with a bandwidth. */
static bool
is_gaussian(void)
{
	return way()->takes_kernel && kernel == KITH_KERN_GAUSSIAN;
}

/* Whether two errors decide on an edge. */
static bool
compares(void)
{
	return symmetrize <= KITH_SYMM_PAPER;
}

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool both = symmetrize != KITH_SYMM_NONE,
		   part = kith_given(&shard);
	const bool by_radius = way()->takes_radius;
	const struct kith_rule rule[] = {
	    {merge && !rows, "--merge needs --rows N"},
	    {!merge && rows, "--rows needs --merge"},
	    {merge && reference, "--merge and -t exclude each other"},
	    {merge && edges_file, "--merge and --check exclude each other"},
	    {merge && part, "--merge and --shard exclude each other"},
	    {edges_file && part, "--check and --shard exclude each other"},
	    {edges_file && both, "--check needs --symmetrize none"},
	    {edges_file && method, "--check needs --method nnk"},
	    {reference && both, "-t needs --symmetrize none"},
	    {way()->is_signed && both,
		"--method lle-signed needs --symmetrize none"},
	    {part && both, "--shard needs --symmetrize none"},
	    {part && format == KITH_EDGES_MTX, "--shard cannot cut an mtx"},
	    {full && both, "--full needs --symmetrize none"},
	    {compares() && !way()->compares,
		"--symmetrize node, error and paper compare errors; those of "
		"lle and lle-gram do not"},
	    {!merge && by_radius && !kith_given(&radius),
		"--method radius needs --radius X"},
	    {by_radius && candidates,
		"--method radius finds its own candidates"},
	    {way()->takes_pool && pool_of && candidates,
		"--pool all and --candidates exclude each other"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
}

/* What --sigma says. */
static struct kith_sigma
bandwidth(void)
{
	struct kith_sigma s;

	if (!kith_sigma_parse(sigma, &s))
		return s;
	kith_misuse("bad --sigma: " KITH_CELL
		    " (auto, median, local or a number above 0)",
	    sigma);
}

/* Warn of options that change nothing, or with --merge stay unread. */
static void
warn_unused(void)
{
	static const void *const rows_only[] = {&k, &radius, &pool_of, &eta,
	    &kernel, &sigma, &candidates, &weights_file, &threads, &how.target,
	    &how.feature, &how.id, &how.ignore, &how.na, &how.format.sep,
	    &how.format.no_header, &how.format.header};
	const char *const of = way()->option;
	const bool table = format == KITH_EDGES_TSV && !edges_file;
	const bool fixed = bandwidth().rule == KITH_SIGMA_FIXED;
	const struct kith_idle option[] = {
	    {!way()->takes_radius, &radius, of},
	    {!way()->takes_eta, &eta, of},
	    {!way()->takes_pool, &pool_of, of},
	    {(candidates || way()->takes_radius) && !way()->takes_pool &&
		    (!is_gaussian() || fixed),
		&k, "the candidates and bandwidth given"},
	    {!way()->takes_kernel, &kernel, of},
	    {!is_gaussian(), &sigma,
		way()->takes_kernel ? "this --kernel" : of},
	    {!table, &distance, edges_file ? "--check" : "this --format"},
	    {!table, &errors, edges_file ? "--check" : "this --format"},
	    {edges_file, &full, "--check"},
	    {edges_file, &format, "--check"},
	    {full && !edges_file, &min_weight, "--full"},
	};

	if (merge)
		kith_unused_each(rows_only,
		    sizeof(rows_only) / sizeof(*rows_only), "--merge");
	else
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
	run->form = (struct kith_edges_form){.format = format,
	    .distance = distance,
	    .error = errors || full,
	    .full = full};
	run->merged = rows;
	run->path = kith_output();
}

/* Read the rows, and candidates if there are any. */
static int
read_rows(
    struct kith_nnk_run *run, const char *const *files, struct kith_err *err)
{
	/* A row's similarity to others is less than a kernel of these. */
	const bool any = way()->takes_any && is_gaussian();
	const enum kith_kern_kind due = way()->takes_kernel
	    ? (enum kith_kern_kind)kernel
	    : KITH_KERN_GAUSSIAN;
	const struct kith_input_how wanted = {how, reference, weights_file};
	const char *const lists[] = {candidates, NULL};
	struct kith_input *in = &run->in;
	struct kith_edges_how pairs = {.to = &in->to};
	size_t m;

	if (kith_input_read(files, &wanted, in, &run->pool, err) ||
	    (!any && kith_input_kernel(in, &wanted, due, err)))
		return -1;
	run->rows = (struct kith_local_rows){.X = &in->known.X,
	    .metric = &in->weights.metric,
	    .Z = reference ? &in->asked.X : NULL,
	    .threads = threads};
	pairs.from = kith_nnk_run_ends(run);
	m = pairs.from->n;
	run->rows.first = (shard.i - 1) * m / shard.n;
	run->rows.m = shard.i * m / shard.n - run->rows.first;
	kith_log_size("rows", m);
	kith_log_size("reference", in->known.X.n);
	kith_log_size("features", in->known.X.p);
	kith_log_size("threads", threads);
	if (!candidates)
		return 0;
	if (kith_edges_read(lists, &pairs, &run->given, &run->pool, err))
		return -1;
	run->given.first = run->rows.first;
	run->given.m = run->rows.m;
	run->given.start += run->rows.first;
	return 0;
}

int
main(int argc, char *argv[])
{
	struct kith_nnk_run run = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {
	    reference, candidates, weights_file, edges_file};
	const char *const *files = kith_inputs(operand, other, 4);
	struct kith_out out;
	struct kith_err err;
	int status;

	if (!kith_given(&symmetrize))
		symmetrize = reference || edges_file ? KITH_SYMM_NONE
						     : (int)way()->rule;
	check_call();
	warn_unused();
	ask(&run);
	if (merge)
		status = kith_nnk_run_merge(&run, files, &out, &err);
	else if ((status = read_rows(&run, files, &err)) == 0)
		status = edges_file
		    ? kith_nnk_run_check(&run, edges_file, &out, &err)
		    : kith_nnk_run_graph(&run, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&run.pool);
	return kith_finish(&out, status);
}
