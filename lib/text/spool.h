/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/spool - a table whose pieces are written by several threads: they come in
 * the order of their numbers, whoever is ready first.  The piece that is next
 * goes straight to the table; others wait in memory.
 *
 *	kith_spool_new(&spool, out, n);           the header is written
 *	kith_par(threads, n, work, ...);          in block i:
 *		out = kith_spool_begin(&spool, i);
 *		...
 *		kith_spool_end(&spool, i);
 *	kith_spool_free(&spool);
 */
#ifndef KITH_TEXT_SPOOL_H
#define KITH_TEXT_SPOOL_H

#include "text/out.h"

#include <pthread.h>

struct kith_spool {
	struct kith_out *out;
	size_t n, next; /* pieces; the first that has not ended */
	struct kith_out *piece;
	bool *waits, *ended; /* n: its piece is in memory; is whole */
	pthread_mutex_t lock;
	struct kith_pool pool;
};

/* A spool of n pieces of a table with leading columns and a header. */
void kith_spool_new(struct kith_spool *s, struct kith_out *out, size_t n);

/* Where piece i is to be written; pieces begin in their order. */
struct kith_out *kith_spool_begin(struct kith_spool *s, size_t i);

/* Piece i is whole: write what has waited for it. */
void kith_spool_end(struct kith_spool *s, size_t i);

void kith_spool_free(struct kith_spool *s);

#endif
