/* SPDX-License-Identifier: BSD-2-Clause */
/* spawn - run a command, its output in files, for a limited time. */
#ifndef KITH_GEN_SPAWN_H
#define KITH_GEN_SPAWN_H

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Run argv, with nothing on standard input, standard output and standard error going to the files
 * out and err.  The exit status; 127 where there is no such command, -1 where a signal ended it,
 * which it gets after so many seconds.
 */
static inline int
spawn(char *const *argv, const char *out, const char *err, unsigned seconds)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		alarm(seconds);
		if (argv[0] && freopen("/dev/null", "r", stdin) && freopen(out, "w", stdout) &&
		    freopen(err, "w", stderr))
			execvp(argv[0], argv);
		_exit(127);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
