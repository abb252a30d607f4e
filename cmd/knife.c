/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * knife - select features inside a kernel machine.
 *
 * 1. Read the rows, scale the features, and find gamma and the start of the weights.
 * 2. --check: judge the weights of a file, and end.
 * 3. Find the values of lambda2: the numbers of --lambda2, or a grid up to the value at which all
 *    weights are 0.
 * 4. Minimise for each lambda2, from the weights of the one before; print the weights, or the path.
 */
#include "knife/knife.h"
#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/rng.h"
#include "cli/cli.h"
#include "common/warn.h"
#include "kernel/kern.h"
#include "machine/machine.h"
#include "machine/model.h"
#include "table/check.h"
#include "table/table.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A weight 1 may differ from 1 by this much after its change to unscaled features and back. */
#define ROUNDING 1e-14

static const enum kith_kern_kind kinds[] = {
    KITH_KERN_LINEAR, KITH_KERN_POLYNOMIAL, KITH_KERN_GAUSSIAN, KITH_KERN_LAPLACIAN};
static const char *const losses[] = {"squared", "logistic", "sqhinge", "huberhinge"};

/* The options; problem and control also hold what is the same at every lambda2. */
static int kernel = 2 /* gaussian */, loss, solver, scale = KITH_UNIT_ZSCORE;
static struct kith_knife_problem problem = {
    .kern = {.degree = 2, .coef0 = 1}, .lambda1 = 1, .delta = 2};
static struct kith_knife_control control = {.max_iter = 500, .tol = 1e-6};
static struct kith_reals lambdas;
static size_t grid = 20, seed = 1;
static const char *start = "0.5", *model, *judged;
static bool random_start;
static double first; /* the weight of all features at the start; 0 for random and for a file */
static const char *start_file; /* or NULL */
static struct kith_how how;

static const struct kith_opt opts[] = {
    {0, "lambda2", KITH_REALS(&lambdas, 0, DBL_MAX),
	"penalty on the weights: larger keeps fewer features; or an increasing list",
	"How many features"},
    {0, "grid", KITH_SIZE(&grid, 2, 0x1p20),
	"N values of --lambda2, of which the last keeps no feature [20]", NULL},
    KITH_TASK_OPTION(&how),
    {0, "kernel", KITH_CHOICE(&kernel, "linear|polynomial|gaussian|laplacian"),
	"the kernel of two rows [gaussian]", "The machine"},
    {0, "gamma", KITH_REAL(&problem.kern.gamma, DBL_TRUE_MIN, DBL_MAX),
	"gaussian: exp(-X sum w D^2), laplacian: exp(-X sum w |D|) [1 / sum of variances; of "
	"deviations]",
	NULL},
    {0, "degree", KITH_SIZE(&problem.kern.degree, 1, 0x1p20),
	"polynomial: the degree of (x'z + coef0)^degree [2]", NULL},
    {0, "coef0", KITH_REAL(&problem.kern.coef0, 0, DBL_MAX),
	"polynomial: coef0 of (x'z + coef0)^degree [1]", NULL},
    {0, "loss", KITH_CHOICE(&loss, "squared|logistic|sqhinge|huberhinge"),
	"the loss; numbers and more than two classes need squared [squared]", NULL},
    {0, "delta", KITH_REAL(&problem.delta, DBL_TRUE_MIN, DBL_MAX),
	"--loss huberhinge: the width of its bend [2]", NULL},
    {0, "lambda1", KITH_REAL(&problem.lambda1, DBL_TRUE_MIN, DBL_MAX),
	"ridge penalty: a larger one makes a smoother machine [1]", NULL},
    {0, "intercept", KITH_FLAG(&problem.intercept), "add a constant to the machine [none]", NULL},
    {0, "save-model", KITH_SAVE(&model), "write the machine of one --lambda2, for kpredict",
	"Output and proof"},
    {0, "check", KITH_FILE(&judged), "check that the weights in FILE are a local minimum", NULL},
    KITH_TARGET_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_SCALE_OPTION(&scale, "zscore"),
    {0, "solver", KITH_CHOICE(&solver, "quasi-newton|paper"),
	"a fast search, or the paper's iteration [quasi-newton]", "Rarely needed"},
    {0, "start", KITH_FILE_OR(&start, "X|random|FILE"), "the first weights, from 0 to 1 [0.5]",
	NULL},
    {0, "max-iter", KITH_SIZE(&control.max_iter, 0, 0x1p53),
	"iterations of a search at most; 0: keep the first weights [500]", NULL},
    {0, "tol", KITH_REAL(&control.tol, 0, DBL_MAX),
	"end when the gradient has fallen to X max(1, its start) [1e-6]", NULL},
    KITH_RANDOM_OPTIONS(&how, &seed, &how.format.threads),
};

