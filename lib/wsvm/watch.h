/*
 * wsvm/watch - scores of items that are not learnt from, along a path: those of
 * rows that are left out.  A row that is left out weighs 0, and has no event of
 * its own; where only the zeros of its score count, most pieces need not compute
 * it.
 */
#ifndef KITH_WSVM_WATCH_H
#define KITH_WSVM_WATCH_H

#include <stddef.h>

struct kith_pool;
struct kith_wsvm;
struct kith_wsvm_piece;
struct kith_wsvm_watch;

/*
 * Watch m items (in increasing order) along the path that begins now; the
 * array must stay.
 */
struct kith_wsvm_watch *kith_wsvm_watch_new(
    struct kith_wsvm *s, const size_t *item, size_t m, struct kith_pool *pool);

/* Scores on a piece, f = f0 + theta f1 with b, valid until the next call. */
struct kith_wsvm_watched {
	const size_t *at; /* n of 0..m-1, increasing */
	const double *f0, *f1;
	size_t n;
};

/*
 * Those of all m.  Time O(|M|) for each.
 */
void kith_wsvm_watch_all(struct kith_wsvm_watch *watch,
    const struct kith_wsvm_piece *piece, struct kith_wsvm_watched *out);

/*
 * Those of the items whose score may be 0 on the piece, or have another sign
 * than on the last one.  All pieces of the path are to be asked for, in order;
 * the first has all items.  Time O(m + |M|), and O(|M|) for each.
 */
void kith_wsvm_watch_due(struct kith_wsvm_watch *watch,
    const struct kith_wsvm_piece *piece, struct kith_wsvm_watched *out);

#endif
