/* sqpfw - weigh features so that target neighbours are those of the weights. */
#include "sqpfw/sqpfw.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cost/sqpfw.h"
#include "say/constant.h"
#include "say/sqpfw.h"
#include "sqpfw/check.h"
#include "sqpfw/minimum.h"
#include "sqpfw/path.h"
#include "table/learn.h"
#include "table/path.h"
#include "table/table.h"
#include "table/verdict.h"
#include "text/out.h"
#include "vote/validate.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { WEIGHTS, EVENTS };

static size_t hits = 1, misses = 1, one_k = 1, threads = 1, max_iter;
static struct kith_sizes ks = {1, &one_k};
static struct kith_reals thetas;
static struct kith_how how;
static const char *prior_file, *validation, *weights_file;
static double theta_max = INFINITY;
static bool whole_path, best, best_effort;
static int print;

static const struct kith_opt opts[] = {
    {0, "theta", KITH_REALS(&thetas, 0, DBL_MAX),
	"how much the margins count, or an increasing LIST"},
    {0, "path", KITH_FLAG(&whole_path), "instead: all solutions from 0 on"},
    {0, "theta-max", KITH_REAL(&theta_max, 0, DBL_MAX), "path: end at X"},
    {0, "hits", KITH_SIZE(&hits, 1, 0x1p53),
	"the target hit is the N-th nearest of the class [1]"},
    {0, "misses", KITH_SIZE(&misses, 1, 0x1p53),
	"the target miss is the N-th nearest of other classes [1]"},
    {0, "prior", KITH_FILE(&prior_file),
	"weights to stay near to, in any unit [all equal]"},
    {0, "print", KITH_CHOICE(&print, "weights|events"),
	"solutions, or what changed on the way to them [weights]"},
    {0, "validate", KITH_FILE(&validation),
	"print how often rows of FILE are predicted wrongly instead"},
    {'k', NULL, KITH_SIZES(&ks, 1, 0x1p53),
	"validate: the nearest K rows vote, for each K [1]"},
    {0, "best", KITH_FLAG(&best), "validate: print the best weights instead"},
    {0, "check", KITH_FILE(&weights_file), "judge the weights of FILE"},
    {0, "max-iter", KITH_SIZE(&max_iter, 1, 0x1p53),
	"end each search after N iterations [no limit]"},
    {0, "best-effort", KITH_FLAG(&best_effort),
	"exit with 0 also where a minimum is not certified"},
    KITH_TARGET_OPTION(&how),
    KITH_FEATURE_OPTIONS(&how),
    KITH_NA_OPTION(&how),
    KITH_LAST_OPTIONS(&how, &threads),
};

static const struct kith_tool tool = {
    .name = "sqpfw",
    .args = "--theta LIST|--path [FILE]...",
    .about = "Weigh features so that rows are nearer to their class than to "
	     "others.",
    .examples = "  sqpfw --theta .1 < train.tsv\n"
		"  sqpfw --theta .01,.1,1 --validate test.tsv -k 1,3 "
		"train.tsv\n",
    .opts = opts,
};

/* All that is known. */
struct run {
	struct kith_learn in;
	double *prior; /* of sum 1, or NULL */
	struct kith_sqpfw_judge *judge;
	struct kith_validate validate;

	struct kith_sqpfw *solver;
	struct kith_sqpfw_now now;      /* the solution it is at, */
	struct kith_sqpfw_verdict seen; /* and what is known of it */
	struct kith_say_sqpfw_waiting waiting;
	size_t step;              /* the last that was printed */
	size_t solutions, doubts; /* those not certified */
	bool cut;                 /* the path ended early */

	struct kith_validate_choice choice; /* the best so far; k 0: none */
	double *chosen;                     /* its weights */
	bool doubtful;                      /* they are not certified */
	struct kith_pool pool;
};

/* End with a wrong call where options do not go together. */
static void
check_call(void)
{
	const bool printing = kith_given(&print);
	const struct kith_rule rule[] = {
	    {weights_file && (whole_path || thetas.n != 1),
		"--check needs one --theta"},
	    {weights_file && (validation || printing),
		"--check excludes --validate and --print"},
	    {whole_path == (thetas.n > 0), "give one of --theta and --path"},
	    {kith_given(&theta_max) && !whole_path, "--theta-max needs --path"},
	    {validation && printing,
		"--validate and --print exclude each other"},
	    {best && !validation, "--best needs --validate FILE"},
	};

	kith_obey(rule, sizeof(rule) / sizeof(*rule));
	kith_increasing("theta", &thetas);
	if (!validation)
		kith_unused_without(&ks, "--validate");
	if (weights_file) {
		kith_unused(&max_iter, "--check");
		kith_unused(&best_effort, "--check");
	}
}

