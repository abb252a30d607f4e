/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/place.h"

#include "base/pool.h"
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 3 }; /* looks at a path that changes */

static bool
same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/*
 * Whether an open regular file is not where the text of the links says: it was
 * removed, or lies outside of what we see, and only a link of /proc leads to
 * it. Two calls must agree that nothing is there.
 */
static bool
is_nameless(const struct stat *st, const char *path, const char *target)
{
	struct stat end;

	if (st->st_nlink == 0)
		return true;
	if (strcmp(path, target) == 0)
		return false;
	if (!stat(target, &end))
		return !same_file(st, &end);
	return errno == ENOENT && access(target, F_OK) && errno == ENOENT;
}

/*
 * Open what is written directly, as the open descriptor says: a device, a FIFO,
 * a file without a name.  -1 and EAGAIN when it is another one now.
 */
static int
open_directly(const char *path, const char *target)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) &&
	    (!S_ISREG(st.st_mode) ||
		(is_nameless(&st, path, target) && !ftruncate(fd, 0))))
		return fd;
	close(fd);
	errno = EAGAIN;
	return -1;
}

/* Open path: directly, or a file beside its target; -1 and errno. */
static int
open_once(const char *path, struct kith_temp **temp, struct kith_pool *pool)
{
	struct stat st, end;
	const bool there = !stat(path, &st);
	char *target;
	int fd;

	if (!there && (errno != ENOENT || !*path))
		return -1;
	target = kith_temp_follow(path, pool);
	if (!target)
		return -1;
	if (there && S_ISREG(st.st_mode)) {
		const bool found = !lstat(target, &end);

		if (!found && errno != ENOENT)
			return -1;
		if (!found || !same_file(&st, &end))
			return open_directly(path, target);
		if (access(target, W_OK))
			return -1;
	} else if (there) {
		return open_directly(path, target);
	}
	*temp = kith_temp_create(target, path, there ? &end : NULL, &fd);
	return fd;
}

int
kith_place_open(
    const char *path, struct kith_temp **temp, struct kith_pool *pool)
{
	int fd = -1;

	/* Others may remove or replace the file meanwhile. */
	*temp = NULL;
	for (int try = 0; try < TRIES && fd < 0; try++)
		if ((fd = open_once(path, temp, pool)) < 0 && errno != EAGAIN)
			break;
	return fd;
}

/* Look at the directory of a path: whether it is there. */
static bool
look_around(const char *path, struct stat *dir, struct kith_pool *pool)
{
	const size_t len = kith_temp_directory(path);

	return !stat(len ? kith_strndup(pool, path, len) : ".", dir);
}

bool
kith_place_same(const char *a, const char *b)
{
	struct kith_pool pool = {0};
	struct stat st, end;
	const bool is_a = !stat(a, &st), is_b = !stat(b, &end);
	bool same = is_a && is_b && S_ISREG(st.st_mode) && same_file(&st, &end);

	if (!is_a && !is_b) {
		a = kith_temp_follow(a, &pool);
		b = kith_temp_follow(b, &pool);
		same = a && b &&
		    strcmp(a + kith_temp_directory(a),
			b + kith_temp_directory(b)) == 0 &&
		    look_around(a, &st, &pool) && look_around(b, &end, &pool) &&
		    same_file(&st, &end);
	}
	kith_pool_free(&pool);
	return same;
}
