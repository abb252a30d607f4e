/* SPDX-License-Identifier: BSD-2-Clause */
#include "near/tree.h"

#include "base/par.h"
#include "base/pool.h"
#include "la/lanes.h"
#include "la/simd.h"
#include "near/near.h"
#include "near/pack.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	P = KITH_KNN_TREE_P,
	LEAF = 32,    /* most rows in a leaf, a multiple of 8 */
	DEEP = 64,    /* levels that no tree exceeds */
	QUERIES = 128 /* rows of a query in one block */
};

/*
 * The box around the rows of a node.  Features from p on are 0, as in a query
 * row, so a bound has the lanes and operations of kith_dist(); each of them
 * keeps order when it rounds, so no row of the box is nearer than the bound.
 */
struct box {
	double low[P], high[P];
};

/* Node i has the children 2 i + 1 and 2 i + 2; leaves are the last level. */
struct kith_knn_tree {
	const struct kith_knn_pack *pack;
	size_t p, inner; /* inner nodes; the leaves are one more */
	struct box *box; /* of each node */
	size_t *least;   /* smallest row in it */
	size_t *begin;   /* inner + 2: places of the leaves */
	size_t *row;     /* n: the row at each place */
	double *x;       /* of each leaf p x LEAF: feature by feature */
	double w[P];     /* weights, 0 from p on */
};

/* A node still to be searched, and a bound of its distances. */
struct visit {
	size_t node;
	double bound;
};

/* A stretch of places that become a node. */
struct span {
	size_t begin, end;
};

static const double *
coordinates(const struct kith_knn_tree *tree, size_t place)
{
	return kith_row(&tree->pack->X, tree->row[place]);
}

/* Whether the row at place a goes before that at b on axis j. */
static bool
goes_before(const struct kith_knn_tree *tree, size_t a, size_t b, size_t j)
{
	const double x = kith_row(&tree->pack->X, a)[j];
	const double z = kith_row(&tree->pack->X, b)[j];

	return x < z || (x == z && a < b);
}

/* Order places so that those before `middle` go before those from it on. */
static void
split(struct kith_knn_tree *tree, struct span s, size_t middle, size_t axis)
{
	size_t *row = tree->row, low = s.begin, high = s.end - 1;

	while (low < high) {
		const size_t pivot = row[low + (high - low) / 2];
		size_t i = low, j = high;

		for (;;) {
			while (goes_before(tree, row[i], pivot, axis))
				i++;
			while (goes_before(tree, pivot, row[j], axis))
				j--;
			if (i >= j)
				break;
			const size_t t = row[i];
			row[i++] = row[j];
			row[j--] = t;
		}
		if (middle <= j)
			high = j;
		else
			low = j + 1;
	}
}

/* The box and least row of a node; returns the axis to split it on. */
static size_t
measure(struct kith_knn_tree *tree, size_t node, struct span s)
{
	const bool absolute = tree->pack->metric.kind == KITH_ABSOLUTE;
	struct box *box = &tree->box[node];
	size_t axis = 0, least = tree->row[s.begin];
	double widest = -1;

	memcpy(box->low, coordinates(tree, s.begin), tree->p * sizeof(double));
	memcpy(box->high, box->low, sizeof(box->low));
	for (size_t i = s.begin; i < s.end; i++) {
		const double *x = coordinates(tree, i);

		if (tree->row[i] < least)
			least = tree->row[i];
		for (size_t j = 0; j < tree->p; j++) {
			box->low[j] = x[j] < box->low[j] ? x[j] : box->low[j];
			box->high[j] = x[j] > box->high[j] ? x[j]
							   : box->high[j];
		}
	}
	tree->least[node] = least;
	for (size_t j = 0; j < tree->p; j++) {
		const double D = box->high[j] - box->low[j];
		const double wide = tree->w[j] * D * (absolute ? 1 : D);

		if (wide > widest) {
			widest = wide;
			axis = j;
		}
	}
	return axis;
}

