/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/out_bytes - where bytes go that a command writes: standard output and
 * files, opened, written to and closed.  Tables: text/out.h.
 *
 * Standard output, devices and FIFOs are streams: what is written goes there
 * directly.  A regular file is written beside its place as .NAME.XXXXXX, and is
 * renamed when all files of the run are whole: each is the old one, whole, or
 * the new one, whole, at every moment.  Links are followed.  What has not got
 * its name is removed when the program ends (base/temp.h).
 *
 * A new file has the mode 0666 less the umask.  One that replaces another has
 * its mode, access list, owner and group; where they cannot be kept it gives
 * nobody more than the old one did (base/rights.h), and no more at any time
 * before.
 *
 * After a power cut each name holds the old file or the new one, whole: its
 * bytes reach the disk before it is renamed.  When kith_out_settle() has
 * returned, it holds the new one.  Between the two, some files of a run may be
 * new and others old.  What went to streams is not waited for.
 *
 * A failed write is remembered, later ones do nothing, and kith_out_close()
 * reports it.
 */
#ifndef KITH_TEXT_OUT_BYTES_H
#define KITH_TEXT_OUT_BYTES_H

#include "base/err.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_temp;

/*
 * How a table is written.
 *
 * TSV, CSV: a header and rows, cells divided by a tab or a comma.
 * JSON Lines: an object per row, its keys the names of the header; numbers are
 * numbers, but inf and -inf strings; a missing cell is null; the rest, cells
 * that were read too, are strings.
 * NPY: an array of NumPy (text/out_npy.h).
 */
enum kith_style {
	KITH_STYLE_TSV,
	KITH_STYLE_CSV,
	KITH_STYLE_JSONL,
	KITH_STYLE_NPY
};

enum { KITH_OUT_ROOM = 1 << 16 }; /* bytes of a buffer */

/* Where a table goes, and how; all zero is TSV on standard output. */
struct kith_dest {
	const char *path; /* NULL or "-": standard output */
	enum kith_style style;
	size_t digits; /* of numbers of kith_out_real(), significant; 0: all */
};

struct kith_out {
	const char *file;   /* name for messages */
	bool failed;        /* a write has failed: stop early if you can */
	const char *unsaid; /* a note that was left out, or NULL */
	bool other;         /* bytes that are no UTF-8 became U+FFFD */
	bool vague;         /* NPY: a text will read as missing */

	/* The rest is text/out_bytes.c's and text/out.c's. */
	int fd, why; /* why: errno of the failure, or 0 */
	char *buf;   /* bytes not yet written */
	size_t used;
	struct kith_temp *temp; /* NULL: a stream */
	enum kith_style style;
	char sep;
	size_t digits;
	char **key; /* JSON Lines, NPY: of the columns, with quotes */
	size_t columns, column;
	bool begun;               /* the cell of this column */
	const char *twin;         /* a name that two columns have */
	const char *const *first; /* cells that each row begins with */
	size_t firsts;
	bool led, headed; /* the row has them; there is a header */
	char *held;       /* in memory, NPY: what was written */
	size_t held_used, held_room;
	struct kith_pool pool;
};

/*
 * Open path for writing; NULL or "-" is standard output.  The path, for
 * messages, is kept.  Fails with EX_IOERR when it cannot be created, or is a
 * file that may not be written.
 */
int kith_out_open(struct kith_out *o, const char *path, struct kith_err *err);

/* The same for a table that is written as `to` says. */
int kith_out_open_table(
    struct kith_out *o, const struct kith_dest *to, struct kith_err *err);

/* Write len bytes, one character, a text as it is: for what is no table. */
void kith_out_bytes(struct kith_out *o, const char *s, size_t len);
void kith_out_char(struct kith_out *o, char c);
void kith_out_text(struct kith_out *o, const char *s);

/* Remember a failure: errno, or 0 where a result is at fault. */
void kith_out_fail(struct kith_out *o, int why);

/* Write what is buffered now: for rows that somebody waits for. */
void kith_out_flush(struct kith_out *o);

/* Make room for n <= KITH_OUT_ROOM more bytes; false when o has failed. */
static inline bool
kith_out_room(struct kith_out *o, size_t n)
{
	if (o->used + n > KITH_OUT_ROOM)
		kith_out_flush(o);
	return !o->failed;
}

/*
 * Write what is left, and close.  A regular file is then whole, on the disk,
 * and waits for kith_out_settle().  Fails when anything could not be written:
 * EX_IOERR, EX_SOFTWARE after a NaN, EX_DATAERR after two columns of one name
 * in JSON Lines and NPY; then the file is removed.
 */
int kith_out_close(struct kith_out *o, struct kith_err *err);

/*
 * Give all files that were closed their names: the last act of a run that went
 * well, with no stream still open.  `tell`, unless it is NULL, hears of each
 * file whose rights could not be kept, and which (base/rights.h).  Fails with
 * EX_IOERR, and says which files were renamed before.
 */
typedef void kith_out_unkept(const char *file, unsigned rights);
int kith_out_settle(kith_out_unkept *tell, struct kith_err *err);

/* Close, and give this file its name now, whatever becomes of others. */
int kith_out_close_alone(
    struct kith_out *o, kith_out_unkept *tell, struct kith_err *err);

/* Close, and remove the file. */
void kith_out_drop(struct kith_out *o);

#endif
