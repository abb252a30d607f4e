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

/* The rows of a file, and what they are dealt by. */
struct kith_fold_rows {
	const char *file; /* for messages */
	size_t n, c;
	const size_t *y;     /* n: classes 0..c-1; NULL: c is 1 */
	const size_t *group; /* n: 0..groups-1, of which each has a row; NULL: no groups */
	size_t groups;
	const double *order; /* n, no NaN; kith_fold_cut() alone reads it */
};

/*
 * Deals rows as kith_fold_deal() does, or with groups into equal parts so that all rows of a group
 * are in one part.  Fails with EX_DATAERR where there are more parts than rows or groups.
 *
 * The groups come in the order of their sizes, the largest first, those of one size shuffled
 * (stream KITH_RNG_FOLD, index 0).  Group g goes to the part f with the least
 *
 *	n_f n_g / n + sum_h n_fh n_gh / n_h
 *
 * where n_f counts the rows that part f has so far, n_g those of the group, n all rows, and n_fh,
 * n_gh and n_h the rows of class h among these; of equal parts to the first.  This sum is how fast
 * the squares of the parts' shares, of all rows and of each class, grow: parts become alike in size
 * and classes.  The order of the rows does not matter, that of the groups' numbers does.  Each part
 * gets a group.  Time O(n + groups log groups + parts (groups + n)); memory O(n + groups + parts
 * c).
 */
int kith_fold_deal_rows(const struct kith_fold_rows *rows, const size_t *shares, size_t parts,
    uint64_t seed, size_t *part, struct kith_err *err);

/*
 * Cuts rows into parts + 1 blocks by increasing order, rows of equal order in one block: rank[i]
 * becomes the rank of row i, of equal ones in the order of the rows, and end[b] (n) the rank at
 * which block b ends.  Block b ends behind the first run of equal values that reaches rank
 * n (b + 1) / (parts + 1); each block has a run at least.  Fails with EX_DATAERR where there are
 * fewer runs than blocks, and where no row is left before block `test` >= 1 without the last
 * `embargo` ones.  Time O(n log n).
 */
int kith_fold_cut(const struct kith_fold_rows *rows, size_t parts, size_t embargo, size_t test,
    size_t *rank, size_t *end, struct kith_err *err);

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
