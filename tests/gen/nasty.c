/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nasty - problems of what real tables have and textbooks leave out, for wsvmpath: a generator of
 * svm_table.h.
 *
 * 1 to 40 rows of 1 to 5 columns, normal or small whole numbers, a quarter of them copies, some
 * columns constant, columns of scales 1e-6 to 1e6; weights that are equal, all 0, some 0, whole, or
 * over six decades, around 1e-8 to 1e8; one row of a class, or one class; gaussian kernels from
 * flat to narrow, linear and polynomial ones; a ridge that is 0, or the default.
 */
#include "draw.h"
#include "svm_table.h"

#define ONE_OF(...) \
	one_of( \
	    (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* True with probability p. */
static bool
chance(double p)
{
	return kith_rng_unit(&rng) < p;
}

/* A whole number from -n to n. */
static double
whole(size_t n)
{
	return (double)below(2 * n + 1) - (double)n;
}

/* grid: 0, or the cells are whole numbers up to it. */
static void
draw_rows(struct svm_table *t, size_t grid)
{
	for (size_t i = 0; i < t->n; i++)
		for (size_t j = 0; j < t->p; j++)
			t->x[i][j] = grid ? whole(grid) : normal();
	for (size_t i = 0; i < t->n; i++)
		if (chance(.25))
			memcpy(t->x[i], t->x[below(t->n)], sizeof(t->x[i]));
	for (size_t j = 0; j < t->p; j++) {
		const double scale = ONE_OF(1, 1, 1, 1e-6, 1e-3, 1e3, 1e6);
		const bool constant = chance(.15);

		for (size_t i = 0; i < t->n; i++)
			t->x[i][j] = (constant ? 1 : t->x[i][j]) * scale;
	}
}

static void
draw_target(struct svm_table *t, size_t grid)
{
	const bool alone = chance(.2);
	bool one_class = true;

	for (size_t i = 0; i < t->n; i++) {
		t->query[i] = t->task == SVM_RANK ? below((t->n > 6 ? t->n / 6 : 1) + 1) : 0;
		t->y[i] = t->task == SVM_RANK ? (double)below(3)
		    : t->task == SVM_CLASSIFY
		    ? (alone || below(2) ? 1 : -1)
		    : (grid ? whole(3) : normal()) * ONE_OF(1, 1, 1e3, 1e-3);
	}
	if (t->task == SVM_CLASSIFY && t->n > 1)
		t->y[t->n - 1] = -1;
	for (size_t i = 0; i < t->n; i++)
		one_class &= t->y[i] == t->y[0];
	for (size_t i = 0; i < t->n && t->task == SVM_CLASSIFY && one_class; i++)
		t->y[i] = 1; /* as wsvmpath has it where there is no other class */
}

/* Weights of one end of the path. */
static void
draw_weights(const struct svm_table *t, double *C)
{
	const size_t kind = below(4);
	const double unit = chance(.6) ? power_of_ten(-8, 8) : 1;

	for (size_t i = 0; i < t->n; i++)
		C[i] = chance(.075) ? 0
		    : kind == 0     ? unit
		    : kind == 1     ? 0
		    : kind == 2     ? unit * power_of_ten(-3, 3)
				    : unit * (double)below(4);
}

/* The same weight for all rows, or columns of weights. */
static void
draw_ends(struct svm_table *t)
{
	const double from = ONE_OF(0, 1e-8, 1e-4, 1, 100, 1e4, 1e8);
	const double to = ONE_OF(0, 1e-8, 1e-4, 1, 100, 1e4, 1e8);

	t->numbers = t->task == SVM_RANK || chance(.5);
	for (size_t i = 0; i < t->n; i++) {
		t->from[i] = from;
		t->to[i] = to;
	}
	if (t->numbers)
		return;
	draw_weights(t, t->from);
	draw_weights(t, t->to);
}

static void
draw(struct svm_table *t, enum svm_task task, size_t seed)
{
	size_t grid;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, (size_t)task + 200);
	memset(t, 0, sizeof(*t));
	t->task = task;
	t->n = (size_t)ONE_OF(1, 2, 3, 4, 5, 8, 12, 20, 40);
	if (task == SVM_RANK && t->n < 2)
		t->n = 4;
	t->p = (size_t)ONE_OF(1, 1, 2, 3, 5);
	grid = (size_t)ONE_OF(0, 0, 2, 3);
	draw_rows(t, grid);
	draw_target(t, grid);
	draw_ends(t);
	t->kern.kind = (enum svm_kernel)(below(4) % 3); /* half of them gaussian */
	t->kern.degree = (size_t)ONE_OF(2, 3, 5);
	t->kern.gamma = t->kern.kind == SVM_POLYNOMIAL ? 1 : ONE_OF(1e-3, .1, 1, 100);
	t->ridge = chance(.25) ? ONE_OF(0, 1e-9, 1e-3) : 1e-6;
	t->epsilon = ONE_OF(.1, 1, 1e-3);
}

int
main(int argc, char *argv[])
{
	return svm_main(draw, argc, argv);
}
