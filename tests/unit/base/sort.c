/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/sort.h: numbers in order, and by their groups. */
#include "base/sort.h"

#include "tap.h"

#include <math.h>
#include <stdint.h>

enum { N = 7, GROUPS = 4 };

static void
test_groups(void)
{
	const size_t group[N] = {2, 0, 2, 3, 0, 2, 0};
	const size_t begin[GROUPS + 1] = {0, 3, 3, 6, 7};
	const size_t due[N] = {1, 4, 6, 0, 2, 5, 3};
	size_t start[GROUPS + 1], at[N], right = 0;

	for (size_t g = 0; g <= GROUPS; g++)
		start[g] = 99;
	kith_sort_by_class(group, N, GROUPS, at, start);
	for (size_t g = 0; g <= GROUPS; g++)
		right += start[g] == begin[g];
	is_size(right, GROUPS + 1, "where groups begin, an empty one too");
	right = 0;
	for (size_t i = 0; i < N; i++)
		right += at[i] == due[i];
	is_size(right, N, "numbers of a group, in order");
	kith_sort_by_class(group, 0, GROUPS, at, start);
	is_size(start[GROUPS], 0, "no numbers");
	kith_sort_by_class(NULL, 3, 2, at, start);
	ok(start[0] == 0 && start[1] == 3 && start[2] == 3 && at[0] == 0 && at[2] == 2,
	    "without groups all are of the first");
}

static void
test_numbers(void)
{
	double x[] = {3, -INFINITY, 0, 3, -1, INFINITY, .5};
	const double x_due[] = {-INFINITY, -1, 0, .5, 3, 3, INFINITY};
	size_t n[] = {5, SIZE_MAX, 0, 5, 1}, right = 0;
	const size_t n_due[] = {0, 1, 5, 5, SIZE_MAX};
	double two[] = {2, 1};
	size_t pair[] = {2, 1};

	kith_sort_reals(x, 7);
	for (size_t i = 0; i < 7; i++)
		right += x[i] <= x_due[i] && x[i] >= x_due[i];
	is_size(right, 7, "reals");
	kith_sort_sizes(n, 5);
	for (size_t i = 0; i < 5; i++)
		right += n[i] == n_due[i];
	is_size(right, 12, "sizes");
	kith_sort_reals(two, 1);
	kith_sort_sizes(pair, 1);
	ok(two[0] > 1 && pair[0] == 2, "one is in order");
	kith_sort_reals(two, 2);
	kith_sort_sizes(pair, 2);
	ok(two[0] < 2 && pair[0] == 1, "two are put in order");
	kith_sort_reals(NULL, 0);
	is_size(kith_largest_size(n, 5) == SIZE_MAX, 1, "the largest");
	is_size(kith_largest_size(n, 0), 0, "of none");
}

static void
test_ranked(void)
{
	struct kith_ranked v[] = {{1, 4}, {3, 2}, {1, 0}, {3, 1}, {-2, 3}, {1, 5}};
	const size_t due[] = {1, 2, 0, 4, 5, 3};
	size_t right = 0;

	kith_sort_ranked(v, 6);
	for (size_t i = 0; i < 6; i++)
		right += v[i].of == due[i];
	is_size(right, 6, "the largest first, of equal ones the first");
	kith_sort_ranked(v + 4, 2);
	is_size(v[4].of, 5, "two");
}

int
main(void)
{
	test_groups();
	test_numbers();
	test_ranked();
	return done();
}
