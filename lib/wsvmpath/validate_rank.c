/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/validate_rank.h"

#include "base/sort.h"
#include "score/score.h"

#include <math.h>

/* The rows of query q are row[start[q]..start[q + 1] - 1], as ranked now. */
struct kith_wsvm_ranking {
	const double *relevance; /* m */
	size_t queries, k;
	size_t *start, *row; /* queries + 2, m */
	bool *ranked;        /* queries: row is in the order of a piece */
	bool *tied;          /* m: row[i] has the score of row[i - 1] in that piece */
	double *y, *p;       /* m: of the rows of one query */
};

struct kith_wsvm_ranking *
kith_wsvm_ranking_new(const double *relevance, size_t m, const size_t *query, size_t queries,
    size_t k, size_t *count, struct kith_pool *pool)
{
	struct kith_wsvm_ranking *r = kith_new(pool, 1, sizeof(*r));
	size_t *of;

	*r = (struct kith_wsvm_ranking){.relevance = relevance, .queries = queries, .k = k};
	KITH_NEW_SIZES(pool, queries + 2, 1, &r->start);
	KITH_NEW_SIZES(pool, m, 1, &r->row, &of);
	r->ranked = kith_new(pool, queries, sizeof(*r->ranked));
	r->tied = kith_new(pool, m, sizeof(*r->tied));
	KITH_NEW_REALS(pool, m, 1, &r->y, &r->p);
	for (size_t i = 0; i < m; i++) /* those left out come last */
		of[i] = isnan(relevance[i]) ? queries : query[i];
	kith_sort_by_class(of, m, queries + 1, r->row, r->start);
	*count = 0;
	for (size_t q = 0; q < queries; q++)
		*count += kith_wsvm_ranking_counts(r, q);
	return r;
}

bool
kith_wsvm_ranking_counts(const struct kith_wsvm_ranking *r, size_t q)
{
	return r->start[q] < r->start[q + 1];
}

/* NDCG of query q at theta; its rows in the order of their scores there. */
static double
rank_at(struct kith_wsvm_ranking *r, size_t q, double theta, const double *f0, const double *f1)
{
	struct kith_pool tmp = {0};
	const size_t n = r->start[q + 1] - r->start[q];
	size_t *row = r->row + r->start[q], counted;
	bool *tied = r->tied + r->start[q];
	struct kith_ranked *place = kith_new(&tmp, n, sizeof(*place));

	for (size_t i = 0; i < n; i++)
		place[i] = (struct kith_ranked){f0[row[i]] + theta * f1[row[i]], row[i]};
	kith_sort_ranked(place, n);
	for (size_t i = 0; i < n; i++) {
		row[i] = place[i].of;
		r->y[i] = r->relevance[row[i]];
		r->p[i] = place[i].by;
		tied[i] = i > 0 && place[i].by == place[i - 1].by;
	}
	kith_pool_free(&tmp);
	return kith_score_ndcg(
	    &(struct kith_score_ranking){.n = n, .p = r->p, .y = r->y}, r->k, &counted);
}

/* Whether the rows of q have the order and the ties of the last piece at both ends. */
static bool
holds(const struct kith_wsvm_ranking *r, size_t q, double from, double to, const double *f0,
    const double *f1)
{
	for (size_t i = r->start[q] + 1; i < r->start[q + 1]; i++) {
		const size_t s = r->row[i - 1], t = r->row[i];
		const double a = f0[s] + from * f1[s] - f0[t] - from * f1[t];
		const double b = f0[s] + to * f1[s] - f0[t] - to * f1[t];

		if (!(a >= 0 && b >= 0 && (a == 0 && b == 0) == r->tied[i]))
			return false;
	}
	return r->ranked[q];
}

/* The thetas in the piece where scores of q cross; their number. */
static size_t
crossings(const struct kith_wsvm_ranking *r, size_t q, double from, double to, const double *f0,
    const double *f1, double *at)
{
	size_t n = 0;

	for (size_t i = r->start[q]; i < r->start[q + 1]; i++)
		for (size_t j = i + 1; j < r->start[q + 1]; j++) {
			const size_t s = r->row[i], t = r->row[j];
			const double a = f0[s] + from * f1[s] - f0[t] - from * f1[t];
			const double b = f0[s] + to * f1[s] - f0[t] - to * f1[t];

			if ((a < 0 && b > 0) || (a > 0 && b < 0))
				at[n++] = kith_wsvm_valid_zero(from, to, a, b);
		}
	kith_sort_reals(at, n);
	return n;
}

/* The orders of query q in the piece, each from a crossing to the next. */
static void
rank(struct kith_wsvm_ranking *r, size_t q, double from, double to, const double *f0,
    const double *f1, struct kith_wsvm_changes *changes)
{
	const size_t g = r->start[q + 1] - r->start[q];
	struct kith_pool tmp = {0};
	double *at, last = from;
	size_t n;

	if (g == 0 || holds(r, q, from, to, f0, f1))
		return;
	at = kith_new(&tmp, g * (g - 1) / 2 + 1, sizeof(*at));
	n = crossings(r, q, from, to, f0, f1, at);
	at[n++] = to;
	for (size_t i = 0; i < n; i++) {
		struct kith_wsvm_change c = {last, q, 0, false};

		if (kith_wsvm_valid_same(last, at[i]) && i + 1 < n)
			continue;
		c.value = rank_at(r, q, last + (at[i] - last) / 2, f0, f1);
		kith_wsvm_changes_add(changes, &c);
		last = at[i];
	}
	r->ranked[q] = true;
	kith_pool_free(&tmp);
}

void
kith_wsvm_ranking_piece(struct kith_wsvm_ranking *r, double from, double to, const double *f0,
    const double *f1, struct kith_wsvm_changes *changes)
{
	for (size_t q = 0; q < r->queries; q++)
		rank(r, q, from, to, f0, f1, changes);
}
