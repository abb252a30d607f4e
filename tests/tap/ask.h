/* SPDX-License-Identifier: BSD-2-Clause */
/* ask - ask a run how far it is, in a child whose parent reads standard error when it has ended. */
#ifndef ASK_H
#define ASK_H

#include <signal.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Returns the bytes that wait in the pipe of standard error. */
static inline int
printed(void)
{
	int bytes = 0;

	ioctl(STDERR_FILENO, FIONREAD, &bytes);
	return bytes;
}

/* Sends SIGUSR1, and waits up to ten seconds until another thread has printed a line. */
static inline void
ask(void)
{
	const int before = printed();

	raise(SIGUSR1);
	for (int i = 0; i < 2000 && printed() == before; i++)
		nanosleep(&(struct timespec){0, 5000000}, NULL);
}

#endif
