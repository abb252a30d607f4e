/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * immigrate/gap - how far weights W are from a fixed point of
 * immigrate/immigrate.h, from what its model knows at W: the `stationarity` of
 * immigrate/check.h, with the error that rounding may make of it.
 *
 * With e the error of Sigma over |Sigma_-|, Sigma_- the part that V comes from,
 * the gap tr(Sigma (W - V)) / |Sigma| is off by e (|W - V| + e) at most: V
 * minimises tr(Sigma V), and moves by 2 e at most.  The same holds for
 * |W - V|^2 / 2.
 */
#ifndef KITH_IMMIGRATE_GAP_H
#define KITH_IMMIGRATE_GAP_H

#include <stdbool.h>

struct kith_immigrate_model;

struct kith_immigrate_gap {
	double value;
	double error;  /* inf: unknown, V may be another one */
	bool left_out; /* by pairs that were left out of Sigma alone */
	bool falls;    /* F falls from W towards V */
};

/*
 * Measure W at the model, V being its closed form there, shaped by the rules.
 * squared: |W - V|^2 / 2 is due.  Time O(p^2), or that of a Gram matrix.
 */
struct kith_immigrate_gap kith_immigrate_gap(
    const struct kith_immigrate_model *model, const double *W, const double *V, bool squared);

#endif
