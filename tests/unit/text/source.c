/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of text/source.h: lines, the first bytes, sizes and skips, of files, of gzip whole and
 * broken, and of texts in memory.
 */
#include "text/source.h"

#include "base/err.h"
#include "base/rng.h"
#include "dump.h"
#include "tap.h"
#include "zipped.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct kith_err err;

/* Prints all lines, and the error. */
static void
read_lines(struct dump *d, struct kith_source *in)
{
	size_t len;
	char *line;
	int got;

	d->len = 0;
	*d->text = '\0';
	while ((got = kith_source_line(in, &line, &len, &err)) > 0) {
		if (strlen(line) != len)
			abort();
		add(d, "%zu:%s|", in->line, line);
		memset(line, 'x', len); /* the caller may change it */
	}
	if (got < 0)
		add(d, "%zu: (%d) %s", err.line, err.status, err.msg);
	kith_source_close(in);
}

static const struct {
	const char *name, *text;
	size_t len;
	const char *lines;
} trials[] = {
#define TEXT(s) s, sizeof(s) - 1
    {"nothing", TEXT(""), ""},
    {"a line", TEXT("a\n"), "1:a|"},
    {"no last line end", TEXT("a\nb"), "1:a|2:b|"},
    {"empty lines", TEXT("\n\na\n\n"), "1:|2:|3:a|4:|"},
    {"CRLF", TEXT("a\r\n\r\nb\r"), "1:a|2:|3:b|"},
    {"CR inside", TEXT("a\n\rb\r\n"),
	"1:a|2: (65) a lone CR: lines end with LF or CRLF (tr '\\r' '\\n'?)"},
    {"CR CR LF", TEXT("b\r\r\n"), "1: (65) a line that ends with CR CR LF (tr -d '\\r'?)"},
    {"a null byte", TEXT("a\nb\0c\n"), "1:a|2: (65) null byte: not a text file"},
    {"a null byte at the start", TEXT("\0"), "1: (65) null byte: not a text file"},
    {"a null byte at the end", TEXT("a\nb\0"), "1:a|2: (65) null byte: not a text file"},
};

static void
test_lines(void)
{
	struct kith_source in;
	struct dump got;

	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++)
		for (int way = 0; way < 3; way++) {
			const char *const text = trials[i].text;
			const size_t len = trials[i].len;

			if (way == 2 && strlen(text) < len)
				continue;
			if (kith_source_open(&in,
				way == 2  ? "a text"
				    : way ? zipped(0, text, len)
					  : scratch(0, text, len),
				way == 2 ? text : NULL, &err))
				abort();
			read_lines(&got, &in);
			is_text(got.text, trials[i].lines, trials[i].name);
		}
	kith_source_open(&in, "a text", "x", &err);
	is_text(in.file, "a text", "the name of a text");
	kith_source_close(&in);
	ok(kith_source_open(&in, "/nowhere/at/all", NULL, &err) == -1 && err.status == EX_NOINPUT &&
		strcmp(err.file, "/nowhere/at/all") == 0,
	    "no file");
}

/* Lines of all lengths around that of the buffer, against the lines that were written. */
static void
test_long_lines(void)
{
	static char text[600000];
	size_t start[200], lines = 0, len = 0, right = 0, n;
	struct kith_rng rng;
	struct kith_source in;
	char *line;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	while (len + 150001 < sizeof(text) && lines < 200) {
		const size_t more = kith_rng_below(&rng, lines % 9 ? 5000 : 150000);

		start[lines++] = len;
		memset(text + len, 'a' + (int)(lines % 26), more);
		len += more;
		text[len++] = '\n';
	}
	if (kith_source_open(&in, scratch(0, text, len), NULL, &err))
		abort();
	for (size_t i = 0; kith_source_line(&in, &line, &n, &err) > 0; i++)
		right += i < lines && n == (i + 1 < lines ? start[i + 1] : len) - start[i] - 1 &&
		    memcmp(line, text + start[i], n) == 0 && line[n] == '\0';
	is_size(right, lines, "long lines");
	ok(lines > 20, "%zu lines", lines);
	kith_source_close(&in);
}

/* The first bytes are there to be read, too; sizes and skips of regular files. */
static void
test_bytes(void)
{
	static char text[200000], got[sizeof(text)];
	struct kith_source in;
	const char *first;
	size_t n, len = 0;
	long more;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('0' + i * 7919 % 75);
	for (int zip = 0; zip < 2; zip++) {
		const char *file = zip ? zipped(0, text, sizeof(text))
				       : scratch(0, text, sizeof(text));

		if (kith_source_open(&in, file, NULL, &err))
			abort();
		is_size(in.size, zip ? 0 : sizeof(text), "the size");
		first = kith_source_peek(&in, &n);
		ok(first && n >= 16 && memcmp(first, text, n) == 0, "the first %zu bytes", n);
		for (len = 0; (more = kith_source_read(&in, got + len, 777, &err)) > 0;)
			len += (size_t)more;
		ok(more == 0 && len == sizeof(text) && memcmp(got, text, len) == 0, "all bytes");
		kith_source_close(&in);
	}
	if (kith_source_open(&in, scratch_text(0, "ab"), NULL, &err))
		abort();
	first = kith_source_peek(&in, &n);
	ok(first && n == 2 && memcmp(first, "ab", 2) == 0, "a file of two bytes");
	kith_source_close(&in);
}

