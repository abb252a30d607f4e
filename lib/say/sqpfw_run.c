/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/sqpfw_run.h"

#include "base/err.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "la/vec.h"
#include "table/check.h"
#include "table/needs.h"
#include "table/path.h"
#include "text/out.h"

#include <math.h>
#include <string.h>

/* Whether there is one solution, printed with all its features. */
static bool
is_single(const struct kith_sqpfw_run *r)
{
	return !r->path && r->thetas.n == 1;
}

/* Moves the solver to a minimum; whether the minimum is certified. */
static bool
certify(struct kith_sqpfw_run *r)
{
	kith_sqpfw_minimum(r->solver, r->judge, &r->seen);
	kith_sqpfw_at(r->solver, &r->now);
	/* A path goes on from its solutions: kinks count at theta = 0 too. */
	return r->seen.certified && (!r->path || r->now.theta > 0 || r->seen.concave == 0);
}

/*
 * Brings weights w at theta, certified or not, to the units of the input, v (p).  Weights that are
 * read from there differ by rounding, so certified ones are judged again as they will be read; the
 * solver's multipliers of the present weights are proposed for those.
 */
static int
bring(struct kith_sqpfw_run *r, double theta, const double *w, double *v, bool *certified,
    struct kith_err *err)
{
	const struct kith_sqpfw_shares shares = {kith_sqpfw_share, r->solver};
	const struct kith_learn *l = &r->in;
	struct kith_pool tmp = {0};
	double *all, *back;
	int got = kith_learn_to_input(l, w, v, err);

	if (!l->unit.p || got || !*certified)
		return got;
	all = kith_new(&tmp, l->known.feature.n, sizeof(*all));
	back = kith_new(&tmp, l->feature.n, sizeof(*back));
	kith_learn_spread(l, v, all);
	got = kith_learn_from_input(l, all, back, err);
	if (got == 0) {
		kith_sqpfw_judge(r->judge, back, theta, &shares, &r->seen, NULL);
		*certified = r->seen.certified;
	}
	kith_pool_free(&tmp);
	return got;
}

/* How several solutions are printed. */
static struct kith_path_form
form_of(const struct kith_learn *l)
{
	return (struct kith_path_form){"theta", KITH_SQUARED, &l->feature, l->sd};
}

static void
write_header(const struct kith_sqpfw_run *r, struct kith_out *out)
{
	const struct kith_path_form form = form_of(&r->in);

	if (r->print == KITH_SQPFW_WEIGHTS)
		kith_needs_put(&(struct kith_needs){.scale = r->in.unit.method}, out);
	if (r->print == KITH_SQPFW_EVENTS)
		kith_path_event_header(true, out);
	else if (!is_single(r))
		kith_path_header(&form, out);
	else if (r->print == KITH_SQPFW_WEIGHTS)
		kith_out_note(out, "theta", r->thetas.v[0]);
}

/* Write a step of weights v, in the units of the input, and before a jump. */
static int
write_step(struct kith_sqpfw_run *r, const double *before, const double *v, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_path_form form = form_of(&r->in);
	struct kith_pool tmp = {0};
	double *u = kith_new(&tmp, r->in.feature.n, sizeof(*u));
	int got = 0;

	if (before) {
		got = kith_learn_to_input(&r->in, before, u, err);
		if (got == 0)
			kith_path_step(&form, r->step - 1, r->now.theta, u, out);
	}
	if (got == 0)
		kith_path_step(&form, r->step, r->now.theta, v, out);
	kith_pool_free(&tmp);
	return got;
}

/* Print the solution in the way that is asked; before: if it is a jump. */
static int
put(struct kith_sqpfw_run *r, const double *before, const double *v, struct kith_out *out,
    struct kith_err *err)
{
	if (r->print == KITH_SQPFW_EVENTS)
		kith_say_sqpfw_events(&r->waiting, r->step, &r->in, out);
	else if (r->print == KITH_SQPFW_MARGINS)
		kith_say_sqpfw_margins(&r->in, r->now.w, &r->how, out);
	else if (!is_single(r))
		return write_step(r, before, v, out, err);
	else
		return kith_learn_write(&r->in, r->now.w, out, err);
	return 0;
}

/*
 * Take the solution the solver is at.  before is NULL, or what the weights were
 * when theta came there from below.
 */
static int
take(struct kith_sqpfw_run *r, const double *before, struct kith_out *out, struct kith_err *err)
{
	const size_t p = r->in.feature.n;
	struct kith_pool tmp = {0};
	double *v = kith_new(&tmp, p, sizeof(*v));
	bool certified = certify(r);
	int got = 0;

	if (r->print == KITH_SQPFW_WEIGHTS)
		got = bring(r, r->now.theta, r->now.w, v, &certified, err);
	kith_say_sqpfw_solution(&r->now, &r->seen, certified);
	if (before && !kith_path_jumps(before, r->now.w, p))
		before = NULL;
	kith_progress_add(1);
	r->solutions++;
	r->doubts += !certified;
	r->step += before ? 2 : 1;
	if (got == 0)
		got = put(r, before, v, out, err);
	kith_pool_free(&tmp);
	return got;
}

