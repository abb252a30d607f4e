/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/atomic_file.h: links, files beside their targets; signals are signals.t's. */
#include "base/atomic_file.h"

#include "base/err.h"
#include "base/pool.h"
#include "entries.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_ONCE = 16, LINKS = 40 };

static struct kith_pool pool;
static struct kith_err err;

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* Whether the file has this text. */
static bool
has(const char *path, const char *text)
{
	char got[100] = "";
	FILE *f = fopen(path, "r");

	if (!f)
		return false;
	got[fread(got, 1, sizeof(got) - 1, f)] = '\0';
	fclose(f);
	return strcmp(got, text) == 0;
}

static void
test_directory(void)
{
	ok(kith_path_directory("a") == 0 && kith_path_directory("/a") == 1 &&
		kith_path_directory("a/b") == 2 && kith_path_directory("/ab/c/d") == 6,
	    "the directory of a path, with its slash");
}

/* Where a path leads. */
static void
follows(const char *path, const char *due)
{
	is_text(kith_path_follow(path, &pool), due, path);
}

static void
test_links(const char *dir)
{
	char here[PATH_MAX], link[32], to[32];

	if (!getcwd(here, sizeof(here)) || mkdir("d", 0700) || symlink("file", "same") ||
	    symlink("../file", "d/up") || symlink("d/up", "twice") || symlink(dir, "d/whole") ||
	    symlink("gone", "d/nothing"))
		abort();
	write_file("file", "x");
	follows("file", "file");
	follows("none", "none");
	follows("same", "file");
	follows("d/up", "d/../file");
	follows("twice", "d/../file");
	follows("d/whole", dir);
	follows("d/nothing", "d/gone");
	follows("/proc/self/cwd", here);
	ok(!kith_path_follow("file/x", &pool) && errno == ENOTDIR, "what is in no directory");
	for (int i = 0; i < LINKS; i++) {
		snprintf(link, sizeof(link), "l%d", i);
		snprintf(to, sizeof(to), "l%d", i + 1);
		if (symlink(i + 1 < LINKS ? to : "file", link))
			abort();
	}
	follows("l1", "file");
	ok(!kith_path_follow("l0", &pool) && errno == ELOOP, "no more links than that");
	for (int i = 0; i < LINKS; i++) {
		snprintf(link, sizeof(link), "l%d", i);
		unlink(link);
	}
	unlink("file");
	unlink("same");
	unlink("twice");
	unlink("d/up");
	unlink("d/whole");
	unlink("d/nothing");
	rmdir("d");
}

/* Begin a file, and say so much in it. */
static struct kith_atomic *
begin(const char *target, const char *text, int *fd)
{
	struct stat st;
	const bool seen = !stat(target, &st) && S_ISREG(st.st_mode);
	struct kith_atomic *t = kith_atomic_create(target, target, seen ? &st : NULL, fd);

	if (t && write(*fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	return t;
}

static struct kith_atomic *
write_whole(const char *target, const char *text)
{
	int fd;
	struct kith_atomic *t = begin(target, text, &fd);

	if (!t || kith_atomic_complete(t, fd) || close(fd))
		abort();
	return t;
}

static void
test_create(void)
{
	struct stat st = {.st_mode = S_IFREG | 0644};
	struct kith_atomic *t;
	int fd = 7;

	umask(0);
	t = kith_atomic_create("./a", "a", NULL, &fd);
	ok(t && fcntl(fd, F_GETFD) == FD_CLOEXEC, "closed by what is run");
	is_size(entries(), 1, "a file beside");
	ok(access("a", F_OK) != 0, "not yet there");
	fstat(fd, &st);
	ok((st.st_mode & 07777) == 0666, "new, for all");
	close(fd);
	kith_atomic_drop(t);
	is_size(entries(), 0, "dropped");
	write_file("a", "old");
	chmod("a", 0464);
	t = begin("a", "new", &fd);
	fstat(fd, &st);
	ok((st.st_mode & 07777) == 0400, "no more than its owner had");
	chmod("a", 0646);
	ok(t && !kith_atomic_complete(t, fd) && !fstat(fd, &st) && (st.st_mode & 07777) == 0646,
	    "whole, with the rights that it has by now");
	close(fd);
	ok(has("a", "old") && !kith_atomic_settle(&err) && has("a", "new"),
	    "in place when all are");
	is_size(entries(), 1, "nothing beside");
	unlink("a");
	ok(!kith_atomic_create("no/where", "no/where", NULL, &fd) && fd == -1 && errno == ENOENT,
	    "no directory, no file");
	umask(022);
}

/* A name as long as names may be. */
static void
test_long_name(void)
{
	char name[NAME_MAX + 1];

	memset(name, 'x', NAME_MAX);
	name[NAME_MAX] = '\0';
	write_whole(name, "text");
	ok(!kith_atomic_settle(&err) && has(name, "text"), "the longest name");
	unlink(name);
}

static void
test_many(void)
{
	struct kith_atomic *t[AT_ONCE];
	char name[AT_ONCE][16];
	int fd;

	ok(!kith_atomic_settle(&err), "none waits");
	for (size_t i = 0; i < AT_ONCE; i++) {
		snprintf(name[i], sizeof(name[i]), "f%zu", i);
		t[i] = i % 5 == 4 ? begin(name[i], "part", &fd) : write_whole(name[i], name[i]);
	}
	is_size(entries(), AT_ONCE, "as many as there may be");
	ok(!kith_atomic_settle(&err) && has("f15", "f15") && has("f2", "f2") &&
		access("f4", F_OK) && access("f9", F_OK),
	    "all that are complete are renamed");
	is_text(kith_atomic_replaced(),
	    "; replaced already: f0, f1, f2, f3, f5, f6, f7, f8, f10, f11, f12, f13, f15",
	    "and named in order");
	is_size(entries(), AT_ONCE, "the others wait");
	for (size_t i = 4; i < AT_ONCE; i += 5)
		kith_atomic_drop(t[i]);
	is_size(entries(), AT_ONCE - 3, "until they are dropped");
	for (size_t i = 0; i < AT_ONCE; i++)
		unlink(name[i]);
	ok(!kith_atomic_settle(&err), "none at all");
	is_text(kith_atomic_replaced(), "", "none is named");
}

/* One cannot be put in place: those behind it go, those before it stay. */
static void
test_failing(void)
{
	write_whole("a", "a");
	write_whole("b", "b");
	write_whole("c", "c");
	write_whole("e", "e");
	if (mkdir("c", 0700))
		abort();
	ok(kith_atomic_settle(&err) < 0 && err.status == EX_IOERR, "a directory is in the way");
	is_text(err.file, "c", "of the file");
	ok(strncmp(err.msg, strerror(EISDIR), strlen(strerror(EISDIR))) == 0 &&
		strstr(err.msg, "; replaced already: a, b"),
	    "with the others: %s", err.msg);
	ok(has("a", "a") && has("b", "b") && access("e", F_OK), "as it says");
	is_size(entries(), 3, "and nothing is left");
	write_whole("c", "c");
	ok(kith_atomic_settle(&err) < 0, "alone");
	is_text(err.msg, strerror(EISDIR), "no others are told of");
	unlink("a");
	unlink("b");
	rmdir("c");
}

int
main(void)
{
	char dir[] = "/tmp/kith-files-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	test_directory();
	test_links(dir);
	test_create();
	test_long_name();
	test_many();
	test_failing();
	if (chdir("/") || rmdir(dir))
		printf("# %s stays\n", dir);
	kith_pool_free(&pool);
	return done();
}
