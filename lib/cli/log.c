/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/log.h"

#include "base/num.h"
#include "base/pool.h"
#include "base/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_bool is_open; /* lines are printed */

/*
 * Returns the number of bytes of the printable character at the start of s: 1 in ASCII, 2 to 4 in
 * UTF-8 (RFC 3629, section 4); 0 where s does not start with one.  Not printable are controls, the
 * marks of direction and of line ends, and characters without a width: these would hide text, or
 * print it in another order.
 */
static size_t
printable_bytes(const char *s)
{
	const unsigned char *b = (const unsigned char *)s;
	const size_t n = b[0] < 0x80 ? 1 : b[0] < 0xE0 ? 2 : b[0] < 0xF0 ? 3 : 4;
	static const unsigned long least[] = {0, ' ', 0xA0, 0x800, 0x10000};
	unsigned long c = n == 1 ? b[0] : b[0] & (0x7FU >> n);

	if ((0x80 <= b[0] && b[0] < 0xC2) || b[0] > 0xF4)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((b[i] & 0xC0) != 0x80) /* also the null byte at the end of s */
			return 0;
		c = c << 6 | (b[i] & 0x3FU);
	}
	if (c < least[n] || c > 0x10FFFF || c == 0x7F || c == 0xAD ||
	    (0xD800 <= c && c <= 0xDFFF) || c == 0x61C || (0x200B <= c && c <= 0x200F) ||
	    (0x2028 <= c && c <= 0x202E) || (0x2060 <= c && c <= 0x206F) || c == 0xFEFF ||
	    (0xFFF0 <= c && c <= 0xFFFF) || c >= 0xE0000)
		return 0;
	return n;
}

/* Prints s on standard error, as one line whatever its bytes. */
static void
print_escaped(const char *s)
{
	while (*s) {
		const size_t n = printable_bytes(s);

		if (n > 0)
			fwrite(s, 1, n, stderr);
		else
			fprintf(stderr, "\\x%02X", (unsigned char)*s);
		s += n > 0 ? n : 1;
	}
}

void
kith_message_end(const char *s)
{
	print_escaped(s);
	putc('\n', stderr);
}

void
kith_message(const char *tool, const char *kind, const char *fmt, va_list ap)
{
	char message[sizeof(((struct kith_err *)0)->msg)];

	vsnprintf(message, sizeof(message), fmt, ap);
	kith_progress_hold();
	fprintf(stderr, "%s: %s", tool, kind);
	kith_message_end(message);
	kith_progress_release();
}

void
kith_message_error(const char *tool, const char *kind, const struct kith_err *err, const char *more)
{
	kith_progress_hold();
	fprintf(stderr, "%s: %s", tool, kind);
	if (err->file)
		print_escaped(err->file);
	if (err->line)
		fprintf(stderr, ":%zu", err->line);
	fputs(err->file ? ": " : "", stderr);
	print_escaped(err->msg);
	kith_message_end(more);
	kith_progress_release();
}

void
kith_log_begin(void)
{
	is_open = true;
}

void
kith_log_text(const char *key, const char *value)
{
	if (!is_open)
		return;
	kith_progress_hold();
	fprintf(stderr, "%s\t", key);
	kith_message_end(value);
	kith_progress_release();
}

void
kith_log_size(const char *key, uint64_t value)
{
	char digits[KITH_NUM_ROOM];

	kith_format_size(digits, value);
	kith_log_text(key, digits);
}

void
kith_log_real(const char *key, double value)
{
	char digits[KITH_NUM_ROOM] = "NA";

	if (!isnan(value))
		kith_format_real(digits, value);
	kith_log_text(key, digits);
}

void
kith_log_line(const char *key, const char *format, ...)
{
	char value[sizeof(((struct kith_err *)0)->msg)];
	va_list ap;

	va_start(ap, format);
	vsnprintf(value, sizeof(value), format, ap);
	va_end(ap);
	kith_log_text(key, value);
}

void
kith_log_end(int status)
{
	kith_log_size("status", (size_t)status);
	kith_log_real("seconds", kith_progress_seconds());
	is_open = false;
}

/* Writes a word to s, in quotes where sh(1) needs them; returns the length. */
static size_t
quote(char *s, const char *word)
{
	char *to = s;
	const bool plain = *word &&
	    !word[strspn(word,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_@%+=:,./-")];

	if (!plain)
		*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'') {
			*to++ = '\'';
			*to++ = '\\';
			*to++ = '\'';
		}
		*to++ = *word;
	}
	if (!plain)
		*to++ = '\'';
	return (size_t)(to - s);
}

char *
kith_log_words(char *const *word, struct kith_pool *pool)
{
	size_t room = 1, used = 0;
	char *line;

	for (char *const *w = word; *w; w++)
		room += 4 * strlen(*w) + 3;
	line = kith_new(pool, room, 1);
	for (; *word; word++) {
		if (used > 0)
			line[used++] = ' ';
		used += quote(line + used, *word);
	}
	return line;
}
