/* wsvmpath/sums - whether a problem (wsvmpath/task.h) stays within doubles. */
#ifndef KITH_WSVMPATH_SUMS_H
#define KITH_WSVMPATH_SUMS_H

struct kith_err;
struct kith_wsvm_job;

/*
 * Fail with EX_DATAERR where sums of the weights `from` and `to`, with
 * products of two kernels, leave the range of doubles.
 */
int kith_wsvm_sums(const struct kith_wsvm_job *job, struct kith_err *err);

#endif
