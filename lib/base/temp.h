/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/temp - the files of a run that have not got their names yet.
 *
 * Each is written beside its place as .NAME.XXXXXX.  When it is whole it waits;
 * all that wait get their names together.  Those that have none are removed
 * when the program exits, and when a signal ends it (base/ends.h).  The list of
 * them is one per process, for the signal handler; used by one thread at a
 * time.
 */
#ifndef KITH_BASE_TEMP_H
#define KITH_BASE_TEMP_H

#include <stddef.h>

struct kith_err;
struct kith_pool;
struct kith_temp;
struct stat;

/* The length of the directory part of a path, with its slash. */
size_t kith_temp_directory(const char *path);

/*
 * The path that path leads to, in the pool: itself when it is no link.  What
 * it leads to need not be there.  NULL and errno when that cannot be told.
 */
char *kith_temp_follow(const char *path, struct kith_pool *pool);

/*
 * Create .NAME.XXXXXX beside target, which ends in /NAME and was seen to be
 * that regular file, or (NULL) not to be there.  Where there is one its mode is
 * 0600 at most, else that of any new file.  The name, for messages, is kept.
 * The descriptor goes to *fd; NULL and errno when there is none.
 */
struct kith_temp *kith_temp_create(
    const char *target, const char *name, const struct stat *seen, int *fd);

/*
 * The file is written: give it the rights of the one that it will replace, and
 * let it reach the disk.  It then waits for its name.  -1 and errno when it
 * cannot reach the disk.
 */
int kith_temp_complete(struct kith_temp *temp, int fd);

/* Remove it. */
void kith_temp_drop(struct kith_temp *temp);

/*
 * Give their names to all that wait, or to `only`.  A signal that ends the
 * process comes before or behind all of it.  Where all were meant, their
 * directories reach the disk, too.  `tell` (NULL: nobody) hears which rights of
 * the old files could not be kept (base/rights.h).
 *
 * Fails with EX_IOERR when a file cannot be renamed: the message says which
 * others were before; those that were not are removed.
 */
typedef void kith_temp_unkept(const char *name, unsigned rights);
int kith_temp_settle(struct kith_temp *only, kith_temp_unkept *tell, struct kith_err *err);

/*
 * For the message of a run that fails behind that: "; replaced already: " and
 * the names of files that it has replaced, as many as there is room for, or "".
 */
const char *kith_temp_replaced(void);

#endif
