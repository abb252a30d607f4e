/* SPDX-License-Identifier: BSD-2-Clause */
#include "golden.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static void bail(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));

static void
bail(const char *fmt, ...)
{
	va_list ap;

	printf("Bail out! ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	exit(1);
}

/* All of a file, as a text. */
static char *
read_text(const char *name, struct kith_pool *pool)
{
	const char *dir = getenv("GOLDEN");
	char path[256], *text = NULL;
	size_t len = 0, got;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "tests/golden", name);
	f = fopen(path, "r");
	if (!f)
		bail("no %s: run in the root of the sources", path);
	do {
		text = kith_grow(pool, text, len + BUFSIZ + 1, 1);
		got = fread(text + len, 1, BUFSIZ, f);
		len += got;
	} while (got > 0);
	text[len] = '\0';
	fclose(f);
	return text;
}

/* Cut off the text up to a mark or the end of the line, and go past it. */
static char *
cut(char **s, const char *marks, char *mark)
{
	char *start = *s, *end = start + strcspn(start, marks);

	*mark = *end;
	*s = *end ? end + 1 : end;
	*end = '\0';
	return start;
}

struct golden
golden_read(const char *name, struct kith_pool *pool)
{
	struct golden t = {.name = name};
	const char *marks = strstr(name, ".csv") ? ",\n" : "\t\n";
	char *s = read_text(name, pool), mark;
	size_t held = 0, in_line = 0;

	while (*s || in_line > 0) {
		t.cell = kith_grow(pool, t.cell, held + 1, sizeof(*t.cell));
		t.cell[held++] = cut(&s, marks, &mark);
		in_line++;
		if (mark == *marks)
			continue;
		if (!t.columns)
			t.columns = in_line;
		if (in_line != t.columns)
			bail("%s: %zu cells where %zu are due", name, in_line, t.columns);
		in_line = 0;
	}
	if (!t.columns)
		bail("%s: no header line", name);
	t.rows = held / t.columns - 1;
	return t;
}

const char *
golden_cell(const struct golden *t, size_t row, const char *column)
{
	for (size_t j = 0; j < t->columns; j++)
		if (strcmp(t->cell[j], column) == 0)
			return t->cell[(row + 1) * t->columns + j];
	bail("%s: no column %s", t->name, column);
}

double
golden_number(const struct golden *t, size_t row, const char *column)
{
	const char *cell = golden_cell(t, row, column);
	char *end;
	const double x = strtod(cell, &end);

	if (end == cell || *end)
		bail("%s: no number: '%s'", t->name, cell);
	return x;
}

size_t
golden_count(const struct golden *t, size_t row, const char *column)
{
	const double x = golden_number(t, row, column);

	if (x < 0 || x != floor(x))
		bail("%s: no count: %g", t->name, x);
	return (size_t)x;
}

bool
golden_is(const struct golden *t, size_t row, const char *column, const char *text)
{
	return strcmp(golden_cell(t, row, column), text) == 0;
}

unsigned
golden_word(
    const struct golden *t, size_t row, const char *column, const char *const *word, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (golden_is(t, row, column, word[i]))
			return i;
	bail("%s: an unknown %s: '%s'", t->name, column, golden_cell(t, row, column));
}

size_t
golden_length(const struct golden *t, size_t row, const char *column)
{
	const char *s = golden_cell(t, row, column);
	size_t n = 1;

	if (strcmp(s, "-") == 0)
		return 0;
	while ((s = strchr(s, ',')) && s++)
		n++;
	return n;
}

double *
golden_numbers(
    const struct golden *t, size_t row, const char *column, size_t n, struct kith_pool *pool)
{
	const char *s = golden_cell(t, row, column);
	double *x = kith_new(pool, n, sizeof(*x));

	if (golden_length(t, row, column) != n)
		bail("%s: %zu numbers in %s where %zu are due", t->name,
		    golden_length(t, row, column), column, n);
	for (size_t i = 0; i < n; i++) {
		char *end;

		x[i] = strtod(s, &end);
		if (end == s || (*end && *end != ','))
			bail("%s: no number: '%s'", t->name, s);
		s = end + 1;
	}
	return x;
}

struct kith_mat
golden_matrix(const char *name, struct kith_pool *pool)
{
	const struct golden t = golden_read(name, pool);
	struct kith_mat X = kith_mat_new(pool, t.rows, t.columns);

	for (size_t i = 0; i < X.n; i++)
		for (size_t j = 0; j < X.p; j++)
			kith_row(&X, i)[j] = golden_number(&t, i, t.cell[j]);
	return X;
}

struct kith_mat
golden_data(const char *name, double **y, struct kith_pool *pool)
{
	const struct kith_mat all = golden_matrix(name, pool);
	struct kith_mat X = kith_mat_new(pool, all.n, all.p - 1);

	*y = kith_new(pool, all.n, sizeof(**y));
	for (size_t i = 0; i < all.n; i++) {
		memcpy(kith_row(&X, i), kith_row(&all, i), X.p * sizeof(**y));
		(*y)[i] = kith_row(&all, i)[X.p];
	}
	return X;
}

double
golden_distance(const double *got, const double *due, size_t n)
{
	double worst = 0;

	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(got[i] - due[i]));
	return worst;
}
