/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near/sieve - which rows of the reference may be among the k nearest, from
 * distances that are known but roughly.
 *
 * For a row i of the query and a row j of the reference the screen knows g
 * (float) such that the distance d as kith_dist() computes it obeys
 *
 *	g + low_i <= scale d <= g + low_i + wide_i + wide_j.
 *
 * A row of the query holds candidates with g <= limit_i, where limit_i + low_i
 * is no less than scale d of its k-th nearest row.  When its slots are full,
 * the k-th smallest upper bound lowers the limit; where this throws out too
 * few (ties, duplicates, precision lost), the candidates' distances are
 * computed and the k nearest stay.  Memory O(k) for each row of the query.
 */
#ifndef KITH_NEAR_SIEVE_H
#define KITH_NEAR_SIEVE_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

struct kith_knn_pack;
struct kith_neighbour;
struct kith_pool;

/* The limit of a row of which nothing is known; INFINITY is beyond it. */
#define KITH_KNN_NO_LIMIT FLT_MAX

struct kith_candidate {
	float g;
	uint32_t row;
};

struct kith_knn_sieve {
	const struct kith_knn_pack *pack;
	double scale;        /* a power of two */
	const float *wide;   /* of the reference: n */
	size_t k, slots;     /* slots for each row */
	const double **z;    /* rows of the query, packed */
	const float *z_low;  /* their low */
	const float *z_wide; /* and wide */

	float *limit;   /* KITH_KNN_NO_LIMIT to begin with; only lowered */
	uint32_t *held; /* 0 to begin with */
	struct kith_candidate *slot;
};

/* From so many neighbours on, candidates fit where the result goes. */
enum { KITH_KNN_SHARED = 24 };

/*
 * Room for m rows of a query; the caller sets the fields down to z_wide.  Where
 * nn (m x k) is not NULL and k >= KITH_KNN_SHARED, the slots of row i are in the
 * place of its result, two for a neighbour, if size_t has 64 bits.
 */
void kith_knn_sieve_room(struct kith_knn_sieve *sieve, size_t m,
    struct kith_neighbour *nn, struct kith_pool *pool);

/* Begin anew with m rows of a query. */
void kith_knn_sieve_clear(struct kith_knn_sieve *sieve, size_t m);

/*
 * The k nearest rows for row i of the query, all rows being seen; nn is apart
 * from the slots.
 */
void kith_knn_sieve_finish(struct kith_knn_sieve *sieve, size_t i,
    float *scratch, struct kith_neighbour *nn);

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
 * Push all rows of a tile that are within their limits.  Scratch: floats, the larger of
 * sieve->slots and n, rounded up to KITH_KNN_WIDE.
 */
void kith_knn_scan(const struct kith_knn_tile *tile, float *scratch);

#endif
