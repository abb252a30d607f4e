/* sqpfw/step - a step along dw: its lengths, taking it, what it makes active.
 */
#ifndef KITH_SQPFW_STEP_H
#define KITH_SQPFW_STEP_H

#include "sqpfw/ratio_test.h"

/* Compute the lengths of dw, and dw by feature. */
void kith_sqpfw_step_measure(struct kith_sqpfw *s);

/* w += tau dw; dw becomes the rest of it, (1 - tau) dw. */
void kith_sqpfw_step_take(struct kith_sqpfw *s, double tau);

/*
 * Make active what blocked the step.  Every 64 steps the drift is removed
 * (sqpfw/drift.h), every 4096 factor and gradient are computed anew.
 */
void kith_sqpfw_step_activate(
    struct kith_sqpfw *s, const struct kith_sqpfw_block *block);

#endif
