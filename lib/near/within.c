/*
 * For each block of rows of the query, and each leaf or tile of the reference:
 *
 * 1. Pass over what lies beyond the limit of every row of the block: leaves
 *    whose boxes are too far apart.
 * 2. Pass over the rows whose bounds, in floats, prove them to be beyond it.
 * 3. Compute the distances of the others, together where they are many, and
 *    push those within the limit.
 *
 * The limit of the bounds is that of near/axes.h for leaves, with s = sqrt(scale
 * limit), and that of near/sieve.h for tiles: g + low_i <= scale limit.
 */
#include "near/within.h"

#include "base/par.h"
#include "la/simd.h"
#include "near/axes.h"
#include "near/bound.h"
#include "near/dist.h"
#include "near/float.h"
#include "near/found.h"
#include "near/prune.h"
#include "near/prune_leaf.h"
#include "near/screen.h"

#include <math.h>
#include <string.h>

enum {
	LEAF = KITH_KNN_LEAF,
	FOUR = KITH_BOUND_FOUR,
	DENSE = 16,     /* rows of a leaf that are worth all distances of it */
	QUERIES = 16,   /* rows of a query in a block of the plain loop */
	ROWS = 64,      /* rows of the reference looked at in one go */
	TILE = 64,      /* rows of a tile, */
	COLUMNS = 1024, /* its columns, a multiple of KITH_STRIP, */
	WIDE = 16,      /* those that are compared at once, */
	MANY = 6        /* and how many are worth all distances of these */
};

/* What a thread needs for a block. */
struct worker {
	struct kith_pool pool;
	struct kith_found_list *list; /* of each row of the block */
	const double **z;             /* the rows, packed */
	double *room;
	size_t *row, *left_out;

	/* Leaves: */
	float *bound;         /* of all leaves of the reference */
	float known[LEAF];    /* s + off of each row */
	float limit[LEAF];    /* in the leaf that is visited */
	double *gathered, *d; /* rows of that leaf, and distances */
	size_t leaf;          /* which is gathered; SIZE_MAX: none */

	/* Tiles: */
	struct kith_knn_float Z;
	float *C;
};

struct job {
	struct kith_found *found;
	const struct kith_knn_pack *pack;
	struct worker *own; /* of each thread */

	const struct kith_knn_prune *prune;
	const struct kith_knn_leaves *leaves; /* of the query */
	const double **z;
	bool absolute;
	float grow;

	const struct kith_knn_screen *screen;
};

static struct worker *
worker_of(const struct job *job, size_t thread, size_t rows)
{
	struct worker *own = &job->own[thread];
	const size_t p = job->pack->metric.p;

	if (own->list)
		return own;
	own->list = kith_new(&own->pool, rows, sizeof(*own->list));
	own->z = kith_new(&own->pool, rows, sizeof(*own->z));
	own->room = kith_new(&own->pool, rows, (p + 1) * sizeof(*own->room));
	own->row = kith_new(&own->pool, rows, sizeof(*own->row));
	own->left_out = kith_new(&own->pool, rows, sizeof(*own->left_out));
	own->d = kith_new(&own->pool, ROWS, sizeof(*own->d));
	return own;
}

/* Take in m rows of the query, from row first on. */
static void
take(const struct job *job, struct worker *own, size_t first, size_t m)
{
	const struct kith_knn_query *query = &job->found->query;
	const size_t p = job->pack->metric.p;

	for (size_t i = 0; i < m; i++) {
		own->row[i] = first + i;
		own->z[i] = kith_knn_pack_row(job->pack,
		    kith_row(query->Z, first + i), own->room + i * p);
		own->left_out[i] = kith_knn_left_out(query, first + i);
	}
}

/* Push a row of the reference for row i of the block, if it is within. */
static inline void
offer(const struct job *job, struct worker *own, size_t i, size_t row, double d)
{
	if (d <= job->found->limit && row != own->left_out[i])
		kith_found_push(&own->list[i], row, d, &own->pool);
}

