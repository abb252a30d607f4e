/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/rng - seeded streams of random numbers: xoshiro256** of Blackman and
 * Vigna (2018), its state filled by splitmix64.
 *
 * Every purpose has streams of its own, one per index, so that what one part
 * of a program draws never shifts what another gets.
 */
#ifndef KITH_BASE_RNG_H
#define KITH_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct kith_pool;

struct kith_rng {
	uint64_t s[4];
};

/* What random numbers are for; append only, results depend on the values. */
enum kith_purpose {
	KITH_RNG_FOLD = 1,   /* index: class */
	KITH_RNG_START = 2,  /* index: start */
	KITH_RNG_SAMPLE = 3, /* index: 0 */
	KITH_RNG_REVEAL = 4  /* index: class */
};

/* Stream index of a purpose under a seed. */
void kith_rng_seed(struct kith_rng *r, uint64_t seed, enum kith_purpose purpose, uint64_t index);

/* The next 64 random bits. */
uint64_t kith_rng_next(struct kith_rng *r);

/* A whole number in 0..n-1, each equally likely (by rejection); n >= 1. */
size_t kith_rng_below(struct kith_rng *r, size_t n);

/* A double in [0, 1), a multiple of 2^-53. */
double kith_rng_unit(struct kith_rng *r);

/* Put n whole numbers in random order (Fisher and Yates). */
void kith_rng_shuffle(struct kith_rng *r, size_t *v, size_t n);

/* k of the numbers 0..n-1 in increasing order, drawn without replacement; in the pool. */
size_t *kith_rng_sample(uint64_t seed, size_t n, size_t k, struct kith_pool *pool);

#endif
