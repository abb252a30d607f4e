/*
 * sqpfw/ties - the targets of rows under a weighted distance, and what is tied
 * with them: where the objective of sqpfw/sqpfw.h has its kinks.
 */
#ifndef KITH_SQPFW_TIES_H
#define KITH_SQPFW_TIES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The pairs of a row to rows of its class (hits) or of all others (misses) that
 * are as far as its target, to a relative 1e-9.
 */
struct kith_tie {
	size_t row;          /* i */
	bool miss;           /* the target miss, else the target hit */
	size_t nearer;       /* rows nearer than the target */
	size_t first, count; /* of other[]; count >= 2 */
};

struct kith_ties {
	size_t *target;         /* n x 2: a target hit, a target miss */
	size_t n;               /* groups of more than one pair */
	struct kith_tie *group; /* n, by row, the hit first */
	size_t *other;          /* the rows j of the pairs, increasing */
};

#endif
