/* SPDX-License-Identifier: BSD-2-Clause */
#include "knife/trials.h"

#include "base/pool.h"
#include "table/parts.h"
#include "table/table.h"

struct kith_knife_trials
kith_knife_trials_new(const struct kith_knife_rows *rows, bool keep)
{
	return (struct kith_knife_trials){
	    .rows = rows, .form = kith_knife_cv_form(rows), .keep = keep};
}

int
kith_knife_trials_deal(struct kith_knife_trials *trials, const struct kith_knife_fit_how *how,
    size_t parts, const double *lambda2, size_t k, const double *w, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t n = trials->rows->t->X.n;
	size_t *part = kith_new(pool, n, sizeof(*part));

	trials->plan = (struct kith_knife_cv_plan){part, parts, lambda2, k, w};
	trials->loss = kith_new(pool, k, n * sizeof(*trials->loss));
	if (kith_parts_deal(trials->rows->t, parts, how->seed, part, err))
		return -1;
	return kith_knife_cv(trials->rows, how, &trials->plan, trials->loss, &trials->missed, err);
}

const struct kith_trial *
kith_knife_trials_add(struct kith_knife_trials *trials, const struct kith_knife_fitted *fit,
    size_t threads, struct kith_pool *pool, struct kith_err *err)
{
	const size_t s = trials->n++;
	struct kith_trial *it;

	trials->trial = kith_more(pool, trials->trial, s, &trials->room[0], sizeof(*trials->trial));
	it = &trials->trial[s];
	if (!trials->asked.t)
		kith_knife_cv_sum(
		    trials->rows, fit, &trials->plan, trials->loss + s * trials->rows->t->X.n, it);
	else if (kith_knife_cv_judge(trials->rows, fit, &trials->asked, threads, it, err))
		return NULL;
	if (!trials->keep)
		return it;
	trials->found = kith_more(pool, trials->found, s, &trials->room[1], sizeof(*trials->found));
	trials->found[s] = kith_knife_fitted_copy(fit, pool);
	return it;
}
