/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/near.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/* Put x at or below place i of a heap of n, where it belongs. */
static void
sift(struct kith_neighbour *nn, size_t n, size_t i, struct kith_neighbour x)
{
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n &&
		    kith_near_before(&nn[child], &nn[child + 1]))
			child++;
		if (!kith_near_before(&x, &nn[child]))
			break;
		nn[i] = nn[child];
		i = child;
	}
	nn[i] = x;
}

void
kith_near_push(struct kith_near *near, size_t row, double d)
{
	const struct kith_neighbour x = {row, d};
	struct kith_neighbour *nn = near->nn;
	size_t i;

	assert(near->k >= 1);
	if (near->held == near->k) {
		if (kith_near_before(&x, &nn[0]))
			sift(nn, near->k, 0, x);
		return;
	}
	for (i = near->held++; i > 0; i = (i - 1) / 2) {
		if (!kith_near_before(&nn[(i - 1) / 2], &x))
			break;
		nn[i] = nn[(i - 1) / 2];
	}
	nn[i] = x;
}

void
kith_near_sort(struct kith_near *near)
{
	for (size_t n = near->held; n > 1; n--) {
		const struct kith_neighbour x = near->nn[n - 1];

		near->nn[n - 1] = near->nn[0];
		sift(near->nn, n - 1, 0, x);
	}
}

double
kith_near_square(double r)
{
	double d = fmin(r * r, DBL_MAX);

	if (isinf(r))
		return r;
	while (sqrt(d) > r)
		d = nextafter(d, 0);
	while (sqrt(nextafter(d, INFINITY)) <= r)
		d = nextafter(d, INFINITY);
	return d;
}
