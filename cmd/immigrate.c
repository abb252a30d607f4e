/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate - weights of features and of their interactions. */
#include "immigrate/immigrate.h"

#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "table/check.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <math.h>
#include <string.h>

static struct kith_immigrate_problem problem = {.how = {.max_iter = 1000, .tol = 1e-6}, .seed = 1};
static struct kith_immigrate_boost boost = {.max_iter = KITH_IMMIGRATE_LEARNER_ITERATIONS};
static struct kith_how reading;
static const char *start, *range, *check_file;
static int method, solver, scale = KITH_UNIT_ZSCORE, prints_margins;

static const struct kith_opt opts[] = {
    {0, "method", KITH_CHOICE(&method, "immigrate|im4e|im4e-immigrate"),
	"weights of pairs, of features, or of pairs of selected features [immigrate]",
	"What to find"},
    {0, "sigma", KITH_AUTO(&problem.how.sigma, DBL_TRUE_MIN, DBL_MAX),
	"how far rows count as neighbours, in units of the distance [auto; --solver paper, "
	"package: 1]",
	NULL},
    {0, "boost", KITH_SIZE(&boost.learners, 1, 0x1p53), "learn an ensemble of up to N matrices",
	NULL},
    {0, "sigma-range", KITH_TEXT(&range, "auto|X:X"),
	"--boost: sigma of the first and after the last matrix [auto]", NULL},
    {0, "threshold", KITH_AUTO(&problem.how.threshold, 0, DBL_MAX),
	"set weights below X to 0; auto: 1 / features [none are]", NULL},
    {0, "print", KITH_CHOICE(&prints_margins, "weights|margins"),
	"weights; or for each row its distances to hits and misses [weights]", "Output and proof"},
    {0, "check", KITH_FILE(&check_file), "check that the weights in FILE are a fixed point", NULL},
    KITH_TARGET_OPTION(&reading),
    KITH_FEATURE_OPTIONS(&reading),
    KITH_ROW_WEIGHT_OPTION(&reading),
    KITH_NA_OPTION(&reading),
    KITH_SCALE_OPTION(&scale, "zscore"),
    {0, "solver", KITH_CHOICE(&solver, "monotone|paper|package"),
	"steps that never raise the objective, or those published: of the paper, of the R package "
	"[monotone]",
	"Rarely needed"},
    {0, "start", KITH_FILE_OR(&start, "identity|random|FILE"),
	"the first weights [identity; --boost: random]", NULL},
    {0, "max-iter", KITH_SIZE(&problem.how.max_iter, 1, 0x1p53),
	"iterations at most [1000; --solver paper: 100; package, --boost: 10]", NULL},
    {0, "tol", KITH_REAL(&problem.how.tol, 0, DBL_MAX),
	"stop when the cost changes by less than X [1e-6; --solver package: 0.01]", NULL},
    KITH_RANDOM_OPTIONS(&reading, &problem.seed, &reading.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "immigrate",
    .args = "[FILE]...",
    .about = "Weigh features and their interactions by expected margins.",
    .examples = "  immigrate train.tsv > weights.tsv\n"
		"  immigrate --method im4e --sigma 2 --scale zscore < train.tsv\n",
    .opts = opts,
    .gone = {{"--rules", "--solver"},
	{"--select", "the weights above 1 / features are selected; immigrate -x LIST takes others"},
	{"--select-max", "200 features at most are selected; immigrate -x LIST takes others"},
	{"--inner", "immigrate --boost N --max-iter N"},
	{"--sample", "tabfold --shares draws rows of each class"},
	{"--cv", "tabcv TABLE -- immigrate"}, {"--loo", "tabcv --loo TABLE -- immigrate"},
	{"--best", "tabcv --then final TABLE -- immigrate"},
	{"--best-effort", "immigrate ... || [ $? = 1 ]"}},
};

struct run {
	struct kith_table t;   /* of the features that are fitted or judged, scaled */
	struct kith_unit unit; /* their scale; --scale none: p = 0, which converts no weight */
	double *sd;            /* their standard deviations, in the units of the table */
	struct kith_immigrate_rows rows;
	struct kith_pool *pool;
};

static enum kith_immigrate_start
start_kind(void)
{
	if (start ? strcmp(start, "random") == 0
		  : boost.learners && method != KITH_IMMIGRATE_SELECTED)
		return KITH_IMMIGRATE_RANDOM;
	return start && strcmp(start, "identity") != 0 ? KITH_IMMIGRATE_GIVEN
						       : KITH_IMMIGRATE_IDENTITY;
}

/* Ends with a wrong call where options exclude each other; warns of options without effect. */
static void
check_options(void)
{
	const bool selects = method == KITH_IMMIGRATE_SELECTED;
	const bool draws = boost.learners || (!check_file && start_kind() == KITH_IMMIGRATE_RANDOM);
	const struct kith_rule rule[] = {
	    {boost.learners && prints_margins, "--print margins needs one learner"},
	    {boost.learners && method == KITH_IMMIGRATE_VECTOR,
		"--boost needs --method immigrate or im4e-immigrate"},
	    {boost.learners && check_file, "--boost and --check exclude each other"},
	};
	const struct kith_idle idle[] = {
	    {check_file, &start, "--check"},
	    {check_file, &problem.how.max_iter, "--check"},
	    {check_file, &prints_margins, "--check"},
	    {!boost.learners, &range, "one learner"},
	    {boost.learners && !selects, &problem.how.sigma, "--boost"},
	    {!draws, &problem.seed, "a start that is given"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_unused_all(idle, sizeof(idle) / sizeof(*idle));
}

/* Sets what depends on several options. */
static void
set_problem(void)
{
	static const size_t iterations[] = {1000, 100, 10};
	const char *text = range ? range : solver == KITH_IMMIGRATE_MONOTONE ? "auto" : "4:0.2";
	struct kith_immigrate_how *how = &problem.how;

	if (strcmp(text, "auto") != 0 &&
	    (!kith_parse_range(text, &boost.first, &boost.last) || !(boost.last > 0) ||
		boost.first < boost.last))
		kith_misuse("bad --sigma-range: " KITH_CELL
			    " (auto, or two numbers above 0, the larger first: 4:0.2)",
		    text);
	if (kith_given(&how->max_iter))
		boost.max_iter = how->max_iter;
	else
		how->max_iter = iterations[solver];
	if (solver == KITH_IMMIGRATE_PACKAGE && !kith_given(&how->tol))
		how->tol = .01;
	if (solver != KITH_IMMIGRATE_MONOTONE && !kith_given(&how->sigma))
		how->sigma = 1;
	how->sigma = fmax(how->sigma, 0); /* 0: auto */
	how->solver = (enum kith_immigrate_solver)solver;
	how->threads = reading.format.threads;
	problem.method = (enum kith_immigrate_method)method;
	problem.start = start_kind();
}

/* Restricts X, names and units to p columns, in increasing order. */
static void
restrict_features(struct run *r, const size_t *column, size_t p)
{
	kith_table_take(&r->t, column, p, r->pool);
	for (size_t j = 0; j < p; j++) {
		r->sd[j] = r->sd[column[j]];
		if (scale)
			r->unit.scale[j] = r->unit.scale[column[j]];
	}
	r->unit.p = scale ? p : 0;
}

/* Replaces the weights of a metric by a copy, which is returned. */
static double *
copy_weights(struct run *r, struct kith_metric *metric)
{
	const size_t len = metric->p * (kith_metric_is_matrix(metric->kind) ? metric->p : 1);
	double *w = kith_new(r->pool, len, sizeof(*w));

	memcpy(w, metric->w, len * sizeof(*w));
	metric->w = w;
	return w;
}

/* Converts a copy of the weights of a metric to the units of the table. */
static int
unscale_weights(struct run *r, struct kith_metric *metric, struct kith_err *err)
{
	return kith_unit_convert(&r->unit, metric->kind, KITH_UNIT_TO_INPUT, &r->t.feature,
	    copy_weights(r, metric), r->t.file, err);
}

/*
 * Sets weights of constant features to 0, for in the units of the table they have no value; what
 * remains is normalised, and the judge decides whether it is a fixed point.
 */
static void
drop_constant(struct run *r, struct kith_immigrate_fit *fit)
{
	const bool matrix = kith_metric_is_matrix(fit->metric.kind);
	const size_t p = fit->metric.p, len = matrix ? p * p : p;
	double *w = copy_weights(r, &fit->metric);
	bool changed = false;

	for (size_t k = 0; k < len && scale; k++)
		if (w[k] != 0 &&
		    (r->unit.scale[k % p] == 0 || r->unit.scale[matrix ? k / p : k] == 0)) {
			w[k] = 0;
			changed = true;
		}
	if (!changed)
		return;
	kith_immigrate_normalise(len, matrix, w);
	fit->result.certain = false;
	fit->result.may_be_fixed = true;
}

/*
 * Computes the printed weights, in the units of the table, and replaces the weights of the fit by
 * what --check reads from the printed ones: the conversion rounds, and where Sigma is near 0 the
 * judge may refuse a neighbour of a fixed point.
 */
static int
convert_fit(struct run *r, struct kith_immigrate_fit *fit, struct kith_metric *printed,
    struct kith_err *err)
{
	*printed = fit->metric;
	if (unscale_weights(r, printed, err))
		return -1;
	fit->metric.w = printed->w;
	return kith_unit_convert(&r->unit, printed->kind, KITH_UNIT_FROM_INPUT, &r->t.feature,
	    copy_weights(r, &fit->metric), r->t.file, err);
}

/* Reads --start FILE: a matrix, or for im4e and im4e-immigrate a vector. */
static int
read_start(struct run *r, struct kith_err *err)
{
	const bool matrix = method == KITH_IMMIGRATE_MATRIX;
	const size_t p = r->t.feature.n, len = matrix ? p * p : p;
	double *W = kith_new(r->pool, len, sizeof(*W));
	struct kith_weights got;

	problem.given = W;
	if (kith_weights_read(start, &r->t.feature, KITH_WEIGHTS_SYMMETRIC, &got, r->pool, err))
		return -1;
	if (matrix != (got.column != NULL))
		return kith_fail_at(err, EX_DATAERR, start, 0,
		    matrix ? "a vector of weights: the start is a matrix"
			   : "a matrix of weights: the start is a vector");
	kith_weights_spread(&got, W, p);
	if (kith_unit_convert(&r->unit, matrix ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE,
		KITH_UNIT_FROM_INPUT, &r->t.feature, W, start, err))
		return -1;
	return kith_immigrate_normalise(len, matrix, W)
	    ? kith_fail_at(err, EX_DATAERR, start, 0, "all weights are 0")
	    : 0;
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	struct kith_table *t = &r->t;
	struct kith_origin from;

	reading.changed = scale;
	if (kith_table_read(files, &reading, NULL, t, r->pool, err) || kith_classes_several(t, err))
		return -1;
	from = kith_table_origin(t, NULL);
	r->sd = kith_weights_deviations(t, r->pool);
	if (kith_unit_scale(scale, &t->X, &from, NULL, NULL, &r->unit, r->pool, err))
		return -1;
	r->rows = (struct kith_immigrate_rows){&t->X, t->y, t->class.n, t->weight};
	kith_warn_target(t, "immigrate learns classes only");
	kith_warn_constant(&t->feature, kith_mat_constant(&t->X, r->pool), NULL);
	if (!scale)
		kith_warn_scales(t, KITH_WARN_UNITS);
	kith_log_size("rows", t->X.n);
	kith_log_size("features", t->X.p);
	return check_file || start_kind() != KITH_IMMIGRATE_GIVEN ? 0 : read_start(r, err);
}

static void
log_iteration(size_t iteration, double C, double F, double step)
{
	kith_log_line("iteration", "%zu objective %g F %g step %g", iteration, C, F, step);
}

/* Logs how sigma was found from the rows. */
static void
log_sigma(const struct kith_immigrate_sigma *sigma)
{
	if (sigma->rows == 0)
		return;
	if (sigma->unit == 0)
		kith_warn("rows of different classes do not differ: sigma is 1");
	else
		kith_log_line("sigma auto",
		    "%g times the median distance to the nearest row of another class, error %.3g "
		    "on %zu rows",
		    sigma->factor, sigma->error, sigma->rows);
	kith_log_real("sigma", sigma->value);
}

/* Warns of an iteration that ended at weights that are not proved to be a fixed point. */
static void
warn_end(const char *name, bool vector, const struct kith_immigrate_result *result)
{
	const bool monotone = solver == KITH_IMMIGRATE_MONOTONE;
	const bool package = solver == KITH_IMMIGRATE_PACKAGE;
	const bool paper = !monotone && !package && !vector && problem.how.tol > 0;

	switch (result->end) {
	case KITH_IMMIGRATE_CYCLE:
		kith_warn(
		    "%sno fixed point: after %zu iterations two %s alternate; printing that of "
		    "lower F (%s?)",
		    name, result->iterations, vector ? "vectors" : "matrices",
		    vector ? "a larger --sigma" : "--solver monotone");
		break;
	case KITH_IMMIGRATE_KEPT:
		kith_warn("%sno further step after %zu iterations: %s", name, result->iterations,
		    monotone && !vector
			? "none lowers F, or no weight is left"
			: "no eigenvalue of Sigma is negative, or no weight reaches the threshold");
		break;
	case KITH_IMMIGRATE_LIMIT:
		kith_warn("%sno convergence in %zu iterations (%s?)", name, result->iterations,
		    paper ? "--solver monotone" : "--max-iter");
		break;
	case KITH_IMMIGRATE_CONVERGED:
		kith_warn("%s%s after %zu iterations, but the weights are not proved to be a fixed "
			  "point (--check; %s?)",
		    name, package ? "ended by the rule of the package" : "converged",
		    result->iterations,
		    package                                      ? "--tol"
			: monotone && problem.how.threshold != 0 ? "--threshold"
								 : "tabscale");
		break;
	}
}

/* Logs how a fit ended.  Returns the status: 0 for a proved fixed point, else 1. */
static int
report_end(bool vector, const struct kith_immigrate_result *result, bool proved)
{
	static const char *const word[] = {"converged", "limit", "2-cycle", "kept"};
	const char *const name = vector ? "im4e: " : "";

	kith_log_text("end", word[result->end]);
	kith_log_size("iterations", result->iterations);
	kith_log_real("objective", result->C);
	kith_log_real("F", result->F);
	if (result->no_cost)
		kith_warn(
		    "%sa cost is not a number, since exp(-d/sigma) vanished; going on (a larger "
		    "--sigma?)",
		    name);
	if (!proved || result->end == KITH_IMMIGRATE_KEPT)
		warn_end(name, vector, result);
	return !proved;
}

/* Reports the end of im4e before the selection: --check judges the matrix alone. */
static int
report_select(const struct kith_immigrate_result *select)
{
	return report_end(true, select, select->certain || select->end == KITH_IMMIGRATE_CONVERGED);
}

static int
write_margins(
    struct run *r, const struct kith_immigrate_fit *fit, struct kith_out *out, struct kith_err *err)
{
	static const char *const head[] = {"id", "hit", "miss", "margin"};
	double *hit, *miss;

	KITH_NEW_REALS(r->pool, r->t.X.n, 1, &hit, &miss);
	kith_immigrate_margins(
	    &r->rows, &fit->metric, fit->sigma.value, reading.format.threads, hit, miss);
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_out_header(out, head, 4);
	for (size_t i = 0; i < r->t.X.n; i++) {
		kith_table_write_id(&r->t, i, out);
		kith_out_put(out, "\t%G\t%G\t%G\n", hit[i], miss[i], miss[i] - hit[i]);
	}
	return 0;
}

/* Fits weights and prints them, or margins.  Returns the status, or -1. */
static int
run_fit(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_immigrate_fit fit;
	struct kith_metric printed;
	struct kith_needs needs = {.scale = scale};
	int status = 0;

	problem.how.report = log_iteration;
	if (kith_immigrate_fit(&r->rows, &problem, &fit, r->pool, err))
		return -1;
	log_sigma(&fit.sigma);
	if (method == KITH_IMMIGRATE_SELECTED) {
		restrict_features(r, fit.column, fit.metric.p);
		fit.column = NULL;
		kith_log_size("selected", fit.metric.p);
		status = report_select(&fit.select);
	}
	drop_constant(r, &fit);
	if (!prints_margins && convert_fit(r, &fit, &printed, err))
		return -1;
	status |= report_end(method == KITH_IMMIGRATE_VECTOR, &fit.result,
	    kith_immigrate_is_fixed(&r->rows, &problem, &fit));
	if (prints_margins)
		return write_margins(r, &fit, out, err) ? -1 : status;
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	needs.sigma = fit.sigma.value;
	kith_needs_put(&needs, out);
	kith_weights_put(&printed, &r->t.feature, r->sd, out);
	return status;
}

/* Trains an ensemble and prints it.  Returns the status, or -1. */
static int
run_boost(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_weights ensemble;

	if (kith_immigrate_boost(&r->rows, &problem, &boost, &ensemble, r->pool, err))
		return -1;
	if (ensemble.column)
		restrict_features(r, ensemble.column, ensemble.metric.p);
	for (size_t l = 0; l < ensemble.learners; l++)
		if (unscale_weights(r, &ensemble.learner[l].metric, err))
			return -1;
	kith_log_size("learners", boost.kept);
	kith_log_size("learners without error", boost.perfect);
	kith_log_size("learners not better than chance", boost.useless);
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_weights_put_learners(&ensemble, &r->t.feature, out);
	return method == KITH_IMMIGRATE_SELECTED ? report_select(&boost.select) : 0;
}

/* Judges the weights of a file (--check).  Returns the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_IMMIGRATE_CHECKS];
	struct kith_immigrate_how *how = &problem.how;
	const bool matrix = method != KITH_IMMIGRATE_VECTOR,
		   given = kith_given(&problem.how.sigma) && how->sigma > 0;
	struct kith_weights got;
	size_t p = r->t.feature.n, n;
	double *W;

	if (kith_weights_read(check_file, &r->t.feature, KITH_WEIGHTS_FULL, &got, r->pool, err))
		return -1;
	if (got.metric.kind != (matrix ? KITH_ABSOLUTE_MATRIX : KITH_ABSOLUTE))
		return kith_fail_at(
		    err, EX_DATAERR, check_file, 0, "not the weights of this --method");
	if (method == KITH_IMMIGRATE_SELECTED) {
		p = got.metric.p;
		restrict_features(r, got.column, p);
		got.column = NULL;
	}
	W = kith_new(r->pool, p, (matrix ? p : 1) * sizeof(*W));
	kith_weights_spread(&got, W, p);
	if (kith_unit_convert(&r->unit, got.metric.kind, KITH_UNIT_FROM_INPUT, &r->t.feature, W,
		check_file, err) ||
	    kith_warn_weights(&got.needs, KITH_UNIT_NONE, err))
		return -1;
	how->sigma = kith_warn_sigma(&got.needs, how->sigma > 0 ? how->sigma : 1, given);
	n = kith_immigrate_check(&r->rows, how, matrix, W, check);
	return kith_check_write(check, n, kith_output(), out, err);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run r = {.pool = pool};

	check_options();
	set_problem();
	if (read_all(&r, files, err))
		return -1;
	if (check_file)
		return run_check(&r, out, err);
	return boost.learners ? run_boost(&r, out, err) : run_fit(&r, out, err);
}
