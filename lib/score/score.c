#include "score/score.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>

/* How many rows are of a class, are predicted as it, and are both. */
struct tally {
	size_t y, p, both;
};

static struct tally *
count(const size_t *y, const size_t *p, size_t n, size_t c,
    struct kith_pool *pool)
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
kith_score_classes(const size_t *y, const size_t *p, size_t n, size_t c,
    struct kith_score_classes *score)
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
			recall += (long double)of[h].both /
			    (long double)of[h].y;
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
kith_score_confusion(
    const size_t *y, const size_t *p, size_t n, size_t c, size_t *count)
{
	for (size_t i = 0; i < c * c; i++)
		count[i] = 0;
	for (size_t i = 0; i < n; i++) {
		assert(y[i] < c && p[i] < c);
		count[y[i] * c + p[i]]++;
	}
}

void
kith_score_numbers(const double *y, const double *p, size_t n,
    struct kith_score_numbers *score)
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
