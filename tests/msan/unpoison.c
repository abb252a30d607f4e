/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unpoison - tells MemorySanitizer what libraries write that were not built with
 * it: the cells of libcsv and the bytes of zlib; what zlib writes into a file is not
 * looked at.  Linked with --wrap for these.
 */
#include <csv.h>
#include <sanitizer/msan_interface.h>
#include <stdarg.h>
#include <zlib.h>

typedef void take_cell(void *, size_t, void *);
typedef void take_row(int, void *);

size_t kith_real_csv_parse(struct csv_parser *, const void *, size_t, take_cell *, take_row *,
    void *) __asm__("__real_csv_parse");
size_t kith_wrap_csv_parse(struct csv_parser *, const void *, size_t, take_cell *, take_row *,
    void *) __asm__("__wrap_csv_parse");
int kith_real_inflate(z_stream *, int) __asm__("__real_inflate");
int kith_wrap_inflate(z_stream *, int) __asm__("__wrap_inflate");
int kith_real_deflate(z_stream *, int) __asm__("__real_deflate");
int kith_wrap_deflate(z_stream *, int) __asm__("__wrap_deflate");
int kith_real_gzwrite(gzFile, const void *, unsigned) __asm__("__real_gzwrite");
int kith_wrap_gzwrite(gzFile, const void *, unsigned) __asm__("__wrap_gzwrite");
int kith_wrap_gzprintf(gzFile, const char *, ...) __asm__("__wrap_gzprintf");
int kith_real_gzclose(gzFile) __asm__("__real_gzclose");
int kith_wrap_gzclose(gzFile) __asm__("__wrap_gzclose");

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
kith_wrap_csv_parse(
    struct csv_parser *p, const void *s, size_t len, take_cell *on_cell, take_row *on_row, void *to)
{
	struct caller caller = {on_cell, on_row, to};
	const size_t got = kith_real_csv_parse(
	    p, s, len, on_cell ? cell : NULL, on_row ? row : NULL, &caller);

	__msan_unpoison(p, sizeof(*p));
	return got;
}

/* What comes out of inflate() or deflate(). */
static int
run(int (*real)(z_stream *, int), z_stream *stream, int flush)
{
	unsigned char *from = stream->next_out;
	const int got = real(stream, flush);

	__msan_unpoison(stream, sizeof(*stream));
	__msan_unpoison(from, (size_t)(stream->next_out - from));
	return got;
}

int
kith_wrap_inflate(z_stream *stream, int flush)
{
	return run(kith_real_inflate, stream, flush);
}

int
kith_wrap_deflate(z_stream *stream, int flush)
{
	return run(kith_real_deflate, stream, flush);
}

int
kith_wrap_gzwrite(gzFile f, const void *s, unsigned len)
{
	int got;

	__msan_scoped_disable_interceptor_checks();
	got = kith_real_gzwrite(f, s, len);
	__msan_scoped_enable_interceptor_checks();
	return got;
}

int
kith_wrap_gzprintf(gzFile f, const char *format, ...)
{
	va_list ap;
	int got;

	__msan_scoped_disable_interceptor_checks();
	va_start(ap, format);
	got = gzvprintf(f, format, ap);
	va_end(ap);
	__msan_scoped_enable_interceptor_checks();
	return got;
}

int
kith_wrap_gzclose(gzFile f)
{
	int got;

	__msan_scoped_disable_interceptor_checks();
	got = kith_real_gzclose(f);
	__msan_scoped_enable_interceptor_checks();
	return got;
}
