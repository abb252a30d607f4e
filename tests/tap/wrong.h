/* SPDX-License-Identifier: BSD-2-Clause */
/* wrong - an error as text, to compare: its line and message, and a status that is not 65. */
#ifndef WRONG_H
#define WRONG_H

#include "base/err.h"

#include <stdio.h>

static inline const char *
wrong(const struct kith_err *err)
{
	static char text[600];
	const char *status = err->status == EX_DATAERR ? ""
	    : err->status == KITH_EX_USAGE             ? "usage "
	    : err->status == EX_NOINPUT                ? "no input "
						       : "other ";

	snprintf(text, sizeof(text), "%s%zu: %s", status, err->line, err->msg);
	return text;
}

#endif
