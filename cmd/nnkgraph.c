/* nnkgraph - join each row to the rows that represent it. */
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "kernel/kern.h"
#include "near/graph.h"
#include "nnk/check.h"
#include "nnk/nnk.h"
#include "nnk/symm.h"
#include "say/nnk.h"
#include "table/edges.h"
#include "table/edges_write.h"
#include "table/input.h"
#include "table/table.h"
#include "table/verdict.h"
#include "text/out.h"

#include <float.h>
#include <math.h>

enum { NONE = KITH_SYMM_MEAN + 1 }; /* --symmetrize */

/*
 * The largest KKT residual, of the largest K_Sq, that counts as exact; Gram
 * matrices of differences are worse conditioned than kernels.  With --method
 * nnk --check decides.
 */
static const double RESIDUAL = 1e-12, RESIDUAL_LLE = 1e-9;

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
    {0, "method", KITH_CHOICE(&method, "nnk|knn|radius|mp|omp|lle|lle-gram"),
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
    {0, "symmetrize", KITH_CHOICE(&symmetrize, "error|paper|max|min|mean|none"),
	"one weight per pair of rows [error; -t: none; lle: mean]"},
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

/* All that is known of the rows, and the edges from them. */
struct run {
	struct kith_input in;
	struct kith_local_rows rows;
	struct kith_graph given; /* candidates of the rows, with --candidates */
	struct kith_sigma sigma;
	struct kith_nnk nnk;
	struct kith_pool pool;
};

/* What the rows that edges go from are called. */
static const struct kith_ends *
ends(const struct run *r)
{
	return reference ? &r->in.from : &r->in.to;
}

/* The words of a choice, for messages. */
static const char *const method_name[] = {"--method nnk", "--method knn",
    "--method radius", "--method mp", "--method omp", "--method lle",
    "--method lle-gram"};

static bool
is_lle(void)
{
	return method == KITH_NNK_LLE || method == KITH_NNK_LLE_GRAM;
}

static bool
is_pursuit(void)
{
	return method == KITH_NNK_MP || method == KITH_NNK_OMP;
}

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool both = symmetrize != NONE, part = kith_given(&shard);
	const bool by_radius = method == KITH_NNK_RADIUS;
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
	    {part && both, "--shard needs --symmetrize none"},
	    {part && format == KITH_EDGES_MTX, "--shard cannot cut an mtx"},
	    {full && both, "--full needs --symmetrize none"},
	    {is_lle() && symmetrize <= KITH_SYMM_PAPER,
		"--symmetrize error and paper compare errors; those of lle and "
		"lle-gram do not"},
	    {!merge && by_radius && !kith_given(&radius),
		"--method radius needs --radius X"},
	    {by_radius && candidates,
		"--method radius finds its own candidates"},
	    {is_pursuit() && pool_of && candidates,
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
	const bool gaussian = kernel == KITH_KERN_GAUSSIAN && !is_lle();
	const char *const of = method_name[method];
	const bool table = format == KITH_EDGES_TSV && !edges_file;
	const bool fixed = bandwidth().rule == KITH_SIGMA_FIXED;
	const struct kith_idle option[] = {
	    {method != KITH_NNK_RADIUS, &radius, of},
	    {method != KITH_NNK, &eta, of},
	    {!is_pursuit(), &pool_of, of},
	    {(candidates || method == KITH_NNK_RADIUS) && !is_pursuit() &&
		    (!gaussian || fixed),
		&k, "the candidates and bandwidth given"},
	    {is_lle(), &kernel, of},
	    {!gaussian, &sigma, is_lle() ? of : "this --kernel"},
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

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	/* A row's similarity to others is less than a kernel of these. */
	const bool any = method == KITH_NNK_KNN && kernel == KITH_KERN_GAUSSIAN;
	const enum kith_kern_kind due = is_lle() ? KITH_KERN_GAUSSIAN : kernel;
	const struct kith_input_how wanted = {how, reference, weights_file};
	const char *const lists[] = {candidates, NULL};
	const struct kith_edges_how pairs = {.from = ends(r), .to = &r->in.to};
	size_t m;

	if (kith_input_read(files, &wanted, &r->in, &r->pool, err) ||
	    (!any && kith_input_kernel(&r->in, &wanted, due, err)))
		return -1;
	m = ends(r)->n;
	r->rows = (struct kith_local_rows){.X = &r->in.known.X,
	    .metric = &r->in.weights.metric,
	    .Z = reference ? &r->in.asked.X : NULL,
	    .first = (shard.i - 1) * m / shard.n,
	    .threads = threads};
	r->rows.m = shard.i * m / shard.n - r->rows.first;
	kith_log_size("rows", m);
	kith_log_size("reference", r->in.known.X.n);
	kith_log_size("features", r->in.known.X.p);
	kith_log_size("threads", threads);
	if (!candidates)
		return 0;
	if (kith_edges_read(lists, &pairs, &r->given, &r->pool, err))
		return -1;
	r->given.first = r->rows.first;
	r->given.m = r->rows.m;
	r->given.start += r->rows.first;
	return 0;
}

static int
solve(struct run *r, struct kith_err *err)
{
	const struct kith_nnk_how wanted = {
	    .method = (enum kith_nnk_method)method,
	    .kernel = (enum kith_kern_kind)kernel,
	    .k = k,
	    .radius = radius,
	    .eta = eta,
	    .least = full ? 0 : min_weight,
	    .all = pool_of,
	    .errors = errors || full || symmetrize <= KITH_SYMM_PAPER,
	    .bare = !distance,
	    .sigma = r->sigma,
	    .given = candidates ? &r->given : NULL};

	if (kith_nnk(&r->rows, &wanted, &r->nnk, &r->pool, err))
		return -1;
	kith_say_nnk_solved(&r->nnk, kernel == KITH_KERN_GAUSSIAN && !is_lle());
	return 0;
}

/* Make the lists what is printed, and print them. */
static int
print(struct run *r, struct kith_graph *lists, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_edges_form form = {format, ends(r), &r->in.to,
	    symmetrize != NONE, distance, errors || full, full};
	struct kith_graph symmetric = {0};

	/* The lists of --merge do not tell the error of a row without any. */
	for (size_t i = 0; lists->J && i < lists->m; i++)
		if (lists->start[i] == lists->start[i + 1])
			lists->J[i] = NAN;
	if (symmetrize == NONE) {
		kith_symm_sort(lists);
	} else {
		kith_symm(
		    lists, (enum kith_symm)symmetrize, &symmetric, &r->pool);
		symmetric.J = lists->J;
		lists = &symmetric;
	}
	kith_say_nnk_graph(lists, merge ? rows : lists->m,
	    !reference && lists->m == r->in.to.n);
	return kith_edges_write(lists, &form, kith_output(), out, err);
}

/* What --check says of directed edges that were made with these options. */
static int
check(const struct run *r, const struct kith_graph *edges,
    struct kith_check out[KITH_CHECK_NNK], struct kith_err *err)
{
	const struct kith_check_nnk_how wanted = {(enum kith_kern_kind)kernel,
	    k, eta, min_weight, r->sigma, candidates ? &r->given : NULL};

	return kith_check_nnk(&r->rows, &wanted, edges, out, err);
}

/* Whether the lists, as cut, are proved; 0 or 1, or -1. */
static int
judge(const struct run *r, struct kith_err *err)
{
	struct kith_check proof[KITH_CHECK_NNK];

	if (method != KITH_NNK) {
		if (r->nnk.residual <= (is_lle() ? RESIDUAL_LLE : RESIDUAL))
			return 0;
		kith_warn("worst KKT residual %g: weights may be off",
		    r->nnk.residual);
		return 1;
	}
	if (r->nnk.doubts == 0)
		return 0;
	if (check(r, &r->nnk.graph, proof, err))
		return -1;
	return kith_say_nnk_proof(proof);
}

/* Solve, and print; the status, or -1. */
static int
run_graph(struct run *r, struct kith_out *out, struct kith_err *err)
{
	int status;

	if (solve(r, err))
		return -1;
	if (!full)
		kith_symm_cut(&r->nnk.graph, min_weight);
	status = judge(r, err);
	if (status < 0 || print(r, &r->nnk.graph, out, err))
		return -1;
	return status;
}

/* Symmetrise edges that were printed before. */
static int
run_merge(struct run *r, const char *const *files, struct kith_out *out,
    struct kith_err *err)
{
	const bool compare = symmetrize <= KITH_SYMM_PAPER;
	const bool table = format == KITH_EDGES_TSV;
	const struct kith_ends all = {.n = rows, .read = rows};
	const struct kith_edges_how due = {&all, &all, true, distance && table,
	    compare || ((errors || full) && table), &r->in.to};
	struct kith_graph lists;

	if (kith_edges_read(files, &due, &lists, &r->pool, err))
		return -1;
	/* Other methods have no zero weights, or have them by chance. */
	if (compare && method == KITH_NNK && !kith_edges_full(&lists, rows))
		return kith_fail(err, EX_DATAERR,
		    "no candidate of weight 0: --symmetrize error and paper "
		    "need them (nnkgraph --full?)");
	if (!full)
		kith_symm_cut(&lists, min_weight);
	return print(r, &lists, out, err);
}

/* Judge the edges of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const char *const files[] = {edges_file, NULL};
	const struct kith_edges_how due = {
	    .from = ends(r), .to = &r->in.to, .weights = true};
	struct kith_check proof[KITH_CHECK_NNK];
	struct kith_graph edges;

	if (kith_edges_read(files, &due, &edges, &r->pool, err) ||
	    check(r, &edges, proof, err))
		return -1;
	return kith_verdict_write(
	    proof, KITH_CHECK_NNK, kith_output(), out, err);
}

int
main(int argc, char *argv[])
{
	struct run r = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {
	    reference, candidates, weights_file, edges_file};
	const char *const *files = kith_inputs(operand, other, 4);
	struct kith_out out;
	struct kith_err err;
	int status;

	if (!kith_given(&symmetrize))
		symmetrize = reference || edges_file ? NONE
		    : is_lle()                       ? KITH_SYMM_MEAN
						     : KITH_SYMM_ERROR;
	check_call();
	warn_unused();
	r.sigma = bandwidth();
	if (merge)
		status = run_merge(&r, files, &out, &err);
	else if ((status = read_all(&r, files, &err)) == 0)
		status = edges_file ? run_check(&r, &out, &err)
				    : run_graph(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, status);
}
