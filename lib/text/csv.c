/* SPDX-License-Identifier: BSD-2-Clause */
/* text/csv - CSV, TSV and the like, as text/csv_text.c describes them. */
#include "base/pool.h"
#include "text/ahead.h"
#include "text/csv_text.h"
#include "text/reader.h"
#include "text/rec.h"

enum { SMALL = 1 << 16 }; /* bytes that one thread reads */

static int
open_csv(struct kith_rec *r, struct kith_err *err)
{
	struct kith_pool *pool = &r->state->pool;
	struct kith_csv *s = kith_new(pool, 1, sizeof(*s));

	(void)err;
	r->state->own = s;
	kith_cut_begin(&s->cut, pool);
	s->begun = r->state->text;
	if (s->begun)
		kith_lines_text(&s->lines, r->file, r->state->text, pool);
	else
		kith_lines_begin(&s->lines, &r->state->gz, r->file, pool);
	return 0;
}

/* On several threads, once there is enough to share out. */
static int
next(struct kith_rec *r, struct kith_err *err)
{
	struct kith_csv *s = r->state->own;

	if (s->ahead)
		return kith_ahead_next(s->ahead, r, err);
	if (r->threads > 1 && s->begun && s->lines.gz &&
	    (r->block || s->lines.from >= SMALL)) {
		s->ahead = kith_ahead_new(r);
		return kith_ahead_next(s->ahead, r, err);
	}
	s->cut.n = 0;
	return kith_csv_next(r, err);
}

static void
close_csv(struct kith_rec *r)
{
	struct kith_csv *s = r->state->own;

	if (s->ahead)
		kith_ahead_end(s->ahead);
	kith_cut_end(&s->cut);
}

const struct kith_reader kith_reader_csv = {
    .open = open_csv, .next = next, .close = close_csv};
