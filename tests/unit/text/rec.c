/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/text/rec.h: bytes in, cells or messages out. */
#include "text/rec.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/rng.h"
#include "dump.h"
#include "scratch.h"
#include "tap.h"

#include <string.h>

/* Read all of the file: records, or what is wrong. */
static void
read_all(struct dump *d, const char *file, char sep, bool through_csv)
{
	struct kith_err err;
	struct kith_rec r;
	int got;

	d->len = 0;
	*d->text = '\0';
	if (kith_rec_open(&r, file, sep, KITH_FORM_auto, &err)) {
		add(d, "(%d) %s", err.status, err.msg);
		return;
	}
	r.through_csv = through_csv;
	while ((got = kith_rec_next(&r, &err)) > 0) {
		add(d, "%zu ", r.line);
		for (size_t i = 0; i < r.n; i++) {
			const char *q = kith_rec_cell(&r, i)->quoted ? "\""
								     : "";

			if (strlen(kith_rec_cell(&r, i)->s) !=
			    kith_rec_cell(&r, i)->len)
				abort();
			add(d, "%s%s%s%s", i ? "|" : "", q,
			    kith_rec_cell(&r, i)->s, q);
		}
		add(d, "\n");
	}
	if (got < 0)
		add(d, "%zu: (%d) %s", err.line, err.status, err.msg);
	kith_rec_close(&r);
}

/* A case: name, bytes in, divider, what comes out. */
struct trial {
	const char *name, *in;
	char sep;
	const char *out;
};

#define UNQUOTED "text behind a closing quotation mark"
#define ENDLESS "quoted cell without end"

