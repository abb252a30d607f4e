/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/trial - choosing parameters by how they do on rows that were not learnt from, and dealing
 * rows into parts.
 *
 * The rows fall into N parts, each predicted from others.  A row's loss is 1
 * where a wrong class is predicted and 0 where the right one is, or of numbers
 * the squared difference.  With l_i the losses of part i together, c_i what its
 * rows weigh together (their number, where they have no weights) and
 * e_i = l_i / c_i,
 *
 *	error = sum_i l_i / sum_i c_i			(numbers: rmse, its root)
 *	se^2  = sum_i (e_i - mean e)^2 / (N (N - 1))	(numbers: / (4 rmse^2))
 *
 * where parts without a row that counts are left out.  The standard error of a
 * root is that of the mean of squares, divided by twice the root (the delta
 * method).  With fewer than two parts it is not known: NaN, printed as NA.
 *
 * The best trial has the least error; of equal ones the fewest features, and
 * then the smallest parameters.  The simplest within one standard error of it
 * (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees,
 * 1984, section 3.4.3) has the fewest features of those whose error is at most
 * its error + se, and then the parameters that make the simplest model.
 */
#ifndef KITH_TABLE_TRIAL_H
#define KITH_TABLE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_err;
struct kith_out;
struct kith_table;

enum { KITH_TRIAL_KEYS = 5 };

/* --best or --best=1se, as KITH_MAYBE() stores the option; 0: neither. */
enum { KITH_BEST = 1, KITH_BEST_SE };

struct kith_trial {
	double key[KITH_TRIAL_KEYS]; /* the parameters */
	size_t n;                    /* rows that count */
	size_t errors;               /* classes: rows that are wrong */
	double error, se;
	size_t features; /* 0, where they do not matter */
};

/* A parameter: its column (NULL: trials are not written), and which of its values makes a simpler model. */
struct kith_trial_key {
	const char *name;
	bool simple_is_large;
	bool whole; /* a count, which is written as one */
};

/* What the trials of a command have in common. */
struct kith_trial_form {
	struct kith_trial_key key[KITH_TRIAL_KEYS];
	size_t keys;
	bool regress; /* numbers are predicted, not classes */
};

/*
 * The error and its standard error from the losses of `parts` parts and what
 * their rows weigh; n, errors and the rest of t stay.
 */
void kith_trial_sums(const long double *loss, const double *weight, size_t parts, bool regress,
    struct kith_trial *t);

/*
 * The best of n >= 1 trials, or with KITH_BEST_SE the simplest that is within
 * one standard error of it.  Of parameters the last in key[] counts first.  A
 * trial whose error is not known (NaN) comes behind all others.
 */
size_t kith_trial_choose(
    const struct kith_trial_form *form, const struct kith_trial *t, size_t n, int how);

/*
 * Writes n trials as a table:
 *
 *	KEY ... n errors error se	(classes)
 *	KEY ... n rmse se		(numbers)
 */
void kith_trial_write(
    const struct kith_trial_form *form, const struct kith_trial *t, size_t n, struct kith_out *out);

/* ---- Parts of rows. ---- */

/*
 * Deals rows at random into parts of given shares, or into equal parts by groups.
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

enum { KITH_FOLD_SHARES = 1000000000 }; /* what shares may add up to */

/*
 * Deal n rows of classes y (0..c-1, numbered in byte order) into parts of shares[0..parts-1] (NULL:
 * equal shares): part[i] becomes 0..parts-1.  y is NULL, or c is 1, where classes do not matter;
 * the result is then that of a single class.
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
 * Deals the rows of a table into equal parts: part[i] becomes 0..parts-1.  Rows that were left out
 * when it was read are dealt too, so that the others are where they are in the whole table.  Fails
 * with EX_DATAERR where there are more parts than rows.
 */
int kith_fold_deal_table(
    const struct kith_table *t, size_t parts, uint64_t seed, size_t *part, struct kith_err *err);

#endif
