/* SPDX-License-Identifier: BSD-2-Clause */
/* labelprop - let the labels of some rows go over a graph to the others. */
#include "say/labelprop.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "graph/claim.h"
#include "graph/graph.h"
#include "graph/labels.h"
#include "graph/predict.h"
#include "say/doubt.h"
#include "table/edges.h"
#include "table/predicted.h"
#include "table/table.h"
#include "table/verdict.h"
#include "text/out.h"
#include "vote/report.h"

#include <float.h>
#include <math.h>

enum { UNREACHED_NA, UNREACHED_PRIOR };

static size_t threads = 1, seed = 1;
static double alpha = .99, reveal;
static struct kith_how how;
static const char *train, *claimed;
static int method, unreached;
static bool all, scores;

static const struct kith_opt opts[] = {
    {'t', "train", KITH_FILE(&train), "FILE has the rows that edges join"},
    {0, "method", KITH_CHOICE(&method, KITH_PROP_WORDS), "the equation of the scores [harmonic]"},
    {0, "alpha", KITH_REAL(&alpha, DBL_TRUE_MIN, 1 - DBL_EPSILON / 2),
	"spread: the share from the neighbours [.99]"},
    {0, "unreached", KITH_CHOICE(&unreached, "na|prior"),
	"rows that no label reaches: NA or the commonest class [na]"},
    {0, "reveal", KITH_REAL(&reveal, DBL_TRUE_MIN, 1),
	"hide all labels but this share, to measure errors"},
    {0, "all", KITH_FLAG(&all), "print the rows with a label, too"},
    {0, "scores", KITH_FLAG(&scores), "print the score of each class"},
    {0, "check", KITH_FILE(&claimed), "check the scores of FILE"},
    KITH_TARGET_OPTION(&how),
    KITH_TASK_OPTION(&how),
    {0, "id", KITH_COL(&how.id), "COL names the rows, in the edges too"},
    KITH_SEED_OPTION(&seed),
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_gone gone[] = {
    {"--cv", "see EXAMPLES of labelprop(1): --reveal .8 for several --seed, and tabscore"},
    {"--best", "see EXAMPLES of labelprop(1): --reveal .8 for several --seed, and tabscore"},
    {"--mass", "see EXAMPLES of labelprop(1): the columns of --scores weighed by awk"},
    {0},
};

static const struct kith_tool tool = {
    .name = "labelprop",
    .args = "-t FILE [EDGES]...",
    .about = "Spread the labels of some rows over a graph to the other rows.",
    .examples = "  nnkgraph -y -1 train.tsv | labelprop -t train.tsv --all\n"
		"  nnkgraph -y -1 train.tsv | labelprop -q -t train.tsv --reveal .1\n",
    .opts = opts,
    .gone = gone,
};

struct run {
	struct kith_table rows;
	struct kith_ends nodes;
	struct kith_undirected graph;
	const uint32_t *place; /* of each row, its node in the graph */
	struct kith_known known;
	struct kith_prop_run fit;
	struct kith_pool pool;
};

static bool
is_regress(void)
{
	return how.task == KITH_REGRESS;
}

static void
check_call(void)
{
	const struct kith_rule rule[] = {
	    {!train, "missing -t FILE (the rows that the edges join)"},
	    {is_regress() && method == KITH_PROP_POISSON, "--method poisson predicts classes"},
	    {claimed && is_regress() && method != KITH_PROP_HARMONIC,
		"--check of numbers needs --method harmonic"},
	};
	const struct kith_idle option[] = {
	    {method == KITH_PROP_HARMONIC, &alpha, "--method harmonic"},
	    {method == KITH_PROP_NORMALIZED, &alpha, "--method normalized"},
	    {method == KITH_PROP_POISSON, &alpha, "--method poisson"},
	    {is_regress(), &scores, "--task regress"},
	    {claimed, &scores, "--check"},
	    {claimed, &all, "--check"},
	    {claimed, &unreached, "--check"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (!kith_given(&reveal))
		kith_unused_without(&seed, "--reveal");
}

static int
read_graph(struct run *r, const char *const *files, struct kith_err *err)
{
	struct kith_undirected graph;
	struct kith_pool tmp = {0};
	const int got = kith_undirected_read(files, &r->nodes, &graph, &tmp, err);

	if (got == 0)
		r->place = kith_undirected_arrange(&graph, &r->graph, &r->pool);
	kith_pool_free(&tmp);
	return got;
}

/* Pose the problem of all labels that are known. */
static void
pose(struct run *r)
{
	const struct kith_prop_how how_to = {(enum kith_prop_method)method, alpha};

	kith_prop_run_pose(&r->graph, r->place, &r->known, &how_to, &r->fit, &r->pool);
	kith_say_prop_graph(&r->fit.prop, r->known.count);
}

/* Warn where many labels can go nowhere; a graph of nnkgraph leaves few rows without an edge. */
static void
warn_alone(const struct run *r)
{
	size_t alone = 0;

	for (size_t i = 0; i < r->graph.W.n; i++)
		alone += r->known.given[i] && r->graph.d[r->place[i]] == 0;
	if (alone > r->known.count / 10)
		kith_warn(
		    "%zu rows with a label have no edge (the graph of another table?)", alone);
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	if (kith_labels_read(train, &how, &r->rows, &r->pool, err) ||
	    kith_ends_of(&r->rows, &r->nodes, &r->pool, err))
		return -1;
	kith_known_choose(&r->rows, reveal, seed, &r->known, &r->pool);
	kith_say_table_classes(&r->rows, "--task regress?");
	if (!how.format.sep)
		kith_say_undivided(train, &r->rows.column);
	if (r->rows.y && r->rows.class.n == 1)
		kith_warn("one class only: " KITH_CELL, r->rows.class.name[0]);
	if (read_graph(r, files, err))
		return -1;
	warn_alone(r);
	return 0;
}

/* Warn of rows that no label reaches, and of nothing to do. */
static void
warn_rows(const struct run *r, size_t printed)
{
	if (r->fit.prop.unreached > 0)
		kith_warn("%zu rows that no label reaches: %s", r->fit.prop.unreached,
		    unreached == UNREACHED_NA ? "NA (--unreached prior?)"
			: is_regress()        ? "the mean of the labels"
					      : "the commonest class");
	if (printed == 0)
		kith_warn("all rows have a label: nothing to predict (--all, "
			  "--reveal?)");
}

/* Print the predictions. */
static int
print(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const size_t n = r->rows.X.n;
	bool *wanted = kith_new(&r->pool, n, sizeof(*wanted));
	struct kith_predicted predicted = {0};
	struct kith_table rows;
	const struct kith_report report = {
	    .rows = &rows, .class = &r->rows.class, .predicted = &predicted};

	for (size_t i = 0; i < n; i++)
		wanted[i] = all || !r->known.given[i];
	kith_prop_run_gather(
	    &r->fit, wanted, scores, unreached == UNREACHED_PRIOR, &predicted, &r->pool);
	kith_labels_take(&r->rows, wanted, &rows, &r->pool);
	if (!all && !kith_given(&reveal)) {
		rows.y = NULL;
		rows.t = NULL;
	}
	warn_rows(r, predicted.m);
	return kith_report_predictions(&report, 0, predicted.m, 0, kith_output(), out, err);
}

/* Solve, judge and print; the status, or -1. */
static int
run(struct run *r, struct kith_out *out, struct kith_err *err)
{
	int status;

	pose(r);
	kith_prop_run_solve(&r->fit, threads, &r->pool);
	kith_say_prop_solved(&r->fit.prop, &r->fit.solved);
	status = kith_say_prop_proof(&r->fit.proof);
	return print(r, out, err) ? -1 : status;
}

/* Judge the scores of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_claim claim;

	if (kith_claim_read(
		claimed, &r->nodes, is_regress() ? NULL : &r->rows.class, &claim, &r->pool, err))
		return -1;
	pose(r);
	if (kith_prop_run_claim(&r->fit, &claim, claimed, &r->nodes, threads, &r->pool, err))
		return -1;
	return kith_verdict_write(r->fit.proof.check, r->fit.proof.n, kith_output(), out, err);
}

int
main(int argc, char *argv[])
{
	struct run r = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *other[] = {NULL, NULL};
	const char *const *files;
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	check_call();
	other[0] = train;
	other[1] = claimed;
	files = kith_inputs(operand, other, 2);
	status = read_all(&r, files, &err);
	if (status == 0)
		status = claimed ? run_check(&r, &out, &err) : run(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, status);
}