/* clang-format off */
static const struct trial trials[] = {
	{"nothing", "", 0, ""},
	{"one cell", "a", 0, "1 a\n"},
	{"last newline missing", "a,b\n1,2", 0, "1 a|b\n2 1|2\n"},
	{"empty cells", ",\n,,\n", ',', "1 |\n2 ||\n"},
	{"tab before comma", "a,b\tc;d\n", 0, "1 a,b|c;d\n"},
	{"comma before semicolon", "a;b,c\n", 0, "1 a;b|c\n"},
	{"semicolon", "a b;c\n", 0, "1 a b|c\n"},
	{"one column", "a b\n1,2\n", 0, "1 a b\n2 1,2\n"},
	{"one column, asked for", "a,b\tc\n", '\n', "1 a,b\tc\n"},
	{"divider asked for", "a:b,c\n", ':', "1 a|b,c\n"},
	{"blank as divider", "a  b\n", ' ', "1 a||b\n"},
	{"divider inside quotes tells nothing", "\"a,b\";c\n", 0, "1 \"a,b\"|c\n"},
	{"tab inside quotes tells nothing", "\"a\tb\",c\n", 0, "1 \"a\tb\"|c\n"},
	{"a quote inside a cell hides nothing", "x\"a,b\n", 0, "1 x\"a|b\n"},
	{"header of two lines", "\"a\n,\";b\n1;2\n", 0, "1 \"a\n,\"|b\n3 1|2\n"},
	{"header whose second cell has two lines", "a,\"b\n;\",c\n", 0, "1 a|\"b\n;\"|c\n"},

	{"CRLF", "a,b\r\n1,2\r\n", 0, "1 a|b\n2 1|2\n"},
	{"CR at the end of the file", "a,b\r\n1,2\r", 0, "1 a|b\n2 1|2\n"},
	{"CR elsewhere", "a\rb,\rc\n\r1\r\r\n", ',', "1 a\rb|\rc\n2 \r1\r\n"},
	{"CRLF behind a quote", "\"a\"\r\n\"b\" \r\n", ',', "1 \"a\"\n2 \"b\"\n"},
	{"CR behind a quote", "\"a\"\rb\n", ',', "1: (65) " UNQUOTED},
	{"CRLF inside quotes", "\"a\r\nb\",c\r\n", ',', "1 \"a\r\nb\"|c\n"},
	{"byte order mark", "\xEF\xBB\xBF" "a,b\n", 0, "1 a|b\n"},
	{"byte order mark alone", "\xEF\xBB\xBF", 0, ""},
	{"byte order mark and quote", "\xEF\xBB\xBF\"a\"\n", 0, "1 \"a\"\n"},
	{"two byte order marks", "\xEF\xBB\xBF\xEF\xBB\xBF" "a\n", 0, "1 \xEF\xBB\xBF" "a\n"},
	{"byte order mark below", "a\n\xEF\xBB\xBF" "b\n", 0, "1 a\n2 \xEF\xBB\xBF" "b\n"},

	{"blanks around cells", "  a ,\tb\t, c d \n", ',', "1 a|b|c d\n"},
	{"tabs that divide", " a \t\t b\n", '\t', "1 a||b\n"},
	{"blanks inside and behind quotes", "\" a \"  ,\"b\"\t\n", ',', "1 \" a \"|\"b\"\n"},
	{"blank before a quote", " \"a\",b \"c\"\n", ',', "1 \"a\"|b \"c\"\n"},

	{"comments", "# x,y\n# \"\r\na,b\n", 0, "3 a|b\n"},
	{"comment below", "a\n# b\n", 0, "1 a\n2 # b\n"},
	{"no comment", "#a\n#\tb\n", 0, "1 #a\n2 #\tb\n"},
	{"comments alone", "# a\n# b", 0, ""},
	{"comment behind a byte order mark", "\xEF\xBB\xBF# x\na\n", 0, "2 a\n"},

	{"doubled quotes", "\"a\"\"b\",\"\"\"\",\"\"\n", ',', "1 \"a\"b\"|\"\"\"|\"\"\n"},
	{"quotes inside", "5\" 6\",a\"\"\n", ',', "1 5\" 6\"|a\"\"\n"},
	{"lines inside quotes", "\"a\n\n b\n\",c\nd,e\n", ',', "1 \"a\n\n b\n\"|c\n5 d|e\n"},
	{"text behind a quote", "a\n\"b\" c,d\n", ',', "1 a\n2: (65) " UNQUOTED},
	{"text at a quote", "\"a\"b\n", 0, "1: (65) " UNQUOTED},
	{"quote behind a blank", "\"a\" \"b\"\n", ',', "1: (65) " UNQUOTED},
	{"no second quote", "a,b\n1,\"2\n3,4\n", 0, "1 a|b\n2: (65) " ENDLESS},
	{"no second quote at the end", "a\n\"", 0, "1 a\n2: (65) " ENDLESS},
	{"no second quote in the header", "\"a,b\n1,2\n", 0, "1: (65) " ENDLESS},
	{"a pair, and no second quote", "a\n\"b\"\"", 0, "1 a\n2: (65) " ENDLESS},

	{"blank lines at the end", "a\n1\n\n \t\r\n\n", 0, "1 a\n2 1\n"},
	{"blank line inside", "a\n\n\n1\n", 0, "1 a\n2: (65) blank line"},
	{"blank line before", " \na\n", 0, "1: (65) blank line"},
	{"blank line before a comment", "\n# x\na\n", 0, "1: (65) blank line"},
	{"blank line of tabs", "a,b\n\t\n1,2\n", 0, "1 a|b\n2: (65) blank line"},
	{"tabs that divide nothing", "a\tb\n\t\n", 0, "1 a|b\n2 |\n"},
	{"blank lines alone", "\n \n\r\n", 0, ""},

	{"zstd", "\x28\xb5\x2f\xfdxx", 0, "(65) zstd (zstdcat?)"},
	{"xz", "\xfd\x37zXZ", 0, "(65) xz (xzcat?)"},
	{"bzip2", "BZh91AY&SYxx", 0, "(65) bzip2 (bzcat?)"},
	{"a name like bzip2", "BZh9,1AY&SY\n", 0, "1 BZh9|1AY&SY\n"},
	{"zip", "PK\3\4xx", 0, "(65) zip (unzip -p?)"},
	{"UTF-16, little end first", "\xff\xfe" "a", 0, "(65) UTF-16 (iconv -f UTF-16 -t UTF-8?)"},
	{"UTF-16, big end first", "\xfe\xff", 0, "(65) UTF-16 (iconv -f UTF-16 -t UTF-8?)"},
	{"a quote cannot divide", "a", '"', "(2) neither a quotation mark nor a carriage return can divide cells"},
};
/* clang-format on */

