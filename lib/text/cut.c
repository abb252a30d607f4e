/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/cut.h"

#include "base/pool.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static enum kith_cut_place
behind_quote(enum kith_cut_place at)
{
	switch (at) {
	case KITH_CUT_START:
	case KITH_CUT_CLOSED:
		return KITH_CUT_QUOTED;
	case KITH_CUT_QUOTED:
		return KITH_CUT_CLOSED;
	case KITH_CUT_PLAIN:
		return KITH_CUT_PLAIN;
	default:
		return KITH_CUT_BROKEN;
	}
}

static enum kith_cut_place
behind(enum kith_cut_place at, char c, char sep)
{
	if (c == '"')
		return behind_quote(at);
	if (at == KITH_CUT_QUOTED)
		return at;
	if (c == sep)
		return KITH_CUT_START;
	if (at == KITH_CUT_START || at == KITH_CUT_PLAIN)
		return KITH_CUT_PLAIN;
	return kith_is_blank(c, sep) ? KITH_CUT_DONE : KITH_CUT_BROKEN;
}

enum kith_cut_place
kith_cut_walk(
    enum kith_cut_place at, const char *s, size_t len, char sep, size_t *cuts)
{
	for (const char *end = s + len; s < end && at != KITH_CUT_BROKEN; s++) {
		at = behind(at, *s, sep);
		*cuts += at == KITH_CUT_START;
	}
	return at;
}

/* Add a cell at the end; its content is still to be set. */
static struct kith_cell *
add_cell(struct kith_cut *cut)
{
	if (cut->n == cut->room) {
		cut->room = 2 * cut->n + 64;
		cut->cell = kith_grow(
		    cut->pool, cut->cell, cut->room, sizeof(*cut->cell));
	}
	return &cut->cell[cut->n++];
}

/* Make the cell the bytes s..end-1 less the blanks around; *end is changed. */
static inline void
set_cell(struct kith_cell *c, char *s, char *end, char sep)
{
	while (s < end && kith_is_blank(*s, sep))
		s++;
	while (s < end && kith_is_blank(end[-1], sep))
		end--;
	*end = '\0';
	*c = (struct kith_cell){.s = s, .len = (size_t)(end - s)};
}

#ifdef __SSE2__

/* Bit i is set where s[i] is wanted, for 16 bytes. */
static inline uint64_t
find_some(const char *s, __m128i wanted)
{
	const __m128i v = _mm_loadu_si128((const __m128i *)s);

	return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(v, wanted));
}

/* The same for 64 bytes. */
static inline uint64_t
find_all(const char *s, __m128i wanted)
{
	return find_some(s, wanted) | find_some(s + 16, wanted) << 16 |
	    find_some(s + 32, wanted) << 32 | find_some(s + 48, wanted) << 48;
}

void
kith_cut_plain(struct kith_cut *cut, char *s, size_t len, char sep)
{
	const __m128i wanted = _mm_set1_epi8(sep);
	char *cell = s;

	for (size_t at = 0; at < len; at += 64) {
		uint64_t bits = find_all(s + at, wanted);

		if (len - at < 64)
			bits &= ((uint64_t)1 << (len - at)) - 1;
		for (; bits; bits &= bits - 1) {
			char *to = s + at + __builtin_ctzll(bits);

			set_cell(add_cell(cut), cell, to, sep);
			cell = to + 1;
		}
	}
	set_cell(add_cell(cut), cell, s + len, sep);
}

#else

void
kith_cut_plain(struct kith_cut *cut, char *s, size_t len, char sep)
{
	char *const end = s + len;
	char *to;

	while ((to = memchr(s, sep, (size_t)(end - s)))) {
		set_cell(add_cell(cut), s, to, sep);
		s = to + 1;
	}
	set_cell(add_cell(cut), s, end, sep);
}

#endif

/* Nothing but quotes, dividers and the newline is special here. */
static int
is_space(unsigned char c)
{
	(void)c;
	return 0;
}

static int
is_end(unsigned char c)
{
	return c == '\n';
}

void
kith_cut_begin(struct kith_cut *cut, struct kith_pool *pool)
{
	*cut = (struct kith_cut){.pool = pool};
	csv_init(&cut->csv, CSV_APPEND_NULL);
	csv_set_space_func(&cut->csv, is_space);
	csv_set_term_func(&cut->csv, is_end);
}

void
kith_cut_end(struct kith_cut *cut)
{
	csv_free(&cut->csv);
}

/* Take the blanks behind quoted cells out of s, and add a cell for each. */
static size_t
take_blanks(struct kith_cut *cut, char *s, size_t len, char sep)
{
	struct kith_cell *c = add_cell(cut);
	enum kith_cut_place at = KITH_CUT_START;
	char *to = s;

	c->quoted = false;
	for (size_t i = 0; i < len; i++) {
		if (at == KITH_CUT_START)
			c->quoted = s[i] == '"';
		at = behind(at, s[i], sep);
		if (at == KITH_CUT_START) {
			c = add_cell(cut);
			c->quoted = false;
		}
		if (at != KITH_CUT_DONE)
			*to++ = s[i];
	}
	*to = '\n';
	return (size_t)(to - s);
}

/*
 * The text of a cell is no longer than what libcsv has read for it, so the
 * record itself has room for it.
 */
static void
on_cell(void *s, size_t len, void *to)
{
	struct kith_cut *cut = to;
	struct kith_cell *c = &cut->cell[cut->given++];
	char *text = cut->text;

	assert(cut->given <= cut->n);
	memcpy(text, s, len);
	text[len] = '\0';
	cut->text += len + 1;
	if (c->quoted)
		*c = (struct kith_cell){.s = text, .len = len, .quoted = true};
	else
		set_cell(c, text, text + len, cut->sep);
}

void
kith_cut_quoted(struct kith_cut *cut, char *s, size_t len, char sep)
{
	cut->given = cut->n;
	cut->text = s;
	cut->sep = sep;
	len = take_blanks(cut, s, len, sep);
	/* A record has no null byte: one cell, where a newline divides. */
	csv_set_delim(&cut->csv, sep == '\n' ? '\0' : (unsigned char)sep);
	/* libcsv's buffer grows by this much: once is enough. */
	csv_set_blk_size(&cut->csv, len + 4096);
	if (csv_parse(&cut->csv, s, len + 1, on_cell, NULL, cut) != len + 1)
		kith_no_memory(1, len);
	assert(cut->given == cut->n);
}
