/* SPDX-License-Identifier: BSD-2-Clause */
#include "base/rights.h"

#include "base/pool.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

/*
 * An access list is 4 bytes of version and entries of 8: tag, permissions and
 * id, of 2, 2 and 4 bytes, the low byte first.
 */
enum { HEAD = 4, ENTRY = 8, VERSION = 2 };
enum { USER_OBJ = 1, USER = 2, GROUP_OBJ = 4, GROUP = 8, MASK = 16, OTHER = 32 };

#ifdef __linux__

static const char list_name[] = "system.posix_acl_access";

/* Read the list of a file: its length, 0 when it has none, or -1. */
static ssize_t
read_list(const char *path, void *to, size_t room)
{
	const ssize_t len = getxattr(path, list_name, to, room);

	return len < 0 && (errno == ENODATA || errno == ENOTSUP) ? 0 : len;
}

static int
write_list(int fd, const void *list, size_t len)
{
	return fsetxattr(fd, list_name, list, len, 0);
}

/* Take away a list that the directory gave to the new file. */
static int
clear_list(int fd)
{
	if (!fremovexattr(fd, list_name) || errno == ENODATA || errno == ENOTSUP)
		return 0;
	return -1;
}

#else

static ssize_t
read_list(const char *path, void *to, size_t room)
{
	(void)path, (void)to, (void)room;
	return 0;
}

static int
write_list(int fd, const void *list, size_t len)
{
	(void)fd, (void)list, (void)len;
	return -1;
}

static int
clear_list(int fd)
{
	(void)fd;
	return 0;
}

#endif

static unsigned
tag_of(const unsigned char *entry)
{
	return entry[0] | (unsigned)entry[1] << 8;
}

/* The permissions of an entry, three bits, are in one byte of it. */
static unsigned char *
allowed(unsigned char *entry)
{
	return entry + 2;
}

/* The permissions of the entry of this tag, or NULL. */
static unsigned char *
find(const struct kith_rights *r, unsigned tag)
{
	for (size_t i = 0; i < r->n; i += ENTRY)
		if (tag_of(r->it + i) == tag)
			return allowed(r->it + i);
	return NULL;
}

/* Whether the bytes are a list that has what each must have. */
static bool
is_list(const struct kith_rights *r, const unsigned char *head)
{
	return head[0] == VERSION && !head[1] && !head[2] && !head[3] && r->n % ENTRY == 0 &&
	    find(r, USER_OBJ) && find(r, GROUP_OBJ) && find(r, OTHER);
}

/* The entries that a mode stands for, where there is no list. */
static void
spell_mode(struct kith_rights *r, struct kith_pool *pool)
{
	static const unsigned char tags[] = {USER_OBJ, GROUP_OBJ, OTHER};

	r->n = sizeof(tags) * ENTRY;
	r->it = kith_new(pool, r->n, 1);
	for (size_t i = 0; i < sizeof(tags); i++) {
		r->it[i * ENTRY] = tags[i];
		*allowed(r->it + i * ENTRY) = r->mode >> (6 - 3 * i) & 7;
	}
}

void
kith_rights_take(
    const char *path, const struct stat *seen, struct kith_rights *r, struct kith_pool *pool)
{
	ssize_t len = read_list(path, NULL, 0);
	unsigned char *list = NULL;

	*r = (struct kith_rights){
	    .uid = seen->st_uid, .gid = seen->st_gid, .mode = seen->st_mode & 07777};
	if (len > 0) {
		list = kith_new(pool, (size_t)len, 1);
		len = read_list(path, list, (size_t)len);
	}
	if (len > HEAD) {
		r->it = list + HEAD;
		r->n = (size_t)len - HEAD;
		r->listed = is_list(r, list);
	}
	r->unknown = len != 0 && !r->listed;
	if (!r->listed)
		spell_mode(r, pool);
}

/* See to it that nobody gets more than before. */
static void
narrow(struct kith_rights *r, unsigned lost)
{
	const unsigned user = *find(r, USER_OBJ);
	unsigned common = 7; /* to members of any group and to others */

	for (size_t i = 0; i < r->n; i += ENTRY)
		if (tag_of(r->it + i) >= GROUP_OBJ)
			common &= *allowed(r->it + i);
	for (size_t i = 0; i < r->n; i += ENTRY) {
		const unsigned tag = tag_of(r->it + i);
		unsigned char *a = allowed(r->it + i);

		if ((lost & KITH_RIGHTS_GROUP) && (tag == GROUP_OBJ || tag == OTHER))
			*a &= (unsigned char)common;
		if ((lost & KITH_RIGHTS_OWNER) && tag != USER_OBJ)
			*a &= (unsigned char)user;
	}
	r->mode &= 0777;
}

/* The mode that the entries stand for: with a mask, it is the group's bits. */
static mode_t
mode_of(const struct kith_rights *r)
{
	const unsigned char *mask = find(r, MASK);

	if (!mask)
		mask = find(r, GROUP_OBJ);
	return (r->mode & 07000) | (mode_t)*find(r, USER_OBJ) << 6 | (mode_t)*mask << 3 |
	    *find(r, OTHER);
}

/* Give owner and group, or the group alone; what of them could not be given. */
static unsigned
give_owner(const struct kith_rights *r, int fd)
{
	struct stat now;
	unsigned lost = 0;

	if (fstat(fd, &now))
		return KITH_RIGHTS_OWNER | KITH_RIGHTS_GROUP;
	if (!fchown(fd, r->uid, r->gid))
		return 0;
	if (now.st_uid != r->uid)
		lost |= KITH_RIGHTS_OWNER;
	if (now.st_gid != r->gid && fchown(fd, (uid_t)-1, r->gid))
		lost |= KITH_RIGHTS_GROUP;
	return lost;
}

unsigned
kith_rights_give(struct kith_rights *r, int fd)
{
	unsigned lost = give_owner(r, fd);

	if (lost)
		narrow(r, lost);
	/* A list of the directory's would come alive with the mode. */
	if (clear_list(fd) || r->unknown ||
	    (r->listed && write_list(fd, r->it - HEAD, r->n + HEAD))) {
		lost |= KITH_RIGHTS_LIST;
		r->mode &= 0700;
		if (fchmod(fd, r->mode))
			lost |= KITH_RIGHTS_MODE;
	} else if (fchmod(fd, mode_of(r))) {
		lost |= KITH_RIGHTS_MODE;
	}
	return lost;
}
