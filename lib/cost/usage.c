/* SPDX-License-Identifier: BSD-2-Clause */
#include "cost/usage.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

double
kith_usage_seconds(void)
{
	struct rusage u;

	if (getrusage(RUSAGE_SELF, &u))
		return 0;
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	    (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

double
kith_usage_most(void)
{
	struct rusage u;

	return getrusage(RUSAGE_SELF, &u) ? 0 : 1024 * (double)u.ru_maxrss;
}

/* The second number of Linux's statm; elsewhere the most is as good. */
double
kith_usage_bytes(void)
{
	FILE *in = fopen("/proc/self/statm", "r");
	char line[200], *rest;
	bool got = false;
	unsigned long held = 0;

	if (in) {
		got = fgets(line, sizeof(line), in) != NULL;
		fclose(in);
	}
	if (got && strtoul(line, &rest, 10) > 0)
		held = strtoul(rest, NULL, 10);
	if (held == 0)
		return kith_usage_most();
	return (double)held * (double)sysconf(_SC_PAGESIZE);
}
