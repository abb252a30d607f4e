/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/scan.h"

#include "la/simd.h"
#include "near/heap.h"
#include "sqpfw/points.h"
#include "sqpfw/rows.h"

#include <math.h>

enum { WIDE = KITH_SQPFW_PANEL };

/* Of the points of a panel: a'w = d_ij - d_ir, and |a|^2. */
struct lanes {
	double gap[WIDE], size[WIDE];
};

KITH_CLONES static void
scan_distances(size_t p, const double *panel, const double *x, const double *w, double *out)
{
	kith_v8d a = {0}, b = {0};

	for (size_t f = 0; f < p; f++, panel += WIDE) {
		const kith_v8d s = *(const kith_v8d *)panel - x[f];
		const kith_v8d t = *(const kith_v8d *)(panel + 8) - x[f];

		a += w[f] * (s * s);
		b += w[f] * (t * t);
	}
	*(kith_v8d_at *)out = a;
	*(kith_v8d_at *)(out + 8) = b;
}

/* The radius of a pair is at most `most`: a'w <= most (|a| + more). */
struct bound {
	double most, more;
};

/* Whether that holds for any of eight pairs. */
KITH_INLINE bool
any(const kith_v8d *gap, const kith_v8d *size, const struct bound *bound)
{
	const kith_v8d over = *gap - bound->most * bound->more;
	const kith_v8i in = (over <= 0) | (over * over <= bound->most * bound->most * *size);
	int64_t some = 0;

	for (size_t l = 0; l < 8; l++)
		some |= in[l];
	return some != 0;
}

/* What does not depend on j in a scan. */
struct fixed {
	const double *v; /* of each feature: x_i, eps_ir, h = w + floor */
	double all;      /* sum of h */
	double floor;    /* h - w */
};

/* a'w and |a|^2 of the points of a panel; whether any is in the bound. */
KITH_CLONES static bool
scan_rows(size_t p, const double *panel, const struct fixed *fixed, const struct bound *bound,
    struct lanes *out)
{
	const double *v = fixed->v;
	kith_v8d g = {0}, h = {0}, s = {0}, t = {0}, q = {0}, u = {0};

	for (size_t f = 0; f < p; f++, panel += WIDE, v += 3) {
		kith_v8d a = *(const kith_v8d *)panel - v[0];
		kith_v8d b = *(const kith_v8d *)(panel + 8) - v[0];
		kith_v8d c, d;

		a = a * a - v[1];
		b = b * b - v[1];
		g += a;
		h += b;
		c = v[2] * a;
		d = v[2] * b;
		s += c;
		t += d;
		q += c * a;
		u += d * b;
	}
	/* sum w a = sum h a - floor sum a; |a|^2 = sum h a^2 - (sum h a)^2 /
	 * sum h, and a little for rounding */
	g = s - fixed->floor * g;
	h = t - fixed->floor * h;
	q = q * (1 + 1e-13) - s * (s / fixed->all);
	u = u * (1 + 1e-13) - t * (t / fixed->all);
	*(kith_v8d_at *)out->gap = g;
	*(kith_v8d_at *)(out->gap + 8) = h;
	*(kith_v8d_at *)out->size = q;
	*(kith_v8d_at *)(out->size + 8) = u;
	return (bool)((int)any(&g, &q, bound) | (int)any(&h, &u, bound));
}

static bool
belongs(const struct kith_sqpfw_scan *scan, size_t j)
{
	const struct kith_sqpfw_points *points = scan->points;

	return j < points->n && j != scan->i &&
	    (points->of[j] != points->of[scan->i]) == scan->miss;
}

/* The panels of hits go from first to end; those of misses are all. */
static void
range(const struct kith_sqpfw_scan *scan, size_t *first, size_t *end)
{
	const struct kith_sqpfw_points *points = scan->points;
	const size_t y = points->of[scan->i];

	*first = scan->miss ? 0 : points->start[y] / WIDE;
	*end = scan->miss ? points->n : points->start[y + 1];
	*end = (*end + WIDE - 1) / WIDE;
}

/* Whether a panel holds no other class: then it has no misses. */
static bool
within(const struct kith_sqpfw_scan *scan, size_t panel)
{
	const struct kith_sqpfw_points *points = scan->points;
	const size_t y = points->of[scan->i];

	return panel * WIDE >= points->start[y] && (panel + 1) * WIDE <= points->start[y + 1];
}

void
kith_sqpfw_scan_nearest(const struct kith_sqpfw_scan *scan, double *room, struct kith_heap *heap)
{
	const struct kith_sqpfw_points *points = scan->points;
	const size_t p = points->p;
	double d[WIDE];
	size_t first, end;

	for (size_t f = 0; f < p; f++)
		room[f] = kith_sqpfw_value(points, scan->i, f);
	range(scan, &first, &end);
	for (size_t b = first; b < end; b++) {
		if (scan->miss && within(scan, b))
			continue;
		scan_distances(p, points->panel + b * p * WIDE, room, scan->w, d);
		for (size_t l = 0; l < WIDE; l++)
			if (kith_heap_accepts(heap, d[l]) && belongs(scan, b * WIDE + l))
				kith_heap_push(heap, b * WIDE + l, d[l]);
	}
}

