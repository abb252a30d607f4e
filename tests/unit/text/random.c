/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of text/rec.h with random texts: on 1 and on 3 threads, in blocks of 1 to 40 bytes, plain
 * or gzip, the records, notes and errors are those of one large block, and those of a plain reader
 * of the rules, byte by byte, that stands here.
 */
#include "text/rec.h"

#include "base/err.h"
#include "base/rng.h"
#include "dump.h"
#include "scratch.h"
#include "tap.h"
#include "zipped.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { LENGTH = 160 }; /* bytes of a text at most */

/* How a text ends, and what it has: each must occur in many of the texts. */
enum outcome { WHOLE, NULL_BYTE, BLANK_LINE, UNQUOTED, ENDLESS, LONE_CR, CR_CR_LF, HASH, OUTCOMES };
static const char *const message[] = {"", "null byte: not a text file", "blank line",
    "text behind a closing quotation mark", "quoted cell without end",
    "a lone CR: lines end with LF or CRLF (tr '\\r' '\\n'?)",
    "a line that ends with CR CR LF (tr -d '\\r'?)", "a header behind '#'? (remove the '#')"};

/* Prints a cell and its number. */
static void
add_cell(struct dump *d, const char *s, bool quoted, double number)
{
	add(d, "%s%s=%.17g|", s, quoted ? "q" : "", number + 0.0); /* -0 is 0 */
}

/* ---- The plain reader. ---- */

struct text {
	const char *s;
	size_t len;
	char sep;
};

static bool
is_blank(const struct text *t, char c)
{
	return (c == ' ' || c == '\t') && c != t->sep && t->sep != KITH_SEP_BLANKS;
}

static bool
is_delimiter(const struct text *t, char c)
{
	return t->sep == KITH_SEP_BLANKS ? c == ' ' || c == '\t' : c == t->sep;
}

/* Returns where the line that holds byte `at` ends: its LF, or the end of the text. */
static size_t
line_end(const struct text *t, size_t at)
{
	while (at < t->len && t->s[at] != '\n')
		at++;
	return at;
}

/* Returns whether byte `at` is a CR that belongs to a line end. */
static bool
is_cr(const struct text *t, size_t at)
{
	return t->s[at] == '\r' && (at + 1 == t->len || t->s[at + 1] == '\n');
}

static bool
is_line_end(const struct text *t, size_t at)
{
	return at == t->len || t->s[at] == '\n' || is_cr(t, at);
}

static bool
has_null_byte(const struct text *t, size_t at)
{
	return memchr(t->s + at, '\0', line_end(t, at) - at);
}

static bool
is_blank_line(const struct text *t, size_t at)
{
	while (at < t->len &&
	    (is_blank(t, t->s[at]) || (t->sep == KITH_SEP_BLANKS && is_delimiter(t, t->s[at]))))
		at++;
	return is_line_end(t, at);
}

/* Returns what a CR outside quotes, at a place that is no line end, breaks. */
static enum outcome
cr_outcome(const struct text *t, size_t at)
{
	while (at < t->len && t->s[at] == '\r')
		at++;
	return at == t->len || t->s[at] == '\n' ? CR_CR_LF : LONE_CR;
}

/* Moves i over all delimiters there are, where runs of blanks divide cells. */
static size_t
skip_run(const struct text *t, size_t i)
{
	while (t->sep == KITH_SEP_BLANKS && i < t->len && is_delimiter(t, t->s[i]))
		i++;
	return i;
}

/* Returns the number that a text is, [+-]?(D+(.D*)?|.D+)([eE][+-]?D+)? and finite, or NaN. */
static double
number_of(const char *s)
{
	const char *at = s + (*s == '+' || *s == '-');
	size_t digits = 0;
	double x;

	for (; isdigit((unsigned char)*at); at++)
		digits++;
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at); at++)
			digits++;
	if (digits == 0)
		return NAN;
	if (*at == 'e' || *at == 'E') {
		at++;
		at += *at == '+' || *at == '-';
		if (!isdigit((unsigned char)*at))
			return NAN;
		while (isdigit((unsigned char)*at))
			at++;
	}
	x = *at ? NAN : strtod(s, NULL);
	return isfinite(x) ? x : NAN;
}

