/*
 * wsvmpath/mend - put a solution on its bounds.  Where kernels are nearly
 * dependent, or rows are copies, rounding moves alpha far more than f: at an
 * event the variable that moves may be beyond its bound by 1e-7 C.  To cut it
 * off would break sum_v sign_v alpha_v = 0, and move f.  So the variables that
 * are on the margin before or behind the event are solved for anew, as a change
 * of what they were, within their bounds, and with them those whose conditions
 * that would break.
 */
#ifndef KITH_WSVMPATH_MEND_H
#define KITH_WSVMPATH_MEND_H

#include <stdbool.h>
#include <stdint.h>

struct kith_wsvm_job;

/*
 * alpha (N) and b are a solution of the job's problem at weights C (N), but for
 * rounding, from a piece with these places (N, of enum kith_wsvm_where);
 * `other` are those of the piece on the other side of the event, or NULL.
 * Afterwards 0 <= alpha <= C.  Time O(N), and where there is something to mend
 * O(u^2 (p + u)) for each of u variables on a margin that changes its place.
 * f (n items, b included) is used only where mend_wide() says so.
 */
void kith_wsvm_mend(const struct kith_wsvm_job *job, const double *C,
    const int8_t *where, const int8_t *other, const double *f, double *alpha,
    double *b);

/* Whether so much is to be mended that others may have to move.  Time O(N). */
bool kith_wsvm_mend_wide(const struct kith_wsvm_job *job, const double *C,
    const int8_t *where, const int8_t *other, const double *alpha);

#endif
