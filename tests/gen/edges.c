/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edges - problems at the edges of what doubles can resolve, for wsvmpath: a generator of
 * svm_table.h.
 *
 * Rows are copies, copies of both classes, on a grid, binary, constant, collinear, or of scales
 * from 1e-6 to 1e6; weights are 0, from 1e-8 to 1e8, balanced, or those of single rows that come or
 * go; gamma is 1e-8 to 1e8, the degree 1 to 5, the ridge 0 to 1.
 */
#include "draw.h"
#include "svm_table.h"

static double
draw_cell(size_t kind)
{
	switch (kind) {
	case 0:
		return (double)below(5) - 2;
	case 1:
		return (double)below(2);
	case 2:
		return 1;
	default:
		return rounded(uniform(-2, 2));
	}
}

/* Copies, multiples of one row, and columns of other scales. */
static void
draw_rows(struct svm_table *e)
{
	const size_t kind = below(6), copies = below(4);
	const bool collinear = below(5) == 0, scales = below(4) == 0;
	const double all = below(5) ? 1 : rounded(power_of_ten(-3, 3));

	for (size_t i = 0; i < e->n; i++)
		for (size_t j = 0; j < e->p; j++)
			e->x[i][j] = draw_cell(kind);
	for (size_t i = 1; i < e->n; i++) {
		const size_t of = below(i);
		const double a = (double)below(7) - 3;

		if (below(6) < copies)
			memcpy(e->x[i], e->x[of], sizeof(e->x[i]));
		else if (collinear)
			for (size_t j = 0; j < e->p; j++)
				e->x[i][j] = a * e->x[0][j];
	}
	for (size_t j = 0; j < e->p; j++) {
		const double unit = scales ? rounded(power_of_ten(-6, 6)) : all;

		for (size_t i = 0; i < e->n; i++)
			e->x[i][j] *= unit;
	}
}

static void
draw_target(struct svm_table *e)
{
	const size_t few = 2 + below(e->n), kind = below(4);

	for (size_t i = 0; i < e->n; i++) {
		e->query[i] = below(3);
		if (e->task == SVM_CLASSIFY)
			e->y[i] = kind == 0 ? (i < few ? 1 : -1) : below(2) ? 1 : -1;
		else if (e->task == SVM_RANK)
			e->y[i] = (double)below(3);
		else
			e->y[i] = kind == 0 ? (double)below(3)
			    : kind == 1     ? e->x[i][0]
					    : rounded(uniform(-2, 2));
	}
	e->y[0] = 1;
	if (e->n > 1)
		e->y[1] = e->task == SVM_CLASSIFY ? -1 : 0;
	e->query[0] = e->query[1] = 0;
	e->epsilon = below(3) ? .1 : rounded(power_of_ten(-6, 0));
}

/* The weights of one end of the path. */
static void
draw_weights(struct svm_table *e, double *C, double one)
{
	const size_t kind = below(8);
	double size[2] = {0};

	for (size_t i = 0; i < e->n; i++)
		size[e->y[i] > 0]++;
	for (size_t i = 0; i < e->n; i++)
		C[i] = kind == 0 ? rounded(one * kith_rng_unit(&rng))
		    : kind == 1  ? rounded(power_of_ten(-8, 8))
		    : kind == 2  ? (below(3) ? one : 0)
		    : kind == 3  ? rounded(one / size[e->y[i] > 0])
		    : kind == 4  ? (double)below(31)
				 : one;
	if (kind == 5)
		C[below(e->n)] = 0;
}

static double
draw_C(void)
{
	return below(12) == 0 ? 0
	    : below(3)        ? rounded(power_of_ten(-2, 3))
			      : rounded(power_of_ten(-8, 8));
}

static void
draw_kernel(struct svm_table *e)
{
	const size_t kind = below(3);

	e->kern.kind = (enum svm_kernel)kind;
	e->kern.gamma = below(2) ? rounded(power_of_ten(-2, 1)) : rounded(power_of_ten(-8, 8));
	if (kind == SVM_POLYNOMIAL && below(2))
		e->kern.gamma = 1;
	e->kern.degree = 1 + below(5);
	e->ridge = below(2) ? 1e-6 : below(2) ? (below(2) ? 0 : 1e-12) : (below(2) ? 1e-3 : 1);
}

static void
draw(struct svm_table *e, enum svm_task task, size_t seed)
{
	double C;

	kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, (size_t)task + 100);
	memset(e, 0, sizeof(*e));
	e->task = task;
	e->n = 2 + (below(3) ? below(15) : below(SVM_ROWS - 1));
	e->p = 1 + (below(3) ? below(4) : below(SVM_COLUMNS));
	draw_rows(e);
	draw_target(e);
	draw_kernel(e);
	C = draw_C();
	e->numbers = task == SVM_RANK || below(3) == 0;
	for (size_t i = 0; i < e->n; i++)
		e->from[i] = C;
	if (!e->numbers)
		draw_weights(e, e->from, C);
	C = below(3) ? draw_C() : rounded(C * power_of_ten(-3, 3));
	for (size_t i = 0; i < e->n; i++)
		e->to[i] = C;
	if (!e->numbers && below(3))
		draw_weights(e, e->to, C);
}

int
main(int argc, char *argv[])
{
	return svm_main(draw, argc, argv);
}
