/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/npy_cell.h"

#include "text/npy_head.h"
#include "text/utf8.h"

#include <stdint.h>
#include <string.h>

double
kith_npy_number(const struct kith_npy_column *c, const unsigned char *from)
{
	unsigned char b[8] = {0};

	if (c->swap) {
		for (size_t i = 0; i < c->size; i++)
			b[i] = from[c->size - 1 - i];
		from = b;
	}
#define CASE(letter, bytes, type) \
	case letter << 4 | (bytes): { \
		type v; \
		memcpy(&v, from, bytes); \
		return (double)v; \
	}
	switch (c->type << 4 | (int)c->size) {
		CASE('f', 8, double)
		CASE('f', 4, float)
		CASE('i', 8, int64_t)
		CASE('i', 4, int32_t)
		CASE('i', 2, int16_t)
		CASE('i', 1, int8_t)
		CASE('u', 8, uint64_t)
		CASE('u', 4, uint32_t)
		CASE('u', 2, uint16_t)
		CASE('u', 1, uint8_t)
	default: /* b1 */
		return *from != 0;
	}
#undef CASE
}

/* The length of the text of a cell: null bytes behind it fill the cell. */
static size_t
length(const unsigned char *from, size_t size)
{
	while (size > 0 && from[size - 1] == 0)
		size--;
	return size;
}

/* A character of 4 bytes. */
static uint32_t
load_character(const unsigned char *from, bool low_last)
{
	uint32_t c = 0;

	for (int i = 0; i < 4; i++)
		c |= (uint32_t)from[i] << 8 * (low_last ? 3 - i : i);
	return c;
}

static const char null_byte[] = "a null byte in a text";

/* A text of n bytes, one by one: most are short.  NULL, or why it is none. */
static const char *
text_of_bytes(const unsigned char *from, size_t n, char *to)
{
	bool null = false;

	for (size_t i = 0; i < n; i++) {
		to[i] = (char)from[i];
		null = null || !from[i];
	}
	to[n] = '\0';
	return null ? null_byte : NULL;
}

const char *
kith_npy_text(const struct kith_npy_column *column, const unsigned char *from,
    char *to, size_t *len)
{
	size_t n = length(from, column->size);

	*len = 0;
	if (column->type == 'S') {
		*len = n;
		return text_of_bytes(from, n, to);
	}
	n = (n + 3) / 4 * 4;
	for (size_t i = 0; i < n; i += 4) {
		const size_t more = kith_utf8_put(
		    to + *len, load_character(from + i, column->low_last));

		if (more == 0)
			return "a character that is none";
		*len += more;
	}
	to[*len] = '\0';
	return memchr(to, '\0', *len) ? null_byte : NULL;
}
