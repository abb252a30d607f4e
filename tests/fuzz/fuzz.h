/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz - what the fuzz targets share: a file with the bytes under test. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static char fuzz_path[2][32] = {
    "/tmp/kith-fuzz-XXXXXX", "/tmp/kith-fuzz-XXXXXX"};
static int fuzz_fd[2];

static inline void
fuzz_remove(void)
{
	for (size_t i = 0; i < 2; i++)
		if (fuzz_fd[i])
			unlink(fuzz_path[i]);
}

/* File i, 0 or 1, with these bytes; its path. */
static inline const char *
fuzz_file(size_t i, const void *bytes, size_t len)
{
	if (!fuzz_fd[0] && !fuzz_fd[1])
		atexit(fuzz_remove);
	if (!fuzz_fd[i])
		fuzz_fd[i] = mkstemp(fuzz_path[i]);
	if (fuzz_fd[i] < 0 || ftruncate(fuzz_fd[i], 0) ||
	    pwrite(fuzz_fd[i], bytes, len, 0) != (ssize_t)len)
		abort();
	return fuzz_path[i];
}

#endif
