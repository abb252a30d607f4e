/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/score.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

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

static long double
weight_of(const double *w, size_t i)
{
	return w ? w[i] : 1;
}

/* a / b, b > 0; the quotient of counts is the double nearest to it. */
static double
share(long double a, long double b)
{
	return b <= 0x1p53L ? (double)a / (double)b : (double)(a / b);
}

/* Sums of counts are exact below 2^64. */
void
kith_score_classes(const size_t *y, const size_t *p, const double *w, size_t n, size_t c,
    double score[KITH_SCORE_MEASURES])
{
	struct kith_pool tmp = {0};
	struct tally {
		long double y, p,
		    both; /* the weight of rows of a class, predicted as it, and both */
	} *of = kith_new(&tmp, c, sizeof(*of));
	long double all = 0, right = 0, recall = 0, f1 = 0, yy = 0, pp = 0, yp = 0, below;
	size_t actual = 0, seen = 0;

	for (size_t i = 0; i < n; i++) {
		const long double weight = weight_of(w, i);

		assert(y[i] < c && p[i] < c);
		all += weight;
		of[y[i]].y += weight;
		of[p[i]].p += weight;
		of[y[i]].both += y[i] == p[i] ? weight : 0;
	}
	assert(all > 0);
	for (size_t h = 0; h < c; h++) {
		const struct tally t = of[h];

		right += t.both;
		recall += t.y > 0 ? t.both / t.y : 0;
		actual += t.y > 0;
		f1 += t.y + t.p > 0 ? 2 * t.both / (t.y + t.p) : 0;
		seen += t.y + t.p > 0;
		yy += t.y * t.y;
		pp += t.p * t.p;
		yp += t.y * t.p;
	}
	below = sqrtl(all * all - yy) * sqrtl(all * all - pp);
	score[KITH_SCORE_ACCURACY] = share(right, all);
	score[KITH_SCORE_ERROR] = share(all - right, all);
	score[KITH_SCORE_BALANCED_ACCURACY] = (double)(recall / (long double)actual);
	score[KITH_SCORE_MACRO_F1] = (double)(f1 / (long double)seen);
	score[KITH_SCORE_MCC] = below > 0 ? (double)((all * right - yp) / below) : 0;
	kith_pool_free(&tmp);
}

/* Numbers of some weight: their weight, mean, and squared deviations from it together. */
struct spread {
	long double all, mean, squares;
	bool equal;
};

static struct spread
spread_of(const long double *x, const double *w, size_t n)
{
	long double least = INFINITY, most = -INFINITY;
	struct spread s = {0};

	for (size_t i = 0; i < n; i++) {
		const long double weight = weight_of(w, i);

		s.all += weight;
		s.mean += weight * x[i];
		if (weight > 0) {
			least = fminl(least, x[i]);
			most = fmaxl(most, x[i]);
		}
	}
	assert(s.all > 0);
	s.equal = least == most;
	/* The mean of equal numbers may be off by a rounding. */
	s.mean = s.equal ? least : s.mean / s.all;
	for (size_t i = 0; i < n; i++)
		s.squares += weight_of(w, i) * (x[i] - s.mean) * (x[i] - s.mean);
	return s;
}

void
kith_score_numbers(
    const double *y, const double *p, const double *w, size_t n, double score[KITH_SCORE_MEASURES])
{
	struct kith_pool tmp = {0};
	long double *x = kith_new(&tmp, n, sizeof(*x)), squares = 0, sizes = 0;
	struct spread of;

	for (size_t i = 0; i < n; i++) {
		const long double e = (long double)p[i] - y[i], weight = weight_of(w, i);

		x[i] = y[i];
		squares += weight * e * e;
		sizes += weight * fabsl(e);
	}
	of = spread_of(x, w, n);
	score[KITH_SCORE_SQUARED] = (double)(squares / of.all);
	score[KITH_SCORE_RMSE] = (double)sqrtl(squares / of.all);
	score[KITH_SCORE_MAE] = (double)(sizes / of.all);
	score[KITH_SCORE_R2] = of.equal ? NAN : (double)(1 - squares / of.squares);
	kith_pool_free(&tmp);
}

/*
 * The numbers by[i] of n rows (NULL: 0..n-1), sorted: the largest first, of equal ones the first
 * row.
 */
