/* table/instance - weights of rows (--instance-weight): >= 0, and not all 0. */
#ifndef KITH_TABLE_INSTANCE_H
#define KITH_TABLE_INSTANCE_H

#include <stddef.h>

struct kith_err;
struct kith_rows;

/*
 * Read the weight of the row that t stands at.  Fails where it is missing, no
 * finite number, or negative.
 */
int kith_instance_read(const struct kith_rows *t, size_t column, double *weight,
    struct kith_err *err);

/* Fail where all of the n weights, from a column of that name, are 0. */
int kith_instance_check(const double *weight, size_t n, const char *file,
    const char *name, struct kith_err *err);

#endif