static void
test_trials(void)
{
	struct dump got;

	for (size_t i = 0; i < sizeof(trials) / sizeof(*trials); i++) {
		const struct trial *t = &trials[i];
		const size_t len = strcmp(t->name, "xz") ? strlen(t->in) : 6;
		const char *file = scratch(0, t->in, len);

		read_all(&got, file, t->sep, false);
		is_text(got.text, t->out, t->name);
		read_all(&got, file, t->sep, true);
		is_text(got.text, t->out, "the same through libcsv");
	}
}

static void
test_null_bytes(void)
{
	struct dump got;

	read_all(&got, scratch(0, "a\n1\n2\0\n", 7), 0, false);
	is_text(got.text, "1 a\n2 1\n3: (65) null byte: not a text file",
	    "null byte: not a text file");
	read_all(&got, scratch(0, "a\n\"1\n2\0\"\n", 9), 0, false);
	is_text(got.text, "1 a\n2: (65) null byte: not a text file",
	    "null byte in quotes");
	read_all(&got, scratch(0, "a\0\0", 3), 0, false);
	is_text(got.text, "1: (65) null byte: not a text file",
	    "null bytes at the end");
}

static void
test_no_file(void)
{
	struct kith_err err;
	struct kith_rec r;

	ok(kith_rec_open(&r, "/nowhere/at/all", 0, KITH_FORM_auto, &err) == -1,
	    "no file");
	is_size((size_t)err.status, EX_NOINPUT, "its status");
	is_text(err.msg, "No such file or directory", "its message");
	is_text(err.file, "/nowhere/at/all", "its name");
	ok(kith_rec_open(&r, "/tmp", 0, KITH_FORM_auto, &err) == -1,
	    "directory");
	is_size((size_t)err.status, EX_NOINPUT, "its status");
	is_text(err.msg, "Is a directory", "its message");
}

/* Comments before the first record that have a key and a value. */
static void
test_notes(void)
{
	static const char in[] = "# sigma\t2\r\n# no key\n# a b\t1 \tx\n# \t\n"
				 "a\tb\n# late\t1\n";
	struct dump got = {0};
	struct kith_err err;
	struct kith_rec r;

	if (kith_rec_open(
		&r, scratch(0, in, sizeof(in) - 1), 0, KITH_FORM_auto, &err))
		abort();
	is_size(r.notes, 0, "no note before it is read");
	while (kith_rec_next(&r, &err) > 0)
		continue;
	for (size_t i = 0; i < r.notes; i++)
		add(&got, "%zu %s=%s\n", r.note[i].line, r.note[i].key,
		    r.note[i].value);
	is_text(got.text, "1 sigma=2\n3 a b=1 \tx\n4 =\n", "notes");
	kith_rec_close(&r);
	is_size(r.notes, 0, "and none when it is closed");
}

