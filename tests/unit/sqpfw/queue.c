/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/sqpfw/queue.h: random changes, against a plain array. */
#include "sqpfw/queue.h"

#include "base/pool.h"
#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { THINGS = 300, STEPS = 4000 };

struct thing {
	double due; /* from the path's start on; NaN: not in the queue */
	uint32_t place;
};

struct world {
	struct thing thing[THINGS];
	struct kith_sqpfw_queue queue;
	struct kith_rng rng;
	double length;
	bool late, early, twice; /* what may not be */
};

/* Mostly near, some far behind the circle, some at once, some never. */
static double
some_length(struct kith_rng *rng)
{
	const double u = kith_rng_unit(rng);

	switch (kith_rng_below(rng, 8)) {
	case 0:
		return 0;
	case 1:
		return 1e3 * u;
	case 2:
		return u < .2 ? INFINITY : 20 * u;
	default:
		return u;
	}
}

static void
put(struct world *world, uint32_t at)
{
	const double ahead = some_length(&world->rng);

	world->thing[at].due = world->length + ahead;
	kith_sqpfw_queue_put(&world->queue, at, ahead);
}

/* Walk ahead: just what is due, but for rounding, is to come. */
static void
walk(struct world *world, double by)
{
	uint32_t due[THINGS];
	const size_t n = kith_sqpfw_queue_all(&world->queue, by, due);
	const double end = world->length + by;
	const bool inside = by < 3 && world->queue.buckets >= 8;

	for (size_t k = 0; k < n; k++) {
		struct thing *thing = &world->thing[due[k]];

		world->twice |= isnan(thing->due) || thing->place != KITH_SQPFW_NONE;
		world->early |= inside && (thing->due - world->length) * (1 - 1e-4) > by + 1e-4;
		thing->due = NAN;
	}
	for (uint32_t at = 0; at < THINGS; at++)
		world->late |= world->thing[at].due <= end;
	kith_sqpfw_queue_move(&world->queue, by);
	world->length = end;
	for (size_t k = 0; k < n; k++)
		put(world, due[k]);
}

static void
test_random(uint64_t seed, size_t buckets)
{
	struct kith_pool pool = {0};
	struct world *world = kith_new(&pool, 1, sizeof(*world));

	world->queue = (struct kith_sqpfw_queue){
	    .pool = &pool, .place = &world->thing[0].place, .stride = sizeof(world->thing[0])};
	kith_rng_seed(&world->rng, seed, KITH_RNG_SAMPLE, 0);
	kith_sqpfw_queue_shape(&world->queue, buckets, 4);
	for (uint32_t at = 0; at < THINGS; at++) {
		world->thing[at].place = KITH_SQPFW_NONE;
		put(world, at);
	}
	for (size_t k = 0; k < STEPS; k++) {
		const uint32_t at = (uint32_t)kith_rng_below(&world->rng, THINGS);

		switch (kith_rng_below(&world->rng, 4)) {
		case 0:
			kith_sqpfw_queue_take(&world->queue, at);
			kith_sqpfw_queue_take(&world->queue, at);
			put(world, at);
			break;
		case 1:
			walk(world, k % 64 == 0 ? 50 * kith_rng_unit(&world->rng) : 0);
			break;
		default:
			walk(world, .1 * kith_rng_unit(&world->rng));
		}
	}
	ok(!world->late, "nothing is late, seed %u", (unsigned)seed);
	ok(!world->early, "nor early, seed %u", (unsigned)seed);
	ok(!world->twice, "nor there twice, seed %u", (unsigned)seed);
	kith_pool_free(&pool);
}

int
main(void)
{
	const char *more = getenv("KITH_LONG");
	const uint64_t seeds = more && *more ? 100 : 8;

	for (uint64_t seed = 0; seed < seeds; seed++)
		test_random(seed, (size_t)1 << seed % 8);
	return done();
}
