/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The files of the folder, S being a split and T a task, both numbered from 1:
 *
 *	train.S test.S    the rows of the split; they are written before its first task, and removed
 *	                  behind its last one.  train.0 and test.0 are TABLE and the file of --test
 *	T.out T.err       what the task printed
 *	tmp.T             the folder {tmp} of the task
 *
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
#include "base/par.h"
#include "base/progress.h"
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

/* ---- Processes ---- */

static const char *folder; /* of the files of the tasks */
static volatile sig_atomic_t watched;
static int pipe_end; /* closed: the watcher ends all */

/*
 * The process group of the line in each slot, or 0: the slot is free; at how.jobs, 1: the folder
 * stays.  The watcher has a copy, and reads changes from the pipe.
 */
static pid_t group[MOST_JOBS + 1];
static struct task *running[MOST_JOBS]; /* the task of the line in each slot */

struct change {
	size_t slot, group; /* of one type: no byte of it is padding */
};

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path), 0;
}

/* Removes a folder and its files. */
static void
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

/* It is called at exit, and by a signal handler. */
static void
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
	folder = dir ? realpath(dir, NULL) : mkdtemp(kith_text(&kept, "%s/tabcv.XXXXXX", tmp));
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

/* Sets KITH_THREADS of the lines that start from now on. */
static void
set_threads(size_t n)
{
	const char *number = kith_text(&kept, "%zu", n);

	setenv("KITH_THREADS", number, 1);
	setenv("OPENBLAS_NUM_THREADS", number, 1);
	setenv("OMP_NUM_THREADS", number, 1);
}

/* Waits until a line and all its children have ended; sets the status of its task. */
static void
await_line(void)
{
	for (;;) {
		int status;
		const pid_t pid = waitpid(-1, &status, 0);

		for (size_t slot = 0; pid > 0 && slot < how.jobs; slot++)
			if (group[slot] == pid) {
				kill(-pid, SIGKILL); /* children that the line left */
				set_group(slot, 0);
				running[slot]->status = status;
				return;
			}
	}
}

/* ---- Tasks ---- */

enum {
	DESCRIBED = 3,  /* failures: a wrong command fails in every task */
	SAID_LINES = 5, /* the last lines of a task that failed: a message, and its cause */
	SAID_BYTES = 1000,
	RUNS = -1 /* status of a task: it has not ended */
};

/* How many tasks were read, failed, had status 1 and count, and did not fail but wrote to standard
 * error; words are of the first task that did: its name, and its last line. */
static struct tally {
	size_t read, failed, uncertain, spoke;
	const char *words;
} tally;

static struct kith_names described; /* the last lines of failed tasks, as they were printed */

char *
file_of(const char *kind, size_t number)
{
	return *kind == '.' ? kith_text(&scratch, "%s/%zu%s", folder, number, kind)
			    : kith_text(&scratch, "%s/%s.%zu", folder, kind, number);
}

/* Returns a line with the places of a task filled. */
static char *
fill_line(const char *line, const struct task *t)
{
	struct place *place = kith_new(&scratch, grid.n + 5, sizeof(*place));
	size_t n = 0;

	place[n++] = (struct place){"train", file_of("train", t->split)};
	place[n++] = (struct place){"test", file_of("test", t->split)};
	place[n++] = (struct place){"tmp", file_of("tmp", t->number)};
	place[n++] = (struct place){"seed", kith_text(&scratch, "%zu", splits.v[t->split].seed)};
	if (*t->k)
		place[n++] = (struct place){"k", t->k};
	for (size_t i = 0; i < grid.n; i++)
		place[n++] = (struct place){grid.v[i].name, value_of(&grid.v[i], t->combination)};
	return fill_places(line, place, n, false, &scratch);
}

