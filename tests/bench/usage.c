/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * usage COMMAND [ARG...] - run a command; then print to standard error its CPU
 * seconds, the seconds it took, and its peak memory in megabytes.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	const double start = now();
	struct rusage u;
	pid_t child;
	int status;

	if (argc < 2 || (child = fork()) < 0)
		return 2;
	if (child == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (waitpid(child, &status, 0) < 0 || status != 0)
		return 1;
	getrusage(RUSAGE_CHILDREN, &u);
	fprintf(stderr, "%.4f %.4f %.1f\n", seconds(u.ru_utime) + seconds(u.ru_stime),
	    now() - start, (double)u.ru_maxrss / 1024);
	return 0;
}
