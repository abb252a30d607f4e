/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base/rights - who may do what with a file: its owner, group, mode and access
 * list (POSIX.1e draft 17, where the system is Linux), handed on to the file
 * that replaces it.
 *
 * Whatever cannot be handed on, nobody but the new owner gets more than the old
 * file gave him.  Where the group is another one, its members were "others"
 * before, and those of the old group are now: both get what group and others
 * had in common.  Where the owner is another one, the old owner is one of the
 * rest, so the rest gets nothing that he had not.  Then the bits set-user-ID
 * and set-group-ID go, too.
 */
#ifndef KITH_BASE_RIGHTS_H
#define KITH_BASE_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct kith_pool;

struct kith_rights {
	uid_t uid;
	gid_t gid;
	mode_t mode; /* 07777 */

	/* The rest is base/rights.c's. */
	bool listed;       /* there is an access list */
	bool unknown;      /* or may be: it cannot be read */
	size_t n;          /* bytes of entries */
	unsigned char *it; /* its entries, else those that the mode stands for */
};

/* What could not be handed on, in the order in which it is reported. */
enum { KITH_RIGHTS_OWNER = 1, KITH_RIGHTS_GROUP = 2, KITH_RIGHTS_MODE = 4, KITH_RIGHTS_LIST = 8 };

/* Take the rights of the file at path, as it was seen, into the pool. */
void kith_rights_take(
    const char *path, const struct stat *seen, struct kith_rights *rights, struct kith_pool *pool);

/*
 * Give them to an open file of ours whose mode is at most 0600.  Returns what
 * could not be handed on, 0 when all is.  The entries may have changed.
 */
unsigned kith_rights_give(struct kith_rights *rights, int fd);

#endif
