/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/relief_cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "relief/relief.h"
#include "say/choice.h"
#include "say/relief.h"
#include "table/classes.h"
#include "table/parts.h"
#include "table/trial.h"
#include "table/weights.h"
#include "text/out.h"
#include "vote/cv.h"
#include "vote/validate.h"

#include <math.h>

/* What a learner is handed. */
struct lesson {
	const struct kith_relief_cv *cv;
	const struct kith_relief_how *how;
};

/* The parameters of a batch. */
static void
set(const struct kith_relief_cv *cv, size_t batch, struct kith_relief_how *how)
{
	how->k = cv->k.v[batch / cv->sigma.n];
	how->sigma = cv->sigma.v[batch % cv->sigma.n];
}

/* How many features have a positive weight. */
static size_t
count(const struct kith_metric *metric)
{
	const size_t step = kith_metric_is_matrix(metric->kind) ? metric->p + 1
								: 1;
	size_t features = 0;

	for (size_t a = 0; a < metric->p; a++)
		features += metric->w[a * step] > 0;
	return features;
}

/* Predict under the weights w, less each share of them; negative ones are 0. */
static int
judge(const struct kith_relief_cv *cv, const struct kith_validate *validate,
    struct kith_metric *metric, double *w, struct kith_cv_found *found,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const bool matrix = kith_metric_is_matrix(metric->kind);
	double *left = kith_new(&tmp, metric->p, sizeof(*left));
	int got = 0;

	for (size_t a = 0; a < metric->p && !matrix; a++)
		w[a] = w[a] < 0 ? 0 : w[a];
	for (size_t r = 0; r < cv->share.n && got == 0; r++) {
		double *loss = found->loss + r * cv->vote_k.n;

		if (!matrix)
			kith_weights_drop(metric->p, w, cv->share.v[r], left);
		metric->w = matrix ? w : left;
		found->features[r] = count(metric);
		if (found->features[r] > 0)
			got = kith_validate(validate, metric, loss, err);
		else
			kith_validate_without(validate, loss);
	}
	kith_pool_free(&tmp);
	return got;
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
	    t->X, NULL, t->y, t->class.n, t->t, t->weight, &t->feature};
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
	return judge(lesson->cv, &validate, &metric, got.w, found, err);
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
	if (cv->takes_share)
		form.key[form.keys++] = (struct kith_trial_key){
		    "share", true, false};
	return form;
}

/* Put the parameters of trial i into its key. */
static void
name_trial(const struct kith_relief_cv *cv, size_t i, struct kith_trial *t)
{
	struct kith_relief_how how;
	size_t at = 0;

	set(cv, i / cv->vote_k.n / cv->share.n, &how);
	if (cv->takes_k)
		t->key[at++] = (double)how.k;
	if (cv->takes_sigma)
		t->key[at++] = how.sigma;
	t->key[at++] = (double)cv->vote_k.v[i % cv->vote_k.n];
	if (cv->takes_share)
		t->key[at] = cv->share.v[i / cv->vote_k.n % cv->share.n];
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
    const struct kith_trial *trial, size_t doubts,
    struct kith_relief_choice *choice, struct kith_out *out,
    struct kith_err *err)
{
	const size_t batches = cv->k.n * cv->sigma.n;
	const size_t each = cv->vote_k.n * cv->share.n, n = batches * each;
	size_t at;

	kith_log_size("cv not converged", doubts);
	kith_note("not converged: %zu of %zu searches of --cv", doubts,
	    batches * cv->parts);
	if (cv->best) {
		at = kith_trial_choose(form, trial, n, cv->best);
		kith_say_choice(form, &trial[at]);
		set(cv, at / each, &choice->how);
		choice->drop = cv->share.v[at / cv->vote_k.n % cv->share.n];
		return 0;
	}
	if (doubts)
		kith_warn("not converged: %zu of %zu searches", doubts,
		    batches * cv->parts);
	return print(cv, form, trial, n, out, err) ? -1 : doubts > 0;
}

int
kith_relief_cv(const struct kith_relief_cv *cv, const struct kith_table *t,
    struct kith_relief_choice *choice, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_trial_form form = form_of(cv, !t->y);
	struct kith_pool tmp = {0};
	struct kith_table table = *t;
	const int exponent = t->t ? scale_numbers(&table, &tmp) : 0;
	struct lesson lesson = {cv, &choice->how};
	size_t *part = kith_new(&tmp, t->X.n, sizeof(*part)), doubts;
	const struct kith_cv run = {.table = &table,
	    .part = part,
	    .parts = cv->parts,
	    .scale = cv->scale,
	    .nk = cv->vote_k.n,
	    .batches = cv->k.n * cv->sigma.n,
	    .trials = cv->share.n,
	    .threads = choice->how.threads,
	    .learn = learn,
	    .to = &lesson};
	struct kith_trial *trial;
	int got = -1;

	if (kith_parts_deal(t, cv->parts, cv->seed, part, err) == 0 &&
	    kith_cv(&run, &trial, &doubts, &tmp, err) == 0) {
		for (size_t i = 0; i < run.batches * run.trials * run.nk; i++) {
			name_trial(cv, i, &trial[i]);
			trial[i].error = ldexp(trial[i].error, exponent);
			trial[i].se = ldexp(trial[i].se, exponent);
		}
		got = finish(cv, &form, trial, doubts, choice, out, err);
	}
	kith_pool_free(&tmp);
	return got;
}
