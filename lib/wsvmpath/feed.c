#include "wsvmpath/feed.h"

#include "base/err.h"
#include "base/pool.h"
#include "text/value.h"

int
kith_wsvm_feed_open(struct kith_wsvm_feed *feed, const char *const *files,
    const struct kith_how *how, const char *const others[2],
    struct kith_pool *pool, struct kith_err *err)
{
	*feed = (struct kith_wsvm_feed){.omit = how->na == KITH_NA_OMIT};
	if (how->na == KITH_NA_MEAN)
		return kith_fail(err, KITH_EX_USAGE,
		    "--na mean needs all rows, which are not there yet");
	if (kith_rows_open(&feed->rows, files, &how->format, pool, err))
		return -1;
	if (kith_roles_assign(
		&feed->role, &feed->rows, how, others, 2, pool, err)) {
		kith_wsvm_feed_close(feed);
		return -1;
	}
	feed->feature = feed->role.feature;
	feed->x = kith_new(pool, feed->feature.n, sizeof(*feed->x));
	feed->ids = feed->role.id != KITH_NO_COLUMN;
	return 0;
}

int
kith_wsvm_feed_next(struct kith_wsvm_feed *feed, struct kith_err *err)
{
	const int got = kith_rows_next(&feed->rows, err);
	const struct kith_cell *cell = feed->rows.rec.cell;
	int whole;

	if (got <= 0)
		return got;
	feed->number = feed->rows.n;
	feed->actual = cell[feed->role.target];
	feed->labelled = !kith_cell_missing(&feed->actual);
	whole = kith_roles_read(&feed->role, &feed->rows, feed->omit,
	    " (--na omit?)", feed->x, err);
	if (whole < 0)
		return -1;
	feed->whole = whole;
	if (feed->ids && feed->whole) {
		feed->id = cell[feed->role.id];
		if (kith_cell_missing(&feed->id))
			return kith_value_missing(
			    &feed->rows, feed->role.id, "", err);
	}
	return 1;
}

void
kith_wsvm_feed_close(struct kith_wsvm_feed *feed)
{
	kith_rows_close(&feed->rows);
}
