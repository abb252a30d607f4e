/* table/fill - means in the place of missing numbers, which are NaN. */
#ifndef KITH_TABLE_FILL_H
#define KITH_TABLE_FILL_H

struct kith_err;
struct kith_mat;
struct kith_names;

/*
 * Put means (p) where numbers of X (n x p) are missing, and into mean: those
 * given or, where that is NULL, of the numbers that each column has.  Fails,
 * naming file and column, where a column has none.
 */
int kith_fill(struct kith_mat *X, const struct kith_names *column,
    const double *given, double *mean, const char *file, struct kith_err *err);

#endif
