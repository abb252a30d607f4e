/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/text/out.h: what is written, where it lands, and how it fails.
 */
#include "text/out.h"

#include "base/err.h"
#include "entries.h"
#include "tap.h"
#include "text/place.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[1 << 20];

/* The file's text, or NULL. */
static const char *
slurp(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		return NULL;
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Write one text to path; 0, or the status of the failure. */
static int
put(const char *path, const char *s)
{
	struct kith_out o;
	struct kith_err err = {0};

	if (kith_out_open(&o, path, &err))
		return err.status;
	kith_out_text(&o, s);
	return kith_out_close_alone(&o, NULL, &err) ? err.status : 0;
}

/* What has no temporary file, as a device has none, is closed as well. */
static void
test_device(void)
{
	struct kith_out o;
	struct kith_err err = {0};

	kith_out_open(&o, "/dev/null", &err);
	kith_out_text(&o, "a");
	is_size((size_t)kith_out_close_alone(&o, NULL, &err), 0, "a device");
}

static void
test_cells(void)
{
	const char *const cells[][2] = {{"plain text", "plain text"},
	    {"", "\"\""}, {"NA", "\"NA\""}, {"nan", "\"nan\""}, {"?", "\"?\""},
	    {"??", "??"}, {"NAN", "NAN"}, {"a\"b", "\"a\"\"b\""},
	    {"\"", "\"\"\"\""}, {"a\tb", "\"a\tb\""}, {"a\nb", "\"a\nb\""},
	    {"a\r", "\"a\r\""}, {" a", "\" a\""}, {"a ", "\"a \""},
	    {"a,b;c", "a,b;c"}, {"# x", "# x"}, {"\xC3\xA4", "\xC3\xA4"}};

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		struct kith_out o;
		struct kith_err err;

		kith_out_open(&o, "cell", &err);
		kith_out_cell(&o, cells[i][0]);
		kith_out_close_alone(&o, NULL, &err);
		is_text(slurp("cell"), cells[i][1], "a cell");
	}
}

static void
test_header(void)
{
	const char *const two[] = {"# a,b", "# c"}, *const one[] = {"a,b"};
	const char *const mark[] = {"\xEF\xBB\xBFx", "y"},
			  *const semi[] = {";"};
	struct kith_out o;
	struct kith_err err;

	kith_out_open(&o, "head", &err);
	kith_out_header(&o, two, 2);
	kith_out_header(&o, one, 1);
	kith_out_header(&o, semi, 1);
	kith_out_header(&o, mark, 2);
	kith_out_close_alone(&o, NULL, &err);
	is_text(slurp("head"),
	    "\"# a,b\"\t# c\n\"a,b\"\n\";\"\n\"\xEF\xBB\xBFx\"\ty\n",
	    "names that would read as something else are quoted");
}

static void
test_numbers(void)
{
	const double x[] = {
	    0, -0.0, 1, 0.1, -2.5, 1.0 / 3, INFINITY, -INFINITY};
	struct kith_out o;
	struct kith_err err;

	kith_out_open(&o, "numbers", &err);
	for (size_t i = 0; i < sizeof(x) / sizeof(*x); i++) {
		kith_out_real(&o, x[i]);
		kith_out_char(&o, ' ');
	}
	kith_out_size(&o, UINT32_MAX);
	kith_out_char(&o, ' ');
	kith_out_missing(&o);
	kith_out_close_alone(&o, NULL, &err);
	is_text(slurp("numbers"),
	    "0 0 1 0.1 -2.5 0.3333333333333333 inf -inf "
	    "4294967295 NA",
	    "numbers");

	kith_out_open(&o, "numbers", &err);
	kith_out_real(&o, NAN);
	ok(o.failed, "a NaN fails");
	kith_out_real(&o, 1);
	ok(kith_out_close_alone(&o, NULL, &err) < 0, "which closing reports");
	is_size((size_t)err.status, EX_SOFTWARE, "as our mistake");
	ok(strstr(slurp("numbers"), "0.333"), "and leaves the file as it was");
}

static void
test_row(void)
{
	const char *volatile none = NULL; /* not seen by the compiler */
	struct kith_out o;
	struct kith_err err;

	kith_out_open(&o, "row", &err);
	kith_out_put(
	    &o, "%s\t%s\t%zu\t%g\t%G\n", "a", " a", (size_t)7, 0.5, 1.5);
	kith_out_put(&o, "%s\t%G\n", none, NAN);
	kith_out_put(&o, "%zu\n", (size_t)0);
	kith_out_close_alone(&o, NULL, &err);
	is_text(slurp("row"), "a\t\" a\"\t7\t0.5\t1.5\nNA\tNA\n0\n", "records");
	kith_out_open(&o, "row", &err);
	kith_out_put(&o, "%s\t%g\n", "", NAN);
	ok(o.failed, "a NaN fails in a record too");
	kith_out_drop(&o);
}

