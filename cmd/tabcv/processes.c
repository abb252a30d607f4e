/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. begin_processes() makes the folder, and the watcher: a process in a group of its own that
 *    reads a pipe, of which this process alone has the other end.
 * 2. start_line() starts a line in a process group of its own, and writes its number to the pipe.
 *    When its shell has ended, await_line() kills what is left of the group, and writes 0.
 * 3. end_processes(), a signal, or the death of this process closes the pipe.  The watcher then
 *    ends all groups that run, removes the folder, and exits.
 */
#define _GNU_SOURCE /* NOLINT: for nftw() and pipe2() */

#include "tabcv.h"

#include "base/atomic_file.h"
#include "base/environment.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const char *folder;
static volatile sig_atomic_t watched;
static int pipe_end; /* closed: the watcher ends all */

/*
 * The process group of the line in each slot, or 0: the slot is free; at how.jobs, 1: the folder
 * stays.  The watcher has a copy, and reads changes from the pipe.
 */
static pid_t group[MOST_JOBS + 1];

struct change {
	size_t slot, group; /* of one type: no byte of it is padding */
};

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path), 0;
}

void
remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Sends a signal to all groups; returns whether one of them has a process. */
static bool
signal_groups(int sig)
{
	bool left = false;

	for (size_t i = 0; i < how.jobs; i++)
		left |= group[i] > 0 && kill(-group[i], sig) == 0;
	return left;
}

static _Noreturn void
watch(int pipe_read)
{
	enum { STEP = 5, PATIENCE = 2000, GIVE_UP = 5000 }; /* ms */
	struct change c;
	ssize_t got;

	setpgid(0, 0);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	for (int fd = 0; fd <= 2; fd++)
		close(fd); /* else a reader of tabcv's output waits for the watcher */
	while ((got = read(pipe_read, &c, sizeof(c))) == (ssize_t)sizeof(c) ||
	    (got < 0 && errno == EINTR))
		if (got > 0)
			group[c.slot] = (pid_t)c.group;
	signal_groups(SIGTERM);
	for (int ms = 0; signal_groups(ms < PATIENCE ? 0 : SIGKILL) && ms < GIVE_UP; ms += STEP)
		nanosleep(&(struct timespec){0, STEP * 1000000L}, NULL);
	if (!group[how.jobs])
		remove_folder(folder);
	_exit(0);
}

/* It is called by a signal handler, too. */
void
end_processes(void)
{
	if (!watched)
		return;
	watched = 0;
	close(pipe_end);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
}

void
begin_processes(void)
{
	const char *tmp = kith_environment("TMPDIR"), *dir = how.plan ? how.plan : how.collect;
	int ends[2];
	pid_t pid;

	tmp = tmp && *tmp == '/' ? tmp : "/tmp";
	folder = dir ? realpath(dir, NULL) : mkdtemp(text(&kept, "%s/tabcv.XXXXXX", tmp));
	if (!folder)
		fail(EX_IOERR, dir ? dir : tmp, "no folder for the tasks: %s", strerror(errno));
	signal(SIGCHLD, SIG_DFL); /* where SIGCHLD is ignored, waitpid(2) finds no status */
	fflush(NULL);
	group[how.jobs] = how.collect != NULL;
	if (pipe2(ends, O_CLOEXEC) || (pid = fork()) < 0)
		fail(EX_OSERR, NULL, "no process for the tasks: %s", strerror(errno));
	if (pid == 0) {
		close(ends[1]);
		watch(ends[0]);
	}
	close(ends[0]);
	pipe_end = ends[1];
	watched = 1;
	atexit(end_processes);
	kith_at_signal(end_processes);
}

static void
set_group(size_t slot, pid_t pid)
{
	const struct change c = {slot, (size_t)pid};

	group[slot] = pid;
	if (write(pipe_end, &c, sizeof(c)) != (ssize_t)sizeof(c))
		fail(EX_OSERR, NULL, "the process that watches the tasks has ended");
}

void
keep_folder(void)
{
	set_group(how.jobs, 1);
}

void
set_threads(size_t n)
{
	const char *number = text(&kept, "%zu", n);

	setenv("KITH_THREADS", number, 1);
	setenv("OPENBLAS_NUM_THREADS", number, 1);
	setenv("OMP_NUM_THREADS", number, 1);
}

bool
is_free(size_t slot)
{
	return group[slot] == 0;
}

void
start_line(size_t slot, char *line, const char *out, const char *log)
{
	char sh[] = "sh", c[] = "-c", *call[] = {sh, c, line, NULL};
	const int flags = O_WRONLY | O_CREAT | O_TRUNC;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, before;
	pid_t pid;
	int why;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	if (out)
		posix_spawn_file_actions_addopen(&files, 1, out, flags, 0666);
	if (log)
		posix_spawn_file_actions_addopen(&files, 2, log, flags, 0666);
	/* No signal comes between the start and its note for the watcher. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &before);
	why = posix_spawn(&pid, "/bin/sh", &files, &attr, call, environ);
	if (!why)
		set_group(slot, pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (why)
		fail(EX_OSERR, NULL, "cannot start a task: %s", strerror(why));
}

size_t
await_line(int *status)
{
	for (;;) {
		const pid_t pid = waitpid(-1, status, 0);

		for (size_t slot = 0; pid > 0 && slot < how.jobs; slot++)
			if (group[slot] == pid) {
				kill(-pid, SIGKILL); /* children that the line left */
				set_group(slot, 0);
				return slot;
			}
	}
}