/* The rows from..to-1, at most ROWS, for row i of the block. */
static void
offer_rows(
    const struct job *job, struct worker *own, size_t i, size_t from, size_t to)
{
	kith_dist_rows(&job->pack->metric, own->z[i],
	    kith_row(&job->pack->X, from), to - from, own->d);
	for (size_t j = from; j < to; j++)
		offer(job, own, i, j, own->d[j - from]);
}

/* One row for row i of the block. */
static void
offer_row(const struct job *job, struct worker *own, size_t i, size_t row)
{
	double d;

	kith_dist_rows(
	    &job->pack->metric, own->z[i], kith_row(&job->pack->X, row), 1, &d);
	offer(job, own, i, row, d);
}

/* All rows of the reference, for rows from..to-1 of the block. */
static void
offer_all(const struct job *job, struct worker *own, size_t from, size_t to)
{
	const size_t n = job->pack->X.n;

	for (size_t j = 0; j < n; j += ROWS)
		for (size_t i = from; i < to; i++)
			offer_rows(job, own, i, j, j + ROWS < n ? j + ROWS : n);
}

static void
plain_block(void *arg, size_t block, size_t thread)
{
	const struct job *job = arg;
	const size_t first = block * QUERIES;
	const size_t left = job->found->query.Z->n - first;
	const size_t m = left < QUERIES ? left : QUERIES;
	struct worker *own = worker_of(job, thread, QUERIES);

	take(job, own, first, m);
	offer_all(job, own, 0, m);
	kith_found_keep(job->found, block, m, own->row, own->list);
}

/* Do all blocks; `work` keeps what each finds. */
static void
work_all(struct job *job, size_t blocks, kith_par_work *work)
{
	struct kith_pool tmp = {0};
	const size_t threads = job->found->query.threads;

	kith_found_begin(job->found, blocks);
	job->own = kith_new(&tmp, threads, sizeof(*job->own));
	kith_par(threads, blocks, work, job);
	for (size_t t = 0; t < threads; t++)
		kith_pool_free(&job->own[t].pool);
	kith_pool_free(&tmp);
}

void
kith_within_plain(const struct kith_knn_pack *pack, struct kith_found *found)
{
	struct job job = {.found = found, .pack = pack};

	work_all(
	    &job, (found->query.Z->n + QUERIES - 1) / QUERIES, plain_block);
}

/* The distances of row i and all of a leaf of the reference, to own->d. */
static void
measure_leaf(
    const struct job *job, struct worker *own, size_t i, size_t l, size_t n)
{
	const size_t p = job->pack->metric.p;

	if (own->leaf != l)
		for (size_t j = 0; j < n; j++)
			memcpy(own->gathered + j * p,
			    kith_row(&job->pack->X,
				job->prune->leaves.row[l * LEAF + j]),
			    p * sizeof(*own->gathered));
	own->leaf = l;
	kith_dist_rows(&job->pack->metric, own->z[i], own->gathered, n, own->d);
}

/* Offer the rows of leaf l, of n, that mask has to row i of the block. */
static void
offer_mask(const struct job *job, struct worker *own, size_t i, size_t l,
    size_t n, uint64_t mask)
{
	const uint32_t *row = job->prune->leaves.row + l * LEAF;
	const bool all = __builtin_popcountll(mask) >= DENSE;

	if (all)
		measure_leaf(job, own, i, l, n);
	for (; mask; mask &= mask - 1) {
		const size_t j = (size_t)__builtin_ctzll(mask);

		if (all)
			offer(job, own, i, row[j], own->d[j]);
		else
			offer_row(job, own, i, row[j]);
	}
}

