/* SPDX-License-Identifier: BSD-2-Clause */
/* say/needs - warnings and notes on a table of weights and what it says it needs. */
#ifndef KITH_SAY_NEEDS_H
#define KITH_SAY_NEEDS_H

#include <stdbool.h>

struct kith_err;
struct kith_needs;

/*
 * Warns of negative weights, which count as 0, and notes keys in comments of the table that have no
 * meaning.
 */
void kith_say_needs(const struct kith_needs *needs);

/*
 * The same, and the sigma to use with the weights: `sigma` where an option gave
 * it, with a warning when they were found with another; else theirs, if they
 * say, or else `sigma`.
 */
double kith_say_needs_sigma(const struct kith_needs *needs, double sigma, bool given);

/*
 * See that rows are not scaled twice: weights count in the units of the table.  With a scale but
 * KITH_UNIT_NONE, fails with EX_DATAERR where the weights were learnt from scaled rows, and warns
 * where their table does not say.
 */
int kith_say_needs_scale(const struct kith_needs *needs, int scale, struct kith_err *err);

#endif
