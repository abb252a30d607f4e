/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/atomic_file - output files that appear whole or not at all.
 *
 * Each file is written beside its target as .NAME.XXXXXX, and renamed when all files of the run are
 * complete.  Files that are not renamed are removed when the process exits, and when a signal ends
 * the process.  The list of files is one a process; it is used by one thread at a time, while no
 * thread of base/par works.
 */
#ifndef KITH_BASE_ATOMIC_FILE_H
#define KITH_BASE_ATOMIC_FILE_H

#include <stddef.h>

struct kith_atomic;
struct kith_err;
struct kith_pool;
struct stat;

/* Returns the length of the directory part of a path, with its slash. */
size_t kith_path_directory(const char *path);

/*
 * Returns the path that symbolic links of `path` lead to, in the pool: `path` itself where it is no
 * link.  Its file need not exist.  NULL and errno where that cannot be told.
 */
char *kith_path_follow(const char *path, struct kith_pool *pool);

/*
 * Creates .NAME.XXXXXX beside `target`, which ends in /NAME and was seen to be the regular file
 * `seen`, or (NULL) not to exist.  Where it exists, the mode is 0600 at most, else that of any new
 * file.  `name` is the target's in messages, and is kept.  The descriptor goes to *fd; NULL and
 * errno on failure.
 */
struct kith_atomic *kith_atomic_create(
    const char *target, const char *name, const struct stat *seen, int *fd);

/*
 * The file is written: it gets the owner, group, mode and access list of the file that it will
 * replace, if there is one, and is synced; from now on kith_atomic_settle() renames it.  -1 and
 * errno where it cannot be synced.
 *
 * Where the owner or the group cannot be kept, nobody but the new owner gets more rights than the
 * old file gave: the permissions of group and others are those that group and others both had; or
 * none, where the old file had an access list.
 */
int kith_atomic_complete(struct kith_atomic *file, int fd);

/* Removes it. */
void kith_atomic_drop(struct kith_atomic *file);

/*
 * Renames all complete files, and syncs their directories.  A signal ends the process before or
 * after all renames, not in between.  Fails with EX_IOERR: the message names the files that were
 * renamed before the failure; the remaining files are removed.  A remark (base/err.h) names what
 * rights of a replaced file could not be kept: "NAME: not kept of the old file: owner, mode".
 */
int kith_atomic_settle(struct kith_err *err);

/*
 * Calls `act` when a signal ends the process, before the files are removed: it may do what a signal
 * handler may do.  No other signal interrupts it.
 */
void kith_at_signal(void (*act)(void));

/* "; replaced already: " and the names of renamed files, for the message of a later failure. */
const char *kith_atomic_replaced(void);

#endif
