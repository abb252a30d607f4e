/* knife - select features inside a kernel. */
#include "say/knife.h"
#include "base/pool.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cost/knife.h"
#include "knife/check.h"
#include "knife/cv.h"
#include "knife/fit.h"
#include "knife/start.h"
#include "machine/machine.h"
#include "machine/write.h"
#include "say/doubt.h"
#include "table/parts.h"
#include "table/path.h"
#include "table/table.h"
#include "table/verdict.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int kernel = KITH_KNIFE_GAUSSIAN, loss, algorithm;
static double lambda1 = 1, gamma_of, coef0 = 1, delta = 2, tol = 1e-6;
static struct kith_reals lambdas;
static size_t grid, degree = 2, restarts, max_iter = 500, parts;
static size_t threads = 1, seed = 1;
static bool intercept, best, best_effort;
static const char *start, *validation, *model, *trace, *judged;
static struct kith_how how;

static const struct kith_opt opts[] = {
    KITH_TASK_OPTION(&how),
    {0, "kernel", KITH_CHOICE(&kernel, "linear|polynomial|gaussian|laplacian"),
	"the kernel [gaussian]"},
    {0, "loss", KITH_CHOICE(&loss, "squared|logistic|sqhinge|huberhinge"),
	"the loss; regress needs squared [squared]"},
    {0, "lambda1", KITH_REAL(&lambda1, DBL_TRUE_MIN, DBL_MAX),
	"how much smoothness of the machine counts [1]"},
    {0, "lambda2", KITH_REALS(&lambdas, 0, DBL_MAX),
	"how much a weight costs; or an increasing LIST"},
    {0, "grid", KITH_SIZE(&grid, 2, 0x1p20),
	"instead: N values, up to where all weights are 0"},
    {0, "gamma", KITH_REAL(&gamma_of, DBL_TRUE_MIN, DBL_MAX),
	"gaussian, laplacian: exp(-X d) [1 / features]"},
    {0, "degree", KITH_SIZE(&degree, 1, 0x1p20), "polynomial: its degree [2]"},
    {0, "coef0", KITH_REAL(&coef0, 0, DBL_MAX), "polynomial: its constant [1]"},
    {0, "delta", KITH_REAL(&delta, DBL_TRUE_MIN, DBL_MAX),
	"huberhinge: the width of its bend [2]"},
    {0, "intercept", KITH_FLAG(&intercept), "add a constant to the machine"},
    {0, "algorithm", KITH_CHOICE(&algorithm, "profile|knife"),
	"quasi-Newton on the weights, or the paper's [profile]"},
    {0, "start", KITH_TEXT(&start, "FILE|X"),
	"weights to start from, in [0, 1] [0.5]"},
    {0, "restarts", KITH_SIZE(&restarts, 1, 0x1p20),
	"search N times more from random weights; keep the best"},
    {0, "max-iter", KITH_SIZE(&max_iter, 0, 0x1p53),
	"at most N iterations; 0: keep the start [500]"},
    {0, "tol", KITH_REAL(&tol, 0, DBL_MAX),
	"end at a projected gradient of X max(1, first one) [1e-6]"},
    {0, "validate", KITH_FILE(&validation),
	"instead of weights, print the errors on rows of FILE"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"the same, for each of N parts from the others"},
    {0, "best", KITH_FLAG(&best), "with these: print the best weights instead"},
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
	double *start;   /* p */
	double *lambda2; /* k, increasing */
	size_t k;

	struct kith_knife_cv_asked validate;
	double *losses; /* --cv: k x n */
	size_t missed;  /* --cv: searches without convergence */

	struct kith_knife_fitted fit;
	size_t doubts, evaluations;
	struct kith_knife_fitted chosen;    /* the best so far, */
	struct kith_knife_cv_result choice; /* with its error; n 0: none */
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
	    {best && !validation && !parts,
		"--best needs --validate FILE or --cv N"},
	    {model && !best && lambdas.n != 1,
		"--save-model needs one --lambda2, or --best"},
	    {trace && lambdas.n != 1, "--trace needs one --lambda2"},
	    {trace && restarts, "--trace and --restarts exclude each other"},
	    {how.task == KITH_REGRESS && loss,
		"--task regress needs --loss squared"},
	};
	const struct kith_written file[] = {kith_written_output(),
	    {"save-model", model}, {"trace", trace}, kith_written_log()};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("lambda2", &lambdas);
	if (!kith_knife_start_is_file(start) &&
	    !kith_knife_start_is_good(start))
		kith_misuse("bad --start: " KITH_CELL
			    " (a number in [0, 1], or a file)",
		    start);
	kith_apart(file, 4);
}

