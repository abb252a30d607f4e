/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/text/out.h when system calls fail: the n-th of each kind, once or from then on, with
 * several errors.  Each file is the old one or the new one, whole; it is synced before it is renamed.
 */
#define _DEFAULT_SOURCE /* NOLINT: for syscall() */

#include "text/out.h"

#include "base/err.h"
#include "entries.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Before 2.33 stat() of glibc calls another function, which cannot fail here. */
#if defined(__GLIBC__) && !__GLIBC_PREREQ(2, 33)
#define CALLS_STAT 0
#else
#define CALLS_STAT 1
#endif

enum call { STAT, LSTAT, FSTAT, ACCESS, READLINK, FSYNC, RENAME, WRITE, CALLS };
static const char *const names[] = {
    "stat", "lstat", "fstat", "access", "readlink", "fsync", "rename", "write"};

/* The fault there is, if any. */
static struct {
	enum call call;
	int error;
	size_t at; /* the call that fails, from 1 */
	bool on;   /* and all later ones */
	size_t calls;
} fault = {.call = CALLS};

/* Whether this call fails; then errno is set. */
static bool
fails(enum call call)
{
	if (call != fault.call)
		return false;
	fault.calls++;
	if (fault.calls != fault.at && !(fault.on && fault.calls > fault.at))
		return false;
	errno = fault.error;
	return true;
}

/* The files that were synced, and whether each is before it is renamed, and before any is. */
enum { FILES = 3, SYNCED = 16 };
static ino_t synced[SYNCED];
static size_t syncs, renames, too_early, too_late;

/* These stand in for those of the C library. */
/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
int
stat(const char *restrict path, struct stat *restrict st)
{
	return fails(STAT) ? -1 : fstatat(AT_FDCWD, path, st, 0);
}

int
lstat(const char *restrict path, struct stat *restrict st)
{
	return fails(LSTAT) ? -1 : fstatat(AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW);
}

int
fstat(int fd, struct stat *st)
{
	return fails(FSTAT) ? -1 : fstatat(fd, "", st, 0x1000 /* EMPTY_PATH */);
}

int
access(const char *path, int mode)
{
	return fails(ACCESS) ? -1 : faccessat(AT_FDCWD, path, mode, 0);
}

ssize_t
readlink(const char *restrict path, char *restrict to, size_t room)
{
	return fails(READLINK) ? -1 : readlinkat(AT_FDCWD, path, to, room);
}

int
fsync(int fd)
{
	struct stat st;

	if (fails(FSYNC))
		return -1;
	fstatat(fd, "", &st, 0x1000);
	if (S_ISREG(st.st_mode)) {
		synced[syncs++ % SYNCED] = st.st_ino;
		too_late += renames > 0;
	}
	return (int)syscall(SYS_fsync, fd);
}

int
rename(const char *from, const char *to)
{
	bool whole = false;
	struct stat st;

	if (fails(RENAME))
		return -1;
	fstatat(AT_FDCWD, from, &st, 0);
	for (size_t i = 0; i < SYNCED && i < syncs; i++)
		whole |= synced[i] == st.st_ino;
	too_early += !whole;
	renames++;
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

ssize_t
write(int fd, const void *s, size_t len)
{
	return fails(WRITE) ? -1 : syscall(SYS_write, fd, s, len);
}

/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */

static const char *const paths[FILES] = {"old", "link", "new"};

static void
put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* An old file, a link to another, and a new one. */
static void
make(void)
{
	put("old", "before");
	put("end", "before");
	unlink("new");
	unlink("link");
	if (symlink("end", "link"))
		abort();
}

/* Write all three; 0, or -1. */
static int
write_all(struct kith_err *err)
{
	struct kith_out out[FILES];

	for (size_t i = 0; i < FILES; i++)
		if (kith_out_open(&out[i], paths[i], err)) {
			while (i-- > 0)
				kith_out_drop(&out[i]);
			return -1;
		}
	for (size_t i = 0; i < FILES; i++) {
		kith_out_text(&out[i], "after");
		if (kith_out_close(&out[i], err)) {
			while (++i < FILES)
				kith_out_drop(&out[i]);
			return -1;
		}
	}
	return kith_atomic_settle(err);
}

/* Whether the first n files are new, the rest and the link as they were. */
static bool
is_new(size_t n)
{
	struct stat st;
	bool is = !lstat("link", &st) && S_ISLNK(st.st_mode);

	for (size_t i = 0; i < FILES; i++) {
		char got[32] = "";
		FILE *f = fopen(paths[i], "r");

		if (f) {
			got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
			fclose(f);
		}
		is &= strcmp(got, i < n ? "after" : i < 2 ? "before" : "") == 0;
	}
	return is;
}

/* Fail one call, in all ways; whether there was one. */
static bool
test_call(enum call call, size_t at)
{
	static const int errors[] = {EIO, ENOENT, EACCES, ELOOP, ENOSPC};
	bool reached = false;

	for (size_t e = 0; e < 2 * sizeof(errors) / sizeof(*errors); e++) {
		struct kith_err err = {0};
		bool good;
		int got;

		make();
		fault.call = call;
		fault.error = errors[e / 2];
		fault.at = at;
		fault.on = e % 2;
		fault.calls = 0;
		got = write_all(&err);
		fault.call = CALLS;
		reached |= fault.calls >= at;
		/* A directory that is not synced comes when all are new. */
		if (got && call == FSYNC && is_new(FILES))
			good = strncmp(err.msg, "its directory: ", 15) == 0;
		else if (got)
			good = is_new(call == RENAME ? at - 1 : 0) && err.status == EX_IOERR;
		else
			good = is_new(FILES);
		ok(good, "%s %zu, %s: %s", names[call], at, strerror(fault.error),
		    got ? err.msg : "all are new");
		/* Forget the files that wait: what exit() does for a command. */
		make();
		if (entries() > FILES)
			kith_atomic_settle(&err);
	}
	return reached;
}

int
main(void)
{
	char dir[] = "/tmp/kith-faults-XXXXXX";
	struct kith_err err;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	make();
	ok(!write_all(&err) && is_new(FILES), "without a fault all are new");
	is_size(renames, FILES, "each is renamed");
	is_size(too_early, 0, "when it has reached the disk");
	is_size(too_late, 0, "and all have before the first is");
	for (int call = 0; call < CALLS; call++) {
		size_t at = 1;

		while (test_call((enum call)call, at))
			at++;
		if (at == 1 && call <= LSTAT && !CALLS_STAT)
			skip("stat() of this C library has another name");
		else
			ok(at > 1 || call == FSTAT, "%s is called", names[call]);
	}
	if (system("rm -rf ./* ./.??*") || rmdir(dir)) /* NOLINT */
		printf("# %s stays\n", dir);
	return done();
}
