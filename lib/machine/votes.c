/* SPDX-License-Identifier: BSD-2-Clause */
#include "machine/votes.h"

#include <assert.h>
#include <stdbool.h>

void
kith_machine_pair(size_t c, size_t o, size_t *first, size_t *second)
{
	size_t a = 0;

	assert(o < c * (c - 1) / 2);
	for (; o >= c - 1 - a; a++)
		o -= c - 1 - a;
	*first = a;
	*second = a + 1 + o;
}

/* plus: f > 0 is a vote for the second of the pair. */
static size_t
count(size_t c, const double *f, bool plus, double *votes)
{
	size_t best = 0, most = 0;

	for (size_t h = 0; h < c; h++) {
		size_t n = 0, o = h; /* the pair of h and g, as it comes */

		for (size_t g = 0; g < h; g++) {
			n += (f[o - 1] > 0) == plus;
			o += c - 2 - g;
		}
		for (size_t g = h + 1; g < c; g++)
			n += (f[o++] > 0) != plus;
		if (votes)
			votes[h] = (double)n;
		if (n > most) {
			most = n;
			best = h;
		}
	}
	return best;
}

size_t
kith_machine_vote(size_t c, const double *f, double *votes)
{
	return count(c, f, true, votes);
}

size_t
kith_machine_vote_first(size_t c, const double *f, double *votes)
{
	return count(c, f, false, votes);
}
