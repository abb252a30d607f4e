/* wsvmpath/reweight - --reweight: rounds of weights (wsvm/hetero.h). */
#ifndef KITH_WSVMPATH_REWEIGHT_H
#define KITH_WSVMPATH_REWEIGHT_H

struct kith_err;
struct kith_wsvm_job;

/*
 * Make the problem of the rows for --reweight: from C0, which --from says, to
 * the weights found; --to is not used.  Reports and logs the rounds, and warns
 * where they have not converged.  Fails as kith_wsvm_regress() does.
 */
int kith_wsvm_reweight(struct kith_wsvm_job *job, struct kith_err *err);

#endif