static struct kith_ranked *
sort(const double *by, const size_t *row, size_t n, struct kith_pool *pool)
{
	struct kith_ranked *place = kith_new(pool, n, sizeof(*place));

	for (size_t i = 0; i < n; i++) {
		place[i].of = row ? row[i] : i;
		place[i].by = by[place[i].of];
	}
	kith_sort_ranked(place, n);
	return place;
}

double
kith_score_auc(const size_t *y, size_t positive, const double *score, const double *w, size_t n)
{
	struct kith_pool tmp = {0};
	const struct kith_ranked *place = sort(score, NULL, n, &tmp);
	long double positives = 0, others = 0;
	long double won = 0; /* twice the pairs won: counts are exact below 2^64 */

	for (size_t i = 0, end; i < n; i = end) {
		long double of[2] = {0, 0};

		for (end = i; end < n && place[end].by == place[i].by; end++)
			of[y[place[end].of] == positive] += weight_of(w, place[end].of);
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
 * The mean DCG at k of m rows sorted by some numbers, over the orders of ties: each row of a tie
 * has the mean discount of the tie's ranks.  y are the relevances of all rows.
 */
static long double
mean_dcg(const double *by, const size_t *row, size_t m, const double *y, size_t k)
{
	struct kith_pool tmp = {0};
	const struct kith_ranked *place = sort(by, row, m, &tmp);
	long double sum = 0;

	for (size_t i = 0, end; i < m && i < k; i = end) {
		long double gains = 0, discounts = 0;

		for (end = i; end < m && place[end].by == place[i].by; end++) {
			const size_t rank = end + 1;

			gains += gain(y[place[end].of]);
			if (rank <= k)
				discounts += 1 / (rank > 2 ? log2l((long double)rank) : 1);
		}
		sum += gains * discounts / (long double)(end - i);
	}
	kith_pool_free(&tmp);
	return sum;
}

double
kith_score_ndcg(
    const double *y, const double *p, const size_t *query, size_t n, size_t k, size_t *queries)
{
	struct kith_pool tmp = {0};
	const size_t c = query ? kith_largest_size(query, n) + 1 : 1;
	size_t *row = kith_new(&tmp, n, sizeof(*row));
	size_t *start = kith_new(&tmp, c + 1, sizeof(*start));
	long double sum = 0;

	assert(k > 0 && n > 0);
	kith_sort_by_class(query, n, c, row, start);
	*queries = 0;
	for (size_t q = 0; q < c; q++) {
		const size_t *of = row + start[q], m = start[q + 1] - start[q];
		const long double most = mean_dcg(y, of, m, y, k);

		if (most > 0)
			sum += mean_dcg(p, of, m, y, k) / most;
		*queries += m > 0;
	}
	kith_pool_free(&tmp);
	return (double)(sum / (long double)*queries);
}

/* ---- Columns ---- */

static const char stem[] = "predicted";
enum { STEM = sizeof(stem) - 1 };

bool
kith_is_prediction(const char *column)
{
	return strncmp(column, stem, STEM) == 0 && (column[STEM] == '_' || !column[STEM]);
}

struct kith_scores
kith_scores_find(const char *prediction, const struct kith_rows *rows, struct kith_pool *pool)
{
	static const char *const kind[] = {"probability", "score"};
	char *const *name = rows->name.name;
	struct kith_scores s = {.of = prediction};

	s.class = kith_new(pool, rows->name.n, sizeof(*s.class));
	s.from = kith_new(pool, rows->name.n, sizeof(*s.from));
	for (size_t a = 0; a < 2 && s.c == 0; a++) {
		s.prefix = kith_text(pool, "%s%s:", kind[a], prediction + STEM);
		for (size_t j = 0; j < rows->name.n; j++)
			if (strncmp(name[j], s.prefix, strlen(s.prefix)) == 0) {
				s.class[s.c] = name[j] + strlen(s.prefix);
				s.from[s.c++] = j;
			}
		s.probabilities = s.c > 0 && a == 0;
	}
	return s;
}

size_t
kith_scores_second(const struct kith_scores *scores)
{
	return scores->c == 2 ? strcmp(scores->class[1], scores -> class[0]) > 0 : scores->c;
}

int
kith_scores_losses(const struct kith_scores *scores, const struct kith_rows *rows,
    const char *actual, long double *log_loss, long double *brier, struct kith_err *err)
{
	long double sum = 0;
	double p, own = 0;
	bool found = false;

	*brier = 0;
	for (size_t h = 0; h < scores->c; h++) {
		const bool is = strcmp(scores->class[h], actual) == 0;

		if (kith_value_required(rows, scores->from[h], &p, err))
			return -1;
		if (!(0 <= p && p <= 1))
			return kith_rows_fail(rows, scores->from[h], err,
			    "not a probability from 0 to 1: " KITH_CELL,
			    kith_rec_cell(&rows->rec, scores->from[h])->s);
		sum += p;
		*brier += ((long double)p - is) * ((long double)p - is);
		if (is) {
			own = p;
			found = true;
		}
	}
	*brier += !found; /* its p is 0 */
	*log_loss = own > 0 ? -logl(own) : INFINITY;
	if (fabsl(sum - 1) <= .01L)
		return 0;
	return kith_fail_at(err, EX_DATAERR, rows->rec.file, rows->rec.line,
	    "the probabilities of " KITH_NAME " have a sum of %g, not 1", scores->of, (double)sum);
}

/* ---- Comparisons ---- */

static const long double pi = 3.14159265358979323846264338327950288L;
static const long double half_log_pi = 0.572364942924700087071713675676529L; /* log(pi) / 2 */

/*
 * The tails of Student's t.
 *
 * 1. I_x(a, b) for x < (a + 1) / (a + b + 2) by its continued fraction; beyond,
 *    1 - I_{1-x}(b, a), whose fraction then converges (26.5.2).
 * 2. The fraction by the method of Lentz, modified by Thompson and Barnett
 *    (Coulomb and Bessel functions of complex arguments and order, 1986).
 * 3. Its factor x^a (1 - x)^b / (a B(a, b)) needs B(a, 1/2) alone:
 *    1 / B(a, 1/2) = Gamma(a + 1/2) / Gamma(a) / sqrt(pi), for large a by its asymptotic series.
 */

enum {
	SMALL = 1000, /* a from which the asymptotic series serves: its error is below 1e-17 */
	MOST = 100000 /* terms of the fraction; about sqrt(a) are needed */
};

/* Gamma(a + 1/2) / Gamma(a), a > 0; the series is of Gamma(a + 1/2) / Gamma(a) / sqrt(a). */
static long double
gamma_ratio(long double a)
{
	const long double r = 1 / a;

	if (a < SMALL)
		return tgammal(a + .5L) / tgammal(a);
	return sqrtl(a) *
	    (1 + r * (-1 / 8.L + r * (1 / 128.L + r * (5 / 1024.L - r * 21 / 32768.L))));
}

/* 1 / (1 + d_1 / (1 + d_2 / (1 + ...))), for I_x(a, b) (26.5.8). */
static long double
beta_fraction(long double a, long double b, long double x)
{
	long double f = 1, c = 1, d = 0;

	for (size_t i = 1; i < MOST; i++) {
		const long double m = (long double)(i - i % 2) / 2;
		const long double n = i % 2
		    ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
		    : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		long double step;

		d = 1 / (1 + n * d);
		c = 1 + n / c;
		step = c * d;
		f *= step;
		if (fabsl(step - 1) < LDBL_EPSILON)
			break;
	}
	return 1 / f;
}

double
kith_student_tails(double t, double df)
{
	const long double n = df, t2 = (long double)t * t;
	const long double a = n / 2, b = .5L;
	/* x = n / (n + t^2) and y = 1 - x, neither by a subtraction. */
	const long double x = 1 / (1 + t2 / n), y = t2 / (n + t2);
	/* x^a y^b / B(a, b) */
	const long double factor = expl(-a * log1pl(t2 / n)) * sqrtl(y) * gamma_ratio(a) /
	    sqrtl(pi);

	assert(df > 0);
	if (isinf(t))
		return 0;
	/* Near 1, x has lost what y has; then p is not small for t^2 <= 8. */
	if (x < (a + 1) / (a + b + 2) && (t2 > 8 || n < 1000))
		return (double)(factor / a * beta_fraction(a, b, x));
	return (double)(1 - factor / b * beta_fraction(b, a, y));
}

void
kith_score_paired(const long double *d, const double *w, size_t n, struct kith_score_paired *score)
{
	const struct spread of = spread_of(d, w, n);

	*score = (struct kith_score_paired){
	    .difference = (double)of.mean, .df = (double)(of.all - 1), .t = NAN, .p = NAN};
	if (of.all <= 1)
		return;
	if (of.equal) {
		score->t = of.mean == 0 ? 0 : (double)copysignl(INFINITY, of.mean);
		score->p = of.mean == 0;
		return;
	}
	score->t = (double)(of.mean / sqrtl(of.squares / (of.all - 1) / of.all));
	score->p = kith_student_tails(score->t, score->df);
}

/*
 * The tail of chi-square, with y = x/2 and a = df/2, by its finite sums (Abramowitz and
 * Stegun, 26.4.4 and 26.4.5):
 *
 *	df even  sum_{j=0}^{a-1} e^-y y^j / j!
 *	df odd   erfc(sqrt y) + sum_{j=1}^{a-1/2} e^-y y^(j-1/2) / Gamma(j + 1/2)
 *
 * Terms are exponentials of their logarithms: y^j may overflow, and e^-y underflow.
 */
double
kith_chi2_tail(double x, size_t df)
{
	const bool odd = df % 2;
	const long double y = x / 2.0L;
	long double sum = odd ? erfcl(sqrtl(y)) : 0;
	long double power = odd ? .5L : 0; /* of y in the next term */
	long double term = odd ? logl(y) / 2 - y - half_log_pi + logl(2) : -y; /* its logarithm */

	assert(df > 0 && x >= 0);
	if (y == 0)
		return 1;
	for (size_t j = 0; j < df / 2; j++) {
		sum += expl(term);
		term += logl(y) - logl(++power);
	}
	return (double)fminl(sum, 1);
}

enum {
	PER_UNIT = 32, /* terms of the sum for the integral: its error is below 1e-16 */
	FAR = 9        /* the density beyond is below 2e-18 */
};

/*
 * The probability that the range of k normal numbers is below q, by the trapezoidal rule, which
 * converges exponentially for functions that vanish at both ends (phi density, Phi distribution):
 * k int phi(z) (Phi(z) - Phi(z - q))^(k-1) dz.
 */
static double
range_below(double q, size_t k)
{
	double sum = 0;

	for (int i = -FAR * PER_UNIT; i <= FAR * PER_UNIT; i++) {
		const double z = (double)i / PER_UNIT;
		const double between = (erfc(-z / sqrt(2)) - erfc((q - z) / sqrt(2))) / 2;

		sum += exp(-z * z / 2) * pow(between, (double)(k - 1));
	}
	return (double)k * sum / PER_UNIT / sqrt(2 * (double)pi);
}

double
kith_range_quantile(size_t k)
{
	double low = 0, high = 2 * FAR;

	assert(k >= 2);
	for (int i = 0; i < 52; i++) {
		const double middle = (low + high) / 2;

		if (range_below(middle, k) < .95)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Adds the ranks of k methods on a set to rank; returns the sum of t^3 - t over its ties. */
static double
add_ranks(const double *x, size_t k, double *rank)
{
	struct kith_pool tmp = {0};
	const struct kith_ranked *place = sort(x, NULL, k, &tmp);
	double ties = 0;

	for (size_t j = 0, end; j < k; j = end) {
		const double first = place[j].by;
		double tied;

		for (end = j + 1; end < k &&
		     first - place[end].by <= 1e-13 * (fabs(first) + fabs(place[end].by));)
			end++;
		tied = (double)(end - j);
		ties += tied * tied * tied - tied;
		for (size_t h = j; h < end; h++)
			rank[place[h].of] += ((double)(j + end) + 1) / 2;
	}
	kith_pool_free(&tmp);
	return ties;
}

void
kith_friedman(const double *x, size_t n, size_t k, struct kith_friedman *test)
{
	const double sets = (double)n, methods = (double)k;
	double ties = 0, squares = 0, untied;

	assert(n >= 1 && k >= 2);
	for (size_t j = 0; j < k; j++)
		test->rank[j] = 0;
	for (size_t i = 0; i < n; i++)
		ties += add_ranks(x + i * k, k, test->rank);
	for (size_t j = 0; j < k; j++) {
		const double off = test->rank[j] - sets * (methods + 1) / 2;

		squares += off * off;
		test->rank[j] /= sets;
	}
	untied = sets * methods * (methods + 1) * (methods - 1) - ties;
	test->chi2 = untied > 0 ? 12 * (methods - 1) * squares / untied : 0;
	test->p = kith_chi2_tail(test->chi2, k - 1);
	test->critical = kith_range_quantile(k) * sqrt(methods * (methods + 1) / (12 * sets));
}
