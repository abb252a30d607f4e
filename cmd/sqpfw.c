/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw - feature weights under which rows are nearer to a target row of their class than to one of
 * the other classes (sqpfw/sqpfw.h).
 *
 * 1. Read the rows, and the weights of --prior and --check.
 * 2. Solve for each theta of --theta, or follow the path over theta.
 * 3. Judge each solution (sqpfw/check.h), and print it: weights, events, or margins.
 *
 * --check judges weights that were printed before.
 */
#include "sqpfw/sqpfw.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "la/vec.h"
#include "sqpfw/check.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WEIGHTS, EVENTS, MARGINS }; /* --print */
enum { MANY = 100 };               /* features from which on a smooth start is worth its time */

#define WIDER 1e75 /* the range of a feature may be this many times that of any other */
#define JUMP 1e-12 /* a smaller change of weights, as a part of the largest, is rounding */

static struct kith_sqpfw_how fit = {.hits = 1, .misses = 1, .threads = 1};
static double usual_theta = .1;
static struct kith_reals thetas = {1, &usual_theta};
static struct kith_how how;
static const char *prior_file, *weights_file;
static double theta_max = INFINITY;
static bool whole_path;
static int print, scale = KITH_UNIT_ZSCORE, start;

static const struct kith_opt opts[] = {
    {0, "theta", KITH_REALS(&thetas, 0, DBL_MAX),
	"how far weights may differ: 0 equal, 1 strongly; or an increasing list [0.1]",
	"What to find"},
    {0, "path", KITH_FLAG(&whole_path), "print the solutions for all theta from 0 on", NULL},
    {0, "theta-max", KITH_REAL(&theta_max, 0, DBL_MAX), "--path: end at X [where weights stay]",
	NULL},
    {0, "hits", KITH_SIZE(&fit.hits, 1, 0x1p53),
	"compare with the N-th nearest row of the same class [1]", "Which rows are compared"},
    {0, "misses", KITH_SIZE(&fit.misses, 1, 0x1p53),
	"compare with the N-th nearest row of other classes [1]", NULL},
    {0, "prior", KITH_FILE(&prior_file), "stay near to the weights in FILE [all equal]", NULL},
    {0, "print", KITH_CHOICE(&print, "weights|events|margins"),
	"weights; what changes along --path; hit, miss and margin of each row [weights]",
	"Output and proof"},
    {0, "check", KITH_FILE(&weights_file), "check that the weights in FILE are a local minimum",
	NULL},
    KITH_TARGET_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    KITH_ROW_WEIGHT_OPTION(&how),
    KITH_NA_OPTION(&how),
    KITH_SCALE_OPTION(&scale, "zscore"),
    {0, "start", KITH_CHOICE(&start, "prior|smooth"),
	"where the search begins [smooth for one theta and 100 features or more]", "Rarely needed"},
    {0, "max-iter", KITH_SIZE(&fit.max_iter, 1, 0x1p53),
	"end each search after N iterations [no limit]", NULL},
    KITH_LAST_OPTIONS(&how, &fit.threads),
};

const struct kith_tool kith_tool = {
    .name = "sqpfw",
    .args = "[FILE]...",
    .about = "Weigh features so that rows are nearer to their class than to "
	     "others.",
    .examples = "  sqpfw < train.tsv | knnclf -w - -t train.tsv test.tsv\n"
		"  tabcv --then final train.tsv -- sqpfw > weights.tsv\n",
    .opts = opts,
    .gone = {{"--validate", "tabcv --test FILE TABLE -- sqpfw"}, {"--cv", "tabcv TABLE -- sqpfw"},
	{"-k", "tabcv TABLE k=1,3,5 -- sqpfw"}, {"--best", "tabcv --then final TABLE -- sqpfw"},
	{"--patience", "tabcv TABLE theta=LIST -- sqpfw"},
	{"--seed", "leave it out: no random number is drawn"},
	{"--best-effort", "sqpfw ... || [ $? = 1 ]"}},
};

struct run {
	struct kith_table rows;     /* of the p features that vary */
	struct kith_names feature;  /* the names of all features */
	size_t *column;             /* p: the number of each among all features */
	bool *constant;             /* of all features */
	struct kith_path_form form; /* of all features */
	struct kith_classes class;
	struct kith_unit unit; /* of the p features; unit.p = 0: not scaled */
	struct kith_sqpfw_judge *judge;
	struct kith_sqpfw *solver;

