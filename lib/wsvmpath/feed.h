/*
 * wsvmpath/feed - the labelled rows of a stream, one at a time, as they come:
 * the columns have the roles that struct kith_how says (table/roles.h).
 */
#ifndef KITH_WSVMPATH_FEED_H
#define KITH_WSVMPATH_FEED_H

#include "base/names.h"
#include "table/roles.h"
#include "text/cell.h"
#include "text/rows.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_pool;

struct kith_wsvm_feed {
	struct kith_names feature; /* names of p features */

	/* The row: its number from 1, its id if ids, and its features. */
	size_t number;
	bool ids;
	struct kith_cell id;
	double *x;               /* p */
	struct kith_cell actual; /* the cell of the target */
	bool labelled;           /* it is not missing */
	bool whole;              /* false: --na omit leaves the row out */

	/* The rest is wsvmpath/feed.c's. */
	struct kith_rows rows;
	struct kith_roles role;
	bool omit;
};

/*
 * Open the files and give the columns their roles; the two others (NULL: not
 * given) are no features.  Fails as kith_table_read() does before the
 * first row, and with KITH_EX_USAGE for --na mean, which would need all rows.
 */
int kith_wsvm_feed_open(struct kith_wsvm_feed *feed, const char *const *files,
    const struct kith_how *how, const char *const others[2],
    struct kith_pool *pool, struct kith_err *err);

/*
 * The next row: 1, 0 at the end, or -1; its cells stay until the next call.
 * Fails as kith_rows_next() does, and on cells that are no finite number, or
 * missing, where one is due.
 */
int kith_wsvm_feed_next(struct kith_wsvm_feed *feed, struct kith_err *err);

void kith_wsvm_feed_close(struct kith_wsvm_feed *feed);

#endif
