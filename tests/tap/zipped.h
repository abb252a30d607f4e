/* SPDX-License-Identifier: BSD-2-Clause */
/* zipped - gzip files of the test's own, for what reads files. */
#ifndef ZIPPED_H
#define ZIPPED_H

#include "scratch.h"

#include <zlib.h>

/* Write len bytes, as gzip, to file i of the test, removed at its end; the path. */
static inline const char *
zipped(size_t i, const void *bytes, size_t len)
{
	const char *path = scratch(i, "", 0);
	gzFile f = gzopen(path, "wb1");

	if (!f || gzwrite(f, bytes, (unsigned)len) != (int)len || gzclose(f) != Z_OK)
		abort();
	return path;
}

#endif
