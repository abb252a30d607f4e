/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/lines - the lines of a file, or of a text in memory, in one buffer; a
 * null byte in them is an error as soon as it is read.
 */
#ifndef KITH_TEXT_LINES_H
#define KITH_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_gz;
struct kith_pool;

enum { KITH_LINES_SLACK = 64 }; /* bytes behind the buffer that are ours too */

struct kith_lines {
	const char *file; /* name for messages */
	char *buf;        /* room bytes, and KITH_LINES_SLACK more */
	size_t from, end; /* bytes of buf that are read and not yet passed */
	size_t passed;    /* line ends before buf[from] */

	/* The rest is text/lines.c's. */
	struct kith_gz *gz;         /* NULL: the text was in memory */
	const struct kith_err *why; /* what follows there, or NULL */
	size_t room;
	size_t clean; /* where the first null byte of the bytes is, or end */
	bool ended;   /* no more bytes will come */
	struct kith_pool *pool;
};

/* Begin with an open file; memory from the pool. */
void kith_lines_begin(struct kith_lines *l, struct kith_gz *gz,
    const char *file, struct kith_pool *pool);

/* The same with a text, which is copied. */
void kith_lines_text(struct kith_lines *l, const char *name, const char *text,
    struct kith_pool *pool);

/*
 * The same with len bytes of a buffer that has KITH_LINES_SLACK more.  They end
 * as a file does, or with a failure to read on, unless it is NULL.
 */
void kith_lines_block(struct kith_lines *l, const char *file, char *buf,
    size_t len, const struct kith_err *end);

/*
 * Have the line in the buffer that starts at buf[from + at], and any number of
 * lines before it.  Returns 1 with its newline, which the last line may lack in
 * the file, at buf[from + *end], 0 when there is none, or -1: the file cannot
 * be read, or there is a null byte in the line, however long that may be.
 */
int kith_lines_have(
    struct kith_lines *l, size_t at, size_t *end, struct kith_err *err);

/* Whether the byte at buf[from + at] was read: a newline at the end may not. */
static inline bool
kith_lines_is_read(const struct kith_lines *l, size_t at)
{
	return at < l->end - l->from;
}

/* Go over len bytes with this many line ends. */
static inline void
kith_lines_pass(struct kith_lines *l, size_t len, size_t lines)
{
	l->from += len;
	l->passed += lines;
}

/*
 * The next line, without its end but with a null byte, valid until the next
 * call, and passed: 1, 0 at the end, or -1.  Its number is l->passed then.
 */
int kith_lines_next(
    struct kith_lines *l, char **line, size_t *len, struct kith_err *err);

#endif
