/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/opt_parse - command lines, and the text of --help, by a table. */
#ifndef KITH_CLI_OPT_PARSE_H
#define KITH_CLI_OPT_PARSE_H

#include "cli/opt.h"

/* The number of options in a table. */
size_t kith_opt_count(const struct kith_opt *opts);

/*
 * Parse the command line: store values where the options point, and put true
 * into given[i] for each option i of the table that is there (the others stay).
 * Operands are moved to the end of argv; returns where they start there.  Stops
 * at --help and --version, which are left to the caller.
 *
 * Fails with KITH_EX_USAGE on an option that is unknown or abbreviated, lacks
 * its value or has one too many, and on a value that will not do.  The message
 * about an unknown option that is in the table `gone` (NULL: there is none) says
 * what to do instead.
 */
int kith_opt_parse(const struct kith_opt *opts, const struct kith_gone *gone, int argc,
    char *argv[], bool *given, struct kith_pool *pool, struct kith_err *err);

/* Prints the options under their headings, as --help does; the options of KITH_COMMON by their names alone. */
void kith_opt_help(struct kith_out *out, const struct kith_opt *opts);

/* Prints the table of --help=tsv: option, argument, type, heading, words; a line an option. */
void kith_opt_table(struct kith_out *out, const struct kith_opt *opts);

#endif
