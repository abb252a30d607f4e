/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/reference - the points of a reference: equal rows once.
 *
 * Equal rows are found by a hash table with open addressing.  A thousand equal rows would else be
 * a thousand candidates of each other, at distances that no bound tells apart.
 */
#include "near/index.h"

#include "base/sort.h"

#include <string.h>

/*
 * Rows are merged where at least one in COPIES is a copy.  With a smaller number all copies, which
 * no bound tells apart, are candidates of each other; with a larger one, a reference of few copies
 * is copied, and the lists of its join once more, for nothing.
 */
enum { COPIES = 64 };

/*
 * Returns a hash of a row of p numbers: a sum, so that no term waits for the one before it.  In the
 * bits x of a small integer the lower half is 0; x ^ x >> 32 brings the upper half there, from
 * where the product spreads it.
 */
static uint64_t
hash_row(const double *row, size_t p)
{
	const uint64_t odd = 0x9E3779B97F4A7C15;
	uint64_t h = 0, factor = odd;

	for (size_t j = 0; j < p; j++, factor += 2 * odd) {
		const double v = row[j] + 0.; /* -0 becomes 0 */
		uint64_t x;

		memcpy(&x, &v, sizeof(x));
		h += (x ^ x >> 32) * factor;
	}
	return (h ^ h >> 32) * odd;
}

static bool
is_equal(size_t p, const double *x, const double *z)
{
	for (size_t j = 0; j < p; j++)
		if (x[j] != z[j])
			return false;
	return true;
}

size_t
kith_points_find(const struct kith_mat *X, size_t *point)
{
	struct kith_pool tmp = {0};
	const size_t n = X->n, p = X->p;
	size_t points = 0, *first = kith_new(&tmp, n, sizeof(*first));
	size_t *slot; /* point + 1; 0: empty */
	int bits = 1;

	while ((size_t)1 << bits < 2 * n)
		bits++;
	slot = kith_new(&tmp, (size_t)1 << bits, sizeof(*slot));
	for (size_t i = 0; i < n; i++) {
		size_t at = (size_t)(hash_row(kith_row(X, i), p) >> (64 - bits));

		while (slot[at] && !is_equal(p, kith_row(X, first[slot[at] - 1]), kith_row(X, i)))
			at = (at + 1) & (((size_t)1 << bits) - 1);
		if (!slot[at]) {
			first[points] = i;
			slot[at] = ++points;
		}
		point[i] = slot[at] - 1;
	}
	kith_pool_free(&tmp);
	return points;
}

void
kith_reference_merge(struct kith_reference *ref, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	const size_t n = ref->n;
	size_t *point, *start, *row, *first, points;

	if (ref->X.p == 0)
		return;
	point = kith_new(pool, n, sizeof(*point));
	points = kith_points_find(&ref->X, point);
	if (n - points >= n / COPIES + 1) {
		start = kith_new(pool, points + 1, sizeof(*start));
		row = kith_new(pool, n, sizeof(*row));
		first = kith_new(&tmp, points, sizeof(*first));
		kith_sort_by_class(point, n, points, row, start);
		for (size_t j = 0; j < points; j++)
			first[j] = row[start[j]];
		ref->X = kith_mat_rows(&ref->X, first, points, pool);
		ref->point = point;
		ref->start = start;
		ref->row = row;
	}
	kith_pool_free(&tmp);
}
