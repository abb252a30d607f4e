#include "cost/usage.h"

#include <stdio.h>
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
	unsigned long all, held;
	int got = 0;

	if (in) {
		got = fscanf(in, "%lu %lu", &all, &held);
		fclose(in);
	}
	if (got != 2)
		return kith_usage_most();
	return (double)held * (double)sysconf(_SC_PAGESIZE);
}
