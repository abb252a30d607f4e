/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/text/ahead.h: on any number of threads, and in blocks of any size,
 * the same records, or the same error at the same place.
 */
#include "text/ahead.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/rng.h"
#include "dump.h"
#include "scratch.h"
#include "tap.h"
#include "text/rec.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Whether the number of each cell is that of its text. */
static bool
is_right(const struct kith_rec *r)
{
	for (size_t i = 0; r->number && i < r->n; i++) {
		const struct kith_cell *c = kith_rec_cell(r, i);
		double x;

		if (kith_parse_real(c->s, c->len, &x))
			x = NAN;
		if (!(x == r->number[i]) && !(isnan(x) && isnan(r->number[i])))
			return false;
	}
	return true;
}

/* Read all records, and what is wrong behind them. */
static void
read_all(struct dump *d, const char *file, size_t threads, size_t block)
{
	struct kith_err err = {0};
	struct kith_rec r;
	int got = kith_rec_open(&r, file, ',', KITH_FORM_csv, &err);

	d->len = 0;
	*d->text = '\0';
	if (got < 0) {
		add(d, "%s", err.msg);
		return;
	}
	r.threads = threads;
	r.block = block;
	while ((got = kith_rec_next(&r, &err)) > 0) {
		add(d, "%zu:", r.line);
		for (size_t i = 0; i < r.n; i++)
			add(d, "%s%s|", kith_rec_cell(&r, i)->s,
			    kith_rec_cell(&r, i)->quoted ? "q" : "");
		if (!is_right(&r))
			add(d, " wrong number");
	}
	if (got < 0)
		add(d, " %zu: (%d) %s", err.line, err.status, err.msg);
	kith_rec_close(&r);
}

/* Texts of random bytes that matter. */
static void
test_random(void)
{
	static const char *const letters[] = {"1,2\n.,\"3e\n \r\n\"\",\n4#\n5",
	    "1,2\n.,\"3e\r4,5,\"", "1234,5.67,8e,9\n,x y,-"};
	enum { TRIALS = 3000, LEN = 200 };
	size_t same = 0, wrong = 0;
	struct kith_rng rng;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t i = 0; i < TRIALS; i++) {
		const size_t len = kith_rng_below(&rng, LEN);
		const char *letter = letters[i % 3];
		struct dump one, more;
		const char *file;
		char in[LEN];

		for (size_t j = 0; j < len; j++)
			in[j] = letter[kith_rng_below(&rng, strlen(letter))];
		if (i % 7 == 0 && len > 0) /* a null byte */
			in[kith_rng_below(&rng, len)] = '\0';
		file = scratch(0, in, len);
		read_all(&one, file, 1, 0);
		read_all(&more, file, 1 + i % 4, 1 + kith_rng_below(&rng, 50));
		same += strcmp(one.text, more.text) == 0;
		wrong += strstr(one.text, "(65)") != NULL;
	}
	is_size(same, TRIALS, "random bytes read alike on several threads");
	ok(wrong > TRIALS / 10 && wrong < TRIALS * 9 / 10, "%zu were wrong",
	    wrong);
}

/* Errors, and the ends of blocks at each place. */
static void
test_places(void)
{
	static const char *const in[] = {
	    "a,b\n1,2\n3,\"x\ny\"\n5,6\n7,8\n",
	    "a,b\n1,2\n\n\n3,4\n",
	    "a,b\n1,2\n\n\n\n\n",
	    "a,b\n1,2\n3,4\n\n\n\"x\n",
	    "a,b\n1,2\n3,\"4\n5,6\n7,8\n",
	    "a,b\n1,2\n3,\"4\"x\n5,6\n7,8\n",
	    "a,b\n1,2\r\n3,4\r\n5 5,6\"\"\r\n\" \",\"\"\"\"\r\n7,8",
	    "a,b\n1e400,1e-400\nNA,\"NA\"\n,\n-0,+1\n",
	};
	size_t same = 0, all = 0;

	for (size_t i = 0; i < sizeof(in) / sizeof(*in); i++)
		for (size_t block = 1; block < 40; block++, all++) {
			const char *file = scratch_text(0, in[i]);
			struct dump one, more;

			read_all(&one, file, 1, 0);
			read_all(&more, file, 3, block);
			same += strcmp(one.text, more.text) == 0;
		}
	is_size(same, all, "alike wherever blocks end");
}

/* A gzip that is cut: the records before, then the error. */
static void
test_cut(void)
{
	struct kith_pool pool = {0};
	const char *path = scratch(1, "", 0);
	struct dump one, more;
	char *bytes = kith_new(&pool, 1 << 16, 1);
	gzFile f = gzopen(path, "wb");
	size_t len, same = 0, all = 0;
	FILE *in;

	for (size_t i = 0; i < 200; i++)
		gzprintf(f, "%zu,%zu\n", i, i * 7919 % 1000);
	gzclose(f);
	in = fopen(path, "rb");
	len = fread(bytes, 1, 1 << 16, in);
	fclose(in);
	for (size_t cut = len; cut > len / 2; cut -= 7, all++) {
		const char *file = scratch(0, bytes, cut);

		read_all(&one, file, 1, 0);
		read_all(&more, file, 2, 1 + cut % 100);
		same += strcmp(one.text, more.text) == 0;
	}
	is_size(same, all, "gzip that is cut reads alike");
	kith_pool_free(&pool);
}

/* A table that is long enough for threads by itself, closed at once, too. */
static void
test_long(size_t n)
{
	struct kith_pool pool = {0};
	char *s = kith_new(&pool, n, 40), *to = s;
	struct kith_err err;
	struct kith_rec r;
	size_t i = 0, right = 0, numbers = 0, line = 1;

	for (size_t k = 0; k < n; k++)
		to += sprintf(to,
		    k % 1000 == 7 ? "%zu,\"a\n\"\"b\",.5\n" : "%zu,a,.5\n", k);
	if (kith_rec_open(
		&r, scratch(0, s, (size_t)(to - s)), 0, KITH_FORM_auto, &err))
		abort();
	r.threads = 4;
	for (; kith_rec_next(&r, &err) > 0; i++) {
		size_t k;

		right += r.n == 3 && r.line == line &&
		    kith_parse_size(kith_rec_cell(&r, 0)->s, &k) == 0 &&
		    k == i && kith_rec_cell(&r, 1)->quoted == (i % 1000 == 7);
		line += i % 1000 == 7 ? 2 : 1;
		numbers += r.number && r.number[2] == .5 && is_right(&r);
	}
	is_size(i, n, "records of a long text");
	is_size(right, n, "are right");
	ok(numbers > n / 2 && numbers < n, "most were read on threads");
	kith_rec_close(&r);
	if (kith_rec_open(&r, scratch_path[0], 0, KITH_FORM_auto, &err))
		abort();
	r.threads = 4;
	for (i = 0; i < n / 2; i++)
		kith_rec_next(&r, &err);
	kith_rec_close(&r);
	ok(i == n / 2, "closed in the middle");
	kith_pool_free(&pool);
}

int
main(void)
{
	test_random();
	test_places();
	test_cut();
	test_long(100000);
	return done();
}