/*
 * Reads the record that begins at *at, and moves *at behind its line end, and *line to the next
 * line.  Prints its cells, unless d is NULL; *delimiters counts the delimiters up to an error.
 */
static enum outcome
read_record(const struct text *t, size_t *at, size_t *line, size_t *delimiters, struct dump *d)
{
	size_t i = skip_run(t, *at);

	for (;;) { /* a cell a turn; t->s[i] is a delimiter at its end */
		char cell[LENGTH + 1];
		size_t n = 0, blanks = 0, start = i;
		bool quoted;

		while (start < t->len && is_blank(t, t->s[start]))
			start++;
		quoted = start < t->len && t->s[start] == '"';
		if (quoted) {
			for (i = start + 1;; i++) {
				if (i == t->len)
					return ENDLESS;
				if (t->s[i] == '"' && (i + 1 == t->len || t->s[i + 1] != '"'))
					break;
				if (t->s[i] == '"')
					i++;
				cell[n++] = t->s[i];
				if (t->s[i] == '\n') {
					++*line;
					if (i + 1 < t->len && has_null_byte(t, i + 1))
						return NULL_BYTE;
				}
			}
			for (i++; i < t->len && is_blank(t, t->s[i]);)
				i++;
			if (!is_line_end(t, i) && t->s[i] == '\r')
				return cr_outcome(t, i);
			if (!is_line_end(t, i) && !is_delimiter(t, t->s[i]))
				return t->sep == KITH_SEP_NONE ? UNQUOTED + OUTCOMES : UNQUOTED;
		} else {
			while (i < t->len && is_blank(t, t->s[i]))
				i++;
			for (; !is_line_end(t, i) && !is_delimiter(t, t->s[i]); i++) {
				if (t->s[i] == '\r')
					return cr_outcome(t, i);
				blanks = is_blank(t, t->s[i]) ? blanks + 1 : 0;
				cell[n++] = t->s[i];
			}
			n -= blanks;
		}
		cell[n] = '\0';
		if (d)
			add_cell(d, cell, quoted, number_of(cell));
		if (is_line_end(t, i) || is_line_end(t, skip_run(t, i)))
			break;
		++*delimiters;
		i = t->sep == KITH_SEP_BLANKS ? skip_run(t, i) : i + 1;
	}
	*at = line_end(t, i) + 1;
	++*line;
	return WHOLE;
}

/* Returns the delimiter of the record at `at`: the first of tab, comma, semicolon that it has. */
static char
find_delimiter(const struct text *t, size_t at)
{
	for (const char *sep = "\t,;"; *sep; sep++) {
		const struct text as = {t->s, t->len, *sep};
		size_t from = at, line = 0, delimiters = 0;

		read_record(&as, &from, &line, &delimiters, NULL);
		if (delimiters > 0)
			return *sep;
	}
	return KITH_SEP_NONE;
}