const struct kith_tool kith_tool = {
    .name = "knife",
    .args = "[FILE]...",
    .about = "Select the features that a kernel machine needs.",
    .examples = "  knife train.tsv | kith-plot path -o path.svg\n"
		"  knife --lambda2 1 --save-model model.tsv train.tsv > weights.tsv\n",
    .opts = opts,
    .gone = {{"--algorithm", "--solver quasi-newton or --solver paper"},
	{"--validate", "tabcv --test FILE TABLE -- knife"}, {"--cv", "tabcv TABLE -- knife"},
	{"--best", "tabcv --best TABLE -- knife"},
	{"--restarts", "--start random --seed N, for several N; see the EXAMPLES of knife(1)"},
	{"--instance-weight", "give a row of weight 2 twice"},
	{"--best-effort", "knife ...; test $? -le 1"}},
};

struct run {
	struct kith_table t;
	struct kith_classes class; /* classify: the classes; else y is NULL */
	double mean;       /* regress: of the targets, added to the outputs by the model; else 0 */
	struct kith_mat X; /* the features of the table, scaled if so asked */
	struct kith_unit unit; /* of X; p = 0: not scaled */
	enum kith_metric_kind kind;
	double *start;   /* p: weights of scaled features that the first search starts from */
	double *lambda2; /* k values, increasing */
	size_t k;
	struct kith_knife_engine *engine;
	struct kith_knife_solution sol; /* of the last lambda2 */
	double *sd;                     /* p: standard deviations of unscaled features */
	double *w;                      /* p: weights of unscaled features, of sol or of a file */
	size_t unverified;              /* values of lambda2 whose weights are not proved */
	struct kith_out saved;          /* the model */
	struct kith_pool *pool;
};

