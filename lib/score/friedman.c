/* SPDX-License-Identifier: BSD-2-Clause */
#include "score/friedman.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const long double half_log_pi = 0.572364942924700087071713675676529L; /* log(pi) / 2 */

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

static const double STEP = 1 / 32.0; /* of the sum for the integral: its error is below 1e-16 */
static const double FAR = 9;         /* the density beyond is below 2e-18 */

/*
 * The probability that the range of k normal numbers is below q, by the trapezoidal rule, which
 * converges exponentially for functions that vanish at both ends (phi density, Phi distribution):
 * k int phi(z) (Phi(z) - Phi(z - q))^(k-1) dz.
 */
static double
range_below(double q, size_t k)
{
	double sum = 0;

	for (double z = -FAR; z <= FAR; z += STEP) {
		const double between = (erfc(-z / sqrt(2)) - erfc((q - z) / sqrt(2))) / 2;

		sum += exp(-z * z / 2) * pow(between, (double)(k - 1));
	}
	return (double)k * sum * STEP / sqrt(2 * pi);
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
compare(const void *a, const void *b)
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
	qsort(place, k, sizeof(*place), compare);
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
