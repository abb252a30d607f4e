/* relief - weigh features by the classic methods of the relief family. */
#include "relief/relief.h"

#include "base/names.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cost/relief.h"
#include "say/constant.h"
#include "say/doubt.h"
#include "say/relief_cv.h"
#include "table/classes.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { L1, L2 };

static struct kith_how how;
static int method, metric, best, scale;
static size_t ten = 10, one = 1, samples, max_iter, starts = 5, seed = 1;
static size_t threads = 1, parts;
static double tol = 1e-6, width = 1;
static struct kith_sizes ks = {1, &ten}, vote_ks = {1, &one};
static struct kith_reals sigmas = {1, &width};
static size_t rank; /* --rank alone: 0 */
static bool clip, best_effort;

static const struct kith_opt opts[] = {
    {0, "method",
	KITH_CHOICE(&method, "relief|relieff|simba|mulrel|irelief|nca|lfe|surf|multisurf"),
	"the method [relief]"},
    {'k', NULL, KITH_SIZES(&ks, 1, 0x1p53),
	"relieff: neighbours from each class [10]"},
    {0, "metric", KITH_CHOICE(&metric, "l1|l2"),
	"relieff: distances are sums, or of squares [l1]"},
    {0, "samples", KITH_SIZE(&samples, 1, 0x1p53),
	"sum over N random rows only [all]"},
    {0, "max-iter", KITH_SIZE(&max_iter, 1, 0x1p53),
	"simba: passes [5]; mulrel, irelief [100]; nca [1000]"},
    {0, "starts", KITH_SIZE(&starts, 1, 1e6),
	"simba, nca: number of starts; the best wins [5]"},
    {0, "sigma", KITH_REALS(&sigmas, DBL_TRUE_MIN, DBL_MAX),
	"irelief: kernel width [1]; regress: ranks [20]"},
    {0, "tol", KITH_REAL(&tol, 0, DBL_MAX),
	"irelief, nca: when to stop [1e-6]"},
    {0, "scale", KITH_CHOICE(&scale, KITH_UNIT_WORDS),
	"scale the features; printed weights are for unscaled rows [none]"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"print how N parts are predicted by the others; takes lists"},
    {0, "vote-k", KITH_SIZES(&vote_ks, 1, 0x1p53),
	"cv: the nearest K rows vote, for each K [1]"},
    {0, "best", KITH_MAYBE(&best, "se"),
	"cv: print the best weights, or simple ones, instead"},
    {0, "clip", KITH_FLAG(&clip), "negative weights become 0"},
    {0, "rank", KITH_MAYBE_SIZE(&rank, "R|full", 1, 0x1p53),
	"add a column of ranks; nca: a metric of this rank"},
    {0, "best-effort", KITH_FLAG(&best_effort),
	"exit with 0, converged or not"},
    KITH_TARGET_OPTION(&how),
    KITH_TASK_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    {0, "na", KITH_CHOICE(&how.na, "error|omit|mean|model"),
	"missing cells: fail, omit, mean; relieff: model [error]"},
    KITH_NA_STRING_OPTION(&how),
    KITH_SEED_OPTION(&seed),
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_tool tool = {
    .name = "relief",
    .args = "[FILE]...",
    .about = "Weigh features by how rows differ from their nearest rows.",
    .examples =
	"  relief --clip < train.tsv | knnclf -w - -t train.tsv "
	"test.tsv\n"
	"  relief --method relieff --scale minmax --cv 5 -k 5,10 --best "
	"train.tsv\n",
    .opts = opts,
};

static const char *const names[] = {"--method relief", "--method relieff",
    "--method simba", "--method mulrel", "--method irelief", "--method nca",
    "--method lfe", "--method surf", "--method multisurf"};

/* Warn of an option that is only for some methods, a bit for each. */
static void
only_for(const void *place, unsigned methods)
{
	if (!(methods >> method & 1))
		kith_unused(place, names[method]);
}

/* Options that change nothing, given what the others say. */
static void
warn_unused(void)
{
	const unsigned pairs = 1U << KITH_RELIEF | 1U << KITH_RELIEF_MULREL |
	    1U << KITH_RELIEF_LFE;
	const unsigned relieff = 1U << KITH_RELIEFF;
	const unsigned simba = 1U << KITH_RELIEF_SIMBA;
	const unsigned irelief = 1U << KITH_RELIEF_IRELIEF;
	const unsigned nca = 1U << KITH_RELIEF_NCA;

	only_for(&ks, relieff);
	only_for(&metric, relieff);
	only_for(&samples, pairs | relieff | simba);
	only_for(&max_iter, simba | irelief | nca | 1U << KITH_RELIEF_MULREL);
	only_for(&starts, simba | nca);
	only_for(&sigmas, relieff | irelief);
	only_for(&tol, irelief | nca);
	only_for(&best_effort, irelief | nca | 1U << KITH_RELIEF_MULREL);
	only_for(&clip, 1U << KITH_RELIEF | relieff);
	only_for(&rank, ~(1U << KITH_RELIEF_LFE));
	if (method == KITH_RELIEFF && how.task == KITH_CLASSIFY)
		kith_unused(&sigmas, "--task classify");
	if (parts && !best) {
		kith_unused(&clip, "--cv");
		kith_unused(&rank, "--cv");
	}
	if (parts)
		return;
	kith_unused_without(&vote_ks, "--cv");
	if (method == KITH_RELIEF_SIMBA || method == KITH_RELIEF_NCA) {
		if (starts == 1 && !samples)
			kith_unused(&seed, "--starts 1");
	} else if (method == KITH_RELIEF_IRELIEF)
		kith_unused(&seed, names[method]);
	else if (!samples)
		kith_unused(&seed, "all rows (--samples)");
}

static void
check_call(void)
{
	const struct kith_rule rule[] = {
	    {how.task == KITH_REGRESS && method != KITH_RELIEFF &&
		    !(method == KITH_RELIEF_NCA && rank),
		"--task regress needs --method relieff"},
	    {how.na == KITH_NA_MODEL && method != KITH_RELIEFF,
		"--na model needs --method relieff"},
	    {how.na == KITH_NA_MODEL && (parts || scale),
		"--na model excludes --cv and --scale (--na omit or mean?)"},
	    {best && !parts, "--best needs --cv N"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	warn_unused();
	if (!parts && (ks.n > 1 || sigmas.n > 1))
		kith_misuse(
		    "several %s need --cv N", ks.n > 1 ? "-k" : "--sigma");
	if (!kith_given(&max_iter))
		max_iter = method == KITH_RELIEF_SIMBA ? 5
		    : method == KITH_RELIEF_NCA        ? 1000
						       : 100;
	if (!kith_given(&sigmas) && method == KITH_RELIEFF)
		width = 20;
}

/*
 * Texts are read where they stay what they are: nearest rows are found, and
 * features scaled, by numbers alone.
 */
static int
read_rows(const char *const *files, struct kith_table *t,
    struct kith_pool *pool, struct kith_err *err)
{
	how.texts = method == KITH_RELIEFF && !parts && !scale;
	if (kith_table_read(files, &how, NULL, t, pool, err))
		return -1;
	if (t->y && kith_classes_several(t, err))
		return -1;
	kith_say_table_classes(t,
	    method == KITH_RELIEFF ? "--task regress?"
				   : "--method relieff --task regress?");
	if (method != KITH_RELIEFF && !scale)
		kith_say_scales(t, NULL, KITH_SAY_UNITS);
	return 0;
}

/* Choose by --cv, or print the errors: *done, and that is all. */
static int
cross_validate(const struct kith_table *t, struct kith_relief_how *ask,
    bool *done, struct kith_out *out, struct kith_err *err)
{
	const bool regress = how.task == KITH_REGRESS;
	const struct kith_relief_cv cv = {.parts = parts,
	    .seed = seed,
	    .scale = scale,
	    .best = best,
	    .k = ks,
	    .sigma = sigmas,
	    .takes_k = method == KITH_RELIEFF,
	    .takes_sigma = method == KITH_RELIEF_IRELIEF || regress,
	    .vote_k = vote_ks,
	    .output = kith_output()};

	if (!parts)
		return 0;
	*done = best == 0;
	return kith_relief_cv(&cv, t, ask, out, err);
}

static void
tell(const struct kith_table *t, const struct kith_relief *got)
{
	const bool several = method == KITH_RELIEF_SIMBA ||
	    method == KITH_RELIEF_NCA;

	kith_note("%zu rows, %zu features", t->X.n, t->X.p);
	kith_log_size("rows", t->X.n);
	kith_log_size("features", t->X.p);
	kith_log_size("seed", seed);
	kith_log_size("threads", threads);
	if (got->iterations > 0 || !got->converged) {
		kith_note("%zu iterations%s", got->iterations,
		    got->converged ? "" : ", not converged");
		kith_log_size("iterations", got->iterations);
		kith_log_text("converged", got->converged ? "yes" : "no");
		if (got->circle > 1)
			kith_log_size("circle", got->circle);
	}
	if (several) {
		kith_note("start %zu is the best: %s %.10g", got->best,
		    method == KITH_RELIEF_NCA ? "objective" : "errors",
		    got->objective);
		kith_log_size("start", got->best);
		kith_log_real("objective", got->objective);
	}
}

/*
 * Write weights of the kind that the method gives, in the units of the input;
 * their ranks are those of the units that they were found in.
 */
static int
write_weights(const struct kith_table *t, const struct kith_relief_how *ask,
    const struct kith_unit *unit, double *w, struct kith_pool *pool, struct kith_out *out,
    struct kith_err *err)
{
	const size_t p = t->X.p;
	const struct kith_metric of = {kith_relief_kind(ask), p, w};
	const bool matrix = kith_relief_is_matrix(ask);
	const bool ranks = kith_given(&rank) && rank == 0 && !matrix;
	size_t *order = kith_new(pool, p, sizeof(*order));
	size_t *place = kith_new(pool, p, sizeof(*place));

	if (!matrix)
		kith_weights_order(p, w, order);
	for (size_t r = 0; r < p && !matrix; r++)
		place[order[r]] = r + 1;
	for (size_t a = 0; a < p && !matrix; a++)
		w[a] = clip && w[a] < 0 ? 0 : w[a];
	if (scale && kith_unit_to_input(unit, of.kind, &t->feature, w, err)) {
		err->file = t->file;
		return -1;
	}
	if (kith_out_open_table(out, kith_output(), err))
		return -1;
	kith_weights_put(&of, &t->feature, NULL, ranks ? place : NULL, out);
	return 0;
}

/* Whether no weight is positive; entries of a diagonal are those of a matrix.
 */
static bool
has_none(const struct kith_table *t, const struct kith_relief_how *ask,
    const double *w)
{
	const size_t p = t->X.p;
	const size_t step = kith_relief_is_matrix(ask) ? p + 1 : 1;

	for (size_t a = 0; a < p; a++)
		if (w[a * step] > 0)
			return false;
	return true;
}

static void
warn_not_converged(const struct kith_relief *got)
{
	if (got->stuck)
		kith_warn("not converged after %zu iterations: no step is "
			  "better, but derivatives exceed --tol (tabscale?)",
		    got->iterations);
	else if (got->circle)
		kith_warn("not converged after %zu iterations: the weights "
			  "repeat in a cycle of %zu",
		    got->iterations, got->circle);
	else
		kith_warn("not converged after %zu iterations (--max-iter)",
		    got->iterations);
}

/* Weigh all rows, and print; the status, or -1. */
static int
weigh(struct kith_table *t, const struct kith_relief_how *ask,
    struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_relief_rows rows = {
	    t->X, t->text, t->y, t->class.n, t->t, t->weight,
	    &t->feature};
	struct kith_unit unit;
	struct kith_relief got;

	if ((scale &&
		(kith_unit_fit(scale, &t->X, &t->feature, &unit, pool, err) ||
		    kith_unit_apply(&unit, &t->X, &t->feature, err))) ||
	    kith_relief(&rows, ask, &got, pool, err)) {
		err->file = t->file;
		return -1;
	}
	kith_say_constant(&t->feature, got.constant, "weight 0");
	tell(t, &got);
	if (has_none(t, ask, got.w))
		kith_warn("no feature has a positive weight");
	if (write_weights(t, ask, &unit, got.w, pool, out, err))
		return -1;
	if (got.converged)
		return 0;
	warn_not_converged(&got);
	return 1;
}

/* What that costs, or --cv before it (--dry-run). */
static int
tell_cost(const struct kith_table *t, const struct kith_relief_how *ask,
    struct kith_out *out, struct kith_err *err)
{
	const struct kith_relief_rows rows = {
	    t->X, t->text, t->y, t->class.n, t->t, t->weight,
	    &t->feature};
	const size_t fits = parts * ks.n * sigmas.n + (parts == 0 || best);

	return kith_cost_relief(&rows, ask, fits, out, err);
}

static int
run(const char *const *files, struct kith_out *out, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_relief_how ask = {(enum kith_relief_method)method, ks.v[0],
	    metric == L2, samples, max_iter, starts, method == KITH_RELIEF_NCA ? rank : 0,
	    sigmas.v[0], tol, !kith_given(&tol), 0, seed, threads};
	struct kith_table t;
	bool done = false;
	int status;

	if (read_rows(files, &t, pool, err))
		return -1;
	if (kith_dry())
		return tell_cost(&t, &ask, out, err);
	status = cross_validate(&t, &ask, &done, out, err);
	return status < 0 || done ? status : weigh(&t, &ask, out, pool, err);
}

int
main(int argc, char *argv[])
{
	char **operand = kith_begin(&tool, argc, argv);
	const char *const *files = kith_inputs(operand, NULL, 0);
	struct kith_pool pool = {0};
	struct kith_out out;
	struct kith_err err;
	int status;

	check_call();
	status = run(files, &out, &pool, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	status = kith_finish(&out, status);
	return best_effort ? 0 : status;
}
