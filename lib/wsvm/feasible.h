/*
 * wsvm/feasible - a solution of a path put exactly within its bounds.
 *
 * Where kernels are nearly dependent, or rows are copies, rounding moves alpha
 * far more than f: at an event the variable that moves may be beyond its bound
 * by 1e-7 C.  Cutting the excess off would break sum_v sign_v alpha_v = 0 and
 * move f.  So the variables that are on the margin before or after the event
 * are solved for anew, within their bounds, and with them those whose
 * conditions this change would violate.
 */
#ifndef KITH_WSVM_FEASIBLE_H
#define KITH_WSVM_FEASIBLE_H

#include <stdbool.h>
#include <stdint.h>

struct kith_wsvm_problem;

/*
 * alpha (N) and b are a solution at weights C (N), but for rounding, from a
 * piece with the sets `where` (N, of enum kith_wsvm_where); `other` are those
 * of the piece on the other side of the event, or NULL.  Afterwards 0 <= alpha
 * <= C.  Time O(N), and where alpha was not within its bounds O(u^2 (p + u))
 * for each of u variables on a margin that changes its set.  f (n items, b
 * included) is used only where needs_f() says so.
 */
void kith_wsvm_feasible(const struct kith_wsvm_problem *problem,
    const double *C, const int8_t *where, const int8_t *other, const double *f,
    double *alpha, double *b);

/* Whether other variables than those on a margin may have to move. */
bool kith_wsvm_feasible_needs_f(const struct kith_wsvm_problem *problem,
    const double *C, const int8_t *where, const int8_t *other,
    const double *alpha);

#endif
