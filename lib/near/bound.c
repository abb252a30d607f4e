/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/bound.h"

#include "la/simd.h"

#include <string.h>

enum {
	LEAF = KITH_KNN_LEAF,
	WIDE = 16, /* floats of a vector */
	VECTORS = LEAF / WIDE,
	FOUR = KITH_BOUND_FOUR
};

KITH_INLINE const kith_v16f_at *
at(const float *x)
{
	return (const kith_v16f_at *)x;
}

/*
 * Add to sum what one axis makes of a distance: of D, or, where that is larger,
 * of E; of nothing where both are below 0.
 */
KITH_INLINE void
add(kith_v16f *sum, const kith_v16f *D, const kith_v16f *E, bool absolute)
{
	const kith_v16i more = *D > *E;
	kith_v16f x = (kith_v16f)(((kith_v16i)*D & more) |
	    ((kith_v16i)*E & ~more));

	x = (kith_v16f)((kith_v16i)x & (x > 0));
	*sum += absolute ? x : x * x;
}

/* Bounds of the box low..high (count) and the boxes of all leaves. */
KITH_INLINE void
bound_boxes(const struct kith_knn_leaves *of, const float *low,
    const float *high, bool absolute, float *bound)
{
	for (size_t l = 0; l < of->ld; l += WIDE) {
		kith_v16f sum = {0};

		for (size_t c = 0; c < of->count; c++) {
			const size_t i = c * of->ld + l;
			const kith_v16f D = *at(of->low + i) - high[c];
			const kith_v16f E = low[c] - *at(of->high + i);

			add(&sum, &D, &E, absolute);
		}
		*(kith_v16f_at *)(bound + l) = sum;
	}
}

KITH_CLONES static void
bound_boxes_squares(const struct kith_knn_leaves *of, const float *low,
    const float *high, float *bound)
{
	bound_boxes(of, low, high, false, bound);
}

KITH_CLONES static void
bound_boxes_absolute(const struct kith_knn_leaves *of, const float *low,
    const float *high, float *bound)
{
	bound_boxes(of, low, high, true, bound);
}

/* Which of 16 numbers are hits: a bit each. */
KITH_INLINE uint64_t
bits(const kith_v16i *hit)
{
	const kith_v16b bytes = __builtin_convertvector(*hit, kith_v16b);
	uint64_t half[2], mask = 0;

	memcpy(half, &bytes, sizeof(half));
	if (!(half[0] | half[1]))
		return 0;
	/* Bit i of byte i, and all bytes added up in the highest. */
	for (int h = 0; h < 2; h++)
		mask |= ((half[h] & 0x8040201008040201) * 0x0101010101010101 >>
			    56)
		    << (8 * h);
	return mask;
}

/* Which rows y (count x LEAF) are within their limits of the box of leaf l. */
KITH_INLINE uint64_t
row_mask(const struct kith_knn_leaves *of, size_t l, const float *y,
    const float *limit, bool absolute)
{
	uint64_t mask = 0;

	for (size_t v = 0; v < VECTORS; v++) {
		kith_v16f sum = {0};
		kith_v16i hit;

		for (size_t c = 0; c < of->count; c++) {
			const float low = of->low[c * of->ld + l];
			const float high = of->high[c * of->ld + l];
			const kith_v16f x = *at(y + c * LEAF + v * WIDE);
			const kith_v16f D = low - x, E = x - high;

			add(&sum, &D, &E, absolute);
		}
		hit = sum <= *at(limit + v * WIDE);
		mask |= bits(&hit) << (v * WIDE);
	}
	return mask;
}

KITH_CLONES static uint64_t
bound_rows_squares(const struct kith_knn_leaves *of, size_t l, const float *y,
    const float *limit)
{
	return row_mask(of, l, y, limit, false);
}

KITH_CLONES static uint64_t
bound_rows_absolute(const struct kith_knn_leaves *of, size_t l, const float *y,
    const float *limit)
{
	return row_mask(of, l, y, limit, true);
}

