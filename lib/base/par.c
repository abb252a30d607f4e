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

struct member {
	struct team *team;
	size_t thread;
	pthread_t id;
};

struct team {
	kith_par_work *work;
	void *to;
	size_t blocks;
	size_t units; /* of the phase, that all blocks are; 0: none is told of */
	int muted;    /* the caller */
	atomic_size_t next;
	struct member member[MOST]; /* the first is the caller */
	size_t threads, started;    /* that are wanted, and that work, the caller among them */
	double since;               /* when the caller began (kith_progress_seconds()) */
};

/* Units of the first blocks, all of which are of one size but for rounding. */
static size_t
units_of(const struct team *team, size_t blocks)
{
	return (size_t)((double)team->units * (double)blocks / (double)team->blocks);
}

static void *run(void *to);

/* Starts the threads that are wanted, as far as they can be had. */
static void
start_threads(struct team *team)
{
	struct member *next = &team->member[team->started];

	while (team->started < team->threads && pthread_create(&next->id, NULL, run, next) == 0) {
		team->started++;
		next++;
	}
	team->threads = team->started;
}

/* Work on blocks until none is left; the caller may start threads in between. */
static void
join_in(struct member *me)
{
	struct team *team = me->team;
	size_t block;

	while ((block = atomic_fetch_add(&team->next, 1)) < team->blocks) {
		kith_progress_mute(1);
		team->work(team->to, block, me->thread);
		kith_progress_mute(-1);
		if (team->units)
			kith_progress_add(units_of(team, block + 1) - units_of(team, block));
		if (me->thread == 0 && team->started < team->threads &&
		    atomic_load(&team->next) < team->blocks &&
		    kith_progress_seconds() - team->since > ALONE)
			start_threads(team);
	}
}

static void *
run(void *to)
{
	struct member *me = to;

	kith_progress_mute(me->team->muted);
	join_in(me);
	return NULL;
}

/* Does the blocks, as a phase unless it is NULL; all threads start at once, or when the caller has
 * worked alone. */
static void
share_out(size_t threads, struct team *team, const struct kith_par_phase *phase, bool at_once)
{
	assert(threads >= 1);
	if (phase) {
		team->units = phase->total;
		kith_progress_phase(phase->name, phase->total, phase->unit);
	}
	team->threads = threads < team->blocks ? threads : team->blocks;
	if (team->threads > MOST)
		team->threads = MOST;
	team->started = 1;
	team->muted = kith_progress_mute(0);
	for (size_t t = 0; t < team->threads; t++)
		team->member[t] = (struct member){.team = team, .thread = t};
	team->member[0].team = team;
	if (at_once)
		start_threads(team);
	else if (team->threads > 1)
		team->since = kith_progress_seconds();
	join_in(&team->member[0]);
	for (size_t t = 1; t < team->started; t++)
		pthread_join(team->member[t].id, NULL);
	if (phase)
		kith_progress_end();
}

void
kith_par(size_t threads, size_t blocks, kith_par_work *work, void *to)
{
	share_out(threads, &(struct team){.work = work, .to = to, .blocks = blocks}, NULL, false);
}

void
kith_par_told(size_t threads, size_t blocks, kith_par_work *work, void *to,
    const struct kith_par_phase *phase)
{
	share_out(threads, &(struct team){.work = work, .to = to, .blocks = blocks}, phase, false);
}

void
kith_par_tasks(size_t threads, size_t blocks, kith_par_work *work, void *to,
    const struct kith_par_phase *phase)
{
	share_out(threads, &(struct team){.work = work, .to = to, .blocks = blocks}, phase, true);
}

void
kith_par_add(size_t n)
{
	kith_progress_mute(-1);
	kith_progress_add(n);
	kith_progress_mute(1);
}

/* ---- Processors. ---- */

#ifdef __linux__
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
	size_t n = PROCESSORS;

	for (size_t i = 0; i < sizeof(limit) / sizeof(*limit); i++)
		if (limit[i] > 0 && limit[i] < n)
			n = limit[i];
	return n;
}
