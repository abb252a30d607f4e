/* knife/slopes - the derivatives of K alpha by the weights. */
#ifndef KITH_KNIFE_SLOPES_H
#define KITH_KNIFE_SLOPES_H

#include "knife/state.h"

/*
 * A (n x p) of output o: A_ij = sum_l alpha_l d K_il / d w_j.  square (n x p)
 * is room.
 */
void kith_knife_slopes(
    struct kith_knife_state *state, size_t o, double *square, double *A);

#endif
