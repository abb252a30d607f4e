/*
 * sqpfw/difference - the events that lead from one state of the solver to
 * another, which began where the first was left (kith_sqpfw_restart()).
 */
#ifndef KITH_SQPFW_DIFFERENCE_H
#define KITH_SQPFW_DIFFERENCE_H

struct kith_sqpfw;

/* Report each pair and weight whose state differs.  Time O(n p). */
void kith_sqpfw_difference_report(
    const struct kith_sqpfw *old, const struct kith_sqpfw *now);

#endif
