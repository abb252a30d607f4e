/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks have numbers, in their order; block i stands at i modulo `depth`:
 *
 *	0 .. given-1 .. taken-1 .. filled-1
 *
 * Those before `given` are out of use, `given` is that whose records are asked
 * for, those before `taken` are cut or being cut, those before `filled` wait.
 *
 * 1. Where all records of a block are given out: fill as many as there is room
 *    for; bytes behind the last record go on to the next one.
 * 2. Cut what waits until the block that is next is cut, or wait for it.
 * 3. Its lines are counted from its start: add those of all blocks before.
 */
#include "text/ahead.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "text/csv_text.h"
#include "text/gz.h"
#include "text/reader.h"
#include "text/rec.h"
#include "text/split.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum {
	BLOCK = 1 << 17,  /* bytes of a block, unless a record is longer */
	LONG = 8 * BLOCK, /* of one whose records are long */
	MOST = 16,        /* threads: one alone reads */
	EACH = 4,         /* blocks a thread: few, to find them in the cache */
	DEEP = 40         /* most blocks */
};

/* A record of a block. */
struct place {
	size_t line;  /* from the start of the block */
	size_t first; /* cell */
	size_t n;
};

struct block {
	char *buf;
	size_t room, len;
	bool failed; /* to read on behind it, */
	struct kith_err why;

	bool cut; /* the rest is there */
	struct kith_csv csv;
	struct place *place;
	size_t n, places; /* records, room for them */
	double *number;   /* of its cells, NaN where they are none */
	size_t numbers;   /* room */
	int got;          /* behind the records: 0 or -1 */
	struct kith_err err;
	struct kith_pool pool;
};

struct kith_ahead {
	struct kith_gz *gz;
	const char *file;
	char sep;
	bool through_csv;
	size_t bytes; /* of a block */
	struct block *block;
	size_t depth, given, taken, filled;
	char *rest; /* bytes behind the last block, */
	size_t rest_room, rest_len;
	bool ended;   /* nor any to be read */
	bool wide;    /* records are long */
	size_t at;    /* record of the block to give out */
	size_t lines; /* before the block */
	size_t blank; /* the line that was blank, or 0 */
	bool stop;
	pthread_t id[MOST];
	size_t others; /* threads beside the caller's */
	pthread_mutex_t lock;
	pthread_cond_t more, done;
	struct kith_pool pool;
};

static struct block *
block_of(struct kith_ahead *a, size_t i)
{
	return &a->block[i % a->depth];
}

/* Read the cells of the record that was cut last as numbers. */
static void
read_numbers(struct block *b, size_t first)
{
	const struct kith_cut *cut = &b->csv.cut;

	if (cut->n > b->numbers) {
		b->numbers = cut->room;
		b->number = kith_grow(
		    &b->pool, b->number, b->numbers, sizeof(*b->number));
	}
	for (size_t c = first; c < cut->n; c++)
		if (kith_parse_real(cut->cell[c].s, cut->cell[c].len,
			&b->number[c]) != KITH_NUM_OK)
			b->number[c] = NAN;
}

/* Cut a block into the cells of its records. */
static void
cut(const struct kith_ahead *a, struct block *b)
{
	struct kith_rec_state state = {.own = &b->csv};
	struct kith_rec r = {.file = a->file,
	    .sep = a->sep,
	    .through_csv = a->through_csv,
	    .state = &state};

	b->n = b->csv.cut.n = 0;
	b->csv.begun = true;
	b->csv.met = false;
	b->csv.blank = 0;
	kith_lines_block(
	    &b->csv.lines, a->file, b->buf, b->len, b->failed ? &b->why : NULL);
	while ((b->got = kith_csv_next(&r, &b->err)) > 0) {
		const size_t first = b->csv.cut.n - r.n;

		b->place = kith_more(
		    &b->pool, b->place, b->n, &b->places, sizeof(*b->place));
		b->place[b->n++] = (struct place){r.line, first, r.n};
		read_numbers(b, first);
	}
}

/* Cut the block that waits first, with the lock, which is open meanwhile. */
static void
cut_next(struct kith_ahead *a)
{
	struct block *b = block_of(a, a->taken++);

	pthread_mutex_unlock(&a->lock);
	cut(a, b);
	pthread_mutex_lock(&a->lock);
	b->cut = true;
	pthread_cond_signal(&a->done);
}

