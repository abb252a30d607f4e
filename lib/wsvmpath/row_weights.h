/*
 * wsvmpath/row_weights - the weights C of rows, as --from and --to say them: a
 * number for all, or a column; and the cells of columns that are kept for
 * roles of their own (wsvmpath/task.h).
 */
#ifndef KITH_WSVMPATH_ROW_WEIGHTS_H
#define KITH_WSVMPATH_ROW_WEIGHTS_H

#include "wsvmpath/task.h"

/* The cell of row i in the kept column of a role: job->kept, asked_kept. */
struct kith_cell kith_wsvm_cell(
    const struct kith_table *t, size_t kept, size_t i);

/*
 * The constant that --from or --to says: 0, or 1 where it names a column; -1
 * where it is a number that will not do.
 */
int kith_wsvm_constant(const char *text, double *C);

/* The column that --from or --to, in text, names, or NULL. */
const char *kith_wsvm_named(
    const struct kith_wsvm_call *call, const char *text);

/* Whether --to is the word relevance or difference of --task rank. */
bool kith_wsvm_is_word(const struct kith_wsvm_call *call, const char *text);

/*
 * Whether theta runs between two numbers of C, and into *C the one at theta.
 */
bool kith_wsvm_C(const struct kith_wsvm_call *call, double theta, double *C);

/*
 * The weights of the n rows, as --from or --to says, into w.  Fails where a
 * cell of the column is missing, no number, or negative.
 */
int kith_wsvm_weights(const struct kith_wsvm_job *job, enum kith_wsvm_role role,
    double *w, struct kith_err *err);

/*
 * The number >= 0 in a cell of row i of t, of the column named.  Fails, naming
 * the row, where it is missing, no finite number, or negative.
 */
int kith_wsvm_number(const struct kith_table *t, size_t i, const char *column,
    const struct kith_cell *c, double *x, struct kith_err *err);

#endif
