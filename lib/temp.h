/*
 * temp - files that vanish when the program ends, unless they get their name.
 *
 * They are removed when the program exits, and when it dies of a signal that
 * it can catch and did not ignore: SIGINT, SIGTERM, SIGHUP, SIGPIPE and others.
 * The list of them, which the signal handler reads, is the only state here.
 * Used by one thread at a time.
 */
#ifndef KITH_TEMP_H
#define KITH_TEMP_H

#include <stddef.h>

struct kith_pool;

/* The length of the directory part of a path, with its slash. */
size_t kith_temp_directory(const char *path);

/*
 * The path that path leads to, in the pool: itself when it is no link.  What
 * it leads to need not be there.
 */
char *kith_temp_follow(const char *path, struct kith_pool *pool);

/*
 * Create .NAME.XXXXXX beside target, which ends in /NAME, with the mode of any
 * new file; its path goes to *temp, in the pool, which must outlive the file.
 * Returns the descriptor, or -1 and errno.
 */
int kith_temp_create(const char *target, char **temp, struct kith_pool *pool);

/*
 * Rename it to target, or remove it when target is NULL, and when it cannot be
 * renamed: then -1 and errno.
 */
int kith_temp_settle(char *temp, const char *target);

#endif
