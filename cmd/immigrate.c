/* SPDX-License-Identifier: BSD-2-Clause */
/* immigrate - weights of features and of their interactions. */
#include "say/immigrate.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "immigrate/boost.h"
#include "immigrate/cv.h"
#include "immigrate/fit.h"
#include "immigrate/start.h"
#include "immigrate/unit.h"
#include "immigrate/write.h"
#include "say/choice.h"
#include "say/constant.h"
#include "say/doubt.h"
#include "say/needs.h"
#include "table/classes.h"
#include "table/ensemble.h"
#include "table/fold.h"
#include "table/parts.h"
#include "table/table.h"
#include "table/trial.h"
#include "text/out.h"

#include <float.h>
#include <string.h>

enum { MONOTONE, PAPER, PACKAGE }; /* --rules */

static double tol = 1e-6, above;
static struct kith_reals sigmas;
static size_t max_iter = 1000, most = 200, learners, inner = 10, parts;
static size_t threads = 1, seed = 1, sample;
static struct kith_how how;
static const char *sigma, *start, *threshold, *range, *trace, *judged;
static int method, rules, best, scale, shown;
static bool loo, best_effort;

static const struct kith_opt opts[] = {
    {0, "method", KITH_CHOICE(&method, "immigrate|im4e|im4e-immigrate"),
	"pairs, features, or pairs of selected ones [immigrate]"},
    {0, "sigma", KITH_TEXT(&sigma, "auto|LIST"), "the scale of distances [auto; other rules: 1]"},
    {0, "rules", KITH_CHOICE(&rules, "monotone|paper|package"),
	"steps that never raise F, or of the paper or package [monotone]"},
    {0, "start", KITH_TEXT(&start, "identity|random|FILE"),
	"weights to start from [identity; --boost: random]"},
    {0, "max-iter", KITH_SIZE(&max_iter, 1, 0x1p53),
	"at most N iterations [1000; paper: 100; package: 10]"},
    {0, "tol", KITH_REAL(&tol, 0, DBL_MAX),
	"stop when C changes by X; 0: never [1e-6; package: 0.01]"},
    {0, "threshold", KITH_TEXT(&threshold, "auto|X"),
	"weights below X become 0; auto: 1 / features [off]"},
    {0, "select", KITH_REAL(&above, 0, DBL_MAX),
	"im4e-immigrate: select weights above X [1 / features]"},
    {0, "select-max", KITH_SIZE(&most, 1, 0x1p53),
	"im4e-immigrate: select N features at most [200]"},
    {0, "boost", KITH_SIZE(&learners, 1, 0x1p53), "an ensemble of N learners"},
    {0, "sigma-range", KITH_TEXT(&range, "auto|X:X"), "boost: from and to [auto; else 4:0.2]"},
    {0, "inner", KITH_SIZE(&inner, 1, 0x1p53), "boost: at most N iterations a learner [10]"},
    {0, "instance-weight", KITH_COL(&how.instance_weight),
	"COL weighs the rows, and is no feature"},
    {0, "sample", KITH_SIZE(&sample, 2, KITH_FOLD_SHARES),
	"learn from N rows at most, drawn from each class [all]"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"print errors: predict each of N parts from the others"},
    {0, "loo", KITH_FLAG(&loo), "print errors: each row from the others"},
    {0, "best", KITH_MAYBE(&best, "se"),
	"then fit all rows with the best sigma; se: the largest near it"},
    {0, "scale", KITH_CHOICE(&scale, KITH_UNIT_WORDS),
	"scale features by the rows that are learnt from [none]"},
    {0, "print", KITH_CHOICE(&shown, "weights|margins"),
	"margins: how far each row is from hits and misses [weights]"},
    {0, "trace", KITH_FILE(&trace), "write C and F of each iteration to FILE"},
    {0, "check", KITH_FILE(&judged), "check the weights of FILE"},
    {0, "best-effort", KITH_FLAG(&best_effort), "status 0 if not converged"},
    KITH_LEARN_OPTIONS(&how, &seed, &threads),
};

static const struct kith_tool tool = {
    .name = "immigrate",
    .args = "[FILE]...",
    .about = "Weigh features and their interactions by expected margins.",
    .examples = "  immigrate train.tsv > weights.tsv\n"
		"  immigrate --cv 5 --sigma 4,2,1 --method im4e < train.tsv\n",
    .opts = opts,
};

struct run {
	struct kith_table t;
	struct kith_immigrate_unit unit;
	struct kith_origin from; /* of the rows of t */
	struct kith_mat X;       /* scaled */
	struct kith_immigrate_rows rows;
	struct kith_immigrate_fit_how how;
	struct kith_boost_how boost;
	struct kith_pool pool;
};