/* Pieces of every size around that of the buffer. */
static void
test_pieces(void)
{
	static char due[1 << 20];
	struct kith_out o;
	struct kith_err err;
	size_t used = 0;

	kith_out_open(&o, "pieces", &err);
	for (size_t len = 65530; len < 65540; len++) {
		memset(due + used, 'a' + (int)(len % 26), len);
		kith_out_bytes(&o, due + used, len);
		used += len;
		due[used++] = '|';
		kith_out_char(&o, '|');
		if (len % 2)
			kith_out_flush(&o);
	}
	ok(!kith_out_close_alone(&o, NULL, &err), "large pieces");
	is_text(slurp("pieces"), due, "arrive whole and in order");
}

static void
test_places(void)
{
	struct stat st;
	struct kith_out o;
	struct kith_err err;
	size_t before;

	umask(027);
	put("new", "1");
	stat("new", &st);
	is_size(st.st_mode & 07777, 0640, "the mode is that of any new file");

	before = entries();
	kith_out_open(&o, "new", &err);
	kith_out_text(&o, "2");
	kith_out_flush(&o);
	is_text(slurp("new"), "1", "the old file stays until it is closed");
	is_size(entries(), before + 1, "beside a temporary one");
	kith_out_close_alone(&o, NULL, &err);
	is_text(slurp("new"), "2", "then it is replaced");
	is_size(entries(), before, "and there is no other");

	mkdir("dir", 0700);
	symlink("there", "dir/link");
	symlink("dir/link", "link");
	is_size((size_t)put("link", "3"), 0, "a link to a link to nothing");
	is_text(slurp("dir/there"), "3", "gets a file at its end");
	is_size((size_t)put("link", "4"), 0, "and again");
	is_text(slurp("dir/there"), "4", "which is replaced there");
	lstat("link", &st);
	ok(S_ISLNK(st.st_mode), "the link stays");

	is_size(
	    (size_t)put("/dev/null", "x"), 0, "a device is written directly");
	is_size((size_t)put("/dev/full", "x"), EX_IOERR, "and may be full");
	is_size((size_t)put(".", "x"), EX_IOERR, "a directory fails");
	is_size((size_t)put("", "x"), EX_IOERR, "an empty name fails");
	is_size((size_t)put("no/x", "x"), EX_IOERR, "no directory fails");
	is_size((size_t)put("new/x", "x"), EX_IOERR, "a file as one fails");
	symlink("loop", "loop");
	is_size((size_t)put("loop", "x"), EX_IOERR, "a circle of links fails");
	memset(text, 'n', 255);
	text[255] = '\0';
	is_size((size_t)put(text, "x"), 0, "the longest name there is works");
	ok(kith_out_open(&o, "no/x", &err) < 0, "a failure");
	is_text(err.file, "no/x", "names the file");
	is_text(err.msg, "No such file or directory", "and says why");
}

static void
test_same(void)
{
	put("one", "");
	symlink("one", "other");
	link("one", "third");
	ok(kith_place_same("one", "./one"), "two names of a file");
	ok(kith_place_same("one", "other"), "a link");
	ok(kith_place_same("third", "other"), "a hard link");
	ok(!kith_place_same("one", "two"), "one is not there");
	ok(kith_place_same("two", "dir/../two"), "two names of no file yet");
	ok(!kith_place_same("two", "dir/two"), "in two directories");
	ok(!kith_place_same("/dev/null", "/dev/null"), "a device is shared");
}

static void
open_text(struct kith_out *o, const char *path, const char *s)
{
	struct kith_err err;

	if (kith_out_open(o, path, &err))
		printf("# %s: %s\n", path, err.msg);
	kith_out_text(o, s);
}

