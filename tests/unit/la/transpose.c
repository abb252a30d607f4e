/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/la/transpose.h: whole blocks, and what is left of them. */
#include "la/transpose.h"

#include "tap.h"

#include <stdbool.h>

static const size_t MOST = 19, LD = 23, TO_LD = 21;

/* Whether a matrix is turned, and nothing beside it is written. */
static bool
is_turned(size_t rows, size_t columns)
{
	double from[19 * 23], to[19 * 21];
	bool same = true;

	for (size_t k = 0; k < MOST * LD; k++)
		from[k] = (double)k + 1;
	for (size_t k = 0; k < MOST * TO_LD; k++)
		to[k] = -1;
	kith_transpose(rows, columns, from, LD, to, TO_LD);
	for (size_t j = 0; j < MOST; j++)
		for (size_t i = 0; i < TO_LD; i++) {
			const bool in = j < columns && i < rows;
			const double due = in ? from[i * LD + j] : -1;

			same = same && to[j * TO_LD + i] == due;
		}
	return same;
}

int
main(void)
{
	for (size_t rows = 0; rows <= MOST; rows++) {
		bool same = true;

		for (size_t columns = 0; columns <= MOST; columns++)
			same = same && is_turned(rows, columns);
		ok(same, "%zu rows", rows);
	}
	return done();
}
