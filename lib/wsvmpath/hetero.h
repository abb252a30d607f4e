/*
 * wsvmpath/hetero - regression with noise of different strength: weights that
 * depend on the errors of the fit that they lead to, eq. (30) of Karasuyama,
 * Harada, Sugiyama and Takeuchi (2012),
 *
 *	C_i = C0_i sigma / max(|e_i|, 1e-3 sigma)
 *
 * with e_i = y_i - f(x_i) and sigma^2 the mean of e_i^2; without that floor a
 * row on the fit would weigh without bounds.  Beginning with C0, each round
 * moves along a path to the weights that the errors say, until the mean of
 * |e_i' - e_i| / max(|e_i|, 1e-3 sigma) over the rows, from one round to the
 * next, is at most 1e-3, or all rounds are done.
 */
#ifndef KITH_WSVMPATH_HETERO_H
#define KITH_WSVMPATH_HETERO_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_wsvm_count;
struct kith_wsvm_job;

struct kith_wsvm_rounds {
	size_t rounds;
	double change; /* the mean of the last round */
	bool settled;  /* it is <= 1e-3 */
};

/*
 * From the problem of kith_wsvm_regress(), whose weights `from` are C0, find
 * the weights after at most `rounds` >= 1 rounds: they become `to`.
 */
void kith_wsvm_reweigh(struct kith_wsvm_job *job, size_t rounds,
    struct kith_wsvm_rounds *did, struct kith_wsvm_count *count);

/*
 * Make the problem of the rows for --reweight: from C0, which --from says, to
 * the weights found; --to is not used.  Says and logs how it went, and warns
 * where it has not settled.  Fails as kith_wsvm_regress() does.
 */
int kith_wsvm_hetero(struct kith_wsvm_job *job, struct kith_err *err);

#endif
