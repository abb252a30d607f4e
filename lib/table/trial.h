/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * table/trial - choosing parameters by how they do on rows that were not learnt
 * from.
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

struct kith_out;

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

/* A parameter: its column (NULL: none), and which of its values makes a simpler model. */
struct kith_trial_key {
	const char *name;
	bool simple_is_large;
	bool whole; /* a count, which is written as one */
};

/* What the trials of a command have in common. */
struct kith_trial_form {
	struct kith_trial_key key[KITH_TRIAL_KEYS];
	size_t keys;
	bool regress;  /* numbers are predicted, not classes */
	bool features; /* they are printed, too */
};

/*
 * The error and its standard error from the losses of `parts` parts and what
 * their rows weigh; n, errors and the rest of t stay.
 */
void kith_trial_sums(const long double *loss, const double *weight, size_t parts, bool regress,
    struct kith_trial *t);

/*
 * The same, and n and errors, from n rows, of which NaN do not count: the losses x of classes, or
 * of numbers (regress) the differences x of what is predicted and what is, whose squares need not
 * fit a double.  part[i] is the part of row i; with part NULL each row is its own one.
 */
void kith_trial_rows(const double *x, const size_t *part, size_t n, size_t parts, bool regress,
    struct kith_trial *t);

/*
 * The best of n >= 1 trials, or with KITH_BEST_SE the simplest that is within
 * one standard error of it.  Of parameters the last in key[] counts first.  A
 * trial whose error is not known (NaN) comes behind all others.
 */
size_t kith_trial_choose(
    const struct kith_trial_form *form, const struct kith_trial *t, size_t n, int how);

/*
 * Write trials as a table:
 *
 *	KEY ... n errors error se [features]	(classes)
 *	KEY ... n rmse se [features]		(numbers)
 */
void kith_trial_header(const struct kith_trial_form *form, struct kith_out *out);
void kith_trial_write(
    const struct kith_trial_form *form, const struct kith_trial *t, struct kith_out *out);

#endif
