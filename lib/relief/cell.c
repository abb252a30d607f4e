/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/cell.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/simd.h"
#include "near/metric.h"
#include "near/near.h"

#include <string.h>

enum {
	QUERIES = 16, /* rows of a query in one block */
	ROWS = 512    /* rows looked at in one go */
};

/* The values of a column that a missing cell may have had. */
struct known {
	double *v;   /* n numbers, sorted */
	double *sum; /* n + 1: of the first numbers; texts: not used */
	size_t n;
	bool text;
};

/* Column a of the row at place i: numbers from 0 on, in units of the range. */
static double
cell(const struct kith_relief_cells *in, size_t i, size_t a)
{
	const double x = kith_row(&in->s.X, i)[a];

	return in->text[a] ? x : (x - in->least[a]) * in->factor[a];
}

/* The known values of the rows from..to-1. */
static void
take_known(const struct kith_relief_cells *in, size_t a, size_t from, size_t to,
    struct known *known)
{
	known->n = 0;
	for (size_t i = from; i < to; i++) {
		const double x = cell(in, i, a);

		if (!isnan(x))
			known->v[known->n++] = x;
	}
}

static void
look_up(const struct kith_relief_cells *in, size_t a, size_t class,
    struct known *known)
{
	const struct kith_by_class *s = &in->s;

	take_known(in, a, s->first[class], s->first[class + 1], known);
	if (known->n == 0)
		take_known(in, a, 0, s->X.n, known);
	known->text = in->text[a];
	kith_sort_reals(known->v, known->n);
	known->sum[0] = 0;
	for (size_t i = 0; i < known->n; i++)
		known->sum[i + 1] = known->sum[i] + known->v[i];
}

/* How many of the known values are below x, or up to it. */
static size_t
rank(const struct known *known, double x, bool up_to)
{
	size_t lo = 0, hi = known->n;

	while (lo < hi) {
		const size_t i = lo + (hi - lo) / 2;

		if (known->v[i] < x || (up_to && known->v[i] == x))
			lo = i + 1;
		else
			hi = i;
	}
	return lo;
}

/* The mean difference of x from the known values. */
static double
expect(const struct known *known, double x)
{
	const double n = (double)known->n;
	const size_t at = rank(known, x, false);
	const double below = (double)at;

	if (known->text)
		return 1 - ((double)rank(known, x, true) - below) / n;
	return ((x * below - known->sum[at]) +
		   (known->sum[known->n] - known->sum[at] - x * (n - below))) /
	    n;
}

/*
 * What the cells of column a differ from the known values: those that are
 * missing by the mean over the known cells of their class, or of all rows.
 */
static void
expect_all(const struct kith_relief_cells *in, size_t a,
    const struct known *known, double *e)
{
	struct kith_pool tmp = {0};
	const struct kith_by_class *s = &in->s;
	double *sum = kith_new(&tmp, s->c + 1, sizeof(*sum));
	double *n = kith_new(&tmp, s->c + 1, sizeof(*n));

	for (size_t i = 0; i < s->X.n; i++) {
		const double x = cell(in, i, a);

		if (isnan(x))
			continue;
		e[i] = expect(known, x);
		sum[s->y[i]] += e[i];
		n[s->y[i]]++;
	}
	for (size_t b = 0; b < s->c; b++) {
		sum[s->c] += sum[b];
		n[s->c] += n[b];
	}
	for (size_t i = 0; i < s->X.n; i++) {
		const size_t b = n[s->y[i]] > 0 ? s->y[i] : s->c;

		if (isnan(cell(in, i, a)))
			e[i] = sum[b] / n[b];
	}
	kith_pool_free(&tmp);
}

/* Tables for the classes that lack cells of column a; whether some do. */
static bool
fill_column(struct kith_relief_cells *in, size_t a, struct known *known,
    struct kith_pool *pool)
{
	const struct kith_by_class *s = &in->s;
	double **e = in->expected + a * s->c;
	bool some = false;

	for (size_t i = 0; i < s->X.n; i++) {
		if (!isnan(kith_row(&s->X, i)[a]) || e[s->y[i]])
			continue;
		look_up(in, a, s->y[i], known);
		e[s->y[i]] = kith_new(pool, s->X.n, sizeof(**e));
		expect_all(in, a, known, e[s->y[i]]);
		some = true;
	}
	return some;
}

/*
 * The least number of a column, and 1 over its range, or 1; for a text 0 and 1.
 */
static void
measure(struct kith_relief_cells *in, size_t a)
{
	double least, most;

	kith_mat_range(&in->s.X, a, &least, &most);
	in->least[a] = in->text[a] ? 0 : least;
	in->factor[a] = in->text[a] || in->raw ? 1 : 1 / (most - least);
}

