/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tied - tables of the kind that breaks solvers: rows that are equal, mirrored
 * or on a grid, columns that are constant, collinear or of scales far apart,
 * cells next to which all others vanish, more columns than rows, a class of one
 * row.
 *
 *	tied SEED [regress]
 *
 * prints table SEED as CSV: columns x0, x1, ..., y.  y is a class, one time in
 * eight with one row in the last class, or a number.  Nine of ten tables are
 * small numbers and a few outliers; one reaches for the ends of the range of a
 * double.
 */
#include "draw.h"

#include <string.h>

enum { MOST_ROWS = 40, FEW_COLUMNS = 7, MOST_COLUMNS = 50, CLASSES = 3, EACH = 2 };

struct table {
	size_t n, p;
	double x[MOST_ROWS][MOST_COLUMNS];
	double y[MOST_ROWS];
	size_t class[MOST_ROWS];
};

/* A cell; all cells of a table are of one kind. */
static double
draw_cell(size_t kind)
{
	switch (kind) {
	case 0:
		return (double)below(3);
	case 1:
		return (double)below(6);
	case 2:
		return (double)below(10) / 10;
	case 3:
		return once_in(2) ? 1 : -1;
	case 4:
		return (double)below(17) / 8;
	case 5:
		return uniform(0, 1) + uniform(0, 1) + uniform(0, 1) - 1.5;
	default:
		return uniform(0, 1);
	}
}

static void
draw_cells(struct table *t)
{
	const size_t kind = below(7);

	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < t->p; j++)
			t->x[i][j] = draw_cell(kind);
}

/* Let rows be copies of others, or their mirror images in all columns. */
static void
repeat_rows(struct table *t)
{
	const size_t times = 1 + below(t->n);
	const bool mirrored = once_in(3);

	for (size_t k = 0; k < times; k++) {
		const size_t from = below(t->n), to = below(t->n);

		for (size_t j = 0; j < t->p; j++)
			t->x[to][j] = mirrored ? 2 - t->x[from][j] : t->x[from][j];
	}
}

/* Let a column follow from another one, or be constant. */
static void
repeat_column(struct table *t)
{
	const size_t from = below(t->p), to = below(t->p);
	const double a = once_in(4) ? 0 : (double)(1 + below(3));
	const double b = (double)below(2);

	for (size_t i = 0; i < t->n; i++)
		t->x[i][to] = a * t->x[i][from] + b;
}

/* Let some columns be constant. */
static void
fix_columns(struct table *t)
{
	for (size_t j = 0; j < t->p; j++) {
		const double x = once_in(2) ? 0 : power_of_ten(-3, 3);
		const size_t rows = once_in(3) ? t->n : 0;

		for (size_t i = 0; i < rows; i++)
			t->x[i][j] = x;
	}
}

/* Let columns differ in scale by up to 10^size either way. */
static void
scale_columns(struct table *t, double size)
{
	for (size_t j = 0; j < t->p; j++) {
		const double by = power_of_ten(-size, size);

		for (size_t i = 0; i < t->n; i++)
			t->x[i][j] *= by;
	}
}

/* Let a column lie far from 0, next to which its differences vanish. */
static void
move_column(struct table *t)
{
	const size_t j = below(t->p);
	const double by = power_of_ten(2, 15);

	for (size_t i = 0; i < t->n; i++)
		t->x[i][j] += by;
}

/* Replace a few cells by numbers of any size. */
static void
add_outliers(struct table *t, double from, double to)
{
	const size_t times = 1 + below(5);

	for (size_t k = 0; k < times; k++) {
		double *x = &t->x[below(t->n)][below(t->p)];

		*x = power_of_ten(from, to) * (once_in(2) ? -1 : 1);
		if (once_in(2))
			*x = rint(*x);
	}
}

/* The ends of the range, where squares overflow or vanish. */
static void
go_to_extremes(struct table *t)
{
	static const double unit[] = {1e-300, 1e-150, 1e150, 1e280};
	const double by = one_of(unit, 4);

	switch (below(4)) {
	case 0:
		add_outliers(t, 100, 150);
		break;
	case 1:
		scale_columns(t, 100);
		break;
	case 2:
		scale_columns(t, 280);
		break;
	default:
		scale_columns(t, 1);
		for (size_t i = 0; i < t->n; i++)
			for (size_t j = 0; j < t->p; j++)
				t->x[i][j] *= by;
	}
}

static void
draw_targets(struct table *t)
{
	const size_t classes = 2 + below(CLASSES - 1);
	const size_t kind = below(4), alone = once_in(8) ? classes - 1 : classes;

	for (size_t i = 0; i < t->n; i++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): classes is 2 or more */
		t->class[i] = i < EACH * classes ? i % classes : below(classes);
		if (i >= classes && t->class[i] == alone)
			t->class[i] = 0;
		t->y[i] = kind == 0 ? t->x[i][0] : kind == 1 ? (double)below(4) : uniform(-1, 1);
	}
	if (kind == 3)
		t->y[below(t->n)] = power_of_ten(-3, 6);
}

static void
draw(struct table *t)
{
	const size_t fewest = (size_t)EACH * CLASSES;
	const bool wide = once_in(8);

	*t = (struct table){.p = 1 + below(wide ? MOST_COLUMNS : FEW_COLUMNS)};
	t->n = fewest + below(wide || once_in(2) ? 6 : MOST_ROWS - fewest + 1);
	draw_cells(t);
	if (once_in(2))
		repeat_rows(t);
	if (once_in(4))
		repeat_column(t);
	if (once_in(8))
		fix_columns(t);
	draw_targets(t);
	if (once_in(4))
		scale_columns(t, once_in(2) ? 6 : 2);
	if (once_in(8))
		move_column(t);
	for (size_t k = below(3); k > 0; k--)
		add_outliers(t, -5, once_in(2) ? 3 : 16);
	if (once_in(10))
		go_to_extremes(t);
}

static void
print(const struct table *t, bool regress)
{
	for (size_t j = 0; j < t->p; j++)
		printf("x%zu,", j);
	puts("y");
	for (size_t i = 0; i < t->n; i++) {
		for (size_t j = 0; j < t->p; j++)
			printf("%.17g,", t->x[i][j]);
		if (regress)
			printf("%.17g\n", t->y[i]);
		else
			printf("%c\n", "abc"[t->class[i]]);
	}
}

int
main(int argc, char *argv[])
{
	struct table t;

	if (argc < 2 || argc > 3 || (argc == 3 && strcmp(argv[2], "regress") != 0)) {
		fputs("usage: tied SEED [regress]\n", stderr);
		return 2;
	}
	kith_rng_seed(&rng, strtoull(argv[1], NULL, 10), KITH_RNG_SAMPLE, 0);
	draw(&t);
	print(&t, argc == 3);
	return fflush(stdout) || ferror(stdout);
}