static void
check_call(void)
{
	static const char *const words[] = {
	    "--kernel linear", "--kernel polynomial", "--kernel gaussian", "--kernel laplacian"};
	const bool polynomial = problem.kern.kind == KITH_KERN_POLYNOMIAL;
	const struct kith_rule rule[] = {
	    {lambdas.n > 0 && kith_given(&grid), "--lambda2 and --grid exclude each other"},
	    {judged && lambdas.n != 1, "--check needs one --lambda2"},
	    {judged && model, "--check excludes --save-model"},
	    {model && lambdas.n != 1, "--save-model needs one --lambda2"},
	    {how.task == KITH_REGRESS && loss, "--task regress needs --loss squared"},
	};
	const struct kith_idle option[] = {
	    {polynomial || problem.kern.kind == KITH_KERN_LINEAR, &problem.kern.gamma,
		words[kernel]},
	    {!polynomial, &problem.kern.degree, words[kernel]},
	    {!polynomial, &problem.kern.coef0, words[kernel]},
	    {loss != KITH_KNIFE_HUBERHINGE, &problem.delta, "this --loss"},
	    {!random_start, &seed, "without --start random"},
	    {judged, &solver, "--check"},
	    {judged, &control.max_iter, "--check"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("lambda2", &lambdas);
	if (!random_start && kith_parse_real(start, strlen(start), &first) != KITH_NUM_OK)
		start_file = start;
	if (!(first >= 0 && first <= 1))
		kith_misuse(
		    "bad --start: " KITH_CELL " (a number in [0, 1], random, or a file)", start);
	kith_unused_all(option, sizeof(option) / sizeof(*option));
}

/*
 * Sets the targets Y, c columns of n one after the other, and mean.
 *
 *	task      targets                                    predicted
 *	regress   the number less the mean of all rows       the output plus this mean
 *	classify  two classes: 1 for the second, else -1     by the sign of the output
 *	          more: a column per class, 1 for its rows,  by the largest output
 *	          else 0
 */
static int
set_targets(struct run *r, struct kith_err *err)
{
	const struct kith_table *t = &r->t;
	const size_t n = t->X.n;
	long double sum = 0;
	bool constant = true;
	double *Y;

	problem.c = 1;
	if (t->y) {
		if (kith_classes_number(t, &r->class, r->pool, err))
			return -1;
		problem.c = r->class.name.n > 2 ? r->class.name.n : 1;
	}
	KITH_NEW_REALS(r->pool, problem.c, n, &Y);
	for (size_t i = 0; i < n && !t->y; i++) {
		constant = constant && t->t[i] == t->t[0];
		sum += t->t[i];
	}
	if (!t->y && constant)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "column " KITH_NAME ": the target is constant", t->target);
	r->mean = (double)(sum / (long double)n);
	for (size_t k = 0; k < n * problem.c; k++) {
		const size_t i = k % n;

		Y[k] = !t->y         ? t->t[i] - r->mean
		    : problem.c == 1 ? (r->class.y[i] == 1 ? 1 : -1)
				     : r->class.y[i] == k / n;
	}
	problem.Y = Y;
	return 0;
}

/* Fails, with a recipe, where a loss that takes two classes meets more. */
static int
check_classes(const struct run *r, struct kith_err *err)
{
	const struct kith_table *t = &r->t;
	size_t column;

	if (problem.c == 1 || loss == KITH_KNIFE_SQUARED)
		return 0;
	column = kith_names_find(&t->column, t->target) + 1;
	return kith_fail_at(err, EX_DATAERR, t->file, 0,
	    "%zu classes, and --loss %s takes two (--loss squared, or one against the rest: "
	    "tabscale --method none | awk -F'\\t' -v OFS='\\t' 'NR > 1 && $%zu != \"%.40s\" "
	    "{ $%zu = \"(rest)\" } 1' | knife ...)",
	    r->class.name.n, losses[loss], column, r->class.name.name[0], column);
}

/* Fails, naming the column, where polynomial kernels or their derivatives do not fit a double. */
static int
check_ranges(const struct run *r, struct kith_err *err)
{
	const double n = (double)r->X.n, p = (double)r->X.p;

	for (size_t j = 0; j < r->X.p && problem.kern.kind == KITH_KERN_POLYNOMIAL; j++) {
		double least, most;

		kith_mat_range(&r->X, j, &least, &most);
		most = fmax(fabs(least), fabs(most));
		if ((double)problem.kern.degree * (2 * log(most) + log(p)) + log(n * p) >
		    log(DBL_MAX))
			return kith_fail_at(err, EX_DATAERR, r->t.file, 0,
			    "column " KITH_NAME
			    ": numbers up to 1e%+.0f are too large for this kernel (tabscale?)",
			    r->t.feature.name[j], log10(most));
	}
	return 0;
}

/* Reads weights (p) of unscaled features, and brings them to the units of X. */
static int
read_weights(const struct run *r, const char *file, double *w, struct kith_err *err)
{
	const struct kith_names *feature = &r->t.feature;
	struct kith_weights got;

	if (kith_weights_read(file, feature, false, &got, r->pool, err))
		return -1;
	if (got.metric.kind != r->kind)
		return kith_fail_at(err, EX_DATAERR, file, 0,
		    "this --kernel needs a table \"feature %s\"",
		    r->kind == KITH_ABSOLUTE ? "weight_abs" : "weight");
	kith_weights_spread(&got, w, feature->n); /* features that the file does not name get 0 */
	if (kith_unit_convert(&r->unit, r->kind, KITH_UNIT_FROM_INPUT, feature, w, file, err))
		return -1;
	for (size_t j = 0; j < r->unit.p; j++)
		if (fabs(w[j] - 1) < ROUNDING)
			w[j] = 1;
	return 0;
}

/* Sets the weights that the first search starts from; random ones are drawn from [0, 1). */
static int
set_start(struct run *r, struct kith_err *err)
{
	const struct kith_names *feature = &r->t.feature;
	struct kith_rng rng;

	kith_rng_seed(&rng, seed, KITH_RNG_START, 0);
	for (size_t j = 0; j < feature->n; j++)
		r->start[j] = random_start ? kith_rng_unit(&rng) : first;
	if (start_file && read_weights(r, start_file, r->start, err))
		return -1;
	for (size_t j = 0; j < feature->n; j++)
		if (r->start[j] > 1)
			return kith_fail_at(err, EX_DATAERR, start_file, 0,
			    "feature " KITH_NAME ": a start of %g is above 1", feature->name[j],
			    r->start[j]);
	return 0;
}

static void
log_iteration(void *to, size_t iteration, double objective, double gradient)
{
	(void)to;
	kith_log_line(
	    "iteration", "%zu objective %.17g gradient %g", iteration, objective, gradient);
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	struct kith_origin from;

	how.changed = scale;
	if (kith_table_read(files, &how, NULL, &r->t, r->pool, err))
		return -1;
	from = kith_table_origin(&r->t, NULL);
	r->X = r->t.X;
	r->kind = kith_knife_metric(problem.kern.kind);
	r->sd = kith_weights_deviations(&r->t, r->pool);
	if (set_targets(r, err) ||
	    kith_unit_scale(scale, &r->X, &from, NULL, NULL, &r->unit, r->pool, err) ||
	    check_classes(r, err))
		return -1;
	problem.X = &r->X;
	problem.threads = how.format.threads;
	if (problem.kern.kind == KITH_KERN_POLYNOMIAL)
		problem.kern.gamma = 1;
	else if (!kith_given(&problem.kern.gamma)) /* of the features at weights 1 */
		problem.kern.gamma = kith_gamma_auto(
		    &r->X, &(struct kith_metric){r->kind, r->X.p, NULL});
	kith_warn_target(&r->t, "--task regress?");
	if (!scale)
		kith_warn_scales(&r->t, 100);
	KITH_NEW_REALS(r->pool, r->X.p, 1, &r->start, &r->w, &r->sol.w);
	if (check_ranges(r, err) || set_start(r, err))
		return -1;
	r->engine = kith_knife_engine_new(&problem, &control, r->pool);
	memcpy(r->sol.w, r->start, r->X.p * sizeof(*r->start));
	return 0;
}

/* Warns where at the start most rows have no kernel with another one that counts. */
static void
warn_gamma(const struct run *r)
{
	const struct kith_metric metric = {r->kind, r->X.p, r->start};
	struct kith_kern kern = problem.kern;
	double most;

	kern.metric = &metric;
	most = kith_gamma_coupling(&kern, &r->X, &r->X);
	if (most < KITH_GAMMA_COUPLED)
		kith_warn("gamma %g is too large for these data: at the start most rows have no "
			  "kernel with another above %.3g",
		    kern.gamma, most);
}

/* Finds the values of lambda2: the numbers of --lambda2, or equal ratios from M / 1000 to M. */
static int
find_lambda2(struct run *r, struct kith_err *err)
{
	double most = 0;

	r->k = lambdas.n ? lambdas.n : grid;
	r->lambda2 = lambdas.v;
	if (!judged && kith_knife_is_radial(&problem))
		warn_gamma(r);
	if (lambdas.n)
		return 0;
	if (kith_knife_lambda2_max(r->engine, r->start, &most, err))
		return -1;
	if (!(most > 0) || !isfinite(most))
		return kith_fail_at(err, EX_DATAERR, r->t.file, 0,
		    "no largest --lambda2 for --grid: it would be %g", most);
	r->lambda2 = kith_new(r->pool, grid, sizeof(*r->lambda2));
	for (size_t s = 0; s < grid; s++)
		r->lambda2[s] = most * pow(1e-3, 1 - (double)s / ((double)grid - 1));
	kith_log_real("lambda2 of no features", most);
	return 0;
}

static void
log_problem(const struct run *r)
{
	kith_log_size("rows", r->X.n);
	kith_log_size("features", r->X.p);
	if (r->class.y)
		kith_log_size("classes", r->class.name.n);
	kith_log_text("kernel", kith_machine_kernels[problem.kern.kind]);
	kith_log_text("loss", losses[loss]);
	if (kith_knife_is_radial(&problem))
		kith_log_real("gamma", problem.kern.gamma);
	kith_log_real("lambda1", problem.lambda1);
	kith_log_text("solver", solver ? "paper" : "quasi-newton");
}

/* The number of weights above 0.  Constant columns, whose scale is 0, do not count. */
static size_t
count_features(const struct run *r)
{
	size_t count = 0;

	for (size_t j = 0; j < r->X.p; j++)
		count += r->sol.w[j] != 0 && (r->unit.p == 0 || r->unit.scale[j] > 0);
	return count;
}

static void
log_solution_of(const struct run *r, double lambda2)
{
	const struct kith_knife_solution *s = &r->sol;

	kith_log_line("solution",
	    "lambda2 %g objective %g features %zu gradient %g iterations %zu evaluations %zu%s",
	    lambda2, s->objective, count_features(r), s->gradient, s->iterations, s->evaluations,
	    s->certified ? "" : " not converged");
}

/* Logs the only solution, and says why it is not verified. */
static void
log_solution(const struct run *r)
{
	const struct kith_knife_solution *s = &r->sol;
	const double limit = control.tol * fmax(1, s->start_gradient);

	kith_log_real("objective", s->objective);
	kith_log_size("positive", count_features(r));
	kith_log_real("gradient", s->gradient);
	kith_log_size("iterations", s->iterations);
	kith_log_size("evaluations", s->evaluations);
	if (s->products)
		kith_log_size("products with K", s->products);
	if (s->certified)
		return;
	if (s->gradient <= limit)
		kith_warn("rounding forbids a proof of the weights after %zu iterations (--check; "
			  "tabscale?)",
		    s->iterations);
	else if (s->iterations < control.max_iter)
		kith_warn(
		    "no lower objective after %zu iterations: projected gradient %g, limit %g",
		    s->iterations, s->gradient, limit);
	else
		kith_warn("no convergence in %zu iterations: projected gradient %g, limit %g",
		    s->iterations, s->gradient, limit);
}

/* Writes the machine of the solution as a model, and closes its file. */
static int
save_model(struct run *r, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = r->X.n, c = problem.c;
	double *bias = kith_new(&tmp, c, sizeof(*bias)),
	       *coef = kith_new(&tmp, n, c * sizeof(*coef));
	struct kith_machine m = {.task = r->class.y ? KITH_MACHINE_CLASSIFY : KITH_MACHINE_REGRESS,
	    .kern = problem.kern,
	    .metric = {r->kind, r->X.p, r->sol.w},
	    .bias = bias,
	    .feature = r->t.feature,
	    .class = r->class.name,
	    .target = r->t.target,
	    .column = r->t.column,
	    .mean = r->t.mean,
	    .unit = r->unit};
	int failed;

	for (size_t o = 0; o < c; o++) {
		bias[o] = r->sol.machine.bias[o] + r->mean; /* Y = t - mean */
		for (size_t i = 0; i < n; i++)
			coef[i * c + o] = r->sol.machine.alpha[o * n + i];
	}
	kith_machine_rows(&m, &r->t, &r->X, coef, &tmp);
	failed = kith_model_write(&m, &r->saved, err) ? -1 : kith_out_close(&r->saved, err);
	kith_pool_free(&tmp);
	return failed;
}

/* Searches at each lambda2, from the weights of the one before; the status, or -1. */
static int
run_fits(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const bool single = lambdas.n == 1;
	const struct kith_metric metric = {r->kind, r->X.p, r->w};
	const struct kith_path_form form = {"lambda2", r->kind, &r->t.feature, r->sd};

	if (model && kith_out_open(&r->saved, model, err))
		return -1;
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_needs_put(&(struct kith_needs){.scale = scale}, out);
	if (!single)
		kith_path_header(&form, out);
	kith_progress_phase("weights", r->k, "solutions");
	for (size_t s = 0; s < r->k && !out->failed; s++, kith_progress_add(1)) {
		kith_progress_value("lambda2", r->lambda2[s]);
		if (kith_knife_fit(r->engine, r->lambda2[s], r->start, &r->sol, err))
			return -1;
		memcpy(r->w, r->sol.w, r->X.p * sizeof(*r->w));
		if (kith_unit_convert(
			&r->unit, r->kind, KITH_UNIT_TO_INPUT, &r->t.feature, r->w, r->t.file, err))
			return -1;
		log_solution_of(r, r->lambda2[s]);
		r->unverified += !r->sol.certified;
		if (!single)
			kith_path_step(&form, s + 1, r->lambda2[s], r->w, out);
	}
	kith_progress_end();
	if (single) {
		kith_log_real("lambda2", r->lambda2[0]);
		kith_weights_put(&metric, &r->t.feature, r->sd, out);
	}
	if (model && save_model(r, err))
		return -1;
	kith_log_size("solutions", r->k);
	kith_log_size("not converged", r->unverified);
	if (single)
		log_solution(r);
	else if (r->unverified)
		kith_warn("no convergence at %zu of %zu values of lambda2", r->unverified, r->k);
	return r->unverified > 0;
}

/* Judges the weights of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_KNIFE_CHECKS];
	size_t checks;

	if (read_weights(r, judged, r->w, err))
		return -1;
	checks = kith_knife_certify(r->engine, r->w, lambdas.v[0], r->start, check);
	return kith_check_write(check, checks, kith_output(), out, err);
}

int
kith_work(
    const char *const *files, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct run r = {.pool = pool};

	problem.kern.kind = kinds[kernel];
	problem.loss = (enum kith_knife_loss)loss;
	control.alternate = solver;
	control.log = log_iteration;
	random_start = strcmp(start, "random") == 0;
	check_call();
	if (read_all(&r, files, err) || find_lambda2(&r, err))
		return -1;
	log_problem(&r);
	return judged ? run_check(&r, out, err) : run_fits(&r, out, err);
}
