/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * say/doubt - warnings of tables that a command can work with, but that are
 * hardly meant so: the status stays 0, and the result is of no use.
 */
#ifndef KITH_SAY_DOUBT_H
#define KITH_SAY_DOUBT_H

#include <stdbool.h>
#include <stddef.h>

struct kith_names;
struct kith_table;

/*
 * Warns of a target (its name, its classes, and those of n rows, KITH_NO_CLASS among them) whose
 * classes are numbers of which some are not whole, or more than 20 of which some have fewer than 5
 * rows: such numbers are hardly names.  The hint says what may help.
 */
void kith_say_many_classes(const char *target, const struct kith_names *class, const size_t *y,
    size_t n, const char *hint);

/* The same of a table that was read for --task classify; else nothing. */
void kith_say_table_classes(const struct kith_table *t, const char *hint);

/* Standard deviations in this ratio are those of features in other units. */
#define KITH_SAY_UNITS 1e3

/*
 * Warn of features whose standard deviations differ by more than a factor:
 * distances are those of the widest ones.  Constant features do not count.
 * For rows as a method sees them, and without weights of the features.  column,
 * unless it is NULL, says which of t->feature each column of t->X is.
 */
void kith_say_scales(const struct kith_table *t, const size_t *column, double factor);

/*
 * Warn where rows asked are far outside the ranges of the reference, as rows
 * are that were not scaled like it.  A feature that is not constant in the
 * reference has the range least to most there, of length R.  It is warned of
 *
 *	a feature of which more than half of the rows, 10 at least, lie outside
 *	by more than 10 R;
 *	more than half of all numbers outside by more than R;
 *	half of the features or more, of each of which more than half of the
 *	rows, 20 at least, lie outside,
 *
 * for references of 10 rows at least, in the last case 20: rows of one source
 * are there by chance hardly ever.  The features are those of known->X and
 * asked->X, by column as above; without rows asked there is nothing to say.
 */
void kith_say_outside(
    const struct kith_table *known, const struct kith_table *asked, const size_t *column);

/*
 * Warn of a table that is one column, whose name has a character that may
 * divide columns; whether it is.
 */
bool kith_say_undivided(const char *file, const struct kith_names *column);

#endif
