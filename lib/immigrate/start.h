/* immigrate/start - the weights that immigrate's iteration starts from. */
#ifndef KITH_IMMIGRATE_START_H
#define KITH_IMMIGRATE_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_names;

/* The identity of Frobenius norm 1 (p x p); 1/p each, of sum 1 (p). */
void kith_immigrate_start_identity(size_t p, double *W);
void kith_immigrate_start_uniform(size_t p, double *w);

/*
 * Numbers in [0, 1), row by row on the upper triangle, mirrored below it, of
 * Frobenius norm 1 (p x p), from stream `index` of KITH_RNG_START
 * (base/rng.h); p of them, of sum 1, from its stream 0.
 */
void kith_immigrate_start_random(
    uint64_t seed, uint64_t index, size_t p, double *W);
void kith_immigrate_start_draw(uint64_t seed, size_t p, double *w);

/*
 * Divide len numbers by the norm: Frobenius of a matrix, the sum of a vector;
 * where that is 0 nothing changes.  Requires that squares fit a double.
 */
void kith_immigrate_normalise(size_t len, bool matrix, double *W);

/*
 * Divide the n numbers of a matrix by the root of the sum of their squares,
 * those of a vector (which are >= 0) by their sum; -1, and nothing is done,
 * where all are 0.
 */
int kith_immigrate_start_norm(size_t n, bool matrix, double *W);

/*
 * Read a start from a table of weights of these p features (table/weights.h):
 * a vector (p), or a symmetric matrix of any sign (p x p).  Fails as
 * kith_weights_read_full() does, where it is the other kind of table, and where
 * all weights are 0.
 */
int kith_immigrate_start_read(const char *file,
    const struct kith_names *feature, bool vector, double *W,
    struct kith_err *err);

#endif
