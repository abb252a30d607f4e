#include "base/par.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 256 }; /* threads */

struct team {
	kith_par_work *work;
	void *to;
	size_t blocks;
	atomic_size_t next;
};

struct member {
	struct team *team;
	size_t thread;
	pthread_t id;
};

static void *
run(void *to)
{
	struct member *me = to;
	struct team *team = me->team;
	size_t block;

	while ((block = atomic_fetch_add(&team->next, 1)) < team->blocks)
		team->work(team->to, block, me->thread);
	return NULL;
}

void
kith_par(size_t threads, size_t blocks, kith_par_work *work, void *to)
{
	struct team team = {.work = work, .to = to, .blocks = blocks};
	struct member member[MOST];
	size_t n = threads < blocks ? threads : blocks, started = 1;

	assert(threads >= 1);
	if (n > MOST)
		n = MOST;
	for (size_t t = 0; t < MOST; t++)
		member[t] = (struct member){.team = &team, .thread = t};
	while (started < n &&
	    pthread_create(&member[started].id, NULL, run, &member[started]) ==
		0)
		started++;
	run(&member[0]);
	for (size_t t = 1; t < started; t++)
		pthread_join(member[t].id, NULL);
}