	struct kith_sqpfw_now now;         /* the present solution */
	struct kith_sqpfw_verdict verdict; /* on the present solution */
	double *before;                    /* p: the weights before a jump */
	double *printed;                   /* of all features, in the units of the table */
	double *spare;                     /* of all features: scratch */
	struct kith_sqpfw_event *event;    /* changes of the active set since the last step */
	size_t n_events, event_room;
	size_t step;        /* the last step that was printed */
	size_t solutions;   /* solutions so far */
	size_t uncertified; /* solutions that are not certified as minima */
	bool cut;           /* the path ended early */
	struct kith_pool *pool;
};

/* ---- The call ---- */

/* Ends with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool several = whole_path || thetas.n != 1;
	const struct kith_rule rule[] = {
	    {weights_file && several, "--check needs one --theta"},
	    {weights_file && kith_given(&print), "--check and --print exclude each other"},
	    {start && whole_path, "--start smooth and --path exclude each other"},
	    {start && prior_file, "--start smooth and --prior exclude each other"},
	    {whole_path && kith_given(&thetas), "--theta and --path exclude each other"},
	    {kith_given(&theta_max) && !whole_path, "--theta-max needs --path"},
	    {print == MARGINS && several, "--print margins needs one --theta"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("theta", &thetas);
	if (whole_path)
		thetas.n = 0;
	if (weights_file) {
		kith_unused(&start, "--check");
		kith_unused(&fit.max_iter, "--check");
	}
}

/* ---- Input ---- */

/* Takes constant features out of the rows. */
static int
drop_constant(struct run *r, struct kith_err *err)
{
	struct kith_table *t = &r->rows;
	const size_t all = t->X.p;
	size_t p = 0;

	r->feature = t->feature;
	r->column = kith_new(r->pool, all, sizeof(*r->column));
	r->constant = kith_mat_constant(&t->X, r->pool);
	for (size_t j = 0; j < all; j++) {
		r->column[p] = j;
		p += !r->constant[j];
	}
	if (p == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0, "all features are constant");
	kith_table_take(t, r->column, p, r->pool);
	return 0;
}

/* Checks that each class has more than `hits` rows, and all others together have `misses`. */
static int
check_classes(const struct run *r, struct kith_err *err)
{
	for (size_t k = 0; k < r->class.name.n; k++) {
		const char *name = r->class.name.name[k];
		const size_t rows = r->class.rows[k], others = r->rows.X.n - rows;

		if (rows <= fit.hits)
			return kith_fail_at(err, EX_DATAERR, r->rows.file, 0,
			    "class " KITH_CELL ": --hits %zu needs %zu rows, it has only %zu", name,
			    fit.hits, fit.hits + 1, rows);
		if (others < fit.misses)
			return kith_fail_at(err, EX_DATAERR, r->rows.file, 0,
			    "classes other than " KITH_CELL
			    ": --misses %zu exceeds their number of rows, %zu",
			    name, fit.misses, others);
	}
	return 0;
}

/* Scales the rows; weights down to 1e-16 must keep their digits in the units of the table. */
static int
scale_rows(struct run *r, struct kith_err *err)
{
	const struct kith_origin from = kith_table_origin(&r->rows, NULL);

	if (kith_unit_scale(scale, &r->rows.X, &from, NULL, NULL, &r->unit, r->pool, err))
		return -1;
	for (size_t j = 0; j < r->unit.p; j++) {
		const long double unit = r->unit.scale[j], one = 1 / (unit * unit);

		if (one > DBL_MAX || one * DBL_EPSILON < DBL_MIN)
			return kith_fail_at(err, EX_DATAERR, r->rows.file, 0,
			    "column " KITH_NAME
			    ": its unit, %g, leaves no weight that fits a double",
			    r->rows.feature.name[j], r->unit.scale[j]);
	}
	return 0;
}