static void *
help(void *to)
{
	struct kith_ahead *a = to;

	pthread_mutex_lock(&a->lock);
	while (!a->stop)
		if (a->taken < a->filled)
			cut_next(a);
		else
			pthread_cond_wait(&a->more, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return NULL;
}

/* Have room for so many bytes in a block, and for what its lines need. */
static void
widen(struct block *b, size_t room)
{
	if (room <= b->room)
		return;
	b->room = room;
	b->buf = kith_grow(&b->pool, b->buf, room + KITH_LINES_SLACK, 1);
}

/* Keep what is behind the records of a block for the next one. */
static void
keep_rest(struct kith_ahead *a, struct block *b, size_t end)
{
	a->rest_len = b->len - end;
	if (a->rest_len > a->rest_room) {
		a->rest_room = 2 * a->rest_len;
		a->rest = kith_grow(&a->pool, a->rest, a->rest_room, 1);
	}
	memcpy(a->rest, b->buf + end, a->rest_len);
	b->len = end;
}

/* Fill a block with whole records, or with all that is left. */
static void
fill(struct kith_ahead *a, struct block *b)
{
	struct kith_split split = {.sep = a->sep};

	widen(b, a->rest_len > a->bytes ? a->rest_len : a->bytes);
	memcpy(b->buf, a->rest, a->rest_len);
	b->len = a->rest_len;
	b->cut = b->failed = false;
	for (;;) {
		long got = 1;

		while (b->len < b->room && got > 0) {
			got = kith_gz_read(
			    a->gz, b->buf + b->len, b->room - b->len, &b->why);
			b->len += got > 0 ? (size_t)got : 0;
		}
		b->failed = got < 0;
		if (got <= 0) {
			a->ended = true;
			return;
		}
		kith_split_more(&split, b->buf, b->len);
		if (split.end > 0)
			break;
		/* A null byte is an error, even where nothing ends. */
		a->ended = memchr(b->buf, '\0', b->len);
		if (a->ended)
			return;
		widen(b, 2 * b->room);
	}
	a->wide = a->wide || b->room >= LONG;
	keep_rest(a, b, split.end);
}

/* Fill blocks, as many as there is room for. */
static void
fill_all(struct kith_ahead *a)
{
	while (!a->ended && a->filled < a->given + (a->wide ? 2 : a->depth)) {
		fill(a, block_of(a, a->filled));
		pthread_mutex_lock(&a->lock);
		a->filled++;
		pthread_cond_signal(&a->more);
		pthread_mutex_unlock(&a->lock);
	}
}

struct kith_ahead *
kith_ahead_new(const struct kith_rec *r)
{
	const struct kith_csv *s = r->state->own;
	const size_t threads = r->threads < MOST ? r->threads : MOST;
	struct kith_pool pool = {0};
	struct kith_ahead *a = kith_new(&pool, 1, sizeof(*a));

	a->gz = s->lines.gz;
	a->file = r->file;
	a->sep = r->sep;
	a->through_csv = r->through_csv;
	a->bytes = r->block ? r->block : BLOCK;
	a->depth = EACH * threads < DEEP ? EACH * threads : DEEP;
	a->block = kith_new(&pool, a->depth, sizeof(*a->block));
	for (size_t i = 0; i < a->depth; i++)
		kith_cut_begin(&a->block[i].csv.cut, &a->block[i].pool);
	a->rest_len = a->rest_room = s->lines.end - s->lines.from;
	a->rest = kith_grow(&pool, NULL, a->rest_room + 1, 1);
	memcpy(a->rest, s->lines.buf + s->lines.from, a->rest_len);
	a->ended = s->lines.ended && a->rest_len == 0;
	a->lines = s->lines.passed;
	a->blank = s->blank;
	a->pool = pool;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->more, NULL);
	pthread_cond_init(&a->done, NULL);
	while (a->others + 1 < threads &&
	    pthread_create(&a->id[a->others], NULL, help, a) == 0)
		a->others++;
	fill_all(a);
	return a;
}

/* Have the block cut whose records are next; false where there is none. */
static bool
have_block(struct kith_ahead *a)
{
	fill_all(a);
	if (a->given == a->filled)
		return false;
	pthread_mutex_lock(&a->lock);
	while (!block_of(a, a->given)->cut)
		if (a->taken < a->filled)
			cut_next(a);
		else
			pthread_cond_wait(&a->done, &a->lock);
	pthread_mutex_unlock(&a->lock);
	return true;
}

/* What is behind the last record of the block: 1 for the next block, or -1. */
static int
end_block(struct kith_ahead *a, const struct block *b, struct kith_err *err)
{
	if (b->got < 0) {
		*err = b->err;
		err->line += err->line ? a->lines : 0;
		return -1;
	}
	if (!a->blank && b->csv.blank)
		a->blank = a->lines + b->csv.blank;
	a->lines += b->csv.lines.passed;
	a->at = 0;
	a->given++;
	return 1;
}

int
kith_ahead_next(struct kith_ahead *a, struct kith_rec *r, struct kith_err *err)
{
	struct block *b;

	do {
		if (a->at == 0 && !have_block(a))
			return 0;
		b = block_of(a, a->given);
		if (a->blank && b->csv.met)
			return kith_fail_at(
			    err, EX_DATAERR, a->file, a->blank, "blank line");
	} while (a->at == b->n && end_block(a, b, err) > 0);
	if (a->at == b->n)
		return -1;
	r->line = a->lines + b->place[a->at].line;
	r->n = b->place[a->at].n;
	r->text = b->csv.cut.cell + b->place[a->at].first;
	r->number = b->number + b->place[a->at].first;
	a->at++;
	return 1;
}

void
kith_ahead_end(struct kith_ahead *a)
{
	struct kith_pool pool = a->pool;

	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->more);
	pthread_mutex_unlock(&a->lock);
	for (size_t t = 0; t < a->others; t++)
		pthread_join(a->id[t], NULL);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->more);
	pthread_cond_destroy(&a->done);
	for (size_t i = 0; i < a->depth; i++) {
		kith_cut_end(&a->block[i].csv.cut);
		kith_pool_free(&a->block[i].pool);
	}
	kith_pool_free(&pool);
}
