/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. begin_processes() makes the folder, and the watcher: a process in a group of its own that reads
 *    a pipe, of which this process alone has the other end.
 * 2. run_lines() starts a line in a process group of its own, and writes its number to the pipe.  When its
 *    shell has ended, what is left of the group is killed, and 0 written.
 * 3. end_processes(), a signal, or the death of this process closes the pipe.  The watcher then
 *    ends all groups that run, removes the folder, and exits.
 */
#define _XOPEN_SOURCE 700 /* NOLINT: for nftw() */

#include "tabcv.h"

#include "base/environment.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

const char *folder;
static pid_t *group; /* how.jobs: the process group of a line, or 0; the watcher has a copy */
static volatile sig_atomic_t watched;
static int pipe_end; /* closed: the watcher ends all */

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGXCPU};
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };
static struct sigaction action_before[SIGNALS];

/* What the watcher reads: from now on, a slot has this group; or (slot how.jobs) the folder stays. */
struct message {
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
	struct message m;
	bool stays = how.collect;
	ssize_t got;

	setpgid(0, 0);
	for (size_t i = 0; i < SIGNALS; i++)
		signal(signals[i], SIG_IGN);
	for (int fd = 0; fd <= 2; fd++)
		close(fd); /* else a reader of tabcv's output waits for the watcher */
	while ((got = read(pipe_read, &m, sizeof(m))) == (ssize_t)sizeof(m) ||
	    (got < 0 && errno == EINTR))
		if (got > 0 && m.slot == how.jobs)
			stays = true;
		else if (got > 0)
			group[m.slot] = (pid_t)m.group;
	signal_groups(SIGTERM);
	for (int ms = 0; signal_groups(ms < PATIENCE ? 0 : SIGKILL) && ms < GIVE_UP; ms += STEP)
		nanosleep(&(struct timespec){0, STEP * 1000000}, NULL);
	if (!stays)
		remove_folder(folder);
	_exit(0);
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
	group = kith_new(&kept, how.jobs, sizeof(*group));
	signal(SIGCHLD, SIG_DFL); /* where SIGCHLD is ignored, waitpid(2) finds no status */
	fflush(NULL);
	if (pipe(ends) || fcntl(ends[0], F_SETFD, FD_CLOEXEC) ||
	    fcntl(ends[1], F_SETFD, FD_CLOEXEC) || (pid = fork()) < 0)
		fail(EX_OSERR, NULL, "no process for the tasks: %s", strerror(errno));
	if (pid == 0) {
		close(ends[1]);
		watch(ends[0]);
	}
	close(ends[0]);
	pipe_end = ends[1];
	watched = 1;
	atexit(end_processes);
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

static void
on_signal(int sig)
{
	end_processes();
	for (size_t i = 0; i < SIGNALS; i++)
		if (signals[i] == sig)
			sigaction(sig, &action_before[i], NULL);
	raise(sig); /* it is blocked here, and has its action of before when we return */
}

void
catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigfillset(&action.sa_mask);
	for (size_t i = 0; i < SIGNALS; i++)
		if (!sigaction(signals[i], NULL, &action_before[i]) &&
		    action_before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

static void
write_message(size_t slot, pid_t pid)
{
	const struct message m = {slot, (size_t)pid};

	if (write(pipe_end, &m, sizeof(m)) != (ssize_t)sizeof(m))
		fail(EX_OSERR, NULL, "the process that watches the tasks has ended");
}

static void
set_group(size_t slot, pid_t pid)
{
	group[slot] = pid;
	write_message(slot, pid);
}

void
keep_folder(void)
{
	write_message(how.jobs, 0);
}

/* Starts a line in a process group of its own, and notes it in a slot. */
static void
start(const struct line *line, size_t slot)
{
	char sh[] = "sh", c[] = "-c", *call[] = {sh, c, line->text, NULL};
	const int flags = O_WRONLY | O_CREAT | O_TRUNC;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, before;
	pid_t pid = 0;
	int why;

	/* No signal comes between the start and the message. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	if (line->out)
		posix_spawn_file_actions_addopen(&files, 1, line->out, flags, 0666);
	if (line->log)
		posix_spawn_file_actions_addopen(&files, 2, line->log, flags, 0666);
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

/* Waits until a line has ended; returns its slot. */
static size_t
await(int *status)
{
	for (;;) {
		const pid_t pid = waitpid(-1, status, 0);

		for (size_t slot = 0; pid > 0 && slot < how.jobs; slot++)
			if (group[slot] == pid)
				return slot;
	}
}

void
run_lines(size_t n, size_t threads,
    struct line (*prepare)(void *to, size_t i, struct kith_pool *pool),
    void (*finish)(void *to, size_t i, int status), void *to)
{
	struct kith_pool tmp = {0};
	const char *number = text(&tmp, "%zu", threads);
	size_t *of = kith_new(&kept, how.jobs, sizeof(*of)), next = 0, slot;
	int status;

	setenv("KITH_THREADS", number, 1);
	setenv("OPENBLAS_NUM_THREADS", number, 1);
	setenv("OMP_NUM_THREADS", number, 1);
	for (size_t done = 0; done < n; done++) {
		for (slot = 0; slot < how.jobs && next < n; slot++) {
			struct line line;

			if (group[slot])
				continue;
			line = prepare(to, next, &tmp);
			start(&line, slot);
			of[slot] = next++;
			kith_pool_free(&tmp);
		}
		slot = await(&status);
		kill(-group[slot], SIGKILL); /* children that the line left */
		set_group(slot, 0);
		finish(to, of[slot], status);
	}
}
