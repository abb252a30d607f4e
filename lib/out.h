/*
 * out - the one writer: standard output, and every file that a command writes.
 *
 *	if (kith_out_open(&out, path, err))
 *		kith_die(err);
 *	kith_out_cell(&out, name);
 *	kith_out_char(&out, '\t');
 *	kith_out_real(&out, x);
 *	kith_out_char(&out, '\n');
 *	if (kith_out_close(&out, err))
 *		kith_die(err);
 *
 * A regular file appears under its name only when it is whole: it is written
 * beside its place as .NAME.XXXXXX and renamed by kith_out_close().  Links are
 * followed; a device or a FIFO is written directly.  What was not renamed is
 * removed when the program ends (temp.h).
 *
 * A failed write is remembered, later ones do nothing, and kith_out_close()
 * reports it.
 */
#ifndef KITH_OUT_H
#define KITH_OUT_H

#include "pool.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_cell;
struct kith_err;

struct kith_out {
	const char *file; /* name for messages */
	bool failed;      /* a write has failed: stop early if you can */

	/* The rest is out.c's. */
	int fd, why; /* why: errno of the failure, or 0 */
	char *buf;   /* bytes not yet written */
	size_t used;
	char *target, *temp; /* what to rename to, and from; or NULL */
	struct kith_pool pool;
};

/*
 * Open path for writing; NULL or "-" is standard output.  Fails with EX_IOERR
 * when it cannot be created, or is a file that may not be written.
 */
int kith_out_open(struct kith_out *o, const char *path, struct kith_err *err);

/* Whether two paths are one regular file, or would become one. */
bool kith_out_same(const char *a, const char *b);

/* Write len bytes, one character, a text as it is. */
void kith_out_bytes(struct kith_out *o, const char *s, size_t len);
void kith_out_char(struct kith_out *o, char c);
void kith_out_text(struct kith_out *o, const char *s);

/*
 * Write text as a cell of a table: in quotes when it holds a tab, a quote or a
 * line end, starts or ends with a blank, or would read as missing.
 */
void kith_out_cell(struct kith_out *o, const char *s);

/* Write a cell that was read: missing ones as they stood there. */
void kith_out_verbatim(struct kith_out *o, const struct kith_cell *c);

/* Write a missing cell: NA. */
void kith_out_missing(struct kith_out *o);

/*
 * Write n column names as the header record, quoting also what would make it
 * read as something else: "# " at its start, or a comma or semicolon where
 * there is no tab.
 */
void kith_out_header(struct kith_out *o, const char *const *name, size_t n);

/* Write a number as num.h says; a NaN is our own mistake, and fails (70). */
void kith_out_real(struct kith_out *o, double x);
void kith_out_size(struct kith_out *o, size_t n);

/* Write what is buffered now: for rows that somebody waits for. */
void kith_out_flush(struct kith_out *o);

/*
 * Write what is left, close, and give the file its name.  Fails when anything
 * could not be written: EX_IOERR, or EX_SOFTWARE after a NaN.
 */
int kith_out_close(struct kith_out *o, struct kith_err *err);

#endif
