/*
 * wsvm_factor - solutions of a Cholesky factor (chol.h) for several right-hand
 * sides at once: a large factor is read from memory as often as for one.
 */
#ifndef KITH_WSVM_FACTOR_H
#define KITH_WSVM_FACTOR_H

#include <stddef.h>

struct kith_chol;

enum { KITH_WSVM_FACTOR_SIDES = 3 };

/*
 * Solve A x = b for 1 to KITH_WSVM_FACTOR_SIDES sides, side k from x + k ld on,
 * aligned to 64 bytes; x holds b and receives x.  Time O(n^2) each.
 */
void kith_wsvm_factor_solve(
    const struct kith_chol *chol, size_t sides, double *x);

#endif
