/*
 * text/columns - the columns that an option names: COL and LIST.
 *
 * COL is an exact name, else a number from 1, or from -1 at the end.  LIST is
 * COLs divided by commas, each first tried as a name (names may hold ':'), else
 * a number or a range of numbers 3:10, or @FILE with a name per line, at least
 * one; @@x is a name that starts with @.  Elements of a LIST may be quoted as
 * in CSV.
 */
#ifndef KITH_TEXT_COLUMNS_H
#define KITH_TEXT_COLUMNS_H

#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;

/* The column that text says, or name->n when there is none. */
size_t kith_column(const struct kith_names *name, const char *text);

/*
 * The columns of a list (NULL: none), in its order, into *column (in the pool); their number
 * or, when one is not there, is named twice, or a file cannot be read or is
 * empty, -1.
 * file and line are where the columns got their names, for messages.
 */
long kith_columns(const struct kith_names *name, const char *list,
    const char *file, size_t line, size_t **column, struct kith_pool *pool,
    struct kith_err *err);

#endif
