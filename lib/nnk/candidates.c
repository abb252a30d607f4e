/* SPDX-License-Identifier: BSD-2-Clause */
/* The candidates of each row, from a search or from given lists, and the bandwidth. */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/metric.h"
#include "nnk/problem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

double
kith_bandwidth(double sigma, const struct kith_neighbour *nn, size_t n)
{
	return sigma > 0 || n == 0 ? sigma : kith_sigma_local(nn, n);
}

/* Searches the k nearest rows, or all rows within the radius. */
static void
search(const struct kith_nnk_rows *rows, const struct kith_knn *knn,
    const struct kith_candidates_how *how, struct kith_candidates *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t others = rows->X->n - !rows->Z, k = how->k < others ? how->k : others;
	struct kith_knn_lists lists;
	size_t *self = NULL;

	if (!rows->Z) {
		self = kith_new(&tmp, rows->m, sizeof(*self));
		for (size_t i = 0; i < rows->m; i++)
			self[i] = rows->first + i;
	}
	if (how->radius >= 0) {
		kith_knn_within(knn, &out->rows, self, kith_dist_limit(how->radius), rows->threads,
		    &lists, pool);
		out->start = lists.start;
		out->nn = lists.nn;
	} else {
		out->start = kith_new(pool, rows->m + 1, sizeof(*out->start));
		for (size_t i = 0; i <= rows->m; i++)
			out->start[i] = i * k;
		out->nn = kith_new(pool, rows->m * k, sizeof(*out->nn));
		if (rows->m == 0 || k == 0)
			;
		else if (!rows->Z && rows->m == rows->X->n)
			kith_knn_join(knn, k, rows->threads, out->nn);
		else
			kith_knn_search(knn, &out->rows, self, k, rows->threads, out->nn);
	}
	kith_pool_free(&tmp);
}

/* Computes the distances of given candidates and sorts each list; a kith_par() task. */
static void
measure_block(void *to, size_t block, size_t thread)
{
	const struct kith_candidates *it = to;

	(void)thread;
	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < it->rows.n; i++) {
		struct kith_neighbour *nn = it->nn + it->start[i];
		const size_t n = it->start[i + 1] - it->start[i];

		for (size_t j = 0; j < n; j++)
			kith_dist_rows(&it->metric, kith_row(&it->rows, i),
			    kith_row(&it->X, nn[j].row), 1, &nn[j].d);
		kith_neighbours_sort(nn, n);
	}
}

static void
measure_given(const struct kith_nnk_rows *rows, const struct kith_graph *given,
    struct kith_candidates *out, struct kith_pool *pool)
{
	assert(given->first == rows->first && given->m == rows->m);
	out->start = kith_new(pool, rows->m + 1, sizeof(*out->start));
	memcpy(out->start, given->start, (rows->m + 1) * sizeof(*out->start));
	out->nn = kith_new(pool, out->start[rows->m], sizeof(*out->nn));
	for (size_t e = 0; e < out->start[rows->m]; e++)
		out->nn[e].row = given->to[e];
	kith_par_told(rows->threads, (rows->m + BLOCK - 1) / BLOCK, measure_block, out,
	    &(struct kith_par_phase){"distances", rows->m, "rows"});
}

int
kith_candidates_find(const struct kith_nnk_rows *rows, const struct kith_candidates_how *how,
    struct kith_candidates *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const bool nearest = !how->given && !(how->radius >= 0);
	const size_t samples = how->bandwidth ? kith_sigma_asks(&how->sigma, rows->X->n) : 0;
	struct kith_mat all = rows->Z ? *rows->Z : *rows->X;
	struct kith_sigma_data data = {.X = &out->X, .threads = rows->threads};
	int got = 0;

	assert(how->k >= 1 && rows->X->n >= 1);
	*out = (struct kith_candidates){.X = *rows->X, .metric = *rows->metric};
	kith_dist_pack_rows(&out->metric, &out->X, rows->Z ? &all : NULL, pool);
	all = rows->Z ? all : out->X;
	out->rows = (struct kith_mat){rows->m, all.p, kith_row(&all, rows->first)};
	data.knn = kith_knn_new(&out->X, &out->metric, rows->m + samples, &tmp);
	if (how->given)
		measure_given(rows, how->given, out, pool);
	else {
		search(rows, data.knn, how, out, pool);
		out->search = kith_knn_choice(data.knn, nearest ? how->k : 0);
	}
	for (size_t i = 0; i < rows->m; i++) {
		const size_t n = out->start[i + 1] - out->start[i];

		out->most = n > out->most ? n : out->most;
	}
	for (size_t e = 0; e < out->start[rows->m] && got == 0; e++)
		if (out->nn[e].d < 0)
			got = kith_fail(err, EX_DATAERR, "the weights make a distance below 0");
	if (nearest && !rows->Z && rows->m == rows->X->n && rows->m > 1) {
		data.nn = out->nn; /* the sample's neighbours are known already */
		data.most = out->most;
	}
	if (got == 0 && how->bandwidth)
		got = kith_sigma_fit(&how->sigma, &data, &how->k, 1, &out->sigma, &out->flat, err);
	kith_pool_free(&tmp);
	return got;
}
