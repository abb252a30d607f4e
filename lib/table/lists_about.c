/* SPDX-License-Identifier: BSD-2-Clause */
#include "table/lists_about.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "near/metric.h"
#include "text/out.h"
#include "text/rec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
bad(const struct kith_rec *rec, const struct kith_rec_note *note,
    struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, rec->file, note->line,
	    "%.20s: not one of a list of neighbours: " KITH_CELL, note->key,
	    note->value);
}

/* I/N, as --shard has it. */
static int
parse_block(const char *value, struct kith_block *block)
{
	const char *slash = strchr(value, '/');
	char i[KITH_NUM_ROOM];

	if (!slash || slash - value >= KITH_NUM_ROOM)
		return -1;
	snprintf(i, sizeof(i), "%.*s", (int)(slash - value), value);
	return kith_parse_size(i, &block->i) ||
		kith_parse_size(slash + 1, &block->n) || block->i < 1 ||
		block->i > block->n
	    ? -1
	    : 0;
}

/* Line ends, and what stands for them, as \n, \r and \\. */
static char *
escape(const char *s, struct kith_pool *pool)
{
	char *to = kith_new(pool, 2 * strlen(s) + 1, 1), *text = to;

	for (; *s; s++) {
		const char *what = strchr("\nn\rr\\\\", *s);

		if (*s == '\n' || *s == '\r' || *s == '\\') {
			*to++ = '\\';
			*to++ = what[1];
		} else
			*to++ = *s;
	}
	return text;
}

static char *
unescape(const char *s, struct kith_pool *pool)
{
	char *to = kith_new(pool, strlen(s) + 1, 1), *text = to;

	for (; *s; s++)
		if (*s == '\\' && s[1]) {
			s++;
			*to++ = (char)(*s == 'n' ? '\n'
				: *s == 'r'      ? '\r'
						 : *s);
		} else
			*to++ = *s;
	return text;
}

/* Take a note that is one of these; 1: it is none. */
static int
take(const struct kith_rec_note *note, struct kith_lists_about *about,
    struct kith_lists_lines *line)
{
	size_t self, named, numbers;
	const struct {
		const char *key;
		size_t *to, *line;
	} size[] = {{"reference", &about->reference, &line->reference},
	    {"rows", &about->rows, &line->rows},
	    {"queries", &about->queries, &line->queries},
	    {"k", &about->k, &line->k}, {"self", &self, &line->self},
	    {"named", &named, &line->named},
	    {"numbers", &numbers, &line->numbers}};
	const size_t len = strlen(note->value);
	char *end;

	for (size_t i = 0; i < sizeof(size) / sizeof(*size); i++)
		if (strcmp(note->key, size[i].key) == 0) {
			*size[i].line = note->line;
			return kith_parse_size(note->value, size[i].to);
		}
	if (strcmp(note->key, "reference-shard") == 0) {
		line->block = note->line;
		return parse_block(note->value, &about->block);
	}
	if (strcmp(note->key, "shard") == 0) {
		line->shard = note->line;
		return parse_block(note->value, &about->shard);
	}
	if (strcmp(note->key, "radius") == 0) {
		line->radius = note->line;
		return kith_parse_real(note->value, len, &about->radius);
	}
	if (strcmp(note->key, "metric") == 0) {
		line->metric = note->line;
		about->metric = strtoull(note->value, &end, 16);
		return *end || len == 0 ? -1 : 0;
	}
	return 1;
}

int
kith_lists_about_read(const struct kith_rec *rec,
    struct kith_lists_about *about, struct kith_lists_lines *line,
    struct kith_names *class, struct kith_pool *pool, struct kith_err *err)
{
	*about = (struct kith_lists_about){.shard = {1, 1}, .radius = -1};
	*line = (struct kith_lists_lines){0};
	for (size_t i = 0; i < rec->notes; i++) {
		const struct kith_rec_note *note = &rec->note[i];
		const int got = take(note, about, line);

		if (got < 0)
			return bad(rec, note, err);
		if (got > 0 && strcmp(note->key, "class") == 0)
			kith_names_add(
			    class, unescape(note->value, pool), pool);
	}
	about->self = line->self;
	about->named = line->named;
	about->numbers = line->numbers;
	if (line->block && line->reference && line->rows && line->queries &&
	    line->metric && (line->k || line->radius))
		return 0;
	return kith_fail_at(err, EX_DATAERR, rec->file, 0,
	    "no list of neighbours: its first lines do not say which "
	    "(--reference-shard?)");
}

