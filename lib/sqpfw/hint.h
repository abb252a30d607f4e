/* sqpfw/hint - what a solver knows of targets, for sqpfw/targets.h. */
#ifndef KITH_SQPFW_HINT_H
#define KITH_SQPFW_HINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A hint (ask() of struct kith_targets_hint) of the struct kith_sqpfw `of`, for
 * its w: the rows of the pairs of row i that it follows, and by how much all
 * others are farther than the target.
 */
size_t kith_sqpfw_hint(
    const void *of, size_t i, bool miss, uint32_t *rows, double *margin);

#endif
