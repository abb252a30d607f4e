/* SPDX-License-Identifier: BSD-2-Clause */
/* child - what a child says on standard error while it does something. */
#ifndef CHILD_H
#define CHILD_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Calls act(to) in a child, and exits 0 there if it returns; the text, and the status or -1. */
static inline char *
child_said(void (*act)(void *to), void *to, int *status)
{
	static char text[1 << 14];
	ssize_t got;
	size_t used = 0;
	int fd[2], end;
	pid_t child;

	if (pipe(fd))
		abort();
	fflush(stdout);
	child = fork();
	if (child == 0) {
		dup2(fd[1], STDERR_FILENO);
		close(fd[0]);
		act(to);
		fflush(stderr);
		_exit(0);
	}
	close(fd[1]);
	waitpid(child, &end, 0); /* before reading: ask.h counts what waits in the pipe */
	while ((got = read(fd[0], text + used, sizeof(text) - 1 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	close(fd[0]);
	*status = WIFEXITED(end) ? WEXITSTATUS(end) : -1;
	return text;
}

#endif
