/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/within.h"

#include "near/dist.h"

enum { QUERIES = 16 }; /* rows of a query in a block */

struct kith_within_worker *
kith_within_worker(const struct kith_within *job, size_t thread, size_t rows)
{
	struct kith_within_worker *own = &job->own[thread];
	const size_t p = job->pack->metric.p;

	if (own->list)
		return own;
	own->list = kith_new(&own->pool, rows, sizeof(*own->list));
	own->z = kith_new(&own->pool, rows, sizeof(*own->z));
	own->room = kith_new(&own->pool, rows, (p + 1) * sizeof(*own->room));
	own->row = kith_new(&own->pool, rows, sizeof(*own->row));
	own->left_out = kith_new(&own->pool, rows, sizeof(*own->left_out));
	own->d = kith_new(&own->pool, KITH_WITHIN_ROWS, sizeof(*own->d));
	return own;
}

void
kith_within_take(const struct kith_within *job, struct kith_within_worker *own,
    size_t first, size_t m)
{
	const struct kith_knn_query *query = &job->found->query;
	const size_t p = job->pack->metric.p;

	for (size_t i = 0; i < m; i++) {
		own->row[i] = first + i;
		own->z[i] = kith_knn_pack_row(job->pack,
		    kith_row(query->Z, first + i), own->room + i * p);
		own->left_out[i] = kith_knn_left_out(query, first + i);
	}
}

void
kith_within_offer_rows(const struct kith_within *job,
    struct kith_within_worker *own, size_t i, size_t from, size_t to)
{
	kith_dist_rows(&job->pack->metric, own->z[i],
	    kith_row(&job->pack->X, from), to - from, own->d);
	for (size_t j = from; j < to; j++)
		kith_within_offer(job, own, i, j, own->d[j - from]);
}

void
kith_within_offer_row(const struct kith_within *job,
    struct kith_within_worker *own, size_t i, size_t row)
{
	double d;

	kith_dist_rows(
	    &job->pack->metric, own->z[i], kith_row(&job->pack->X, row), 1, &d);
	kith_within_offer(job, own, i, row, d);
}

void
kith_within_offer_all(const struct kith_within *job,
    struct kith_within_worker *own, size_t from, size_t to)
{
	const size_t n = job->pack->X.n;

	for (size_t j = 0; j < n; j += KITH_WITHIN_ROWS)
		for (size_t i = from; i < to; i++)
			kith_within_offer_rows(job, own, i, j,
			    j + KITH_WITHIN_ROWS < n ? j + KITH_WITHIN_ROWS
						     : n);
}

static void
plain_block(void *arg, size_t block, size_t thread)
{
	const struct kith_within *job = arg;
	const size_t first = block * QUERIES;
	const size_t left = job->found->query.Z->n - first;
	const size_t m = left < QUERIES ? left : QUERIES;
	struct kith_within_worker *own = kith_within_worker(
	    job, thread, QUERIES);

	kith_within_take(job, own, first, m);
	kith_within_offer_all(job, own, 0, m);
	kith_found_keep(job->found, block, m, own->row, own->list);
}

void
kith_within_work(struct kith_within *job, size_t blocks, kith_par_work *work)
{
	struct kith_pool tmp = {0};
	const size_t threads = job->found->query.threads;

	kith_found_begin(job->found, blocks);
	job->own = kith_new(&tmp, threads, sizeof(*job->own));
	kith_par(threads, blocks, work, job);
	for (size_t t = 0; t < threads; t++)
		kith_pool_free(&job->own[t].pool);
	kith_pool_free(&tmp);
}

void
kith_within_plain(const struct kith_knn_pack *pack, struct kith_found *found)
{
	struct kith_within job = {.found = found, .pack = pack};

	kith_within_work(
	    &job, (found->query.Z->n + QUERIES - 1) / QUERIES, plain_block);
}
