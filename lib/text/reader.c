/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/reader.h"

#include "base/err.h"

int
kith_reader_width(const char *file, size_t p, struct kith_err *err)
{
	if (p == 0)
		return kith_fail_at(err, EX_DATAERR, file, 0, "no column");
	if (p > KITH_READER_WIDEST)
		return kith_fail_at(err, EX_DATAERR, file, 0,
		    "%zu columns, where %d are the most", p,
		    KITH_READER_WIDEST);
	return 0;
}