/* Put the coordinates of a leaf in their place. */
static void
fill_leaf(struct kith_knn_tree *tree, size_t leaf, struct span s)
{
	double *x = tree->x + leaf * tree->p * LEAF;

	assert(s.begin < s.end && s.end - s.begin <= LEAF);
	tree->begin[leaf] = s.begin;
	tree->begin[leaf + 1] = s.end;
	for (size_t i = s.begin; i < s.end; i++)
		for (size_t j = 0; j < tree->p; j++)
			x[j * LEAF + i - s.begin] = coordinates(tree, i)[j];
}

/* Split level by level, at the middle of each stretch. */
static void
build(struct kith_knn_tree *tree)
{
	struct kith_pool tmp = {0};
	const size_t nodes = 2 * tree->inner + 1, n = tree->pack->X.n;
	struct span *span = kith_new(&tmp, nodes, sizeof(*span));

	span[0] = (struct span){0, n};
	for (size_t node = 0; node < nodes; node++) {
		const struct span s = span[node];
		const size_t axis = measure(tree, node, s);
		const size_t middle = s.begin + (s.end - s.begin) / 2;

		if (node >= tree->inner) {
			fill_leaf(tree, node - tree->inner, s);
			continue;
		}
		split(tree, s, middle, axis);
		span[2 * node + 1] = (struct span){s.begin, middle};
		span[2 * node + 2] = (struct span){middle, s.end};
	}
	kith_pool_free(&tmp);
}

struct kith_knn_tree *
kith_knn_tree_new(const struct kith_knn_pack *pack, struct kith_pool *pool)
{
	struct kith_knn_tree *tree = kith_new(pool, 1, sizeof(*tree));
	const size_t n = pack->X.n, p = pack->metric.p;
	size_t leaves = 1;

	assert(1 <= p && p <= P);
	while (leaves * LEAF < n)
		leaves *= 2;
	tree->pack = pack;
	tree->p = p;
	tree->inner = leaves - 1;
	tree->box = kith_new(pool, 2 * leaves, sizeof(*tree->box));
	tree->least = kith_new(pool, 2 * leaves, sizeof(*tree->least));
	tree->begin = kith_new(pool, leaves + 1, sizeof(*tree->begin));
	tree->row = kith_new(pool, n, sizeof(*tree->row));
	tree->x = kith_new(pool, leaves * LEAF, p * sizeof(*tree->x));
	for (size_t i = 0; i < n; i++)
		tree->row[i] = i;
	for (size_t j = 0; j < p; j++)
		tree->w[j] = pack->metric.w ? pack->metric.w[j] : 1;
	build(tree);
	return tree;
}

/* A lower bound of the distances from z (P, padded) to a box. */
KITH_INLINE double
bound(const struct kith_knn_tree *tree, size_t node, const double *z,
    bool absolute)
{
	const kith_v8d q = *kith_lanes_at(z), zero = {0};
	const kith_v8d under = *kith_lanes_at(tree->box[node].low) - q;
	const kith_v8d over = q - *kith_lanes_at(tree->box[node].high);
	kith_v8d D, t;

	D = (kith_v8d)((kith_v8i)under & (under > zero));
	D += (kith_v8d)((kith_v8i)over & (over > zero)); /* one of them is 0 */
	t = *kith_lanes_at(tree->w) * D;
	if (!absolute)
		t *= D;
	return kith_lanes_sum(&t);
}

/* d = the distances of eight rows of a leaf, in the order of kith_dist(). */
KITH_INLINE void
eight(const struct kith_knn_tree *tree, const double *x, const double *z,
    size_t p, bool absolute, kith_v8d *d)
{
	kith_v8d t[P] = {{0}};

	for (size_t j = 0; j < p; j++) {
		kith_v8d D = *kith_lanes_at(x + j * LEAF) - z[j];

		if (absolute)
			D = (kith_v8d)((kith_v8i)D & INT64_MAX);
		t[j] = tree->w[j] * D;
		if (!absolute)
			t[j] *= D;
	}
	*d = ((t[0] + t[4]) + (t[2] + t[6])) + ((t[1] + t[5]) + (t[3] + t[7]));
}

/* mask = 1 in each byte whose lane is set. */
KITH_INLINE void
bytes(const kith_v8i *lanes, uint64_t *mask)
{
	const kith_v8b b = __builtin_convertvector(*lanes & 1, kith_v8b);

	memcpy(mask, &b, sizeof(*mask));
}

