/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw - weigh features so that target neighbours are those of the weights. */
#include "sqpfw/sqpfw.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "say/constant.h"
#include "say/doubt.h"
#include "say/sqpfw_cv.h"
#include "say/sqpfw_run.h"
#include "text/out.h"

#include <float.h>
#include <math.h>

enum { MANY = 100 }; /* features from which on a smooth start is worth it */

static size_t one_hit = 1, one_miss = 1, one_k = 1, threads = 1, max_iter;
static size_t patience;
static size_t parts, seed = 1;
static struct kith_sizes hits = {1, &one_hit}, misses = {1, &one_miss};
static struct kith_sizes ks = {1, &one_k};
static struct kith_reals thetas;
static struct kith_how how;
static const char *prior_file, *validation, *weights_file;
static double theta_max = INFINITY;
static bool whole_path, best_effort;
static int print, best, scale, start;

static const struct kith_opt opts[] = {
    {0, "theta", KITH_REALS(&thetas, 0, DBL_MAX),
	"how much the margins count; or an increasing LIST"},
    {0, "path", KITH_FLAG(&whole_path), "instead: all solutions, from theta 0 on"},
    {0, "theta-max", KITH_REAL(&theta_max, 0, DBL_MAX), "path: end at X"},
    {0, "hits", KITH_SIZES(&hits, 1, 0x1p53),
	"the N-th nearest of a row's class is its target hit [1]"},
    {0, "misses", KITH_SIZES(&misses, 1, 0x1p53),
	"the N-th nearest of other classes is its target miss [1]"},
    {0, "prior", KITH_FILE(&prior_file), "weights to stay near to, in any unit [all equal]"},
    {0, "start", KITH_CHOICE(&start, "prior|smooth"),
	"where the first search begins [p < 100: prior]"},
    {0, "instance-weight", KITH_COL(&how.instance_weight),
	"COL weighs the rows' terms, and is no feature"},
    {0, "scale", KITH_CHOICE(&scale, KITH_UNIT_WORDS),
	"scale the features; printed weights are for unscaled rows [none]"},
    {0, "print", KITH_CHOICE(&print, "weights|events|margins"),
	"solutions, changes between them, or target rows [weights]"},
    {0, "validate", KITH_FILE(&validation), "instead of weights, print the errors on rows of FILE"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"the same, for each of N parts from the others; takes lists"},
    {'k', NULL, KITH_SIZES(&ks, 1, 0x1p53), "with these: the nearest K rows vote, for each K [1]"},
    {0, "best", KITH_MAYBE(&best, "se"),
	"with these: print the best weights, or simple ones, instead"},
    {0, "patience", KITH_SIZE(&patience, 1, 0x1p53),
	"--validate: end where N solutions bring no fewer errors"},
    {0, "check", KITH_FILE(&weights_file), "check the weights of FILE"},
    {0, "max-iter", KITH_SIZE(&max_iter, 1, 0x1p53),
	"end each search after N iterations [no limit]"},
    {0, "best-effort", KITH_FLAG(&best_effort),
	"exit with 0 also where a minimum is not certified"},
    KITH_LEARN_OPTIONS(&how, &seed, &threads),
};

