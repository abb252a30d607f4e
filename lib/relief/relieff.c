#include "relief/relieff.h"

#include "base/pool.h"
#include "base/progress.h"
#include "near/near.h"
#include "relief/cell.h"

#include <math.h>
#include <stdint.h>

#define MOST 0x1p53 /* whole numbers up to this are doubles */

/* Where the rows are, and what is found in one class. */
struct run {
	struct kith_relief_cells cells;
	const struct kith_relief_how *how;
	size_t k;
	struct kith_neighbour *nn; /* m x k */
};

/* w += factor times the differences of the l-th row sampled from its k. */
static void
add(const struct run *run, size_t l, size_t k, double factor, double *w)
{
	const struct kith_by_class *s = &run->cells.s;

	for (size_t a = 0; a < s->X.p; a++) {
		double sum = 0;

		for (size_t r = 0; r < k; r++)
			sum += kith_relief_diff(&run->cells, s->asked[l],
			    run->nn[l * run->k + r].row, a);
		w[a] += factor * sum;
	}
}

static void
classify(struct run *run, double *w)
{
	const struct kith_by_class *s = &run->cells.s;
	const double n = (double)s->X.n, m = (double)s->m;

	kith_progress_phase("relieff", s->c, "classes");
	for (size_t b = 0; b < s->c; b++, kith_progress_add(1)) {
		const double in_b = (double)(s->first[b + 1] - s->first[b]);

		if (in_b == 0)
			continue;
		kith_relief_cells_near(&run->cells, run->how->squares, b,
		    run->k, run->how->threads, run->nn);
		for (size_t l = 0; l < s->m; l++) {
			const size_t y = s->y[s->asked[l]];
			const size_t k = kith_by_class_there(s, y, b, run->k);
			const double in_y = (double)(s->first[y + 1] -
			    s->first[y]);
			const double prior = y == b ? -1 : in_b / (n - in_y);

			if (k > 0)
				add(run, l, k, prior / (m * (double)k), w);
		}
	}
	kith_progress_end();
}

/* E[diff delta] / E[delta] and the same of 1 - delta, summed up. */
struct moments {
	double *with, *without;  /* p */
	double change, constant; /* E[delta], E[1 - delta] */
};

/* See the neighbours of the l-th row sampled, of influence f (k). */
static void
see(const struct run *run, const double *t, size_t l, const double *f,
    struct moments *sum)
{
	const struct kith_by_class *s = &run->cells.s;
	const size_t i = s->asked[l];

	for (size_t r = 0; r < run->k; r++) {
		const size_t j = run->nn[l * run->k + r].row;
		const double delta = fabs(t[s->row[i]] - t[s->row[j]]);
		const double with = f[r] * delta, without = f[r] * (1 - delta);

		sum->change += with;
		sum->constant += without;
		for (size_t a = 0; a < s->X.p; a++) {
			const double D = kith_relief_diff(&run->cells, i, j, a);

			sum->with[a] += with * D;
			sum->without[a] += without * D;
		}
	}
}

/* The influence of the neighbours by their ranks, of sum 1. */
static void
influence(size_t k, double sigma, double *f)
{
	double sum = 0;

	for (size_t r = 0; r < k; r++) {
		const double r2 = (double)r * (double)(r + 2);

		/* (r + 1)^2 - 1: relative to the first. */
		f[r] = r == 0 ? 1 : exp(-(r2 / sigma / sigma));
		sum += f[r];
	}
	for (size_t r = 0; r < k; r++)
		f[r] /= sum;
}

/* The target from 0 to 1, like the features. */
static double *
scale_target(const double *t, size_t n, struct kith_pool *pool)
{
	double *scaled = kith_new(pool, n, sizeof(*scaled));
	double least = t[0], most = t[0], range;
	int e;

	for (size_t i = 1; i < n; i++) {
		least = fmin(least, t[i]);
		most = fmax(most, t[i]);
	}
	e = -kith_range_exponent(least, most);
	range = ldexp(most, e) - ldexp(least, e);
	for (size_t i = 0; i < n; i++)
		scaled[i] = (ldexp(t[i], e) - ldexp(least, e)) / range;
	return scaled;
}