/* Checks that squares of squared differences of all features fit a double beside each other. */
static int
check_ranges(const struct run *r, struct kith_err *err)
{
	const size_t p = r->rows.X.p;
	double *half = r->spare;
	size_t narrow, wide;

	for (size_t j = 0; j < p; j++) {
		double low, high;

		kith_mat_range(&r->rows.X, j, &low, &high);
		half[j] = high / 2 - low / 2;
	}
	narrow = kith_vec_argmin(p, half);
	wide = kith_vec_argmax(p, half);
	if (half[wide] / WIDER > half[narrow])
		return kith_fail_at(err, EX_DATAERR, r->rows.file, 0,
		    "column " KITH_NAME ": its range, %g, is more than 1e75 "
		    "times that of column " KITH_NAME " (tabscale?)",
		    r->rows.feature.name[wide], 2 * half[wide], r->rows.feature.name[narrow]);
	return 0;
}

/* Reads weights of squared differences, of all features. */
static int
read_weights(struct run *r, const char *file, const double **all, struct kith_err *err)
{
	struct kith_weights got;

	if (kith_weights_read(file, &r->feature, 0, &got, r->pool, err))
		return -1;
	*all = got.metric.w;
	if (got.metric.kind == KITH_SQUARED)
		return 0;
	return kith_fail_at(err, EX_DATAERR, file, 0, "%s: a table \"feature weight\" is needed",
	    got.metric.kind == KITH_ABSOLUTE ? "weights of absolute differences"
					     : "a matrix of weights");
}

/*
 * Takes the weights `all`, in the units of the table, of the p features with a variance, and
 * converts them to w (p), in the units of the scaled rows.
 */
static int
from_table(
    const struct run *r, const double *all, double *w, const char *file, struct kith_err *err)
{
	for (size_t j = 0; j < r->rows.X.p; j++)
		w[j] = all[r->column[j]];
	return kith_unit_convert(
	    &r->unit, KITH_SQUARED, KITH_UNIT_FROM_INPUT, &r->rows.feature, w, file, err);
}

/* The inverse of from_table(): w is in units of the rows, `all` becomes w in units of the table. */
static int
to_table(const struct run *r, const double *w, double *all, struct kith_err *err)
{
	const size_t p = r->rows.X.p;

	memcpy(all, w, p * sizeof(*w));
	if (kith_unit_convert(&r->unit, KITH_SQUARED, KITH_UNIT_TO_INPUT, &r->rows.feature, all,
		r->rows.file, err))
		return -1;
	memset(all + p, 0, (r->feature.n - p) * sizeof(*all));
	for (size_t j = p; j-- > 0;) /* column[j] >= j */
		kith_vec_swap(all, j, r->column[j]);
	return 0;
}

/* Sets the prior, of sum 1, from the weights of all features in the units of the table. */
static int
set_prior(struct run *r, const double *all, struct kith_err *err)
{
	const size_t p = r->rows.X.p;
	double *prior = kith_new(r->pool, p, sizeof(*prior));
	long double sum = 0; /* does not overflow */

	fit.prior = prior;
	if (from_table(r, all, prior, prior_file, err))
		return -1;
	for (size_t j = 0; j < p; j++)
		sum += prior[j];
	if (sum <= 0)
		return kith_fail_at(err, EX_DATAERR, prior_file, 0, "no weight above 0%s",
		    p < r->feature.n ? ", but of constant features" : "");
	for (size_t j = 0; j < p; j++)
		prior[j] = (double)(prior[j] / sum);
	if (fabs((double)sum - 1) > 1e-12)
		kith_log_real("prior sum", (double)sum);
	return 0;
}

/* Sets the weights of the rows, divided by their mean; not all of them are 0. */
static void
set_row_weights(struct run *r)
{
	const struct kith_table *t = &r->rows;
	const size_t n = t->X.n;
	double *weight, most, sum = 0;

	if (!t->weight)
		return;
	most = kith_vec_largest(n, t->weight);
	weight = kith_new(r->pool, n, sizeof(*weight));
	for (size_t i = 0; i < n; i++)
		sum += t->weight[i] / most;
	for (size_t i = 0; i < n; i++)
		weight[i] = t->weight[i] / most * ((double)n / sum);
	fit.weight = weight;
}

