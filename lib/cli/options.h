/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/options - rows of option tables that several commands share (cli/opt.h).
 */
#ifndef KITH_CLI_OPTIONS_H
#define KITH_CLI_OPTIONS_H

#include "cli/call.h"
#include "cli/cli.h"
#include "table/table.h"
#include "table/unit.h"

/* Each stores into a struct kith_how. */
/* clang-format off */
#define KITH_TARGET_OPTION(how) \
	{'y', "target", KITH_COL(&(how)->target), "COL is the target [the last column]"}
#define KITH_FEATURE_OPTIONS(how) \
	{'x', "features", KITH_LIST(&(how)->feature), "the columns LIST are the features [all others]"}, \
	{0, "id", KITH_COL(&(how)->id), "COL names the rows, and is no feature"}
#define KITH_TASK_OPTION(how) \
	{0, "task", KITH_CHOICE(&(how)->task, "classify|regress"), "the target is a class or a number [classify]"}
#define KITH_NA_OPTION(how) \
	{0, "na", KITH_CHOICE(&(how)->na, "error|omit|mean"), "missing cells: fail, drop the row, or mean [error]"}
#define KITH_SCALE_OPTION(scale, usual) \
	{0, "scale", KITH_CHOICE(scale, KITH_UNIT_WORDS), "scale features; none for columns of one unit, as pixels [" usual "]"}

/*
 * The end of a table of options: for a command that learns from all its rows
 * and draws random numbers, and for every command with threads.
 */
#define KITH_LEARN_OPTIONS(how, seed, threads) \
	KITH_TARGET_OPTION(how), \
	KITH_FEATURE_OPTIONS(how), \
	KITH_NA_OPTION(how), \
	KITH_SEED_OPTION(seed), \
	KITH_LAST_OPTIONS(how, threads)
#define KITH_LAST_OPTIONS(how, threads) \
	KITH_THREADS_OPTION(threads), \
	KITH_TABLE_OPTIONS(&(how)->format), \
	KITH_COMMON_OPTIONS, \
	{0}
/* clang-format on */

#endif
