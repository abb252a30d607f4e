/* SPDX-License-Identifier: BSD-2-Clause */
#include "nnk/local.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "la/mat.h"
#include "near/heap.h"
#include "near/knn.h"
#include "near/metric.h"
#include "table/graph.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 }; /* rows of a block of work */

const double *
kith_local_query(const struct kith_local_rows *rows, size_t i)
{
	return kith_row(rows->Z ? rows->Z : rows->X, rows->first + i);
}

double
kith_local_sigma(double sigma, const struct kith_neighbour *nn, size_t k)
{
	return sigma > 0 || k == 0 ? sigma : kith_sigma_local(nn, k);
}

struct kith_local_pack
kith_local_pack_new(const struct kith_metric *metric, struct kith_pool *pool)
{
	struct kith_local_pack pack;
	size_t p;

	pack.kept = kith_new(pool, metric->p, sizeof(*pack.kept));
	p = kith_dist_kept(metric, pack.kept);
	pack.metric = kith_dist_pack(metric, pack.kept, p, pool);
	if (p == metric->p)
		pack.kept = NULL;
	return pack;
}

void
kith_local_pack_row(const struct kith_local_pack *pack, const double *x, double *to)
{
	const size_t p = pack->metric.p;

	if (!pack->kept)
		memcpy(to, x, p * sizeof(*to));
	else
		for (size_t j = 0; j < p; j++)
			to[j] = x[pack->kept[j]];
}

/* How many candidates a row can have. */
static size_t
limit(const struct kith_local_rows *rows)
{
	return rows->X->n - !rows->Z;
}

/* The rows, and which of the reference they are, or NULL. */
static struct kith_mat
block_of(const struct kith_local_rows *rows, size_t **self, struct kith_pool *pool)
{
	const struct kith_mat *from = rows->Z ? rows->Z : rows->X;

	*self = NULL;
	if (!rows->Z) {
		*self = kith_new(pool, rows->m, sizeof(**self));
		for (size_t i = 0; i < rows->m; i++)
			(*self)[i] = rows->first + i;
	}
	return (struct kith_mat){rows->m, from->p, kith_row(from, rows->first)};
}

static void
find_nearest(const struct kith_local_rows *rows, const struct kith_knn *knn, size_t k,
    struct kith_local *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t m = rows->m;
	struct kith_mat Z;
	size_t *self;

	k = k < limit(rows) ? k : limit(rows);
	for (size_t i = 0; i <= m; i++)
		out->start[i] = i * k;
	out->nn = kith_new(pool, m * k, sizeof(*out->nn));
	if (m == 0 || k == 0)
		return;
	if (!rows->Z && m == rows->X->n)
		kith_knn_join(knn, k, rows->threads, out->nn);
	else {
		Z = block_of(rows, &self, &tmp);
		kith_knn_search(knn, &Z, self, k, rows->threads, out->nn);
		kith_pool_free(&tmp);
	}
}

static void
find_within(const struct kith_local_rows *rows, const struct kith_knn *knn, double radius,
    struct kith_local *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	size_t *self;
	const struct kith_mat Z = block_of(rows, &self, &tmp);
	struct kith_knn_lists lists = {0};

	kith_knn_within(knn, &Z, self, kith_dist_limit(radius), rows->threads, &lists, pool);
	out->start = lists.start;
	out->nn = lists.nn;
	kith_pool_free(&tmp);
}

/* What the threads share. */
struct measure {
	const struct kith_local_rows *rows;
	const struct kith_local_pack *pack;
	const struct kith_local *out;
	double *room; /* threads x 2 rows */
};

static int
by_distance(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	return kith_neighbour_before(s, t) ? -1 : kith_neighbour_before(t, s);
}

static void
measure_block(void *to, size_t block, size_t thread)
{
	const struct measure *it = to;
	const struct kith_metric *metric = &it->pack->metric;
	double *z = it->room + thread * 2 * metric->p, *x = z + metric->p;

	for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < it->rows->m; i++) {
		struct kith_neighbour *nn = it->out->nn + it->out->start[i];
		const size_t k = it->out->start[i + 1] - it->out->start[i];

		kith_local_pack_row(it->pack, kith_local_query(it->rows, i), z);
		for (size_t j = 0; j < k; j++) {
			kith_local_pack_row(it->pack, kith_row(it->rows->X, nn[j].row), x);
			kith_dist_rows(metric, z, x, 1, &nn[j].d);
		}
		qsort(nn, k, sizeof(*nn), by_distance);
	}
}

/* Put the candidates given in order of their distances. */
static void
take_given(const struct kith_local_rows *rows, const struct kith_graph *given,
    struct kith_local *out, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t m = rows->m;
	const struct kith_local_pack pack = kith_local_pack_new(rows->metric, &tmp);
	struct measure it = {rows, &pack, out, NULL};

	assert(given->first == rows->first && given->m == m);
	memcpy(out->start, given->start, (m + 1) * sizeof(*out->start));
	out->nn = kith_new(pool, out->start[m], sizeof(*out->nn));
	for (size_t e = 0; e < out->start[m]; e++)
		out->nn[e].row = given->to[e];
	it.room = kith_new(&tmp, rows->threads * 2 * (pack.metric.p + 1), sizeof(*it.room));
	kith_par_told(rows->threads, (m + BLOCK - 1) / BLOCK, measure_block, &it,
	    &(struct kith_par_phase){"distances", m, "rows"});
	kith_pool_free(&tmp);
}

static int
check_signs(const struct kith_local_rows *rows, const struct kith_local *out, struct kith_err *err)
{
	for (size_t e = 0; e < out->start[rows->m]; e++)
		if (out->nn[e].d < 0)
			return kith_fail(err, EX_DATAERR, "the weights make a distance below 0");
	return 0;
}

int
kith_local_find(const struct kith_local_rows *rows, const struct kith_local_how *how,
    struct kith_local *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t asks = how->bandwidth ? kith_sigma_asks(&how->sigma, rows->X->n) : 0;
	const struct kith_knn *knn = kith_knn_new(rows->X, rows->metric, rows->m + asks, &tmp);
	struct kith_sigma_data data = {
	    .knn = knn, .X = rows->X, .metric = rows->metric, .threads = rows->threads};
	int got = 0;

	assert(how->k >= 1 && rows->X->n >= 1);
	*out = (struct kith_local){0};
	out->start = kith_new(pool, rows->m + 1, sizeof(*out->start));
	if (how->given)
		take_given(rows, how->given, out, pool);
	else if (how->radius >= 0)
		find_within(rows, knn, how->radius, out, pool);
	else
		find_nearest(rows, knn, how->k, out, pool);
	if (!how->given)
		out->search = kith_knn_choice(knn, how->radius >= 0 ? 0 : how->k);
	got = check_signs(rows, out, err);
	if (!how->given && how->radius < 0 && !rows->Z && rows->m == rows->X->n && rows->m > 1) {
		data.nn = out->nn;
		data.most = out->start[1];
	}
	if (got == 0 && how->bandwidth)
		got = kith_sigma_fit(&how->sigma, &data, &how->k, 1, &out->sigma, &out->flat, err);
	for (size_t i = 0; i < rows->m; i++) {
		const size_t k = out->start[i + 1] - out->start[i];

		out->most = k > out->most ? k : out->most;
	}
	kith_pool_free(&tmp);
	return got;
}
