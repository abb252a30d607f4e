/*
 * immigrate/line - a step of immigrate/run.h along lines on which F is cheap:
 * distances are linear in W, so that F at any W + g (V - W) takes O(n^2).
 */
#ifndef KITH_IMMIGRATE_LINE_H
#define KITH_IMMIGRATE_LINE_H

#include <stdbool.h>

struct kith_immigrate_run;

/*
 * The first of the steps from twice the last one on, 1 at most, each half of the
 * one before, that takes F below what it is at W.  false: none does; W is as it
 * was, the model is elsewhere.  V is that of W, the model has lines, and there is
 * no Step 4.
 */
bool kith_immigrate_line(struct kith_immigrate_run *run, double F);

#endif