/* Returns whether a line..end-1 "# key<TAB>value" is a note, tab being its first tab. */
static bool
is_note(const char *line, const char *tab, const char *end, bool first)
{
	for (const char *c = line + 2; c < tab; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
			return false;
	return tab > line + 2 && (!first || !memchr(tab + 1, '\t', (size_t)(end - tab - 1)));
}

/* Returns whether a line..end-1 holds a delimiter. */
static bool
has_delimiter(const struct text *t, const char *line, const char *end)
{
	for (; line < end; line++)
		if (t->sep ? is_delimiter(t, *line) : *line == '\t' || *line == ',' || *line == ';')
			return true;
	return false;
}

/* Prints the notes, records and error of a text; returns how it ends. */
static enum outcome
read_plainly(struct dump *d, const char *s, size_t len, char sep)
{
	struct text t = {s, len, sep};
	size_t at = len >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
	size_t line = 1, blank = 0, delimiters;
	enum outcome got = WHOLE;
	struct dump notes = {0};
	bool first = true;

	while (at < len && got == WHOLE) {
		const size_t start = line, end = line_end(&t, at);
		const size_t stop = end - (end > at && is_cr(&t, end - 1));
		const char *tab = memchr(s + at, '\t', stop - at);

		const bool hash = first && stop > at && s[at] == '#';
		const bool spaced = hash && stop - at >= 2 && s[at + 1] == ' ';

		if (has_null_byte(&t, at)) {
			got = NULL_BYTE;
		} else if (hash && memchr(s + at, '\r', stop - at)) {
			got = cr_outcome(&t, at + strcspn(s + at, "\r"));
		} else if (hash &&
		    !(spaced && (!tab || is_note(s + at, tab, s + stop, !*notes.text))) &&
		    has_delimiter(&t, s + at, s + stop)) {
			got = HASH;
		} else if (spaced) {
			if (tab && is_note(s + at, tab, s + stop, !*notes.text))
				add(&notes, "%zu %.*s=%.*s\n", line, (int)(tab - s - (long)at) - 2,
				    s + at + 2, (int)(s + stop - tab) - 1, tab + 1);
			at = end + 1;
			line++;
			continue;
		} else if (is_blank_line(&t, at)) {
			blank = blank ? blank : line;
			at = end + 1;
			line++;
			continue;
		} else if (blank) {
			got = BLANK_LINE;
		} else {
			struct dump cells = {0};

			if (first && !t.sep)
				t.sep = find_delimiter(&t, at);
			got = read_record(&t, &at, &line, &delimiters, &cells);
			if (got == WHOLE)
				add(d, "%zu:%s\n", start, cells.text);
		}
		if (got != WHOLE)
			add(d, "%zu: (65) %s%s", got == BLANK_LINE ? blank : start,
			    message[got % OUTCOMES], got >= OUTCOMES ? " (-d space?)" : "");
		got %= OUTCOMES;
		first = false;
	}
	add(d, "%s", notes.text);
	return got;
}

/* ---- The reader of the library. ---- */

/* Prints the records and the error of a file, then its notes. */
static void
read_file(struct dump *d, const char *file, char sep, size_t threads, size_t block)
{
	struct kith_err err = {0};
	struct kith_rec r;
	struct dump notes = {0};
	int got = kith_rec_open(&r, file, sep, KITH_FORM_CSV, &err);

	d->len = 0;
	*d->text = '\0';
	if (got == 0) {
		r.numbers = true;
		r.threads = threads;
		r.block = block;
		while ((got = kith_rec_next(&r, &err)) > 0) {
			add(d, "%zu:", r.line);
			for (size_t i = 0; i < r.n; i++) {
				if (strlen(r.text[i].s) != r.text[i].len)
					abort();
				add_cell(d, r.text[i].s, r.text[i].quoted, r.number[i]);
			}
			add(d, "\n");
		}
		for (size_t i = 0; i < r.notes; i++)
			add(&notes, "%zu %s=%s\n", r.note[i].line, r.note[i].key, r.note[i].value);
		kith_rec_close(&r);
	}
	if (got < 0)
		add(d, "%zu: (%d) %s", err.line, err.status, err.msg);
	if (got < 0 && strcmp(err.file, file) != 0)
		abort();
	add(d, "%s", notes.text);
}

/* ---- Random texts. ---- */

#define PIECES(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char *const *const alphabets[] = {
    PIECES("1", ",", "2", "\n", ".", "\"", "3", "e", "\n", " ", "\r\n", "\"\"", "#", "4"),
    PIECES("\"", "\"", "a", ",", "\n", "\r", " ", "\t", "\"\",", ",\"", "\"\n", "\n\"", ";"),
    PIECES("1,", "2,", "x,", "\n", "\n", "\r\n", " ", "\"a\",", "\" b \" ,", "\"\"\"\"", "\n\n"),
    PIECES("-0", "+.5", "1.", "1e5", "1E-400", "1e999", "-1e+2", ".", "1e", "0x10", "inf", "nan",
	"NA", "?", "1_0", "--1", "00012", "\"7\"", "9007199254740993", ",", ",", ",", ",", "\n",
	"\n", "\t", ";"),
    PIECES("\r", "\r\n", "a", ",", "\r\r\n", "\n", "1", "\"", "\"x\",", "b\n", "a,b\r\n"),
    PIECES("# k\t1\n", "# \n", "# a b\r\n", "#", "\n", "a,b\n", "\t", " ", "\"x\"", "# a\tb"),
    PIECES("1,", "2", "3\n", "4,", "5 ", "\"6\",", ",\""),
    PIECES("\xEF\xBB\xBF", "a", ",", "\n", "\"", "\xFF", "\x80", "\v", "\f", "\x1F", "=", "'"),
};
static const char separators[] = {
    0, 0, 0, ',', '\t', ';', ' ', KITH_SEP_BLANKS, KITH_SEP_NONE, '1', '#', '\xFF'};

