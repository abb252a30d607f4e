#include "relief_table.h"

#include "columns.h"
#include "err.h"
#include "num.h"
#include "pool.h"
#include "value.h"

#include <math.h>
#include <string.h>

enum kind { UNKNOWN, NUMBER, TEXT };

struct reader {
	struct kith_rows rows;
	const struct kith_how *how;
	struct kith_pool *pool;
	size_t *from, target;     /* the columns of features and target */
	enum kind *kind;          /* p */
	bool *holes;              /* p: a cell was missing */
	struct kith_names *level; /* p: texts as they come */
	struct kith_names label;  /* classes as they come */
	size_t room;
};

static int
not_found(const struct reader *in, const char *name, struct kith_err *err)
{
	return kith_fail_at(err, EX_DATAERR, in->rows.first, in->rows.head,
	    "column " KITH_NAME ": not found", name);
}

/* Take the columns of a list out, where there is one. */
static int
take_out(const struct reader *in, const char *list, bool *taken,
    struct kith_err *err)
{
	size_t *column = NULL;
	long n = 0;

	if (list)
		n = kith_columns(&in->rows.name, list, in->rows.first,
		    in->rows.head, &column, in->pool, err);
	for (long i = 0; i < n; i++)
		taken[column[i]] = true;
	return n < 0 ? -1 : 0;
}

/* The features that are listed. */
static int
take_listed(
    struct reader *in, const bool *taken, size_t *p, struct kith_err *err)
{
	const long n = kith_columns(&in->rows.name, in->how->feature,
	    in->rows.first, in->rows.head, &in->from, in->pool, err);

	if (n < 0)
		return -1;
	*p = (size_t)n;
	for (size_t a = 0; a < *p; a++)
		if (taken[in->from[a]])
			return kith_fail(err, KITH_EX_USAGE,
			    "column " KITH_NAME
			    " cannot be a feature: it has another role",
			    in->rows.name.name[in->from[a]]);
	return 0;
}

/* Give the columns their roles; *p, which is 0, counts the features. */
static int
assign(struct reader *in, size_t *p, struct kith_err *err)
{
	static const char *const ours[] = {"(bias)", "(id)", "(coef)"};
	const struct kith_names *name = &in->rows.name;
	const struct kith_how *how = in->how;
	bool *taken = kith_new(in->pool, name->n, sizeof(*taken));
	size_t id;

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++)
		if (kith_names_find(name, ours[i]) < name->n)
			return kith_fail_at(err, EX_DATAERR, in->rows.first,
			    in->rows.head,
			    "column " KITH_NAME
			    ": a name with a meaning of its own",
			    ours[i]);
	in->target = how->target ? kith_column(name, how->target) : name->n - 1;
	if (in->target == name->n)
		return not_found(in, how->target, err);
	taken[in->target] = true;
	id = how->id ? kith_column(name, how->id) : in->target;
	if (id == name->n)
		return not_found(in, how->id, err);
	taken[id] = true;
	if (take_out(in, how->ignore, taken, err))
		return -1;
	if (how->feature)
		return take_listed(in, taken, p, err);
	in->from = kith_new(in->pool, name->n, sizeof(*in->from));
	for (size_t c = 0; c < name->n; c++)
		if (!taken[c])
			in->from[(*p)++] = c;
	return 0;
}

static int
begin(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	size_t p = 0;
	char **name;

	t->file = in->rows.first;
	t->head = in->rows.head;
	t->column = in->rows.name;
	if (assign(in, &p, err))
		return -1;
	if (p == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, t->head,
		    "no column beside the target%s",
		    in->how->id || in->how->ignore ? " and those left out"
						   : "");
	t->target = t->column.name[in->target];
	t->X.p = p;
	name = kith_new(in->pool, p, sizeof(*name));
	for (size_t a = 0; a < p; a++)
		name[a] = t->column.name[in->from[a]];
	kith_names_index(&t->feature, name, p, in->pool);
	in->kind = kith_new(in->pool, p, sizeof(*in->kind));
	in->holes = kith_new(in->pool, p, sizeof(*in->holes));
	in->level = kith_new(in->pool, p, sizeof(*in->level));
	return 0;
}

/* A missing cell of feature a: 0, or -1 where it may not be. */
static int
add_missing(struct reader *in, size_t a, struct kith_err *err)
{
	const int na = in->how->na;

	in->holes[a] = true;
	if (na == KITH_NA_ERROR)
		return kith_value_missing(&in->rows, in->from[a],
		    " (--na omit, mean or model?)", err);
	if (na == KITH_NA_MEAN && in->kind[a] == TEXT)
		return kith_value_missing(
		    &in->rows, in->from[a], " (--na omit or model?)", err);
	return 0;
}

/* A text in column a, which is one of texts, or not known yet. */
static int
add_text(struct reader *in, size_t a, double *x, struct kith_err *err)
{
	const struct kith_cell *c = &in->rows.rec.cell[in->from[a]];

	if (in->kind[a] == UNKNOWN && in->holes[a] &&
	    in->how->na == KITH_NA_MEAN)
		return kith_rows_fail(&in->rows, in->from[a], err,
		    "text, with missing cells before it: " KITH_CELL
		    " (--na omit or model?)",
		    c->s);
	in->kind[a] = TEXT;
	*x = (double)kith_names_add(&in->level[a], c->s, in->pool);
	return 0;
}