void
check_places(void)
{
	if (how.then && has_place(how.then, "test") && !how.test)
		kith_misuse("--then: {test} is the file of --test");
	for (size_t i = 0; i < grid.n; i++)
		if (!has_place(command, grid.v[i].name))
			kith_misuse("no {%s} in the command", grid.v[i].name);
	for (size_t c = 0; c < grid.combinations; c++, kith_pool_free(&scratch)) {
		fill_line(command, &(struct task){1, 1, c, .k = ""});
		if (how.then)
			fill_line(how.then, &(struct task){.combination = c, .k = ""});
	}
}

/* "theta=.1, part 3" */
static const char *
name_task(const struct task *t)
{
	const char *words = words_of(t->combination, "");

	return kith_text(&scratch, "%s%s%s", words, *words ? ", " : "", splits.v[t->split].name);
}

/*
 * Returns a line without the name of a file that is there for a task alone: with the name of the
 * table instead, and which of its rows the file has.  The folder of a plan stays.
 */
static char *
name_table(char *line, size_t split)
{
	const char *const kind[] = {"train", "test"}, *const which[] = {"training", "test"};
	const char *const table[] = {rows.file, how.test ? how.test : rows.file};

	for (size_t a = 0; !how.collect && a < 2; a++) {
		const char *const path = file_of(kind[a], split), *const at = strstr(line, path);

		if (at)
			line = kith_text(&scratch, "%.*s%s (%s rows)%s", (int)(at - line), line,
			    table[a], which[a], at + strlen(path));
	}
	return line;
}

/* Reads the last lines of the standard error of a task that are not empty; returns their number. */
static size_t
read_last_lines(const struct task *t, char *line[SAID_LINES])
{
	FILE *in = fopen(file_of(".err", t->number), "r");
	char *s = kith_new(&scratch, SAID_BYTES + 1, 1), *save;
	size_t n = 0;

	if (!in)
		return 0;
	if (fseek(in, -SAID_BYTES, SEEK_END))
		rewind(in);
	s[fread(s, 1, SAID_BYTES, in)] = '\0';
	fclose(in);
	for (s = strtok_r(s, "\r\n", &save); s; s = strtok_r(NULL, "\r\n", &save)) {
		if (n == SAID_LINES)
			memmove(line, line + 1, --n * sizeof(*line));
		line[n++] = name_table(s, t->split);
	}
	return n;
}

void
say_last_lines(const struct task *t)
{
	char *line[SAID_LINES];
	const size_t n = read_last_lines(t, line);

	for (size_t i = 0; i < n; i++)
		kith_say("  %s", line[i]);
}

/* Reads the predictions of a task that has ended.  Returns why it failed, or NULL. */
static const char *
read_output(struct task *t)
{
	const char *out = file_of(".out", t->number);
	const int code = WEXITSTATUS(t->status);
	struct kith_err err;
	struct stat st;

	if (WIFSIGNALED(t->status))
		return kith_text(&scratch, "signal %d", WTERMSIG(t->status));
	if (code > 1)
		return kith_text(&scratch, "status %d", code);
	if (stat(out, &st))
		return "not done";
	if (st.st_size == 0)
		return kith_text(&scratch, "status %d, and it printed nothing", code);
	if (read_predictions(out, t, &err))
		return err.line > 0 ? kith_text(&scratch, "line %zu: %s", err.line, err.msg)
				    : kith_text(&scratch, "%s", err.msg);
	if (*t->score[0].k && find_parameter("k"))
		return "a parameter k, and columns predicted_K";
	tally.uncertain += code == 1;
	return NULL;
}

/*
 * Reads what a task printed, and says why it failed, with its last lines unless tasks before have
 * printed each of them: a wrong command fails in every task with the same words.
 */
static void
read_task(struct task *t)
{
	char *line[SAID_LINES];
	const char *why = read_output(t);
	const size_t n = read_last_lines(t, line);
	bool is_new = n == 0;

	tally.read++;
	if (!why && n > 0 && tally.spoke++ == 0)
		tally.words = kith_text(&kept, "%s: %s", name_task(t), line[n - 1]);
	if (why)
		t->scores = 0;
	if (why && tally.failed++ < DESCRIBED) {
		for (size_t i = 0, before; i < n; i++) {
			before = described.n;
			is_new |= kith_names_add(&described, line[i], &kept) == before;
		}
		kith_say("%s: %s%s", name_task(t), why, is_new ? "" : ", as above");
		if (is_new)
			say_last_lines(t);
	}
}

