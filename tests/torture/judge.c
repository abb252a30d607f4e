/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules by which an end is judged:
 *  1. A signal ends a command only where it was sent, or is due by default.
 *  2. The status is that without hardship, or one of 66, 71 and 74, with a
 *     message that names the command.
 *  3. With the due status all files are new, and all of the table is printed;
 *     with others what is printed is its beginning.
 *  4. Else all files are old, or the message names those that are not.  A signal that can be caught comes before or after all.
 *  5. No temporary file stays, but after SIGKILL.
 */
#include "trial.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_INPUT = 66, NO_MEMORY = 71, NO_OUTPUT = 74, NO_COMMAND = 127 };

enum state { OLD, NEW, NEITHER };

/* Write what is wrong. */
static bool __attribute__((format(printf, 3, 4)))
wrong(char *text, size_t room, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, room, fmt, ap);
	va_end(ap);
	return true;
}

/* Remove temporary files; how many there were. */
static size_t
sweep(void)
{
	DIR *dir = opendir(".");
	size_t n = 0;

	for (struct dirent *d = NULL; dir && (d = readdir(dir));)
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0 &&
		    d->d_name[0] == '.') {
			unlink(d->d_name);
			n++;
		}
	if (dir)
		closedir(dir);
	return n;
}

static bool
begins(const struct bytes *whole, const struct bytes *b)
{
	return b->n <= whole->n && memcmp(whole->at, b->at, b->n) == 0;
}

static enum state
state_of(const struct call *c, const struct hardship *h, const struct end *e, size_t i)
{
	struct bytes now = h->to_fifos ? e->fifo[i] : kith_bytes(c->out[i]);
	enum state s = NEITHER;

	if (h->to_fifos ? now.n == 0 : now.n == 4 && !memcmp(now.at, "old\n", 4))
		s = OLD;
	else if (now.n == c->due[i].n && begins(&c->due[i], &now))
		s = NEW;
	if (!h->to_fifos)
		free(now.at);
	return s;
}

/* Whether this signal may end the command. */
static bool
may_end(const struct hardship *h, int sig)
{
	return sig == h->sent ||
	    (sig == SIGXFSZ && h->limit == RLIMIT_FSIZE && h->ignored != sig) ||
	    (sig == SIGPIPE && h->output == TO_NOBODY && h->ignored != sig);
}

/* Whether what is said ends with a message of the command. */
static bool
has_message(const struct call *c, const struct hardship *h, const char *said)
{
	const size_t len = strlen(c->word[0]);

	if (h->closed & 1U << 2)
		return true;
	for (const char *s = said; s && *s; s = strchr(s, '\n'), s += s != NULL)
		if (strncmp(s, c->word[0], len) == 0 && s[len] == ':' &&
		    strncmp(s + len, ": warning: ", 11) != 0 && strchr(s, '\n'))
			return true;
	return false;
}

/* Whether the message says that a file is replaced already. */
static bool
is_named(const struct call *c, const struct end *e, size_t i)
{
	const size_t len = strlen(c->out[i]);
	const char *at = strstr(e->said, "replaced already: ");

	while (at && (at = strstr(at + 1, c->out[i])))
		if (at[-1] == ' ' && (at[len] == ',' || at[len] == '\n'))
			return true;
	return false;
}

/* Rules 3 and 4 for the i-th file, of a command that was not killed. */
static bool
is_wrong_file(const struct call *c, const struct hardship *h, const struct end *e,
    const enum state *s, size_t i)
{
	const int status = kith_end_status(e);

	if (status == c->status)
		return s[i] != NEW;
	if (h->to_fifos)
		return false;
	if (status < 0)
		return s[i] == NEITHER || s[i] != s[0];
	return s[i] == NEITHER || (s[i] == NEW && !is_named(c, e, i));
}

/* Rules 1 and 2. */
static bool
judge_status(
    const struct call *c, const struct hardship *h, const struct end *e, char *text, size_t room)
{
	const int status = kith_end_status(e);

	if (e->hung)
		return wrong(text, room, "does not end");
	if (status < 0)
		return !may_end(h, WTERMSIG(e->status)) &&
		    wrong(text, room, "signal %d", WTERMSIG(e->status));
	if (status == c->status)
		return false;
	if (status == NO_COMMAND && h->limit >= 0 && strstr(e->said, "shared librar"))
		return false; /* the loader */
	if (status != NO_INPUT && status != NO_MEMORY && status != NO_OUTPUT)
		return wrong(text, room, "status %d for %d", status, c->status);
	if (!has_message(c, h, e->said))
		return wrong(text, room, "status %d without a message", status);
	return false;
}

/* Rule 3 for standard output. */
static bool
is_wrong_print(const struct call *c, const struct hardship *h, const struct end *e)
{
	const bool all = e->printed.n == c->printed.n;

	return !begins(&c->printed, &e->printed) || (kith_end_status(e) == c->status && !all) ||
	    (h->sent == 0 && h->output != TO_FILE && e->printed.n > 0);
}

bool
kith_judge(
    const struct call *c, const struct hardship *h, const struct end *e, char *text, size_t room)
{
	static const char *const word[] = {"old", "new", "neither old nor new"};
	const int status = kith_end_status(e);
	const bool killed = WIFSIGNALED(e->status) && WTERMSIG(e->status) == SIGKILL && !e->hung;
	const size_t temps = sweep();
	enum state s[OUTS];

	for (size_t i = 0; i < c->outs; i++)
		s[i] = state_of(c, h, e, i);
	if (judge_status(c, h, e, text, room))
		return true;
	if (temps && !killed)
		return wrong(text, room, "status %d leaves %zu temporary files", status, temps);
	if (is_wrong_print(c, h, e))
		return wrong(text, room, "status %d with %zu bytes of %zu", status, e->printed.n,
		    c->printed.n);
	for (size_t i = 0; i < c->outs; i++)
		if (killed ? s[i] == NEITHER : is_wrong_file(c, h, e, s, i))
			return wrong(
			    text, room, "status %d and %s is %s", status, c->out[i], word[s[i]]);
	return false;
}

/* What the limits are called in a shell. */
static const char *
limit_name(int limit)
{
	return limit == RLIMIT_AS    ? "-v (bytes)"
	    : limit == RLIMIT_FSIZE  ? "-f (bytes)"
	    : limit == RLIMIT_NOFILE ? "-n"
				     : "-s (bytes)";
}

void
kith_hardship_spell(const struct hardship *h, char *text, size_t room)
{
	static const char *const to[] = {"", " >/dev/full", " | nobody"};

	if (h->fault)
		snprintf(text, room, "KITH_FAULT='%s %lu %d %s'", h->fault, h->at, h->why,
		    h->lasting ? "on" : "once");
	else if (h->limit >= 0)
		snprintf(text, room, "ulimit %s %lu, ignored %d", limit_name(h->limit), h->most,
		    h->ignored);
	else if (h->sent)
		snprintf(text, room, "signal %d after %g s", h->sent, h->after);
	else
		snprintf(text, room, "closed %u%s, ignored %d, fifos %d, walled %d, left %ld",
		    h->closed, to[h->output], h->ignored, h->to_fifos, h->walled, h->left);
}