int
kith_lists_about_same(const struct kith_lists_about *a, const char *name,
    const struct kith_lists_about *b, const char *file,
    const struct kith_lists_lines *line, struct kith_err *err)
{
	const struct {
		bool same;
		const char *what;
		size_t line;
	} each[] = {
	    {a->block.n == b->block.n, "reference-shard", line->block},
	    {a->shard.n == b->shard.n, "shard", line->shard},
	    {a->reference == b->reference, "reference", line->reference},
	    {a->k == b->k, "k", line->k},
	    {a->radius == b->radius, "radius", line->radius},
	    {a->self == b->self, "self", line->self},
	    {a->named == b->named, "named", line->named},
	    {a->numbers == b->numbers, "numbers", line->numbers},
	    {a->metric == b->metric, "metric", line->metric},
	    {a->shard.i != b->shard.i || a->queries == b->queries, "queries",
		line->queries},
	};

	for (size_t i = 0; i < sizeof(each) / sizeof(*each); i++)
		if (!each[i].same)
			return kith_fail_at(err, EX_DATAERR, file, each[i].line,
			    "%s: another than in %.200s", each[i].what, name);
	return 0;
}

static void
put_block(const char *key, struct kith_block block, struct kith_out *out)
{
	char text[2 * KITH_NUM_ROOM];

	snprintf(text, sizeof(text), "%zu/%zu", block.i, block.n);
	kith_out_note_text(out, key, text);
}

static void
put_size(const char *key, size_t n, struct kith_out *out)
{
	char text[KITH_NUM_ROOM];

	kith_format_size(text, n);
	kith_out_note_text(out, key, text);
}

void
kith_lists_about_put(const struct kith_lists_about *about,
    const struct kith_names *class, struct kith_out *out)
{
	struct kith_pool tmp = {0};
	char hash[KITH_NUM_ROOM];

	put_block("reference-shard", about->block, out);
	if (about->shard.n > 1)
		put_block("shard", about->shard, out);
	put_size("reference", about->reference, out);
	put_size("rows", about->rows, out);
	put_size("queries", about->queries, out);
	if (about->k)
		put_size("k", about->k, out);
	if (about->radius >= 0)
		kith_out_note(out, "radius", about->radius);
	if (about->self)
		put_size("self", 1, out);
	if (about->named)
		put_size("named", 1, out);
	if (about->numbers)
		put_size("numbers", 1, out);
	snprintf(hash, sizeof(hash), "%016" PRIx64, about->metric);
	kith_out_note_text(out, "metric", hash);
	for (size_t c = 0; class && c < class->n; c++)
		kith_out_note_text(out, "class", escape(class->name[c], &tmp));
	kith_pool_free(&tmp);
}

uint64_t
kith_lists_hash_more(uint64_t hash, const void *bytes, size_t n)
{
	const unsigned char *b = bytes;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t
kith_lists_hash(
    const struct kith_metric *metric, const struct kith_names *feature)
{
	const bool matrix = kith_metric_is_matrix(metric->kind);
	const int kind = (int)metric->kind;
	const size_t p = metric->p;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	hash = kith_lists_hash_more(hash, &kind, sizeof(kind));
	for (size_t j = 0; j < feature->n; j++)
		hash = kith_lists_hash_more(
		    hash, feature->name[j], strlen(feature->name[j]) + 1);
	if (metric->w)
		hash = kith_lists_hash_more(
		    hash, metric->w, (matrix ? p * p : p) * sizeof(double));
	return hash;
}
