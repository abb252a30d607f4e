/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/temp.h"

#include "base/ends.h"
#include "base/err.h"
#include "base/pool.h"
#include "base/rights.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	MOST = 16,  /* files at a time */
	LINKS = 40, /* links that are followed */
	NAME = 200, /* bytes of a name that go into a temporary one */
	TRIES = 1000
};

struct kith_temp {
	_Atomic(char *) path; /* NULL: there is none; the handler reads it */
	const char *target, *name;
	struct kith_rights rights; /* of the file that it replaces */
	unsigned lost;             /* what of them could not be kept */
	bool replaces;             /* there is such a file */
	bool whole;                /* it waits for its name */
};

static struct kith_temp temps[MOST];
static char replaced[300];    /* the files that have their names, for a message */
static struct kith_pool kept; /* their paths and rights */

static void
remove_temps(void)
{
	for (size_t i = 0; i < MOST; i++) {
		char *path = atomic_exchange(&temps[i].path, NULL);

		if (path)
			unlink(path);
	}
}

/* At the first temporary file: see that none is left behind. */
static void
watch(void)
{
	static bool watching;

	if (watching)
		return;
	watching = true;
	atexit(remove_temps);
	kith_ends_watch(remove_temps);
}

size_t
kith_temp_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Read the link at a path, of st; where it leads, in the pool, or NULL. */
static char *
read_link(const char *at, const struct stat *st, struct kith_pool *pool)
{
	const size_t dir = kith_temp_directory(at);
	/* Links of /proc say 0 for their length. */
	const size_t room = (st->st_size > 0 ? (size_t)st->st_size : 4096) + 1;
	char *to = kith_new(pool, dir + room + 1, 1);
	const ssize_t len = readlink(at, to + dir, room);

	if (len < 0 || (size_t)len == room) {
		errno = len < 0 ? errno : EAGAIN;
		return NULL;
	}
	if (to[dir] == '/')
		memmove(to, to + dir, room + 1);
	else
		memcpy(to, at, dir);
	return to;
}

char *
kith_temp_follow(const char *path, struct kith_pool *pool)
{
	char *at = kith_strndup(pool, path, strlen(path));
	struct stat st;

	for (int i = 0; at && i < LINKS; i++) {
		if (lstat(at, &st))
			return errno == ENOENT ? at : NULL;
		if (!S_ISLNK(st.st_mode))
			return at;
		at = read_link(at, &st, pool);
	}
	if (at)
		errno = ELOOP;
	return NULL;
}

/* Spell the temporary name beside target that belongs to a try. */
static void
spell(char *temp, size_t room, const char *target, uint64_t try)
{
	const size_t dir = kith_temp_directory(target);
	struct timespec now;
	char letters[7];
	uint64_t mix;

	clock_gettime(CLOCK_REALTIME, &now);
	mix = (uint64_t)now.tv_nsec + (uint64_t)now.tv_sec * 1000000007u +
	    (uint64_t)getpid() * 0x9e3779b97f4a7c15u + try * 7919;
	for (size_t i = 0; i < 6; i++, mix /= 36)
		letters[i] = "0123456789abcdefghijklmnopqrstuvwxyz"[mix % 36];
	letters[6] = '\0';
	snprintf(temp, room, "%.*s.%.*s.%s", (int)dir, target, NAME, target + dir, letters);
}

/* A place in the list that is free. */
static struct kith_temp *
find_place(void)
{
	size_t i = 0;

	while (i < MOST && temps[i].path)
		i++;
	assert(i < MOST);
	return &temps[i];
}

/* Free what belongs to files, when there are none. */
static void
tidy(void)
{
	for (size_t i = 0; i < MOST; i++)
		if (temps[i].path)
			return;
	kith_pool_free(&kept);
}

struct kith_temp *
kith_temp_create(const char *target, const char *name, const struct stat *seen, int *fd)
{
	const size_t len = strlen(target), room = len + 16;
	char *path = kith_new(&kept, room, 1);
	struct kith_temp *t = find_place();
	mode_t mode = 0666;

	watch();
	t->target = kith_strndup(&kept, target, len);
	t->name = name;
	t->lost = 0;
	t->whole = false;
	t->replaces = seen;
	if (seen) {
		mode = seen->st_mode & 0600;
		kith_rights_take(target, seen, &t->rights, &kept);
	}
	*fd = -1;
	kith_ends_hold();
	for (uint64_t try = 0; *fd < 0 && try < TRIES; try++) {
		spell(path, room, target, try);
		*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (*fd < 0 && errno != EEXIST)
			break;
	}
	if (*fd >= 0)
		t->path = path;
	kith_ends_release();
	return *fd < 0 ? NULL : t;
}

