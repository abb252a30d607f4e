/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/rights.h: access lists, kept, narrowed, or taken away. */
#define _DEFAULT_SOURCE /* NOLINT: for setgroups() */

#include "base/rights.h"

#include "base/pool.h"
#include "tap.h"

#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>

enum { US = 1000, OURS = 50, MOST = 6, STRANGER = 100 };
enum { U = 1, USER = 2, G = 4, GROUP = 8, M = 16, O = 32 }; /* tags */

static const char list_name[] = "system.posix_acl_access";

/* The permissions of each entry, in the order of the tags above; 9: none. */
struct list {
	unsigned char may[MOST];
};

/* Write them out as bytes; how many. */
static size_t
spell(const struct list *l, unsigned char *to)
{
	static const unsigned char tag[MOST] = {U, USER, G, GROUP, M, O};
	size_t n = 4;

	memset(to, 0, 4 + 8 * MOST);
	to[0] = 2;
	for (size_t i = 0; i < MOST; i++) {
		const bool named = tag[i] == USER || tag[i] == GROUP;

		if (l->may[i] > 7)
			continue;
		to[n] = tag[i];
		to[n + 2] = l->may[i];
		memset(to + n + 4, named ? 0 : 0xff, 4);
		if (named)
			to[n + 4] = 7; /* the id */
		n += 8;
	}
	return n;
}

static bool
has(const char *path, const struct list *due)
{
	unsigned char a[100], b[100];
	const size_t n = spell(due, a);

	return getxattr(path, list_name, b, sizeof(b)) == (ssize_t)n && memcmp(a, b, n) == 0;
}

/* Give a new file the rights of "file", as this user; what was lost. */
static unsigned
hand_on(uid_t by, uid_t uid, gid_t gid)
{
	const gid_t ours = OURS;
	struct kith_pool pool = {0};
	struct kith_rights r;
	struct stat st;
	int status, fd;
	pid_t child;

	unlink("new");
	if (stat("file", &st))
		abort();
	st.st_uid = uid;
	st.st_gid = gid;
	kith_rights_take("file", &st, &r, &pool);
	ok(r.uid == uid && r.gid == gid && r.mode == (st.st_mode & 07777),
	    "owner, group and mode are taken");
	fflush(stdout);
	child = fork();
	if (child == 0) {
		if (by && (setgroups(1, &ours) || setgid(by) || setuid(by)))
			_exit(STRANGER);
		fd = open("new", O_WRONLY | O_CREAT | O_EXCL, 0600);
		_exit(fd < 0 ? STRANGER : (int)kith_rights_give(&r, fd));
	}
	waitpid(child, &status, 0);
	kith_pool_free(&pool);
	return WIFEXITED(status) ? (unsigned)WEXITSTATUS(status) : 99;
}

static const struct {
	const char *name;
	uid_t uid;
	gid_t gid;
	unsigned lost;
	struct list was, due;
} cases[] = {
    {"all is kept", US, US, 0, {{6, 7, 4, 6, 7, 4}}, {{6, 7, 4, 6, 7, 4}}},
    {"the old owner is one of the rest", 0, 0, KITH_RIGHTS_OWNER | KITH_RIGHTS_GROUP,
	{{6, 7, 4, 6, 7, 4}}, {{6, 6, 4, 6, 6, 4}}},
    {"the old group is one of the rest", US, 0, KITH_RIGHTS_GROUP, {{7, 7, 7, 3, 7, 6}},
	{{7, 7, 2, 3, 7, 2}}},
    {"as much as the mask lets them", US, 0, KITH_RIGHTS_GROUP, {{7, 5, 6, 9, 4, 7}},
	{{7, 5, 4, 9, 4, 4}}},
    {"as much as the old owner", 0, US, KITH_RIGHTS_OWNER, {{2, 7, 7, 7, 7, 3}},
	{{2, 2, 2, 2, 2, 2}}},
    {"a group of ours is kept", 0, OURS, KITH_RIGHTS_OWNER, {{6, 7, 4, 7, 7, 4}},
	{{6, 6, 4, 6, 6, 4}}},
};

static void
test_lists(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unsigned char bytes[100];
		const size_t n = spell(&cases[i].was, bytes);
		unsigned lost;

		if (setxattr("file", list_name, bytes, n, 0)) {
			skip("no access lists on this file system");
			return;
		}
		lost = hand_on(US, cases[i].uid, cases[i].gid);
		if (lost == STRANGER) {
			skip("may not become another user");
			return;
		}
		ok(lost == cases[i].lost, "%s (got %u)", cases[i].name, lost);
		ok(has("new", &cases[i].due), "and the list is as due");
	}
}

/* A list that a directory gives to new files goes, where there was none. */
static void
test_given(void)
{
	const struct list given = {{7, 7, 5, 9, 7, 0}};
	unsigned char bytes[100];
	const size_t n = spell(&given, bytes);
	struct stat st;

	removexattr("file", list_name);
	chmod("file", 0640);
	if (setxattr(".", "system.posix_acl_default", bytes, n, 0)) {
		skip("no access lists on this file system");
		return;
	}
	ok(hand_on(0, 0, 0) == 0, "a mode alone");
	ok(getxattr("new", list_name, NULL, 0) < 0 && !stat("new", &st) &&
		(st.st_mode & 07777) == 0640,
	    "no list comes of it");
	removexattr(".", "system.posix_acl_default");
}

int
main(void)
{
	char dir[] = "/tmp/kith-rights-XXXXXX";
	int fd;

	if (!mkdtemp(dir) || chdir(dir) || chmod(".", 0777))
		return 1;
	fd = open("file", O_WRONLY | O_CREAT, 0600);
	if (fd < 0 || close(fd))
		return 1;
	if (geteuid() == 0) {
		test_lists();
		test_given();
	} else {
		skip("only root can be somebody else");
	}
	unlink("file");
	unlink("new");
	if (chdir("/") || rmdir(dir))
		printf("# %s stays\n", dir);
	return done();
}
#else
int
main(void)
{
	skip("access lists of Linux");
	return done();
}
#endif
