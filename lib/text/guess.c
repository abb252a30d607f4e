/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/guess.h"

#include "base/err.h"
#include "base/num.h"
#include "text/lines.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { ROWS = 5, COMMENTS = 500 }; /* lines that are looked at */

static const struct {
	const char *bytes;
	size_t len;
	const char *what;
} other[] = {
    {"PAR1", 4, "Parquet (write it as CSV?)"},
    {"ARROW1", 6, "Arrow (write it as CSV?)"},
    {"SQLite format 3", 16, "SQLite (sqlite3 -header -csv?)"},
    {"\x89HDF\r\n\x1a\n", 8, "HDF5 (write it as CSV or .npy?)"},
    {"X\n\0\0\0", 5, "rds of R (write.csv?)"},
    {"RDX2\n", 5, "RData of R (write.csv?)"},
    {"RDX3\n", 5, "RData of R (write.csv?)"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 8, "Excel (save it as CSV?)"},
};

int
kith_guess_refuse(
    const char *file, const char *start, size_t len, struct kith_err *err)
{
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++)
		if (len >= other[i].len &&
		    memcmp(start, other[i].bytes, other[i].len) == 0)
			return kith_fail_at(
			    err, EX_DATAERR, file, 0, "%s", other[i].what);
	return 0;
}

/* The next word of s..end-1, at s, its length; 0: none. */
static size_t
find_word(const char **s, const char *end)
{
	const char *to;

	while (*s < end && (**s == ' ' || **s == '\t' || **s == '\r'))
		++*s;
	to = *s;
	while (to < end && *to != ' ' && *to != '\t' && *to != '\r')
		to++;
	return (size_t)(to - *s);
}

/* Whether these bytes are a number. */
static bool
is_number(const char *s, size_t len)
{
	char word[64];
	double x;

	if (len >= sizeof(word))
		return false;
	memcpy(word, s, len);
	word[len] = '\0';
	return kith_parse_real(word, len, &x) == KITH_NUM_OK;
}

/* Whether the word is INDEX:VALUE, or qid:N. */
static bool
is_pair(const char *s, size_t len)
{
	const char *colon = memchr(s, ':', len);
	const size_t at = colon ? (size_t)(colon - s) : 0;

	if (!colon || !is_number(colon + 1, len - at - 1))
		return false;
	return (at == 3 && memcmp(s, "qid", 3) == 0) ||
	    (at > 0 && strspn(s, "0123456789") == at);
}

static bool
is_svmlight(const char *s, size_t len)
{
	const char *end = s + len;
	size_t word = find_word(&s, end), pairs = 0;

	if (word == 0 || !is_number(s, word))
		return false;
	for (;;) {
		s += word;
		word = find_word(&s, end);
		if (word == 0 || *s == '#')
			return pairs > 0;
		if (!is_pair(s, word))
			return false;
		pairs++;
	}
}

static bool
is_relation(const char *s, size_t len)
{
	return len > 9 && strncasecmp(s, "@relation", 9) == 0;
}

int
kith_guess_first(struct kith_lines *l, size_t end, struct kith_err *err)
{
	struct kith_err ignored;
	size_t at = 0;

	if (is_svmlight(l->buf + l->from, end))
		return kith_fail_at(err, EX_DATAERR, l->file, l->passed + 1,
		    "LABEL INDEX:VALUE ... (--format svmlight?)");
	/* ARFF may begin with comments and blank lines. */
	for (int i = 0; i < COMMENTS; i++) {
		const char *line = l->buf + l->from + at;

		if (is_relation(line, end - at))
			return kith_fail_at(err, EX_DATAERR, l->file, 0,
			    "ARFF (write it as CSV?)");
		if (i == 0 && *line != '%')
			break;
		if (end - at > 1 && *line != '%')
			break;
		at = end + kith_lines_is_read(l, end);
		if (kith_lines_have(l, at, &end, &ignored) <= 0)
			break;
	}
	return 0;
}

/*
 * How many cells sep, a blank or '|', divides the line into; 0 where they are
 * to be numbers, and one is none.  *runs: blanks stand together, or first.
 */
static size_t
count(const char *s, size_t len, char sep, bool numbers, bool *runs)
{
	const char *const end = s + len;
	size_t n = 0;

	for (;;) {
		const char *from = s;
		const size_t word = find_word(&s, end);
		const char *bar = sep == ' ' ? NULL : memchr(s, sep, word);
		const size_t cell = bar ? (size_t)(bar - s) : word;

		*runs = *runs || s - from > (n > 0);
		if (word == 0 && sep == ' ')
			return n;
		if (numbers && !is_number(s, cell))
			return 0;
		n++;
		s += cell;
		if (sep != ' ' && find_word(&s, end) == 0)
			return n;
		if (sep != ' ' && *s++ != sep)
			return 0;
	}
}

/* The same of all lines, or 0 where they differ. */
static size_t
count_all(struct kith_lines *l, size_t end, char sep, bool *runs)
{
	size_t at = 0, n = 0;
	int row;

	for (row = 0; row <= ROWS; row++) {
		const char *line = l->buf + l->from + at;
		const size_t cells = count(line, end - at, sep, row > 0, runs);
		struct kith_err ignored;

		if (cells < 2 || (row > 0 && cells != n) ||
		    memchr(line, '"', end - at))
			return 0;
		n = cells;
		at = end + kith_lines_is_read(l, end);
		if (kith_lines_have(l, at, &end, &ignored) <= 0)
			break;
	}
	return row > 0 ? n : 0;
}

int
kith_guess_divided(struct kith_lines *l, size_t end, struct kith_err *err)
{
	bool runs = false;

	if (count_all(l, end, '|', &runs))
		return kith_fail_at(err, EX_DATAERR, l->file, l->passed + 1,
		    "cells divided by '|' (-d '|'?)");
	runs = false;
	if (count_all(l, end, ' ', &runs))
		return kith_fail_at(err, EX_DATAERR, l->file, l->passed + 1,
		    "cells divided by blanks (%s?)",
		    runs ? "tr -s ' ' '\\t'" : "-d ' '");
	return 0;
}
