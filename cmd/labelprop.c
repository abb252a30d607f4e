/* labelprop - let the labels of some rows go over a graph to the others. */
#include "say/labelprop.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cost/graph.h"
#include "graph/claim.h"
#include "graph/graph.h"
#include "graph/known.h"
#include "graph/labels.h"
#include "graph/prop.h"
#include "graph/prop_solve.h"
#include "graph/prove.h"
#include "say/doubt.h"
#include "table/edges.h"
#include "table/predicted.h"
#include "table/table.h"
#include "table/verdict.h"
#include "text/out.h"
#include "vote/report.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { UNREACHED_NA, UNREACHED_PRIOR };

static size_t threads = 1, seed = 1;
static double alpha = .99, reveal;
static struct kith_how how;
static const char *train, *mass = "none", *claimed;
static int method, unreached;
static bool all, scores;

static const struct kith_opt opts[] = {
    {'t', "train", KITH_FILE(&train), "FILE has the rows that edges join"},
    {0, "method", KITH_CHOICE(&method, "harmonic|normalized|spread|poisson"),
	"the equation of the scores [harmonic]"},
    {0, "alpha", KITH_REAL(&alpha, DBL_TRUE_MIN, 1 - DBL_EPSILON / 2),
	"spread: the share from the neighbours [.99]"},
    {0, "mass", KITH_TEXT(&mass, "none|labels|FILE"),
	"weigh scores so that classes have these shares [none]"},
    {0, "unreached", KITH_CHOICE(&unreached, "na|prior"),
	"rows that no label reaches: NA or the commonest class [na]"},
    {0, "reveal", KITH_REAL(&reveal, DBL_TRUE_MIN, 1),
	"hide all labels but this share, to measure errors"},
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
    .examples =
	"  nnkgraph -y -1 train.tsv | labelprop -t train.tsv --all\n"
	"  nnkgraph -y -1 train.tsv | labelprop -q -t train.tsv --reveal .1\n",
    .opts = opts,
};

static const char *const method_name[] = {"--method harmonic",
    "--method normalized", "--method spread", "--method poisson"};