/* The first n bits. */
static uint64_t
first_bits(size_t n)
{
	return n < LEAF ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* Offer what is in leaf l of the reference to the m rows of leaf q. */
static void
visit(const struct job *job, struct worker *own, size_t q, size_t m, size_t l)
{
	const struct kith_knn_leaves *of = &job->prune->leaves;
	const float *y = job->leaves->y + q * of->count * LEAF;
	const float *x = of->y + l * of->count * LEAF;
	const size_t rest = of->rows - l * LEAF,
		     here = rest < LEAF ? rest : LEAF;
	uint64_t alive, mask[FOUR];

	kith_bound_limits(
	    own->known, of->most[l], job->grow, job->absolute, own->limit);
	alive = first_bits(m) &
	    kith_bound_rows(of, l, y, own->limit, job->absolute);
	while (alive) {
		size_t i[FOUR], n = 0;

		for (; alive && n < FOUR; alive &= alive - 1)
			i[n++] = (size_t)__builtin_ctzll(alive);
		for (size_t r = n; r < FOUR; r++)
			i[r] = i[0];
		kith_bound_four(
		    of->count, x, y, i, own->limit, job->absolute, mask);
		for (size_t r = 0; r < n; r++)
			offer_mask(job, own, i[r], l, here,
			    mask[r] & first_bits(here));
	}
}

/* Take in the rows of leaf q of the query, of m; returns the largest known. */
static float
take_leaf(const struct job *job, struct worker *own, size_t q, size_t m)
{
	const struct kith_knn_leaves *of = job->leaves;
	const double d = job->found->limit *
	    kith_knn_axes_scale(job->prune->axes);
	const double s = job->absolute ? d : sqrt(d);
	float most = 0;

	for (size_t i = 0; i < m; i++) {
		own->row[i] = of->row[q * LEAF + i];
		own->z[i] = job->z[own->row[i]];
		own->left_out[i] = kith_knn_left_out(
		    &job->found->query, own->row[i]);
		own->known[i] = kith_prune_known(s, of->off[q * LEAF + i]);
		most = own->known[i] > most ? own->known[i] : most;
	}
	own->leaf = SIZE_MAX;
	return most;
}

/* Leaf q of the query; behind the leaves, rows far away, one by one. */
static void
leaf_block(void *arg, size_t q, size_t thread)
{
	const struct job *job = arg;
	const struct kith_knn_leaves *of = &job->prune->leaves;
	const struct kith_knn_leaves *mine = job->leaves;
	struct worker *own = worker_of(job, thread, LEAF);
	float low[KITH_KNN_AXES], high[KITH_KNN_AXES], known;
	const size_t rest = mine->rows - (q < mine->leaves ? q * LEAF : 0);
	const size_t m = rest < LEAF ? rest : LEAF;

	if (q >= mine->leaves) {
		take(job, own, mine->beyond[q - mine->leaves], 1);
		offer_all(job, own, 0, 1);
		kith_found_keep(job->found, q, 1, own->row, own->list);
		return;
	}
	if (!own->bound) {
		own->bound = kith_new(&own->pool, of->ld, sizeof(float));
		own->gathered = kith_new(&own->pool, LEAF,
		    job->pack->metric.p * sizeof(*own->gathered));
	}
	known = take_leaf(job, own, q, m);
	for (size_t c = 0; c < of->count; c++) {
		low[c] = mine->low[c * mine->ld + q];
		high[c] = mine->high[c * mine->ld + q];
	}
	kith_bound_boxes(of, low, high, job->absolute, own->bound);
	for (size_t l = 0; l < of->leaves; l++)
		if (own->bound[l] <= kith_prune_limit(known, of->most[l],
					 job->grow, job->absolute))
			visit(job, own, q, m, l);
	kith_found_keep(job->found, q, m, own->row, own->list);
}

void
kith_within_leaves(
    const struct kith_knn_prune *prune, struct kith_found *found, bool own)
{
	struct kith_pool tmp = {0};
	const struct kith_mat *Z = found->query.Z;
	struct kith_knn_leaves leaves;
	struct job job = {.found = found,
	    .pack = prune->pack,
	    .prune = prune,
	    .leaves = &prune->leaves,
	    .absolute = kith_knn_axes_absolute(prune->axes),
	    .grow = kith_prune_grow(prune->axes)};

	if (own)
		job.z = kith_prune_own(prune->pack, Z->n, &tmp);
	else {
		job.z = kith_prune_packed(prune->pack, Z, &tmp);
		leaves = kith_knn_leaves_new(prune->axes, job.z, Z->n, &tmp);
		job.leaves = &leaves;
	}
	work_all(&job, job.leaves->leaves + job.leaves->far, leaf_block);
	kith_pool_free(&tmp);
}

/*
 * What columns j..j+15 of a tile whose first column is row `first` of the
 * reference have for row i of the block: a mask of a byte each.
 */
static void
offer_bytes(const struct job *job, struct worker *own, size_t i, size_t first,
    const uint64_t *mask)
{
	const int count = __builtin_popcountll(mask[0]) +
	    __builtin_popcountll(mask[1]);

	if (count >= MANY) {
		offer_rows(job, own, i, first, first + WIDE);
		return;
	}
	for (size_t h = 0; h < 2; h++)
		for (uint64_t m = mask[h]; m; m &= m - 1)
			offer_row(job, own, i,
			    first + h * WIDE / 2 +
				(size_t)__builtin_ctzll(m) / 8);
}

/* Columns first..first+n-1 for the m rows of the block, from the tile C. */
KITH_CLONES static void
scan(
    const struct job *job, struct worker *own, size_t m, size_t first, size_t n)
{
	const float *low = job->screen->X.low + first;

	for (size_t i = 0; i < m; i++) {
		const float *C = own->C + i * n, limit = own->limit[i];
		size_t j;

		for (j = 0; j + WIDE <= n; j += WIDE) {
			const kith_v16f g = *(const kith_v16f_at *)(C + j) +
			    *(const kith_v16f_at *)(low + j);
			const kith_v16b hit = __builtin_convertvector(
			    (g <= limit) & 1, kith_v16b);
			uint64_t mask[2];

			memcpy(mask, &hit, sizeof(mask));
			if (mask[0] | mask[1])
				offer_bytes(job, own, i, first + j, mask);
		}
		for (; j < n; j++)
			if (C[j] + low[j] <= limit)
				offer_row(job, own, i, first + j);
	}
}

/* No less than scale limit - low_i; of a row far away, below all. */
static float
tile_limit(const struct job *job, float low)
{
	const double limit = job->found->limit * job->screen->scale.scale;

	if (isinf(low))
		return -INFINITY;
	return nextafterf(kith_prune_known(limit, -low), INFINITY);
}

static void
tile_block(void *arg, size_t block, size_t thread)
{
	const struct job *job = arg;
	const struct kith_knn_screen *screen = job->screen;
	const size_t first = block * TILE, n = screen->X.n;
	const size_t left = job->found->query.Z->n - first;
	const size_t m = left < TILE ? left : TILE;
	struct worker *own = worker_of(job, thread, TILE);

	if (!own->C) {
		own->Z = kith_knn_float_room(&screen->scale, TILE, &own->pool);
		own->C = kith_new(&own->pool, TILE, COLUMNS * sizeof(*own->C));
	}
	take(job, own, first, m);
	kith_knn_float_fill(&screen->scale, own->z, m, &own->Z);
	for (size_t i = 0; i < m; i++) {
		own->limit[i] = tile_limit(job, own->Z.low[i]);
		if (isinf(own->Z.low[i]))
			offer_all(job, own, i, i + 1);
	}
	for (size_t j = 0; j < n; j += COLUMNS) {
		const size_t columns = COLUMNS < n - j ? COLUMNS : n - j;

		kith_knn_float_cross(&screen->scale, m, own->Z.A, &screen->X, j,
		    columns, own->C);
		scan(job, own, m, j, columns);
	}
	kith_found_keep(job->found, block, m, own->row, own->list);
}

void
kith_within_tiles(
    const struct kith_knn_screen *screen, struct kith_found *found)
{
	struct job job = {
	    .found = found, .pack = screen->pack, .screen = screen};

	work_all(&job, (found->query.Z->n + TILE - 1) / TILE, tile_block);
}
