/* SPDX-License-Identifier: BSD-2-Clause */
/* knife - select features inside a kernel. */
#include "say/knife.h"
#include "base/pool.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "knife/check.h"
#include "knife/fit.h"
#include "knife/start.h"
#include "knife/trials.h"
#include "say/doubt.h"
#include "table/needs.h"
#include "table/path.h"
#include "table/table.h"
#include "table/unit.h"
#include "table/verdict.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <string.h>

static int kernel = KITH_KNIFE_GAUSSIAN, loss, algorithm, best;
static struct kith_knife_fit_how find = {
    .like = {.lambda1 = 1, .coef0 = 1, .delta = 2, .degree = 2},
    .how = {.max_iter = 500, .tol = 1e-6},
    .prove = true};
static struct kith_reals lambdas;
static size_t grid, parts, threads = 1, seed = 1;
static bool best_effort;
static const char *start, *validation, *model, *trace, *judged;
static struct kith_how how;

static const struct kith_opt opts[] = {
    KITH_TASK_OPTION(&how),
    {0, "kernel", KITH_CHOICE(&kernel, "linear|polynomial|gaussian|laplacian"),
	"the kernel [gaussian]"},
    {0, "loss", KITH_CHOICE(&loss, "squared|logistic|sqhinge|huberhinge"),
	"the loss; regress needs squared [squared]"},
    {0, "lambda1", KITH_REAL(&find.like.lambda1, DBL_TRUE_MIN, DBL_MAX),
	"how much smoothness of the machine counts [1]"},
    {0, "lambda2", KITH_REALS(&lambdas, 0, DBL_MAX),
	"how much a weight costs; or an increasing LIST"},
    {0, "grid", KITH_SIZE(&grid, 2, 0x1p20), "instead: N values, up to where all weights are 0"},
    {0, "gamma", KITH_REAL(&find.like.gamma, DBL_TRUE_MIN, DBL_MAX),
	"gaussian, laplacian: exp(-X d) [1 / features]"},
    {0, "degree", KITH_SIZE(&find.like.degree, 1, 0x1p20), "polynomial: its degree [2]"},
    {0, "coef0", KITH_REAL(&find.like.coef0, 0, DBL_MAX), "polynomial: its constant [1]"},
    {0, "delta", KITH_REAL(&find.like.delta, DBL_TRUE_MIN, DBL_MAX),
	"huberhinge: the width of its bend [2]"},
    {0, "intercept", KITH_FLAG(&find.like.intercept), "add a constant to the machine"},
    {0, "algorithm", KITH_CHOICE(&algorithm, "profile|knife"),
	"quasi-Newton on the weights, or the paper's [profile]"},
    {0, "start", KITH_TEXT(&start, "FILE|X"), "weights to start from, in [0, 1] [0.5]"},
    {0, "restarts", KITH_SIZE(&find.restarts, 1, 0x1p20),
	"search N times more from random weights; keep the best"},
    {0, "max-iter", KITH_SIZE(&find.how.max_iter, 0, 0x1p53),
	"at most N iterations; 0: keep the start [500]"},
    {0, "tol", KITH_REAL(&find.how.tol, 0, DBL_MAX),
	"end at a projected gradient of X max(1, first one) [1e-6]"},
    {0, "validate", KITH_FILE(&validation), "instead of weights, print the errors on rows of FILE"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53), "the same, for each of N parts from the others"},
    {0, "best", KITH_MAYBE(&best, "se"), "with these: print the best weights; se: the simplest"},
    {0, "instance-weight", KITH_COL(&how.instance_weight),
	"COL has a weight of the loss of each row [1]"},
    {0, "scale", KITH_CHOICE(&find.scale, KITH_UNIT_WORDS),
	"scale features by the learning rows [none]"},
    {0, "save-model", KITH_FILE(&model), "write the model for kpredict"},
    {0, "trace", KITH_FILE(&trace), "write the objective of each step to FILE"},
    {0, "check", KITH_FILE(&judged), "check the weights of FILE"},
    {0, "best-effort", KITH_FLAG(&best_effort), "status 0 if not converged"},
    KITH_LEARN_OPTIONS(&how, &seed, &threads),
};

static const struct kith_tool tool = {
    .name = "knife",
    .args = "--lambda2 LIST|--grid N [FILE]...",
    .about = "Select the features that a kernel machine needs.",
    .examples = "  knife --lambda2 1 < train.tsv\n"
		"  knife --grid 5 --validate test.tsv train.tsv\n",
    .opts = opts,
};

/* All that is known. */
struct run {
	struct kith_table t, asked;
	struct kith_knife_rows rows;
	struct kith_knife_fit_how how;
	struct kith_knife_start weights; /* what those of files are for */
	double *start;                   /* p */
	double *lambda2;                 /* k, increasing */
	size_t k;

