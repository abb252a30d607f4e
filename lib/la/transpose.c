/* SPDX-License-Identifier: BSD-2-Clause */
#include "la/transpose.h"

#include "la/simd.h"

enum { BLOCK = 8 };

/* Eight rows and columns. */
KITH_INLINE void
turn_block(const double *from, size_t ld, double *to, size_t to_ld)
{
	for (size_t j = 0; j < BLOCK; j++, from++, to += to_ld)
		*(kith_v8d_at *)to = (kith_v8d){from[0], from[ld], from[2 * ld], from[3 * ld],
		    from[4 * ld], from[5 * ld], from[6 * ld], from[7 * ld]};
}

KITH_CLONES static void
transpose_rows(size_t rows, size_t columns, const double *from, size_t ld, double *to, size_t to_ld)
{
	const size_t whole = rows / BLOCK * BLOCK, wide = columns / BLOCK * BLOCK;

	for (size_t i = 0; i < whole; i += BLOCK) {
		for (size_t j = 0; j < wide; j += BLOCK)
			turn_block(from + i * ld + j, ld, to + j * to_ld + i, to_ld);
		for (size_t j = wide; j < columns; j++)
			for (size_t k = i; k < i + BLOCK; k++)
				to[j * to_ld + k] = from[k * ld + j];
	}
	for (size_t i = whole; i < rows; i++)
		for (size_t j = 0; j < columns; j++)
			to[j * to_ld + i] = from[i * ld + j];
}

void
kith_transpose(size_t rows, size_t columns, const double *from, size_t ld, double *to, size_t to_ld)
{
	transpose_rows(rows, columns, from, ld, to, to_ld);
}
