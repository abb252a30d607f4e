/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/par.h"

#include "base/progress.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { MOST = 256 }; /* threads */

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
