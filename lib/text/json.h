/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text/json - texts as strings of JSON (RFC 8259).
 *
 * Escaped are the quotation mark, the backslash and what is below the blank.
 * Well-formed UTF-8 stays as it is; each other byte becomes U+FFFD.
 */
#ifndef KITH_TEXT_JSON_H
#define KITH_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>

struct kith_pool;

enum { KITH_JSON_PIECE = 8 };

/*
 * Write the character that *s, which is not empty, begins with, as it stands
 * within a string, without a null byte, and go on behind it; the bytes written.
 * *other is set where it is no UTF-8.
 */
size_t kith_json_next(const char **s, char piece[KITH_JSON_PIECE], bool *other);

/* The whole text, in quotes, in the pool. */
char *kith_json_text(const char *s, bool *other, struct kith_pool *pool);

#endif
