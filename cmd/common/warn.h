/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * common/warn - warnings of tables that a command can work with, but that are hardly meant so, and
 * of weights that do not fit the other options: the exit status stays 0.  A function without err
 * cannot fail.
 */
#ifndef KITH_COMMON_WARN_H
#define KITH_COMMON_WARN_H

#include <stdbool.h>
#include <stddef.h>

struct kith_err;
struct kith_knn_choice;
struct kith_names;
struct kith_needs;
struct kith_table;

/*
 * Warns of a target whose classes are hardly names: all classes are numbers, and
 *
 *	some number is not whole, or
 *	each of more than two classes has one row, or
 *	there are more than 20 classes, and one of the classes has fewer than 5 rows.
 *
 * target: the column's name; y: the class of each of n rows, or KITH_NO_CLASS; hint: an option that
 * may help.
 */
void kith_warn_classes(const char *target, const struct kith_names *class, const size_t *y,
    size_t n, const char *hint);

/* kith_warn_classes() of the target of a table; nothing where it has no classes. */
void kith_warn_target(const struct kith_table *t, const char *hint);

/*
 * Warns of constant columns in one line: of more than two, their number and the first three names.
 * constant[j] is of the column name->name[j]; `effect`, which may be NULL, says what a constant
 * column leads to.
 */
void kith_warn_constant(const struct kith_names *name, const bool *constant, const char *effect);

/* A ratio of standard deviations: two features with a larger ratio are hardly in one unit. */
#define KITH_WARN_UNITS 1e3

/*
 * Warns where the largest standard deviation of a feature is more than `factor` times the smallest
 * one that is not 0: the feature of the largest decides on distances alone.  To be called for
 * features that are neither scaled nor weighted.  Time O(n p).
 */
void kith_warn_scales(const struct kith_table *t, double factor);

/*
 * Warns where the rows asked are far outside the ranges of the rows known, as happens where one of
 * the two tables was scaled.  Let R be the length of the range of a feature in the n rows known; a
 * feature of R = 0 does not count.  With n >= 10, the warning is due where
 *
 *	of one feature, more than half of at least 10 rows asked lie outside by more than 10 R,
 *	more than half of all numbers of the rows asked lie outside by more than R, or
 *	n >= 20, and of half of the features, more than half of at least 20 rows asked lie outside:
 *
 * rows of one source do so hardly ever by chance.  Time
 * O((n + m) p) for m rows asked; for m = 0 nothing is done.
 */
void kith_warn_outside(const struct kith_table *known, const struct kith_table *asked);

/*
 * Warns of a table of one column whose name has a character that may divide columns.  Returns
 * whether there was a warning.
 */
bool kith_warn_undivided(const char *file, const struct kith_names *column);

/*
 * Warns of negative weights, which count as 0, and logs that comments of the table of weights have
 * keys without a meaning.  Checks that weights, which count in the units of the table, are not used
 * for rows that are scaled (scale: a method of table/unit.h): fails with EX_DATAERR where the
 * weights were learnt from scaled rows; warns where their table does not say so.  Nothing happens
 * where no file of weights was read.
 */
int kith_warn_weights(const struct kith_needs *needs, int scale, struct kith_err *err);

/*
 * Returns the sigma to use with weights: `sigma` where an option gave it, with a warning if the
 * weights were found with another one; else that of the weights, or `sigma` if they have none.
 */
double kith_warn_sigma(const struct kith_needs *needs, double sigma, bool given);

/* Logs which search for neighbours was used, and the cost estimated for the other one. */
void kith_log_search(const struct kith_knn_choice *search);

#endif
