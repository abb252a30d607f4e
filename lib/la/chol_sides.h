/* la/chol_sides - solving with a factor for several right sides. */
#ifndef KITH_LA_CHOL_SIDES_H
#define KITH_LA_CHOL_SIDES_H

#include "la/chol.h"

/*
 * As kith_chol_solve(), for 1 to KITH_CHOL_SIDES sides at once, side k from x + k ld on,
 * aligned to 64 bytes: a large factor is read from memory as often as for one.
 * What x has behind n becomes 0.
 */
void kith_chol_solve_sides(
    const struct kith_chol *chol, size_t sides, double *x);

#endif
