/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

int
kith_fail(struct kith_err *err, int status, const char *fmt, ...)
{
	va_list ap;

	*err = (struct kith_err){.status = status};
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -1;
}

int
kith_fail_at(struct kith_err *err, int status, const char *file, size_t line, const char *fmt, ...)
{
	va_list ap;

	*err = (struct kith_err){status, file, line, ""};
	va_start(ap, fmt);
	vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return -1;
}
