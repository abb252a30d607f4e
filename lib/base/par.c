/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/par.h"

#include "base/progress.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 256 }; /* threads */

struct team {
	kith_par_work *work;
	void *to;
	size_t blocks;
	size_t units; /* of the phase, that all blocks are; 0: none is told of */
	int muted;    /* the caller */
	atomic_size_t next;
};

struct member {
	struct team *team;
	size_t thread;
	pthread_t id;
};

/* Units of the first blocks, all of which are of one size but for rounding. */
static size_t
units_of(const struct team *team, size_t blocks)
{
	return (size_t)((double)team->units * (double)blocks / (double)team->blocks);
}

/* Work on blocks until none is left. */
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

static void
share_out(size_t threads, struct team *team)
{
	struct member member[MOST];
	size_t n = threads < team->blocks ? threads : team->blocks, started = 1;

	assert(threads >= 1);
	if (n > MOST)
		n = MOST;
	team->muted = kith_progress_mute(0);
	for (size_t t = 0; t < MOST; t++)
		member[t] = (struct member){.team = team, .thread = t};
	while (started < n && pthread_create(&member[started].id, NULL, run, &member[started]) == 0)
		started++;
	join_in(&member[0]);
	for (size_t t = 1; t < started; t++)
		pthread_join(member[t].id, NULL);
}

void
kith_par(size_t threads, size_t blocks, kith_par_work *work, void *to)
{
	struct team team = {.work = work, .to = to, .blocks = blocks};

	share_out(threads, &team);
}

void
kith_par_told(size_t threads, size_t blocks, kith_par_work *work, void *to,
    const struct kith_par_phase *phase)
{
	struct team team = {.work = work, .to = to, .blocks = blocks, .units = phase->total};

	kith_progress_phase(phase->name, phase->total, phase->unit);
	share_out(threads, &team);
	kith_progress_end();
}

void
kith_par_add(size_t n)
{
	kith_progress_mute(-1);
	kith_progress_add(n);
	kith_progress_mute(1);
}
