/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/base/atomic_file.h: a file is replaced, by its owner and by others.
 */
#define _DEFAULT_SOURCE /* NOLINT: for setgroups() */

#include "base/err.h"
#include "tap.h"
#include "text/out.h"

#include <dirent.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { US = 1000, OURS = 50 }; /* a user, of group US; OURS is another */
enum { STRANGER = 100 };       /* we cannot become this user */
enum { OWNER = 1, GROUP = 2, BOTH = OWNER | GROUP };

/* A file, who replaces it, and what is then due. */
struct replaced {
	uid_t by;
	uid_t uid;
	gid_t gid;
	mode_t mode;
	unsigned lost;
	mode_t due;
	const char *name;
};

static const struct replaced cases[] = {
    {0, 7, 8, 0640, 0, 0640, "root keeps all"},
    {0, 7, 8, 04751, 0, 04751, "root keeps set-user-ID"},
    {0, 7, 8, 0400, 0, 0400, "root replaces what is read only"},
    {0, 7, 8, 0, 0, 0, "root replaces what nobody may read"},
    {US, US, US, 0600, 0, 0600, "the owner"},
    {US, US, US, 0664, 0, 0664, "the owner keeps what the umask would take"},
    {US, US, OURS, 0640, 0, 0640, "a group of the owner"},
    {US, US, OURS, 02750, 0, 02750, "set-group-ID of such a group"},
    {US, US, US, 04755, 0, 04755, "set-user-ID of the owner"},
    {US, US, 0, 0640, GROUP, 0600, "another group reads: now nobody does"},
    {US, US, 0, 0644, GROUP, 0644, "all read"},
    {US, US, 0, 0604, GROUP, 0600, "others but the group read"},
    {US, US, 0, 06770, GROUP, 0700, "set-IDs of another group go"},
    {US, 0, OURS, 0664, OWNER, 0664, "a file of root, a group of ours"},
    {US, 0, OURS, 0464, OWNER, 0444, "its owner may not write, and will not"},
    {US, 0, OURS, 06775, OWNER, 0775, "its set-IDs go"},
    {US, 0, 0, 0666, BOTH, 0666, "all may write"},
    {US, 0, 0, 0646, BOTH, 0644, "all but the group may write"},
    {US, 0, 0, 0662, BOTH, 0622, "others may write, not read"},
    {US, 0, 0, 0606, BOTH, 0600, "the group may do nothing"},
};

static unsigned lost; /* as the message tells */

static void
hear(const char *file, const char *rights)
{
	(void)file;
	lost = strcmp(rights, "owner, group") == 0 ? BOTH : *rights == 'o' ? OWNER : GROUP;
}

/* The most that a temporary file beside the target lets others do. */
static mode_t
widest(void)
{
	DIR *d = opendir(".");
	struct dirent *e;
	mode_t all = 0;
	struct stat st;

	while ((e = readdir(d))) /* NOLINT(concurrency-mt-unsafe) */
		if (strncmp(e->d_name, ".file.", 6) == 0 && !stat(e->d_name, &st))
			all |= st.st_mode & 07777;
	closedir(d);
	return all;
}

/* In a child: become the user, and replace the file; what was lost. */
static int
replace(uid_t by)
{
	const gid_t ours = OURS;
	struct kith_out o;
	struct kith_err err;
	mode_t open;

	if (by && (setgroups(1, &ours) || setgid(by) || setuid(by)))
		return STRANGER;
	umask(022);
	if (kith_out_open(&o, "file", &err))
		return 101;
	kith_out_text(&o, "new");
	kith_out_flush(&o);
	open = widest();
	if (kith_out_close(&o, &err) || kith_atomic_settle(hear, &err))
		return 102;
	return open & ~(mode_t)0600 ? 103 : (int)lost;
}

static void
test(const struct replaced *c)
{
	const gid_t kept = c->by ? US : 0;
	struct stat st = {0};
	int status;
	pid_t child;
	FILE *f = fopen("file", "w");

	fclose(f);
	if (chown("file", c->uid, c->gid) || chmod("file", c->mode))
		printf("# cannot make the file\n");
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(replace(c->by));
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == STRANGER) {
		skip("may not become another user");
		return;
	}
	ok(WIFEXITED(status) && WEXITSTATUS(status) == (int)c->lost, "%s (got %d)", c->name,
	    WEXITSTATUS(status));
	stat("file", &st);
	is_size((size_t)st.st_size, 3, "it is written");
	ok((st.st_mode & 07777) == c->due, "%04o becomes %04o (got %04o)", (unsigned)c->mode,
	    (unsigned)c->due, (unsigned)st.st_mode & 07777);
	ok(st.st_uid == (c->lost & OWNER ? c->by : c->uid), "the owner");
	ok(st.st_gid == (c->lost & GROUP ? kept : c->gid), "the group");
	unlink("file");
}

int
main(void)
{
	char dir[] = "/tmp/kith-rights-XXXXXX";

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	if (geteuid() == 0 && !chmod(".", 0777)) {
		for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
			test(&cases[i]);
	} else {
		skip("only root can be somebody else");
	}
	if (rmdir(dir))
		printf("# %s stays\n", dir);
	return done();
}
