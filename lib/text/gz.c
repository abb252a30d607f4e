/* SPDX-License-Identifier: BSD-2-Clause */
#define _DEFAULT_SOURCE /* syscall(); NOLINT(*-identifier,cert-dcl*) */
#include "text/gz.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>

enum { ROOM = 1 << 16, MOST = 1 << 30, PEEK = 4096 };

struct kith_gz_state {
	int fd;
	bool gzip, ended; /* ended: between two members */
	size_t from, end; /* bytes of in that are read and not yet given */
	z_stream z;
	unsigned char in[ROOM];
	char head[PEEK]; /* of gzip, what kith_gz_peek() has shown */
	size_t head_from, head_end;
	void *map;
	size_t mapped;
	struct kith_pool pool; /* holds this state */
};

/* What we do not read, by its first bytes, and what would make it text. */
static const struct {
	const char *bytes;
	size_t len;
	const char *what, *hint;
} other[] = {
    {"\x28\xb5\x2f\xfd", 4, "zstd", "zstdcat"},
    {"\xfd\x37zXZ\0", 6, "xz", "xzcat"},
    {"BZh", 3, "bzip2", "bzcat"},
    {"PK\3\4", 4, "zip", "unzip -p"},
    {"PK\5\6", 4, "zip", "unzip -p"},
    {"\xff\xfe\0\0", 4, "UTF-32", "iconv -f UTF-32 -t UTF-8"},
    {"\0\0\xfe\xff", 4, "UTF-32", "iconv -f UTF-32 -t UTF-8"},
    {"\xff\xfe", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {"\xfe\xff", 2, "UTF-16", "iconv -f UTF-16 -t UTF-8"},
};

/* Whether read(2) may be tried again: when there is something, if it waits. */
static bool
is_passing(int fd, int why)
{
	if (why == EAGAIN) /* somebody set the pipe so */
		poll(&(struct pollfd){fd, POLLIN, 0}, 1, -1);
	return why == EAGAIN || why == EINTR;
}

/* read(2), as a count, 0 at the end, or -1. */
static long
read_bytes(struct kith_gz *g, void *to, size_t room, struct kith_err *err)
{
	const int fd = g->state->fd;
	ssize_t got;

	do
		got = read(fd, to, room < MOST ? room : MOST);
	while (got < 0 && is_passing(fd, errno));
	if (got < 0)
		return kith_fail_at(
		    err, EX_NOINPUT, g->file, 0, "%s", strerror(errno));
	kith_progress_add((size_t)got);
	return got;
}

/* Read as much as tells what the file is; a pipe may give it in pieces. */
static int
read_magic(struct kith_gz *g, struct kith_err *err)
{
	struct kith_gz_state *s = g->state;
	long got = 1;

	while (s->end < 16 && got > 0) {
		got = read_bytes(g, s->in + s->end, ROOM - s->end, err);
		if (got < 0)
			return -1;
		s->end += (size_t)got;
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++) {
		if (s->end < other[i].len ||
		    memcmp(s->in, other[i].bytes, other[i].len) != 0)
			continue;
		/* "BZh" may be a name; the block behind it hardly is. */
		if (*s->in == 'B' &&
		    (s->end < 10 || memcmp(s->in + 4, "1AY&SY", 6) != 0))
			continue;
		return kith_fail_at(err, EX_DATAERR, g->file, 0, "%s (%s?)",
		    other[i].what, other[i].hint);
	}
	s->gzip = s->end >= 2 && memcmp(s->in, "\x1f\x8b", 2) == 0;
	return 0;
}

/* The bytes of a regular file; 0 of others, and where a size_t is too small. */
static size_t
size_of(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
		(off_t)(size_t)st.st_size == st.st_size
	    ? (size_t)st.st_size
	    : 0;
}

int
kith_gz_open(struct kith_gz *g, const char *file, struct kith_err *err)
{
	const bool std = strcmp(file, "-") == 0;
	const int fd = std ? STDIN_FILENO
			   : open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct kith_pool pool = {0};
	struct kith_gz_state *s;

	*g = (struct kith_gz){.file = std ? "<stdin>" : file};
	if (fd < 0)
		return kith_fail_at(
		    err, EX_NOINPUT, g->file, 0, "%s", strerror(errno));
	g->state = s = kith_new(&pool, 1, sizeof(*s));
	s->fd = fd;
	s->pool = pool;
	kith_progress_reading(g->file, size_of(fd));
	if (read_magic(g, err)) {
		kith_gz_close(g);
		return -1;
	}
	if (s->gzip && inflateInit2(&s->z, 16 + MAX_WBITS) != Z_OK)
		kith_no_memory(1, ROOM);
	return 0;
}

/* One call of inflate(); bytes given, 0 for none yet, or -1. */
static long
inflate_some(struct kith_gz *g, char *to, size_t room, struct kith_err *err)
{
	struct kith_gz_state *s = g->state;
	const uInt most = (uInt)(room < MOST ? room : MOST);
	int got;

	if (s->ended && s->in[s->from] != 0x1f)
		return kith_fail_at(
		    err, EX_DATAERR, g->file, 0, "other bytes behind the gzip");
	if (s->ended)
		inflateReset(&s->z);
	s->z.next_in = s->in + s->from;
	s->z.avail_in = (uInt)(s->end - s->from);
	s->z.next_out = (Bytef *)to;
	s->z.avail_out = most;
	got = inflate(&s->z, Z_NO_FLUSH);
	if (got == Z_MEM_ERROR)
		kith_no_memory(1, ROOM);
	if (got != Z_OK && got != Z_STREAM_END && got != Z_BUF_ERROR)
		return kith_fail_at(err, EX_DATAERR, g->file, 0,
		    "broken gzip: %s", s->z.msg ? s->z.msg : "no reason");
	s->from = s->end - s->z.avail_in;
	s->ended = got == Z_STREAM_END;
	return (long)(most - s->z.avail_out);
}

/* Give some of the bytes from[*at..end-1]; how many. */
static long
give(const void *from, size_t *at, size_t end, char *to, size_t room)
{
	const size_t len = end - *at < room ? end - *at : room;

	memcpy(to, (const char *)from + *at, len);
	*at += len;
	return (long)len;
}

static long
read_gzip(struct kith_gz *g, char *to, size_t room, struct kith_err *err)
{
	struct kith_gz_state *s = g->state;
	long got = 0;

	while (got == 0) {
		/* What is still inside zlib comes without new input. */
		if (s->from == s->end && (s->ended || s->z.avail_out > 0)) {
			got = read_bytes(g, s->in, ROOM, err);
			if (got == 0 && !s->ended)
				return kith_fail_at(err, EX_DATAERR, g->file, 0,
				    "truncated gzip");
			if (got <= 0)
				return got;
			s->from = 0;
			s->end = (size_t)got;
		}
		got = inflate_some(g, to, room, err);
	}
	return got;
}

long
kith_gz_read(struct kith_gz *g, char *to, size_t room, struct kith_err *err)
{
	struct kith_gz_state *s = g->state;

	if (s->head_from < s->head_end)
		return give(s->head, &s->head_from, s->head_end, to, room);
	if (s->gzip)
		return read_gzip(g, to, room, err);
	if (s->from < s->end)
		return give(s->in, &s->from, s->end, to, room);
	return read_bytes(g, to, room, err);
}

const char *
kith_gz_peek(struct kith_gz *g, size_t *len, struct kith_err *err)
{
	struct kith_gz_state *s = g->state;
	long got = 1;

	if (!s->gzip) {
		*len = s->end - s->from;
		return (const char *)s->in + s->from;
	}
	while (s->head_end < 16 && got > 0) {
		got = read_gzip(
		    g, s->head + s->head_end, PEEK - s->head_end, err);
		if (got < 0)
			return NULL;
		s->head_end += (size_t)got;
	}
	*len = s->head_end;
	return s->head;
}

/*
 * mmap(2) of a whole file to read, or MAP_FAILED.  The name mmap() itself is
 * la/blas.c's, which would bring OpenBLAS into every command.
 */
static void *
map_file(int fd, size_t len)
{
#if defined(SYS_mmap2) || defined(SYS_mmap)
#ifdef SYS_mmap2 /* of 32 bits */
	const long number = SYS_mmap2;
#else
	const long number = SYS_mmap;
#endif
	const long got = syscall(
	    number, NULL, len, PROT_READ, MAP_PRIVATE, fd, 0L);

	return (void *)got; /* NOLINT(performance-no-int-to-ptr) */
#else
	(void)fd;
	(void)len;
	return MAP_FAILED;
#endif
}

const unsigned char *
kith_gz_map(struct kith_gz *g, size_t *len)
{
	struct kith_gz_state *s = g->state;
	const size_t size = size_of(s->fd);

	if (s->gzip || s->fd == STDIN_FILENO || size == 0)
		return NULL;
	s->map = map_file(s->fd, size);
	if (s->map == MAP_FAILED) {
		s->map = NULL;
		return NULL;
	}
	*len = s->mapped = size;
	posix_madvise(s->map, s->mapped, POSIX_MADV_SEQUENTIAL);
	return s->map;
}

bool
kith_gz_is_cut(const struct kith_gz *g)
{
	return g->state->map && size_of(g->state->fd) < g->state->mapped;
}

void
kith_gz_close(struct kith_gz *g)
{
	struct kith_gz_state *s = g->state;
	struct kith_pool pool = s->pool;

	if (s->gzip)
		inflateEnd(&s->z);
	if (s->map)
		munmap(s->map, s->mapped);
	if (s->fd != STDIN_FILENO)
		close(s->fd);
	kith_progress_end();
	g->state = NULL;
	kith_pool_free(&pool);
}
