/* SPDX-License-Identifier: BSD-2-Clause */
#include "tabcv.h"

#include "cli/cli.h"

#include <stdarg.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

struct grid grid = {.combinations = 1};

char *
text(struct kith_pool *pool, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	s = kith_new(pool, (size_t)len + 1, 1);
	va_start(ap, fmt);
	vsnprintf(s, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return s;
}

_Noreturn void
fail(int status, const char *file, const char *fmt, ...)
{
	struct kith_err err = {.status = status, .file = file};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.msg, sizeof(err.msg), fmt, ap);
	va_end(ap);
	kith_die(&err);
}

char *
read_whole(const char *path, size_t *length)
{
	FILE *in = fopen(path, "r");
	char *bytes = NULL;
	size_t room = 0, got = 1;
	bool failed = !in;

	for (*length = 0; in && got > 0; *length += got) {
		bytes = kith_more(&kept, bytes, *length + 1, &room, 1);
		got = fread(bytes + *length, 1, room - *length - 1, in);
		bytes[*length + got] = '\0';
	}
	if (in) {
		failed = ferror(in);
		fclose(in);
	}
	return failed ? NULL : bytes;
}

struct parameter *
find_parameter(const char *name)
{
	for (size_t i = 0; i < grid.n; i++)
		if (strcmp(grid.v[i].name, name) == 0)
			return &grid.v[i];
	return NULL;
}

void
add_parameter(const char *word)
{
	const size_t len = strspn(word, LETTERS);
	struct parameter p = {.name = kith_strndup(&kept, word, len)};
	const char *values = word + len + 1;
	struct kith_rec rec;
	struct kith_err err;
	bool one_record;

	if (len == 0 || word[len] != '=')
		kith_misuse(KITH_CELL ": not NAME=V,V,... (-- before the command?)", word);
	if (strstr(" train test tmp seed ", text(&kept, " %s ", p.name)))
		kith_misuse("{%s} is no parameter", p.name);
	if (find_parameter(p.name))
		kith_misuse("two parameters " KITH_CELL, p.name);
	p.value = kith_new(&kept, strlen(values) + 1, sizeof(*p.value));
	kith_rec_open_text(&rec, p.name, *values ? values : "\"\"", ',');
	one_record = kith_rec_next(&rec, &err) > 0;
	for (size_t i = 0; one_record && i < rec.n; i++)
		p.value[p.n++] = text(&kept, "%s", kith_rec_cell(&rec, i)->s);
	if (!one_record || kith_rec_next(&rec, &err))
		kith_misuse("%s: its values are no line of CSV", p.name);
	kith_rec_close(&rec);
	grid.v = kith_more(&kept, grid.v, grid.n, &grid.room, sizeof(*grid.v));
	grid.v[grid.n++] = p;
	grid.combinations *= p.n;
}

const char *
value_of(const struct parameter *p, size_t combination)
{
	for (const struct parameter *later = grid.v + grid.n; --later > p;)
		combination /= later->n;
	return p->value[combination % p->n];
}

/* Returns NAME=V, where V is quoted as in CSV. */
static char *
word_of(const char *name, const char *value, struct kith_pool *pool)
{
	char *word = kith_new(pool, strlen(name) + 2 * strlen(value) + 4, 1), *to;

	if (!strpbrk(value, ",\"\n ") && *value)
		return text(pool, "%s=%s", name, value);
	to = word + sprintf(word, "%s=\"", name);
	for (; *value; *to++ = *value++)
		if (*value == '"')
			*to++ = '"';
	*to = '"';
	return word;
}

char *
words_of(size_t combination, const char *k, struct kith_pool *pool)
{
	char **word = kith_new(pool, grid.n + 2, sizeof(*word));

	for (size_t i = 0; i < grid.n; i++)
		word[i] = word_of(grid.v[i].name, value_of(&grid.v[i], combination), pool);
	if (*k)
		word[grid.n] = word_of("k", k, pool);
	return kith_log_words(word, pool);
}

/* Returns the place whose {name} the line begins with, or NULL. */
static const struct place *
find_place(const char *line, const struct place *place, size_t n)
{
	for (size_t i = 0; *line == '{' && i < n; i++) {
		const size_t len = strlen(place[i].name);

		if (strncmp(line + 1, place[i].name, len) == 0 && line[len + 1] == '}')
			return &place[i];
	}
	return NULL;
}

bool
has_place(const char *line, const char *name)
{
	const struct place place = {.name = name};

	for (; *line; line++)
		if (find_place(line, &place, 1))
			return true;
		else if (*line == '\\' && line[1])
			line++;
	return false;
}

/* Writes the text of a place; quote is the mark that is open, or 0.  Returns its end. */
static char *
put_place(char *to, const struct place *place, char quote, bool raw)
{
	for (const char *s = place->text; *s; s++) {
		const bool plain = raw || strchr(LETTERS "./:=,+@%-", *s);

		if (!plain && (*s == '\n' || quote))
			kith_misuse("{%s} %s, and its value is " KITH_CELL, place->name,
			    quote ? "stands in quotes" : "cannot have a line end", place->text);
		if (!plain)
			*to++ = '\\';
		*to++ = *s;
	}
	return to;
}

char *
fill_places(const char *line, const struct place *place, size_t n, bool raw, struct kith_pool *pool)
{
	size_t longest = 1;
	char quote = 0, *filled, *to;

	for (size_t i = 0; i < n; i++)
		if (strlen(place[i].text) > longest)
			longest = strlen(place[i].text);
	to = filled = kith_new(pool, strlen(line) * 2 * longest + 1, 1);
	while (*line) {
		const struct place *found = find_place(line, place, n);

		if (found) {
			to = put_place(to, found, quote, raw);
			line += strlen(found->name) + 2;
			continue;
		}
		if (*line == '\\' && quote != '\'' && line[1])
			*to++ = *line++;
		else if (*line == quote)
			quote = 0;
		else if (!quote && (*line == '\'' || *line == '"'))
			quote = *line;
		*to++ = *line++;
	}
	return filled;
}
