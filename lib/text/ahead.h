/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/ahead - the records of a text (text/csv.c) cut into cells on several
 * threads, ahead of whom they are for, who gets them in their order with the same
 * errors at the same places.
 *
 * Blocks of bytes that end where a record does (text/split.h) stand in a ring.  The
 * thread that asks for records reads them, gives their records out, and cuts one
 * itself while the next is not ready; the others cut.  A cell that is a number is
 * read as one while it is in the cache.
 *
 * Memory: some blocks a thread, of 1 MB with their cells; where records are longer
 * than a block, two of them with theirs.
 */
#ifndef KITH_TEXT_AHEAD_H
#define KITH_TEXT_AHEAD_H

struct kith_ahead;
struct kith_err;
struct kith_rec;

/*
 * Take over r, a text whose first record has been read, on r->threads threads, the
 * caller's among them.
 */
struct kith_ahead *kith_ahead_new(const struct kith_rec *r);

/* The next record: kith_rec_next() of text, with r->number, too. */
int kith_ahead_next(
    struct kith_ahead *a, struct kith_rec *r, struct kith_err *err);

/* End the threads. */
void kith_ahead_end(struct kith_ahead *a);

#endif