	struct kith_knife_trials trials; /* of --validate or --cv */
	struct kith_knife_fitted fit;
	size_t doubts, evaluations;
	double *w; /* p: of a fit, in the units of the input */
	struct kith_out traced, saved;
	struct kith_pool pool;
};

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const struct kith_rule rule[] = {
	    {(lambdas.n > 0) == (grid > 0), "give one of --lambda2 and --grid"},
	    {judged && lambdas.n != 1, "--check needs one --lambda2"},
	    {judged && (validation || parts || model || trace),
		"--check excludes --validate, --cv, --save-model and --trace"},
	    {validation && parts, "--validate and --cv exclude each other"},
	    {best && !validation && !parts, "--best needs --validate FILE or --cv N"},
	    {model && !best && lambdas.n != 1, "--save-model needs one --lambda2, or --best"},
	    {trace && lambdas.n != 1, "--trace needs one --lambda2"},
	    {trace && find.restarts, "--trace and --restarts exclude each other"},
	    {how.task == KITH_REGRESS && loss, "--task regress needs --loss squared"},
	};
	const struct kith_written file[] = {
	    kith_written_output(), {"save-model", model}, {"trace", trace}, kith_written_log()};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("lambda2", &lambdas);
	if (!kith_knife_start_is_good(start))
		kith_misuse("bad --start: " KITH_CELL " (a number in [0, 1], or a file)", start);
	kith_apart(file, 4);
}

/* Warn of options that change nothing. */
static void
warn_unused(void)
{
	static const char *const words[] = {
	    "--kernel linear", "--kernel polynomial", "--kernel gaussian", "--kernel laplacian"};
	static const void *const searching[] = {
	    &algorithm, &find.restarts, &find.how.max_iter, &best_effort, &seed};
	const bool polynomial = kernel == KITH_KNIFE_POLYNOMIAL;
	const struct kith_idle option[] = {
	    {polynomial || kernel == KITH_KNIFE_LINEAR, &find.like.gamma, words[kernel]},
	    {!polynomial, &find.like.degree, words[kernel]},
	    {!polynomial, &find.like.coef0, words[kernel]},
	    {loss != KITH_KNIFE_HUBERHINGE, &find.like.delta, "this --loss"},
	    {!judged && !find.restarts && !parts, &seed, "neither --cv nor --restarts"},
	};

	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (judged)
		kith_unused_each(searching, 5, "--check");
}

/* What the options say of the problem and the search. */
static void
set_how(struct run *r)
{
	r->how = find;
	r->how.like.kernel = (enum kith_knife_kernel)kernel;
	r->how.like.loss = (enum kith_knife_loss)loss;
	if (!kith_given(&find.like.gamma))
		r->how.like.gamma = 1 / (double)r->t.X.p;
	r->how.like.threads = threads;
	r->how.how.alternate = algorithm;
	r->how.seed = seed;
}

/* Read where to start, of the features as they are fitted. */
static int
read_start(struct run *r, struct kith_err *err)
{
	r->weights = (struct kith_knife_start){
	    &r->t.feature, kith_knife_kind(r->how.like.kernel), &r->fit.unit};
	if (kith_knife_fitted_new(
		&r->rows, &r->how, r->rows.learn, r->rows.n, &r->fit, &r->pool, err) ||
	    kith_say_knife_ranges(&r->t, &r->fit.X, &r->how.like, err))
		return -1;
	if (kith_knife_start(start, &r->weights, &r->start, &r->pool, err))
		return -1;
	kith_knife_fitted_start(&r->fit, r->start);
	return 0;
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	how.changed = find.scale;
	if (kith_table_read(files, &how, NULL, &r->t, &r->pool, err) ||
	    kith_knife_rows(&r->t, &r->rows, &r->pool, err) ||
	    kith_say_knife_classes(&r->rows, loss, err))
		return -1;
	r->trials = kith_knife_trials_new(&r->rows, best);
	r->w = kith_new(&r->pool, r->t.X.p, sizeof(*r->w));
	if (validation &&
	    (kith_table_read_other(validation, &how, &r->t, &r->asked, &r->pool, err) ||
		kith_knife_cv_take(&r->rows, &r->asked, &r->trials.asked, &r->pool, err)))
		return -1;
	set_how(r);
	kith_say_table_classes(&r->t, "--task regress?");
	if (!find.scale)
		kith_say_scales(&r->t, NULL, 100);
	kith_say_outside(&r->t, &r->asked, NULL);
	return read_start(r, err);
}

/* The values of lambda2. */
static int
prepare(struct run *r, struct kith_err *err)
{
	r->k = lambdas.n;
	r->lambda2 = lambdas.v;
	if (!judged)
		kith_say_knife_coupling(&r->fit.problem, r->start);
	if (!grid)
		return 0;
	r->k = grid;
	r->lambda2 = kith_new(&r->pool, grid, sizeof(*r->lambda2));
	return kith_say_knife_grid(&r->rows, &r->how, &r->fit, grid, r->lambda2, err);
}