/* All solutions from theta = 0 on. */
static int
follow(struct kith_sqpfw_run *r, struct kith_out *out, struct kith_err *err)
{
	double *before = kith_new(&r->pool, r->in.feature.n, sizeof(*before));
	enum kith_sqpfw_step step = KITH_SQPFW_BREAKPOINT;

	r->cut = !kith_sqpfw_solve(r->solver, 0);
	if (take(r, NULL, out, err))
		return -1;
	while (step == KITH_SQPFW_BREAKPOINT && !r->cut && !out->failed &&
	    r->now.theta < r->theta_max) {
		step = kith_sqpfw_next(r->solver, r->theta_max, before);
		r->cut = step == KITH_SQPFW_LIMIT;
		if (step != KITH_SQPFW_END && take(r, before, out, err))
			return -1;
	}
	return 0;
}

/* Warn of what is not certified; the status. */
static int
tell(const struct kith_sqpfw_run *r)
{
	kith_log_size("solutions", r->solutions);
	kith_log_size("uncertified", r->doubts);
	kith_log_size("iterations", r->now.iterations);
	kith_log_real("theta", r->now.theta);
	kith_say_sqpfw_log(&r->now, &r->seen);
	if (r->cut)
		kith_warn("the path ends at theta %g, after %zu iterations", r->now.theta,
		    r->now.iterations);
	else if (r->doubts > 0 && !is_single(r))
		kith_warn("not certified as minima: %zu of %zu solutions", r->doubts, r->solutions);
	else if (r->doubts > 0)
		kith_say_sqpfw_doubt(&r->now, &r->seen);
	return r->doubts > 0 || r->cut;
}

/* The judge of the solutions, once hits, misses and the prior are known. */
static void
begin(struct kith_sqpfw_run *r)
{
	const struct kith_sqpfw_judge_how how = {
	    r->how.hits, r->how.misses, r->how.prior, r->how.threads, r->how.weight};

	r->judge = kith_sqpfw_judge_new(
	    &r->in.known.X, r->in.class.y, r->in.class.name.n, &how, &r->pool);
}

int
kith_sqpfw_run(struct kith_sqpfw_run *r, struct kith_out *out, struct kith_err *err)
{
	begin(r);
	r->waiting.pool = &r->pool;
	r->how.report = r->print == KITH_SQPFW_EVENTS ? kith_say_sqpfw_keep : NULL;
	r->how.report_to = &r->waiting;
	if (kith_out_open_table(out, r->output, err))
		return -1;
	write_header(r, out);
	r->solver = kith_sqpfw_new(
	    &r->in.known.X, r->in.class.y, r->in.class.name.n, &r->how, &r->pool);
	kith_progress_phase(r->path ? "path" : "weights", r->thetas.n, "solutions");
	if (r->smooth)
		kith_sqpfw_smooth(r->solver, r->thetas.v[0]);
	if (r->path && follow(r, out, err))
		return -1;
	for (size_t s = 0; s < r->thetas.n && !out->failed; s++) {
		kith_sqpfw_solve(r->solver, r->thetas.v[s]);
		if (take(r, NULL, out, err))
			return -1;
	}
	kith_progress_end();
	return tell(r);
}

int
kith_sqpfw_run_check(struct kith_sqpfw_run *r, const char *file, const double *weights,
    struct kith_out *out, struct kith_err *err)
{
	struct kith_check check[KITH_CHECK_SQPFW];
	struct kith_sqpfw_verdict seen;
	double *w = kith_new(&r->pool, r->in.feature.n, sizeof(*w));

	if (kith_learn_from_input(&r->in, weights, w, err)) {
		err->file = file;
		return -1;
	}
	begin(r);
	kith_sqpfw_judge(r->judge, w, r->thetas.v[0], NULL, &seen, NULL);
	kith_check_sqpfw(&seen, check);
	return kith_check_write(check, KITH_CHECK_SQPFW, r->output, out, err);
}

int
kith_sqpfw_run_weigh(const struct kith_table *t, struct kith_sqpfw_how *how, struct kith_pool *pool,
    struct kith_err *err)
{
	double *weight, most, sum = 0;

	if (!t->weight)
		return 0;
	most = kith_vec_largest(t->X.n, t->weight);
	if (!(most > 0))
		return kith_fail_at(
		    err, EX_DATAERR, t->file, 0, "all rows to learn from have weight 0");
	weight = kith_new(pool, t->X.n, sizeof(*weight));
	for (size_t i = 0; i < t->X.n; i++)
		sum += t->weight[i] / most;
	for (size_t i = 0; i < t->X.n; i++)
		weight[i] = t->weight[i] / most * ((double)t->X.n / sum);
	how->weight = weight;
	return 0;
}

void
kith_sqpfw_run_free(struct kith_sqpfw_run *r)
{
	if (r->judge)
		kith_sqpfw_judge_free(r->judge);
	if (r->solver)
		kith_sqpfw_free(r->solver);
	kith_pool_free(&r->pool);
}
