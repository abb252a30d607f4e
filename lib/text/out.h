/*
 * text/out - the one writer: standard output, and every file that a command
 * writes.
 *
 *	if (kith_out_open(&out, path, err))
 *		return -1;
 *	kith_out_put(&out, "%s\t%g\n", name, x);
 *	if (kith_out_close(&out, err))
 *		return -1;
 *	... the same for the other files of the run, then once, for all:
 *	if (kith_out_settle(NULL, err))
 *		return -1;
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
#ifndef KITH_TEXT_OUT_H
#define KITH_TEXT_OUT_H

#include "base/err.h"
#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

struct kith_cell;
struct kith_temp;

struct kith_out {
	const char *file; /* name for messages */
	bool failed;      /* a write has failed: stop early if you can */

	/* The rest is text/out.c's. */
	int fd, why; /* why: errno of the failure, or 0 */
	char *buf;   /* bytes not yet written */
	size_t used;
	struct kith_temp *temp; /* NULL: a stream */
	struct kith_pool pool;
};

/*
 * Open path for writing; NULL or "-" is standard output.  The path, for
 * messages, is kept.  Fails with EX_IOERR when it cannot be created, or is a
 * file that may not be written.
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

/*
 * Write a number as base/num.h says; a NaN is our own mistake, and fails (70).
 */
void kith_out_real(struct kith_out *o, double x);
void kith_out_size(struct kith_out *o, size_t n);

/*
 * Write cells and what stands between them, as in "%s\t%zu\t%g\n": %s is a cell
 * (NULL: missing), %zu a whole number, %g a number as above, and %G one that is
 * missing where it is a NaN.
 */
void kith_out_put(struct kith_out *o, const char *form, ...) KITH_PRINTF(2, 3);

/* Write what is buffered now: for rows that somebody waits for. */
void kith_out_flush(struct kith_out *o);

/*
 * Write what is left, and close.  A regular file is then whole, on the disk,
 * and waits for kith_out_settle().  Fails when anything could not be written:
 * EX_IOERR, or EX_SOFTWARE after a NaN; then the file is removed.
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
