/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/base/sort.h: numbers by their groups. */
#include "base/sort.h"

#include "tap.h"

enum { N = 7, GROUPS = 4 };

int
main(void)
{
	const size_t group[N] = {2, 0, 2, 3, 0, 2, 0};
	const size_t begin[GROUPS + 1] = {0, 3, 3, 6, 7};
	const size_t due[N] = {1, 4, 6, 0, 2, 5, 3};
	size_t start[GROUPS + 1], at[N], right = 0;

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
	return done();
}
