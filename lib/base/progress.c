#include "base/progress.h"

#include "base/num.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 512 }; /* bytes of the line, which goes out in one piece */

static const char *name;
static struct timespec began;

double
kith_progress_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - began.tv_sec) +
	    (double)(now.tv_nsec - began.tv_nsec) / 1e9;
}

static void
add(char *line, size_t *used, const char *s)
{
	const size_t len = strlen(s), room = ROOM - *used;
	const size_t n = len < room ? len : room;

	memcpy(line + *used, s, n);
	*used += n;
}

/*
 * Compose the line; its length.  Here is the place for what the run is doing
 * now.  A signal handler calls this: no stdio, no locale, no memory.
 */
static size_t
compose(char *line)
{
	const size_t tenths = (size_t)(10 * kith_progress_seconds());
	char digits[KITH_NUM_ROOM];
	size_t used = 0;

	add(line, &used, name);
	add(line, &used, ": running for ");
	kith_format_size(digits, tenths / 10);
	add(line, &used, digits);
	add(line, &used, (const char[]){'.', (char)('0' + tenths % 10), '\0'});
	add(line, &used, " s\n");
	return used;
}

static void
on_ask(int sig)
{
	const int old = errno;
	char line[ROOM];
	const size_t len = compose(line);

	(void)sig;
	/* Where nobody can read it, the run goes on all the same. */
	if (write(STDERR_FILENO, line, len) < 0)
		errno = 0;
	errno = old;
}

static void
answer(int sig)
{
	struct sigaction act = {.sa_handler = on_ask}, old;

	act.sa_flags = SA_RESTART;
	sigemptyset(&act.sa_mask);
	if (!sigaction(sig, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(sig, &act, NULL);
}

void
kith_progress_begin(const char *tool)
{
	name = tool;
	clock_gettime(CLOCK_MONOTONIC, &began);
	answer(SIGUSR1);
#ifdef SIGINFO
	answer(SIGINFO);
#endif
}
