/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The candidates of each row, from a search or from given lists, and the bandwidth; rows without
 * the features of weight 0.
 */
#include "nnk/nnk.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/metric.h"
#include "nnk/problem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

const double *
kith_nnk_query(const struct kith_nnk_rows *rows, size_t i)
{
	return kith_row(rows->Z ? rows->Z : rows->X, rows->first + i);
}

double
kith_bandwidth(double sigma, const struct kith_neighbour *nn, size_t n)
{
	return sigma > 0 || n == 0 ? sigma : kith_sigma_local(nn, n);
}

struct kith_pack
kith_pack_new(const struct kith_metric *metric, struct kith_pool *pool)
{
	struct kith_pack pack = {.kept = kith_new(pool, metric->p, sizeof(*pack.kept))};
	const size_t p = kith_dist_kept(metric, pack.kept);

	pack.metric = kith_dist_pack(metric, pack.kept, p, pool);
	if (p == metric->p)
		pack.kept = NULL;
	return pack;
}

void
kith_pack_row(const struct kith_pack *pack, const double *x, double *to)
{
	const size_t p = pack->metric.p;

	if (!pack->kept)
		memcpy(to, x, p * sizeof(*to));
	else
		for (size_t j = 0; j < p; j++)
			to[j] = x[pack->kept[j]];
}

/* Searches the k nearest rows, or all rows within the radius. */
static void
search(const struct kith_nnk_rows *rows, const struct kith_knn *knn,
    const struct kith_candidates_how *how, struct kith_candidates *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *from = rows->Z ? rows->Z : rows->X;
	const struct kith_mat Z = {rows->m, from->p, kith_row(from, rows->first)};
	const size_t others = rows->X->n - !rows->Z, k = how->k < others ? how->k : others;
	struct kith_knn_lists lists;
	size_t *self = NULL;

	if (!rows->Z) {
		self = kith_new(&tmp, rows->m, sizeof(*self));
		for (size_t i = 0; i < rows->m; i++)
			self[i] = rows->first + i;
	}
	if (how->radius >= 0) {
		kith_knn_within(
		    knn, &Z, self, kith_dist_limit(how->radius), rows->threads, &lists, pool);
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
			kith_knn_search(knn, &Z, self, k, rows->threads, out->nn);
	}
	kith_pool_free(&tmp);
}

struct measure {
	const struct kith_nnk_rows *rows;
	const struct kith_pack *pack;
	const struct kith_candidates *out;
	double *packed; /* threads x 2 rows */
};

static int
by_distance(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	return kith_neighbour_before(s, t) ? -1 : kith_neighbour_before(t, s);
}

/* Computes the distances of given candidates and sorts each list. */
static void
measure_block(void *job, size_t block, size_t thread)
{
	const struct measure *it = job;
	const struct kith_metric *metric = &it->pack->metric;
	double *z = it->packed + thread * 2 * metric->p, *x = z + metric->p;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < it->rows->m; i++) {
		struct kith_neighbour *nn = it->out->nn + it->out->start[i];
		const size_t n = it->out->start[i + 1] - it->out->start[i];

		kith_pack_row(it->pack, kith_nnk_query(it->rows, i), z);
		for (size_t j = 0; j < n; j++) {
			kith_pack_row(it->pack, kith_row(it->rows->X, nn[j].row), x);
			kith_dist_rows(metric, z, x, 1, &nn[j].d);
		}
		qsort(nn, n, sizeof(*nn), by_distance);
	}
}

static void
measure_given(const struct kith_nnk_rows *rows, const struct kith_graph *given,
    struct kith_candidates *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const struct kith_pack pack = kith_pack_new(rows->metric, &tmp);
	struct measure it = {rows, &pack, out,
	    kith_new(&tmp, rows->threads, 2 * (pack.metric.p + 1) * sizeof(double))};

	assert(given->first == rows->first && given->m == rows->m);
	out->start = kith_new(pool, rows->m + 1, sizeof(*out->start));
	memcpy(out->start, given->start, (rows->m + 1) * sizeof(*out->start));
	out->nn = kith_new(pool, out->start[rows->m], sizeof(*out->nn));
	for (size_t e = 0; e < out->start[rows->m]; e++)
		out->nn[e].row = given->to[e];
	kith_par_told(rows->threads, (rows->m + BLOCK - 1) / BLOCK, measure_block, &it,
	    &(struct kith_par_phase){"distances", rows->m, "rows"});
	kith_pool_free(&tmp);
}

int
kith_candidates_find(const struct kith_nnk_rows *rows, const struct kith_candidates_how *how,
    struct kith_candidates *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const bool nearest = !how->given && !(how->radius >= 0);
	const size_t samples = how->bandwidth ? kith_sigma_asks(&how->sigma, rows->X->n) : 0;
	const struct kith_knn *knn = kith_knn_new(rows->X, rows->metric, rows->m + samples, &tmp);
	struct kith_sigma_data data = {.knn = knn, .X = rows->X, .threads = rows->threads};
	int got = 0;

	assert(how->k >= 1 && rows->X->n >= 1);
	*out = (struct kith_candidates){0};
	if (how->given)
		measure_given(rows, how->given, out, pool);
	else {
		search(rows, knn, how, out, pool);
		out->search = kith_knn_choice(knn, nearest ? how->k : 0);
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