/* Warn of options that change nothing. */
static void
warn_unused(void)
{
	static const char *const words[] = {"--kernel linear",
	    "--kernel polynomial", "--kernel gaussian", "--kernel laplacian"};
	static const void *const searching[] = {
	    &algorithm, &restarts, &max_iter, &best_effort, &seed};
	const bool polynomial = kernel == KITH_KNIFE_POLYNOMIAL;
	const struct kith_idle option[] = {
	    {polynomial || kernel == KITH_KNIFE_LINEAR, &gamma_of,
		words[kernel]},
	    {!polynomial, &degree, words[kernel]},
	    {!polynomial, &coef0, words[kernel]},
	    {loss != KITH_KNIFE_HUBERHINGE, &delta, "this --loss"},
	    {!judged && !restarts && !parts, &seed,
		"neither --cv nor --restarts"},
	};

	kith_unused_all(option, sizeof(option) / sizeof(*option));
	if (judged)
		kith_unused_each(searching, 5, "--check");
}

/* What the options say of the problem and the search. */
static void
set_how(struct run *r)
{
	const double p = (double)r->t.X.p;

	r->how = (struct kith_knife_fit_how){
	    .like = {.kernel = (enum kith_knife_kernel)kernel,
		.loss = (enum kith_knife_loss)loss,
		.gamma = gamma_of > 0 ? gamma_of : 1 / p,
		.coef0 = coef0,
		.delta = delta,
		.degree = degree,
		.lambda1 = lambda1,
		.intercept = intercept,
		.threads = threads},
	    .how = {.alternate = algorithm, .max_iter = max_iter, .tol = tol},
	    .restarts = restarts,
	    .seed = seed,
	    .prove = true};
}

/* The kind of weights that the kernel takes. */
static enum kith_metric_kind
kind(void)
{
	return kernel == KITH_KNIFE_LAPLACIAN ? KITH_ABSOLUTE : KITH_SQUARED;
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	if (kith_table_read(files, &how, NULL, &r->t, &r->pool, err) ||
	    kith_knife_rows(&r->t, &r->rows, &r->pool, err) ||
	    kith_say_knife_classes(&r->rows, loss, err))
		return -1;
	if (validation &&
	    (kith_table_read_other(
		 validation, &how, &r->t, &r->asked, &r->pool, err) ||
		kith_knife_cv_take(
		    &r->rows, &r->asked, &r->validate, &r->pool, err)))
		return -1;
	set_how(r);
	if (kith_say_knife_ranges(&r->t, &r->how.like, err))
		return -1;
	kith_say_table_classes(&r->t, "--task regress?");
	kith_say_scales(&r->t, NULL, 100);
	kith_say_outside(&r->t, &r->asked, NULL);
	return kith_knife_start(
	    start, &r->t.feature, kind(), &r->start, &r->pool, err);
}

/* The values of lambda2, and a problem with all rows. */
static int
prepare(struct run *r, struct kith_err *err)
{
	double most = 0;

	kith_knife_fitted_new(
	    &r->rows, &r->how, NULL, r->t.X.n, r->start, &r->fit, &r->pool);
	r->k = lambdas.n;
	r->lambda2 = lambdas.v;
	if (!judged)
		kith_say_knife_coupling(&r->fit.problem, r->start);
	if (!grid)
		return 0;
	r->k = grid;
	r->lambda2 = kith_new(&r->pool, grid, sizeof(*r->lambda2));
	if (kith_knife_fitted_grid(
		&r->rows, &r->how, &r->fit, grid, r->lambda2, &most, err))
		return -1;
	kith_note("the weights are 0 from lambda2 %g on", most);
	kith_log_real("lambda2 of no features", most);
	return 0;
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
	const struct kith_path_form form = {"lambda2", "feature",
	    kind() == KITH_ABSOLUTE ? "weight_abs" : "weight"};

	if ((trace && kith_out_open(&r->traced, trace, err)) ||
	    (model && kith_out_open(&r->saved, model, err)))
		return -1;
	if (is_single())
		return 0;
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	if (validation || parts)
		kith_knife_cv_header(how.task == KITH_REGRESS, out);
	else
		kith_path_header(&form, out);
	return 0;
}