/* Reads all files and makes the judge; *judged: the weights of --check, of all features. */
static int
read_all(struct run *r, const char *const *files, const double **judged, struct kith_err *err)
{
	struct kith_table *t = &r->rows;
	const double *prior = NULL;

	how.changed = scale;
	if (kith_table_read(files, &how, NULL, t, r->pool, err) ||
	    kith_classes_number(t, &r->class, r->pool, err))
		return -1;
	r->form = (struct kith_path_form){
	    "theta", KITH_SQUARED, &r->feature, kith_weights_deviations(t, r->pool)};
	if (drop_constant(r, err) || (prior_file && read_weights(r, prior_file, &prior, err)) ||
	    (weights_file && read_weights(r, weights_file, judged, err)))
		return -1;
	KITH_NEW_REALS(r->pool, r->feature.n, 1, &r->before, &r->printed, &r->spare);
	kith_warn_target(t, "sqpfw learns classes only");
	if (check_classes(r, err) || scale_rows(r, err) || check_ranges(r, err) ||
	    (prior && set_prior(r, prior, err)))
		return -1;
	set_row_weights(r);
	if (!scale)
		kith_warn_scales(t, KITH_WARN_UNITS);
	kith_warn_constant(&r->feature, r->constant, "weight 0");
	kith_log_size("rows", t->X.n);
	kith_log_size("classes", r->class.name.n);
	kith_log_size("features", t->X.p);
	kith_log_size("constant", r->feature.n - t->X.p);
	kith_log_size("hits", fit.hits);
	kith_log_size("misses", fit.misses);
	r->judge = kith_sqpfw_judge_new(&t->X, r->class.y, r->class.name.n, &fit, r->pool);
	return 0;
}

/* ---- Printing ---- */

static void
write_header(const struct run *r, struct kith_out *out)
{
	static const char *const column[] = {
	    "step", "theta", "event", "row", "was", "becomes", "other"};

	if (print == EVENTS)
		kith_out_header(out, column, 7);
	if (print != WEIGHTS)
		return;
	kith_needs_put(&(struct kith_needs){.scale = r->unit.method}, out);
	if (thetas.n == 1)
		kith_out_note(out, "theta", thetas.v[0]);
	else
		kith_path_header(&r->form, out);
}

/* A kith_sqpfw_report: keeps an event until its step is printed. */
static void
keep_event(void *to, const struct kith_sqpfw_event *event)
{
	struct run *r = to;

	r->event = kith_more(r->pool, r->event, r->n_events, &r->event_room, sizeof(*r->event));
	r->event[r->n_events++] = *event;
}

/* Writes the events that led to the present step. */
static void
write_events(struct run *r, struct kith_out *out)
{
	static const char *const kind[] = {"hit", "miss", "weight"};
	static const char *const state[] = {"nearer", "tied", "farther", "zero", "positive"};
	const int first = KITH_SQPFW_NEARER;

	for (size_t e = 0; e < r->n_events; e++) {
		const struct kith_sqpfw_event *at = &r->event[e];
		const bool weight = at->kind == KITH_SQPFW_WEIGHT;

		kith_out_put(out, "%zu\t%g\t%s\t", r->step, at->theta, kind[at->kind]);
		if (weight)
			kith_out_cell(out, r->rows.feature.name[at->row]);
		else
			kith_table_write_id(&r->rows, at->row, out);
		kith_out_put(out, "\t%s\t%s\t", state[at->was - first], state[at->becomes - first]);
		if (weight)
			kith_out_missing(out);
		else
			kith_table_write_id(&r->rows, at->other, out);
		kith_out_row(out);
	}
	r->n_events = 0;
	kith_out_flush(out);
}

/* Writes the target hit and the target miss of each row; of equally far rows the first. */
static void
write_margins(struct run *r, struct kith_out *out)
{
	static const char *const column[] = {
	    "id", "hit", "miss", "distance_hit", "distance_miss", "margin"};
	const struct kith_table *t = &r->rows;
	const struct kith_metric metric = {KITH_SQUARED, t->X.p, r->now.w};
	const size_t *target = kith_sqpfw_judge_targets(r->judge, r->now.w);

	kith_out_header(out, column, 6);
	for (size_t i = 0; i < t->X.n; i++) {
		const double *x = kith_row(&t->X, i);
		const double d = kith_dist(&metric, x, kith_row(&t->X, target[2 * i]));
		const double e = kith_dist(&metric, x, kith_row(&t->X, target[2 * i + 1]));

		kith_table_write_id(t, i, out);
		kith_out_next(out);
		kith_table_write_id(t, target[2 * i], out);
		kith_out_next(out);
		kith_table_write_id(t, target[2 * i + 1], out);
		kith_out_put(out, "\t%g\t%g\t%g\n", d, e, e - d);
	}
}

