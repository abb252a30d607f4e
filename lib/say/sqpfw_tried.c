/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/sqpfw_tried.h"

struct kith_trial_form
kith_sqpfw_form(bool targets)
{
	const struct kith_trial_form few = {
	    .key = {{"theta", false, false}, {"k", true, true}}, .keys = 2, .features = true};
	const struct kith_trial_form all = {.key = {{"hits", false, true}, {"misses", false, true},
						{"theta", false, false}, {"k", true, true}},
	    .keys = 4,
	    .features = true};

	return targets ? all : few;
}

static void
keep(struct kith_sqpfw_tried *to, double theta, const double *w, size_t p)
{
	struct kith_sqpfw_kept it = {.theta = theta};

	for (size_t j = 0; j < p; j++)
		it.n += w[j] > 0;
	it.feature = kith_new(to->pool, it.n, sizeof(*it.feature));
	it.w = kith_new(to->pool, it.n, sizeof(*it.w));
	it.n = 0;
	for (size_t j = 0; j < p; j++)
		if (w[j] > 0) {
			it.feature[it.n] = j;
			it.w[it.n++] = w[j];
		}
	to->kept = kith_more(to->pool, to->kept, to->keeps, &to->keep_room, sizeof(*to->kept));
	to->kept[to->keeps++] = it;
}

/* Add a trial; whether it is better than all before. */
static bool
add(struct kith_sqpfw_tried *to, const struct kith_trial *t)
{
	const struct kith_trial_form form = kith_sqpfw_form(false);
	struct kith_trial two[2] = {*t, *t};

	to->of = kith_more(to->pool, to->of, to->n, &to->of_room, sizeof(*to->of));
	to->trial = kith_more(to->pool, to->trial, to->n, &to->room, sizeof(*to->trial));
	to->trial[to->n++] = *t;
	if (to->n > 1) {
		two[0] = to->trial[to->best];
		if (kith_trial_choose(&form, two, 2, KITH_BEST) == 0)
			return false;
	}
	to->best = to->n - 1;
	return true;
}

void
kith_sqpfw_tried_add(struct kith_sqpfw_tried *to, const struct kith_trial *trial, size_t nk,
    const double *w, size_t p)
{
	bool may = to->how == KITH_BEST_SE;

	for (size_t a = 0; a < nk; a++)
		may = add(to, &trial[a]) || may;
	if (may)
		keep(to, trial->key[0], w, p);
	for (size_t a = 0; a < nk; a++)
		to->of[to->n - nk + a] = to->keeps - 1;
}

const struct kith_sqpfw_kept *
kith_sqpfw_tried_choose(const struct kith_sqpfw_tried *tried, const struct kith_trial **trial)
{
	const struct kith_trial_form form = kith_sqpfw_form(false);
	const size_t at = kith_trial_choose(&form, tried->trial, tried->n, tried->how);

	*trial = &tried->trial[at];
	return &tried->kept[tried->of[at]];
}
