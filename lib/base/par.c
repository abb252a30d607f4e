/* SPDX-License-Identifier: BSD-2-Clause */
#ifdef __linux__
#define _GNU_SOURCE /* NOLINT: for sched_getaffinity() */
#endif

#include "base/par.h"

#include "base/progress.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#else
extern char **environ;
#endif

enum {
	MOST = 256,    /* threads */
	PROCESSORS = 8 /* the most that kith_processors() returns */
};

/*
 * Seconds that the caller works alone before it starts threads.  Starting and joining a thread
 * takes 1e-5 to 4e-5: less time alone makes short calls dearer than one thread, more leaves
 * processors idle in long ones.
 */
#define ALONE 2e-4

struct team {
	kith_par_work *work;
	void *to;
	size_t blocks;
	size_t units;           /* of the phase, that all blocks are; 0: none is told of */
	int muted;              /* the caller */
	atomic_size_t next;     /* the first block that no thread has begun */
	atomic_size_t numbered; /* threads that have a number; the caller's is 0 */
};

/* Units of the first blocks, all of which are of one size but for rounding. */
static size_t
units_of(const struct team *team, size_t blocks)
{
	return (size_t)((double)team->units * (double)blocks / (double)team->blocks);
}

/* Works on the next block; returns false where none is left. */
static bool
do_block(struct team *team, size_t thread)
{
	const size_t block = atomic_fetch_add(&team->next, 1);

	if (block >= team->blocks)
		return false;
	kith_progress_mute(1);
	team->work(team->to, block, thread);
	kith_progress_mute(-1);
	if (team->units)
		kith_progress_add(units_of(team, block + 1) - units_of(team, block));
	return true;
}

/* A thread beside the caller's. */
static void *
run(void *to)
{
	struct team *team = to;
	const size_t thread = atomic_fetch_add(&team->numbered, 1);

	kith_progress_mute(team->muted);
	while (do_block(team, thread))
		continue;
	return NULL;
}

void
kith_par_run(size_t threads, size_t blocks, kith_par_work *work, void *to,
    const struct kith_par_phase *phase, bool at_once)
{
	struct team team = {.work = work, .to = to, .blocks = blocks, .numbered = 1};
	const double since = kith_progress_seconds();
	size_t most = threads < blocks ? threads : blocks, started = 1;
	pthread_t id[MOST];

	assert(threads >= 1);
	most = most < MOST ? most : MOST;
	team.muted = kith_progress_mute(0);
	if (phase) {
		team.units = phase->total;
		kith_progress_phase(phase->name, phase->total, phase->unit);
	}
	do {
		if (started < most && atomic_load(&team.next) < blocks &&
		    (at_once || kith_progress_seconds() - since > ALONE)) {
			while (
			    started < most && pthread_create(&id[started], NULL, run, &team) == 0)
				started++;
			most = started; /* no more can be had */
		}
	} while (do_block(&team, 0));
	for (size_t t = 1; t < started; t++)
		pthread_join(id[t], NULL);
	if (phase)
		kith_progress_end();
}

void
kith_par_add(size_t n)
{
	kith_progress_mute(-1);
	kith_progress_add(n);
	kith_progress_mute(1);
}

/* ---- Processors. ---- */

/* Returns what follows `start` in the first line of a file that begins so, or NULL. */
static char *
read_line(const char *path, const char *start, char *line, int room)
{
	FILE *file = fopen(path, "r");
	char *rest = NULL;

	while (file && !rest && fgets(line, room, file))
		if (strncmp(line, start, strlen(start)) == 0)
			rest = line + strlen(start);
	if (file)
		fclose(file);
	return rest;
}

/*
 * Returns the least quota, in processors, rounded up, of the process's control group and of the
 * groups that contain it; 0: none.
 */
static size_t
find_quota(void)
{
	char line[600], path[700], numbers[100], *end;
	char *group = read_line("/proc/self/cgroup", "0::", line, sizeof(line));
	size_t least = 0;

	if (!group)
		return 0;
	group[strcspn(group, "\n")] = '\0';
	for (char *slash; (slash = strrchr(group, '/')); *slash = '\0') {
		unsigned long quota, period;

		snprintf(path, sizeof(path), "/sys/fs/cgroup%s/cpu.max", group);
		if (!read_line(path, "", numbers, sizeof(numbers)))
			continue;
		quota = strtoul(numbers, &end, 10); /* 0: "max" */
		period = strtoul(end, NULL, 10);
		if (quota > 0 && period > 0 &&
		    (least == 0 || (quota + period - 1) / period < least))
			least = (quota + period - 1) / period;
	}
	return least;
}

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
	size_t limit[] = {online > 0 ? (size_t)online : 1, find_quota(), 0}, n = PROCESSORS;
#ifdef __linux__
	cpu_set_t set; /* the affinity mask */

	limit[2] = sched_getaffinity(0, sizeof(set), &set) ? 0 : (size_t)CPU_COUNT(&set);
#endif
	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++)
		if (limit[i] > 0 && limit[i] < n)
			n = limit[i];
	return n;
}