static const struct kith_tool tool = {
    .name = "sqpfw",
    .args = "--theta LIST|--path [FILE]...",
    .about = "Weigh features so that rows are nearer to their class than to "
	     "others.",
    .examples = "  sqpfw --theta .1 < train.tsv\n"
		"  sqpfw --theta .01,.1,1 --cv 5 -k 1,3 --best train.tsv\n",
    .opts = opts,
};

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool printing = kith_given(&print);
	const struct kith_rule rule[] = {
	    {weights_file && (whole_path || thetas.n != 1), "--check needs one --theta"},
	    {weights_file && (validation || parts || printing),
		"--check excludes --validate, --cv and --print"},
	    {start && whole_path, "--start smooth and --path exclude each other"},
	    {start && prior_file, "--start smooth and --prior exclude each other"},
	    {whole_path == (thetas.n > 0), "give one of --theta and --path"},
	    {kith_given(&theta_max) && !whole_path, "--theta-max needs --path"},
	    {validation && parts, "--validate and --cv exclude each other"},
	    {parts && whole_path, "--cv and --path exclude each other (give a grid of --theta)"},
	    {validation && printing, "--validate and --print exclude each other"},
	    {parts && printing, "--cv and --print exclude each other"},
	    {best && !validation && !parts, "--best needs --validate FILE or --cv N"},
	    {patience && !validation, "--patience needs --validate FILE"},
	    {!parts && hits.n > 1, "several --hits need --cv N"},
	    {!parts && misses.n > 1, "several --misses need --cv N"},
	    {print == KITH_SQPFW_MARGINS && thetas.n != 1, "--print margins needs one --theta"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("theta", &thetas);
	if (!validation && !parts)
		kith_unused_without(&ks, "--validate or --cv");
	if (!parts)
		kith_unused_without(&seed, "--cv");
	if (weights_file) {
		kith_unused(&start, "--check");
		kith_unused(&max_iter, "--check");
		kith_unused(&best_effort, "--check");
	}
}

static void
tell_rows(const struct kith_learn *l)
{
	kith_say_constant(&l->known.feature, l->constant, "weight 0");
	kith_note(
	    "%zu rows, %zu classes, %zu features", l->known.X.n, l->class.name.n, l->feature.n);
	kith_log_size("rows", l->known.X.n);
	kith_log_size("classes", l->class.name.n);
	kith_log_size("features", l->feature.n);
	kith_log_size("constant", l->known.feature.n - l->feature.n);
	if (hits.n == 1 && misses.n == 1) {
		kith_log_size("hits", hits.v[0]);
		kith_log_size("misses", misses.v[0]);
	}
	if (parts)
		kith_log_size("seed", seed);
	kith_log_size("threads", threads);
}

/* The prior of all rows, in their units. */
static int
set_prior(struct kith_sqpfw_run *r, const double *all, struct kith_err *err)
{
	double *prior, sum;

	if (!all)
		return 0;
	prior = kith_new(&r->pool, r->in.feature.n, sizeof(*prior));
	r->how.prior = prior;
	if (kith_learn_prior(&r->in, prior_file, all, prior, &sum, err))
		return -1;
	if (fabs(sum - 1) > 1e-12)
		kith_note("the prior sums to %g: rescaled to 1", sum);
	return 0;
}

/*
 * Whether the first theta is solved from a smooth start: where that is asked
 * for, or where it is the only one and features are many.
 */
static bool
begins_smooth(const struct kith_learn *l)
{
	if (kith_given(&start))
		return start;
	return thetas.n == 1 && !prior_file && l->feature.n >= MANY;
}

/* Get all rows ready to be solved. */
static int
prepare(struct kith_sqpfw_run *r, const double *prior, struct kith_err *err)
{
	const struct kith_learn *l = &r->in;

	if (kith_learn_enough(l, r->how.hits, r->how.misses, err) ||
	    kith_learn_scale(&r->in, scale, &r->pool, err) || kith_learn_bearable(l, err) ||
	    set_prior(r, prior, err) || kith_sqpfw_run_weigh(&l->known, &r->how, &r->pool, err))
		return -1;
	if (!parts && !scale)
		kith_say_scales(&l->known, l->column, KITH_SAY_UNITS);
	r->validates = validation != NULL;
	if (validation &&
	    kith_validate_new(
		&l->known, &l->asked, ks.v, ks.n, threads, &r->validate, &r->pool, err))
		return -1;
	return 0;
}

/* Choose by --cv; *done: the errors were printed, and that is all. */
static int
cross_validate(struct kith_sqpfw_run *r, const double *prior, bool *done, struct kith_out *out,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_learn *l = &r->in;
	double *own = kith_new(&tmp, l->feature.n, sizeof(*own));
	const struct kith_sqpfw_cv cv = {parts, seed, scale, hits.n > 1 || misses.n > 1, hits,
	    misses, ks, prior ? own : NULL, prior_file};
	int status = -1;

	*done = best == 0;
	if (!prior || kith_learn_from_input(l, prior, own, err) == 0)
		status = kith_sqpfw_cv(&cv, r, out, err);
	kith_pool_free(&tmp);
	return status;
}

static int
run(struct kith_sqpfw_run *r, const char *const *files, struct kith_out *out, struct kith_err *err)
{
	struct kith_learn *l = &r->in;
	double *prior = NULL, *judged = NULL;
	bool done = false;
	int status = 0;

	how.changed = scale;
	if (kith_learn_read(files, &how, validation, l, &r->pool, err) ||
	    (prior_file && kith_learn_weights(l, prior_file, &prior, &r->pool, err)) ||
	    (weights_file && kith_learn_weights(l, weights_file, &judged, &r->pool, err)))
		return -1;
	r->smooth = begins_smooth(l);
	kith_say_table_classes(&l->known, "sqpfw learns classes only");
	if (parts && !scale)
		kith_say_scales(&l->known, l->column, KITH_SAY_UNITS);
	kith_say_outside(&l->known, &l->asked, l->column);
	if (parts && (status = cross_validate(r, prior, &done, out, err)) < 0)
		return -1;
	if (!done && prepare(r, prior, err))
		return -1;
	tell_rows(l);
	if (done)
		return status;
	return weights_file ? kith_sqpfw_run_check(r, weights_file, judged, out, err)
			    : kith_sqpfw_run(r, out, err);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {prior_file, validation, weights_file};
	const char *const *files = kith_inputs(operand, other, 3);
	struct kith_sqpfw_run r = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	check_call();
	r.how = (struct kith_sqpfw_how){
	    .hits = hits.v[0], .misses = misses.v[0], .max_iter = max_iter, .threads = threads};
	r.thetas = thetas;
	r.path = whole_path;
	r.theta_max = theta_max;
	r.print = print;
	r.patience = patience;
	r.best = best;
	r.output = kith_output();
	status = run(&r, files, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_sqpfw_run_free(&r);
	status = kith_finish(&out, status);
	return best_effort && !weights_file ? 0 : status;
}