/* fsync(2), of whatever can do it. */
static int
sync_file(int fd)
{
	while (fsync(fd))
		if (errno == EINVAL || errno == ENOTSUP || errno == EROFS)
			break;
		else if (errno != EINTR)
			return -1;
	return 0;
}

int
kith_temp_complete(struct kith_temp *t, int fd)
{
	struct stat now;

	/* Its rights may be others than at the start. */
	if (!stat(t->target, &now) && S_ISREG(now.st_mode)) {
		t->replaces = true;
		kith_rights_take(t->target, &now, &t->rights, &kept);
	}
	if (t->replaces)
		t->lost = kith_rights_give(&t->rights, fd);
	if (sync_file(fd))
		return -1;
	t->whole = true;
	return 0;
}

static void
drop(struct kith_temp *t)
{
	unlink(t->path);
	t->path = NULL;
}

void
kith_temp_drop(struct kith_temp *t)
{
	kith_ends_hold();
	drop(t);
	kith_ends_release();
	tidy();
}

/* Files while they get their names. */
struct settling {
	struct kith_temp *file[MOST]; /* those that wait */
	size_t n, done;               /* and the first that have theirs */
	const char *what;             /* went wrong, with file[at]; or "" */
	size_t at;
	int why;
};

/* Add a name to the list of files that have theirs. */
static void
note_replaced(const char *name)
{
	const size_t used = strlen(replaced);

	snprintf(replaced + used, sizeof(replaced) - used, "%s%s",
	    used ? ", " : "; replaced already: ", name);
}

const char *
kith_temp_replaced(void)
{
	return replaced;
}

static void
rename_all(struct settling *s)
{
	kith_ends_hold();
	for (; s->done < s->n && !s->why; s->done += !s->why) {
		struct kith_temp *t = s->file[s->done];

		if (rename(t->path, t->target)) {
			s->why = errno;
			s->at = s->done;
		} else {
			t->path = NULL;
			note_replaced(t->name);
		}
	}
	for (size_t i = s->done; i < s->n; i++)
		drop(s->file[i]);
	kith_ends_release();
}

/* Let the directory of a file reach the disk; -1 and errno. */
static int
sync_directory(const char *target)
{
	const size_t len = kith_temp_directory(target);
	struct kith_pool tmp = {0};
	const int fd = open(
	    len ? kith_strndup(&tmp, target, len) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int why = 0;

	kith_pool_free(&tmp);
	if (fd < 0) /* we may write in it and not read it */
		return 0;
	if (sync_file(fd))
		why = errno;
	close(fd);
	errno = why;
	return why ? -1 : 0;
}

/* Whether an earlier file is in the directory of the i-th. */
static bool
is_synced(const struct settling *s, size_t i)
{
	const char *target = s->file[i]->target;
	const size_t len = kith_temp_directory(target);

	for (size_t e = 0; e < i; e++)
		if (kith_temp_directory(s->file[e]->target) == len &&
		    memcmp(s->file[e]->target, target, len) == 0)
			return true;
	return false;
}

static void
sync_directories(struct settling *s)
{
	for (size_t i = 0; i < s->done && !s->why; i++)
		if (!is_synced(s, i) && sync_directory(s->file[i]->target)) {
			s->why = errno;
			s->at = i;
			s->what = "its directory: ";
		}
}

/* Describe what went wrong, and what is in place all the same. */
static int
fail(const struct settling *s, struct kith_err *err)
{
	return kith_fail_at(err, EX_IOERR, s->file[s->at]->name, 0, "%s%s%s", s->what,
	    strerror(s->why), s->done ? replaced : "");
}

int
kith_temp_settle(struct kith_temp *only, kith_temp_unkept *tell, struct kith_err *err)
{
	struct settling s = {.what = ""};

	if (!only)
		replaced[0] = '\0';
	for (size_t i = 0; i < MOST; i++)
		if (temps[i].path && temps[i].whole && (!only || only == &temps[i]))
			s.file[s.n++] = &temps[i];
	rename_all(&s);
	if (!only)
		sync_directories(&s);
	for (size_t i = 0; tell && i < s.done; i++)
		if (s.file[i]->lost)
			tell(s.file[i]->name, s.file[i]->lost);
	if (s.why)
		fail(&s, err);
	tidy();
	return s.why ? -1 : 0;
}
