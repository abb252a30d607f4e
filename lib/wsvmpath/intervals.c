/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/intervals.h"

#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "table/trial.h"
#include "text/out.h"
#include "wsvmpath/task.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the measure is called. */
static const char *
name_of(const struct kith_wsvm_call *call, char name[static 40])
{
	if (call->measure == KITH_WSVM_NDCG)
		snprintf(name, 40, "ndcg@%zu", call->ndcg);
	else
		strcpy(name, call->measure == KITH_WSVM_ERROR ? "error" : "rmse");
	return name;
}

void
kith_wsvm_intervals_header(const struct kith_wsvm_call *call, struct kith_out *out)
{
	const char *column[10];
	size_t n = 0;
	char name[40];
	double C;

	column[n++] = "theta_from";
	column[n++] = "theta_to";
	column[n++] = "n";
	if (call->measure == KITH_WSVM_ERROR)
		column[n++] = "errors";
	if (call->measure == KITH_WSVM_SQUARED) {
		column[n++] = "rmse_from";
		column[n++] = "rmse_to";
	}
	column[n++] = name_of(call, name);
	if (call->measure == KITH_WSVM_SQUARED)
		column[n++] = "theta";
	column[n++] = "se";
	if (kith_wsvm_C(call, 0, &C))
		column[n++] = "C";
	kith_out_header(out, column, n);
}

static void
write(const struct kith_wsvm_intervals *all, const struct kith_wsvm_interval *it)
{
	struct kith_out *out = all->out;
	double C;

	kith_out_put(out, "%g\t%g\t%zu\t", it->from, it->to, all->rows);
	if (all->call->measure == KITH_WSVM_ERROR)
		kith_out_put(out, "%zu\t%g", it->errors, it->value);
	else if (all->call->measure == KITH_WSVM_SQUARED)
		kith_out_put(
		    out, "%g\t%g\t%g\t%g", it->value_from, it->value_to, it->value, it->theta);
	else
		kith_out_put(out, "%g", it->value);
	kith_out_put(out, "\t%G", it->se);
	if (kith_wsvm_C(all->call, it->theta, &C))
		kith_out_put(out, "\t%g", C);
	kith_out_row(out);
	kith_out_flush(out);
}

void
kith_wsvm_intervals_take(void *to, const struct kith_wsvm_interval *interval)
{
	struct kith_wsvm_intervals *all = to;

	all->v = kith_more(all->pool, all->v, all->n, &all->room, sizeof(*all->v));
	all->v[all->n] = *interval;
	if (all->out)
		write(all, &all->v[all->n]);
	all->n++;
}

/* As a trial: of equal errors the widest interval, then the smallest theta. */
static struct kith_trial
trial_of(const struct kith_wsvm_call *call, const struct kith_wsvm_interval *it)
{
	const bool wide = call->measure != KITH_WSVM_SQUARED;

	return (struct kith_trial){.key = {it->theta, wide ? it->from - it->to : 0},
	    .error = call->measure == KITH_WSVM_NDCG ? -it->value : it->value,
	    .se = it->se};
}

/*
 * The simplest within one standard error of the best one: its is the one that
 * counts, whatever the others of the same error have.
 */
static size_t
simplest(const struct kith_wsvm_call *call, struct kith_trial *trial, size_t n, size_t best)
{
	const struct kith_trial_form form = {.keys = 2};
	const double least = trial[best].error, se = trial[best].se;

	for (size_t i = 0; i < n; i++) {
		if (trial[i].error == least)
			trial[i].se = se;
		if (!kith_wsvm_C(call, trial[i].key[0], &trial[i].key[1]))
			trial[i].key[1] = 0;
	}
	return kith_trial_choose(&form, trial, n, KITH_BEST_SE);
}

const struct kith_wsvm_interval *
kith_wsvm_intervals_best(const struct kith_wsvm_intervals *all)
{
	const struct kith_trial_form form = {.keys = 2};
	struct kith_pool tmp = {0};
	struct kith_trial *trial = kith_new(&tmp, all->n, sizeof(*trial));
	size_t best;

	assert(all->n > 0);
	for (size_t i = 0; i < all->n; i++)
		trial[i] = trial_of(all->call, &all->v[i]);
	best = kith_trial_choose(&form, trial, all->n, KITH_BEST);
	if (all->call->best == KITH_BEST_SE)
		best = simplest(all->call, trial, all->n, best);
	kith_pool_free(&tmp);
	return &all->v[best];
}

void
kith_wsvm_intervals_say(
    const struct kith_wsvm_intervals *all, const struct kith_wsvm_interval *best)
{
	const struct kith_wsvm_call *call = all->call;
	char name[40], same[2 * KITH_NUM_ROOM + 20], se[40] = "", x[KITH_NUM_ROOM];
	double C;

	kith_format_real(x, best->theta);
	snprintf(same, sizeof(same), "--at %s", x);
	kith_log_real("theta", best->theta);
	if (kith_wsvm_C(call, best->theta, &C)) {
		kith_format_real(x, C);
		snprintf(same, sizeof(same), "--from %s --to %s", x, x);
		kith_log_real("C", C);
	}
	kith_log_real(name_of(call, name), best->value);
	if (!isnan(best->se)) {
		kith_log_real("se", best->se);
		snprintf(se, sizeof(se), ", se %.4g", best->se);
	}
	if (kith_warns() && call->parts)
		kith_say(
		    "chosen: %s (%s %.4g%s, %zu parts)", same, name, best->value, se, call->parts);
	else if (kith_warns())
		kith_say("chosen: %s (%s %.4g%s)", same, name, best->value, se);
}
