/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/rec.h"

#include "base/err.h"
#include "text/guess.h"
#include "text/reader.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define DECLARE(name) extern const struct kith_reader kith_reader_##name;
KITH_READERS(DECLARE)

#define POINTER(name) &kith_reader_##name,
static const struct kith_reader *const reader[] = {KITH_READERS(POINTER)};

#define COUNT(name) FORM_##name,
enum { KITH_READERS(COUNT) FORMS };

/* Choose the reader by the form, or by the first bytes. */
static int
choose(struct kith_rec_state *s, enum kith_form form, struct kith_err *err)
{
	const char *start;
	size_t len;

	s->chosen = form != KITH_FORM_auto;
	s->reader = reader[s->chosen ? form - 1 : 0];
	if (s->chosen)
		return 0;
	start = kith_gz_peek(&s->gz, &len, err);
	if (!start || kith_guess_refuse(s->gz.file, start, len, err))
		return -1;
	for (size_t i = 0; i < FORMS; i++)
		if (reader[i]->is && reader[i]->is(start, len)) {
			s->reader = reader[i];
			break;
		}
	return 0;
}

static void
begin(struct kith_rec *r, const char *name, char sep)
{
	struct kith_pool pool = {0};
	struct kith_rec_state *s = kith_new(&pool, 1, sizeof(*s));

	*r = (struct kith_rec){.file = name, .sep = sep, .state = s};
	s->pool = pool;
}

static void
end(struct kith_rec *r)
{
	struct kith_pool pool = r->state->pool;

	if (r->state->gz.state)
		kith_gz_close(&r->state->gz);
	*r = (struct kith_rec){.file = r->file, .line = r->line, .sep = r->sep};
	kith_pool_free(&pool);
}

int
kith_rec_open(struct kith_rec *r, const char *file, char sep,
    enum kith_form form, struct kith_err *err)
{
	struct kith_gz gz;

	if (sep == '"' || sep == '\r')
		return kith_fail(err, KITH_EX_USAGE,
		    "neither a quotation mark nor a carriage return can "
		    "divide cells");
	if (kith_gz_open(&gz, file, err))
		return -1;
	begin(r, gz.file, sep);
	r->state->gz = gz;
	if (choose(r->state, form, err) || r->state->reader->open(r, err)) {
		end(r);
		return -1;
	}
	return 0;
}

void
kith_rec_open_text(
    struct kith_rec *r, const char *name, const char *text, char sep)
{
	assert(sep != '"' && sep != '\r');
	begin(r, name, sep);
	r->state->reader = &kith_reader_csv;
	r->state->text = text;
	r->state->reader->open(r, NULL);
}

int
kith_rec_next(struct kith_rec *r, struct kith_err *err)
{
	return r->state->reader->next(r, err);
}

size_t
kith_rec_skip(struct kith_rec *r, size_t n)
{
	return r->state->reader->skip ? r->state->reader->skip(r, n) : 0;
}

void
kith_rec_close(struct kith_rec *r)
{
	if (r->state->reader->close)
		r->state->reader->close(r);
	r->note = NULL;
	r->notes = 0;
	end(r);
}

const struct kith_cell *
kith_rec_show(const struct kith_rec *r, size_t c)
{
	struct kith_rec_state *s = r->state;

	assert(c < r->n);
	if (s->shown_n < r->n) {
		s->shown = kith_new(&s->pool, r->n, sizeof(*s->shown));
		s->digits = kith_new(&s->pool, r->n, sizeof(*s->digits));
		s->shown_n = r->n;
	}
	if (isnan(r->number[c]))
		memcpy(s->digits[c], "NA", 3);
	else if (s->reader->show)
		s->reader->show(r, c, s->digits[c]);
	else
		kith_format_real(s->digits[c], r->number[c]);
	s->shown[c] = (struct kith_cell){
	    .s = s->digits[c], .len = strlen(s->digits[c])};
	return &s->shown[c];
}

bool
kith_rec_widen(struct kith_rec *r, size_t p)
{
	if (p > r->n && p <= KITH_READER_WIDEST && r->state->reader->widen)
		r->state->reader->widen(r, p - r->n);
	return p <= r->n;
}
