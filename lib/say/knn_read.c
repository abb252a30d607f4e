/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/knn_read.h"

#include "base/err.h"
#include "cli/call.h"
#include "cli/cli.h"
#include "cli/opt_given.h"
#include "say/doubt.h"
#include "say/knn_run.h"
#include "say/needs.h"
#include "say/vote.h"
#include "table/classes.h"
#include "table/input.h"
#include "vote/predict.h"
#include "vote/vote.h"

/* What is odd about the rows. */
static void
say(const struct kith_knn_run *r)
{
	kith_say_table_classes(&r->known, "--task regress?");
	if (!r->weights_file && !r->scale)
		kith_say_scales(&r->known, NULL, KITH_SAY_UNITS);
	kith_say_outside(&r->known, &r->asked, NULL);
}

static int
read_tables(struct kith_knn_run *r, const struct kith_knn_files *from, struct kith_err *err)
{
	const char *const trains[] = {from->train, NULL};
	struct kith_how reference = *from->how, query = *from->how;
	const struct kith_table *known = &r->known;

	reference.id_elsewhere = r->train;
	reference.changed = query.changed = r->scale || r->weights_file;
	query.format.allow_no_rows = r->print != KITH_KNN_ERRORS;
	if (kith_table_read(
		r->train ? trains : from->files, &reference, NULL, &r->known, &r->pool, err) ||
	    (r->train && kith_table_read(from->files, &query, known, &r->asked, &r->pool, err)))
		return -1;
	if (!r->train && known->y && kith_classes_several(known, err))
		return -1;
	if (r->train && r->print == KITH_KNN_ERRORS && !r->asked.y && !r->asked.t)
		return kith_fail_at(err, EX_DATAERR, r->asked.file, r->asked.head,
		    "column " KITH_NAME ": not found", known->target);
	say(r);
	return 0;
}

/* Read weights for --vote expected: they may be those of several learners. */
static int
read_ensemble(struct kith_knn_run *r, const struct kith_knn_files *from, struct kith_err *err)
{
	struct kith_ensemble *e = &r->ensemble;

	if (kith_ensemble_read(r->weights_file, &r->known.feature, e, &r->pool, err))
		return -1;
	if (e->boosted && from->how->task == KITH_REGRESS)
		return kith_fail_at(err, EX_DATAERR, r->weights_file, 0,
		    "boosted weights predict classes (--task classify?)");
	if (e->boosted)
		kith_unused(from->sigma, "boosted weights");
	r->how.sigma.value = kith_say_needs_sigma(
	    &e->needs, r->how.sigma.value, kith_given(from->sigma));
	if (e->column) {
		kith_mat_columns(&r->known.X, e->column, e->p);
		if (r->asked.column.n)
			kith_mat_columns(&r->asked.X, e->column, e->p);
	}
	r->weights.metric = e->learner[0].metric;
	r->weights.needs = e->needs;
	r->weights.needs.file = r->weights_file;
	return 0;
}

/* Let the number of neighbours be that of the weights, unless an option gave others. */
static void
take_k(struct kith_knn_run *r)
{
	const struct kith_needs *needs = &r->weights.needs;

	if (needs->k == 0)
		return;
	if (r->k_clipped) {
		kith_log_size("k", needs->k);
		r->k = (struct kith_sizes){1, &r->weights.needs.k};
		return;
	}
	for (size_t a = 0; a < r->k.n; a++)
		if (r->k.v[a] == needs->k)
			return;
	kith_warn("-k is not %zu, for which %s was found", needs->k, needs->file);
}

/* Read the weights; those of a matrix cannot be dropped one by one. */
static int
read_weights(struct kith_knn_run *r, const struct kith_knn_files *from, struct kith_err *err)
{
	const enum kith_metric_kind *kind = &r->weights.metric.kind;

	if (r->how.vote->of_all && r->weights_file) {
		if (read_ensemble(r, from, err))
			return -1;
	} else if (kith_input_weights(
		       r->weights_file, &r->known, &r->asked, &r->weights, &r->pool, err)) {
		return -1;
	}
	kith_say_needs(&r->weights.needs);
	if (!r->how.vote->of_all)
		take_k(r);
	if (r->weights_file && kith_say_needs_scale(&r->weights.needs, r->scale, err))
		return -1;
	if (r->shares.n && *kind != KITH_SQUARED && *kind != KITH_ABSOLUTE)
		return kith_fail_at(err, EX_DATAERR, r->weights_file, 0,
		    "a matrix of weights: --drop needs a vector");
	return 0;
}

/* Checks the range of the features under the weights; what is scaled is checked then. */
static int
check_range(const struct kith_knn_run *r, struct kith_err *err)
{
	const struct kith_origin known = kith_knn_run_origin(r, &r->known);
	const struct kith_origin asked = kith_knn_run_origin(r, &r->asked);
	const struct kith_learner alone = {.metric = r->weights.metric};
	const struct kith_predict_how how = {
	    .learner = r->ensemble.boosted ? r->ensemble.learner : &alone,
	    .learners = r->ensemble.boosted ? r->ensemble.n : 1};

	if (r->scale || !r->weights_file)
		return 0;
	return kith_predict_range(&how, &r->known.X, &known, err) ||
		(r->train && kith_predict_range(&how, &r->asked.X, &asked, err))
	    ? -1
	    : 0;
}

int
kith_knn_read(struct kith_knn_run *r, const struct kith_knn_files *from, struct kith_err *err)
{
	if (read_tables(r, from, err) || read_weights(r, from, err))
		return -1;
	return check_range(r, err);
}