/* Read the cell of feature a: NaN where it is missing. */
static int
add_cell(struct reader *in, size_t a, double *x, struct kith_err *err)
{
	const struct kith_cell *c = &in->rows.rec.cell[in->from[a]];
	enum kith_num num;

	if (kith_cell_missing(c)) {
		*x = NAN;
		return add_missing(in, a, err);
	}
	num = kith_parse_real(c->s, c->len, x);
	if (in->kind[a] == UNKNOWN && kith_value_meant(c, num))
		in->kind[a] = NUMBER;
	if (in->kind[a] == NUMBER)
		return num == KITH_NUM_OK ? 0
					  : kith_value(&in->rows, in->from[a],
						x, " (--id, --ignore?)", err);
	if (num == KITH_NUM_OK)
		return kith_rows_fail(&in->rows, in->from[a], err,
		    "a number in a column of text: " KITH_CELL " (--ignore?)",
		    c->s);
	return add_text(in, a, x, err);
}

static int
add_target(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	const struct kith_cell *c = &in->rows.rec.cell[in->target];

	if (kith_cell_missing(c))
		return kith_value_missing(&in->rows, in->target, "", err);
	if (in->how->task == KITH_REGRESS)
		return kith_value(
		    &in->rows, in->target, &t->t[t->X.n], "", err);
	t->y[t->X.n] = kith_names_add(&in->label, c->s, in->pool);
	return 0;
}

static int
add_row(struct reader *in, struct kith_table *t, struct kith_err *err)
{
	bool whole = true;
	double *x;

	if (t->X.n == in->room) {
		in->room = 2 * t->X.n + 1 + 4096 / t->X.p;
		t->X.v = kith_grow(
		    in->pool, t->X.v, in->room, t->X.p * sizeof(*t->X.v));
		if (in->how->task == KITH_REGRESS)
			t->t = kith_grow(
			    in->pool, t->t, in->room, sizeof(*t->t));
		else
			t->y = kith_grow(
			    in->pool, t->y, in->room, sizeof(*t->y));
	}
	if (add_target(in, t, err))
		return -1;
	x = kith_row(&t->X, t->X.n);
	for (size_t a = 0; a < t->X.p; a++) {
		if (add_cell(in, a, &x[a], err))
			return -1;
		whole = whole && !isnan(x[a]);
	}
	t->read++;
	t->X.n += whole || in->how->na != KITH_NA_OMIT;
	return 0;
}

/* Put the mean of a column of numbers where its cells are missing. */
static int
fill_means(struct kith_table *t, struct kith_err *err)
{
	for (size_t a = 0; a < t->X.p; a++) {
		long double sum = 0; /* does not overflow */
		size_t n = 0;

		for (size_t i = 0; i < t->X.n; i++)
			if (!isnan(kith_row(&t->X, i)[a])) {
				sum += kith_row(&t->X, i)[a];
				n++;
			}
		if (n == 0)
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "column " KITH_NAME ": no number to take a mean of",
			    t->feature.name[a]);
		for (size_t i = 0; i < t->X.n; i++)
			if (isnan(kith_row(&t->X, i)[a]))
				kith_row(&t->X,
				    i)[a] = (double)(sum / (long double)n);
	}
	return 0;
}

static int
finish(
    struct reader *in, struct kith_table *t, bool **text, struct kith_err *err)
{
	size_t *was, *now = kith_new(in->pool, in->label.n, sizeof(*now));

	if (t->X.n == 0)
		return kith_fail_at(err, EX_DATAERR, t->file, 0,
		    "no row without a missing cell");
	if (t->y) {
		kith_names_sort(&in->label, &was, in->pool);
		for (size_t b = 0; b < in->label.n; b++)
			now[was[b]] = b;
		for (size_t i = 0; i < t->X.n; i++)
			t->y[i] = now[t->y[i]];
		t->class = in->label;
	}
	*text = kith_new(in->pool, t->X.p, sizeof(**text));
	for (size_t a = 0; a < t->X.p; a++)
		(*text)[a] = in->kind[a] == TEXT;
	return in->how->na == KITH_NA_MEAN ? fill_means(t, err) : 0;
}

int
kith_relief_read(const char *const *files, const struct kith_how *how,
    struct kith_table *table, bool **text, struct kith_pool *pool,
    struct kith_err *err)
{
	struct reader in = {.how = how, .pool = pool};
	int got;

	*table = (struct kith_table){0};
	if (kith_rows_open(&in.rows, files, &how->format, pool, err))
		return -1;
	got = begin(&in, table, err);
	while (got == 0 && (got = kith_rows_next(&in.rows, err)) > 0)
		got = add_row(&in, table, err);
	kith_rows_close(&in.rows);
	return got < 0 ? -1 : finish(&in, table, text, err);
}
