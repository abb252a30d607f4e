/* SPDX-License-Identifier: BSD-2-Clause */
/* fuzz - what the fuzz targets share: a file with the bytes under test. */
#ifndef FUZZ_H
#define FUZZ_H

#include "base/err.h"
#include "base/pool.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* In memory, where there is such a folder: a disk would be waited for. */
#define FUZZ_MEMORY "/dev/shm"

static char fuzz_path[2][40];
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
	if (!fuzz_fd[i]) {
		snprintf(fuzz_path[i], sizeof(fuzz_path[i]), "%s/kith-fuzz-XXXXXX",
		    access(FUZZ_MEMORY, W_OK) ? "/tmp" : FUZZ_MEMORY);
		fuzz_fd[i] = mkstemp(fuzz_path[i]);
	}
	if (fuzz_fd[i] < 0 || ftruncate(fuzz_fd[i], 0) ||
	    pwrite(fuzz_fd[i], bytes, len, 0) != (ssize_t)len)
		abort();
	return fuzz_path[i];
}

/* What reads a file: 0, or -1 and what is wrong with it. */
typedef int fuzz_reader(const char *file, struct kith_pool *pool, struct kith_err *err);

/* Read a file of these bytes; a failure has a status and a message. */
static inline void
fuzz_read(fuzz_reader *reader, const uint8_t *bytes, size_t len)
{
	const char *file = fuzz_file(0, bytes, len);
	struct kith_pool pool = {0};
	struct kith_err err = {0};
	const int got = reader(file, &pool, &err);

	if (got < -1 || got > 0 || (got < 0 && (!err.status || !err.msg[0])))
		abort();
	kith_pool_free(&pool);
}

#endif
