/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/la/mat.h: exponents of ranges, transposes. */
#include "la/mat.h"

#include "tap.h"

static void
test_exponent(void)
{
	is_near(kith_range_exponent(0, 1), 0, 0, "range 1");
	is_near(kith_range_exponent(-1, 7), 3, 0, "range 8");
	is_near(kith_range_exponent(2, 2.25), -2, 0, "range 1/4");
	is_near(kith_range_exponent(-0x1p1023, 0x1p1023), 1024, 0,
	    "a range that is too large for a double");
	is_near(kith_range_exponent(-0x1p1023, 0x1.8p1023), 1024, 0, "and another");
}

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

static void
test_transpose(void)
{
	for (size_t rows = 0; rows <= MOST; rows++) {
		bool same = true;

		for (size_t columns = 0; columns <= MOST; columns++)
			same = same && is_turned(rows, columns);
		ok(same, "%zu rows", rows);
	}
}

int
main(void)
{
	test_exponent();
	test_transpose();
	return done();
}
