/* SPDX-License-Identifier: BSD-2-Clause */
#include "trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 60, BLOCK = 4096 };

const struct hardship kith_ease = {.limit = -1, .left = -1};
const char *kith_shim;
struct kith_seen *kith_seen;

static _Noreturn void
die(const char *what)
{
	fprintf(stderr, "torture: %s: %s\n", what, strerror(errno));
	exit(2);
}

void
kith_call_read(struct call *c, const char *line)
{
	size_t n = 0;

	snprintf(c->line, sizeof(c->line), "%.*s", (int)strcspn(line, "\n"), line);
	memcpy(c->text, c->line, sizeof(c->text));
	for (char *w = strtok(c->text, " "); w && n + 1 < WORDS; w = strtok(NULL, " ")) {
		if (*w == '<') {
			c->input = w + 1;
			continue;
		}
		if (strncmp(w, "new", 3) == 0 && c->outs < OUTS)
			c->out[c->outs++] = w;
		c->word[n++] = w;
	}
}

struct bytes
kith_bytes(const char *file)
{
	struct bytes b = {0};
	struct stat st;
	const int fd = open(file, O_RDONLY | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return b;
	if (fstat(fd, &st))
		die(file);
	b.at = malloc((size_t)st.st_size + 1);
	if (!b.at)
		die(file);
	while (
	    b.n < (size_t)st.st_size && (got = read(fd, b.at + b.n, (size_t)st.st_size - b.n)) > 0)
		b.n += (size_t)got;
	close(fd);
	return b;
}

static void
write_file(const char *file, const char *text)
{
	FILE *f = fopen(file, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		die(file);
}

/* Fill the file system but for so many bytes. */
static void
fill(long left)
{
	static char block[BLOCK];
	const int fd = open("ballast", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	off_t used = 0;
	ssize_t got;

	if (fd < 0)
		die("ballast");
	while ((got = write(fd, block, BLOCK)) > 0)
		used += got;
	if (ftruncate(fd, used > left ? used - left : 0) || close(fd))
		die("ballast");
}

/* What is there before a call: old files, or FIFOs. */
static void
prepare(const struct call *c, const struct hardship *h, int *fifo)
{
	unlink("ballast");
	for (size_t i = 0; i < c->outs; i++) {
		unlink(c->out[i]);
		fifo[i] = -1;
		if (!h->to_fifos) {
			write_file(c->out[i], "old\n");
		} else if (mkfifo(c->out[i], 0600) ||
		    (fifo[i] = open(c->out[i], O_RDWR | O_NONBLOCK | O_CLOEXEC)) < 0) {
			die(c->out[i]);
		}
	}
	write_file("printed", "");
	if (h->left >= 0)
		fill(h->left);
	if (h->walled && chmod(".", 0555))
		die(".");
}

static void
set_fault(const struct hardship *h)
{
	char text[100];

	snprintf(text, sizeof(text), "%s %lu %d %s", h->fault, h->at, h->why,
	    h->lasting ? "on" : "once");
	setenv("KITH_FAULT", text, 1);
	setenv("LD_PRELOAD", kith_shim, 1);
}

/* In the child: descriptors, signals and limits, last what is preloaded. */
static void
suffer(const struct call *c, const struct hardship *h, int said)
{
	static const char *const printed[] = {"printed", "/dev/full"};
	const char *input = c->input ? c->input : "/dev/null";
	int to[2];
	sigset_t none;

	sigemptyset(&none);
	for (int sig = 1; sig < 32; sig++)
		signal(sig, sig == h->ignored ? SIG_IGN : SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (h->output != TO_NOBODY)
		to[1] = open(printed[h->output == TO_FULL], O_WRONLY);
	else if (pipe(to) || close(to[0]))
		_exit(126);
	if (dup2(open(input, O_RDONLY), 0) < 0 || dup2(to[1], 1) < 0 || dup2(said, 2) < 0)
		_exit(126);
	for (int fd = 3; fd < 64; fd++)
		close(fd);
	for (int fd = 0; fd <= 2; fd++)
		if (h->closed & 1U << fd)
			close(fd);
	if (h->walled && (setgid(NOBODY) || setuid(NOBODY)))
		_exit(126);
	if (h->limit >= 0 && setrlimit(h->limit, &(struct rlimit){h->most, h->most}))
		_exit(126);
	if (h->fault)
		set_fault(h);
}

/* Whether the child has ended within the time. */
static bool
await(pid_t child, double seconds, int *status)
{
	const struct timespec step = {
	    (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
	sigset_t set;

	if (waitpid(child, status, WNOHANG) == child)
		return true;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &step);
	return waitpid(child, status, WNOHANG) == child;
}

static void
end(pid_t child, const struct hardship *h, struct end *e)
{
	e->hung = false;
	if (h->sent) {
		if (await(child, h->after, &e->status))
			return;
		kill(child, h->sent);
	}
	for (int i = 0; i < PATIENCE; i++)
		if (await(child, 1, &e->status))
			return;
	e->hung = true;
	kill(child, SIGKILL);
	waitpid(child, &e->status, 0);
}

/* All that is in a pipe or a FIFO now. */
static struct bytes
drain(int fd)
{
	struct bytes b = {.at = malloc(1 << 16)};
	ssize_t got;

	if (!b.at)
		die("memory");
	while (b.n < 1 << 16 && (got = read(fd, b.at + b.n, (1 << 16) - b.n)) > 0)
		b.n += (size_t)got;
	return b;
}

/* Start a call; what it says comes out of *said. */
static pid_t
start(const struct call *c, const struct hardship *h, int *said)
{
	int ends[2];
	pid_t child;

	if (pipe(ends))
		die("pipe");
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fflush(stdout);
	child = fork();
	if (child < 0)
		die("fork");
	if (child == 0) {
		suffer(c, h, ends[1]);
		execvp(c->word[0], c->word);
		_exit(127);
	}
	close(ends[1]);
	*said = ends[0];
	return child;
}

void
kith_try(const struct call *c, const struct hardship *h, struct end *e)
{
	int said, fifo[OUTS];
	struct bytes b;

	prepare(c, h, fifo);
	atomic_store(&kith_seen->calls, 0);
	atomic_store(&kith_seen->failed, 0);
	end(start(c, h, &said), h, e);
	if (h->walled && chmod(".", 0755))
		die(".");
	b = drain(said);
	close(said);
	snprintf(e->said, sizeof(e->said), "%.*s", (int)b.n, b.at);
	free(b.at);
	e->printed = kith_bytes("printed");
	for (size_t i = 0; i < c->outs; i++)
		if (fifo[i] >= 0) {
			e->fifo[i] = drain(fifo[i]);
			close(fifo[i]);
		}
}

int
kith_end_status(const struct end *e)
{
	return WIFEXITED(e->status) ? WEXITSTATUS(e->status) : -1;
}