/* gzip whose members have a byte each: all first bytes are there. */
static void
test_small_members(void)
{
	static const char text[] = "0123456789abcdefghij";
	char all[2000], got[100];
	size_t len = 0, n = 0;
	struct kith_source in;
	const char *first;

	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		FILE *f = fopen(zipped(0, text + i, 1), "rb");

		len += fread(all + len, 1, sizeof(all) - len, f);
		fclose(f);
	}
	if (kith_source_open(&in, scratch(0, all, len), NULL, &err))
		abort();
	first = kith_source_peek(&in, &n);
	ok(first && n >= 16 && memcmp(first, text, n) == 0, "the first %zu bytes of members", n);
	for (len = 0; (n = (size_t)kith_source_read(&in, got + len, 50, &err)) > 0;)
		len += n;
	ok(len == sizeof(text) - 1 && memcmp(got, text, len) == 0, "and all bytes");
	kith_source_close(&in);
}

enum { LONG = 300000 };

static char text[LONG], bytes[2 * LONG], got[2 * LONG + 1];

/* Writes the text as gzip into bytes; its length. */
static size_t
zip_text(size_t len)
{
	FILE *f = fopen(zipped(1, text, len), "rb");

	len = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	return len;
}

/* Reads all of a file into got, room bytes at a time; -1 when that fails. */
static long
read_bytes(const char *file, size_t room)
{
	struct kith_source g;
	long n, len = 0;

	if (kith_source_open(&g, file, NULL, &err))
		return -1;
	while ((n = kith_source_read(&g, got + len, room, &err)) > 0)
		len += n;
	kith_source_close(&g);
	return n < 0 ? -1 : len;
}

static void
is_read(const char *file, size_t room, size_t times, const char *name)
{
	const long n = read_bytes(file, room);
	bool same = n == (long)(times * LONG);

	for (size_t k = 0; same && k < times; k++)
		same = memcmp(got + k * LONG, text, LONG) == 0;
	ok(same, "%s, %zu bytes at a time", name, room);
}

/* A pipe that gives a byte at a time, as standard input. */
static void
test_pipe(size_t len)
{
	int p[2], status;
	pid_t child;

	fflush(stdout);
	if (pipe(p) || (child = fork()) < 0)
		abort();
	if (child == 0) {
		size_t i = 0;

		close(p[0]);
		while (i < len && write(p[1], bytes + i, 1) == 1)
			i++;
		_exit(i < len);
	}
	close(p[1]);
	if (dup2(p[0], STDIN_FILENO) < 0)
		abort();
	close(p[0]);
	is_read("-", LONG, 1, "a pipe that gives single bytes");
	waitpid(child, &status, 0);
	ok(status == 0, "all of it");
}

/* gzip of one member and of several, whole and broken. */
static void
test_gzip(void)
{
	static const size_t rooms[] = {1, 999, LONG};
	size_t len;

	for (size_t i = 0, h = 1; i < LONG; i++) {
		h = (h * 1664525 + 1013904223) & 0xffffffff;
		text[i] = "0123456789,.-\n\0e"[h >> 28];
	}
	len = zip_text(0);
	is_read(scratch(0, bytes, len), 9, 0, "nothing in gzip");
	len = zip_text(LONG);
	memcpy(bytes + len, bytes, len);
	for (size_t i = 0; i < 3; i++) {
		is_read(scratch(0, text, LONG), rooms[i], 1, "plain");
		is_read(scratch(0, bytes, len), rooms[i], 1, "gzip");
		is_read(scratch(0, bytes, 2 * len), rooms[i], 2, "gzip of two members");
	}
	test_pipe(len);
	{
		const struct {
			size_t len, at; /* the byte `at` is another one, unless it is 0 */
			char by;
			const char *due;
		} broken[] = {
		    {len / 2, 0, 0, "truncated gzip"},
		    {len - 1, 0, 0, "truncated gzip"},
		    {2, 0, 0, "truncated gzip"},
		    {len + 1, 0, 0, "truncated gzip"},     /* a byte of a second member */
		    {2 * len - 4, 0, 0, "truncated gzip"}, /* most of it */
		    {len + 1, len, '\n', "other bytes behind the gzip"},
		    {len + 1, len, '\0', "other bytes behind the gzip"},
		    {len, len - 5, (char)(bytes[len - 5] ^ 1), "broken gzip: incorrect data check"},
		};

		for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
			const char was = bytes[broken[i].at];

			if (broken[i].at > 0)
				bytes[broken[i].at] = broken[i].by;
			ok(read_bytes(scratch(0, bytes, broken[i].len), 1000) == -1 &&
				err.status == EX_DATAERR,
			    "broken in way %zu", i);
			is_text(err.msg, broken[i].due, "its message");
			bytes[broken[i].at] = was;
		}
	}
}

int
main(void)
{
	test_lines();
	test_long_lines();
	test_bytes();
	test_small_members();
	test_gzip();
	return done();
}
