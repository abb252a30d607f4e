/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/score.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* How many rows are of a class, are predicted as it, and are both. */
struct tally {
	size_t y, p, both;
};

static struct tally *
count(const size_t *y, const size_t *p, size_t n, size_t c, struct kith_pool *pool)
{
	struct tally *of = kith_new(pool, c, sizeof(*of));

	for (size_t i = 0; i < n; i++) {
		assert(y[i] < c && p[i] < c);
		of[y[i]].y++;
		of[p[i]].p++;
		of[y[i]].both += y[i] == p[i];
	}
	return of;
}

/* Gorodkin's correlation; the sums are whole numbers, exact below 2^64. */
static double
correlate(const struct tally *of, size_t c, long double n, long double right)
{
	long double yy = 0, pp = 0, yp = 0, below;

	for (size_t h = 0; h < c; h++) {
		const long double yh = (long double)of[h].y;
		const long double ph = (long double)of[h].p;

		yy += yh * yh;
		pp += ph * ph;
		yp += yh * ph;
	}
	below = sqrtl(n * n - yy) * sqrtl(n * n - pp);
	return below > 0 ? (double)((n * right - yp) / below) : 0;
}

void
kith_score_classes(
    const size_t *y, const size_t *p, size_t n, size_t c, struct kith_score_classes *score)
{
	struct kith_pool tmp = {0};
	const struct tally *of = count(y, p, n, c, &tmp);
	long double recall = 0, f1 = 0;
	size_t right = 0, actual = 0, seen = 0;

	assert(n > 0);
	for (size_t h = 0; h < c; h++) {
		const size_t all = of[h].y + of[h].p;

		right += of[h].both;
		if (of[h].y > 0) {
			recall += (long double)of[h].both / (long double)of[h].y;
			actual++;
		}
		if (all > 0) {
			f1 += 2 * (long double)of[h].both / (long double)all;
			seen++;
		}
	}
	*score = (struct kith_score_classes){
	    .accuracy = (double)right / (double)n,
	    .error = (double)(n - right) / (double)n,
	    .balanced_accuracy = (double)(recall / (long double)actual),
	    .macro_f1 = (double)(f1 / (long double)seen),
	    .mcc = correlate(of, c, (long double)n, (long double)right),
	};
	kith_pool_free(&tmp);
}

void
kith_score_confusion(const size_t *y, const size_t *p, size_t n, size_t c, size_t *count)
{
	for (size_t i = 0; i < c * c; i++)
		count[i] = 0;
	for (size_t i = 0; i < n; i++) {
		assert(y[i] < c && p[i] < c);
		count[y[i] * c + p[i]]++;
	}
}

void
kith_score_numbers(const double *y, const double *p, size_t n, struct kith_score_numbers *score)
{
	const long double rows = (long double)n;
	long double mean = 0, spread = 0, squares = 0, sizes = 0;
	bool equal = true;

	assert(n > 0);
	for (size_t i = 0; i < n; i++) {
		mean += y[i];
		/* The mean of equal numbers may be off by a rounding. */
		equal = equal && y[i] == y[0];
	}
	mean /= rows;
	for (size_t i = 0; i < n; i++) {
		const long double e = (long double)p[i] - y[i];

		squares += e * e;
		sizes += fabsl(e);
		spread += (y[i] - mean) * (y[i] - mean);
	}
	*score = (struct kith_score_numbers){
	    .rmse = (double)sqrtl(squares / rows),
	    .mae = (double)(sizes / rows),
	    .r2 = equal ? NAN : (double)(1 - squares / spread),
	};
}

/* A row, by what it is sorted by; of equal ones the earlier comes first. */
struct place {
	size_t query; /* smallest first */
	double by;    /* largest first */
	size_t row;
};

static int
compare(const void *a, const void *b)
{
	const struct place *s = a, *t = b;

	if (s->query != t->query)
		return s->query < t->query ? -1 : 1;
	if (s->by != t->by)
		return s->by > t->by ? -1 : 1;
	return (s->row > t->row) - (s->row < t->row);
}

/* The rows sorted; query may be NULL. */
static struct place *
sort(const size_t *query, const double *by, size_t n, struct kith_pool *pool)
{
	struct place *place = kith_new(pool, n, sizeof(*place));

	for (size_t i = 0; i < n; i++)
		place[i] = (struct place){query ? query[i] : 0, by[i], i};
	qsort(place, n, sizeof(*place), compare);
	return place;
}

double
kith_score_auc(const bool *positive, const double *score, size_t n)
{
	struct kith_pool tmp = {0};
	const struct place *place = sort(NULL, score, n, &tmp);
	size_t positives = 0, others = 0;
	uint64_t won = 0; /* twice the pairs won: an exact count */

	for (size_t i = 0, end; i < n; i = end) {
		size_t of[2] = {0, 0};

		for (end = i; end < n && place[end].by == place[i].by; end++)
			of[positive[place[end].row]]++;
		won += (2 * positives + of[1]) * (uint64_t)of[0];
		positives += of[1];
		others += of[0];
	}
	kith_pool_free(&tmp);
	if (positives == 0 || others == 0)
		return NAN;
	return (double)((long double)won / (2 * (long double)positives * (long double)others));
}

/* 2^y - 1, the gain of relevance y; expm1 keeps the digits of a small y. */
static long double
gain(double y)
{
	assert(0 <= y && y <= KITH_RELEVANCE_MOST);
	return y < 1 ? expm1l(y * 0.693147180559945309417232121458L) : exp2l(y) - 1;
}

/*
 * The mean DCG at k of m sorted rows over the orders of ties: each row of a tie has the mean
 * discount of the tie's ranks.  y are the relevances of all rows.
 */
static long double
mean_dcg(const struct place *place, size_t m, const double *y, size_t k)
{
	long double sum = 0;

	for (size_t i = 0, end; i < m && i < k; i = end) {
		long double gains = 0, discounts = 0;

		for (end = i; end < m && place[end].by == place[i].by; end++) {
			const size_t rank = end + 1;

			gains += gain(y[place[end].row]);
			if (rank <= k)
				discounts += 1 / (rank > 2 ? log2l((long double)rank) : 1);
		}
		sum += gains * discounts / (long double)(end - i);
	}
	return sum;
}

double
kith_score_ndcg(const struct kith_score_ranking *in, size_t k, size_t *queries)
{
	struct kith_pool tmp = {0};
	const struct place *got = sort(in->query, in->p, in->n, &tmp);
	const struct place *best = sort(in->query, in->y, in->n, &tmp);
	long double sum = 0;

	assert(k > 0 && in->n > 0);
	*queries = 0;
	for (size_t i = 0, end; i < in->n; i = end) {
		long double most;

		for (end = i; end < in->n && got[end].query == got[i].query;)
			end++;
		most = mean_dcg(best + i, end - i, in->y, k);
		if (most > 0)
			sum += mean_dcg(got + i, end - i, in->y, k) / most;
		++*queries;
	}
	kith_pool_free(&tmp);
	return (double)(sum / (long double)*queries);
}
