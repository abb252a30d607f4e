/* SPDX-License-Identifier: BSD-2-Clause */
/* knife/forms - the derivatives of alpha' K alpha by the weights. */
#ifndef KITH_KNIFE_FORMS_H
#define KITH_KNIFE_FORMS_H

#include "knife/state.h"

/* q_j (p) = the sum over the outputs of alpha' (dK/dw_j) alpha. */
void kith_knife_forms(struct kith_knife_state *state, double *q);

#endif
