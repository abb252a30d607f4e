/* SPDX-License-Identifier: BSD-2-Clause */
#include "text/columns.h"

#include "base/err.h"
#include "base/names.h"
#include "base/num.h"
#include "base/pool.h"
#include "text/rec.h"

#include <fnmatch.h>
#include <string.h>

const char kith_columns_all[] = "1:-1";

/* How a list has come to a column. */
enum { ABSENT, MET, NAMED };

/* A list while it is read. */
struct list {
	const struct kith_names *name;
	const char *file; /* where the names come from */
	size_t line;
	const bool *taken;      /* columns that no pattern means, or NULL */
	size_t *column, n;      /* what it has named so far */
	unsigned char *how;     /* by column, of the enum above */
	bool out;               /* the element takes columns out */
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

/* Add column i, or take it out, because a pattern or a range meets it. */
static void
meet(struct list *l, size_t i)
{
	if (!l->out && l->how[i] == ABSENT) {
		l->column[l->n++] = i;
		l->how[i] = MET;
	} else if (l->out) {
		l->how[i] = ABSENT;
	}
}

/* The same of column i, which may be none, because its name is there. */
static int
name_one(struct list *l, size_t i, const char *text, struct kith_err *err)
{
	if (i == l->name->n)
		return fail(l, text, "not found", err);
	if (!l->out && l->how[i] == NAMED)
		return fail(l, l->name->name[i], "named twice", err);
	meet(l, i);
	if (!l->out)
		l->how[i] = NAMED;
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
	struct kith_rec r;
	bool some = false;
	int got;

	if (kith_rec_open(&r, file, KITH_SEP_NONE, KITH_FORM_csv, err))
		return -1;
	while ((got = kith_rec_next(&r, err)) > 0) {
		const char *text = kith_rec_cell(&r, 0)->s;

		some = true;
		if (name_one(l, kith_names_find(l->name, text), text, err)) {
			got = -1;
			break;
		}
	}
	kith_rec_close(&r);
	if (got == 0 && !some)
		return kith_fail_at(
		    err, EX_DATAERR, file, 0, "empty: it names no column");
	return got;
}

/*
 * The ends of a range: two names, or else two numbers, or else one of each; -1
 * where one of them is no column.
 */
static int
find_ends(const struct kith_names *name, const char *first, const char *last,
    size_t *from, size_t *to)
{
	const size_t n = name->n;
	const size_t a = kith_names_find(name, first);
	const size_t b = kith_names_find(name, last);
	const size_t c = by_number(name, first), d = by_number(name, last);
	const bool numbers = c < n && d < n && (a == n || b == n);

	*from = a < n && !numbers ? a : c;
	*to = b < n && !numbers ? b : d;
	return *from < n && *to < n ? 0 : -1;
}

/*
 * Add the columns of a range; names may hold colons, so the first one that
 * stands between two columns divides it.  1 when none does.
 */
static int
add_range(struct list *l, const char *text, struct kith_err *err)
{
	const char *colon = strchr(text, ':');
	size_t from, to;

	for (; colon; colon = strchr(colon + 1, ':')) {
		struct kith_pool pool = {0};
		const char *first = kith_strndup(
		    &pool, text, (size_t)(colon - text));
		const int got = find_ends(
		    l->name, first, colon + 1, &from, &to);

		kith_pool_free(&pool);
		if (got == 0)
			break;
	}
	if (!colon)
		return 1;
	if (from > to)
		return fail(l, text, "ends before it starts", err);
	for (size_t i = from; i <= to; i++)
		meet(l, i);
	return 0;
}

/* Add the columns that a pattern matches, one at least. */
static int
add_pattern(struct list *l, const char *text, struct kith_err *err)
{
	bool some = false;

	for (size_t i = 0; text[strcspn(text, "*?[")] && i < l->name->n; i++) {
		if (fnmatch(text, l->name->name[i], 0) != 0)
			continue;
		some = true;
		if (!l->taken || !l->taken[i])
			meet(l, i);
	}
	return some ? 0 : fail(l, text, "not found", err);
}

/* Add, or take out, what an element means that is no exact name. */
static int
add_columns(struct list *l, const char *text, struct kith_err *err)
{
	const size_t at = kith_column(l->name, text);
	int got;

	if (at < l->name->n)
		return name_one(l, at, text, err);
	if ((got = add_range(l, text, err)) <= 0)
		return got;
	if (text[0] == '@' && text[1] == '@')
		return name_one(
		    l, kith_names_find(l->name, text + 1), text + 1, err);
	if (text[0] == '@')
		return add_file(l, text + 1, err);
	return add_pattern(l, text, err);
}

/* Whether an element takes columns out. */
static bool
is_out(const struct list *l, const char *text)
{
	return *text == '!' && kith_names_find(l->name, text) == l->name->n;
}

static int
add_element(struct list *l, const char *text, struct kith_err *err)
{
	size_t kept = 0;

	l->out = is_out(l, text);
	if (add_columns(l, text + l->out, err))
		return -1;
	for (size_t i = 0; l->out && i < l->n; i++)
		if (l->how[l->column[i]] != ABSENT)
			l->column[kept++] = l->column[i];
	if (l->out)
		l->n = kept;
	return 0;
}

/* Begin with all columns that no option has taken. */
static void
add_all(struct list *l)
{
	for (size_t i = 0; i < l->name->n; i++)
		if (!l->taken || !l->taken[i])
			meet(l, i);
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
	if (got > 0 && is_out(l, kith_rec_cell(&r, 0)->s))
		add_all(l);
	for (size_t i = 0; got > 0 && i < r.n; i++)
		if (add_element(l, kith_rec_cell(&r, i)->s, err))
			got = -1;
	if (got > 0 && kith_rec_next(&r, err) != 0)
		got = kith_fail(
		    err, KITH_EX_USAGE, "LIST: a list of columns is one line");
	kith_rec_close(&r);
	if (got > 0 && l->n == 0)
		return kith_fail_at(err, EX_DATAERR, l->file, l->line,
		    "columns " KITH_NAME ": none is left", text);
	return got < 0 ? -1 : 0;
}

long
kith_columns_beside(const struct kith_names *name, const char *list,
    const bool *taken, const char *file, size_t line, size_t **column,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool mine = {0};
	struct list l = {.name = name,
	    .file = file,
	    .line = line,
	    .taken = taken,
	    .pool = pool};
	int got = 0;

	l.how = kith_new(&mine, name->n, sizeof(*l.how));
	l.column = kith_new(pool, name->n, sizeof(*l.column));
	if (list == kith_columns_all)
		add_all(&l);
	else if (list)
		got = add_list(&l, list, err);
	kith_pool_free(&mine);
	*column = l.column;
	return got ? -1 : (long)l.n;
}

long
kith_columns(const struct kith_names *name, const char *list, const char *file,
    size_t line, size_t **column, struct kith_pool *pool, struct kith_err *err)
{
	return kith_columns_beside(
	    name, list, NULL, file, line, column, pool, err);
}
