/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/log - what a run did, as a table of key and value: the file of --log.
 *
 * It is no part of the files that appear together (text/out.h): it is written
 * however the run ends, but by a signal, and last of all.  There is one log;
 * what goes there when it is not open is dropped.
 */
#ifndef KITH_CLI_LOG_H
#define KITH_CLI_LOG_H

#include "text/out.h"

#include <stdint.h>

struct kith_err;
struct kith_pool;

/* Open it, with the header; fails as kith_out_open() does. */
int kith_log_open(const char *path, struct kith_err *err);

/* Keep a line: key and value. */
void kith_log_text(const char *key, const char *value);
void kith_log_size(const char *key, uint64_t value);
void kith_log_real(const char *key, double value);

/*
 * Add the status and the seconds since kith_progress_begin(), and let the file
 * appear; `tell` as for kith_out_settle().  Does nothing when it is not open.
 * Fails as kith_out_close() does; it is not open then, either.
 */
int kith_log_close(int status, kith_out_unkept *tell, struct kith_err *err);

/* The words as a line that sh(1) divides into them again, in the pool. */
char *kith_log_words(char *const *word, struct kith_pool *pool);

/* Leave what has the name of the log as it is. */
void kith_log_drop(void);

#endif
