/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/message - the lines that a command prints on standard error: each is
 * printed as one line, whatever its bytes, between two lines of the progress.
 */
#ifndef KITH_CLI_MESSAGE_H
#define KITH_CLI_MESSAGE_H

#include "base/err.h"

#include <stdarg.h>

/* Print "tool: ", what kind of message it is, and the message. */
void kith_message(const char *tool, const char *kind, const char *fmt, va_list ap)
    KITH_PRINTF(3, 0);

/* Print "tool: ", what kind of message it is, "file:line: message", and more. */
void kith_message_error(
    const char *tool, const char *kind, const struct kith_err *err, const char *more);

/* Print a line of the log: a key, a tab and a value. */
void kith_message_pair(const char *key, const char *value);

/* Print the end of a line. */
void kith_message_end(const char *s);

#endif