struct run {
	struct kith_table rows;
	struct kith_ends nodes;
	struct kith_undirected graph;
	const uint32_t *place; /* of each row, its node in the graph */
	struct kith_known known;
	struct kith_prop_labels labels; /* of the nodes */
	double *mass;                   /* or NULL */
	struct kith_prop prop;
	struct kith_prop_solved solved;
	struct kith_proof proof;
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
	    {is_regress() && method == KITH_PROP_POISSON,
		"--method poisson predicts classes"},
	    {claimed && is_regress() && method != KITH_PROP_HARMONIC,
		"--check of numbers needs --method harmonic"},
	};
	const char *const of = method_name[method];
	const struct kith_idle option[] = {
	    {method != KITH_PROP_SPREAD, &alpha, of},
	    {is_regress(), &mass, "--task regress"},
	    {!is_regress() && method == KITH_PROP_POISSON, &mass, of},
	    {is_regress(), &scores, "--task regress"},
	    {claimed, &scores, "--check"},
	    {claimed, &all, "--check"},
	    {claimed, &how.keep, "--check"},
	    {claimed, &unreached, "--check"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (!kith_given(&reveal))
		kith_unused_without(&seed, "--reveal");
}

/* The shares of the classes that --mass says. */
static int
read_mass(struct run *r, struct kith_err *err)
{
	if (is_regress() || method == KITH_PROP_POISSON ||
	    strcmp(mass, "none") == 0)
		return 0;
	r->mass = kith_new(&r->pool, r->known.labels.c, sizeof(*r->mass));
	if (strcmp(mass, "labels") != 0)
		return kith_mass_read(
		    mass, &r->rows.class, r->mass, &r->pool, err);
	kith_known_shares(&r->known, r->mass);
	return 0;
}

/* Read the edges, and give the nodes of the graph the labels of their rows. */
static int
read_graph(struct run *r, const char *const *files, struct kith_err *err)
{
	const struct kith_prop_labels *known = &r->known.labels;
	const size_t n = r->rows.X.n;
	struct kith_undirected graph;
	struct kith_pool tmp = {0};
	size_t *y = kith_new(&r->pool, n, sizeof(*y));
	double *u = kith_new(&r->pool, n, sizeof(*u));
	const int got = kith_undirected_read(
	    files, &r->nodes, &graph, &tmp, err);

	if (got == 0)
		r->place = kith_undirected_arrange(&graph, &r->graph, &r->pool);
	for (size_t i = 0; i < n && got == 0; i++)
		if (known->y)
			y[r->place[i]] = known->y[i];
		else
			u[r->place[i]] = known->u[i];
	r->labels = (struct kith_prop_labels){
	    known->y ? y : NULL, known->y ? NULL : u, known->c};
	kith_pool_free(&tmp);
	return got;
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	if (kith_labels_read(train, &how, &r->rows, &r->pool, err) ||
	    kith_ends_of(&r->rows, &r->nodes, &r->pool, err))
		return -1;
	kith_known_choose(&r->rows, reveal, seed,
	    method == KITH_PROP_HARMONIC ? 1 : 2, &r->known, &r->pool);
	kith_say_table_classes(&r->rows, "--task regress?");
	if (!how.format.sep)
		kith_say_undivided(train, &r->rows.column);
	if (r->rows.y && r->rows.class.n == 1)
		kith_warn("one class only: " KITH_CELL, r->rows.class.name[0]);
	if (read_mass(r, err) || read_graph(r, files, err))
		return -1;
	kith_prop_pose(&r->graph, &r->labels, (enum kith_prop_method)method,
	    alpha, &r->prop, &r->pool);
	kith_say_prop_graph(&r->prop, r->known.count);
	kith_log_size("threads", threads);
	if (kith_given(&reveal))
		kith_log_size("seed", seed);
	return 0;
}

/* The number that is predicted for row i. */
static double
number(const struct run *r, size_t i)
{
	const double *x = r->prop.X + r->place[i] * r->prop.ld;

	if (!r->prop.reached[r->place[i]])
		return kith_known_number(&r->known, kith_known_mean(&r->known));
	if (r->known.given[i] && method <= KITH_PROP_NORMALIZED)
		return r->rows.t[i];
	return kith_known_number(
	    &r->known, r->known.labels.c == 2 ? x[0] / x[1] : x[0]);
}

static void
gather_numbers(struct run *r, const bool *wanted, struct kith_predicted *to)
{
	size_t m = 0;

	to->t = kith_new(&r->pool, r->rows.X.n, sizeof(*to->t));
	for (size_t i = 0; i < r->rows.X.n; i++)
		if (wanted[i]) {
			to->t[m] = number(r, i);
			m++;
		}
}

static void
gather_classes(struct run *r, const bool *wanted, struct kith_predicted *to)
{
	const size_t n = r->rows.X.n, c = r->known.labels.c;
	double *share = kith_new(&r->pool, c, sizeof(*share));
	const size_t common = kith_known_shares(&r->known, share);
	size_t m = 0;

	to->y = kith_new(&r->pool, n, sizeof(*to->y));
	if (scores)
		to->share = kith_new(&r->pool, n * c, sizeof(*to->share));
	for (size_t i = 0; i < n; i++) {
		const size_t node = r->place[i];
		const bool reached = r->prop.reached[node];

		if (!wanted[i])
			continue;
		to->y[m] = reached ? r->proof.classes.y[node] : common;
		for (size_t k = 0; scores && k < c; k++)
			to->share[m * c + k] = reached
			    ? kith_prop_score(&r->prop, node, k)
			    : share[k];
		m++;
	}
}

/* What is printed of the rows that are wanted, into the pool. */
static void
gather(struct run *r, const bool *wanted, struct kith_predicted *to)
{
	const size_t n = r->rows.X.n;

	to->nk = 1;
	to->none = kith_new(&r->pool, n, sizeof(*to->none));
	for (size_t i = 0; i < n; i++)
		if (wanted[i])
			to->none[to->m++] = !r->prop.reached[r->place[i]] &&
			    unreached == UNREACHED_NA;
	if (is_regress())
		gather_numbers(r, wanted, to);
	else
		gather_classes(r, wanted, to);
}

/* Warn of rows that no label reaches, and of nothing to do. */
static void
warn_rows(const struct run *r, size_t printed)
{
	if (r->prop.unreached > 0)
		kith_warn("%zu rows that no label reaches: %s",
		    r->prop.unreached,
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
	gather(r, wanted, &predicted);
	kith_labels_take(&r->rows, wanted, &rows, &r->pool);
	if (!all && !kith_given(&reveal)) {
		rows.y = NULL;
		rows.t = NULL;
	}
	warn_rows(r, predicted.m);
	return kith_report_predictions(
	    &report, 0, predicted.m, 0, kith_output(), out, err);
}

/* Solve, judge and print; the status, or -1. */
static int
run(struct run *r, struct kith_out *out, struct kith_err *err)
{
	int status;

	kith_prop_solve(&r->prop, threads, &r->solved, &r->pool);
	kith_prove(&r->prop, &r->solved, r->mass, &r->proof, &r->pool);
	kith_say_prop_solved(&r->prop, &r->solved);
	status = kith_say_prop_proof(&r->proof);
	return print(r, out, err) ? -1 : status;
}

/* Put the claimed scores in the place of G. */
static int
take_claim(struct run *r, const struct kith_claim *claim, struct kith_err *err)
{
	struct kith_prop *p = &r->prop;
	const bool fixed = method <= KITH_PROP_NORMALIZED;
	const size_t c = r->rows.class.n;
	char text[KITH_NUM_ROOM];

	for (size_t i = 0; i < p->A.n; i++) {
		const size_t node = r->place[i];
		double *x = p->X + node * p->ld;

		if (!claim->there[i] && !(fixed && r->known.given[i]))
			return kith_fail_at(err, EX_DATAERR, claimed, 0,
			    "no row of id " KITH_CELL "%s",
			    kith_ends_name(&r->nodes, i, text),
			    r->known.given[i] ? " (--all?)" : "");
		if (!claim->there[i])
			continue;
		if (is_regress())
			x[0] = kith_known_unit(&r->known, claim->t[i]);
		for (size_t k = 0; k < c && !is_regress(); k++)
			x[k] = ldexp(
			    claim->F[i * c + k] / (p->h ? p->h[node] : 1),
			    method == KITH_PROP_POISSON ? r->graph.exponent
							: 0);
	}
	return 0;
}

/* What that costs (--dry-run). */
static int
tell_cost(const struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost_graph it = {.graph = &r->graph,
	    .c = is_regress() ? 0 : r->known.labels.c,
	    .times = 1,
	    .threads = threads,
	    .check = claimed};

	return kith_cost_prop(&it, (enum kith_prop_method)method, out, err);
}

/* Judge the scores of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_claim claim;
	size_t *y = NULL; /* claimed for the nodes */
	double *z = NULL;

	if (kith_claim_read(claimed, &r->nodes,
		is_regress() ? NULL : &r->rows.class, &claim, &r->pool, err))
		return -1;
	if (kith_dry())
		return tell_cost(r, out, err);
	if (r->prop.in > 0)
		z = kith_prop_walk(&r->prop, threads, &r->pool);
	if (take_claim(r, &claim, err))
		return -1;
	if (!is_regress())
		y = kith_new(&r->pool, r->prop.A.n, sizeof(*y));
	for (size_t i = 0; y && i < r->prop.A.n; i++)
		y[r->place[i]] = claim.there[i] ? claim.y[i] : r->rows.y[i];
	kith_prove_claim(&r->prop, z, r->mass, y, &r->proof, &r->pool);
	return kith_verdict_write(
	    r->proof.check, r->proof.n, kith_output(), out, err);
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

	check_call();
	other[0] = train;
	other[1] = claimed;
	other[2] = strcmp(mass, "-") == 0 ? mass : NULL;
	files = kith_inputs(operand, other, 3);
	status = read_all(&r, files, &err);
	if (status == 0)
		status = claimed ? run_check(&r, &out, &err)
		    : kith_dry() ? tell_cost(&r, &out, &err)
				 : run(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	return kith_finish(&out, status);
}
