#include "wsvm_feed.h"

#include "columns.h"
#include "err.h"
#include "pool.h"
#include "table.h"
#include "value.h"

#include <assert.h>

static const size_t NONE = SIZE_MAX;

static int
not_found(
    const struct kith_wsvm_feed *feed, const char *name, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, feed->rows.rec.file,
	    feed->rows.head, "column " KITH_NAME ": not found", name);
}

/* The column that COL says; NONE where there is no COL. */
static int
one(const struct kith_wsvm_feed *feed, const char *col, size_t *column,
    struct kith_err *err)
{
	*column = NONE;
	if (!col)
		return 0;
	*column = kith_column(&feed->rows.name, col);
	return *column < feed->rows.name.n ? 0 : not_found(feed, col, err);
}

/* Names in parentheses are those of our own tables. */
static int
refuse_our_names(const struct kith_wsvm_feed *feed, struct kith_err *err)
{
	static const char *const ours[] = {"(bias)", "(id)", "(coef)"};
	const struct kith_names *name = &feed->rows.name;

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (kith_names_find(name, ours[i]) < name->n)
			return kith_fail_at(err, EX_DATAERR,
			    feed->rows.rec.file, feed->rows.head,
			    "column " KITH_NAME
			    ": a name with a meaning of its own",
			    ours[i]);
	return 0;
}

/* Mark the columns that are no features. */
static int
take(struct kith_wsvm_feed *feed, const struct kith_how *how,
    const char *const *others, size_t n, bool *taken, struct kith_err *err)
{
	struct kith_rows *rows = &feed->rows;
	size_t *ignored, other;
	long count = 0;

	if (one(feed, how->target, &feed->at_target, err) ||
	    one(feed, how->id, &feed->at_id, err))
		return -1;
	if (!how->target)
		feed->at_target = rows->name.n - 1;
	feed->ids = feed->at_id != NONE;
	taken[feed->at_target] = true;
	if (feed->ids)
		taken[feed->at_id] = true;
	for (size_t i = 0; i < n; i++) {
		if (one(feed, others[i], &other, err))
			return -1;
		if (other != NONE)
			taken[other] = true;
	}
	if (how->ignore)
		count = kith_columns(&rows->name, how->ignore, rows->rec.file,
		    rows->head, &ignored, rows->pool, err);
	for (long i = 0; i < count; i++)
		taken[ignored[i]] = true;
	return count < 0 ? -1 : 0;
}

/* The columns that --features lists, none of them taken. */
static long
list(struct kith_wsvm_feed *feed, const struct kith_how *how, const bool *taken,
    struct kith_err *err)
{
	struct kith_rows *rows = &feed->rows;
	const long p = kith_columns(&rows->name, how->feature, rows->rec.file,
	    rows->head, &feed->column, rows->pool, err);

	for (long j = 0; j < p; j++)
		if (taken[feed->column[j]])
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME
			    " cannot be a feature: it has another role",
			    rows->name.name[feed->column[j]]);
	return p;
}

static int
choose(struct kith_wsvm_feed *feed, const struct kith_how *how,
    const bool *taken, struct kith_err *err)
{
	struct kith_rows *rows = &feed->rows;
	const size_t n = rows->name.n;
	char **name;
	long p = 0;

	if (how->feature)
		p = list(feed, how, taken, err);
	else
		feed->column = kith_new(rows->pool, n, sizeof(*feed->column));
	for (size_t j = 0; !how->feature && j < n; j++)
		if (!taken[j])
			feed->column[p++] = j;
	if (p < 0)
		return -1;
	if (p == 0)
		return kith_fail_at(err, EX_DATAERR, rows->rec.file, rows->head,
		    "no column beside the target%s",
		    how->id || how->ignore ? " and those left out" : "");
	name = kith_new(rows->pool, (size_t)p, sizeof(*name));
	for (long j = 0; j < p; j++)
		name[j] = rows->name.name[feed->column[j]];
	kith_names_index(&feed->feature, name, (size_t)p, rows->pool);
	feed->x = kith_new(rows->pool, (size_t)p, sizeof(*feed->x));
	return 0;
}

int
kith_wsvm_feed_open(struct kith_wsvm_feed *feed, const char *const *files,
    const struct kith_how *how, const char *const *others, size_t n,
    struct kith_pool *pool, struct kith_err *err)
{
	bool *taken;

	*feed = (struct kith_wsvm_feed){.omit = how->na == KITH_NA_OMIT};
	if (how->na == KITH_NA_MEAN)
		return kith_fail(err, KITH_EX_USAGE,
		    "--na mean needs all rows, which are not there yet");
	if (kith_rows_open(&feed->rows, files, &how->format, pool, err))
		return -1;
	taken = kith_new(pool, feed->rows.name.n, sizeof(*taken));
	if (refuse_our_names(feed, err) ||
	    take(feed, how, others, n, taken, err) ||
	    choose(feed, how, taken, err)) {
		kith_wsvm_feed_close(feed);
		return -1;
	}
	feed->target = feed->rows.name.name[feed->at_target];
	return 0;
}

static int
read_features(struct kith_wsvm_feed *feed, struct kith_err *err)
{
	for (size_t j = 0; j < feed->feature.n; j++) {
		const size_t column = feed->column[j];

		switch (kith_value(&feed->rows, column, &feed->x[j],
		    " (--id, --ignore, tabscale --onehot?)", err)) {
		case KITH_VALUE_OK:
			continue;
		case KITH_VALUE_BAD:
			return -1;
		case KITH_VALUE_MISSING:
			break;
		}
		if (!feed->omit)
			return kith_value_missing(
			    &feed->rows, column, " (--na omit?)", err);
		feed->whole = false;
	}
	return 0;
}

int
kith_wsvm_feed_next(struct kith_wsvm_feed *feed, struct kith_err *err)
{
	const int got = kith_rows_next(&feed->rows, err);
	const struct kith_cell *cell = feed->rows.rec.cell;

	if (got <= 0)
		return got;
	feed->number = feed->rows.n;
	feed->whole = true;
	feed->actual = cell[feed->at_target];
	feed->labelled = !kith_cell_missing(&feed->actual);
	if (read_features(feed, err))
		return -1;
	if (feed->ids && feed->whole) {
		feed->id = cell[feed->at_id];
		if (kith_cell_missing(&feed->id))
			return kith_value_missing(
			    &feed->rows, feed->at_id, "", err);
	}
	return 1;
}

void
kith_wsvm_feed_close(struct kith_wsvm_feed *feed)
{
	kith_rows_close(&feed->rows);
}
