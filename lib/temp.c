#include "temp.h"

#include "pool.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
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

/* What ends the process and may find it with a file half written. */
static const int ends[] = {
    SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU, SIGXFSZ};

enum { ENDS = sizeof(ends) / sizeof(*ends) };

/* The temporary files there are: read by a signal handler, hence atomic. */
static _Atomic(char *) temps[MOST];

static void
remove_temps(void)
{
	for (size_t i = 0; i < MOST; i++) {
		char *temp = atomic_exchange(&temps[i], NULL);

		if (temp)
			unlink(temp);
	}
}

/* SA_RESETHAND made the action the default again: what we raise ends us. */
static void
on_end(int sig)
{
	remove_temps();
	raise(sig);
}

/* At the first temporary file: see that none is left behind. */
static void
watch_ends(void)
{
	static bool watching;
	struct sigaction act = {.sa_handler = on_end}, old;

	if (watching)
		return;
	watching = true;
	atexit(remove_temps);
	act.sa_flags = (int)SA_RESETHAND;
	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < ENDS; i++)
		if (!sigaction(ends[i], NULL, &old) &&
		    old.sa_handler == SIG_DFL)
			sigaction(ends[i], &act, NULL);
}

/* Keep those signals away while a file and the list of temps disagree. */
static void
hold_ends(sigset_t *old)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ENDS; i++)
		sigaddset(&set, ends[i]);
	pthread_sigmask(SIG_BLOCK, &set, old);
}

static void
release_ends(const sigset_t *old)
{
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

static void
remember(char *temp)
{
	for (size_t i = 0; i < MOST; i++) {
		char *none = NULL;

		if (atomic_compare_exchange_strong(&temps[i], &none, temp))
			return;
	}
	assert(!"more than MOST files at a time");
}

static void
forget(char *temp)
{
	for (size_t i = 0; i < MOST; i++) {
		char *it = temp;

		atomic_compare_exchange_strong(&temps[i], &it, NULL);
	}
}

size_t
kith_temp_directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

char *
kith_temp_follow(const char *path, struct kith_pool *pool)
{
	char *at = kith_strndup(pool, path, strlen(path));
	struct stat st;

	for (int i = 0; i < LINKS; i++) {
		size_t dir = kith_temp_directory(at), room;
		ssize_t len;
		char *to;

		if (lstat(at, &st) || !S_ISLNK(st.st_mode))
			break;
		/* Links of /proc say 0 for their length. */
		room = (st.st_size > 0 ? (size_t)st.st_size : 4096) + 1;
		to = kith_new(pool, dir + room + 1, 1);
		len = readlink(at, to + dir, room);
		if (len < 0 || (size_t)len == room)
			break;
		if (to[dir] == '/')
			memmove(to, to + dir, room + 1);
		else
			memcpy(to, at, dir);
		at = to;
	}
	return at;
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
	snprintf(temp, room, "%.*s.%.*s.%s", (int)dir, target, NAME,
	    target + dir, letters);
}

int
kith_temp_create(const char *target, char **temp, struct kith_pool *pool)
{
	const size_t room = strlen(target) + 16;
	char *path = kith_new(pool, room, 1);
	int fd = -1;
	sigset_t old;

	watch_ends();
	hold_ends(&old);
	for (uint64_t try = 0; fd < 0 && try < TRIES; try++) {
		spell(path, room, target, try);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd >= 0)
		remember(path);
	release_ends(&old);
	*temp = path;
	return fd;
}

int
kith_temp_settle(char *temp, const char *target)
{
	int why = 0;
	sigset_t old;

	hold_ends(&old);
	if (target && rename(temp, target))
		why = errno;
	if (!target || why)
		unlink(temp);
	forget(temp);
	release_ends(&old);
	errno = why;
	return why ? -1 : 0;
}
