/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/par.h: every block once, whatever the number of threads. */
#include "base/par.h"

#include "tap.h"

#include <stdatomic.h>

enum { BLOCKS = 1000 };

struct tally {
	atomic_uint done[BLOCKS];
	atomic_size_t most; /* largest thread seen */
};

static void
work(void *to, size_t block, size_t thread)
{
	struct tally *t = to;
	size_t most = atomic_load(&t->most);

	atomic_fetch_add(&t->done[block], 1);
	while (thread > most && !atomic_compare_exchange_weak(&t->most, &most, thread))
		;
}

static void
test(size_t threads, size_t blocks)
{
	static struct tally t;
	bool once = true;

	for (size_t i = 0; i < BLOCKS; i++)
		atomic_store(&t.done[i], 0);
	atomic_store(&t.most, 0);
	kith_par(threads, blocks, work, &t);
	for (size_t i = 0; i < BLOCKS; i++)
		once = once && atomic_load(&t.done[i]) == (i < blocks);
	ok(once, "%zu threads do %zu blocks once each", threads, blocks);
	ok(atomic_load(&t.most) < threads, "with a number below %zu", threads);
}

int
main(void)
{
	const size_t threads[] = {1, 2, 3, 8, 1000};

	for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++) {
		test(threads[i], BLOCKS);
		test(threads[i], 1);
		test(threads[i], 0);
	}
	return done();
}
