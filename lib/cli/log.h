/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/log - what -v prints on standard error: lines "key<TAB>value", from the version and the
 * arguments of the run to its status and its seconds.
 *
 * Messages (cli/message.h) stand between the lines; they hold no tab.  Each value is printed as
 * one line; a byte that is no printable ASCII character is printed as \xHH.  Nothing is printed
 * before kith_log_begin() was called.
 */
#ifndef KITH_CLI_LOG_H
#define KITH_CLI_LOG_H

#include "base/err.h"

#include <stdint.h>

struct kith_pool;

/* Begins the log: lines are printed from now on. */
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
