/* SPDX-License-Identifier: BSD-2-Clause */
#include "cli/message.h"

#include "base/progress.h"

#include <stdio.h>

/* Print s on standard error, as one line whatever its bytes. */
static void
say(const char *s)
{
	for (; *s; s++)
		if (' ' <= *s && *s <= '~')
			putc(*s, stderr);
		else
			fprintf(stderr, "\\x%02X", (unsigned char)*s);
}

void
kith_message_end(const char *s)
{
	say(s);
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
kith_message_pair(const char *key, const char *value)
{
	kith_progress_hold();
	fprintf(stderr, "%s\t", key);
	kith_message_end(value);
	kith_progress_release();
}

void
kith_message_error(const char *tool, const char *kind, const struct kith_err *err, const char *more)
{
	kith_progress_hold();
	fprintf(stderr, "%s: %s", tool, kind);
	if (err->file)
		say(err->file);
	if (err->line)
		fprintf(stderr, ":%zu", err->line);
	fputs(err->file ? ": " : "", stderr);
	say(err->msg);
	kith_message_end(more);
	kith_progress_release();
}
