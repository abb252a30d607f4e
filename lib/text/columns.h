/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/columns - the columns that an option names: COL and LIST.
 *
 * COL is an exact name, else a number from 1, or from -1 at the end.  LIST is
 * elements divided by commas, quoted as in CSV where need be.  Each is, the
 * first that it can be: an exact name (names may hold ':', '*', '!'); a number; a
 * range, the columns from one COL to another, as a:c or 3:-1; @FILE, with a name
 * per line, at least one, or @@x, the name @x; a pattern of fnmatch(3), as
 * 'gene_*', for every column that it matches, one at least.  '!' before such an
 * element takes its columns out of what the elements before it named; a LIST
 * that begins so begins with all columns.
 *
 * A column has the place where it was named first.  A range or a pattern that
 * meets a column again changes nothing; two names of one are an error.
 */
#ifndef KITH_TEXT_COLUMNS_H
#define KITH_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_names;
struct kith_pool;

/* The column that text says, or name->n when there is none. */
size_t kith_column(const struct kith_names *name, const char *text);

/*
 * The columns of a list (NULL: none), in its order, into *column (in the pool);
 * their number or, when one is not there, two names are of one, none is left, or
 * a file cannot be read or is empty, -1.
 * file and line are where the columns got their names, for messages.
 */
long kith_columns(const struct kith_names *name, const char *list,
    const char *file, size_t line, size_t **column, struct kith_pool *pool,
    struct kith_err *err);

/*
 * The same, where some columns (NULL: none) are taken by other options: no
 * pattern means these, nor the '!' at the beginning of a list.
 */
long kith_columns_beside(const struct kith_names *name, const char *list,
    const bool *taken, const char *file, size_t line, size_t **column,
    struct kith_pool *pool, struct kith_err *err);

/* The list of all columns, whatever they are called: this very address. */
extern const char kith_columns_all[];

#endif
