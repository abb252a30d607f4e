/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/atomic_file.h"

#include "base/err.h"
#include "base/pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

enum {
	MOST = 16,   /* files at a time */
	LINKS = 40,  /* links that are followed */
	PATH = 4096, /* bytes of a path that a system call takes, with a null byte, at most */
	NAME = 200,  /* bytes of a target's name that go into a temporary one */
	TRIES = 1000,
	LIST = 65536 /* bytes of an access list */
};

struct kith_atomic {
	_Atomic(char *) path; /* of the temporary file; NULL: none.  The signal handler reads it */
	const char *target, *name;
	bool complete;
	char unkept[40]; /* words: what of the rights of the old file it could not be given */
};

static struct kith_atomic files[MOST];
static char replaced[300];
static struct kith_pool kept; /* paths of files, until the process ends */

/* ---- Paths. ---- */

size_t
kith_path_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *
kith_path_follow(const char *path, struct kith_pool *pool)
{
	char *at = kith_strndup(pool, path, strlen(path));

	for (int i = 0; i < LINKS; i++) {
		const size_t dir = kith_path_directory(at);
		char *to = kith_new(pool, dir + PATH + 1, 1);

		if (readlink(at, to + dir, PATH) < 0)
			return errno == EINVAL || errno == ENOENT ? at : NULL;
		at = to[dir] == '/' ? to + dir : memcpy(to, at, dir);
	}
	errno = ELOOP;
	return NULL;
}

/* ---- Signals. ---- */

static void
remove_files(void)
{
	for (size_t i = 0; i < MOST; i++) {
		char *path = atomic_exchange(&files[i].path, NULL);

		if (path)
			unlink(path);
	}
}

static void (*at_signal)(void); /* kith_at_signal(), or NULL */

static void
on_end(int sig)
{
	if (at_signal)
		at_signal();
	remove_files();
	signal(sig, SIG_DFL);
	raise(sig); /* blocked here; it ends the process when this returns */
}

/* At the first file: from now on none is left behind. */
static void
watch(void)
{
	struct sigaction act = {.sa_handler = on_end, .sa_flags = SA_RESTART};
	static bool watching;
	struct sigaction old;

	if (watching)
		return;
	watching = true;
	sigfillset(&act.sa_mask);
	atexit(remove_files);
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		if (sig == SIGCHLD || sig == SIGCONT || sig == SIGTSTP || sig == SIGTTIN ||
		    sig == SIGTTOU || sig == SIGURG || sig == SIGWINCH)
			continue; /* it does not end a process that has no handler */
		if (!sigaction(sig, NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
		    old.sa_handler == SIG_DFL)
			sigaction(sig, &act, NULL);
	}
}

void
kith_at_signal(void (*act)(void))
{
	at_signal = act;
	watch();
}

