/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/text/gz.h: gzip of one member and of several, whole and broken.
 */
#include "text/gz.h"

#include "base/err.h"
#include "base/pool.h"
#include "scratch.h"
#include "tap.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <zlib.h>

#define LONG ((size_t)300000)

static struct kith_pool pool;
static char text[LONG], got[2 * LONG + 1];

/* One gzip member with the text; its length. */
static size_t
gzip(char *s, size_t len, unsigned char *to, size_t room)
{
	z_stream z = {0};

	if (deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
		Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	z.next_in = (Bytef *)s;
	z.avail_in = (uInt)len;
	z.next_out = to;
	z.avail_out = (uInt)room;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&z);
	return room - z.avail_out;
}

/* Read all of a file into got, room bytes at a time; -1 when that fails. */
static long
read_all(const char *file, size_t room, struct kith_err *err)
{
	struct kith_gz g;
	long n, len = 0;

	if (kith_gz_open(&g, file, err))
		return -1;
	while ((n = kith_gz_read(&g, got + len, room, err)) > 0)
		len += n;
	kith_gz_close(&g);
	return n < 0 ? -1 : len;
}

static void
is_read(const char *file, size_t room, size_t len, const char *name)
{
	struct kith_err err = {0};
	const long n = read_all(file, room, &err);
	bool same = n == (long)len;

	for (size_t i = 0; same && i < len; i++)
		same = got[i] == text[i % LONG];
	ok(same, "%s, %zu bytes at a time", name, room);
	if (!same)
		printf("# got %ld bytes: %s\n", n, err.msg);
}

static void
is_wrong(const char *file, const char *message, const char *name)
{
	struct kith_err err = {0};

	ok(read_all(file, 1000, &err) == -1 && err.status == EX_DATAERR,
	    "%s fails", name);
	is_text(err.msg, message, "its message");
}

static void
test_whole(unsigned char *z, size_t len)
{
	static const size_t rooms[] = {1, 999, LONG};

	for (size_t i = 0; i < 3; i++) {
		is_read(scratch(0, text, LONG), rooms[i], LONG, "plain");
		is_read(scratch(0, z, len), rooms[i], LONG, "gzip");
		is_read(scratch(0, z, 2 * len), rooms[i], 2 * LONG,
		    "gzip of two members");
	}
	is_read(scratch(0, "", 0), 9, 0, "nothing");
	is_read(scratch(0, z + 2 * len, gzip(text, 0, z + 2 * len, 99)), 9, 0,
	    "nothing in gzip");
}

static void
test_broken(unsigned char *z, size_t len)
{
	static const char behind[] = "other bytes behind the gzip";
	unsigned char *bad = kith_new(&pool, 2 * len, 1);

	is_wrong(scratch(0, z, len / 2), "truncated gzip", "half");
	is_wrong(scratch(0, z, len - 1), "truncated gzip", "all but a byte");
	is_wrong(scratch(0, z, 2), "truncated gzip", "two bytes");
	is_wrong(scratch(0, z, len + 1), "truncated gzip",
	    "a byte of a second member");
	is_wrong(scratch(0, z, 2 * len - 4), "truncated gzip",
	    "most of a second member");
	memcpy(bad, z, 2 * len);
	bad[len] = '\n';
	is_wrong(scratch(0, bad, len + 1), behind, "a byte behind it");
	bad[len] = '\0';
	is_wrong(scratch(0, bad, len + 1), behind, "a null byte behind it");
	memcpy(bad, z, len);
	bad[len - 5] ^= 1;
	is_wrong(scratch(0, bad, len), "broken gzip: incorrect data check",
	    "a wrong sum");
}

/* A pipe that gives a byte at a time, as standard input. */
static void
test_pipe(const unsigned char *z, size_t len)
{
	int p[2], status;
	pid_t child;

	fflush(stdout);
	if (pipe(p) || (child = fork()) < 0)
		abort();
	if (child == 0) {
		size_t i = 0;

		close(p[0]);
		while (i < len && write(p[1], z + i, 1) == 1)
			i++;
		_exit(i < len);
	}
	close(p[1]);
	if (dup2(p[0], STDIN_FILENO) < 0)
		abort();
	close(p[0]);
	is_read("-", LONG, LONG, "a pipe that gives single bytes");
	waitpid(child, &status, 0);
	ok(status == 0, "all of it");
}

int
main(void)
{
	unsigned char *z = kith_new(&pool, 4 * LONG, 1);
	unsigned h = 1;
	size_t len;

	for (size_t i = 0; i < LONG; i++) {
		h = h * 1664525 + 1013904223;
		text[i] = "0123456789,.-\n\0e"[h >> 28];
	}
	len = gzip(text, LONG, z, 2 * LONG);
	memcpy(z + len, z, len);
	test_whole(z, len);
	test_broken(z, len);
	test_pipe(z, len);
	kith_pool_free(&pool);
	return done();
}
