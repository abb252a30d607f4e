/*
 * cli/options - rows of option tables that several commands share (cli/opt.h).
 */
#ifndef KITH_CLI_OPTIONS_H
#define KITH_CLI_OPTIONS_H

#include "cli/opt.h"
#include "table/table.h"

/* Each stores into a struct kith_how. */
/* clang-format off */
#define KITH_TARGET_OPTION(how) \
	{'y', "target", KITH_COL(&(how)->target), "COL is the target [the last column]"}
#define KITH_FEATURE_OPTIONS(how) \
	{'x', "features", KITH_LIST(&(how)->feature), "the columns LIST are the features [all others]"}, \
	{0, "id", KITH_COL(&(how)->id), "COL names the rows, and is no feature"}, \
	{0, "ignore", KITH_LIST(&(how)->ignore), "the columns LIST are no features"}
#define KITH_TASK_OPTION(how) \
	{0, "task", KITH_CHOICE(&(how)->task, "classify|regress"), "the target is a class or a number [classify]"}
#define KITH_NA_OPTION(how) \
	{0, "na", KITH_CHOICE(&(how)->na, "error|omit|mean"), "missing cells: fail, leave the row out, or mean [error]"}
/* clang-format on */

#endif
