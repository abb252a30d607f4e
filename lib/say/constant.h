/* SPDX-License-Identifier: BSD-2-Clause */
/* say/constant - which columns are constant. */
#ifndef KITH_SAY_CONSTANT_H
#define KITH_SAY_CONSTANT_H

#include <stdbool.h>

struct kith_names;
struct kith_table;

/*
 * Warn of the columns that are constant, if there are any, in one line: of many
 * their number and the first names.  what, which may be NULL, says what becomes
 * of them.
 */
void kith_say_constant(const struct kith_names *name, const bool *constant, const char *what);

/* The same of the features of a table. */
void kith_say_constant_in(const struct kith_table *t);

#endif
