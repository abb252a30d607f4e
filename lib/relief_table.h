/*
 * relief_table - labelled rows whose features are numbers or texts, each column
 * as its first cell that is not missing.
 */
#ifndef KITH_RELIEF_TABLE_H
#define KITH_RELIEF_TABLE_H

#include "relief.h"
#include "table.h"

struct kith_err;
struct kith_pool;

/* --na: behind those of table.h, missing cells stay, as NaN. */
enum { KITH_NA_MODEL = KITH_NA_MEAN + 1 };

/*
 * Read the files as kith_table_read() does without a reference, but with texts
 * among the features: numbered as they come, and flagged in *text (p, in the
 * pool).  Ids and columns to keep are not stored.  Fails also on a number in a
 * column of texts, and on texts where cells are missing and --na is mean.
 */
int kith_relief_read(const char *const *files, const struct kith_how *how,
    struct kith_table *table, bool **text, struct kith_pool *pool,
    struct kith_err *err);

#endif
