#include "say/relief_cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "relief/relief.h"
#include "say/choice.h"
#include "table/classes.h"
#include "table/parts.h"
#include "table/trial.h"
#include "text/out.h"
#include "vote/cv.h"
#include "vote/validate.h"

#include <math.h>

/* What a learner is handed. */
struct lesson {
	const struct kith_relief_cv *cv;
	const struct kith_relief_how *how;
};

enum kith_metric_kind
kith_relief_kind(const struct kith_relief_how *how)
{
	if (kith_relief_is_matrix(how))
		return KITH_SQUARED_MATRIX;
	return how->method == KITH_RELIEFF ||
	    how->method == KITH_RELIEF_IRELIEF ||
	    how->method == KITH_RELIEF_SURF ||
	    how->method == KITH_RELIEF_MULTISURF
	    ? KITH_ABSOLUTE
	    : KITH_SQUARED;
}

/* The parameters of a batch. */
static void
set(const struct kith_relief_cv *cv, size_t batch, struct kith_relief_how *how)
{
	how->k = cv->k.v[batch / cv->sigma.n];
	how->sigma = cv->sigma.v[batch % cv->sigma.n];
}

/* Set negative weights of a vector to 0; how many features have weight > 0. */
static size_t
clip(struct kith_metric *metric, double *w)
{
	const bool matrix = kith_metric_is_matrix(metric->kind);
	size_t features = 0;

	for (size_t a = 0; a < metric->p; a++) {
		double *at = &w[matrix ? a * metric->p + a : a];

		if (!matrix && *at < 0)
			*at = 0;
		features += *at > 0;
	}
	metric->w = w;
	return features;
}

/* A kith_cv_learn. */
static int
learn(void *to, size_t batch, struct kith_split *rows,
    struct kith_cv_found *found, struct kith_pool *pool, struct kith_err *err)
{
	const struct lesson *lesson = to;
	const struct kith_sizes *k = &lesson->cv->vote_k;
	const struct kith_table *t = &rows->known;
	const struct kith_relief_rows known = {
	    t->X, NULL, t->y, t->class.n, t->t, t->weight,
	    &t->feature};
	struct kith_metric metric = {
	    kith_relief_kind(lesson->how), t->X.p, NULL};
	struct kith_relief_how how = *lesson->how;
	struct kith_validate validate;
	struct kith_relief got;

	set(lesson->cv, batch, &how);
	how.threads = 1;
	if ((t->y && kith_classes_several(t, err)) ||
	    kith_validate_new(
		t, &rows->asked, k->v, k->n, 1, &validate, pool, err) ||
	    kith_relief(&known, &how, &got, pool, err))
		return -1;
	found->n = validate.n;
	found->doubts = !got.converged;
	found->features[0] = clip(&metric, got.w);
	if (found->features[0] > 0)
		return kith_validate(&validate, &metric, found->loss, err);
	kith_validate_without(&validate, found->loss);
	return 0;
}

static struct kith_trial_form
form_of(const struct kith_relief_cv *cv, bool regress)
{
	struct kith_trial_form form = {.regress = regress, .features = true};

	if (cv->takes_k)
		form.key[form.keys++] = (struct kith_trial_key){
		    "k", true, true};
	if (cv->takes_sigma)
		form.key[form.keys++] = (struct kith_trial_key){
		    "sigma", true, false};
	form.key[form.keys++] = (struct kith_trial_key){"vote_k", true, true};
	return form;
}

/* Put the parameters of trial i into its key. */
static void
name_trial(const struct kith_relief_cv *cv, size_t i, struct kith_trial *t)
{
	struct kith_relief_how how;
	size_t at = 0;

	set(cv, i / cv->vote_k.n, &how);
	if (cv->takes_k)
		t->key[at++] = (double)how.k;
	if (cv->takes_sigma)
		t->key[at++] = how.sigma;
	t->key[at] = (double)cv->vote_k.v[i % cv->vote_k.n];
}

/*
 * Divide the targets by a power of two, whose exponent is returned, so that
 * their range is 1 to 2 and squares of differences fit a double.
 */
static int
scale_numbers(struct kith_table *t, struct kith_pool *pool)
{
	const struct kith_mat old = {t->X.n, 1, t->t};
	double least, most;
	int exponent;

	kith_mat_range(&old, 0, &least, &most);
	exponent = least < most ? kith_range_exponent(least, most) : 0;
	t->t = kith_new(pool, t->X.n, sizeof(*t->t));
	for (size_t i = 0; i < t->X.n; i++)
		t->t[i] = ldexp(old.v[i], -exponent);
	return exponent;
}

static int
print(const struct kith_relief_cv *cv, const struct kith_trial_form *form,
    const struct kith_trial *trial, size_t n, struct kith_out *out,
    struct kith_err *err)
{
	if (kith_out_open_table(out, cv->output, err))
		return -1;
	kith_trial_header(form, out);
	for (size_t i = 0; i < n; i++)
		kith_trial_write(form, &trial[i], out);
	return 0;
}

/* Tell of the searches, and print the trials, or choose one. */
static int
finish(const struct kith_relief_cv *cv, const struct kith_trial_form *form,
    const struct kith_trial *trial, size_t doubts, struct kith_relief_how *how,
    struct kith_out *out, struct kith_err *err)
{
	const size_t batches = cv->k.n * cv->sigma.n,
		     n = batches * cv->vote_k.n;
	size_t at;

	kith_log_size("cv not converged", doubts);
	kith_note("not converged: %zu of %zu searches of --cv", doubts,
	    batches * cv->parts);
	if (cv->best) {
		at = kith_trial_choose(form, trial, n, cv->best);
		kith_say_choice(form, &trial[at]);
		set(cv, at / cv->vote_k.n, how);
		return 0;
	}
	if (doubts)
		kith_warn("not converged: %zu of %zu searches", doubts,
		    batches * cv->parts);
	return print(cv, form, trial, n, out, err) ? -1 : doubts > 0;
}

int
kith_relief_cv(const struct kith_relief_cv *cv, const struct kith_table *t,
    struct kith_relief_how *how, struct kith_out *out, struct kith_err *err)
{
	const struct kith_trial_form form = form_of(cv, !t->y);
	struct kith_pool tmp = {0};
	struct kith_table table = *t;
	const int exponent = t->t ? scale_numbers(&table, &tmp) : 0;
	struct lesson lesson = {cv, how};
	size_t *part = kith_new(&tmp, t->X.n, sizeof(*part)), doubts;
	const struct kith_cv run = {.table = &table,
	    .part = part,
	    .parts = cv->parts,
	    .scale = cv->scale,
	    .nk = cv->vote_k.n,
	    .batches = cv->k.n * cv->sigma.n,
	    .trials = 1,
	    .threads = how->threads,
	    .learn = learn,
	    .to = &lesson};
	struct kith_trial *trial;
	int got = -1;

	if (kith_parts_deal(t, cv->parts, cv->seed, part, err) == 0 &&
	    kith_cv(&run, &trial, &doubts, &tmp, err) == 0) {
		for (size_t i = 0; i < run.batches * run.nk; i++) {
			name_trial(cv, i, &trial[i]);
			trial[i].error = ldexp(trial[i].error, exponent);
			trial[i].se = ldexp(trial[i].se, exponent);
		}
		got = finish(cv, &form, trial, doubts, how, out, err);
	}
	kith_pool_free(&tmp);
	return got;
}
