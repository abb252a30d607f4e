/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/opt_given - which options of the command were on the command line. */
#ifndef KITH_CLI_OPT_GIVEN_H
#define KITH_CLI_OPT_GIVEN_H

#include "cli/opt.h"

#include <stdbool.h>

/*
 * Keep the options of the command and their defaults, which are stored where
 * they point.  Returns the flags for kith_opt_parse(): option i was given.
 */
bool *kith_opt_given_begin(const struct kith_opt *opts);

/* Whether an option of this type was given. */
bool kith_opt_given_type(enum kith_opt_type type);

/* Whether the option that stores at this place was on the command line. */
bool kith_given(const void *place);

/*
 * Let the option that stores at this place be as if it had not been given: its
 * default is stored there, and kith_given() says no.  Returns it, or NULL where
 * it was not given.
 */
const struct kith_opt *kith_opt_given_forget(const void *place);

#endif