/* Makes a text of pieces of one alphabet, some with a comment, a mark and a null byte. */
static size_t
make_text(char *to, struct kith_rng *rng)
{
	const char *const
	    *piece = alphabets[kith_rng_below(rng, sizeof(alphabets) / sizeof(*alphabets))];
	const size_t most = kith_rng_below(rng, LENGTH - 20);
	size_t pieces = 0, len = 0;

	while (piece[pieces])
		pieces++;
	if (kith_rng_below(rng, 10) == 0)
		len += (size_t)sprintf(to + len, "\xEF\xBB\xBF");
	if (kith_rng_below(rng, 6) == 0)
		len += (size_t)sprintf(to + len, "# k\tv \r\n# x\n");
	while (len < most)
		len += (size_t)sprintf(to + len, "%s", piece[kith_rng_below(rng, pieces)]);
	if (len > 0 && kith_rng_below(rng, 12) == 0)
		to[kith_rng_below(rng, len)] = '\0';
	return len;
}

/* Shows a text that is read wrongly. */
static void
show(const char *s, size_t len, const char *due, const char *got)
{
	printf("# text: ");
	for (size_t i = 0; i < len; i++)
		printf(isprint((unsigned char)s[i]) ? "%c" : "\\x%02x", (unsigned char)s[i]);
	printf("\n# due: %s\n# got: %s\n", due, got);
}

int
main(void)
{
	const bool long_form = getenv("KITH_LONG");
	const size_t texts = long_form ? 100000 : 5000;
	size_t count[OUTCOMES] = {0}, wrong[3] = {0}, notes = 0, records = 0;
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < texts; i++) {
		static char s[LENGTH + 20];
		const char sep = separators[kith_rng_below(&rng, sizeof(separators))];
		const size_t len = make_text(s, &rng);
		const char *file = kith_rng_below(&rng, 8) ? scratch(0, s, len) : zipped(0, s, len);
		static struct dump due, got;

		due = (struct dump){0};
		count[read_plainly(&due, s, len, sep)]++;
		notes += strstr(due.text, "\n1 k=") || strncmp(due.text, "1 k=", 4) == 0;
		records += strchr(due.text, '|') != NULL;
		/*
		 * The short form has threads in a quarter of the texts: they take most of the time.
		 */
		for (size_t way = 0; way < (long_form || i % 4 == 0 ? 3U : 2U); way++) {
			const size_t block = way == 0 ? 0 : 1 + kith_rng_below(&rng, 40);

			read_file(&got, file, sep, way == 2 ? 3 : 1, block);
			if (strcmp(got.text, due.text) == 0)
				continue;
			if (wrong[way]++ == 0)
				show(s, len, due.text, got.text);
		}
	}
	is_size(wrong[0], 0, "one large block: as the plain reader says");
	is_size(wrong[1], 0, "blocks of 1 to 40 bytes on one thread: the same");
	is_size(wrong[2], 0, "blocks of 1 to 40 bytes on three threads: the same");
	for (size_t i = 0; i < OUTCOMES; i++)
		ok(count[i] > texts / 100, "%zu texts end so: '%s'", count[i], message[i]);
	ok(notes > texts / 50, "%zu texts have notes", notes);
	ok(records > texts / 2, "%zu texts have records", records);
	return done();
}