static void
regress(struct run *run, const double *t, struct kith_pool *tmp, double *w)
{
	const struct kith_by_class *s = &run->cells.s;
	const size_t p = s->X.p;
	struct moments sum = {kith_new(tmp, p, sizeof(*sum.with)),
	    kith_new(tmp, p, sizeof(*sum.without)), 0, 0};
	double *f;

	run->k = kith_by_class_there(s, 0, 0, run->k);
	f = kith_new(tmp, run->k, sizeof(*f));
	influence(run->k, run->how->sigma, f);
	t = scale_target(t, s->X.n, tmp);
	kith_relief_cells_near(&run->cells, run->how->squares, 0, run->k,
	    run->how->threads, run->nn);
	for (size_t l = 0; l < s->m; l++)
		see(run, t, l, f, &sum);
	for (size_t a = 0; a < p; a++)
		w[a] = (sum.change > 0 ? sum.with[a] / sum.change : 0) -
		    (sum.constant > 0 ? sum.without[a] / sum.constant : 0);
}

/* A column of numbers, or of texts. */
struct column {
	double least, most; /* NaN left out */
	int e;              /* 2^-e scales its range to 1..2; 0 for texts */
	bool whole;         /* whole numbers, none of them missing */
};

static struct column
look_at(const struct kith_relief_rows *rows, size_t a)
{
	struct column c = {.whole = !rows->text[a]};

	kith_mat_range(&rows->X, a, &c.least, &c.most);
	for (size_t i = 0; i < rows->X.n; i++) {
		const double x = kith_row(&rows->X, i)[a];

		c.whole = c.whole && fabs(x) <= MOST && x == rint(x);
	}
	if (!rows->text[a])
		c.e = kith_range_exponent(c.least, c.most);
	return c;
}

static uint64_t
common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * Weights L / range, L the least common multiple of all ranges: for whole
 * numbers the sums are whole numbers then, and equal distances are equal.  NULL
 * where columns are no whole numbers, or sums would be too large.
 */
static const double *
exact_weights(
    const struct column *column, size_t p, bool squares, struct kith_pool *pool)
{
	double *w = kith_new(pool, p, sizeof(*w)), most;
	uint64_t L = 1;

	for (size_t a = 0; a < p; a++) {
		const uint64_t range = column[a].whole
		    ? (uint64_t)(column[a].most - column[a].least)
		    : 0;

		if (range == 0 || (double)L * (double)range > MOST)
			return NULL;
		L = L / common_divisor(L, range) * range;
	}
	most = (double)L * (squares ? (double)L : 1) * (double)p;
	if (most > MOST)
		return NULL;
	for (size_t a = 0; a < p; a++) {
		const double range = column[a].most - column[a].least;

		w[a] = ldexp((double)L / range, column[a].e);
		w[a] *= squares ? w[a] : 1;
	}
	return w;
}

/* A copy of X, each column of numbers scaled to a range of 1 to 2. */
static struct kith_mat
scale_columns(const struct kith_mat *X, const struct column *column,
    struct kith_pool *pool)
{
	const struct kith_mat Y = kith_mat_new(pool, X->n, X->p);

	for (size_t i = 0; i < X->n; i++)
		for (size_t a = 0; a < X->p; a++)
			kith_row(&Y, i)[a] = ldexp(
			    kith_row(X, i)[a], -column[a].e);
	return Y;
}

void
kith_relieff(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w)
{
	struct kith_pool tmp = {0};
	const size_t p = rows->X.p, most = rows->X.n - 1;
	struct column *column = kith_new(&tmp, p, sizeof(*column));
	struct run run = {.how = how};
	struct kith_mat X;

	for (size_t a = 0; a < p; a++)
		column[a] = look_at(rows, a);
	X = scale_columns(&rows->X, column, &tmp);
	run.k = how->k < most ? how->k : most;
	kith_by_class_sort(
	    &X, rows->y, rows->y ? rows->c : 1, sample, m, &run.cells.s, &tmp);
	run.cells.text = rows->text;
	run.cells.exact = exact_weights(column, p, how->squares, &tmp);
	kith_relief_cells_fit(&run.cells, &tmp);
	run.nn = kith_new(&tmp, m, run.k * sizeof(*run.nn));
	if (rows->y)
		classify(&run, w);
	else
		regress(&run, rows->t, &tmp, w);
	kith_pool_free(&tmp);
}