/* Prints the present solution; in a path, after a jump of the weights, also the weights before. */
static int
print_solution(struct run *r, bool jump, struct kith_out *out, struct kith_err *err)
{
	const struct kith_metric metric = {KITH_SQUARED, r->feature.n, r->printed};

	if (print == EVENTS)
		write_events(r, out);
	else if (print == MARGINS)
		write_margins(r, out);
	else if (thetas.n == 1)
		kith_weights_put(&metric, &r->feature, r->form.sd, out);
	else {
		if (jump) {
			if (to_table(r, r->before, r->spare, err))
				return -1;
			kith_path_step(&r->form, r->step - 1, r->now.theta, r->spare, out);
		}
		kith_path_step(&r->form, r->step, r->now.theta, r->printed, out);
	}
	return 0;
}

/* ---- Solutions ---- */

/*
 * Computes the printed weights, in the units of the table.  Weights that are read from there differ
 * by rounding, so certified ones are judged again as they will be read; the solver's multipliers
 * for the present weights are proposed to the judge.
 */
static int
convert(struct run *r, bool *certified, struct kith_err *err)
{
	const struct kith_sqpfw_shares shares = {kith_sqpfw_share, r->solver};

	if (to_table(r, r->now.w, r->printed, err))
		return -1;
	if (!scale || !*certified)
		return 0;
	if (from_table(r, r->printed, r->spare, r->rows.file, err))
		return -1;
	kith_sqpfw_judge(r->judge, r->spare, r->now.theta, &shares, &r->verdict, NULL);
	*certified = r->verdict.certified;
	return 0;
}

/* Whether two solutions at one theta differ by more than rounding, JUMP of the largest weight. */
static bool
jumps(const double *before, const double *after, size_t p)
{
	double size = 0, most = 0;

	for (size_t j = 0; j < p; j++) {
		size = fmax(size, fmax(fabs(before[j]), fabs(after[j])));
		most = fmax(most, fabs(before[j] - after[j]));
	}
	return most > JUMP * size;
}

/*
 * Moves the solver from its present solution to a minimum, and prints that.  follows: on the path,
 * where r->before are the weights when theta came here from below.
 */
static int
finish_solution(struct run *r, bool follows, struct kith_out *out, struct kith_err *err)
{
	bool certified, jump;
	int got;

	kith_sqpfw_minimum(r->solver, r->judge, &r->verdict);
	kith_sqpfw_at(r->solver, &r->now);
	/* A path goes on from its solutions: concave kinks count at theta = 0 too. */
	certified = r->verdict.certified &&
	    (!whole_path || r->now.theta > 0 || r->verdict.concave == 0);
	got = print == WEIGHTS ? convert(r, &certified, err) : 0;
	kith_log_line("solution",
	    "theta %g objective %g iterations %zu ties %zu features %zu residual %g%s",
	    r->now.theta, r->verdict.objective, r->now.iterations, r->verdict.ties, r->now.positive,
	    r->verdict.residual,
	    certified            ? ""
		: r->now.limited ? " not finished"
				 : " not certified");
	jump = follows && jumps(r->before, r->now.w, r->rows.X.p);
	kith_progress_add(1);
	r->solutions++;
	r->uncertified += !certified;
	r->step += jump ? 2 : 1;
	return got ? -1 : print_solution(r, jump, out, err);
}

/* Follows the solutions from theta = 0 on. */
static int
follow_path(struct run *r, struct kith_out *out, struct kith_err *err)
{
	enum kith_sqpfw_step step = KITH_SQPFW_BREAKPOINT;

	r->cut = !kith_sqpfw_solve(r->solver, 0);
	if (finish_solution(r, false, out, err))
		return -1;
	while (
	    step == KITH_SQPFW_BREAKPOINT && !r->cut && !out->failed && r->now.theta < theta_max) {
		step = kith_sqpfw_next(r->solver, theta_max, r->before);
		r->cut = step == KITH_SQPFW_LIMIT;
		if (step != KITH_SQPFW_END && finish_solution(r, true, out, err))
			return -1;
	}
	return 0;
}

