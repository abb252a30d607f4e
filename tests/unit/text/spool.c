/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/text/spool.h and lib/text/piece.h: pieces that end in any order
 * are the bytes of one table.
 */
#include "text/spool.h"

#include "base/par.h"
#include "scratch.h"
#include "tap.h"
#include "text/cell.h"
#include "text/piece.h"

enum { PIECES = 40 };

static struct kith_err err;
static const char *const lead[] = {"first class", "class\t2"};
static const char *const cell[3][2] = {{"a", "NA"}, {"b\"", ""}, {"c", "d"}};

/* Piece i writes a header and some rows, as a table of its own. */
static void
write_piece(struct kith_out *out, size_t i)
{
	static const char *const column[] = {"n", "x", "name"};
	const struct kith_cell na = {"NA", 2, false};

	kith_out_lead_with(out, cell[i % 3]);
	for (size_t k = 0; k < i % 5 * 700; k++) {
		kith_out_put(out, "%zu\t%g\t", k, (double)i / 3);
		if (k % 7)
			kith_out_put(out, "%s\n", "n");
		else {
			kith_out_verbatim(out, &na);
			kith_out_row(out);
		}
	}
	kith_out_header(out, column, 3);
}

static void
begin(struct kith_out *out, enum kith_style style, size_t i)
{
	static const char *const column[] = {"n", "x", "name"};
	const struct kith_dest to = {
	    .path = scratch_text(i, ""), .style = style, .digits = style};

	if (kith_out_open_table(out, &to, &err))
		abort();
	kith_out_lead(out, lead, 2);
	kith_out_header(out, column, 3);
}

static char *
end(struct kith_out *out, size_t i)
{
	static char text[2][1 << 23];
	FILE *f;

	if (kith_out_close_alone(out, NULL, &err))
		abort();
	f = fopen(scratch_path[i], "r");
	if (!f)
		abort();
	text[i][fread(text[i], 1, sizeof(text[i]) - 1, f)] = '\0';
	fclose(f);
	return text[i];
}

static void
work(void *to, size_t block, size_t thread)
{
	struct kith_spool *s = to;

	(void)thread;
	write_piece(kith_spool_begin(s, block), block);
	kith_spool_end(s, block);
}

static void
test_style(enum kith_style style, const char *head)
{
	struct kith_out whole, out;
	struct kith_spool s;
	const char *due;

	begin(&whole, style, 0);
	for (size_t i = 0; i < PIECES; i++)
		write_piece(&whole, i);
	due = end(&whole, 0);
	ok(strncmp(due, head, strlen(head)) == 0, "how it begins");

	for (size_t threads = 1; threads <= 4; threads++) {
		begin(&out, style, 1);
		kith_spool_new(&s, &out, PIECES);
		kith_par(threads, PIECES, work, &s);
		kith_spool_free(&s);
		ok(strcmp(end(&out, 1), due) == 0,
		    "the same bytes by %zu threads", threads);
	}

	begin(&out, style, 1);
	kith_spool_new(&s, &out, PIECES);
	for (size_t i = 0; i < PIECES; i++)
		write_piece(kith_spool_begin(&s, i), i);
	for (size_t i = PIECES; i-- > 0;)
		kith_spool_end(&s, i);
	kith_spool_free(&s);
	ok(strcmp(end(&out, 1), due) == 0, "ending from the last to the first");
}

/* Pieces of a byte, or of none, that wait. */
static void
test_bytes(void)
{
	struct kith_out out, *piece[4];
	struct kith_spool s;
	const char *got;

	begin(&out, KITH_STYLE_TSV, 0);
	kith_spool_new(&s, &out, 4);
	for (size_t i = 0; i < 4; i++) {
		piece[i] = kith_spool_begin(&s, i);
		if (i != 2)
			kith_out_char(piece[i], "ab d"[i]);
	}
	for (size_t i = 4; i-- > 0;)
		kith_spool_end(&s, i);
	kith_spool_free(&s);
	got = end(&out, 0);
	ok(strcmp(strchr(got, '\n'), "\nabd") == 0,
	    "pieces of a byte, and of none");
}

int
main(void)
{
	test_bytes();
	test_style(KITH_STYLE_TSV,
	    "first class\t\"class\t2\"\tn\tx\tname\n\"b\"\"\"\t\"\"\t0\t"
	    "0.3333333333333333\tNA\n");
	test_style(KITH_STYLE_CSV, "first class,\"class\t2\",n,x,name\n");
	test_style(KITH_STYLE_JSONL,
	    "{\"first class\":\"b\\\"\",\"class\\t2\":\"\",\"n\":0,\"x\":0.33,"
	    "\"name\":null}\n");
	return done();
}