/* Whether there is one solution, printed with all its features. */
static bool
is_single(void)
{
	return best || (lambdas.n == 1 && !validation && !parts);
}

/* Open the files, for all that cannot be written is to be known before. */
static int
open_all(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_path_form form = {
	    "lambda2", "feature", r->weights.kind == KITH_ABSOLUTE ? "weight_abs" : "weight"};

	if ((trace && kith_out_open(&r->traced, trace, err)) ||
	    (model && kith_out_open(&r->saved, model, err)))
		return -1;
	if (is_single())
		return 0;
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	if (validation || parts) {
		kith_trial_header(&r->trials.form, out);
	} else {
		kith_needs_put(&(struct kith_needs){.scale = find.scale}, out);
		kith_path_header(&form, out);
	}
	return 0;
}

/* Print the s-th solution, or its error, unless one is due at the end. */
static int
print(struct run *r, size_t s, struct kith_out *out, struct kith_err *err)
{
	const struct kith_trial *it = NULL;

	if ((validation || parts) &&
	    !(it = kith_knife_trials_add(&r->trials, &r->fit, threads, &r->pool, err)))
		return -1;
	if (is_single())
		return 0;
	if (it) {
		kith_trial_write(&r->trials.form, it, out);
		return 0;
	}
	if (kith_knife_fitted_weights(&r->rows, &r->fit, r->w, err))
		return -1;
	kith_path_step(s + 1, r->lambda2[s], &r->t.feature, r->w, out);
	return 0;
}

/* Print what was chosen, or is the only one, and its model. */
static int
finish(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_metric metric = {r->weights.kind, r->t.X.p, r->w};

	if (is_single()) {
		if (kith_knife_fitted_weights(&r->rows, &r->fit, r->w, err) ||
		    kith_out_open_table(out, kith_output(), err))
			return -1;
		kith_needs_put(&(struct kith_needs){.scale = find.scale}, out);
		kith_weights_put(&metric, &r->t.feature, NULL, out);
	}
	if (trace && kith_out_close(&r->traced, err))
		return -1;
	return model ? kith_knife_fitted_save(&r->rows, &r->fit, &r->saved, &r->pool, err) : 0;
}

/* Fit all rows at each lambda2; the status, or -1. */
static int
run_fits(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const bool one = r->k == 1 || best;

	if (open_all(r, out, err) ||
	    (parts &&
		kith_knife_trials_deal(
		    &r->trials, &r->how, parts, r->lambda2, r->k, r->start, &r->pool, err)))
		return -1;
	if (parts)
		kith_say_knife_cv(r->trials.missed);
	if (trace)
		kith_say_knife_trace(&r->traced, &r->how.how);
	kith_progress_phase("weights", r->k, "solutions");
	for (size_t s = 0; s < r->k; s++, kith_progress_add(1)) {
		if (kith_knife_fit_at(&r->fit, &r->how, r->lambda2[s], err))
			return -1;
		kith_say_knife_fit(&r->fit, &r->how);
		r->doubts += !r->fit.converged;
		r->evaluations += r->fit.evaluations;
		if (print(r, s, out, err))
			return -1;
		if (out->failed)
			break;
	}
	kith_progress_end();
	if (best)
		r->fit = *kith_say_knife_best(&r->trials, r->k, best);
	else if (one)
		kith_log_real("lambda2", r->fit.problem.lambda2);
	if (finish(r, out, err))
		return -1;
	kith_say_knife_path(r->k, r->doubts, r->evaluations, one);
	if (one)
		r->doubts = kith_say_knife_end(&r->fit, &r->how) > 0;
	return r->doubts > 0 || r->trials.missed > 0;
}

/* Judge the weights of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_KNIFE];
	size_t n;
	double *w = NULL;

	if (kith_knife_start_weights(judged, &r->weights, &w, &r->pool, err))
		return -1;
	r->fit.problem.lambda2 = lambdas.v[0];
	n = kith_check_knife(&r->fit.problem, w, r->start, find.how.tol, check);
	return kith_verdict_write(check, n, kith_output(), out, err);
}

int
main(int argc, char *argv[])
{
	struct run r = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {
	    kith_knife_start_is_file(start) ? start : NULL, validation, judged};
	const char *const *files = kith_inputs(operand, other, 3);
	struct kith_out out = {0};
	struct kith_err err;
	int status;

	how.format.threads = threads;
	check_call();
	warn_unused();
	if (read_all(&r, files, &err) || prepare(&r, &err))
		kith_die(&err);
	kith_say_knife_rows(&r.rows, &r.how);
	status = judged ? run_check(&r, &out, &err) : run_fits(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	status = kith_finish(&out, status);
	return best_effort && !judged ? 0 : status;
}
