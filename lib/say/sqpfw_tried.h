/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/sqpfw_tried - solutions of sqpfw that were tried on rows kept apart, of
 * which one is chosen (table/trial.h).
 */
#ifndef KITH_SAY_SQPFW_TRIED_H
#define KITH_SAY_SQPFW_TRIED_H

#include "base/pool.h"
#include "table/trial.h"

#include <stdbool.h>
#include <stddef.h>

/* The parameters theta and k, and with `targets` hits and misses before them. */
struct kith_trial_form kith_sqpfw_form(bool targets);

/* A solution that may be chosen. */
struct kith_sqpfw_kept {
	double theta;
	size_t n, *feature; /* those of weight > 0, */
	double *w;          /* and their weights */
};

struct kith_sqpfw_tried {
	int how; /* KITH_BEST or KITH_BEST_SE: what is to be chosen */
	struct kith_pool *pool;
	struct kith_trial *trial; /* n: theta, k; the best of them so far */
	size_t n, room, best;
	size_t *of; /* n: the solution kept for a trial, if it may be chosen */
	size_t of_room;
	struct kith_sqpfw_kept *kept;
	size_t keeps, keep_room;
};

/*
 * Add the trials (nk) of a solution of p weights w.  These are kept if the
 * solution is better than all before; with KITH_BEST_SE in any case, which may
 * be simpler than what is still to come.
 */
void kith_sqpfw_tried_add(struct kith_sqpfw_tried *to, const struct kith_trial *trial, size_t nk,
    const double *w, size_t p);

/* Choose one: its trial goes to *trial. */
const struct kith_sqpfw_kept *kith_sqpfw_tried_choose(
    const struct kith_sqpfw_tried *tried, const struct kith_trial **trial);

#endif
