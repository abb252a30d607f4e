/* SPDX-License-Identifier: BSD-2-Clause */
/* say/embedded - how an embedding went: eigenmap. */
#ifndef KITH_SAY_EMBEDDED_H
#define KITH_SAY_EMBEDDED_H

#include <stdbool.h>

struct kith_embedding;

/*
 * Log the eigenvalues, the residual and the counts; warn of nodes without
 * coordinates, of equal eigenvalues, and of what the solver left.  Each: every
 * component was embedded, not the largest alone.  Returns the exit status: 1
 * where coordinates cannot be vouched for.
 */
int kith_say_embedded(const struct kith_embedding *map, bool each);

#endif
