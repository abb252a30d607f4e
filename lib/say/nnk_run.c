/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/nnk_run.h"

#include "base/err.h"
#include "cli/cli.h"
#include "nnk/aew.h"
#include "nnk/check.h"
#include "nnk/connect.h"
#include "nnk/either.h"
#include "nnk/pairs_nnk.h"
#include "nnk/smooth.h"
#include "say/nnk.h"
#include "table/edges_write.h"
#include "table/verdict.h"
#include "table/weights.h"
#include "text/out.h"

static bool
is_gaussian(const struct kith_nnk_run *run)
{
	return kith_nnk_run_method(run)->takes_kernel && run->pairs.of != KITH_PAIRS_SIMILARITY &&
	    run->how.kernel == KITH_KERN_GAUSSIAN;
}

const struct kith_ends *
kith_nnk_run_ends(const struct kith_nnk_run *run)
{
	return run->rows.Z ? &run->in.from : &run->in.to;
}

/* Whether two errors decide on an edge. */
static bool
compares(const struct kith_nnk_run *run)
{
	return run->rule <= KITH_SYMM_PAPER;
}

/* Print edges that are as they should be. */
static int
print(struct kith_nnk_run *run, const struct kith_graph *graph, struct kith_out *out,
    struct kith_err *err)
{
	const bool whole = !run->rows.Z && graph->m == run->in.to.n;

	run->form.from = kith_nnk_run_ends(run);
	run->form.to = &run->in.to;
	kith_say_nnk_graph(graph, run->merged ? run->merged : graph->m, whole);
	if (whole && !run->merged && !run->pairs.of)
		kith_say_nnk_copies(graph, &run->in.known.X);
	return kith_edges_write(graph, &run->form, run->to, out, err);
}

/* Add the edges that make the graph one component. */
static int
connect_parts(const struct kith_nnk_run *run, struct kith_graph *graph, struct kith_pool *pool,
    struct kith_err *err)
{
	const struct kith_nnk_how *how = &run->how;
	struct kith_nnk_connect it = {.kernel = how->kernel, .sigma = how->sigma, .k = how->k};

	if (kith_nnk_connect(&run->rows, &it, graph, pool, err))
		return -1;
	kith_say_nnk_connect(&it);
	return 0;
}

int
kith_nnk_run_lists(
    struct kith_nnk_run *run, struct kith_graph *lists, struct kith_out *out, struct kith_err *err)
{
	struct kith_graph symmetric = {0};

	kith_symm_forget(lists, run->rule == KITH_SYMM_NODE);
	if (run->rule == KITH_SYMM_NONE) {
		kith_symm_sort(lists);
		return print(run, lists, out, err);
	}
	kith_symm(lists, run->rule, &symmetric, &run->pool);
	symmetric.J = lists->J;
	if (run->connect && connect_parts(run, &symmetric, &run->pool, err))
		return -1;
	return print(run, &symmetric, out, err);
}

/* What --check says of directed edges that were made with these options. */
static int
check(const struct kith_nnk_run *run, const struct kith_graph *edges,
    struct kith_check proof[KITH_CHECK_NNK], struct kith_err *err)
{
	const struct kith_nnk_how *how = &run->how;
	const struct kith_check_nnk_how wanted = {
	    how->kernel, how->k, how->eta, how->least, how->sigma, how->given};

	return kith_check_nnk(&run->rows, &wanted, edges, proof, err);
}

/* Whether the lists, as cut, are proved; 0 or 1, or -1. */
static int
judge(const struct kith_nnk_run *run, const struct kith_nnk *nnk, struct kith_err *err)
{
	struct kith_check proof[KITH_CHECK_NNK];

	if (run->how.method != KITH_NNK)
		return kith_say_nnk_residual(nnk, kith_nnk_run_method(run)->exact);
	if (nnk->doubts == 0)
		return 0;
	if (check(run, &nnk->graph, proof, err))
		return -1;
	return kith_say_nnk_proof(proof, KITH_CHECK_NNK);
}

/* The graph of smooth signals; the status, or -1. */
static int
run_smooth(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err)
{
	struct kith_check proof[KITH_CHECK_SMOOTH];
	struct kith_smooth_pairs pairs;
	size_t steps;

	if (kith_smooth_pairs(&run->rows, run->how.k, run->how.given, &pairs, &run->pool, err))
		return -1;
	steps = kith_smooth(&pairs, run->rows.threads);
	kith_smooth_check(&pairs, pairs.graph.w, proof);
	kith_say_nnk_smooth(&pairs, proof, steps);
	kith_either_distances(&pairs.graph);
	if (print(run, &pairs.graph, out, err))
		return -1;
	return kith_say_nnk_proof(proof, KITH_CHECK_SMOOTH);
}

/* When the search of kith_aew() ends. */
static const double AEW_TOL = 1e-6;
static const size_t AEW_ITERATIONS = 500;

/* Write the weights of features, if they are asked for. */
static int
save(const struct kith_nnk_run *run, double *weight, struct kith_err *err)
{
	const struct kith_names *feature = &run->in.known.feature;
	const struct kith_metric metric = {KITH_SQUARED, feature->n, weight};
	struct kith_out out;

	if (!run->saved)
		return 0;
	if (kith_out_open(&out, run->saved, err))
		return -1;
	kith_weights_put(&metric, feature, NULL, &out);
	return kith_out_close(&out, err);
}

