/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/log - what a command prints on standard error: messages, and the log of -v, lines
 * "key<TAB>value" from the version and the arguments of the run to its status and its seconds.
 *
 * Messages stand between the lines of the log; they hold no tab.  A message, or the value of a
 * line, is printed as one line; a byte that is not of a printable character, in ASCII or UTF-8, is
 * printed as \xHH.
 * Lines of the log are printed from kith_log_begin() to kith_log_end().
 */
#ifndef KITH_CLI_LOG_H
#define KITH_CLI_LOG_H

#include "base/err.h"

#include <stdarg.h>
#include <stdint.h>

struct kith_pool;

/* Prints "tool: ", the kind of the message ("warning: ", "note: " or ""), and the message. */
void kith_message(const char *tool, const char *kind, const char *fmt, va_list ap)
    KITH_PRINTF(3, 0);

/* Prints "tool: ", the kind of the message, "file:line: message", and more. */
void kith_message_error(
    const char *tool, const char *kind, const struct kith_err *err, const char *more);

/* Prints the rest of a line. */
void kith_message_end(const char *s);

/* Begins the log. */
void kith_log_begin(void);

/* Print a line: a key, and a text, a whole number, a number (NaN: NA) or a short formatted text. */
void kith_log_text(const char *key, const char *value);
void kith_log_size(const char *key, uint64_t value);
void kith_log_real(const char *key, double value);
void kith_log_line(const char *key, const char *format, ...) KITH_PRINTF(2, 3);

/* Ends the log: prints the exit status and the seconds since kith_progress_begin(). */
void kith_log_end(int status);

/* Returns the words as a line that sh(1) divides into the words again, in the pool. */
char *kith_log_words(char *const *word, struct kith_pool *pool);

#endif
