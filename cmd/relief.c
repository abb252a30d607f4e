/* SPDX-License-Identifier: BSD-2-Clause */
/* relief - weigh features by the classic methods of the relief family. */
#include "relief/relief.h"
#include "relief/resample.h"

#include "base/names.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cost/relief.h"
#include "say/constant.h"
#include "say/doubt.h"
#include "say/relief.h"
#include "say/relief_cv.h"
#include "table/classes.h"
#include "table/table.h"
#include "table/trial.h"
#include "table/unit.h"
#include "table/weights.h"
#include "text/out.h"

#include <float.h>
#include <string.h>

enum { L1, L2 };

static struct kith_how how;
static int method, metric, best, scale;
static size_t ten = 10, one = 1, samples, max_iter, starts = 5, seed = 1;
static size_t threads = 1, parts;
static size_t bootstrap, permute, top = 10;
static double tol = 1e-6, width = 1, turf, none = 0;
static struct kith_sizes ks = {1, &ten}, vote_ks = {1, &one};
static struct kith_reals sigmas = {1, &width}, shares = {1, &none};
static size_t rank; /* --rank alone: 0 */
static bool clip, best_effort;

static const struct kith_opt opts[] = {
    {0, "method",
	KITH_CHOICE(&method,
	    "relief|relieff|simba|mulrel|irelief|nca|lfe|surf|multisurf"),
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
    {0, "turf", KITH_REAL(&turf, DBL_TRUE_MIN, 1),
	"weigh again and again, each time less this share of the features"},
    {0, "tol", KITH_REAL(&tol, 0, DBL_MAX),
	"irelief, nca: when to stop [1e-6]"},
    {0, "scale", KITH_CHOICE(&scale, KITH_UNIT_WORDS),
	"scale the features; printed weights are for unscaled rows [none]"},
    {0, "cv", KITH_SIZE(&parts, 2, 0x1p53),
	"print how N parts are predicted by the others; takes lists"},
    {0, "vote-k", KITH_SIZES(&vote_ks, 1, 0x1p53),
	"cv: the nearest K rows vote, for each K [1]"},
    {0, "drop-share", KITH_REALS(&shares, 0, 100),
	"cv: without these percentages of the features [0]"},
    {0, "best", KITH_MAYBE(&best, "se"),
	"cv: print the best weights, or simple ones, instead"},
    {0, "bootstrap", KITH_SIZE(&bootstrap, 2, 0x1p31),
	"add se and top: weights of N samples of the rows"},
    {0, "top", KITH_SIZE(&top, 1, 0x1p53),
	"bootstrap: how often a feature is among the first N [10]"},
    {0, "permute", KITH_SIZE(&permute, 1, 0x1p31),
	"add p: how often N permuted targets give as large a weight"},
    {0, "clip", KITH_FLAG(&clip), "negative weights become 0"},
    {0, "rank", KITH_MAYBE_SIZE(&rank, "R|full", 1, 0x1p53),
	"add a column of ranks; nca: a metric of this rank"},
    {0, "best-effort", KITH_FLAG(&best_effort),
	"exit with 0, converged or not"},
    KITH_TARGET_OPTION(&how),
    {0, "instance-weight", KITH_COL(&how.instance_weight),
	"COL has a weight for each row [1]"},
    KITH_TASK_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    {0, "na", KITH_CHOICE(&how.na, "error|omit|mean|model"),
	"missing cells: fail, omit, mean; or model them [error]"},
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
	const unsigned surf = 1U << KITH_RELIEF_SURF |
	    1U << KITH_RELIEF_MULTISURF;

	only_for(&ks, relieff);
	only_for(&metric, relieff);
	only_for(&samples, pairs | relieff | simba | surf);
	only_for(&max_iter, simba | irelief | nca | 1U << KITH_RELIEF_MULREL);
	only_for(&starts, simba | nca);
	only_for(&sigmas, relieff | irelief);
	only_for(&tol, irelief | nca);
	only_for(&best_effort, irelief | nca | 1U << KITH_RELIEF_MULREL);
	only_for(&clip, 1U << KITH_RELIEF | relieff | surf);
	only_for(&rank, ~(1U << KITH_RELIEF_LFE));
	if (method == KITH_RELIEFF && how.task == KITH_CLASSIFY)
		kith_unused(&sigmas, "--task classify");
	if (parts && !best) {
		kith_unused(&clip, "--cv");
		kith_unused(&rank, "--cv");
	}
	if (!bootstrap)
		kith_unused_without(&top, "--bootstrap");
	if (parts || bootstrap || permute)
		return;
	kith_unused_without(&vote_ks, "--cv");
	kith_unused_without(&shares, "--cv");
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
	const struct kith_relief_how of = {
	    .method = (enum kith_relief_method)method, .rank = rank};
	const bool matrix = kith_relief_is_matrix(&of);
	const struct kith_rule rule[] = {
	    {how.task == KITH_REGRESS && !kith_relief_takes_numbers(&of),
		method == KITH_RELIEF_NCA
		    ? "--task regress needs a metric (--rank)"
		    : "--task regress needs --method relieff"},
	    {rank && method != KITH_RELIEF_NCA,
		"a metric (--rank R or full) needs --method nca"},
	    {how.na == KITH_NA_MODEL && !kith_relief_takes_cells(of.method),
		"--na model needs --method relief, relieff, surf or "
		"multisurf"},
	    {how.na == KITH_NA_MODEL && (parts || scale),
		"--na model excludes --cv and --scale (--na omit or mean?)"},
	    {best && !parts, "--best needs --cv N"},
	    {(bootstrap || permute) && parts,
		"--cv excludes --bootstrap and --permute"},
	    {(bootstrap || permute || kith_given(&shares)) && matrix,
		"--bootstrap, --permute and --drop-share need one weight for "
		"each feature"},
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
	if (matrix && !kith_given(&starts) && method == KITH_RELIEF_NCA)
		starts = 1;
	for (size_t r = 0; r < shares.n; r++)
		if (shares.v[r] == 100)
			kith_misuse("bad --drop-share: 100 leaves no feature");
}

/* Whether the method brings features to their ranges. */
static bool
by_ranges(const struct kith_table *t)
{
	if (method == KITH_RELIEFF || method == KITH_RELIEF_SURF ||
	    method == KITH_RELIEF_MULTISURF || how.na == KITH_NA_MODEL)
		return true;
	for (size_t j = 0; j < t->X.p && t->text; j++)
		if (t->text[j])
			return true;
	return false;
}

/*
 * Texts are read where they stay what they are: nearest rows are found, and
 * features scaled, by numbers alone.
 */
static int
read_rows(const char *const *files, struct kith_table *t,
    struct kith_pool *pool, struct kith_err *err)
{
	how.texts = kith_relief_takes_cells((enum kith_relief_method)method) &&
	    !parts && !scale;
	if (kith_table_read(files, &how, NULL, t, pool, err))
		return -1;
	if (t->y && kith_classes_several(t, err))
		return -1;
	kith_say_table_classes(t,
	    method == KITH_RELIEFF ? "--task regress?"
				   : "--method relieff --task regress?");
	if (!scale && !by_ranges(t))
		kith_say_scales(t, NULL, KITH_SAY_UNITS);
	return 0;
}

/* Choose by --cv, or print the errors: *done, and that is all. */
static int
cross_validate(const struct kith_table *t, struct kith_relief_choice *choice,
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
	    .share = shares,
	    .takes_share = kith_given(&shares),
	    .output = kith_output()};

	if (!parts)
		return 0;
	*done = best == 0;
	return kith_relief_cv(&cv, t, choice, out, err);
}

/* --bootstrap and --permute, whose mean takes the place of the weights. */
static int
resample(const struct kith_relief_rows *rows, const struct kith_relief_how *ask,
    struct kith_relief *got, struct kith_relief_spread *spread,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_relief_resample what = {bootstrap, permute, top};

	if (kith_relief_resample(rows, ask, &what, got->w, spread, pool, err))
		return -1;
	if (spread->mean)
		got->w = spread->mean;
	if (spread->doubts)
		kith_warn("not converged: %zu of %zu searches", spread->doubts,
		    bootstrap + permute);
	return spread->doubts > 0;
}

/* Weigh all rows, and print; the status, or -1. */
static int
weigh(struct kith_table *t, const struct kith_relief_choice *choice,
    struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_relief_how *ask = &choice->how;
	const struct kith_relief_rows rows = {
	    t->X, t->text, t->y, t->class.n, t->t, t->weight, &t->feature};
	struct kith_unit unit;
	struct kith_relief_spread spread;
	const bool again = bootstrap || permute;
	const struct kith_relief_print print = {t, ask, scale ? &unit : NULL,
	    again ? &spread : NULL, clip, kith_given(&rank) && rank == 0,
	    choice->drop};
	struct kith_relief got;
	int status = 0;

	if ((scale &&
		(kith_unit_fit(scale, &t->X, &t->feature, &unit, pool, err) ||
		    kith_unit_apply(&unit, &t->X, &t->feature, err))) ||
	    kith_relief(&rows, ask, &got, pool, err)) {
		err->file = t->file;
		return -1;
	}
	kith_say_constant(&t->feature, got.constant, "weight 0");
	kith_relief_tell(t, ask, &got);
	kith_relief_warn_none(t->X.p, ask, got.w);
	if (!got.converged)
		kith_relief_warn(&got);
	if (again)
		status = resample(&rows, ask, &got, &spread, pool, err);
	if (status < 0) {
		err->file = t->file;
		return -1;
	}
	if (kith_relief_print(&print, &got, got.w, pool, out, err))
		return -1;
	return got.converged ? status : 1;
}

/* What that costs, or --cv before it (--dry-run). */
static int
tell_cost(const struct kith_table *t, const struct kith_relief_how *ask,
    struct kith_out *out, struct kith_err *err)
{
	const struct kith_relief_rows rows = {
	    t->X, t->text, t->y, t->class.n, t->t, t->weight, &t->feature};
	const size_t fits = parts * ks.n * sigmas.n + (parts == 0 || best) +
	    bootstrap + permute;

	return kith_cost_relief(&rows, ask, fits, out, err);
}

static int
run(const char *const *files, struct kith_out *out, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_relief_choice choice = {
	    {.method = (enum kith_relief_method)method,
		.k = ks.v[0],
		.squares = metric == L2,
		.samples = samples,
		.max_iter = max_iter,
		.starts = starts,
		.rank = method == KITH_RELIEF_NCA ? rank : 0,
		.sigma = sigmas.v[0],
		.tol = tol,
		.soon = !kith_given(&tol),
		.turf = turf,
		.seed = seed,
		.threads = threads},
	    0};
	struct kith_table t;
	bool done = false;
	int status;

	if (read_rows(files, &t, pool, err))
		return -1;
	if (kith_dry())
		return tell_cost(&t, &choice.how, out, err);
	status = cross_validate(&t, &choice, &done, out, err);
	return status < 0 || done ? status : weigh(&t, &choice, out, pool, err);
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

	how.format.threads = threads;
	check_call();
	status = run(files, &out, &pool, &err);
	if (status < 0)
		kith_die(&err);
	kith_pool_free(&pool);
	status = kith_finish(&out, status);
	return best_effort ? 0 : status;
}
