/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/compare.h"

#include "base/pool.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

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
 *    1 / B(a, 1/2) = Gamma(a + 1/2) / Gamma(a) / sqrt(pi), by its asymptotic series
 *    r(a) for large a, and for small a by r(a) = r(a + 1) a / (a + 1/2).
 */

enum {
	SMALL = 200,  /* a from which the asymptotic series serves */
	MOST = 100000 /* terms of the fraction; about sqrt(a) are needed */
};

/* Gamma(a + 1/2) / Gamma(a) / sqrt(a) in powers of 1/a. */
static const long double series[] = {1, -1 / 8.L, 1 / 128.L, 5 / 1024.L, -21 / 32768.L,
    -399 / 262144.L, 869 / 4194304.L, 39325 / 33554432.L};

enum { SERIES = sizeof(series) / sizeof(*series) };

/* Gamma(a + 1/2) / Gamma(a), a > 0. */
static long double
gamma_ratio(long double a)
{
	long double r = 0, product = 1;

	while (a < SMALL) {
		product *= a / (a + .5L);
		a++;
	}
	for (size_t i = SERIES; i-- > 0;)
		r = r / a + series[i];
	return product * r * sqrtl(a);
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
	long double all = 0, mean = 0, squares = 0, least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < n; i++) {
		const long double weight = w ? w[i] : 1;

		all += weight;
		mean += weight * d[i];
		if (weight > 0) {
			least = fminl(least, d[i]);
			most = fmaxl(most, d[i]);
		}
	}
	assert(all > 0);
	/* The mean of equal numbers may be off by a rounding. */
	mean = least == most ? least : mean / all;
	for (size_t i = 0; i < n; i++)
		squares += (w ? w[i] : 1) * (d[i] - mean) * (d[i] - mean);
	*score = (struct kith_score_paired){
	    .difference = (double)mean, .df = (double)(all - 1), .t = NAN, .p = NAN};
	if (all <= 1)
		return;
	if (least == most) {
		score->t = mean == 0 ? 0 : (double)copysignl(INFINITY, mean);
		score->p = mean == 0;
		return;
	}
	score->t = (double)(mean / sqrtl(squares / (all - 1) / all));
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

struct place {
	double x;
	size_t method;
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *s = a, *t = b;

	if (s->x != t->x)
		return s->x < t->x ? -1 : 1;
	return (s->method > t->method) - (s->method < t->method);
}

/* Adds the ranks of k methods on a set to rank; returns the sum of t^3 - t over its ties. */
static double
add_ranks(const double *x, size_t k, struct place *place, double *rank)
{
	double ties = 0;

	for (size_t j = 0; j < k; j++)
		place[j] = (struct place){x[j], j};
	qsort(place, k, sizeof(*place), compare_places);
	for (size_t j = 0, end; j < k; j = end) {
		const double first = place[j].x;
		double tied;

		for (end = j + 1;
		     end < k && place[end].x - first <= 1e-13 * (fabs(first) + fabs(place[end].x));)
			end++;
		tied = (double)(end - j);
		ties += tied * tied * tied - tied;
		for (size_t h = j; h < end; h++)
			rank[place[h].method] += ((double)(j + end) + 1) / 2;
	}
	return ties;
}

void
kith_friedman(const double *x, size_t n, size_t k, struct kith_friedman *test)
{
	const double sets = (double)n, methods = (double)k;
	struct kith_pool tmp = {0};
	struct place *place = kith_new(&tmp, k, sizeof(*place));
	double ties = 0, squares = 0, untied;

	assert(n >= 1 && k >= 2);
	for (size_t j = 0; j < k; j++)
		test->rank[j] = 0;
	for (size_t i = 0; i < n; i++)
		ties += add_ranks(x + i * k, k, place, test->rank);
	for (size_t j = 0; j < k; j++) {
		const double off = test->rank[j] - sets * (methods + 1) / 2;

		squares += off * off;
		test->rank[j] /= sets;
	}
	untied = sets * methods * (methods + 1) * (methods - 1) - ties;
	test->chi2 = untied > 0 ? 12 * (methods - 1) * squares / untied : 0;
	test->p = kith_chi2_tail(test->chi2, k - 1);
	test->critical = kith_range_quantile(k) * sqrt(methods * (methods + 1) / (12 * sets));
	kith_pool_free(&tmp);
}
