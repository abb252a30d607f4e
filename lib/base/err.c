/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>

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

void (*kith_on_remark)(enum kith_remark_kind kind, const struct kith_err *remark);

void
kith_remark(enum kith_remark_kind kind, const char *file, size_t line, const char *fmt, ...)
{
	struct kith_err remark = {0, file, line, ""};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(remark.msg, sizeof(remark.msg), fmt, ap);
	va_end(ap);
	if (kith_on_remark)
		kith_on_remark(kind, &remark);
}
