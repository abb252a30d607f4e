/* SPDX-License-Identifier: BSD-2-Clause */
#include "graph/prop_cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/fold.h"
#include "table/table.h"

#include <math.h>

struct kith_trial_form
kith_prop_cv_form(bool regress, const struct kith_trial *trial, size_t k)
{
	struct kith_trial_form form = {
	    .key = {[KITH_PROP_CV_METHOD] = {.name = "method"},
		[KITH_PROP_CV_ALPHA] = {.name = "alpha", .simple_is_large = true}},
	    .keys = 1,
	    .word = {[KITH_PROP_CV_METHOD] = kith_prop_name},
	    .first_counts = true,
	    .regress = regress};

	bool several = false;

	for (size_t s = 0; s < k; s++) {
		if (!isnan(trial[s].key[KITH_PROP_CV_ALPHA]))
			form.keys = 2;
		if (trial[s].key[KITH_PROP_CV_METHOD] != trial[0].key[KITH_PROP_CV_METHOD])
			several = true;
	}
	if (!several)
		form.key[KITH_PROP_CV_METHOD].name = NULL;
	return form;
}

int
kith_prop_cv_deal(
    const struct kith_known *known, size_t parts, uint64_t seed, size_t *part, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_table *rows = known->rows;
	size_t *y, *dealt, *equal, m = 0;

	if (parts > known->count)
		return kith_fail_at(err, EX_DATAERR, rows->file, 0,
		    "--cv %zu: only %zu rows with a label", parts, known->count);
	KITH_NEW_SIZES(&tmp, known->count, 1, &y, &dealt);
	equal = kith_new(&tmp, parts, sizeof(*equal));
	for (size_t f = 0; f < parts; f++)
		equal[f] = 1;
	for (size_t i = 0; i < rows->X.n; i++)
		if (known->given[i])
			y[m++] = rows->y ? rows->y[i] : 0;
	kith_fold_deal(
	    rows->y ? y : NULL, m, rows->y ? rows->class.n : 1, equal, parts, seed, dealt);
	m = 0;
	for (size_t i = 0; i < rows->X.n; i++)
		if (known->given[i])
			part[i] = dealt[m++];
	kith_pool_free(&tmp);
	return 0;
}

struct kith_prop_how
kith_prop_cv_how(const struct kith_prop_how *how, const struct kith_trial *trial)
{
	const double alpha = trial->key[KITH_PROP_CV_ALPHA];
	struct kith_prop_how of = *how;

	of.method = (enum kith_prop_method)trial->key[KITH_PROP_CV_METHOD];
	if (!isnan(alpha))
		of.alpha = alpha;
	return of;
}

/* Hide the labels of a part, and predict them; their losses. */
static void
try_part(const struct kith_prop_cv_plan *plan, const struct kith_prop_how *how, size_t one,
    struct kith_prop_kept *kept, double *loss, struct kith_prop_cv_doubts *doubts)
{
	const struct kith_table *rows = plan->known->rows;
	struct kith_pool tmp = {0};
	struct kith_known known;
	struct kith_prop_run run;

	kith_known_without(plan->known, plan->part, one, &known, &tmp);
	kith_prop_run_pose(plan->graph, plan->place, &known, how, &run, &tmp);
	kith_prop_run_solve(&run, kept, how->threads, &tmp);
	doubts->solutions++;
	doubts->uncertain += !kith_prop_run_holds(&run);
	for (size_t i = 0; i < rows->X.n; i++) {
		const bool reached = kith_prop_run_reaches(&run, i);

		if (!plan->known->given[i] || plan->part[i] != one)
			continue;
		doubts->unreached += !reached;
		if (!rows->y)
			loss[i] = kith_prop_run_number(&run, i) - rows->t[i];
		else
			loss[i] = (!reached && !plan->prior) ||
			    kith_prop_run_class(&run, i) != rows->y[i];
	}
	kith_pool_free(&tmp);
}

void
kith_prop_cv(const struct kith_prop_cv_plan *plan, const struct kith_prop_how *how,
    struct kith_trial *trial, size_t k, struct kith_prop_cv_doubts *doubts)
{
	struct kith_pool tmp = {0};
	const size_t n = plan->known->rows->X.n;
	double *loss = kith_new(&tmp, n, sizeof(*loss));
	struct kith_prop_kept *kept = kith_prop_kept_new(&tmp);

	*doubts = (struct kith_prop_cv_doubts){0};
	for (size_t s = 0; s < k; s++) {
		const struct kith_prop_how of = kith_prop_cv_how(how, &trial[s]);

		for (size_t i = 0; i < n; i++)
			loss[i] = NAN;
		for (size_t one = 0; one < plan->parts; one++)
			try_part(plan, &of, one, kept, loss, doubts);
		if (plan->known->rows->y)
			kith_trial_rows(loss, plan->part, n, plan->parts, false, &trial[s]);
		else
			kith_trial_numbers(loss, plan->part, n, plan->parts, &trial[s]);
	}
	kith_prop_kept_free(kept);
	kith_pool_free(&tmp);
}