void
kith_sqpfw_scan_by_radius(const struct kith_sqpfw_scan *scan, size_t r, double floor, double more,
    kith_sqpfw_scan_skip *skip, const void *of, double *room, struct kith_heap *heap)
{
	const struct kith_sqpfw_points *points = scan->points;
	const size_t p = points->p;
	struct fixed fixed = {room, 0, floor};
	struct bound bound = {1e150, more};
	struct lanes lanes;
	size_t first, end;

	for (size_t f = 0; f < p; f++) {
		const double x = kith_sqpfw_value(points, scan->i, f);
		const double e = kith_sqpfw_value(points, r, f) - x;

		room[3 * f] = x;
		room[3 * f + 1] = e * e;
		room[3 * f + 2] = scan->w[f] + floor;
		fixed.all += scan->w[f] + floor;
	}
	range(scan, &first, &end);
	for (size_t b = first; b < end; b++) {
		if (scan->miss && within(scan, b))
			continue;
		if (heap->held == heap->k)
			bound.most = heap->nn[0].d * (1 + 1e-9);
		if (!scan_rows(p, points->panel + b * p * WIDE, &fixed, &bound, &lanes))
			continue;
		for (size_t l = 0; l < WIDE; l++) {
			const double gap = kith_larger(lanes.gap[l], 0);
			const double size = sqrt(kith_larger(lanes.size[l], 0)) + more;

			if (gap > bound.most * size || !belongs(scan, b * WIDE + l) ||
			    skip(of, b * WIDE + l))
				continue;
			kith_heap_push(heap, b * WIDE + l, size > 0 ? gap / size : 0);
		}
	}
}

/* Of the points of a panel: a'w = d_ij - d_ir, and the least of it in the box. */
struct least {
	double gap[WIDE], least[WIDE];
};

/* These for a panel; whether any is as small as `more`.  v of each feature:
 * x_i, eps_ir, w, half. */
KITH_CLONES static bool
scan_box(size_t p, const double *panel, const double *v, double more, struct least *out)
{
	kith_v8d g = {0}, h = {0}, s = {0}, t = {0};
	kith_v8i in;
	int64_t some = 0;

	for (size_t f = 0; f < p; f++, panel += WIDE, v += 4) {
		kith_v8d a = *(const kith_v8d *)panel - v[0];
		kith_v8d b = *(const kith_v8d *)(panel + 8) - v[0];

		a = a * a - v[1];
		b = b * b - v[1];
		g += v[2] * a;
		h += v[2] * b;
		/* |a| */
		s += v[3] * (kith_v8d)((kith_v8i)a & INT64_MAX);
		t += v[3] * (kith_v8d)((kith_v8i)b & INT64_MAX);
	}
	s = g - s;
	t = h - t;
	*(kith_v8d_at *)out->gap = g;
	*(kith_v8d_at *)(out->gap + 8) = h;
	*(kith_v8d_at *)out->least = s;
	*(kith_v8d_at *)(out->least + 8) = t;
	in = (s <= more) | (t <= more);
	for (size_t l = 0; l < 8; l++)
		some |= in[l];
	return some != 0;
}

void
kith_sqpfw_scan_by_box(const struct kith_sqpfw_scan *scan, size_t r, const double *half,
    double more, kith_sqpfw_scan_skip *skip, const void *of, double *room, struct kith_heap *heap)
{
	const struct kith_sqpfw_points *points = scan->points;
	const size_t p = points->p;
	struct least lanes;
	double target = 0;
	size_t first, end;

	for (size_t f = 0; f < p; f++) {
		const double x = kith_sqpfw_value(points, scan->i, f);
		const double e = kith_sqpfw_value(points, r, f) - x;

		room[4 * f] = x;
		room[4 * f + 1] = e * e;
		room[4 * f + 2] = scan->w[f];
		room[4 * f + 3] = half[f];
		target += scan->w[f] * (e * e);
	}
	range(scan, &first, &end);
	for (size_t b = first; b < end; b++) {
		if (scan->miss && within(scan, b))
			continue;
		if (!scan_box(p, points->panel + b * p * WIDE, room, more, &lanes))
			continue;
		for (size_t l = 0; l < WIDE; l++)
			if (lanes.least[l] <= more && belongs(scan, b * WIDE + l) &&
			    !skip(of, b * WIDE + l))
				kith_heap_push(
				    heap, b * WIDE + l, kith_larger(target + lanes.gap[l], 0));
	}
}
