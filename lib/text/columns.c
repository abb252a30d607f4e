#include "text/columns.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "text/rec.h"

#include <stdbool.h>
#include <string.h>

/* A list while it is read. */
struct list {
	const struct kith_names *name;
	const char *file; /* where the names come from */
	size_t line;
	size_t *column, n; /* what it has named so far */
	bool *named;
	struct kith_pool *pool; /* of the column numbers */
};

/* The column with this number, from 1, or from -1 at the end; n for none. */
static size_t
by_number(const struct kith_names *name, const char *text)
{
	const bool back = *text == '-';
	size_t i;

	if (kith_parse_size(text + back, &i) || i < 1 || i > name->n)
		return name->n;
	return back ? name->n - i : i - 1;
}

size_t
kith_column(const struct kith_names *name, const char *text)
{
	const size_t at = kith_names_find(name, text);

	return at < name->n ? at : by_number(name, text);
}

/* Fail because of an element of the list, or a name. */
static int
fail(const struct list *l, const char *text, const char *why,
    struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, l->file, l->line,
	    "column " KITH_NAME ": %s", text, why);
}

/* Add column i, which may be none. */
static int
add(struct list *l, size_t i, const char *text, struct kith_err *err)
{
	if (i == l->name->n)
		return fail(l, text, "not found", err);
	if (l->named[i])
		return fail(l, l->name->name[i], "named twice", err);
	l->named[i] = true;
	l->column[l->n++] = i;
	return 0;
}

/*
 * Add the columns of a file, a name per line, and at least one; messages
 * outlive the list.
 */
static int
add_file(struct list *l, const char *path, struct kith_err *err)
{
	const char *file = kith_strndup(l->pool, path, strlen(path));
	const size_t before = l->n;
	struct kith_rec r;
	int got;

	if (kith_rec_open(&r, file, KITH_SEP_NONE, KITH_FORM_csv, err))
		return -1;
	while ((got = kith_rec_next(&r, err)) > 0) {
		const char *text = kith_rec_cell(&r, 0)->s;

		if (add(l, kith_names_find(l->name, text), text, err)) {
			got = -1;
			break;
		}
	}
	kith_rec_close(&r);
	if (got == 0 && l->n == before)
		return kith_fail_at(
		    err, EX_DATAERR, file, 0, "empty: it names no column");
	return got;
}

/* Add the columns of a range of numbers whose ends the colon divides. */
static int
add_range(
    struct list *l, const char *text, const char *colon, struct kith_err *err)
{
	struct kith_pool pool = {0};
	char *start = kith_strndup(&pool, text, (size_t)(colon - text));
	const size_t from = by_number(l->name, start);
	const size_t to = by_number(l->name, colon + 1);

	kith_pool_free(&pool);
	if (from == l->name->n || to == l->name->n)
		return fail(l, text, "not found", err);
	if (from > to)
		return fail(l, text, "ends before it starts", err);
	for (size_t i = from; i <= to; i++)
		if (add(l, i, text, err))
			return -1;
	return 0;
}

static int
add_element(struct list *l, const char *text, struct kith_err *err)
{
	const size_t at = kith_column(l->name, text);
	const char *colon = strchr(text, ':');

	if (at < l->name->n)
		return add(l, at, text, err);
	if (text[0] == '@' && text[1] == '@')
		return add(
		    l, kith_names_find(l->name, text + 1), text + 1, err);
	if (text[0] == '@')
		return add_file(l, text + 1, err);
	if (colon)
		return add_range(l, text, colon, err);
	return fail(l, text, "not found", err);
}

static int
add_list(struct list *l, const char *text, struct kith_err *err)
{
	struct kith_rec r;
	int got;

	kith_rec_open_text(&r, "LIST", text, ',');
	got = kith_rec_next(&r, err);
	if (got == 0)
		got = fail(l, "", "not found", err);
	else if (got < 0)
		err->status = KITH_EX_USAGE;
	for (size_t i = 0; got > 0 && i < r.n; i++)
		if (add_element(l, kith_rec_cell(&r, i)->s, err))
			got = -1;
	if (got > 0 && kith_rec_next(&r, err) != 0)
		got = kith_fail(
		    err, KITH_EX_USAGE, "LIST: a list of columns is one line");
	kith_rec_close(&r);
	return got < 0 ? -1 : 0;
}

long
kith_columns(const struct kith_names *name, const char *list, const char *file,
    size_t line, size_t **column, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool mine = {0};
	struct list l = {
	    .name = name, .file = file, .line = line, .pool = pool};
	int got;

	l.named = kith_new(&mine, name->n, sizeof(*l.named));
	l.column = kith_new(pool, name->n, sizeof(*l.column));
	got = list ? add_list(&l, list, err) : 0;
	kith_pool_free(&mine);
	*column = l.column;
	return got ? -1 : (long)l.n;
}