static int
read_prior(struct run *r, struct kith_err *err)
{
	double sum;

	if (kith_learn_prior(
		&r->in, prior_file, &r->prior, &sum, &r->pool, err))
		return -1;
	if (fabs(sum - 1) > 1e-12)
		kith_note("the prior sums to %g: rescaled to 1", sum);
	return 0;
}

static int
read_all(struct run *r, const char *const *files, struct kith_err *err)
{
	const struct kith_learn *l = &r->in;

	if (kith_learn_read(files, &how, validation, &r->in, &r->pool, err) ||
	    kith_learn_enough(l, hits, misses, err) ||
	    kith_learn_bearable(l, err) || (prior_file && read_prior(r, err)))
		return -1;
	if (validation &&
	    kith_validate_new(&l->known, &l->asked, ks.v, ks.n, threads,
		&r->validate, &r->pool, err))
		return -1;
	kith_say_constant(&l->known.feature, l->constant, "weight 0");
	kith_note("%zu rows, %zu classes, %zu features", l->known.X.n,
	    l->class.name.n, l->feature.n);
	kith_log_size("rows", l->known.X.n);
	kith_log_size("classes", l->class.name.n);
	kith_log_size("features", l->feature.n);
	kith_log_size("constant", l->known.feature.n - l->feature.n);
	kith_log_size("hits", hits);
	kith_log_size("misses", misses);
	kith_log_size("threads", threads);
	return 0;
}

/* Let the solver be at a minimum, and find out whether it is one. */
static bool
certify(struct run *r)
{
	bool certified;

	kith_sqpfw_minimum(r->solver, r->judge, &r->seen);
	kith_sqpfw_at(r->solver, &r->now);
	/* A path goes on from its solutions: kinks count at theta = 0 too. */
	certified = r->seen.certified &&
	    (!whole_path || r->now.theta > 0 || r->seen.seen.concave == 0);
	kith_say_sqpfw_solution(&r->now, &r->seen, certified);
	return certified;
}

/* Print the errors of the solution for each k, or keep the best. */
static int
judge(struct run *r, bool certified, struct kith_out *out, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	size_t *errors = kith_new(&tmp, ks.n, sizeof(*errors));
	const int got = kith_validate(&r->validate, r->now.w, errors, err);

	for (size_t a = 0; a < ks.n && got == 0 && best; a++) {
		const struct kith_validate_choice it = {
		    errors[a], r->now.positive, ks.v[a], r->now.theta};

		if (r->choice.k && !kith_validate_better(&it, &r->choice))
			continue;
		r->choice = it;
		r->doubtful = !certified;
		memcpy(
		    r->chosen, r->now.w, r->in.feature.n * sizeof(*r->chosen));
	}
	if (got == 0 && !best)
		kith_validate_write(
		    &r->validate, r->now.theta, errors, r->now.positive, out);
	kith_pool_free(&tmp);
	return got;
}

/* Whether there is one solution, printed with all its features. */
static bool
is_single(void)
{
	return !whole_path && thetas.n == 1;
}

static void
write_header(struct kith_out *out)
{
	static const struct kith_path_form form = {
	    "theta", "feature", "weight"};

	if (validation && !best)
		kith_validate_header(out);
	else if (print == EVENTS)
		kith_path_event_header(true, out);
	else if (!best && !is_single())
		kith_path_header(&form, out);
}

/*
 * Take the solution the solver is at.  before is NULL, or what the weights were
 * when theta came there from below.
 */
static int
take(struct run *r, const double *before, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_names *feature = &r->in.feature;
	bool certified, jump;

	certified = certify(r);
	jump = before && kith_path_jumps(before, r->now.w, feature->n);
	r->solutions++;
	r->doubts += !certified;
	r->step += 1 + (size_t)jump;
	if (validation)
		return judge(r, certified, out, err);
	if (print == EVENTS) {
		kith_say_sqpfw_events(&r->waiting, r->step, &r->in, out);
	} else if (is_single()) {
		kith_learn_write(&r->in, r->now.w, out);
	} else {
		if (jump)
			kith_path_step(
			    r->step - 1, r->now.theta, feature, before, out);
		kith_path_step(r->step, r->now.theta, feature, r->now.w, out);
	}
	return 0;
}

