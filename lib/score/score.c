/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/score.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

const struct kith_score_properties kith_score_measures[KITH_SCORE_MEASURES] = {
    [KITH_SCORE_ACCURACY] = {"accuracy", KITH_SCORE_OF_CLASSES, true},
    [KITH_SCORE_ERROR] = {"error", KITH_SCORE_OF_CLASSES, false},
    [KITH_SCORE_BALANCED_ACCURACY] = {"balanced_accuracy", KITH_SCORE_OF_CLASSES, true},
    [KITH_SCORE_MACRO_F1] = {"macro_f1", KITH_SCORE_OF_CLASSES, true},
    [KITH_SCORE_MCC] = {"mcc", KITH_SCORE_OF_CLASSES, true},
    [KITH_SCORE_RMSE] = {"rmse", KITH_SCORE_OF_NUMBERS, false},
    [KITH_SCORE_MAE] = {"mae", KITH_SCORE_OF_NUMBERS, false},
    [KITH_SCORE_SQUARED] = {"squared", KITH_SCORE_OF_NUMBERS, false},
    [KITH_SCORE_LOG_LOSS] = {"log_loss", KITH_SCORE_OF_PROBABILITIES, false},
    [KITH_SCORE_BRIER] = {"brier", KITH_SCORE_OF_PROBABILITIES, false},
    [KITH_SCORE_AUC] = {"auc", KITH_SCORE_OF_SCORES, true},
    [KITH_SCORE_R2] = {"r2", KITH_SCORE_OF_NUMBERS, true},
    [KITH_SCORE_NDCG] = {"ndcg", KITH_SCORE_OF_RELEVANCES, true},
};

/* The weight of the rows of a class, of those predicted as it, and of those that are both. */
struct tally {
	long double y, p, both;
};

static long double
weight_of(const double *w, size_t i)
{
	return w ? w[i] : 1;
}

/* Returns the tally of each class, and the weight of all rows. */
static struct tally *
count(const size_t *y, const size_t *p, const double *w, size_t n, size_t c, long double *all,
    struct kith_pool *pool)
{
	struct tally *of = kith_new(pool, c, sizeof(*of));

	*all = 0;
	for (size_t i = 0; i < n; i++) {
		const long double weight = weight_of(w, i);

		assert(y[i] < c && p[i] < c);
		*all += weight;
		of[y[i]].y += weight;
		of[p[i]].p += weight;
		of[y[i]].both += y[i] == p[i] ? weight : 0;
	}
	return of;
}

/* a / b, b > 0; the quotient of counts is the double nearest to it. */
static double
share(long double a, long double b)
{
	return b <= 0x1p53L ? (double)a / (double)b : (double)(a / b);
}

/* Gorodkin's correlation; sums of counts are exact below 2^64. */
static double
correlate(const struct tally *of, size_t c, long double n, long double right)
{
	long double yy = 0, pp = 0, yp = 0, below;

	for (size_t h = 0; h < c; h++) {
		yy += of[h].y * of[h].y;
		pp += of[h].p * of[h].p;
		yp += of[h].y * of[h].p;
	}
	below = sqrtl(n * n - yy) * sqrtl(n * n - pp);
	return below > 0 ? (double)((n * right - yp) / below) : 0;
}

void
kith_score_classes(const size_t *y, const size_t *p, const double *w, size_t n, size_t c,
    double score[KITH_SCORE_MEASURES])
{
	struct kith_pool tmp = {0};
	long double all, right = 0, recall = 0, f1 = 0;
	const struct tally *of = count(y, p, w, n, c, &all, &tmp);
	size_t actual = 0, seen = 0;

	assert(all > 0);
	for (size_t h = 0; h < c; h++) {
		const long double either = of[h].y + of[h].p;

		right += of[h].both;
		if (of[h].y > 0) {
			recall += of[h].both / of[h].y;
			actual++;
		}
		if (either > 0) {
			f1 += 2 * of[h].both / either;
			seen++;
		}
	}
	score[KITH_SCORE_ACCURACY] = share(right, all);
	score[KITH_SCORE_ERROR] = share(all - right, all);
	score[KITH_SCORE_BALANCED_ACCURACY] = (double)(recall / (long double)actual);
	score[KITH_SCORE_MACRO_F1] = (double)(f1 / (long double)seen);
	score[KITH_SCORE_MCC] = correlate(of, c, all, right);
	kith_pool_free(&tmp);
}

void
kith_score_confusion(
    const size_t *y, const size_t *p, const double *w, size_t n, size_t c, double *count)
{
	for (size_t i = 0; i < c * c; i++)
		count[i] = 0;
	for (size_t i = 0; i < n; i++) {
		assert(y[i] < c && p[i] < c);
		count[y[i] * c + p[i]] += (double)weight_of(w, i);
	}
}

void
kith_score_numbers(
    const double *y, const double *p, const double *w, size_t n, double score[KITH_SCORE_MEASURES])
{
	long double all = 0, mean = 0, spread = 0, squares = 0, sizes = 0;
	double least = INFINITY, most = -INFINITY;
	bool equal;

	for (size_t i = 0; i < n; i++) {
		const long double weight = weight_of(w, i);

		all += weight;
		mean += weight * y[i];
		if (weight > 0) {
			least = fmin(least, y[i]);
			most = fmax(most, y[i]);
		}
	}
	assert(all > 0);
	mean /= all;
	equal = least == most; /* their mean may be off by a rounding */
	for (size_t i = 0; i < n; i++) {
		const long double e = (long double)p[i] - y[i], weight = weight_of(w, i);

		squares += weight * e * e;
		sizes += weight * fabsl(e);
		spread += weight * (y[i] - mean) * (y[i] - mean);
	}
	score[KITH_SCORE_SQUARED] = (double)(squares / all);
	score[KITH_SCORE_RMSE] = (double)sqrtl(squares / all);
	score[KITH_SCORE_MAE] = (double)(sizes / all);
	score[KITH_SCORE_R2] = equal ? NAN : (double)(1 - squares / spread);
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
kith_score_auc(const size_t *y, size_t positive, const double *score, const double *w, size_t n)
{
	struct kith_pool tmp = {0};
	const struct place *place = sort(NULL, score, n, &tmp);
	long double positives = 0, others = 0;
	long double won = 0; /* twice the pairs won: counts are exact below 2^64 */

	for (size_t i = 0, end; i < n; i = end) {
		long double of[2] = {0, 0};

		for (end = i; end < n && place[end].by == place[i].by; end++)
			of[y[place[end].row] == positive] += weight_of(w, place[end].row);
		won += (2 * positives + of[1]) * of[0];
		positives += of[1];
		others += of[0];
	}
	kith_pool_free(&tmp);
	if (positives == 0 || others == 0)
		return NAN;
	return (double)(won / (2 * positives * others));
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