void
kith_relief_cells_fit(struct kith_relief_cells *in, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = in->s.X.n, p = in->s.X.p;
	struct known known = {kith_new(&tmp, n, sizeof(*known.v)),
	    kith_new(&tmp, n + 1, sizeof(*known.sum)), 0, false};

	KITH_NEW_REALS(pool, p, 1, &in->least, &in->factor);
	in->expected = kith_new(pool, p, in->s.c * sizeof(*in->expected));
	in->holes = kith_new(pool, p, sizeof(*in->holes));
	in->mixed = false;
	for (size_t a = 0; a < p; a++) {
		measure(in, a);
		in->holes[a] = fill_column(in, a, &known, pool);
		in->mixed = in->mixed || in->holes[a] || in->text[a];
	}
	if (in->mixed)
		in->column = kith_new(pool, p, n * sizeof(*in->column));
	for (size_t a = 0; in->mixed && a < p; a++)
		for (size_t i = 0; i < n; i++)
			in->column[a * n + i] = kith_row(&in->s.X, i)[a];
	kith_pool_free(&tmp);
}

/* d += 0 where the m texts z are x, else 1. */
KITH_CLONES static void
cell_add_texts(size_t m, const double *z, double x, double *d)
{
	const kith_v8d one = (kith_v8d){0} + 1.0;
	size_t j;

	for (j = 0; j + 8 <= m; j += 8) {
		const kith_v8i other = *(const kith_v8d_at *)(z + j) != x;

		*(kith_v8d_at *)(d + j) += (kith_v8d)((kith_v8i)one & other);
	}
	for (; j < m; j++)
		d[j] += z[j] != x;
}

/* d += |z - x| times the factor, or its square, for m numbers z. */
KITH_CLONES static void
cell_add_numbers(
    size_t m, const double *z, double x, double factor, bool squares, double *d)
{
	size_t j;

	for (j = 0; j + 8 <= m; j += 8) {
		kith_v8d D = *(const kith_v8d_at *)(z + j) - x;

		D = (kith_v8d)((kith_v8i)D & INT64_MAX) * factor;
		*(kith_v8d_at *)(d + j) += squares ? D * D : D;
	}
	for (; j < m; j++) {
		const double D = fabs(z[j] - x) * factor;

		d[j] += squares ? D * D : D;
	}
}

struct job {
	const struct kith_relief_cells *in;
	bool squares;
	size_t b, k;
	struct kith_neighbour *nn;
};

void
kith_relief_cells_from(const struct kith_relief_cells *in, bool squares,
    size_t i, size_t from, size_t to, double *d)
{
	const size_t n = in->s.X.n;

	memset(d, 0, (to - from) * sizeof(*d));
	for (size_t a = 0; a < in->s.X.p; a++) {
		const double *z = in->column + a * n + from;
		const double x = kith_row(&in->s.X, i)[a];

		if (in->holes[a])
			for (size_t j = from; j < to; j++) {
				const double D = kith_relief_diff(in, i, j, a);

				d[j - from] += squares ? D * D : D;
			}
		else if (in->text[a])
			cell_add_texts(to - from, z, x, d);
		else
			cell_add_numbers(
			    to - from, z, x, in->factor[a], squares, d);
	}
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_by_class *s = &job->in->s;
	const size_t first = block * QUERIES, end = s->first[job->b + 1];
	const size_t left = s->m - first;
	const size_t m = left < QUERIES ? left : QUERIES;
	struct kith_near near[QUERIES];
	double d[ROWS];

	(void)thread;
	for (size_t q = 0; q < m; q++)
		near[q] = (struct kith_near){
		    .nn = job->nn + (first + q) * job->k,
		    .k = kith_by_class_there(
			s, s->y[s->asked[first + q]], job->b, job->k)};
	for (size_t j = s->first[job->b]; j < end; j += ROWS)
		for (size_t q = 0; q < m; q++) {
			const size_t i = s->asked[first + q];
			const size_t upto = end - j < ROWS ? end : j + ROWS;

			if (near[q].k == 0)
				continue;
			kith_relief_cells_from(
			    job->in, job->squares, i, j, upto, d);
			for (size_t l = j; l < upto; l++)
				if (l != i &&
				    kith_near_wants(&near[q], d[l - j]))
					kith_near_push(&near[q], l, d[l - j]);
		}
	for (size_t q = 0; q < m; q++)
		kith_near_sort(&near[q]);
}

/* Where all differences are those of numbers. */
static void
near_numbers(const struct kith_relief_cells *in, bool squares, size_t b,
    size_t k, size_t threads, struct kith_neighbour *nn)
{
	struct kith_pool tmp = {0};
	const size_t p = in->s.X.p;
	double *w = kith_new(&tmp, p, sizeof(*w));
	const struct kith_metric metric = {
	    squares ? KITH_SQUARED : KITH_ABSOLUTE, p, w};

	for (size_t a = 0; a < p; a++)
		w[a] = in->exact ? in->exact[a]
		    : squares    ? in->factor[a] * in->factor[a]
				 : in->factor[a];
	kith_by_class_near(&in->s, &metric, b, k, threads, nn);
	kith_pool_free(&tmp);
}

void
kith_relief_cells_near(const struct kith_relief_cells *in, bool squares,
    size_t b, size_t k, size_t threads, struct kith_neighbour *nn)
{
	struct job job = {
	    .in = in, .squares = squares, .b = b, .k = k, .nn = nn};

	if (!in->mixed) {
		near_numbers(in, squares, b, k, threads, nn);
		return;
	}
	kith_par_told(threads, (in->s.m + QUERIES - 1) / QUERIES, work, &job,
	    &(struct kith_par_phase){"neighbours", in->s.m, "rows"});
}
