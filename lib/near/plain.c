/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/plain.h"

#include "base/par.h"
#include "base/pool.h"
#include "near/dist.h"
#include "near/near.h"
#include "near/pack.h"

enum {
	QUERIES = 16, /* rows of a query in one block */
	ROWS = 64     /* rows of the reference looked at in one go */
};

struct job {
	const struct kith_knn_pack *pack;
	const struct kith_knn_query *query;
	double *room; /* threads x QUERIES x p, for packed rows */
};

/* See the rows from..to-1 of the reference for one packed row z. */
static void
look(const struct kith_knn_pack *pack, const double *z, size_t left_out,
    size_t from, size_t to, struct kith_near *near)
{
	double d[ROWS];

	kith_dist_rows(
	    &pack->metric, z, kith_row(&pack->X, from), to - from, d);
	for (size_t i = from; i < to; i++)
		if (kith_near_wants(near, d[i - from]) && i != left_out)
			kith_near_push(near, i, d[i - from]);
}

void
kith_knn_plain_row(const struct kith_knn_pack *pack, const double *z,
    size_t left_out, size_t k, struct kith_neighbour *nn)
{
	const size_t n = pack->X.n;
	struct kith_near near = {.nn = nn, .k = k};

	for (size_t i = 0; i < n; i += ROWS)
		look(pack, z, left_out, i, i + ROWS < n ? i + ROWS : n, &near);
	kith_near_sort(&near);
}

/* A block of the query; the rows of the reference are read once for it. */
static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_knn_query *query = job->query;
	const size_t first = block * QUERIES, n = job->pack->X.n;
	const size_t left = query->Z->n - first, p = job->pack->metric.p;
	const size_t m = left < QUERIES ? left : QUERIES;
	struct kith_near near[QUERIES];
	const double *z[QUERIES];

	for (size_t q = 0; q < m; q++) {
		double *room = job->room + (thread * QUERIES + q) * p;

		z[q] = kith_knn_pack_row(
		    job->pack, kith_row(query->Z, first + q), room);
		near[q] = (struct kith_near){
		    .nn = query->nn + (first + q) * query->k, .k = query->k};
	}
	for (size_t i = 0; i < n; i += ROWS)
		for (size_t q = 0; q < m; q++)
			look(job->pack, z[q],
			    kith_knn_left_out(query, first + q), i,
			    i + ROWS < n ? i + ROWS : n, &near[q]);
	for (size_t q = 0; q < m; q++)
		kith_near_sort(&near[q]);
}

void
kith_knn_plain(
    const struct kith_knn_pack *pack, const struct kith_knn_query *query)
{
	struct kith_pool tmp = {0};
	struct job job = {.pack = pack, .query = query};

	job.room = kith_new(&tmp, query->threads,
	    QUERIES * (pack->metric.p + 1) * sizeof(*job.room));
	kith_par_told(query->threads, (query->Z->n + QUERIES - 1) / QUERIES,
	    work, &job,
	    &(struct kith_par_phase){"neighbours", query->Z->n, "rows"});
	kith_pool_free(&tmp);
}