/* Warns that the present solution is not certified, and says why. */
static void
warn_uncertified(const struct run *r)
{
	const struct kith_sqpfw_verdict *v = &r->verdict;

	if (r->now.limited)
		kith_warn(
		    "not certified as a minimum: stopped after %zu iterations", r->now.iterations);
	else if (v->open > 0)
		kith_warn("not certified as a minimum: %zu kinks, with too many tied rows to try "
			  "all choices",
		    v->open);
	else if (isnan(v->residual))
		kith_warn("not certified as a minimum: squares of the data overflow");
	else if (!(v->residual <= KITH_SQPFW_RESIDUAL))
		kith_warn("not certified as a minimum: residual %g, limit %g", v->residual,
		    KITH_SQPFW_RESIDUAL);
	else
		kith_warn(
		    "not certified as a minimum: the weights sum to 1 but for %g", v->simplex);
}

/* Logs the last solution, warns of what is not certified, and returns the status. */
static int
report_end(const struct run *r)
{
	kith_log_size("solutions", r->solutions);
	kith_log_size("uncertified", r->uncertified);
	kith_log_size("iterations", r->now.iterations);
	kith_log_real("theta", r->now.theta);
	kith_log_real("objective", r->verdict.objective);
	kith_log_size("positive", r->now.positive);
	kith_log_size("ties", r->verdict.ties);
	kith_log_size("concave", r->verdict.concave);
	kith_log_real("residual", r->verdict.residual);
	if (r->cut)
		kith_warn("the path ends at theta %g, after %zu iterations", r->now.theta,
		    r->now.iterations);
	else if (r->uncertified > 0 && thetas.n != 1)
		kith_warn(
		    "not certified as minima: %zu of %zu solutions", r->uncertified, r->solutions);
	else if (r->uncertified > 0)
		warn_uncertified(r);
	return r->uncertified > 0 || r->cut;
}

/* Solves and prints; returns the status, or -1. */
static int
run_solve(struct run *r, struct kith_out *out, struct kith_err *err)
{
	fit.report = print == EVENTS ? keep_event : NULL;
	fit.report_to = r;
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	write_header(r, out);
	r->solver = kith_sqpfw_new(&r->rows.X, r->class.y, r->class.name.n, &fit, r->pool);
	kith_progress_phase(whole_path ? "path" : "weights", thetas.n, "solutions");
	if (kith_given(&start) ? start : thetas.n == 1 && !prior_file && r->rows.X.p >= MANY)
		kith_sqpfw_smooth(r->solver, thetas.v[0]);
	if (whole_path && follow_path(r, out, err))
		return -1;
	for (size_t s = 0; s < thetas.n && !out->failed; s++) {
		kith_sqpfw_solve(r->solver, thetas.v[s]);
		if (finish_solution(r, false, out, err))
			return -1;
	}
	kith_progress_end();
	return report_end(r);
}

/* Judges the weights of --check, of all features; returns the status, or -1. */
static int
run_check(struct run *r, const double *weights, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_SQPFW];
	double *w = kith_new(r->pool, r->rows.X.p, sizeof(*w));

	if (from_table(r, weights, w, weights_file, err))
		return -1;
	kith_sqpfw_judge(r->judge, w, thetas.v[0], NULL, &r->verdict, NULL);
	kith_check_sqpfw(&r->verdict, check);
	return kith_check_write(check, KITH_CHECK_SQPFW, kith_output(), out, err);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run r = {.pool = pool};
	const double *judged = NULL;
	int status;

	how.format.threads = fit.threads;
	check_call();
	if (read_all(&r, files, &judged, err))
		return -1;
	status = judged ? run_check(&r, judged, out, err) : run_solve(&r, out, err);
	kith_sqpfw_judge_free(r.judge);
	if (r.solver)
		kith_sqpfw_free(r.solver);
	return status;
}
