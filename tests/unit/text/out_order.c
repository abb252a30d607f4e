/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/text/out.h: when files reach the disk.  What is left when system calls fail is judged by
 * tests/torture.
 */
#define _DEFAULT_SOURCE /* NOLINT: for syscall() */

#include "text/out.h"

#include "base/err.h"
#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { FILES = 3, MOST = 16 };

/* The regular files that were synced, and those that were renamed. */
static ino_t synced[MOST];
static size_t syncs, renames, too_early, too_late;

/* These stand in for those of the C library. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int
fsync(int fd)
{
	struct stat st;

	fstat(fd, &st);
	if (S_ISREG(st.st_mode)) {
		synced[syncs++ % MOST] = st.st_ino;
		too_late += renames > 0;
	}
	return (int)syscall(SYS_fsync, fd);
}

int
rename(const char *from, const char *to)
{
	bool whole = false;
	struct stat st;

	stat(from, &st);
	for (size_t i = 0; i < MOST && i < syncs; i++)
		whole |= synced[i] == st.st_ino;
	too_early += !whole;
	renames++;
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

/* An old file, a link to another, and a new one. */
int
main(void)
{
	static const char *const paths[FILES] = {"old", "link", "new"};
	char dir[] = "/tmp/kith-order-XXXXXX";
	struct kith_out out[FILES];
	struct kith_err err;
	size_t whole = 0;
	FILE *f;

	if (!mkdtemp(dir) || chdir(dir) || symlink("end", "link") || !(f = fopen("old", "w")) ||
	    fclose(f))
		return 1;
	for (size_t i = 0; i < FILES; i++)
		if (kith_out_open(&out[i], paths[i], &err))
			return 1;
	for (size_t i = 0; i < FILES; i++) {
		kith_out_text(&out[i], "after");
		whole += kith_out_close(&out[i], &err) == 0;
	}
	ok(whole == FILES && kith_atomic_settle(NULL, &err) == 0, "three files");
	is_size(renames, FILES, "each is renamed");
	is_size(too_early, 0, "when it has reached the disk");
	is_size(too_late, 0, "and all have before the first is");
	if (unlink("old") || unlink("end") || unlink("link") || unlink("new") || rmdir(dir))
		printf("# %s stays\n", dir);
	return done();
}
