/* SPDX-License-Identifier: BSD-2-Clause */
#include "relief/relieff.h"

#include "base/pool.h"
#include "base/progress.h"
#include "near/near.h"
#include "relief/cell.h"
#include "relief/columns.h"

#include <math.h>

/* Where the rows are, and what is found in one class. */
struct run {
	struct kith_relief_cells cells;
	const struct kith_relief_how *how;
	size_t k;
	struct kith_neighbour *nn; /* m x k */
	const double *weight;      /* n, of the rows as they came, or NULL */
};

/* The weight of the row at place i. */
static double
weight_of(const struct run *run, size_t i)
{
	return run->weight ? run->weight[run->cells.s.row[i]] : 1;
}

/* The weights of the rows at the places from..to-1 together. */
static double
weigh_rows(const struct run *run, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += weight_of(run, i);
	return sum;
}

/* Those of the rows sampled. */
static double
weigh_sample(const struct run *run)
{
	double sum = 0;

	for (size_t l = 0; l < run->cells.s.m; l++)
		sum += weight_of(run, run->cells.s.asked[l]);
	return sum;
}

/* Those of the k neighbours of the l-th row sampled. */
static double
weigh_near(const struct run *run, size_t l, size_t k)
{
	double sum = 0;

	for (size_t r = 0; r < k; r++)
		sum += weight_of(run, run->nn[l * run->k + r].row);
	return sum;
}

/* w += factor times the differences of the l-th row sampled from its k. */
static void
add(const struct run *run, size_t l, size_t k, double factor, double *w)
{
	const struct kith_by_class *s = &run->cells.s;

	for (size_t a = 0; a < s->X.p; a++) {
		double sum = 0;

		for (size_t r = 0; r < k; r++) {
			const size_t j = run->nn[l * run->k + r].row;

			sum += weight_of(run, j) *
			    kith_relief_diff(&run->cells, s->asked[l], j, a);
		}
		w[a] += factor * sum;
	}
}

static void
classify(struct run *run, struct kith_pool *tmp, double *w)
{
	const struct kith_by_class *s = &run->cells.s;
	const double n = weigh_rows(run, 0, s->X.n), m = weigh_sample(run);
	double *in = kith_new(tmp, s->c, sizeof(*in));

	for (size_t b = 0; b < s->c; b++)
		in[b] = weigh_rows(run, s->first[b], s->first[b + 1]);
	kith_progress_phase("relieff", s->c, "classes");
	for (size_t b = 0; b < s->c; b++, kith_progress_add(1)) {
		const double in_b = in[b];

		if (in_b == 0)
			continue;
		kith_relief_cells_near(&run->cells, run->how->squares, b,
		    run->k, run->how->threads, run->nn);
		for (size_t l = 0; l < s->m; l++) {
			const size_t y = s->y[s->asked[l]];
			const size_t k = kith_by_class_there(s, y, b, run->k);
			const double in_y = in[y];
			const double prior = y == b ? -1 : in_b / (n - in_y);

			if (k > 0)
				add(run, l, k,
				    weight_of(run, s->asked[l]) * prior /
					(m * weigh_near(run, l, k)),
				    w);
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
	double all = 1;

	for (size_t r = 0; run->weight && r < run->k; r++)
		all = (r ? all : 0) +
		    f[r] * weight_of(run, run->nn[l * run->k + r].row);
	for (size_t r = 0; r < run->k; r++) {
		const size_t j = run->nn[l * run->k + r].row;
		const double delta = fabs(t[s->row[i]] - t[s->row[j]]);
		const double share = run->weight
		    ? weight_of(run, i) * f[r] * weight_of(run, j) / all
		    : f[r];
		const double with = share * delta,
			     without = share * (1 - delta);

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

void
kith_relieff(const struct kith_relief_rows *rows,
    const struct kith_relief_how *how, const size_t *sample, size_t m,
    double *w)
{
	struct kith_pool tmp = {0};
	const size_t most = rows->X.n - 1;
	struct run run = {.how = how, .weight = rows->weight};

	run.k = how->k < most ? how->k : most;
	kith_relief_cells_new(rows, how->squares, sample, m, &run.cells, &tmp);
	run.nn = kith_new(&tmp, m, run.k * sizeof(*run.nn));
	if (rows->y)
		classify(&run, &tmp, w);
	else
		regress(&run, rows->t, &tmp, w);
	kith_pool_free(&tmp);
}