/* The graph of adaptive weights; the status, or -1. */
static int
run_aew(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err)
{
	const struct kith_aew_how how = {
	    run->how.k, run->how.given, run->how.sigma, AEW_TOL, AEW_ITERATIONS};
	struct kith_aew aew;

	if (kith_aew(&run->rows, &how, &aew, &run->pool, err) || save(run, aew.weight, err))
		return -1;
	if (print(run, &aew.graph, out, err))
		return -1;
	return kith_say_nnk_aew(&aew);
}

/* The graph of rows that are known by pairs; the status, or -1. */
static int
run_pairs(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err)
{
	struct kith_pairs_nnk got;
	int status;

	if (kith_pairs_nnk(&run->pairs, run->rows.first, run->rows.m, &run->how, run->rows.threads,
		&got, &run->pool, err))
		return -1;
	kith_say_nnk_solved(&got.nnk, is_gaussian(run));
	kith_symm_cut(&got.nnk.graph, run->how.least);
	status = kith_say_nnk_residual(&got.nnk, kith_nnk_run_method(run)->exact);
	if (kith_say_nnk_pairs(&got, run->pairs.from))
		status = 1;
	return kith_nnk_run_lists(run, &got.nnk.graph, out, err) ? -1 : status;
}

int
kith_nnk_run_graph(struct kith_nnk_run *run, struct kith_out *out, struct kith_err *err)
{
	struct kith_nnk nnk;
	int status;

	if (run->how.method == KITH_NNK_SMOOTH)
		return run_smooth(run, out, err);
	if (run->how.method == KITH_NNK_AEW)
		return run_aew(run, out, err);
	run->how.errors = run->form.error || compares(run);
	run->how.bare = !run->form.distance;
	if (run->pairs.of)
		return run_pairs(run, out, err);
	if (kith_nnk(&run->rows, &run->how, &nnk, &run->pool, err))
		return -1;
	kith_say_nnk_solved(&nnk, is_gaussian(run));
	kith_symm_cut(&nnk.graph, run->how.least);
	status = judge(run, &nnk, err);
	if (status < 0 || kith_nnk_run_lists(run, &nnk.graph, out, err))
		return -1;
	return status;
}

int
kith_nnk_run_merge(
    struct kith_nnk_run *run, const char *const *files, struct kith_out *out, struct kith_err *err)
{
	const bool zeros = compares(run) && run->rule != KITH_SYMM_NODE;
	const bool table = run->form.format == KITH_EDGES_TSV;
	const struct kith_ends all = {.n = run->merged, .read = run->merged};
	const struct kith_ends *ends = run->connect ? &run->in.to : &all;
	const struct kith_edges_how due = {.from = ends,
	    .to = ends,
	    .weights = true,
	    .any_sign = kith_nnk_run_method(run)->is_signed,
	    .distances = run->form.distance && table,
	    .errors = compares(run) || (run->form.error && table),
	    .blocks = &run->blocks,
	    .met = run->connect ? NULL : &run->in.to};
	struct kith_graph lists;

	if (run->connect && ends->read != run->merged)
		return kith_fail_at(err, EX_DATAERR, run->in.known.file, 0,
		    "%zu rows, where --rows says %zu", ends->read, run->merged);
	if (kith_edges_read(files, &due, &lists, &run->pool, err))
		return -1;
	/* Other methods have no zero weights, or have them by chance. */
	if (zeros && run->how.method == KITH_NNK && !kith_edges_full(&lists, run->merged))
		return kith_fail(err, EX_DATAERR,
		    "no candidate of weight 0: --symmetrize error and paper "
		    "need them (nnkgraph --full?)");
	kith_symm_cut(&lists, run->how.least);
	return kith_nnk_run_lists(run, &lists, out, err);
}

/* Judge edges of pairs; the status, or -1. */
static int
check_smooth(struct kith_nnk_run *run, const struct kith_graph *edges, struct kith_out *out,
    struct kith_err *err)
{
	struct kith_check proof[1 + KITH_CHECK_SMOOTH];
	struct kith_smooth_pairs pairs;
	size_t foreign;

	if (kith_smooth_pairs(&run->rows, run->how.k, run->how.given, &pairs, &run->pool, err))
		return -1;
	foreign = kith_either_put(edges, &pairs.graph);
	proof[0] = (struct kith_check){"candidate", (double)foreign, 0};
	kith_smooth_check(&pairs, pairs.graph.w, proof + 1);
	return kith_verdict_write(proof, 1 + KITH_CHECK_SMOOTH, run->to, out, err);
}

int
kith_nnk_run_check(
    struct kith_nnk_run *run, const char *file, struct kith_out *out, struct kith_err *err)
{
	const char *const files[] = {file, NULL};
	const struct kith_edges_how due = {
	    .from = kith_nnk_run_ends(run), .to = &run->in.to, .weights = true};
	struct kith_check proof[KITH_CHECK_NNK];
	struct kith_graph edges;

	if (kith_edges_read(files, &due, &edges, &run->pool, err))
		return -1;
	if (run->how.method == KITH_NNK_SMOOTH)
		return check_smooth(run, &edges, out, err);
	if (check(run, &edges, proof, err))
		return -1;
	return kith_verdict_write(proof, KITH_CHECK_NNK, run->to, out, err);
}
