/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/run - the steps of immigrate/immigrate.h: W, what the rules make of
 * it, and whether it is there.
 */
#ifndef KITH_IMMIGRATE_RUN_H
#define KITH_IMMIGRATE_RUN_H

#include "immigrate/gap.h"
#include "immigrate/problem.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_immigrate_model;
struct kith_pool;

struct kith_immigrate_run {
	const struct kith_immigrate_how *how;
	struct kith_immigrate_model *model;
	size_t len;
	double *W, *V;
	double *last, *before;      /* W one and two steps ago; monotone: scratch */
	double *best;               /* W of lowest F, or NULL */
	double *shaped;             /* monotone, with a threshold: V, cut; or NULL */
	double best_F, C, F;        /* C, F: at W */
	double error;               /* of these, where pairs are left out */
	bool some;                  /* in this iteration they were, */
	bool all;                   /* and they are no more */
	double step;                /* the last one */
	double g;                   /* of plain steps: 1, or less where they are damped */
	double last_C;              /* at last; package: 1 before the start */
	bool still;                 /* C is the same, but for tol, as it was at last */
	bool twice;                 /* the iteration ends where that is so twice in a row */
	size_t known;               /* W of this phase, before or in Step 4, so far */
	bool cutting;               /* Step 4 is active */
	double *slope, *last_slope; /* gradients at W and last, or NULL */
	bool sloped;                /* they are known */
	bool no_cost;
	bool ready;    /* V is that of W, */
	bool found;    /* and there is one */
	bool definite; /* W is made of closed forms alone, or so was the start */
};

/* A run of this model, in the pool; W (len) is the start. */
struct kith_immigrate_run kith_immigrate_run_new(const struct kith_immigrate_how *how,
    struct kith_immigrate_model *model, const double *W, struct kith_pool *pool);

/*
 * Set numbers below the threshold to 0, but not those that are equal to it up
 * to rounding; false where nothing is left.
 */
bool kith_immigrate_cut(size_t len, double threshold, double *W);

/* V at W, by the rules; false: there is none. */
bool kith_immigrate_run_next(struct kith_immigrate_run *run);

/* From W to V, or run->g of the way. */
void kith_immigrate_run_plain(struct kith_immigrate_run *run);

/* Bring the model to weights; is_closed: they are V as the model gave it. */
void kith_immigrate_run_at(struct kith_immigrate_run *run, const double *W, bool is_closed);

/* What the model says where it is: C, F, their error. */
void kith_immigrate_run_look(struct kith_immigrate_run *run);

/* Bring C and F at W to all pairs, where some were left out. */
void kith_immigrate_run_all(struct kith_immigrate_run *run);

/* Go to the trial in run->before, to which the model was brought. */
void kith_immigrate_run_accept(struct kith_immigrate_run *run, double step);

/* Damped steps begin Step 4 with W itself; false: nothing is left. */
bool kith_immigrate_run_cut(struct kith_immigrate_run *run);

/* The W of lowest F, which the model is brought to. */
void kith_immigrate_run_best(struct kith_immigrate_run *run);

/*
 * How far W is from a fixed point, by the measure of immigrate/check.h; an
 * error of inf where that is not known, or the rules cut V.
 */
struct kith_immigrate_gap kith_immigrate_run_gap(struct kith_immigrate_run *run);

#endif