static int
run_cv(struct run *r, struct kith_err *err)
{
	const size_t n = r->t.X.n;
	size_t *part = kith_new(&r->pool, n, sizeof(*part));
	const struct kith_knife_cv_plan plan = {
	    part, parts, r->lambda2, r->k, r->start};

	r->losses = kith_new(&r->pool, r->k, n * sizeof(*r->losses));
	if (kith_parts_deal(&r->t, parts, seed, part, err) ||
	    kith_knife_cv(&r->rows, &r->how, &plan, r->losses, &r->missed, err))
		return -1;
	if (r->missed)
		kith_warn("no convergence: %zu searches of --cv", r->missed);
	kith_log_size("cv not converged", r->missed);
	return 0;
}

/* Print the error of the s-th solution, or keep the best. */
static int
judge(struct run *r, size_t s, struct kith_out *out, struct kith_err *err)
{
	const double *losses = parts ? r->losses + s * r->t.X.n : NULL;
	struct kith_knife_cv_result it;

	if (kith_knife_cv_judge(
		&r->rows, &r->fit, &r->validate, losses, threads, &it, err))
		return -1;
	if (!best)
		kith_knife_cv_write(&it, out);
	else if (!r->choice.n || kith_knife_cv_better(&it, &r->choice)) {
		r->choice = it;
		r->chosen = kith_knife_fitted_copy(&r->fit, &r->pool);
	}
	return 0;
}

/* Print what was chosen, or is the only one, and its model. */
static int
finish(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_knife_fitted *fit = best ? &r->chosen : &r->fit;
	const struct kith_metric metric = {kind(), r->t.X.p, fit->w};
	struct kith_machine machine;

	if (is_single() &&
	    kith_weights_write(
		&metric, &r->t.feature, NULL, kith_output(), out, err))
		return -1;
	if (trace && kith_out_close(&r->traced, err))
		return -1;
	if (!model)
		return 0;
	kith_knife_fitted_machine(&r->rows, fit, &machine, &r->pool);
	if (kith_machine_write(&machine, &r->saved, err) ||
	    kith_out_close(&r->saved, err))
		return -1;
	return 0;
}

/* Fit all rows at each lambda2; the status, or -1. */
static int
run_fits(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const bool one = r->k == 1 || best;

	if (open_all(r, out, err) || (parts && run_cv(r, err)))
		return -1;
	if (trace)
		kith_say_knife_trace(&r->traced, &r->how.how);
	kith_progress_phase("weights", r->k, "solutions");
	for (size_t s = 0; s < r->k; s++, kith_progress_add(1)) {
		if (kith_knife_fit_at(&r->fit, &r->how, r->lambda2[s], err))
			return -1;
		kith_say_knife_fit(&r->fit, &r->how);
		r->doubts += !r->fit.converged;
		r->evaluations += r->fit.evaluations;
		if ((validation || parts) && judge(r, s, out, err))
			return -1;
		if (!validation && !parts && !is_single())
			kith_path_step(
			    s + 1, r->lambda2[s], &r->t.feature, r->fit.w, out);
		if (out->failed)
			break;
	}
	kith_progress_end();
	if (finish(r, out, err))
		return -1;
	kith_say_knife_path(r->k, r->doubts, r->evaluations, one);
	if (one)
		return kith_say_knife_end(
			   best ? &r->chosen : &r->fit, &r->how) |
		    (r->missed > 0);
	return r->doubts > 0 || r->missed > 0;
}

/* What that costs (--dry-run). */
static int
tell_cost(const struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost_knife it = {&r->rows, &r->how,
	    grid ? grid : lambdas.n, r->asked.X.n, parts, judged};

	return kith_cost_knife(&it, out, err);
}

/* Judge the weights of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_KNIFE];
	size_t n;
	double *w = NULL;

	if (kith_knife_start_weights(
		judged, &r->t.feature, kind(), &w, &r->pool, err))
		return -1;
	if (kith_dry())
		return tell_cost(r, out, err);
	r->fit.problem.lambda2 = lambdas.v[0];
	n = kith_check_knife(&r->fit.problem, w, r->start, tol, check);
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
	const bool dry = kith_dry() && !judged;
	int status;

	check_call();
	warn_unused();
	if (read_all(&r, files, &err) || (!dry && prepare(&r, &err)))
		kith_die(&err);
	kith_say_knife_rows(&r.rows, &r.how);
	status = judged ? run_check(&r, &out, &err)
	    : dry       ? tell_cost(&r, &out, &err)
			: run_fits(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&r.pool);
	status = kith_finish(&out, status);
	return best_effort && !judged ? 0 : status;
}
