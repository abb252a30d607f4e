/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/by_class.h"

#include "base/pool.h"
#include "base/sort.h"
#include "near/dist.h"
#include "near/knn.h"
#include "near/metric.h"

#include <assert.h>
#include <stdbool.h>

void
kith_by_class_sort(const struct kith_mat *X, const size_t *y, size_t c,
    const size_t *sample, size_t m, struct kith_by_class *s,
    struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = X->n;
	bool *sampled = kith_new(&tmp, n, sizeof(*sampled));
	size_t l = 0;

	*s = (struct kith_by_class){.c = c, .m = m};
	s->first = kith_new(pool, c + 1, sizeof(*s->first));
	s->asked_of = kith_new(pool, c + 1, sizeof(*s->asked_of));
	s->row = kith_new(pool, n, sizeof(*s->row));
	s->y = kith_new(pool, n, sizeof(*s->y));
	s->asked = kith_new(pool, m, sizeof(*s->asked));
	kith_sort_by_class(y, n, c, s->row, s->first);
	for (size_t i = 0; i < m; i++)
		sampled[sample ? sample[i] : i] = true;
	for (size_t i = 0; i < n; i++) {
		s->y[i] = y ? y[s->row[i]] : 0;
		if (!sampled[s->row[i]])
			continue;
		s->asked[l++] = i;
		s->asked_of[s->y[i] + 1]++;
	}
	for (size_t b = 0; b < c; b++)
		s->asked_of[b + 1] += s->asked_of[b];
	s->X = kith_mat_rows(X, s->row, n, pool);
	s->Z = m == n ? s->X : kith_mat_rows(&s->X, s->asked, m, pool);
	kith_pool_free(&tmp);
}

size_t
kith_by_class_there(const struct kith_by_class *s, size_t a, size_t b, size_t k)
{
	const size_t there = s->first[b + 1] - s->first[b];
	const size_t others = there - (a == b && there > 0);

	return k < others ? k : others;
}

/* An index of class b, and where its answers go. */
struct search {
	const struct kith_by_class *s;
	const struct kith_knn *knn;
	size_t b, k, threads;
	struct kith_neighbour *nn;
};

/*
 * Search for the rows from..to-1 of those sampled: all that are of class b
 * itself, or some of other classes.
 */
static void
search(const struct search *in, size_t from, size_t to, bool own)
{
	struct kith_pool tmp = {0};
	const struct kith_by_class *s = in->s;
	const size_t b = in->b, first = s->first[b], m = to - from;
	const size_t k = kith_by_class_there(s, own ? b : b + 1, b, in->k);
	const struct kith_mat Z = {m, s->Z.p, s->Z.v + from * s->Z.p};
	struct kith_neighbour *got = kith_new(&tmp, m, (k + !k) * sizeof(*got));
	size_t *self = own ? kith_new(&tmp, m, sizeof(*self)) : NULL;

	for (size_t l = 0; own && l < m; l++)
		self[l] = s->asked[from + l] - first;
	if (k > 0 && own && m == s->first[b + 1] - first)
		kith_knn_join(in->knn, k, in->threads, got);
	else if (k > 0 && m > 0)
		kith_knn_search(in->knn, &Z, self, k, in->threads, got);
	for (size_t l = 0; l < m; l++)
		for (size_t r = 0; r < k; r++) {
			struct kith_neighbour *put = in->nn +
			    (from + l) * in->k + r;

			*put = got[l * k + r];
			put->row += first;
		}
	kith_pool_free(&tmp);
}

void
kith_by_class_near(const struct kith_by_class *s,
    const struct kith_metric *metric, size_t b, size_t k, size_t threads,
    struct kith_neighbour *nn)
{
	struct kith_pool tmp = {0};
	const size_t first = s->first[b], n = s->first[b + 1] - first;
	const struct kith_mat X = {n, s->X.p, s->X.v + first * s->X.p};
	struct search in = {
	    .s = s, .b = b, .k = k, .threads = threads, .nn = nn};

	assert(k >= 1);
	if (n == 0)
		return;
	in.knn = kith_knn_new(&X, metric, s->m, &tmp);
	search(&in, s->asked_of[b], s->asked_of[b + 1], true);
	search(&in, 0, s->asked_of[b], false);
	search(&in, s->asked_of[b + 1], s->m, false);
	kith_pool_free(&tmp);
}

/* Which class the l-th row sampled is of. */
static size_t
class_of(const struct kith_by_class *s, size_t l)
{
	return s->y[s->asked[l]];
}

/*
 * Take the row j of another class where it is nearer than the miss so far.
 * Indexes may differ in their units: distances are computed anew.
 */
static void
take_miss(const struct kith_by_class *s, const struct kith_metric *metric,
    size_t l, size_t j, size_t *miss, double *d)
{
	const double dj = s->c == 2
	    ? 0
	    : kith_dist(metric, kith_row(&s->Z, l), kith_row(&s->X, j));

	if (*miss != KITH_NO_ROW &&
	    (dj > *d || (dj == *d && s->row[j] > s->row[*miss])))
		return;
	*miss = j;
	*d = dj;
}

void
kith_by_class_pairs(const struct kith_by_class *s,
    const struct kith_metric *metric, size_t threads, size_t *hit, size_t *miss)
{
	struct kith_pool tmp = {0};
	struct kith_neighbour *nn = kith_new(&tmp, s->m, sizeof(*nn));
	double *d = kith_new(&tmp, s->m, sizeof(*d));

	for (size_t l = 0; l < s->m; l++)
		hit[l] = miss[l] = KITH_NO_ROW;
	for (size_t b = 0; b < s->c; b++) {
		if (s->first[b] == s->first[b + 1])
			continue;
		kith_by_class_near(s, metric, b, 1, threads, nn);
		for (size_t l = 0; l < s->m; l++)
			if (class_of(s, l) != b)
				take_miss(
				    s, metric, l, nn[l].row, &miss[l], &d[l]);
			else if (kith_by_class_there(s, b, b, 1) > 0)
				hit[l] = nn[l].row;
	}
	kith_pool_free(&tmp);
}
