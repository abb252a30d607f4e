/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/split - where records of text end, without cutting them into cells.
 *
 * A line without a quote, that no quoted cell of an earlier line goes on in, is a
 * record, or blank; others are walked over (text/cut.h).
 */
#ifndef KITH_TEXT_SPLIT_H
#define KITH_TEXT_SPLIT_H

#include "text/cut.h"

struct kith_split {
	char sep;
	size_t end; /* bytes of whole records so far */

	/* The rest is text/split.c's. */
	size_t seen; /* whole lines */
	enum kith_cut_place at;
};

/*
 * Go over more of the text s, of which there are len bytes now, and which
 * begins with a record.  A record that is broken ends with its line.
 */
void kith_split_more(struct kith_split *split, const char *s, size_t len);

#endif
