/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/knn_run.h"

#include "base/err.h"
#include "base/sort.h"
#include "cli/cli.h"
#include "kernel/kern.h"
#include "say/choice.h"
#include "say/vote.h"
#include "table/fold.h"
#include "table/input.h"
#include "table/trial.h"
#include "table/unit.h"
#include "text/out.h"
#include "vote/predict.h"
#include "vote/report.h"
#include "vote/vote.h"

#include <assert.h>
#include <math.h>

/* Rows from..to-1 of a table: those of the shard. */
struct block {
	size_t from, to;
};

static struct block
shard_of(const struct kith_knn_run *r)
{
	const size_t m = kith_knn_run_rows(r)->X.n;

	return (struct block){(r->shard.i - 1) * m / r->shard.n, r->shard.i * m / r->shard.n};
}

/*
 * Sets r->metric to the weights without this share of the features (NULL: with all features), and
 * the learners of --vote expected; new weights are in the pool.
 */
static void
set_metric(struct kith_knn_run *r, const double *share, struct kith_pool *pool)
{
	const struct kith_metric *all = &r->weights.metric;

	r->metric = *all;
	if (share) {
		double *w = kith_new(pool, all->p, sizeof(*w));

		kith_weights_drop(all->p, all->w, *share, w);
		r->metric.w = w;
	}
	r->how.metric = &r->metric;
	r->alone = (struct kith_learner){1, 1, r->how.sigma.value, r->metric};
	r->how.learner = r->ensemble.boosted ? r->ensemble.learner : &r->alone;
	r->how.learners = r->ensemble.boosted ? r->ensemble.n : 1;
}

/* Get the rows ready for the kernel of --vote nnk under r->metric. */
static int
prepare_kernel(struct kith_knn_run *r, struct kith_err *err)
{
	if (!r->how.vote->takes_kernel)
		return 0;
	if (kith_kern_check(r->how.kernel, &r->metric, err)) {
		err->file = r->weights_file;
		return -1;
	}
	if (r->how.kernel == KITH_KERN_COSINE &&
	    (kith_input_unit_rows(&r->known, &r->metric, err) ||
		kith_input_unit_rows(&r->asked, &r->metric, err)))
		return -1;
	return 0;
}

/* Predict rows of those asked. */
static int
predict_asked(
    struct kith_knn_run *r, struct block rows, struct kith_pool *pool, struct kith_err *err)
{
	const struct kith_mat *X = &r->asked.X;
	const struct kith_mat Z = {
	    rows.to - rows.from, X->p, X->v ? X->v + rows.from * X->p : NULL};

	return kith_predict(&r->sample, &r->how, &Z, &r->out, pool, err);
}

/* Predict the rows known, each from others. */
static int
predict_known(struct kith_knn_run *r, struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = r->known.X.n;

	if (!r->part)
		return kith_predict_loo(&r->sample, &r->how, &r->out, pool, err);
	return kith_predict_cv(
	    &r->sample, &r->how, r->part, r->loo ? n : r->parts, &r->out, pool, err);
}

/*
 * Deal the rows known into parts; scaled by the others, each row that is left
 * out is a part of its own.
 */
static int
deal(struct kith_knn_run *r, struct kith_err *err)
{
	const size_t n = r->known.X.n;

	if (!r->parts && !(r->loo && r->scale))
		return 0;
	r->part = kith_new(&r->pool, n, sizeof(*r->part));
	if (r->parts)
		return kith_fold_deal_table(&r->known, r->parts, r->seed, r->part, err);
	for (size_t i = 0; i < n; i++)
		r->part[i] = i;
	return 0;
}

/* Scale all rows by those known. */
static int
scale(struct kith_knn_run *r, struct kith_err *err)
{
	struct kith_origin known = r->from, asked = kith_knn_run_origin(r, &r->asked);
	struct kith_unit unit;

	if (!r->scale)
		return 0;
	asked.metric = known.metric;
	if (kith_unit_scale(
		r->scale, &r->known.X, &known, &r->asked.X, &asked, &unit, &r->pool, err))
		return -1;
	known.scaled = asked.scaled = true;
	set_metric(r, NULL, &r->pool);
	return kith_predict_range(&r->how, &r->known.X, &known, err) ||
		kith_predict_range(&r->how, &r->asked.X, &asked, err)
	    ? -1
	    : 0;
}

/* What is judged: shares and k, or the sigma of all rows. */
static struct kith_trial_form
form_of(const struct kith_knn_run *r)
{
	struct kith_trial_form form = {.regress = r->known.t != NULL};

	if (r->shares.n)
		form.key[form.keys++] = (struct kith_trial_key){
		    .name = "drop", .simple_is_large = true};
	form.key[form.keys++] = (struct kith_trial_key){
	    r->how.vote->of_all ? "sigma" : "k", true, !r->how.vote->of_all};
	return form;
}

/* The features that count, where some are dropped. */
static size_t
features_of(const struct kith_knn_run *r)
{
	size_t count = 0;

	for (size_t j = 0; j < r->metric.p && r->shares.n; j++)
		count += r->metric.w[j] > 0;
	return count;
}

/* What the a-th trial of a share is for. */
static double
value_of(const struct kith_knn_run *r, size_t a)
{
	if (r->how.vote->of_all)
		return r->ensemble.boosted ? NAN : r->how.sigma.value;
	return (double)r->k.v[a];
}

