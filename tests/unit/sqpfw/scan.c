/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/scan.h against a loop over all points, of classes whose
 * ends lie within panels, at their ends, and in the same one.
 */
#include "sqpfw/scan.h"

#include "base/pool.h"
#include "base/rng.h"
#include "la/mat.h"
#include "near/heap.h"
#include "sqpfw/points.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { P = 5, MOST = 80, TRIES = 40 };

/* Points of each class. */
static const size_t sizes[][3] = {{20, 7, 33}, {32, 16, 17}, {3, 4, 5}, {1, 1, 30}, {16, 48, 2}};

static struct kith_rng rng;
static struct kith_sqpfw_points points;
static double w[P], half[P], room[4 * P];

static double
number(double from, double to)
{
	return from + (to - from) * kith_rng_unit(&rng);
}

static void
draw(size_t kind, struct kith_pool *pool)
{
	struct kith_mat X = kith_mat_new(pool, MOST, P);
	size_t y[MOST];

	X.n = 0;
	for (size_t c = 0; c < 3; c++)
		for (size_t k = 0; k < sizes[kind][c]; k++, X.n++) {
			y[X.n] = c;
			for (size_t f = 0; f < P; f++)
				kith_row(&X, X.n)[f] = number(-1, 1);
		}
	points = kith_sqpfw_points_new(&X, y, 3, NULL, pool);
	for (size_t f = 0; f < P; f++) {
		w[f] = f == 2 ? 0 : number(0, 1);
		half[f] = number(0, .3);
	}
}

static double
eps(size_t i, size_t j, size_t f)
{
	const double d = kith_sqpfw_value(&points, i, f) - kith_sqpfw_value(&points, j, f);

	return d * d;
}

static double
distance(size_t i, size_t j)
{
	double d = 0;

	for (size_t f = 0; f < P; f++)
		d += w[f] * eps(i, j, f);
	return d;
}

/* What a scan is to push: all j with keys; those of INFINITY are not. */
struct due {
	struct kith_neighbour nn[MOST];
	size_t n;
};

static int
compare(const void *a, const void *b)
{
	const struct kith_neighbour *s = a, *t = b;

	return (s->d > t->d) - (s->d < t->d);
}

static bool
is_in(const struct kith_sqpfw_scan *scan, size_t j)
{
	return j != scan->i && (points.of[j] != points.of[scan->i]) == scan->miss;
}

/* Whether the nearest are held, of those that are due. */
static bool
is_due(struct due *due, struct kith_heap *heap)
{
	const size_t held = due->n < heap->k ? due->n : heap->k;
	bool good = heap->held == held;

	qsort(due->nn, due->n, sizeof(*due->nn), compare);
	kith_heap_sort(heap);
	for (size_t k = 0; k < held && good; k++)
		good = heap->nn[k].row == due->nn[k].row &&
		    fabs(heap->nn[k].d - due->nn[k].d) <= 1e-9 * fabs(due->nn[k].d) + 1e-13;
	return good;
}

static bool
skip_some(const void *of, size_t j)
{
	return j % *(const size_t *)of == 0;
}

static bool
try_nearest(const struct kith_sqpfw_scan *scan, size_t k)
{
	struct kith_neighbour nn[MOST];
	struct kith_heap heap = {nn, k, 0};
	struct due due = {.n = 0};

	for (size_t j = 0; j < points.n; j++)
		if (is_in(scan, j))
			due.nn[due.n++] = (struct kith_neighbour){j, distance(scan->i, j)};
	kith_sqpfw_scan_nearest(scan, room, &heap);
	return is_due(&due, &heap);
}

/* max(0, d_ij - d_ir) / (|a| + more) */
static double
radius(size_t i, size_t r, size_t j, double floor, double more)
{
	double gap = 0, all = 0, mean = 0, square = 0;

	for (size_t f = 0; f < P; f++) {
		gap += w[f] * (eps(i, j, f) - eps(i, r, f));
		all += w[f] + floor;
		mean += (w[f] + floor) * (eps(i, j, f) - eps(i, r, f));
	}
	for (size_t f = 0; f < P; f++) {
		const double off = eps(i, j, f) - eps(i, r, f) - mean / all;

		square += (w[f] + floor) * off * off;
	}
	return gap > 0 ? gap / (sqrt(square) + more) : 0;
}

