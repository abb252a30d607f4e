/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/gz - the bytes of a file, plain or gzip; which of them, its first bytes
 * say.
 *
 * Gzip may have several members, and may come through a pipe.
 */
#ifndef KITH_TEXT_GZ_H
#define KITH_TEXT_GZ_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;

struct kith_gz {
	const char *file;            /* name for messages */
	struct kith_gz_state *state; /* text/gz.c's */
};

/*
 * Open a file ("-": standard input); 0 or -1.  Fails with EX_NOINPUT when it
 * cannot be opened or read (a directory too), and with EX_DATAERR when it
 * starts like zstd, xz, bzip2, zip, UTF-16 or UTF-32.
 */
int kith_gz_open(struct kith_gz *g, const char *file, struct kith_err *err);

/*
 * Read into to at most room >= 1 bytes.  Returns how many, 0 at the end, and
 * -1 when the file cannot be read, or is gzip that is broken, truncated or
 * followed by other bytes.
 */
long kith_gz_read(
    struct kith_gz *g, char *to, size_t room, struct kith_err *err);

/*
 * Look at the first bytes, before any is read, as kith_gz_read() will give
 * them: 16 at least, unless there are fewer.  NULL on failure, as there.
 */
const char *kith_gz_peek(struct kith_gz *g, size_t *len, struct kith_err *err);

/*
 * All bytes of the file in memory, those that were read too, until it is
 * closed; NULL where it is gzip, standard input or no regular file, and is to be
 * read.
 */
const unsigned char *kith_gz_map(struct kith_gz *g, size_t *len);

/* Whether a file that is mapped has become shorter since: not to be read then. */
bool kith_gz_is_cut(const struct kith_gz *g);

/* Close what was opened. */
void kith_gz_close(struct kith_gz *g);

#endif
