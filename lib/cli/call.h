/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/call - whether the options of a call go together: those that are wrong
 * beside each other, and those that are idle.
 */
#ifndef KITH_CLI_CALL_H
#define KITH_CLI_CALL_H

#include "cli/opt_given.h"

#include <stdbool.h>
#include <stddef.h>

/* A way in which options do not go together. */
struct kith_rule {
	bool wrong;
	const char *why;
};

/* End with a wrong call, the first of n that are wrong. */
void kith_obey(const struct kith_rule *rule, size_t n);

/* End with a wrong call where the numbers of --option do not increase. */
void kith_increasing(const char *option, const struct kith_reals *list);

/*
 * Say that an option is idle: it changes nothing beside the others.  Where it
 * was given, warn, and go on as if it had not been: its default is stored where
 * it points, and kith_given() says no.  The warning is "--sigma is not used
 * with --vote majority", `with` being the part behind "with"; or "-k is not
 * used without --validate".
 */
void kith_unused(const void *place, const char *with);
void kith_unused_without(const void *place, const char *without);

/* The same of n options. */
void kith_unused_each(const void *const *place, size_t n, const char *with);

/* The same of those of n options that are idle. */
struct kith_idle {
	bool idle;
	const void *place;
	const char *with;
};
void kith_unused_all(const struct kith_idle *option, size_t n);

#endif
