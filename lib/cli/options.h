/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/options - rows of option tables that several commands share (cli/opt.h).
 */
#ifndef KITH_CLI_OPTIONS_H
#define KITH_CLI_OPTIONS_H

#include "cli/cli.h"
#include "table/table.h"
#include "table/unit.h"

/* Each stores into a struct kith_how. */
/* clang-format off */
#define KITH_TARGET_OPTION(how) \
	{'y', "target", KITH_COL(&(how)->target), "the column to predict: a name or a number [the last]", "Columns"}
#define KITH_FEATURE_OPTIONS(how) \
	{'x', "features", KITH_LIST(&(how)->feature), "the columns to learn from, as 'a:f,!*_id' [all others]", "Columns"}, \
	{0, "id", KITH_COL(&(how)->id), "the column of names of rows; it is no feature", NULL}
#define KITH_TASK_OPTION(how) \
	{0, "task", KITH_CHOICE(&(how)->task, "classify|regress"), "the target is a class, or a number [classify]", NULL}
#define KITH_NA_OPTION(how) \
	{0, "na", KITH_CHOICE(&(how)->na, "error|omit|mean"), "empty cell: stop, omit its row, fill in mean [error]", "Columns"}
#define KITH_SCALE_OPTION(scale, usual) \
	{0, "scale", KITH_CHOICE(scale, KITH_UNIT_WORDS), \
	    "bring features to one scale; none suits columns of one unit, as pixels [" usual "]", "Columns"}

/*
 * The end of a table of options: of a command with threads, of one that draws random
 * numbers, too, and of one that learns from all its rows.
 */
#define KITH_LAST_OPTIONS(how, threads) \
	KITH_TABLE_OPTIONS(&(how)->format), \
	KITH_THREADS_OPTION(threads), \
	KITH_COMMON_OPTIONS, \
	{0}
#define KITH_RANDOM_OPTIONS(how, seed, threads) \
	KITH_TABLE_OPTIONS(&(how)->format), \
	KITH_SEED_OPTION(seed), \
	KITH_THREADS_OPTION(threads), \
	KITH_COMMON_OPTIONS, \
	{0}
#define KITH_LEARN_OPTIONS(how, seed, threads) \
	KITH_TARGET_OPTION(how), \
	KITH_FEATURE_OPTIONS(how), \
	KITH_NA_OPTION(how), \
	KITH_RANDOM_OPTIONS(how, seed, threads)
/* clang-format on */

#endif