/* What --start says. */
static enum kith_immigrate_fit_start
start_kind(void)
{
	if (!start || strcmp(start, "identity") == 0)
		return KITH_IMMIGRATE_FIT_IDENTITY;
	return strcmp(start, "random") ? KITH_IMMIGRATE_FIT_GIVEN : KITH_IMMIGRATE_FIT_RANDOM;
}

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool cv = loo || parts;
	const struct kith_written file[] = {
	    kith_written_output(), kith_written_log(), {"trace", trace}};
	const struct kith_rule rule[] = {
	    {best && !cv, "--best needs --cv N or --loo"},
	    {sigmas.n > 1 && !cv, "several --sigma need --cv N or --loo"},
	    {learners && shown, "--print margins needs one learner"},
	    {learners && method == KITH_IMMIGRATE_FIT_IM4E,
		"--boost needs --method immigrate or im4e-immigrate"},
	    {(learners > 0) + (judged != NULL) + loo + (parts > 0) > 1,
		"--boost, --check, --cv and --loo exclude each other"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_apart(file, 3);
}

/* Warn of options that change nothing. */
static void
warn_unused(void)
{
	static const void *const fit_only[] = {
	    &start, &max_iter, &above, &most, &trace, &best_effort, &shown};
	const bool selects = method == KITH_IMMIGRATE_FIT_SELECTED;
	const char *const of = method ? "--method im4e" : "--method immigrate";
	const bool random = !judged && start_kind() == KITH_IMMIGRATE_FIT_RANDOM;
	const struct kith_idle option[] = {
	    {!judged && !selects, &above, of},
	    {!judged && !selects, &most, of},
	    {!learners, &range, "one learner"},
	    {!learners, &inner, "one learner"},
	    {learners && !selects, &sigma, "--boost"},
	    {learners && !selects, &max_iter, "--boost"},
	    {learners, &trace, "--boost"},
	    {(loo || parts) && !best, &trace, loo ? "--loo" : "--cv"},
	    {(loo || parts) && !best, &best_effort, loo ? "--loo" : "--cv"},
	    {(loo || parts) && !best, &shown, loo ? "--loo" : "--cv"},
	    {!parts && !learners && !random && !sample, &seed, "a start that is given"},
	};

	if (judged)
		kith_unused_each(fit_only, sizeof(fit_only) / sizeof(*fit_only), "--check");
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

/* What the options say of the solver. */
static void
set_how(struct run *r)
{
	struct kith_immigrate_how *of = &r->how.how;

	r->boost = (struct kith_boost_how){
	    .inner.max_iter = inner, .learners = learners, .seed = seed};
	kith_say_immigrate_sigmas(sigma ? sigma
		: rules == MONOTONE     ? "auto"
					: "1",
	    &sigmas, &r->pool);
	kith_say_immigrate_range(range ? range : rules == MONOTONE ? "auto" : "4:0.2", &r->boost);
	if (rules != MONOTONE && !kith_given(&max_iter))
		max_iter = rules == PACKAGE ? 10 : 100;
	if (rules == PACKAGE && !kith_given(&tol))
		tol = .01;
	*of = (struct kith_immigrate_how){.sigma = sigmas.v[0],
	    .package = rules == PACKAGE,
	    .monotone = rules == MONOTONE,
	    .max_iter = max_iter,
	    .tol = tol,
	    .threads = threads};
	if (threshold && kith_immigrate_fit_threshold(threshold, &r->how))
		kith_misuse("bad --threshold: " KITH_CELL " (auto or a number from 0)", threshold);
	r->how.method = (enum kith_immigrate_fit_method)method;
	r->how.seed = seed;
	r->how.weights_above = kith_given(&above);
	r->how.select = above;
	r->how.most = most;
}

/* Read the start, where it is a file. */
static int
read_start(struct run *r, struct kith_err *err)
{
	/* With im4e-immigrate it is for im4e. */
	const bool vector = method != KITH_IMMIGRATE_FIT_IMMIGRATE;
	const size_t p = r->t.X.p;
	double *W;

	r->how.start = start_kind();
	if (r->how.start != KITH_IMMIGRATE_FIT_GIVEN)
		return 0;
	W = kith_new(&r->pool, p, (vector ? 1 : p) * sizeof(*W));
	r->how.given = W;
	return kith_immigrate_start_read(start, &r->unit, vector, W, err);
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	struct kith_table *t = &r->t;

	how.changed = scale;
	if (kith_table_read(files, &how, NULL, t, &r->pool, err) ||
	    kith_say_immigrate_sample(t, &sample, seed, &r->pool, err) ||
	    kith_classes_several(t, err))
		return -1;
	r->from = kith_table_origin(t);
	if (kith_immigrate_unit_new(scale, &r->from, &t->X, &r->unit, &r->X, &r->pool, err))
		return -1;
	r->rows = (struct kith_immigrate_rows){&r->X, t->y, t->class.n, t->weight};
	kith_say_table_classes(t, "immigrate learns classes only");
	kith_say_constant_in(t);
	if (!scale)
		kith_say_scales(t, NULL, KITH_SAY_UNITS);
	kith_log_size("rows", t->X.n);
	kith_log_size("features", t->X.p);
	kith_log_size("threads", threads);
	return judged ? 0 : read_start(r, err);
}

/* The status of the features that im4e selected, which no check asks for. */
static int
say_select(const struct run *r, const struct kith_immigrate_fit *select)
{
	return kith_say_immigrate_end(
	    true, &r->how.how, select, select->sure || select->end == KITH_IMMIGRATE_CONVERGED);
}

/* Fit all rows at the sigma of r->how, and print; the status, or -1. */
static int
run_fit(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_out traced;
	struct kith_immigrate_fitted fit;
	const struct kith_immigrate_result result = {
	    &r->t, &r->rows, &r->unit, &fit, threads, sample, seed};
	int status = 0;

	if (trace && kith_say_immigrate_trace(&traced, trace, &r->how.how, err))
		return -1;
	if (kith_immigrate_fit_run(&r->rows, &r->how, &fit, &r->pool, err))
		return -1;
	r->how.how.sigma = kith_say_immigrate_sigma(&fit.sigma);
	kith_immigrate_fit_settle(&r->unit, &fit, &r->pool);
	if (method == KITH_IMMIGRATE_FIT_SELECTED) {
		kith_log_size("selected", fit.metric.p);
		status = say_select(r, &fit.select);
	}
	status |= kith_say_immigrate_end(method == KITH_IMMIGRATE_FIT_IM4E, &r->how.how, &fit.fit,
	    kith_immigrate_judge_fit(&r->how, &r->rows, &fit));
	if (kith_immigrate_write(&result, shown, kith_output(), out, &r->pool, err))
		return -1;
	return trace && kith_out_close(&traced, err) ? -1 : status;
}

/* Try each sigma; print the errors, or a fit at the best; the status, or -1. */
static int
run_cv(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const size_t n = r->t.X.n, k = sigmas.n;
	size_t *part = kith_new(&r->pool, n, sizeof(*part)), s;
	struct kith_trial *trial = kith_new(&r->pool, k, sizeof(*trial));
	const struct kith_immigrate_cv_plan plan = {
	    part, loo ? n : parts, sigmas.v, k, scale, &r->from};
	struct kith_immigrate_rows rows = r->rows;
	struct kith_immigrate_cv_ends ends;

	rows.X = &r->t.X; /* as they were read */
	for (size_t i = 0; loo && i < n; i++)
		part[i] = i;
	if (!loo && kith_parts_deal(&r->t, parts, seed, part, err))
		return -1;
	if (kith_immigrate_cv(&rows, &r->how, &plan, trial, &ends, err))
		return -1;
	s = kith_say_immigrate_cv(&r->how, trial, k, best, &ends);
	if (!best)
		return kith_immigrate_cv_table(trial, k, kith_output(), out, err);
	r->how.how.sigma = sigmas.v[s];
	return run_fit(r, out, err);
}

/* Train an ensemble, and print it; the status, or -1. */
static int
run_boost(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_immigrate_fit select;
	struct kith_ensemble ensemble;
	struct kith_boost_count count;

	if (!start)
		r->how.start = method == KITH_IMMIGRATE_FIT_SELECTED ? KITH_IMMIGRATE_FIT_IDENTITY
								     : KITH_IMMIGRATE_FIT_RANDOM;
	if (kith_immigrate_fit_boost(
		&r->rows, &r->how, &r->boost, &ensemble, &count, &select, &r->pool, err) ||
	    kith_immigrate_unit_ensemble(&r->unit, &ensemble, &r->pool, err))
		return -1;
	kith_note("%zu learners kept; %zu without error, %zu not better than "
		  "chance",
	    count.kept, count.perfect, count.useless);
	kith_log_size("learners", count.kept);
	if (kith_ensemble_write(&ensemble, &r->t.feature, kith_output(), out, err))
		return -1;
	if (method != KITH_IMMIGRATE_FIT_SELECTED)
		return 0;
	return say_select(r, &select);
}

/* Judge the weights of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_IMMIGRATE];
	struct kith_immigrate_judged got;
	size_t n;

	if (kith_immigrate_start_judged(judged, &r->unit, method == KITH_IMMIGRATE_FIT_IM4E,
		method == KITH_IMMIGRATE_FIT_SELECTED, &got, &r->pool, err))
		return -1;
	kith_say_immigrate_other(&got.needs, sample, seed);
	if (got.column)
		kith_mat_columns(&r->X, got.column, got.p);
	r->how.how.sigma = kith_say_needs_sigma(
	    &got.needs, sigmas.v[0] > 0 ? sigmas.v[0] : 1, sigma && sigmas.v[0] > 0);
	n = kith_immigrate_judge(&r->how, &r->rows, got.W, check);
	return kith_immigrate_verdict(check, n, sample, seed, kith_output(), out, err);
}

int
main(int argc, char *argv[])
{
	struct run r = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {
	    start_kind() == KITH_IMMIGRATE_FIT_GIVEN ? start : NULL, judged};
	const char *const *files = kith_inputs(operand, other, 2);
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	set_how(&r);
	check_call();
	warn_unused();
	set_how(&r); /* without what is idle */
	status = read_all(&r, files, &err);
	if (status == 0)
		status = judged    ? run_check(&r, &out, &err)
		    : learners     ? run_boost(&r, &out, &err)
		    : loo || parts ? run_cv(&r, &out, &err)
				   : run_fit(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	status = kith_finish(&out, status);
	return best_effort && !judged ? 0 : status;
}
