/* SPDX-License-Identifier: BSD-2-Clause */
/* sqpfw - weigh features so that target neighbours are those of the weights. */
#include "sqpfw/sqpfw.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "say/constant.h"
#include "say/doubt.h"
#include "say/sqpfw_run.h"
#include "text/out.h"

#include <float.h>
#include <math.h>

enum { MANY = 100 }; /* features from which on a smooth start is worth it */

static size_t hits = 1, misses = 1, threads = 1, max_iter;
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
    {0, "hits", KITH_SIZE(&hits, 1, 0x1p53),
	"compare with the N-th nearest row of the same class [1]", "Which rows are compared"},
    {0, "misses", KITH_SIZE(&misses, 1, 0x1p53),
	"compare with the N-th nearest row of other classes [1]", NULL},
    {0, "prior", KITH_FILE(&prior_file), "stay near to the weights in FILE [all equal]", NULL},
    {0, "print", KITH_CHOICE(&print, "weights|events|margins"),
	"weights; what changes along --path; hit, miss and margin of each row [weights]",
	"Output and proof"},
    {0, "check", KITH_FILE(&weights_file), "check that the weights in FILE are a local minimum",
	NULL},
    KITH_TARGET_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    {0, "instance-weight", KITH_COL(&how.instance_weight), "the column of weights of rows [1]",
	NULL},
    KITH_NA_OPTION(&how),
    KITH_SCALE_OPTION(&scale, "zscore"),
    {0, "start", KITH_CHOICE(&start, "prior|smooth"),
	"where the search begins [smooth for one theta and 100 features or more]", "Rarely needed"},
    {0, "max-iter", KITH_SIZE(&max_iter, 1, 0x1p53),
	"end each search after N iterations [no limit]", NULL},
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_gone gone[] = {
    {"--validate", "tabcv --test FILE TABLE -- sqpfw"},
    {"--cv", "tabcv TABLE -- sqpfw"},
    {"-k", "tabcv TABLE k=1,3,5 -- sqpfw"},
    {"--best", "tabcv --then final TABLE -- sqpfw"},
    {"--patience", "tabcv TABLE theta=LIST -- sqpfw"},
    {"--seed", "leave it out: no random number is drawn"},
    {"--best-effort", "sqpfw ... || [ $? = 1 ]"},
    {0},
};

static const struct kith_tool tool = {
    .name = "sqpfw",
    .args = "[FILE]...",
    .about = "Weigh features so that rows are nearer to their class than to "
	     "others.",
    .examples = "  sqpfw < train.tsv | knnclf -w - -t train.tsv test.tsv\n"
		"  tabcv --then final train.tsv -- sqpfw > weights.tsv\n",
    .opts = opts,
    .gone = gone,
};

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const struct kith_rule rule[] = {
	    {weights_file && (whole_path || thetas.n != 1), "--check needs one --theta"},
	    {weights_file && kith_given(&print), "--check and --print exclude each other"},
	    {start && whole_path, "--start smooth and --path exclude each other"},
	    {start && prior_file, "--start smooth and --prior exclude each other"},
	    {whole_path && kith_given(&thetas), "--theta and --path exclude each other"},
	    {kith_given(&theta_max) && !whole_path, "--theta-max needs --path"},
	    {print == KITH_SQPFW_MARGINS && (whole_path || thetas.n != 1),
		"--print margins needs one --theta"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("theta", &thetas);
	if (whole_path)
		thetas.n = 0;
	if (weights_file) {
		kith_unused(&start, "--check");
		kith_unused(&max_iter, "--check");
	}
}

static void
tell_rows(const struct kith_learn *l)
{
	kith_say_constant(&l->known.feature, l->constant, "weight 0");
	kith_log_size("rows", l->known.X.n);
	kith_log_size("classes", l->class.name.n);
	kith_log_size("features", l->feature.n);
	kith_log_size("constant", l->known.feature.n - l->feature.n);
	kith_log_size("hits", hits);
	kith_log_size("misses", misses);
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
		kith_log_real("prior sum", sum);
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
	if (!scale)
		kith_say_scales(&l->known, l->column, KITH_SAY_UNITS);
	return 0;
}

static int
run(struct kith_sqpfw_run *r, const char *const *files, struct kith_out *out, struct kith_err *err)
{
	struct kith_learn *l = &r->in;
	double *prior = NULL, *judged = NULL;

	how.changed = scale;
	if (kith_learn_read(files, &how, l, &r->pool, err) ||
	    (prior_file && kith_learn_weights(l, prior_file, &prior, &r->pool, err)) ||
	    (weights_file && kith_learn_weights(l, weights_file, &judged, &r->pool, err)))
		return -1;
	r->smooth = begins_smooth(l);
	kith_say_table_classes(&l->known, "sqpfw learns classes only");
	if (prepare(r, prior, err))
		return -1;
	tell_rows(l);
	return weights_file ? kith_sqpfw_run_check(r, weights_file, judged, out, err)
			    : kith_sqpfw_run(r, out, err);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {prior_file, weights_file};
	const char *const *files = kith_inputs(operand, other, 2);
	struct kith_sqpfw_run r = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	how.format.threads = threads;
	check_call();
	r.how = (struct kith_sqpfw_how){
	    .hits = hits, .misses = misses, .max_iter = max_iter, .threads = threads};
	r.thetas = thetas;
	r.path = whole_path;
	r.theta_max = theta_max;
	r.print = print;
	r.output = kith_output();
	status = run(&r, files, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_sqpfw_run_free(&r);
	return kith_finish(&out, status);
}
