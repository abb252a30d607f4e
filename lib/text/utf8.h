/* SPDX-License-Identifier: BSD-2-Clause */
/* text/utf8 - characters as UTF-8. */
#ifndef KITH_TEXT_UTF8_H
#define KITH_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

enum { KITH_UTF8_ROOM = 4 }; /* bytes of a character */

/*
 * The length of the well-formed character that a text begins with (The
 * Unicode Standard, table 3-7), or 0.  A null byte ends the text.
 */
size_t kith_utf8_length(const char *text);

/* Write a character; its length, or 0 where there is none of this number. */
size_t kith_utf8_put(char to[KITH_UTF8_ROOM], uint32_t c);

#endif
