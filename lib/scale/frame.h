/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scale/frame - a whole table as it is, each column numbers or text.
 *
 *	if (kith_frame_open(&f, files, &format, &pool, err))
 *		return -1;
 *	f.kind[target] = KITH_AS_TEXT;
 *	if (kith_frame_rows(&f, KITH_NA_ERROR, err))
 *		return -1;
 */
#ifndef KITH_SCALE_FRAME_H
#define KITH_SCALE_FRAME_H

#include "base/names.h"
#include "table/roles.h"
#include "text/cell.h"
#include "text/rows.h"

#include <stddef.h>

struct kith_err;
struct kith_pool;

/* A cell: a number (NaN: missing), or where its text is. */
union kith_slot {
	double x;
	size_t text;
};

struct kith_frame {
	const char *file;       /* first file, for messages */
	size_t head;            /* line of its header */
	struct kith_names name; /* c = name.n columns */
	enum kith_kind *kind;   /* c kinds */
	size_t n;               /* rows */
	union kith_slot *v;     /* n x c */
	struct kith_texts text; /* the cells that are text */

	/* The rest is scale/frame.c's. */
	struct kith_rows rows;
	struct kith_pool *pool;
	size_t room;
};

/*
 * Read the header; every column is KITH_AS_AUTO until the caller says
 * otherwise. Fails as kith_rows_open() does.
 */
int kith_frame_open(struct kith_frame *f, const char *const *files,
    const struct kith_format *format, struct kith_pool *pool, struct kith_err *err);

/*
 * Have the columns of these names that kith_rows_widen() can add; every column
 * is KITH_AS_AUTO then.
 */
void kith_frame_cover(struct kith_frame *f, const struct kith_names *due);

/*
 * Read all rows and close.  A column that is KITH_AS_AUTO becomes
 * KITH_AS_NUMBER or KITH_AS_TEXT as its first cell that is not missing; one
 * with none is text. na (table/table.h) says what a missing cell of a number or
 * level column does: it fails, its row is left out, or it stays as NaN or as a
 * missing text. Fails also as kith_kind_take() does.
 */
int kith_frame_rows(struct kith_frame *f, int na, struct kith_err *err);

/* Row i: a slot for each column. */
static inline union kith_slot *
kith_frame_row(const struct kith_frame *f, size_t i)
{
	return f->v + i * f->name.n;
}

#endif
