/*
 * cli/call - whether the options of a call go together: those that are wrong
 * beside each other, files that are the same, options that are idle.
 */
#ifndef KITH_CLI_CALL_H
#define KITH_CLI_CALL_H

#include "cli/opt.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Keep the options of the command and their defaults, which are stored where
 * they point.  Returns the flags for kith_opt_parse(): option i was given.
 */
bool *kith_call_begin(const struct kith_opt *opts);

/* Whether an option of this type was given. */
bool kith_call_has(enum kith_opt_type type);

/* A way in which options do not go together. */
struct kith_rule {
	bool wrong;
	const char *why;
};

/* End with a wrong call, the first of n that are wrong. */
void kith_obey(const struct kith_rule *rule, size_t n);

/* End with a wrong call where the numbers of --option do not increase. */
void kith_increasing(const char *option, const struct kith_reals *list);

/* A file that a command writes, and the option that names it. */
struct kith_written {
	const char *option; /* without its dashes */
	const char *path;   /* NULL: none; "-": standard output */
};

/* Where the command's table goes, as such a file, and --log. */
struct kith_written kith_written_output(void);
struct kith_written kith_written_log(void);

/*
 * End with a wrong call where two of n files are the same: "--output and
 * --trace are the same file".
 */
void kith_apart(const struct kith_written *file, size_t n);

/* Whether the option that stores at this place was on the command line. */
bool kith_given(const void *place);

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
