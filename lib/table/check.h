/* table/check - what --check says: values that must not exceed their limits. */
#ifndef KITH_TABLE_CHECK_H
#define KITH_TABLE_CHECK_H

#include <stdbool.h>

struct kith_check {
	const char *check; /* what is checked */
	double value, limit;
};

/* Whether a check holds; a value that is no number does not. */
static inline bool
kith_check_ok(const struct kith_check *check)
{
	return check->value <= check->limit;
}

#endif
