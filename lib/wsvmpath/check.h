/*
 * wsvmpath/check - whether the coefficients that wsvmpath/print.h wrote are
 * solutions, from the rows alone: kernels are computed anew, nothing is solved.
 * With g and C of wsvm/wsvm.h, at each step
 *
 *	bounds     largest -alpha or alpha - C, to the largest C
 *	sum        |sum_v sign_v alpha_v|, to the largest C
 *	kkt        largest -g where alpha < C, and g where alpha > 0, to
 *	           max |q| + max K(x, x) (sum alpha / 10 + sum C / 1e4), C of
 *	           both ends of the path: doubles v0 + theta v1 have no more
 *	           digits
 *	gap        primal less dual, to |primal| + |dual| + sum C times the
 *	           scale of kkt
 *	interval   M empty: how far b is from where it may be, as kkt
 *
 * and, where the file is a whole path,
 *
 *	range      how far the first theta is from 0, and the last from 1
 *	piece      from step l to r, largest alpha_l g_r+, alpha_r g_l+,
 *	           (C_l - alpha_l) g_r-, (C_r - alpha_r) g_l-, to the largest C
 *	           and the scale of kkt
 *
 * If those are 0 all between two steps is a solution: what is linear in theta
 * fulfils the conditions at both ends, and their products in between.
 */
#ifndef KITH_WSVMPATH_CHECK_H
#define KITH_WSVMPATH_CHECK_H

#include "table/check.h"

#include <stddef.h>

struct kith_err;
struct kith_wsvm_job;
struct kith_wsvm_solution;

enum { KITH_CHECK_WSVM = 7, KITH_CHECK_WSVM_STATE = 7 };

/*
 * Check the file ("-": standard input) into out, and their number, less where
 * the call gives --at, into *checks; the path is that of the job.  Fails,
 * naming file and line, where the file is no table of coefficients, its steps
 * are not in order, or it names what the job has not.  Time O(n (n p + s a))
 * for s steps and a rows whose alpha is ever not 0.
 */
int kith_check_wsvm(const struct kith_wsvm_job *job, const char *file,
    struct kith_check out[KITH_CHECK_WSVM], size_t *checks,
    struct kith_err *err);

/* The same of a table that is open, as far as its rows are the job's. */
struct kith_wsvm_steps;
int kith_check_wsvm_steps(const struct kith_wsvm_job *job,
    struct kith_wsvm_steps *file, struct kith_check out[KITH_CHECK_WSVM],
    size_t *checks, struct kith_err *err);

/*
 * Check one solution of the job, at the weights w, as a step is, with these in
 * place of the last two:
 *
 *	margin     largest |g| of those that are said to be on the margin
 *	scores     how far f is from what alpha gives, as kkt
 *
 * Time O(n a p) for a rows whose alpha is not 0.
 */
void kith_check_wsvm_state(const struct kith_wsvm_job *job, const double *w,
    const struct kith_wsvm_solution *at,
    struct kith_check out[KITH_CHECK_WSVM_STATE]);

#endif