/* Several files of a run. */
static void
test_together(void)
{
	const size_t before = entries();
	struct kith_out a, b, c;
	struct kith_err err = {0};

	put("a", "old");
	open_text(&a, "a", "new");
	open_text(&b, "b", "new");
	open_text(&c, "c", "new");
	ok(!kith_out_close(&a, &err) && !kith_out_close(&b, &err),
	    "two files are closed");
	is_text(slurp("a"), "old", "they wait for their names");
	ok(!slurp("b"), "a new one, too");
	ok(!kith_out_close_alone(&c, NULL, &err), "a third goes alone");
	is_text(slurp("c"), "new", "and has its name");
	is_text(slurp("a"), "old", "not so the others");
	ok(!kith_out_settle(NULL, &err), "all are settled");
	is_text(slurp("a"), "new", "the one");
	is_text(slurp("b"), "new", "and the other");
	is_size(entries(), before + 3, "and there is no other file");
	ok(!kith_out_settle(NULL, &err), "nothing is left to settle");

	open_text(&a, "a", "newer");
	open_text(&b, "b", "newer");
	open_text(&c, "c", "newer");
	kith_out_close(&a, &err);
	kith_out_close(&b, &err);
	kith_out_drop(&c);
	is_size(entries(), before + 5, "one that is dropped is no more");
	unlink("b");
	mkdir("b", 0700);
	ok(kith_out_settle(NULL, &err) < 0, "a name is taken by a directory");
	is_size((size_t)err.status, EX_IOERR, "which is a failure to write");
	is_text(err.file, "b", "of this file");
	is_text(err.msg, "Is a directory; replaced already: a",
	    "and it is said which were replaced");
	is_text(slurp("a"), "newer", "this one was");
	is_text(slurp("c"), "new", "the dropped one was not");
	is_size(entries(), before + 3, "and there is no other file");
	rmdir("b");
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
}

/* What a path becomes while it is written. */
static void
test_meanwhile(void)
{
	struct kith_out o;
	struct kith_err err;

	umask(022);
	put("m", "1");
	chmod("m", 0640);
	open_text(&o, "m", "2");
	chmod("m", 0604);
	kith_out_close_alone(&o, NULL, &err);
	is_size(mode_of("m"), 0604, "the mode is that of the end");
	open_text(&o, "m", "3");
	unlink("m");
	kith_out_close_alone(&o, NULL, &err);
	is_size(mode_of("m"), 0604, "of a file that goes, that of the start");
	unlink("m");
	open_text(&o, "m", "4");
	kith_out_close(&o, &err);
	is_size(mode_of("m"), 0, "a new file waits");
	kith_out_settle(NULL, &err);
	is_size(mode_of("m"), 0644, "and has the mode of any new file");
}

/* A regular file that only a link of /proc leads to. */
static void
test_nameless(void)
{
	char path[64];
	struct stat st;
	FILE *f = fopen("gone", "w+");

	fputs("a longer text", f);
	fflush(f);
	unlink("gone");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(f));
	if (stat(path, &st)) {
		skip("no /proc");
		fclose(f);
		return;
	}
	is_size((size_t)put(path, "text"), 0, "a file that was removed");
	is_text(slurp(path), "text", "is written where it is");
	fclose(f);
}

/* A child opens a file and ends in some way: no temporary file stays. */
static void
test_ends(int sig, bool dies, const char *name)
{
	const size_t before = entries();
	int status;
	const pid_t child = fork();

	if (child == 0) {
		struct kith_out o, p;
		struct kith_err err;

		if (kith_out_open(&o, "left", &err) ||
		    kith_out_open(&p, "new", &err))
			_exit(1);
		kith_out_text(&o, "x");
		if (sig)
			raise(sig);
		exit(7); /* NOLINT(concurrency-mt-unsafe) */
	}
	waitpid(child, &status, 0);
	if (dies)
		ok(WIFSIGNALED(status) && WTERMSIG(status) == sig, "dies of %s",
		    name);
	else
		ok(WIFEXITED(status) && WEXITSTATUS(status) == 7, "%s", name);
	is_size(entries(), before, "and leaves no file");
}

int
main(void)
{
	char dir[] = "/tmp/kith-out-XXXXXX";

	/* Under nohup and in the background they are ignored. */
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	test_device();
	test_cells();
	test_header();
	test_numbers();
	test_row();
	test_pieces();
	test_places();
	test_same();
	test_together();
	test_meanwhile();
	test_nameless();
	fflush(stdout);
	test_ends(0, false, "exits");
	test_ends(SIGINT, true, "SIGINT");
	test_ends(SIGTERM, true, "SIGTERM");
	test_ends(SIGHUP, true, "SIGHUP");
	test_ends(SIGPIPE, true, "SIGPIPE");
	if (system("rm -rf ./* ./.??*") || rmdir(dir)) /* NOLINT */
		printf("# %s stays\n", dir);
	return done();
}
