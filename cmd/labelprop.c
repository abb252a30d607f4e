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
#include "graph/prop_cv.h"
#include "say/choice.h"
#include "say/doubt.h"
#include "table/edges.h"
#include "table/predicted.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/verdict.h"
#include "text/out.h"
#include "vote/report.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { UNREACHED_NA, UNREACHED_PRIOR };

static size_t threads = 1, seed = 1, parts;
static double usual_alpha = .99, reveal;
static struct kith_reals alphas = {1, &usual_alpha};
static struct kith_how how;
static const char *train, *mass = "none", *claimed, *list = "harmonic";
static enum kith_prop_method methods[KITH_PROP_METHODS];
static size_t n_methods;
static int unreached, best;
static bool all, scores;

static const struct kith_opt opts[] = {
    {'t', "train", KITH_FILE(&train), "FILE has the rows that edges join"},
    {0, "method", KITH_TEXT(&list, "harmonic|normalized|spread|poisson"),
	"the equation of the scores; several with --cv [harmonic]"},
    {0, "alpha", KITH_REALS(&alphas, DBL_TRUE_MIN, 1 - DBL_EPSILON / 2),
	"spread: the share from the neighbours; several with --cv [.99]"},
    {0, "mass", KITH_TEXT(&mass, "none|labels|FILE"),
	"weigh scores so that classes have these shares [none]"},
    {0, "unreached", KITH_CHOICE(&unreached, "na|prior"),
	"rows that no label reaches: NA or the commonest class [na]"},
    {0, "reveal", KITH_REAL(&reveal, DBL_TRUE_MIN, 1),
	"hide all labels but this share, to measure errors"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"print errors of each of N parts of the labels from the others"},
    {0, "best", KITH_MAYBE(&best, "se"),
	"with --cv: predict with the best choice; se: the simplest"},
    {0, "all", KITH_FLAG(&all), "print the rows with a label, too"},
    {0, "scores", KITH_FLAG(&scores), "print the score of each class"},
    {0, "keep", KITH_LIST(&how.keep), "copy these columns to the output"},
    {0, "check", KITH_FILE(&claimed), "check the scores of FILE"},
    KITH_TARGET_OPTION(&how),
    KITH_TASK_OPTION(&how),
    {0, "id", KITH_COL(&how.id), "COL names the rows, in the edges too"},
    KITH_SEED_OPTION(&seed),
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_tool tool = {
    .name = "labelprop",
    .args = "-t FILE [EDGES]...",
    .about = "Spread the labels of some rows over a graph to the other rows.",
    .examples = "  nnkgraph -y -1 train.tsv | labelprop -t train.tsv --all\n"
		"  nnkgraph -y -1 train.tsv | labelprop -q -t train.tsv --cv 5\n",
    .opts = opts,
};

struct run {
	struct kith_table rows;
	struct kith_ends nodes;
	struct kith_undirected graph;
	const uint32_t *place; /* of each row, its node in the graph */
	struct kith_known known;
	struct kith_prop_how how;
	struct kith_prop_run fit;
	struct kith_pool pool;
};

static bool
is_regress(void)
{
	return how.task == KITH_REGRESS;
}

/* Whether a method is among those asked. */
static bool
has(enum kith_prop_method method)
{
	for (size_t m = 0; m < n_methods; m++)
		if (methods[m] == method)
			return true;
	return false;
}

static void
check_call(void)
{
	const bool poisson = n_methods == 1 && has(KITH_PROP_POISSON);
	const bool several = n_methods > 1 || alphas.n > 1;
	const struct kith_rule rule[] = {
	    {!train, "missing -t FILE (the rows that the edges join)"},
	    {several && !parts, "several --method or --alpha need --cv N"},
	    {best && !parts, "--best needs --cv N"},
	    {parts && kith_given(&reveal), "--cv and --reveal exclude each other"},
	    {parts && claimed, "--cv and --check exclude each other"},
	    {is_regress() && has(KITH_PROP_POISSON), "--method poisson predicts classes"},
	    {claimed && is_regress() && !has(KITH_PROP_HARMONIC),
		"--check of numbers needs --method harmonic"},
	};
	const struct kith_idle option[] = {
	    {poisson && !is_regress(), &mass, "--method poisson"},
	    {is_regress(), &mass, "--task regress"},
	    {is_regress(), &scores, "--task regress"},
	    {claimed, &scores, "--check"},
	    {claimed, &all, "--check"},
	    {claimed, &how.keep, "--check"},
	    {claimed, &unreached, "--check"},
	    {parts && !best, &scores, "--cv"},
	    {parts && !best, &all, "--cv"},
	    {parts && !best, &how.keep, "--cv"},
	};
	char of[64];

	if (n_methods == 0)
		kith_misuse("bad --method: " KITH_CELL
			    " (different ones of harmonic, normalized, spread "
			    "and poisson)",
		    list);
	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	snprintf(of, sizeof(of), "--method %s", list);
	if (!has(KITH_PROP_SPREAD))
		kith_unused(&alphas, of);
	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (!kith_given(&reveal) && !parts)
		kith_unused_without(&seed, "--reveal");
}

/* What is to be done with the first method that is asked. */
static int
set_how(struct run *r, struct kith_err *err)
{
	double *given;

	r->how = (struct kith_prop_how){.method = methods[0],
	    .alpha = alphas.v[0],
	    .mass_of_labels = !is_regress() && strcmp(mass, "labels") == 0,
	    .threads = threads};
	if (is_regress() || r->how.mass_of_labels || strcmp(mass, "none") == 0)
		return 0;
	given = kith_new(&r->pool, r->known.labels.c, sizeof(*given));
	r->how.mass = given;
	return kith_mass_read(mass, &r->rows.class, given, &r->pool, err);
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
	kith_prop_run_pose(&r->graph, r->place, &r->known, &r->how, &r->fit, &r->pool);
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
	if (set_how(r, err) || read_graph(r, files, err))
		return -1;
	warn_alone(r);
	kith_log_size("threads", threads);
	if (kith_given(&reveal) || parts)
		kith_log_size("seed", seed);
	return 0;
}

/* What becomes of rows that no label reaches, which would be NA or this. */
static const char *
lot(const char *none)
{
	if (unreached == UNREACHED_NA)
		return none;
	return is_regress() ? "the mean of the labels" : "the commonest class";
}

/* Warn of rows that no label reaches, and of nothing to do. */
static void
warn_rows(const struct run *r, size_t printed)
{
	if (r->fit.prop.unreached > 0)
		kith_warn("%zu rows that no label reaches: %s", r->fit.prop.unreached,
		    lot("NA (--unreached prior?)"));
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
	kith_prop_run_solve(&r->fit, NULL, threads, &r->pool);
	kith_say_prop_solved(&r->fit.prop, &r->fit.solved);
	status = kith_say_prop_proof(&r->fit.proof);
	return print(r, out, err) ? -1 : status;
}

/* The trials of the methods asked: their number. */
static size_t
list_trials(struct kith_trial *trial)
{
	size_t k = 0;

	for (size_t m = 0; m < n_methods; m++) {
		const bool spread = methods[m] == KITH_PROP_SPREAD;

		for (size_t a = 0; a < (spread ? alphas.n : 1); a++)
			trial[k++] = (struct kith_trial){
			    .key = {methods[m], spread ? alphas.v[a] : NAN}};
	}
	return k;
}

/* Predict labels from others; print errors, or go on with the best. */
static int
run_cv(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_trial *trial = kith_new(&r->pool, KITH_PROP_METHODS + alphas.n, sizeof(*trial));
	const size_t k = list_trials(trial);
	const struct kith_trial_form form = kith_prop_cv_form(is_regress(), trial, k);
	size_t *part = kith_new(&r->pool, r->rows.X.n, sizeof(*part)), s;
	const struct kith_prop_cv_plan plan = {
	    &r->graph, r->place, &r->known, part, parts, unreached == UNREACHED_PRIOR};
	struct kith_prop_cv_doubts doubts;
	int status, got;

	if (kith_prop_cv_deal(&r->known, parts, seed, part, err))
		return -1;
	kith_prop_cv(&plan, &r->how, trial, k, &doubts);
	status = kith_say_prop_cv(
	    &doubts, lot(is_regress() ? "the mean of the labels" : "wrong (--unreached prior?)"));
	if (!best) {
		pose(r); /* which is told of */
		return kith_trial_table(&form, trial, k, kith_output(), out, err) ? -1 : status;
	}
	s = kith_trial_choose(&form, trial, k, best);
	kith_say_choice(&form, &trial[s]);
	r->how = kith_prop_cv_how(&r->how, &trial[s]);
	got = run(r, out, err);
	return got < 0 ? -1 : got | status;
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
	const char *other[] = {NULL, NULL, NULL};
	const char *const *files;
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	n_methods = kith_prop_methods(list, methods);
	check_call();
	other[0] = train;
	other[1] = claimed;
	other[2] = strcmp(mass, "-") == 0 ? mass : NULL;
	files = kith_inputs(operand, other, 3);
	status = read_all(&r, files, &err);
	if (status == 0)
		status = claimed ? run_check(&r, &out, &err)
		    : parts      ? run_cv(&r, &out, &err)
				 : run(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, status);
}
