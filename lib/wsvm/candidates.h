/*
 * wsvm/candidates - the variables of O and I whose gradient may reach 0 in the
 * present piece; only these are computed.
 */
#ifndef KITH_WSVM_CANDIDATES_H
#define KITH_WSVM_CANDIDATES_H

#include "wsvm/state.h"

/* The gradient of each variable is to be checked in the next piece. */
void kith_wsvm_candidates_check_all(struct kith_wsvm *s);

/*
 * The first theta, at most end, at which a gradient of O or I becomes 0; the
 * largest violation at theta `from`, into piece.violation.  candidate.list has
 * all variables whose gradient may be 0 by then.
 */
double kith_wsvm_candidates_first_zero(
    struct kith_wsvm *s, double from, double end);

#endif
