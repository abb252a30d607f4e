/* near/scan - pick the candidates out of a tile of products. */
#ifndef KITH_NEAR_SCAN_H
#define KITH_NEAR_SCAN_H

#include <stddef.h>

struct kith_knn_sieve;

/*
 * A tile holds C_ij = -2 A_i B_j, i < m, j < n, for rows i of the query and
 * rows first + j of the reference.  In a join the tile is looked at from both
 * its sides: row j of the reference is then a row of the query as well, and
 * row i of the query a row of the reference.
 */
struct kith_knn_tile {
	const float *C; /* m x n */
	size_t m, n;
	const float *low, *wide; /* of the n rows of the reference */
	size_t first;
	struct kith_knn_sieve *sieve; /* takes rows in as row `row` + i */
	size_t row;

	const float *other_low; /* of the m rows; NULL: this side alone */
	size_t other_first;     /* their first row in the reference */
	size_t other_row;       /* row j is row other_row + j of the sieve */
};

/*
 * Push all rows within their limits.  Scratch: floats, sieve->slots and n
 * rounded up to KITH_KNN_WIDE.
 */
void kith_knn_scan(const struct kith_knn_tile *tile, float *scratch);

#endif
