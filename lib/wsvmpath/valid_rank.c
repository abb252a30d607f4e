#include "base/pool.h"
#include "score/rank.h"
#include "score/score.h"
#include "wsvmpath/valid_sum.h"

#include <math.h>
#include <stdlib.h>

void
kith_wsvm_valid_queries(struct kith_wsvm_valid *v)
{
	const struct kith_wsvm_valid_how *how = &v->how;

	v->start = kith_new(v->pool, how->queries + 1, sizeof(*v->start));
	v->row = kith_new(v->pool, how->m, sizeof(*v->row));
	v->ranked = kith_new(v->pool, how->queries, sizeof(*v->ranked));
	v->y = kith_new(v->pool, how->m, sizeof(*v->y));
	v->p = kith_new(v->pool, how->m, sizeof(*v->p));
	for (size_t i = 0; i < how->m; i++)
		if (!isnan(how->y[i]))
			v->start[how->query[i] + 1]++;
	for (size_t q = 0; q < how->queries; q++)
		v->start[q + 1] += v->start[q];
	for (size_t i = 0; i < how->m; i++)
		if (!isnan(how->y[i]))
			v->row[v->start[how->query[i]]++] = i;
	for (size_t q = how->queries; q > 0; q--)
		v->start[q] = v->start[q - 1];
	v->start[0] = 0;
	for (size_t q = 0; q < how->queries; q++)
		v->n += v->start[q] < v->start[q + 1];
	v->weight = (double)v->n;
}

/* Rows of a query by their scores, at one theta. */
struct place {
	double by;
	size_t row;
};

static int
by_score(const void *a, const void *b)
{
	const struct place *s = a, *t = b;

	if (s->by != t->by)
		return s->by > t->by ? -1 : 1;
	return (s->row > t->row) - (s->row < t->row);
}

/* NDCG of query q at theta, and its order. */
static double
rank_at(struct kith_wsvm_valid *v, size_t q, double theta, const double *f0,
    const double *f1)
{
	struct kith_pool tmp = {0};
	const size_t n = v->start[q + 1] - v->start[q];
	size_t *row = v->row + v->start[q], counted;
	struct place *place = kith_new(&tmp, n, sizeof(*place));

	for (size_t i = 0; i < n; i++)
		place[i] = (struct place){
		    f0[row[i]] + theta * f1[row[i]], row[i]};
	qsort(place, n, sizeof(*place), by_score);
	for (size_t i = 0; i < n; i++) {
		row[i] = place[i].row;
		v->y[i] = v->how.y[row[i]];
		v->p[i] = -(double)i; /* in this order */
	}
	kith_pool_free(&tmp);
	return kith_score_ndcg(
	    &(struct kith_score_ranking){.n = n, .p = v->p, .y = v->y},
	    v->how.k, false, &counted);
}

/* Whether the order of q holds from end to end of the piece. */
static bool
holds(const struct kith_wsvm_valid *v, size_t q, double from, double to,
    const double *f0, const double *f1)
{
	for (size_t i = v->start[q] + 1; i < v->start[q + 1]; i++) {
		const size_t s = v->row[i - 1], t = v->row[i];
		const double a = f0[s] + from * f1[s] - f0[t] - from * f1[t];
		const double b = f0[s] + to * f1[s] - f0[t] - to * f1[t];

		if (!(a >= 0 && b >= 0 && (a > 0 || b > 0 || s < t)))
			return false;
	}
	return v->ranked[q];
}

static int
by_size(const void *a, const void *b)
{
	const double *s = a, *t = b;

	return (*s > *t) - (*s < *t);
}

/* The thetas in the piece where scores of q cross; their number. */
static size_t
crossings(const struct kith_wsvm_valid *v, size_t q, double from, double to,
    const double *f0, const double *f1, double *at)
{
	size_t n = 0;

	for (size_t i = v->start[q]; i < v->start[q + 1]; i++)
		for (size_t j = i + 1; j < v->start[q + 1]; j++) {
			const size_t s = v->row[i], t = v->row[j];
			const double a = f0[s] + from * f1[s] - f0[t] -
			    from * f1[t];
			const double b = f0[s] + to * f1[s] - f0[t] -
			    to * f1[t];

			if ((a < 0 && b > 0) || (a > 0 && b < 0))
				at[n++] = kith_wsvm_valid_zero(from, to, a, b);
		}
	qsort(at, n, sizeof(*at), by_size);
	return n;
}

/* The orders of query q in the piece. */
static void
rank(struct kith_wsvm_valid *v, size_t q, double from, double to,
    const double *f0, const double *f1)
{
	const size_t g = v->start[q + 1] - v->start[q];
	struct kith_pool tmp = {0};
	double *at, last = from;
	size_t n;

	if (g == 0 || holds(v, q, from, to, f0, f1))
		return;
	at = kith_new(&tmp, g * (g - 1) / 2 + 1, sizeof(*at));
	n = crossings(v, q, from, to, f0, f1, at);
	at[n++] = to;
	for (size_t i = 0; i < n; i++) {
		struct kith_wsvm_change c = {last, q, 0, false};

		if (kith_wsvm_valid_same(last, at[i]) && i + 1 < n)
			continue;
		c.value = rank_at(v, q, last + (at[i] - last) / 2, f0, f1);
		kith_wsvm_valid_change(v, &c);
		last = at[i];
	}
	v->ranked[q] = true;
	kith_pool_free(&tmp);
}

void
kith_wsvm_valid_ranks(struct kith_wsvm_valid *v, double from, double to,
    const double *f0, const double *f1)
{
	for (size_t q = 0; q < v->how.queries; q++)
		rank(v, q, from, to, f0, f1);
}
