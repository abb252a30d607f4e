/* SPDX-License-Identifier: BSD-2-Clause */
/* text/csv - what reading text cells needs: for text/csv.c and text/ahead.c. */
#ifndef KITH_TEXT_CSV_H
#define KITH_TEXT_CSV_H

#include "text/cut.h"
#include "text/lines.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_ahead;
struct kith_err;
struct kith_rec;
struct kith_rec_note;

/* The state of r->state->own. */
struct kith_csv {
	struct kith_lines lines;
	bool begun;   /* the first record has been met */
	bool met;     /* a line that is not blank has */
	size_t blank; /* line that was blank, or 0 */
	struct kith_rec_note *note;
	size_t room; /* for notes */
	struct kith_cut cut;
	struct kith_ahead *ahead; /* it reads on, or NULL */
};

/*
 * The next record of s->lines, as kith_rec_next() has it; its cells come behind
 * those that s->cut has.
 */
int kith_csv_next(struct kith_rec *r, struct kith_err *err);

#endif