/* The target stays out, as it does in the solver: it has no row. */
static bool
try_radius(const struct kith_sqpfw_scan *scan, size_t r, size_t k, double more)
{
	struct kith_neighbour nn[MOST];
	struct kith_heap heap = {nn, k, 0};
	struct due due = {.n = 0};
	const size_t every = 3;
	double last = 0;
	bool good;

	for (size_t j = 0; j < points.n; j++)
		if (is_in(scan, j) && j % every)
			due.nn[due.n++] = (struct kith_neighbour){
			    j, radius(scan->i, r, j, .02, more)};
	kith_sqpfw_scan_by_radius(scan, r, .02, more, skip_some, &every, room, &heap);
	qsort(due.nn, due.n, sizeof(*due.nn), compare);
	kith_heap_sort(&heap);
	good = heap.held == (due.n < k ? due.n : k);
	for (size_t l = 0; l < heap.held && good; l++) {
		const size_t j = heap.nn[l].row;
		const double d = radius(scan->i, r, j, .02, more);

		/* those nearer than the target all have 0 */
		good = fabs(heap.nn[l].d - due.nn[l].d) <= 1e-9 * d + 1e-12 &&
		    fabs(d - due.nn[l].d) <= 1e-9 * d + 1e-12 && is_in(scan, j) && j % every &&
		    heap.nn[l].d >= last;
		last = heap.nn[l].d;
	}
	return good;
}

static bool
try_box(const struct kith_sqpfw_scan *scan, size_t r, double more)
{
	struct kith_neighbour nn[MOST];
	struct kith_heap heap = {nn, MOST, 0};
	struct due due = {.n = 0};
	const size_t every = 4;

	for (size_t j = 0; j < points.n; j++) {
		double least = 0;

		for (size_t f = 0; f < P; f++) {
			const double a = eps(scan->i, j, f) - eps(scan->i, r, f);

			least += w[f] * a - half[f] * fabs(a);
		}
		if (is_in(scan, j) && j % every && least <= more)
			due.nn[due.n++] = (struct kith_neighbour){j, distance(scan->i, j)};
	}
	kith_sqpfw_scan_by_box(scan, r, half, more, skip_some, &every, room, &heap);
	return is_due(&due, &heap);
}

/* Any other point of the group of a scan; points.n where there is none. */
static size_t
other(const struct kith_sqpfw_scan *scan)
{
	size_t from = kith_rng_below(&rng, points.n);

	for (size_t k = 0; k < points.n; k++, from = (from + 1) % points.n)
		if (is_in(scan, from))
			return from;
	return points.n;
}

struct tally {
	size_t scans, nearest, radius, box;
};

static void
try_all(struct tally *tally)
{
	for (size_t g = 0; g < 2 * points.n; g++) {
		const struct kith_sqpfw_scan scan = {&points, w, g / 2, g % 2};
		const size_t k = 1 + kith_rng_below(&rng, g % 3 ? 6 : MOST);
		const size_t r = other(&scan);

		if (r == points.n)
			continue;
		tally->scans++;
		tally->nearest += try_nearest(&scan, k);
		tally->radius += try_radius(&scan, r, k, g % 5 ? .1 : 0);
		tally->box += try_box(&scan, r, g % 5 ? number(-1, 1) : -9);
	}
}

int
main(void)
{
	struct tally tally = {0};

	kith_rng_seed(&rng, 13, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < TRIES; k++) {
		struct kith_pool pool = {0};

		draw(k % (sizeof(sizes) / sizeof(*sizes)), &pool);
		try_all(&tally);
		kith_pool_free(&pool);
	}
	is_size(tally.nearest, tally.scans, "the nearest of a group");
	is_size(tally.radius, tally.scans, "those of the least radius");
	is_size(tally.box, tally.scans, "those that a box does not keep off");
	return done();
}
