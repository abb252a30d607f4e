/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/cut - a record in memory cut into cells: in place where it has no quote,
 * else by libcsv; both give the same cells where both can be used.
 */
#ifndef KITH_TEXT_CUT_H
#define KITH_TEXT_CUT_H

#include "text/cell.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

/* Whether c is dropped around cells that sep divides. */
static inline bool
kith_is_blank(char c, char sep)
{
	return (c == ' ' || c == '\t') && c != sep;
}

/* Where a walk over a record stands between two bytes. */
enum kith_cut_place {
	KITH_CUT_START,  /* of a cell */
	KITH_CUT_PLAIN,  /* in a cell without quotes */
	KITH_CUT_QUOTED, /* between quotes */
	KITH_CUT_CLOSED, /* behind the second quote, unless it is half of a pair */
	KITH_CUT_DONE,  /* and behind a blank after it */
	KITH_CUT_BROKEN /* behind text that follows a quoted cell */
};

/*
 * Walk from a place over len bytes of cells that sep divides, and add to *cuts
 * how often it does.  Stops where the record is broken.
 */
enum kith_cut_place kith_cut_walk(
    enum kith_cut_place at, const char *s, size_t len, char sep, size_t *cuts);

/* The cells of the records that were cut since n was 0. */
struct kith_cut {
	struct kith_cell *cell;
	size_t n;

	/* The rest is text/cut.c's. */
	size_t room, given; /* given: cells that libcsv has read */
	struct csv_parser csv;
	char *text; /* where the text of the next one of these goes */
	char sep;
	struct kith_pool *pool;
};

/* Make ready to cut; the array of cells lives in the pool. */
void kith_cut_begin(struct kith_cut *cut, struct kith_pool *pool);
void kith_cut_end(struct kith_cut *cut);

enum { KITH_CUT_SLACK = 64 };

/*
 * Cut the record s, of len bytes and KITH_CUT_SLACK more that may be read, the
 * first of them written too, into cells, which overwrite it, behind those that
 * are there.  Requires that it holds no quote and no null byte.
 */
void kith_cut_plain(struct kith_cut *cut, char *s, size_t len, char sep);

/* The same for a record that may hold quotes, and whose walk ended well. */
void kith_cut_quoted(struct kith_cut *cut, char *s, size_t len, char sep);

#endif
