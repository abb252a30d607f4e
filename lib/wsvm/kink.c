/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A selection by weight: of the kinks that are left,
 *
 *  1. one is picked (the middle one of three),
 *  2. those before it come first, those at it next, and those behind it last,
 *  3. and what each of the three adds to the slope tells in which the answer is.
 */
#include "wsvm/kink.h"

static void
swap(struct kith_wsvm_kink *a, struct kith_wsvm_kink *b)
{
	const struct kith_wsvm_kink was = *a;

	*a = *b;
	*b = was;
}

/* Step 1. */
static double
pick(const struct kith_wsvm_kink *v, size_t n)
{
	const double a = v[0].at, b = v[n / 2].at, c = v[n - 1].at;

	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

/* Step 2, first those for which keep is true; what they add. */
static double
part(struct kith_wsvm_kink *v, size_t n, double at, int same, size_t *count)
{
	double sum = 0;

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		if (same ? v[i].at > at : !(v[i].at < at))
			continue;
		sum += v[i].by;
		swap(&v[i], &v[(*count)++]);
	}
	return sum;
}

double
kith_wsvm_kink_least(
    struct kith_wsvm_kink *v, size_t n, double slope, double otherwise)
{
	while (n > 0) {
		const double at = pick(v, n);
		size_t before, same;
		const double first = part(v, n, at, 0, &before);

		if (before > 0 && slope + first >= 0) {
			n = before;
			otherwise = at;
			continue;
		}
		slope += first + part(v + before, n - before, at, 1, &same);
		if (slope >= 0)
			return at;
		v += before + same;
		n -= before + same;
	}
	return otherwise;
}