/* Which rows of a leaf x are within the limits of four rows i of y. */
KITH_INLINE void
four_masks(size_t count, const float *x, const float *y, const size_t *i,
    const float *limit, bool absolute, uint64_t *mask)
{
	kith_v16f sum[FOUR][VECTORS] = {{{0}}};

	for (size_t c = 0; c < count; c++) {
		const float *at_y = y + c * LEAF;

#pragma GCC unroll 4
		for (size_t v = 0; v < VECTORS; v++) {
			const kith_v16f b = *at(x + c * LEAF + v * WIDE);

#pragma GCC unroll 4
			for (size_t r = 0; r < FOUR; r++) {
				kith_v16f D = b - at_y[i[r]];

				if (absolute)
					D = (kith_v16f)((kith_v16i)D &
					    INT32_MAX);
				else
					D *= D;
				sum[r][v] += D;
			}
		}
	}
#pragma GCC unroll 4
	for (size_t r = 0; r < FOUR; r++) {
		mask[r] = 0;
#pragma GCC unroll 4
		for (size_t v = 0; v < VECTORS; v++) {
			const kith_v16i hit = sum[r][v] <= limit[i[r]];

			mask[r] |= bits(&hit) << (v * WIDE);
		}
	}
}

KITH_CLONES static void
bound_four_squares(size_t count, const float *x, const float *y,
    const size_t *i, const float *limit, uint64_t *mask)
{
	four_masks(count, x, y, i, limit, false, mask);
}

KITH_CLONES static void
bound_four_absolute(size_t count, const float *x, const float *y,
    const size_t *i, const float *limit, uint64_t *mask)
{
	four_masks(count, x, y, i, limit, true, mask);
}

/* The limits of all rows. */
KITH_CLONES static void
bound_limits(
    const float *known, float most, float grow, bool absolute, float *to)
{
	for (size_t i = 0; i < LEAF; i += WIDE) {
		const kith_v16f s = (*at(known + i) + most) * grow;

		*(kith_v16f_at *)(to + i) = absolute ? s : s * s;
	}
}

void
kith_bound_boxes(const struct kith_knn_leaves *of, const float *low,
    const float *high, bool absolute, float *bound)
{
	(absolute ? bound_boxes_absolute : bound_boxes_squares)(
	    of, low, high, bound);
}

/*
 * Take the first rows of those alive, at most four; the last places repeat the
 * first row.
 */
static void
take_four(struct kith_bound_pairs *p)
{
	p->n = p->r = 0;
	do {
		p->row[p->n++] = (size_t)__builtin_ctzll(p->alive);
		p->alive &= p->alive - 1;
	} while (p->alive && p->n < FOUR);
	for (size_t r = p->n; r < FOUR; r++)
		p->row[r] = p->row[0];
}

void
kith_bound_begin(struct kith_bound_pairs *p, const struct kith_knn_leaves *of,
    size_t l, const float *y, uint64_t rows, const float *known, float grow,
    bool absolute)
{
	const size_t rest = of->rows - l * LEAF;

	p->of = of;
	p->x = of->y + l * of->count * LEAF;
	p->y = y;
	p->absolute = absolute;
	p->there = rest < LEAF ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
	p->sums = p->n = p->r = 0;
	bound_limits(known, of->most[l], grow, absolute, p->limit);
	p->alive = rows &
	    (absolute ? bound_rows_absolute : bound_rows_squares)(
		of, l, y, p->limit);
}

bool
kith_bound_next(struct kith_bound_pairs *p)
{
	for (;;) {
		for (; p->r < p->n; p->r++) {
			p->mask = p->masks[p->r] & p->there;
			if (p->mask) {
				p->i = p->row[p->r++];
				return true;
			}
		}
		if (!p->alive)
			return false;
		take_four(p);
		p->sums++;
		(p->absolute ? bound_four_absolute : bound_four_squares)(
		    p->of->count, p->x, p->y, p->row, p->limit, p->masks);
	}
}