char *
write_task(const char *line, const struct task *t)
{
	const char *test = file_of("test", t->split);

	if (t->split == 0 || access(test, F_OK)) {
		write_rows(&splits.v[t->split], false, file_of("train", t->split));
		if (t->split > 0 || how.test)
			write_rows(&splits.v[t->split], true, test);
	}
	return fill_line(line, t);
}

/*
 * Starts the line of a task with sh(1) in a slot 0..how.jobs - 1 that is free, in a process group
 * of its own, with an empty standard input.  Its standard output goes to a file, and so does its
 * standard error if it is logged.
 */
static void
start_line(const char *line, struct task *t, size_t slot, bool logged)
{
	char sh[] = "sh", c[] = "-c", *call[] = {sh, c, write_task(line, t), NULL};
	const int flags = O_WRONLY | O_CREAT | O_TRUNC;
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, before;
	pid_t pid;
	int why;

	t->status = RUNS;
	running[slot] = t;
	if (has_place(line, "tmp"))
		mkdir(file_of("tmp", t->number), 0777);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(
	    &files, 1, file_of(t->number ? ".out" : "final", t->number), flags, 0666);
	if (logged)
		posix_spawn_file_actions_addopen(
		    &files, 2, file_of(".err", t->number), flags, 0666);
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

/* Removes the files of a task that was read; last: and of its split. */
static void
remove_files(const struct task *t, bool last)
{
	const char *const kind[] = {".out", ".err", "train", "test"};

	for (size_t i = 0; i < (last ? 4 : 2); i++)
		unlink(file_of(kind[i], i < 2 ? t->number : t->split));
	if (has_place(command, "tmp"))
		remove_folder(file_of("tmp", t->number));
}

void
run_tasks(struct task *task, size_t n)
{
	size_t next = 0, read = 0;

	for (; how.collect && read < n; read++, kith_pool_free(&scratch))
		read_task(&task[read]);
	if (how.collect)
		return;
	kith_log_size("tasks", n);
	kith_progress_phase("tasks", n, "tasks");
	set_threads(1);
	while (read < n) {
		for (size_t slot = 0; slot < how.jobs && next < n; slot++)
			if (group[slot] == 0)
				start_line(command, &task[next++], slot, true);
		await_line();
		kith_progress_add(1);
		/* Tasks are read in order, for messages are. */
		for (; read < next && task[read].status != RUNS; read++, kith_pool_free(&scratch)) {
			read_task(&task[read]);
			remove_files(
			    &task[read], read + 1 == n || task[read + 1].split != task[read].split);
		}
	}
	kith_progress_end();
}

int
run_line(const char *line, struct task *t, bool logged, char **printed, size_t *length)
{
	const char *out = file_of("final", 0);
	int status;

	set_threads(how.jobs);
	start_line(line, t, 0, logged);
	await_line();
	status = WIFSIGNALED(t->status) ? 128 + WTERMSIG(t->status) : WEXITSTATUS(t->status);
	*printed = read_whole(out, length);
	if (!*printed && status <= 1)
		fail(EX_IOERR, out, "cannot read the output of the final command");
	return status;
}

bool
report_tasks(void)
{
	if (tally.failed > DESCRIBED)
		kith_say("%zu of %zu tasks failed", tally.failed, tally.read);
	if (tally.uncertain > 0)
		kith_warn("%zu of %zu tasks had status 1; their predictions count", tally.uncertain,
		    tally.read);
	if (tally.spoke > 0)
		kith_warn("%zu of %zu tasks wrote to standard error; the first, %s", tally.spoke,
		    tally.read, tally.words);
	return tally.failed > 0;
}