/* All solutions from theta = 0 on. */
static int
follow(struct run *r, struct kith_out *out, struct kith_err *err)
{
	double *before = kith_new(&r->pool, r->in.feature.n, sizeof(*before));
	enum kith_sqpfw_step step = KITH_SQPFW_BREAKPOINT;

	r->cut = !kith_sqpfw_solve(r->solver, 0);
	if (take(r, NULL, out, err))
		return -1;
	while (step == KITH_SQPFW_BREAKPOINT && !r->cut && !out->failed &&
	    r->now.theta < theta_max) {
		step = kith_sqpfw_next(r->solver, theta_max, before);
		r->cut = step == KITH_SQPFW_LIMIT;
		if (step != KITH_SQPFW_END && take(r, before, out, err))
			return -1;
	}
	return 0;
}

/* Warn of what is not certified; the status. */
static int
tell(const struct run *r)
{
	const bool one = is_single() || best;
	const bool doubt = best ? r->doubtful : r->doubts > 0;

	kith_log_size("solutions", r->solutions);
	kith_log_size("uncertified", r->doubts);
	kith_log_size("iterations", r->now.iterations);
	kith_log_real("theta", best ? r->choice.parameter : r->now.theta);
	if (!best)
		kith_say_sqpfw_log(&r->now, &r->seen);
	if (r->cut)
		kith_warn("the path ends at theta %g, after %zu iterations",
		    r->now.theta, r->now.iterations);
	else if (doubt && !one)
		kith_warn("not certified as minima: %zu of %zu solutions",
		    r->doubts, r->solutions);
	else if (doubt && best)
		kith_warn("not certified as a minimum: the best solution");
	else if (doubt)
		kith_say_sqpfw_doubt(&r->now, &r->seen);
	return doubt || r->cut;
}

static int
run_solver(struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_sqpfw_how wanted = {
	    .hits = hits,
	    .misses = misses,
	    .prior = r->prior,
	    .max_iter = max_iter,
	    .threads = threads,
	    .report = print == EVENTS ? kith_say_sqpfw_keep : NULL,
	    .report_to = &r->waiting,
	};

	r->chosen = kith_new(&r->pool, r->in.feature.n, sizeof(*r->chosen));
	if (kith_out_open(out, kith_output(), err))
		return -1;
	write_header(out);
	r->solver = kith_sqpfw_new(&r->in.known.X, r->in.class.y,
	    r->in.class.name.n, &wanted, &r->pool);
	if (whole_path && follow(r, out, err))
		return -1;
	for (size_t s = 0; s < thetas.n && !out->failed; s++) {
		kith_sqpfw_solve(r->solver, thetas.v[s]);
		if (take(r, NULL, out, err))
			return -1;
	}
	if (best)
		kith_learn_write(&r->in, r->chosen, out);
	return tell(r);
}

/* What that costs (--dry-run). */
static int
tell_cost(const struct run *r, struct kith_out *out, struct kith_err *err)
{
	const struct kith_cost_sqpfw it = {&r->in.known.X, r->in.class.name.n,
	    thetas.n, r->in.asked.X.n, 1, threads, weights_file};

	return kith_cost_sqpfw(&it, out, err);
}

/* Judge the weights of a file; the status, or -1. */
static int
run_check(struct run *r, struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_SQPFW];
	struct kith_sqpfw_verdict seen;
	double *w;

	if (kith_learn_weights(&r->in, weights_file, &w, &r->pool, err))
		return -1;
	if (kith_dry())
		return tell_cost(r, out, err);
	kith_sqpfw_judge(r->judge, w, thetas.v[0], NULL, &seen, NULL);
	kith_check_sqpfw(&seen, check);
	return kith_verdict_write(
	    check, KITH_CHECK_SQPFW, kith_output(), out, err);
}

int
main(int argc, char *argv[])
{
	struct run r = {0};
	char **operand = kith_begin(&tool, argc, argv);
	const char *const other[] = {prior_file, validation, weights_file};
	const char *const *files = kith_inputs(operand, other, 3);
	struct kith_out out;
	struct kith_err err;
	int status;

	check_call();
	if (read_all(&r, files, &err))
		kith_die(&err);
	r.waiting.pool = &r.pool;
	r.judge = kith_sqpfw_judge_new(&r.in.known.X, r.in.class.y,
	    r.in.class.name.n,
	    &(struct kith_sqpfw_judge_how){hits, misses, r.prior, threads},
	    &r.pool);
	status = weights_file ? run_check(&r, &out, &err)
	    : kith_dry()      ? tell_cost(&r, &out, &err)
			      : run_solver(&r, &out, &err);
	if (status < 0)
		kith_die(&err);
	kith_sqpfw_judge_free(r.judge);
	if (r.solver)
		kith_sqpfw_free(r.solver);
	kith_pool_free(&r.pool);
	status = kith_finish(&out, status);
	return best_effort && !weights_file ? 0 : status;
}