KITH_INLINE void
look(const struct kith_knn_tree *tree, size_t leaf, const double *z, size_t p,
    bool absolute, size_t left_out, struct kith_near *near)
{
	const double *x = tree->x + leaf * p * LEAF;
	const size_t *row = tree->row + tree->begin[leaf];
	const size_t n = tree->begin[leaf + 1] - tree->begin[leaf];

	for (size_t i = 0; i < n; i += 8) {
		const double most = near->held < near->k ? INFINITY
							 : near->nn[0].d;
		kith_v8d d;
		kith_v8i hit;
		uint64_t mask;

		eight(tree, x + i, z, p, absolute, &d);
		hit = d <= most;
		bytes(&hit, &mask);
		for (; mask; mask &= mask - 1) {
			const size_t l = (size_t)__builtin_ctzll(mask) / 8;

			if (i + l < n && row[i + l] != left_out)
				kith_near_push(near, row[i + l], d[l]);
		}
	}
}

/* Whether a node can hold none of the k nearest. */
static bool
hopeless(const struct kith_near *near, double d, size_t least)
{
	const struct kith_neighbour best = {least, d};

	return near->held == near->k && !kith_near_before(&best, &near->nn[0]);
}

/* Search for one row z (padded), its p known to the compiler. */
KITH_INLINE void
descend(const struct kith_knn_tree *tree, const double *z, size_t p,
    bool absolute, size_t left_out, struct kith_near *near)
{
	struct visit stack[DEEP] = {{0}};
	size_t held = 1;

	while (held > 0) {
		const struct visit v = stack[--held];
		const size_t left = 2 * v.node + 1;

		if (hopeless(near, v.bound, tree->least[v.node]))
			continue;
		if (v.node >= tree->inner) {
			look(tree, v.node - tree->inner, z, p, absolute,
			    left_out, near);
			continue;
		}
		const struct visit a = {left, bound(tree, left, z, absolute)};
		const struct visit b = {
		    left + 1, bound(tree, left + 1, z, absolute)};

		stack[held++] = a.bound <= b.bound ? b : a;
		stack[held++] = a.bound <= b.bound ? a : b;
	}
}

#define CASE(p) \
	case p: \
		if (absolute) \
			descend(tree, z, p, true, left_out, near); \
		else \
			descend(tree, z, p, false, left_out, near); \
		break

KITH_CLONES static void
tree_search_row(const struct kith_knn_tree *tree, const double *z,
    size_t left_out, struct kith_near *near)
{
	const bool absolute = tree->pack->metric.kind == KITH_ABSOLUTE;

	switch (tree->p) {
		CASE(1);
		CASE(2);
		CASE(3);
		CASE(4);
		CASE(5);
		CASE(6);
		CASE(7);
		CASE(8);
	}
}

struct job {
	const struct kith_knn_tree *tree;
	const struct kith_knn_query *query;
	bool own; /* the query is the reference: go in the tree's order */
};

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const struct kith_knn_query *query = job->query;
	const size_t first = block * QUERIES, m = query->Z->n;
	const size_t end = m - first < QUERIES ? m : first + QUERIES;

	(void)thread;
	for (size_t at = first; at < end; at++) {
		const size_t i = job->own ? job->tree->row[at] : at;
		struct kith_near near = {
		    .nn = query->nn + i * query->k, .k = query->k};
		double z[P] = {0}, room[P];

		memcpy(z,
		    kith_knn_pack_row(
			job->tree->pack, kith_row(query->Z, i), room),
		    job->tree->p * sizeof(*z));
		tree_search_row(
		    job->tree, z, kith_knn_left_out(query, i), &near);
		kith_near_sort(&near);
	}
}

void
kith_knn_tree_search(const struct kith_knn_tree *tree,
    const struct kith_knn_query *query, bool own)
{
	struct job job = {tree, query, own};

	kith_par_told(query->threads, (query->Z->n + QUERIES - 1) / QUERIES,
	    work, &job,
	    &(struct kith_par_phase){"neighbours", query->Z->n, "rows"});
}