/* The trials of one share, NULL: of all features; one for each k. */
static int
judge_share(struct kith_knn_run *r, const double *share, bool asked, struct kith_trial *trial,
    struct kith_err *err)
{
	const struct block all = {0, r->asked.X.n};
	const struct kith_table *rows = asked ? &r->asked : &r->known;
	const struct kith_report report = {rows, &r->known.class, &r->out, r->how.k, false};
	const size_t parts = r->loo ? rows->X.n : r->parts;
	struct kith_pool tmp = {0};
	int got;

	set_metric(r, share, &tmp);
	got = prepare_kernel(r, err);
	if (got == 0)
		got = asked ? predict_asked(r, all, &tmp, err) : predict_known(r, &tmp, err);
	if (got == 0)
		kith_say_vote_sigma(&r->out);
	for (size_t a = 0; a < r->how.nk && got == 0; a++) {
		struct kith_trial *t = &trial[a];
		size_t keys = 0;

		*t = (struct kith_trial){.features = features_of(r)};
		if (share)
			t->key[keys++] = *share;
		t->key[keys] = value_of(r, a);
		kith_report_trial(&report, a, asked ? NULL : r->part, parts, t);
	}
	kith_pool_free(&tmp);
	return got;
}

/*
 * Print the trials of all shares and k on the rows asked or those known; or
 * let the best be the only one, and print it where `print` says so.
 */
static int
judge(struct kith_knn_run *r, bool asked, bool print, struct kith_out *out, struct kith_err *err)
{
	const struct kith_trial_form form = form_of(r);
	const size_t nk = r->how.nk, shares = r->shares.n;
	const size_t n = (shares + !shares) * nk;
	struct kith_trial *trial = kith_new(&r->pool, n, sizeof(*trial));
	size_t chosen;

	assert(nk > 0);
	for (size_t s = 0; s * nk < n; s++)
		if (judge_share(r, shares ? &r->shares.v[s] : NULL, asked, trial + s * nk, err))
			return -1;
	if (print && kith_out_open_table(out, kith_output(), err))
		return -1;
	if (print)
		kith_trial_header(&form, out);
	if (!r->best) {
		for (size_t i = 0; i < n; i++)
			kith_trial_write(&form, &trial[i], out);
		return 0;
	}
	chosen = kith_trial_choose(&form, trial, n, r->best);
	kith_say_choice(&form, &trial[chosen]);
	if (print)
		kith_trial_write(&form, &trial[chosen], out);
	if (shares)
		r->shares = (struct kith_reals){1, &r->shares.v[chosen / nk]};
	r->k = (struct kith_sizes){1, &r->k.v[chosen % nk]};
	r->how.k = r->k.v;
	r->how.nk = 1;
	return 0;
}

/* Predict the rows of the shard, and print the predictions. */
static int
print_predictions(struct kith_knn_run *r, struct kith_out *out, struct kith_err *err)
{
	const struct block rows = shard_of(r);
	const struct kith_report report = {
	    kith_knn_run_rows(r), &r->known.class, &r->out, r->how.k, false};
	const size_t first = r->train ? 0 : rows.from;

	set_metric(r, r->shares.n ? r->shares.v : NULL, &r->pool);
	if (prepare_kernel(r, err) ||
	    (r->train ? predict_asked(r, rows, &r->pool, err) : predict_known(r, &r->pool, err)))
		return -1;
	kith_say_vote_sigma(&r->out);
	return kith_report_predictions(&report, rows.from, rows.to, first, kith_output(), out, err);
}

/* The largest number of neighbours that every prediction can have. */
static size_t
count_available(const struct kith_knn_run *r)
{
	struct kith_pool tmp = {0};
	const size_t n = r->known.X.n, parts = r->loo ? n : r->parts;
	size_t largest = r->loo || r->parts;

	if (r->part) {
		size_t *size = kith_new(&tmp, parts, sizeof(*size));

		for (size_t i = 0; i < n; i++)
			size[r->part[i]]++;
		largest = kith_largest_size(size, parts);
	}
	kith_pool_free(&tmp);
	return n - largest;
}

/* Leaves out the numbers of neighbours that are not available, or lowers the only one. */
static void
clip_k(struct kith_knn_run *r)
{
	const size_t most = count_available(r);
	size_t *k = kith_new(&r->pool, r->k.n, sizeof(*k)), n = 0;

	for (size_t a = 0; a < r->k.n; a++)
		if (r->k.v[a] <= most)
			k[n++] = r->k.v[a];
	if (n == 0)
		k[n++] = most > 0 ? most : 1;
	r->k = (struct kith_sizes){n, k};
}

int
kith_knn_run(struct kith_knn_run *r, struct kith_out *out, struct kith_err *err)
{
	const bool errors = r->print == KITH_KNN_ERRORS;
	const bool inside = r->loo || r->parts;

	r->from = kith_knn_run_origin(r, &r->known);
	r->from.metric = &r->weights.metric;
	r->sample = (struct kith_sample){
	    r->known.X, r->known.y, r->known.class.n, r->known.t, &r->from};
	r->how.scale = r->scale;
	if (inside && deal(r, err))
		return -1;
	if (r->k_clipped)
		clip_k(r);
	r->how.k = r->k.v;
	r->how.nk = r->how.vote->of_all ? 1 : r->k.n;
	if (inside && (r->best || errors) && judge(r, false, errors && !r->train, out, err))
		return -1;
	if (errors && !r->train)
		return 0;
	if (r->train && scale(r, err))
		return -1;
	return errors ? judge(r, true, true, out, err) : print_predictions(r, out, err);
}
