/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/err - how a library function says what went wrong.
 *
 * A function that can fail on what the user gave it takes a struct kith_err as
 * its last argument, fills it and returns -1.  It never prints and never
 * exits; the command does both, with kith_die().  A wrong call is a bug, not an
 * error, and is left to assert().  Lack of memory ends the program
 * (base/pool.h).
 *
 * The exit status is one of <sysexits.h>: EX_DATAERR (65) for bad data,
 * EX_NOINPUT (66) for input that is missing or unreadable, EX_SOFTWARE (70)
 * for our own mistakes, EX_OSERR (71) for lack of memory, EX_IOERR (74) for
 * output that cannot be written; 2 for a wrong call.
 */
#ifndef KITH_BASE_ERR_H
#define KITH_BASE_ERR_H

#include <stddef.h>
#include <sysexits.h>

#define KITH_PRINTF(fmt, first) __attribute__((__format__(__printf__, fmt, first)))

enum { KITH_EX_USAGE = 2 }; /* a wrong call */

struct kith_err {
	int status;       /* for exit() */
	const char *file; /* input at fault, or NULL */
	size_t line;      /* where the record starts, from 1, or 0 */
	char msg[400];    /* lower case, without full stop or newline */
};

/* How a message quotes a name or a cell: 60 bytes of it at most. */
#define KITH_NAME "\"%.60s\""
#define KITH_CELL "'%.60s'"

/*
 * Describes a failure at a line of a file in err, and returns -1, so that callers can return it;
 * line 0: in all of the file, file NULL: in no file.
 */
int kith_fail_at(struct kith_err *err, int status, const char *file, size_t line, const char *fmt,
    ...) KITH_PRINTF(5, 6);
#define kith_fail(err, status, ...) kith_fail_at(err, status, NULL, 0, __VA_ARGS__)

/* What the message begins with, behind the tool; -q silences all but KITH_SAID. */
enum kith_remark_kind { KITH_NOTE, KITH_WARNING, KITH_CHOSEN, KITH_SAID };

/*
 * Gives a remark about a line of a file (0: all of it; file NULL: about the run) that goes on all
 * the same to kith_on_remark() if there is one.
 */
void kith_remark(enum kith_remark_kind kind, const char *file, size_t line, const char *fmt, ...)
    KITH_PRINTF(4, 5);

/* Prints a remark, whose status has no meaning; NULL: remarks are dropped.  Set by cli. */
extern void (*kith_on_remark)(enum kith_remark_kind kind, const struct kith_err *remark);

#endif
