/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/mat.h"
#include "nnk/aew.h"

#include "base/par.h"
#include "base/pool.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 128 }; /* rows of a block of work */

struct kith_aew_model {
	const struct kith_mat *X;
	size_t *start, *to; /* of each row its pairs, from either side */
	size_t threads, blocks, most;
	double *E;    /* blocks: sums of their rows */
	double *g;    /* blocks x p */
	double *room; /* threads x (2 most + p): weights; the rest of a row */

	const double *c; /* as asked */
};

struct kith_aew_model *
kith_aew_model(const struct kith_mat *X, const struct kith_graph *pairs, size_t threads,
    struct kith_pool *pool)
{
	struct kith_aew_model *it = kith_new(pool, 1, sizeof(*it));
	const size_t n = X->n, edges = pairs->start[n];
	size_t *end;

	it->X = X;
	it->threads = threads;
	it->blocks = (n + BLOCK - 1) / BLOCK;
	it->start = kith_new(pool, n + 2, sizeof(*it->start));
	it->to = kith_new(pool, edges, 2 * sizeof(*it->to));
	end = it->start + 1;
	for (size_t i = 0; i < n; i++)
		for (size_t e = pairs->start[i]; e < pairs->start[i + 1]; e++) {
			end[i + 1]++;
			end[pairs->to[e] + 1]++;
		}
	for (size_t i = 0; i < n; i++) {
		it->most = end[i + 1] > it->most ? end[i + 1] : it->most;
		end[i + 1] += end[i];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t e = pairs->start[i]; e < pairs->start[i + 1]; e++) {
			it->to[end[i]++] = pairs->to[e];
			it->to[end[pairs->to[e]]++] = i;
		}
	it->E = kith_new(pool, it->blocks, sizeof(*it->E));
	it->g = kith_new(pool, it->blocks, X->p * sizeof(*it->g));
	it->room = kith_new(pool, threads, (it->most + X->p) * sizeof(*it->room));
	return it;
}

/* Weights w_ij / d_i of the pairs of row i, relative to the largest w_ij. */
static void
weigh(const struct kith_aew_model *it, size_t i, double *w)
{
	const double *x = kith_row(it->X, i);
	const size_t *to = it->to + it->start[i];
	const size_t k = it->start[i + 1] - it->start[i], p = it->X->p;
	double least = INFINITY, sum = 0;

	for (size_t j = 0; j < k; j++) {
		const double *z = kith_row(it->X, to[j]);

		w[j] = 0;
		for (size_t f = 0; f < p; f++)
			w[j] += it->c[f] * ((z[f] - x[f]) * (z[f] - x[f]));
		least = fmin(least, w[j]);
	}
	for (size_t j = 0; j < k; j++)
		sum += w[j] = exp(least - w[j]);
	for (size_t j = 0; j < k; j++)
		w[j] /= sum;
}

/*
 * E_i = |r|^2, r = x_i - sum_j w_j x_j; its derivative by the logarithm of a
 * weight is -2 w_j r'(x_j - x_i + r), and that of the logarithm by log s_f is
 * 2 c_f (x_jf - x_if)^2.
 */
static double
add_row(const struct kith_aew_model *it, size_t i, double *w, double *g)
{
	const double *x = kith_row(it->X, i);
	const size_t *to = it->to + it->start[i];
	const size_t k = it->start[i + 1] - it->start[i], p = it->X->p;
	double *r = w + it->most, square = 0;

	weigh(it, i, w);
	memset(r, 0, p * sizeof(*r));
	for (size_t j = 0; j < k; j++) {
		const double *z = kith_row(it->X, to[j]);

		for (size_t f = 0; f < p; f++)
			r[f] -= w[j] * (z[f] - x[f]);
	}
	for (size_t f = 0; f < p; f++)
		square += r[f] * r[f];
	for (size_t j = 0; j < k; j++) {
		const double *z = kith_row(it->X, to[j]);
		double h = square;

		for (size_t f = 0; f < p; f++)
			h += r[f] * (z[f] - x[f]);
		h *= -4 * w[j];
		for (size_t f = 0; f < p; f++)
			g[f] += h * it->c[f] * ((z[f] - x[f]) * (z[f] - x[f]));
	}
	return square;
}

static void
add_block(void *to, size_t block, size_t thread)
{
	struct kith_aew_model *it = to;
	const size_t p = it->X->p;
	double *g = it->g + block * p;

	it->E[block] = 0;
	memset(g, 0, p * sizeof(*g));
	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < it->X->n; i++)
		if (it->start[i + 1] > it->start[i])
			it->E[block] += add_row(it, i, it->room + thread * (it->most + p), g);
}

double
kith_aew_objective(struct kith_aew_model *model, const double *c, double *g)
{
	const size_t p = model->X->p;
	double E = 0;

	model->c = c;
	memset(g, 0, p * sizeof(*g));
	kith_par(model->threads, model->blocks, add_block, model);
	for (size_t b = 0; b < model->blocks; b++) {
		E += model->E[b];
		for (size_t f = 0; f < p; f++)
			g[f] += model->g[b * p + f];
	}
	return E;
}
