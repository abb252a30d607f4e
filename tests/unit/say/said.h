/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * said - stands in place of cli's warnings and log, and keeps them: a line each,
 * "warning: " or "log: " before it.
 */
#ifndef SAID_H
#define SAID_H

#include "cli/cli.h"
#include "cli/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char said_text[4000];
static bool said_quiet;

static inline void
said_add(const char *kind, const char *fmt, va_list ap)
{
	const size_t used = strlen(said_text);
	char line[600];

	vsnprintf(line, sizeof(line), fmt, ap);
	snprintf(said_text + used, sizeof(said_text) - used, "%s: %s\n", kind, line);
}

/* All since the last call. */
static inline const char *
said(void)
{
	static char last[sizeof(said_text)];

	strcpy(last, said_text);
	*said_text = '\0';
	return last;
}

void
kith_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	said_add("warning", fmt, ap);
	va_end(ap);
}

bool
kith_warns(void)
{
	return !said_quiet;
}

void
kith_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	said_add("say", fmt, ap);
	va_end(ap);
}

static inline void
said_log(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	said_add("log", fmt, ap);
	va_end(ap);
}

void
kith_log_text(const char *key, const char *value)
{
	said_log("%s %s", key, value);
}

void
kith_log_size(const char *key, uint64_t value)
{
	said_log("%s %" PRIu64, key, value);
}

void
kith_log_real(const char *key, double value)
{
	said_log("%s %g", key, value);
}

void
kith_log_line(const char *key, const char *fmt, ...)
{
	char line[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	said_log("%s %s", key, line);
}

#endif
