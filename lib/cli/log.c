/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/log.h"

#include "base/num.h"
#include "base/pool.h"
#include "base/progress.h"

#include <stdatomic.h>
#include <string.h>

/* The log, while it is open.  Lack of memory may close it from any thread. */
static struct kith_out out;
static atomic_bool is_open;

int
kith_log_open(const char *path, struct kith_err *err)
{
	static const char *const head[] = {"key", "value"};

	if (kith_out_open(&out, path, err))
		return -1;
	kith_out_header(&out, head, 2);
	is_open = true;
	return 0;
}

void
kith_log_text(const char *key, const char *value)
{
	if (is_open)
		kith_out_put(&out, "%s\t%s\n", key, value);
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
	if (is_open)
		kith_out_put(&out, "%s\t%G\n", key, value);
}

int
kith_log_close(int status, kith_out_unkept *tell, struct kith_err *err)
{
	kith_log_size("status", (size_t)status);
	kith_log_real("seconds", kith_progress_seconds());
	if (!atomic_exchange(&is_open, false))
		return 0;
	return kith_out_close_alone(&out, tell, err);
}

void
kith_log_drop(void)
{
	if (atomic_exchange(&is_open, false))
		kith_out_drop(&out);
}

/* Append a word to s[used], in quotes where sh(1) wants them; its length. */
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
