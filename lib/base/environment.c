/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE /* NOLINT: for sched_getaffinity() */
#endif

#include "base/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>

/* Returns the processors of the affinity mask; 0: not known. */
static size_t
count_affinity(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 0 : (size_t)CPU_COUNT(&set);
}

/* Returns the quota of a control group in processors, rounded up; 0: it has none. */
static size_t
read_quota(const char *group)
{
	char text[700], *end;
	unsigned long quota, period = 0;
	FILE *file;

	snprintf(text, sizeof(text), "/sys/fs/cgroup%s/cpu.max", group);
	file = fopen(text, "r");
	if (!file)
		return 0;
	quota = fgets(text, sizeof(text), file) ? strtoul(text, &end, 10) : 0; /* 0: "max" */
	if (quota > 0)
		period = strtoul(end, NULL, 10);
	fclose(file);
	return period > 0 ? (quota + period - 1) / period : 0;
}

/* Returns the least quota of the process's group and of the groups that contain it; 0: none. */
static size_t
find_quota(void)
{
	FILE *file = fopen("/proc/self/cgroup", "r");
	char line[600], *group = NULL;
	size_t least = 0;

	while (file && !group && fgets(line, sizeof(line), file))
		if (strncmp(line, "0::/", 4) == 0)
			group = line + 3;
	if (file)
		fclose(file);
	if (!group)
		return 0;
	group[strcspn(group, "\n")] = '\0';
	for (char *slash; (slash = strrchr(group, '/')); *slash = '\0') {
		const size_t quota = read_quota(group);

		if (quota > 0 && (least == 0 || quota < least))
			least = quota;
	}
	return least;
}
#else
extern char **environ;

static size_t
count_affinity(void)
{
	return 0;
}

static size_t
find_quota(void)
{
	return 0;
}
#endif

const char *
kith_environment(const char *name)
{
	const size_t len = strlen(name);

	for (char **e = environ; e && *e; e++)
		if (strncmp(*e, name, len) == 0 && (*e)[len] == '=')
			return *e + len + 1;
	return NULL;
}

size_t
kith_processors(void)
{
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const size_t limit[] = {online > 0 ? (size_t)online : 1, count_affinity(), find_quota()};
	size_t n = KITH_PROCESSORS_MOST;

	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++)
		if (limit[i] > 0 && limit[i] < n)
			n = limit[i];
	return n;
}
