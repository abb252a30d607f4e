/* SPDX-License-Identifier: BSD-2-Clause */
/* scratch - files of the test's own, for what reads files. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCRATCHES = 4 };

static char scratch_dir[] = "/tmp/kith-test-XXXXXX";
static char scratch_path[SCRATCHES][64];

static inline void
scratch_remove(void)
{
	for (size_t i = 0; i < SCRATCHES; i++)
		if (*scratch_path[i])
			unlink(scratch_path[i]);
	rmdir(scratch_dir);
}

/* Write len bytes to file i of the test, removed at its end; the path. */
static inline const char *
scratch(size_t i, const void *bytes, size_t len)
{
	FILE *f;

	if (strstr(scratch_dir, "XXXXXX")) {
		if (!mkdtemp(scratch_dir) || atexit(scratch_remove))
			abort();
	}
	snprintf(scratch_path[i], sizeof(scratch_path[i]), "%s/%zu", scratch_dir, i);
	f = fopen(scratch_path[i], "wb");
	if (!f || fwrite(bytes, 1, len, f) != len || fclose(f) != 0)
		abort();
	return scratch_path[i];
}

/* The same for a text. */
static inline const char *
scratch_text(size_t i, const char *text)
{
	return scratch(i, text, strlen(text));
}

#endif
