/*
 * wsvmpath/variables - the problem of wsvm/problem.h that rows make: a variable
 * for each row (classify) or two (regress), and the rows' coefficients.
 */
#ifndef KITH_WSVMPATH_VARIABLES_H
#define KITH_WSVMPATH_VARIABLES_H

#include "wsvmpath/task.h"

/* Make N variables, all 0, with minus for ranks. */
void kith_wsvm_variables(struct kith_wsvm_job *job, size_t N, bool ranks);

/*
 * Make the problem of the rows.  classify: two classes, the second +1, or one,
 * which is +1.  Fail as kith_wsvm_weights() does; classify with EX_DATAERR, and
 * a recipe, for more than two classes.
 */
int kith_wsvm_classify(struct kith_wsvm_job *job, struct kith_err *err);
int kith_wsvm_regress(struct kith_wsvm_job *job, struct kith_err *err);

/*
 * The same for --reweight (wsvm/hetero.h): from C0, which --from says, to the
 * weights found; --to is not used.  Reports and logs the rounds, and warns
 * where they have not converged.
 */
int kith_wsvm_reweight(struct kith_wsvm_job *job, struct kith_err *err);

/* The weights at theta into C (N). */
void kith_wsvm_weights_at(
    const struct kith_wsvm_job *job, double theta, double *C);

/* The coefficients of the n rows, sums of sign alpha, into coef. */
void kith_wsvm_coef(
    const struct kith_wsvm_job *job, const double *alpha, double *coef);

/*
 * The machine of a solution: those of the rows whose coefficient is not 0.
 * What it refers to is in the pool of the job, and the job.
 */
void kith_wsvm_machine(const struct kith_wsvm_job *job, const double *alpha,
    double b, struct kith_machine *machine);

/*
 * Fail with EX_DATAERR where sums of the weights `from` and `to`, with
 * products of two kernels, leave the range of doubles.
 */
int kith_wsvm_check_range(
    const struct kith_wsvm_job *job, struct kith_err *err);

#endif
