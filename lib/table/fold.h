/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/fold - deal rows at random into parts of given shares, or into equal parts by groups.
 *
 * The rows of each class are shuffled (stream KITH_RNG_FOLD of base/rng.h, its
 * index the number of the class), and the classes are dealt like cards, one
 * class after the other without starting anew.  With t cards dealt, the next
 * goes to the part i with the largest
 *
 *	shares[i] (t + 1) - count[i] (shares[0] + ... + shares[parts-1])
 *
 * where count[i] is what the part has so far; of equal ones to the first.  So
 * equal shares are dealt round robin, and any two parts differ by one row at
 * most, in all and within each class.
 */
#ifndef KITH_TABLE_FOLD_H
#define KITH_TABLE_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_table;

enum { KITH_FOLD_SHARES = 1000000000 }; /* what shares may add up to */

/*
 * Deal n rows of classes y (0..c-1, numbered in byte order) into parts of these shares (NULL: equal
 * ones): part[i] becomes 0..parts-1.  y is NULL, or c is 1, where classes do not matter; the result
 * is then that of a single class.
 *
 * Requires parts >= 1, c >= 1, shares >= 1, and a sum of at most KITH_FOLD_SHARES.  Time O(n + c)
 * without shares, else O(n parts); memory O(n + c + parts).
 */
void kith_fold_deal(const size_t *y, size_t n, size_t c, const size_t *shares, size_t parts,
    uint64_t seed, size_t *part);

/*
 * Deal n rows of classes y (0..c-1; NULL: c = 1) so that all rows of a group are in one part:
 * group[i] is the group of row i, 0..groups-1, and part[i] becomes 0..parts-1.
 *
 * The groups come in the order of their sizes, the largest first, those of one size shuffled
 * (stream KITH_RNG_FOLD, index 0).  Group g goes to the part f with the least
 *
 *	n_f n_g / n + sum_h n_fh n_gh / n_h
 *
 * where n_f counts the rows that part f has so far, n_g those of the group, n all rows, and n_fh,
 * n_gh and n_h the rows of class h among these; of equal parts to the first.  This sum is how fast
 * the squares of the parts' shares, of all rows and of each class, grow: parts become alike in size
 * and classes.  The order of the rows does not matter, that of the groups' numbers does.
 *
 * Requires that every group has a row, and groups >= parts >= 1: each part then gets a group. Time
 * O(n + groups log groups + parts (groups + n)); memory O(n + groups + parts c).
 */
void kith_fold_deal_groups(const size_t *y, size_t n, size_t c, const size_t *group, size_t groups,
    size_t parts, uint64_t seed, size_t *part);

/*
 * Cut n rows into blocks by increasing order[i], rows of equal order in one block: rank[i] becomes
 * the rank of row i, of equal ones in the order of the rows, and end[b] the rank at which block b
 * ends.  Block b ends behind the first run of equal values that reaches rank n (b + 1) / blocks;
 * each block has a run at least.  Returns the number of runs; where that is less than blocks, rank
 * and end say nothing.  Requires no NaN, n >= 1 and blocks >= 1.  Time O(n log n).
 */
size_t kith_fold_blocks(const double *order, size_t n, size_t blocks, size_t *rank, size_t *end);

/*
 * Draw units 0..n-1 n times with replacement (stream KITH_RNG_FOLD, its index the number of the
 * sample): times[u] becomes how often unit u is drawn.
 */
void kith_fold_bootstrap(size_t n, uint64_t seed, size_t sample, size_t *times);

/*
 * Deals the rows of a table into equal parts: part[i] becomes 0..parts-1.  Rows that were left out
 * when it was read are dealt too, so that the others are where they are in the whole table.  Fails
 * with EX_DATAERR where there are more parts than rows.
 */
int kith_fold_deal_table(
    const struct kith_table *t, size_t parts, uint64_t seed, size_t *part, struct kith_err *err);

#endif
