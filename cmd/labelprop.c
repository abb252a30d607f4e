/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * labelprop - label propagation: predicts the class of a row without a label from the labels of
 * other rows, over the edges of a graph.
 *
 * 1. Read the rows; with --reveal hide all labels but a share.
 * 2. Read the graph, whose nodes are the rows.
 * 3. Solve, and prove the classes; or judge the scores of --check.
 * 4. Print.
 */
#include "base/pool.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "graph/graph.h"
#include "graph/propagate.h"
#include "la/vec.h"
#include "table/check.h"
#include "table/edges.h"
#include "table/roles.h"
#include "table/table.h"
#include "text/out.h"
#include "text/rows.h"
#include "vote/report.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { UNREACHED_NA, UNREACHED_PRIOR };

static size_t seed = 1;
static double alpha = .99, reveal;
static struct kith_how how;
static const char *nodes_file, *claim_file;
static int method, unreached;
static bool all, scores;

static const struct kith_opt opts[] = {
    {0, "nodes", KITH_FILE(&nodes_file), "the rows; those without a class are predicted (needed)",
	"What to do"},
    {0, "reveal", KITH_REAL(&reveal, DBL_TRUE_MIN, 1),
	"a test: hide all classes but this fraction, predict them", NULL},
    {0, "all", KITH_FLAG(&all), "print the rows that have a class, too", NULL},
    {0, "scores", KITH_FLAG(&scores), "print the score of each class", NULL},
    {0, "method", KITH_CHOICE(&method, "harmonic|normalized|spread|poisson"),
	"means of neighbours; normalized by degree; labels may be wrong; few labels [harmonic]",
	"How labels spread"},
    {0, "alpha", KITH_REAL(&alpha, DBL_TRUE_MIN, 1 - DBL_EPSILON / 2),
	"spread: how much neighbours count, not labels [.99]", NULL},
    {0, "unreached", KITH_CHOICE(&unreached, "na|prior"),
	"without a path to a label: NA, or the commonest class [na]", NULL},
    KITH_TASK_OPTION(&how),
    {0, "check", KITH_FILE(&claim_file), "check that the scores in FILE solve the equations",
	"Proof"},
    KITH_TARGET_OPTION(&how),
    {0, "id", KITH_COL(&how.id), "the column of names of rows, as edges have them", NULL},
    KITH_RANDOM_OPTIONS(&how, &seed, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "labelprop",
    .args = "--nodes FILE [EDGES]...",
    .about = "Spread the labels of some rows over a graph to the other rows.",
    .examples = "  nnkgraph -y -1 train.tsv | labelprop --nodes train.tsv --all\n"
		"  nnkgraph -y -1 train.tsv | labelprop -q --nodes train.tsv --reveal .1\n",
    .opts = opts,
    .gone = {{"-t", "--nodes FILE"}, {"--train", "--nodes FILE"},
	{"--cv", "see EXAMPLES of labelprop(1): --reveal .8 for several --seed, and tabscore"},
	{"--best", "see EXAMPLES of labelprop(1): --reveal .8 for several --seed, and tabscore"},
	{"--mass", "see EXAMPLES of labelprop(1): the columns of --scores weighed by awk"}},
};

struct run {
	struct kith_table rows;
	struct kith_node_names nodes;
	bool *given; /* n: the label of the row is known */
	size_t n_given;
	double least, most; /* numbers: the range of the known ones, which becomes 0..1 */
	struct kith_undirected graph;
	struct kith_prop_labels labels; /* of the nodes */
	struct kith_prop prop;
	struct kith_prop_proof proof;
	double *share; /* c: classes among the known labels, for rows that no label reaches */
	size_t common; /* the class with the largest share, the first of equal ones */
	double mean;   /* of the known numbers, in 0..1 */
	/* --check: columns of the file, and its classes of the nodes (n; NULL: numbers). */
	size_t predicted, *score, *claimed;
	struct kith_pool *pool;
};

static void
check_call(void)
{
	const bool regress = how.task == KITH_REGRESS;
	const struct kith_rule rule[] = {
	    {!nodes_file, "missing --nodes FILE (the rows that the edges join)"},
	    {regress && method == KITH_PROP_POISSON, "--method poisson predicts classes"},
	    {claim_file && regress && method != KITH_PROP_HARMONIC,
		"--check of numbers needs --method harmonic"},
	};
	static const char *const of[] = {
	    "--method harmonic", "--method normalized", "--method spread", "--method poisson"};
	const struct kith_idle option[] = {
	    {method != KITH_PROP_SPREAD, &alpha, of[method]},
	    {regress, &scores, "--task regress"},
	    {claim_file, &scores, "--check"},
	    {claim_file, &all, "--check"},
	    {claim_file, &unreached, "--check"},
	    {!kith_given(&reveal), &seed, "without --reveal"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

/*
 * Sets given: all labels; --reveal: of each class the share of its rows, rounded, and at least one; of
 * numbers, of all.
 */
static void
choose_given(struct run *r)
{
	const struct kith_table *t = &r->rows;
	const size_t c = t->y ? t->class.n : 1;
	size_t *row = kith_new(r->pool, t->X.n, sizeof(*row));
	struct kith_rng rng;

	for (size_t k = 0; k < c; k++) {
		size_t n = 0, some;

		for (size_t i = 0; i < t->X.n; i++)
			if (t->y ? t->y[i] == k : !isnan(t->t[i]))
				row[n++] = i;
		kith_rng_seed(&rng, seed, KITH_RNG_REVEAL, k);
		kith_rng_shuffle(&rng, row, n);
		some = reveal > 0 ? (size_t)(reveal * (double)n + .5) : n;
		some = some < 1 ? 1 : some;
		for (size_t i = 0; i < some && i < n; i++)
			r->given[row[i]] = true;
	}
}

/* Maps a number t of the target from the range least..most to 0..1; by halves, as most - least may
 * overflow. */
static double
to_unit(const struct run *r, double t)
{
	if (isinf(r->most - r->least))
		return (t / 2 - r->least / 2) / (r->most / 2 - r->least / 2);
	return r->most > r->least ? (t - r->least) / (r->most - r->least) : t - r->least;
}

static double
from_unit(const struct run *r, double u)
{
	const double v = fmin(fmax(u, 0), 1);

	return r->least * (1 - v) + r->most * v;
}

/* The known labels: given, their shares or their range and mean. */
static void
choose_labels(struct run *r)
{
	const struct kith_table *t = &r->rows;
	const size_t n = t->X.n, c = t->class.n;
	size_t *y = t->y ? kith_new(r->pool, n, sizeof(*y)) : NULL;
	double *u = t->y ? NULL : kith_new(r->pool, n, sizeof(*u));
	long double sum = 0;

	r->labels = (struct kith_prop_labels){y, u, y ? c : method == KITH_PROP_HARMONIC ? 1 : 2};
	r->given = kith_new(r->pool, n, sizeof(*r->given));
	r->share = kith_new(r->pool, c, sizeof(*r->share));
	r->least = INFINITY;
	r->most = -INFINITY;
	choose_given(r);
	for (size_t i = 0; i < n; i++) {
		r->n_given += r->given[i];
		if (y)
			y[i] = r->given[i] ? t->y[i] : KITH_NO_CLASS;
		if (y && r->given[i]) {
			r->share[y[i]]++;
		} else if (r->given[i]) {
			r->least = fmin(r->least, t->t[i]);
			r->most = fmax(r->most, t->t[i]);
		}
	}
	r->common = kith_vec_argmax(c, r->share);
	for (size_t k = 0; k < c; k++)
		r->share[k] /= (double)r->n_given;
	for (size_t i = 0; u && i < n; i++) {
		u[i] = r->given[i] ? to_unit(r, t->t[i]) : NAN;
		sum += r->given[i] ? u[i] : 0;
	}
	r->mean = (double)(sum / (long double)r->n_given);
}

/* Reads rows and graph, and poses the equations. */
static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	const struct kith_undirected *g = &r->graph;
	size_t isolated = 0;

	if (kith_nodes_read(nodes_file, &how, true, &r->rows, r->pool, err))
		return -1;
	choose_labels(r);
	if (r->n_given == 0)
		return kith_fail_at(err, EX_DATAERR, r->rows.file, 0,
		    "column " KITH_NAME ": missing in all rows", r->rows.target);
	if (kith_node_names_of(&r->rows, &r->nodes, r->pool, err))
		return -1;
	kith_warn_target(&r->rows, "--task regress?");
	if (!how.format.sep)
		kith_warn_undivided(nodes_file, &r->rows.column);
	if (r->rows.y && r->rows.class.n == 1)
		kith_warn("one class only: " KITH_CELL, r->rows.class.name[0]);
	if (kith_undirected_read(files, &r->nodes, &r->graph, r->pool, err))
		return -1;
	for (size_t i = 0; i < g->W.n; i++)
		isolated += r->given[i] && g->d[i] == 0;
	if (isolated > r->n_given / 10) /* graphs of nnkgraph leave few rows without an edge */
		kith_warn(
		    "%zu rows with a label have no edge (the graph of another table?)", isolated);
	kith_prop_pose(g, &r->labels, (enum kith_prop_method)method, alpha, &r->prop, r->pool);
	kith_log_size("rows", g->W.n);
	kith_log_size("labels", r->n_given);
	kith_log_size("edges", g->edges);
	kith_log_size("components", g->components);
	kith_log_size("unreached", r->prop.unreached);
	return 0;
}

/*
 * Predicts all rows; a row that no label reaches, by the shares of classes or the mean of the
 * labels.
 */
static void
predict(const struct run *r, struct kith_predicted *predicted)
{
	const size_t c = r->labels.c, n = r->rows.X.n;

	*predicted = (struct kith_predicted){
	    .nk = 1, .none = kith_new(r->pool, n, sizeof(*predicted->none))};
	if (r->rows.y)
		predicted->y = kith_new(r->pool, n, sizeof(*predicted->y));
	else
		predicted->t = kith_new(r->pool, n, sizeof(*predicted->t));
	if (r->rows.y && scores)
		predicted->share = kith_new(r->pool, n * c, sizeof(*predicted->share));
	for (size_t i = 0; i < n; i++) {
		const bool reached = r->prop.reached[i];
		const double *x = r->prop.X + i * c;

		predicted->none[i] = !reached && unreached == UNREACHED_NA;
		if (r->rows.y)
			predicted->y[i] = reached ? r->proof.y[i] : r->common;
		else if (kith_prop_is_given(&r->prop, i))
			predicted->t[i] = r->rows.t[i];
		else
			predicted->t[i] = from_unit(r,
			    !reached     ? r->mean
				: c == 2 ? x[0] / x[1]
					 : x[0]);
		for (size_t k = 0; predicted->share && k < c; k++)
			predicted->share[i * c + k] = reached ? kith_prop_score(&r->prop, i, k)
							      : r->share[k];
	}
}

/* Logs what was proved of the scores, warns of what was not; returns the status, 0 or 1. */
static int
report_proof(const struct kith_prop_proof *proof)
{
	int status = 0;

	if (proof->y) {
		kith_log_size("tied", proof->tied);
		kith_log_size("undecided", proof->undecided);
	}
	kith_log_real("residual", proof->check[0].value);
	for (size_t i = 0; i < proof->n; i++) {
		const struct kith_check *check = &proof->check[i];

		if (kith_check_ok(check) || kith_check_open(check))
			continue;
		status = 1;
		if (strcmp(check->check, "undecided") == 0)
			kith_warn("%zu rows whose class is not decided: two scores differ by less "
				  "than their errors",
			    proof->undecided);
		else
			kith_warn("scores cannot be certified: %s %g (--check)", check->check,
			    check->value);
	}
	return status;
}

/* Solves and prints; the status, or -1. */
static int
run(struct run *r, struct kith_out *out, struct kith_err *err)
{
	static const char *const solver[] = {
	    "none", "conjugate gradients", "Cholesky factor", "elimination without subtraction"};
	struct kith_predicted predicted;
	struct kith_table rows = r->rows;
	const struct kith_report report = {.rows = &rows,
	    .class = &rows.class,
	    .predicted = &predicted,
	    .skip = all ? NULL : r->given};
	int status;

	kith_prop_solve(&r->prop, how.format.threads, false, r->pool);
	kith_prop_prove(&r->prop, false, NULL, &r->proof, r->pool);
	for (size_t at = 0; at < r->rows.X.n * r->labels.c && method == KITH_PROP_POISSON; at++)
		if (!isfinite(r->prop.X[at]))
			return kith_fail(err, EX_DATAERR,
			    "weights are too small: a score of poisson is too large for a number");
	kith_log_size("equations", r->prop.n_free);
	kith_log_size("right sides", r->labels.c);
	kith_log_text("solver", solver[r->prop.solver]);
	if (r->prop.solver == KITH_PROP_CG)
		kith_log_size("iterations", r->prop.iterations);
	if (r->prop.fill > 0)
		kith_log_real("fill", r->prop.fill);
	status = report_proof(&r->proof);
	predict(r, &predicted);
	if (r->prop.unreached > 0)
		kith_warn("%zu rows that no label reaches: %s", r->prop.unreached,
		    unreached == UNREACHED_NA      ? "NA (--unreached prior?)"
			: how.task == KITH_REGRESS ? "the mean of the labels"
						   : "the commonest class");
	if (!all && r->n_given == rows.X.n)
		kith_warn("all rows have a label: nothing to predict (--all, --reveal?)");
	if (!all && reveal == 0) { /* no actual value is printed */
		rows.y = NULL;
		rows.t = NULL;
	}
	return kith_report_predictions(&report, 0, rows.X.n, 0, kith_output(), out, err) ? -1
											 : status;
}

/* --check: the columns of a file, whose scores stand in the place of a solution. */
static int
find_columns(void *to, const struct kith_rows *rows, struct kith_err *err)
{
	struct run *r = to;
	const struct kith_names *class = &r->rows.class;

	if (kith_roles_find(rows, "predicted", "", &r->predicted, err))
		return -1;
	r->score = kith_new(r->pool, class->n, sizeof(*r->score));
	for (size_t k = 0; k < class->n; k++)
		if (kith_roles_find(rows, kith_text(r->pool, "score:%s", class->name[k]), "",
			&r->score[k], err))
			return -1;
	return 0;
}

static int
take_claim(void *to, const struct kith_rows *rows, size_t i, struct kith_err *err)
{
	struct run *r = to;
	const struct kith_cell *predicted = kith_rec_cell(&rows->rec, r->predicted);
	const struct kith_names *class = &r->rows.class;
	double *score = r->prop.X + i * r->labels.c, x = NAN;

	if (!r->claimed) {
		if (kith_value(rows, r->predicted, &x, "", err) < 0)
			return -1;
		*score = to_unit(r, x);
		return 0;
	}
	r->claimed[i] = KITH_NO_CLASS;
	if (!kith_cell_missing(predicted)) {
		r->claimed[i] = kith_names_find(class, predicted->s);
		if (r->claimed[i] == class->n)
			return kith_rows_fail(rows, r->predicted, err,
			    "not a class of the labels: " KITH_CELL, predicted->s);
	}
	for (size_t k = 0; k < class->n; k++) {
		x = NAN;
		if (kith_value(rows, r->score[k], &x, "", err) < 0)
			return -1;
		score[k] = ldexp(
		    x / r->prop.h[i], method == KITH_PROP_POISSON ? r->graph.exponent : 0);
	}
	return 0;
}

/* Judges the scores of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const size_t n = r->rows.X.n;
	bool *seen = kith_new(r->pool, n, sizeof(*seen));
	char text[KITH_NUM_ROOM];

	if (r->labels.y) {
		r->claimed = kith_new(r->pool, n, sizeof(*r->claimed));
		memcpy(r->claimed, r->rows.y, n * sizeof(*r->claimed));
	}
	if (kith_node_rows_read(claim_file, &r->nodes, find_columns, take_claim, r, seen, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!seen[i] && !kith_prop_is_given(&r->prop, i))
			return kith_fail_at(err, EX_DATAERR, claim_file, 0,
			    "no row of id " KITH_CELL "%s", kith_node_name(&r->nodes, i, text),
			    r->given[i] ? " (--all?)" : "");
	kith_prop_solve(&r->prop, how.format.threads, true, r->pool);
	kith_prop_prove(&r->prop, true, r->claimed, &r->proof, r->pool);
	return kith_check_write(r->proof.check, r->proof.n, kith_output(), out, err);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run r = {.pool = pool};

	check_call();
	if (read_all(&r, files, err))
		return -1;
	return claim_file ? run_check(&r, out, err) : run(&r, out, err);
}
