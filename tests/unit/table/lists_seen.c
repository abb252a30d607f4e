/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/table/lists_seen.h: as a table of all numbers says it. */
#include "table/lists_seen.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <stdint.h>
#include <string.h>

enum { ROWS = 300, MOST = 2000 };

static struct kith_pool pool;

/* Draw as many numbers below MOST, times step, row after row. */
static void
test_rows(size_t step, const char *what)
{
	struct kith_lists_seen seen = {0};
	struct kith_rng rng;
	size_t wrong = 0, twice = 0;

	kith_rng_seed(&rng, step, KITH_RNG_SAMPLE, 0);
	for (size_t row = 0; row < ROWS; row++) {
		const size_t n = kith_rng_below(&rng, row % 10 ? 30 : MOST);
		bool there[MOST] = {false};

		kith_lists_seen_none(&seen);
		for (size_t i = 0; i < n; i++) {
			const size_t x = kith_rng_below(&rng, MOST);
			const bool again = kith_lists_seen_add(&seen, x * step, &pool);

			wrong += again != there[x];
			twice += again;
			there[x] = true;
		}
	}
	ok(wrong == 0 && twice > 0, "%s: %zu wrong, %zu twice", what, wrong, twice);
	is_size(seen.slots, 4096, "slots for the longest row");
}

int
main(void)
{
	struct kith_lists_seen seen = {0};

	test_rows(1, "numbers");
	test_rows(4096, "multiples of the slots");
	ok(!kith_lists_seen_add(&seen, SIZE_MAX, &pool) &&
		kith_lists_seen_add(&seen, SIZE_MAX, &pool) &&
		!kith_lists_seen_add(&seen, 0, &pool),
	    "the largest number, and 0");
	kith_pool_free(&pool);
	return done();
}
