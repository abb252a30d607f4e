/* SPDX-License-Identifier: BSD-2-Clause */
/* dump - what a test reads, written out as text to compare. */
#ifndef DUMP_H
#define DUMP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct dump {
	char text[4096];
	size_t len;
};

static inline void add(struct dump *d, const char *fmt, ...)
    __attribute__((__format__(__printf__, 2, 3)));

static inline void
add(struct dump *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	d->len += (size_t)vsnprintf(d->text + d->len, sizeof(d->text) - d->len, fmt, ap);
	va_end(ap);
	if (d->len >= sizeof(d->text))
		abort();
}

#endif
