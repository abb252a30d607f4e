/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unpoison - tells MemorySanitizer what libraries write that were not built with
 * it: the cells of libcsv and the bytes of zlib.  Linked with --wrap for these.
 */
#include <csv.h>
#include <sanitizer/msan_interface.h>
#include <zlib.h>

typedef void take_cell(void *, size_t, void *);
typedef void take_row(int, void *);

size_t kith_real_csv_parse(struct csv_parser *, const void *, size_t,
    take_cell *, take_row *, void *) __asm__("__real_csv_parse");
size_t kith_wrap_csv_parse(struct csv_parser *, const void *, size_t,
    take_cell *, take_row *, void *) __asm__("__wrap_csv_parse");
int kith_real_inflate(z_stream *, int) __asm__("__real_inflate");
int kith_wrap_inflate(z_stream *, int) __asm__("__wrap_inflate");

/* Whom a cell is for. */
struct caller {
	take_cell *cell;
	take_row *row;
	void *to;
};

static void
cell(void *s, size_t len, void *to)
{
	const struct caller *caller = to;

	__msan_unpoison(s, len + 1); /* with the null byte */
	caller->cell(s, len, caller->to);
}

static void
row(int end, void *to)
{
	const struct caller *caller = to;

	caller->row(end, caller->to);
}

size_t
kith_wrap_csv_parse(struct csv_parser *p, const void *s, size_t len,
    take_cell *on_cell, take_row *on_row, void *to)
{
	struct caller caller = {on_cell, on_row, to};
	const size_t got = kith_real_csv_parse(
	    p, s, len, on_cell ? cell : NULL, on_row ? row : NULL, &caller);

	__msan_unpoison(p, sizeof(*p));
	return got;
}

int
kith_wrap_inflate(z_stream *stream, int flush)
{
	unsigned char *from = stream->next_out;
	const int got = kith_real_inflate(stream, flush);

	__msan_unpoison(stream, sizeof(*stream));
	__msan_unpoison(from, (size_t)(stream->next_out - from));
	return got;
}
