/* say/sqpfw - what sqpfw tells of its solutions, beside weights. */
#ifndef KITH_SAY_SQPFW_H
#define KITH_SAY_SQPFW_H

#include <stdbool.h>

struct kith_sqpfw_verdict;
struct kith_sqpfw_now;

/* Note a solution. */
void kith_say_sqpfw_solution(const struct kith_sqpfw_now *now,
    const struct kith_sqpfw_verdict *seen, bool certified);

/* Log one. */
void kith_say_sqpfw_log(
    const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen);

/* Warn of one that is not certified, and say why. */
void kith_say_sqpfw_doubt(
    const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen);

#endif