static void
test_text(void)
{
	struct kith_err err;
	struct kith_rec r;

	kith_rec_open_text(&r, "me", "# a,\"b,c\"", ',');
	ok(kith_rec_next(&r, &err) == 1 && r.n == 2, "a text has two cells");
	is_text(kith_rec_cell(&r, 0)->s, "# a", "of which none is a comment");
	is_text(kith_rec_cell(&r, 1)->s, "b,c", "the second in quotes");
	ok(kith_rec_next(&r, &err) == 0, "and no more");
	kith_rec_close(&r);
	kith_rec_open_text(&r, "me", "a,b", ',');
	ok(kith_rec_next(&r, &err) == 1 && r.n == 2, "cells that are there");
	kith_rec_close(&r);
	ok(r.n == 0 && !kith_rec_texts(&r) && strcmp(r.file, "me") == 0,
	    "are gone when it is closed");
	kith_rec_open_text(&r, "me", "", ',');
	ok(kith_rec_next(&r, &err) == 0, "an empty text");
	kith_rec_close(&r);
	kith_rec_open_text(&r, "me", "a\n\"b", ',');
	ok(kith_rec_next(&r, &err) == 1, "a text of a line");
	ok(kith_rec_next(&r, &err) == -1, "and one that is wrong");
	is_text(err.file, "me", "its name");
	is_size(err.line, 2, "and line");
	kith_rec_close(&r);
}

/* Random records: whatever is read, it is the same through libcsv. */
static void
test_random(void)
{
	static const char letters[] = "ab,;\t \"\n\r\",\n1#";
	size_t same = 0, records = 0;
	enum { TRIALS = 4000 };
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < TRIALS; i++) {
		const size_t len = kith_rng_below(&rng, 40);
		struct dump one, two;
		const char *file;
		char in[40];

		for (size_t j = 0; j < len; j++)
			in[j] = letters[kith_rng_below(
			    &rng, sizeof(letters) - 1)];
		file = scratch(0, in, len);
		read_all(&one, file, 0, false);
		read_all(&two, file, 0, true);
		same += strcmp(one.text, two.text) == 0;
		records += *one.text == '1';
	}
	is_size(same, TRIALS, "random bytes read alike through libcsv");
	ok(records > TRIALS / 4, "some were records");
}

/* A table whose record i has a cell of about size bytes, quoted or not. */
static char *
big_table(struct kith_pool *pool, size_t n, size_t size, size_t *len)
{
	char *s = kith_new(pool, n * (2 * size + 100), 1), *to = s;

	for (size_t i = 0; i < n; i++) {
		const size_t more = i % 7 * (size / 7);
		const bool quoted = i % 3 == 1;

		to += sprintf(to, "%zu,%s", i, quoted ? "\"" : "");
		memset(to, quoted ? '\n' : 'x', more);
		to += more;
		to += sprintf(to, "%s,%zu\r\n", quoted ? "\"" : "", 3 * i);
	}
	*len = (size_t)(to - s);
	return s;
}

/* Records of all lengths, so that the buffer's end falls everywhere. */
static void
test_buffer(size_t n, size_t size)
{
	struct kith_pool pool = {0};
	struct kith_err err;
	struct kith_rec r;
	size_t len, i = 0, right = 0, line = 1;
	char *s = big_table(&pool, n, size, &len), due[24];

	if (kith_rec_open(&r, scratch(0, s, len), ',', KITH_FORM_auto, &err))
		abort();
	while (kith_rec_next(&r, &err) > 0) {
		const size_t more = i % 7 * (size / 7);

		snprintf(due, sizeof(due), "%zu", 3 * i);
		right += r.n == 3 && r.line == line &&
		    kith_rec_cell(&r, 1)->len == more &&
		    kith_rec_cell(&r, 1)->quoted == (i % 3 == 1) &&
		    strcmp(kith_rec_cell(&r, 2)->s, due) == 0 &&
		    (more == 0 ||
			kith_rec_cell(&r, 1)->s[more - 1] ==
			    (i % 3 == 1 ? '\n' : 'x'));
		line += 1 + (i % 3 == 1 ? more : 0);
		i++;
	}
	kith_rec_close(&r);
	ok(i == n && right == n, "%zu records of %zu bytes and less", n, size);
	kith_pool_free(&pool);
}

int
main(void)
{
	test_trials();
	test_null_bytes();
	test_no_file();
	test_notes();
	test_text();
	test_random();
	test_buffer(20000, 70);
	test_buffer(300, 70000);
	test_buffer(30, 1500000);
	return done();
}