/* Blocks all signals; *before becomes the mask that ends this. */
static void
hold(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

/* ---- Creating. ---- */

struct kith_atomic *
kith_atomic_create(const char *target, const char *name, const struct stat *seen, int *fd)
{
	const size_t len = strlen(target), dir = kith_path_directory(target), room = len + 16;
	const mode_t mode = seen ? seen->st_mode & 0600 : 0666;
	char *path = kith_new(&kept, room, 1);
	struct kith_atomic *file = files;
	struct timespec now;
	sigset_t before;

	while (file->path)
		file++;
	assert(file < files + MOST);
	watch();
	*file = (struct kith_atomic){.target = kith_strndup(&kept, target, len), .name = name};
	*fd = -1;
	hold(&before);
	for (unsigned try = 0; *fd < 0 && try < TRIES; try++) {
		clock_gettime(CLOCK_REALTIME, &now);
		snprintf(path, room, "%.*s.%.*s.%06x", (int)dir, target, NAME, target + dir,
		    (((unsigned)now.tv_nsec + 7919U * try) ^ ((unsigned)getpid() * 2654435761U)) &
			0xffffff);
		*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (*fd < 0 && errno != EEXIST)
			break;
	}
	if (*fd >= 0)
		file->path = path;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return *fd < 0 ? NULL : file;
}

/* ---- Owner, group, mode, access list. ---- */

/*
 * Gives the POSIX access list of the file at `path`, or takes away one that the directory gave.
 * Where the old owner or group is not kept (`lost`), a list is not given.  Returns whether there
 * was a list that was not given.
 */
static bool
loses_list(const char *path, int fd, bool lost)
{
#ifdef __linux__
	static const char name[] = "system.posix_acl_access";
	static char list[LIST];
	const ssize_t len = getxattr(path, name, list, sizeof(list));

	if (len > 0 && !lost)
		return fsetxattr(fd, name, list, (size_t)len, 0);
	if (fremovexattr(fd, name) && errno != ENODATA && errno != ENOTSUP)
		return true;
	return len >= 0 || (errno != ENODATA && errno != ENOTSUP && errno != ENOENT);
#else
	(void)path, (void)fd, (void)lost;
	return false;
#endif
}

/* Gives the new file the rights of the old one, as far as it can. */
static void
give_rights(struct kith_atomic *file, const struct stat *old, int fd)
{
	struct stat now;
	const bool seen = fstat(fd, &now) == 0;
	const bool owner = seen &&
	    (now.st_uid == old->st_uid || fchown(fd, old->st_uid, (gid_t)-1) == 0);
	const bool group = seen &&
	    (now.st_gid == old->st_gid || fchown(fd, (uid_t)-1, old->st_gid) == 0);
	const bool list = !loses_list(file->target, fd, !owner || !group);
	/* Without the owner or the group, without the bits set-user-ID and set-group-ID, too. */
	mode_t mode = old->st_mode & (owner && group ? 07777 : 0777);

	if (!group) /* who was in the group is now in "others", and the other way round */
		mode = (mode & 0700) | ((mode >> 3 & mode & 7) * 011);
	if (!owner) /* the old owner is one of the rest */
		mode &= 0700 | (mode >> 6) * 011;
	if (!list)
		mode &= 0700;
	snprintf(file->unkept, sizeof(file->unkept), "%s%s%s%s", owner ? "" : ", owner",
	    group ? "" : ", group", fchmod(fd, mode) ? ", mode" : "", list ? "" : ", access list");
}

/* ---- Completing, dropping, renaming. ---- */

/* fsync(2), of what can be synced. */
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
kith_atomic_complete(struct kith_atomic *file, int fd)
{
	struct stat now;

	/* The target may have changed, or have come, since kith_atomic_create(). */
	if (!stat(file->target, &now) && S_ISREG(now.st_mode))
		give_rights(file, &now, fd);
	if (sync_file(fd))
		return -1;
	file->complete = true;
	return 0;
}

/* A signal that comes in between removes the file once more, which does nothing. */
void
kith_atomic_drop(struct kith_atomic *file)
{
	unlink(file->path);
	file->path = NULL;
}

const char *
kith_atomic_replaced(void)
{
	return replaced;
}

/* Syncs the directory of a file. */
static int
sync_directory(const struct kith_atomic *file, struct kith_err *err)
{
	const size_t len = kith_path_directory(file->target);
	const int fd = open(
	    len ? kith_strndup(&kept, file->target, len) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int got = 0;

	if (fd < 0) /* it may be written and not be read */
		return 0;
	if (sync_file(fd))
		got = kith_fail_at(
		    err, EX_IOERR, file->name, 0, "its directory: %s%s", strerror(errno), replaced);
	close(fd);
	return got;
}

int
kith_atomic_settle(struct kith_err *err)
{
	struct kith_atomic *done[MOST];
	size_t n = 0, used;
	sigset_t before;
	int got = 0;

	replaced[0] = '\0';
	hold(&before);
	for (struct kith_atomic *file = files; file < files + MOST; file++) {
		if (!file->path || !file->complete)
			continue;
		if (!got && rename(file->path, file->target)) {
			got = kith_fail_at(
			    err, EX_IOERR, file->name, 0, "%s%s", strerror(errno), replaced);
		} else if (!got) {
			file->path = NULL;
			done[n++] = file;
			used = strlen(replaced);
			snprintf(replaced + used, sizeof(replaced) - used, "%s%s",
			    used ? ", " : "; replaced already: ", file->name);
		}
		if (got)
			kith_atomic_drop(file);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (size_t i = 0; i < n && !got; i++)
		got = sync_directory(done[i], err);
	for (size_t i = 0; i < n; i++)
		if (done[i]->unkept[0])
			kith_remark(KITH_WARNING, NULL, 0, "%s: not kept of the old file: %s",
			    done[i]->name, done[i]->unkept + 2);
	return got;
}
