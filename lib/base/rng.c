/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/rng.h"

#include "base/pool.h"
#include "base/sort.h"

#include <assert.h>

static uint64_t
splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Each of seed, purpose and index goes through the mixer before the next. */
void
kith_rng_seed(struct kith_rng *r, uint64_t seed, enum kith_purpose purpose, uint64_t index)
{
	uint64_t state = seed;

	state = splitmix(&state) ^ (uint64_t)purpose;
	state = splitmix(&state) ^ index;
	for (int i = 0; i < 4; i++)
		r->s[i] = splitmix(&state);
}

static uint64_t
rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

uint64_t
kith_rng_next(struct kith_rng *r)
{
	uint64_t *s = r->s;
	const uint64_t out = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return out;
}

size_t
kith_rng_below(struct kith_rng *r, size_t n)
{
	uint64_t x, whole;

	assert(n > 0);
	whole = UINT64_MAX - UINT64_MAX % n; /* a multiple of n */
	do
		x = kith_rng_next(r);
	while (x >= whole);
	return (size_t)(x % n);
}

double
kith_rng_unit(struct kith_rng *r)
{
	return (double)(kith_rng_next(r) >> 11) * 0x1p-53;
}

void
kith_rng_shuffle(struct kith_rng *r, size_t *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t j = kith_rng_below(r, i), t = v[i - 1];

		v[i - 1] = v[j];
		v[j] = t;
	}
}

size_t *
kith_rng_sample(uint64_t seed, size_t n, size_t k, struct kith_pool *pool)
{
	size_t *v = kith_new(pool, n, sizeof(*v));
	struct kith_rng rng;

	for (size_t i = 0; i < n; i++)
		v[i] = i;
	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
	if (k < n)
		kith_rng_shuffle(&rng, v, n);
	kith_sort_sizes(v, k);
	return v;
}
