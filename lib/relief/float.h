/*
 * relief/float - nearest rows by a weighted sum of absolute differences, of
 * many features: single precision screens out what is too far, under a bound
 * of its error, and double distances of what is left decide (for
 * relief/cell.c).
 */
#ifndef KITH_RELIEF_FLOAT_H
#define KITH_RELIEF_FLOAT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_neighbour;
struct kith_pool;
struct kith_relief_sorted;

struct kith_relief_float {
	const struct kith_relief_sorted *s;
	const double *least, *factor; /* p: (x - least) factor is in 0..1 */
	const double *weight;         /* p: of the metric */
	float *Z;                     /* the m rows sampled, scaled so */
};

/*
 * The weights of the metric are all the same number of times the factors; NULL:
 * they are the factors.
 */
void kith_relief_float_new(const struct kith_relief_sorted *s,
    const double *least, const double *factor, const double *weight,
    struct kith_relief_float *f, struct kith_pool *pool);

/* Whether class b has rows enough, and more features than a tree can use. */
bool kith_relief_float_serves(
    const struct kith_relief_sorted *s, size_t b, size_t k);

/*
 * The same as kith_relief_near() under KITH_ABSOLUTE with these weights, if
 * that serves.
 */
void kith_relief_float_near(const struct kith_relief_float *f, size_t b,
    size_t k, size_t threads, struct kith_neighbour *nn);

#endif
