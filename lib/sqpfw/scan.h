/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/scan - passes over all points j of a group: those of the class of a
 * point i (hits), or all others (misses).
 *
 * Time O(p) for each j, in panels, on any instruction set the same bits.
 */
#ifndef KITH_SQPFW_SCAN_H
#define KITH_SQPFW_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct kith_heap;
struct kith_sqpfw_points;

/* A group: the hits or the misses of a point. */
struct kith_sqpfw_scan {
	const struct kith_sqpfw_points *points;
	const double *w; /* p, by feature */
	size_t i;
	bool miss;
};

/* Room for one scan: 4 p doubles, of each thread its own. */

/* Push all j with their distance; the nearest are held. */
void kith_sqpfw_scan_nearest(
    const struct kith_sqpfw_scan *scan, double *room, struct kith_heap *heap);

/* Whether j is not to be pushed. */
typedef bool kith_sqpfw_scan_skip(const void *of, size_t j);

/*
 * Push all j that skip() does not refuse, with the radius that they allow
 * (sqpfw/candidates.h),
 *
 *	max(0, d_ij - d_ir) / (|a| + more)
 *
 * a = eps_ij - eps_ir, |a|^2 = min over c of sum (w_f + floor) (a_f - c)^2.
 */
void kith_sqpfw_scan_by_radius(const struct kith_sqpfw_scan *scan, size_t r, double floor,
    double more, kith_sqpfw_scan_skip *skip, const void *of, double *room, struct kith_heap *heap);

/*
 * Push all j that skip() does not refuse and that, somewhere in the box
 * |w_f - scan->w_f| <= half_f, are farther than r by no more than `more`: with
 * a = eps_ij - eps_ir
 *
 *	a'w - sum |a_f| half_f <= more
 *
 * each with its distance at scan->w.
 */
void kith_sqpfw_scan_by_box(const struct kith_sqpfw_scan *scan, size_t r, const double *half,
    double more, kith_sqpfw_scan_skip *skip, const void *of, double *room, struct kith_heap *heap);

#endif
