/* SPDX-License-Identifier: BSD-2-Clause */
#include "sqpfw/targets.h"

#include "base/par.h"
#include "base/pool.h"
#include "base/sort.h"
#include "la/mat.h"
#include "la/vec.h"
#include "near/heap.h"
#include "near/metric.h"
#include "sqpfw/group_near.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Distances this close, relatively, are tied. */
#define TIED 1e-9

enum {
	SMALL = 200, /* tables of fewer rows: all pairs are compared */
	MORE = 17,   /* neighbours beyond the rank of the target */
	LONG = 256,  /* features of a long row */
	GATHER = 32, /* rows whose distances are computed at a time */
	BLOCK = 8    /* rows of a block of work */
};

/* What was found for the rows of a block. */
struct found {
	struct kith_tie *tie;
	size_t ties;
	size_t *other, others, room;
	struct kith_pool pool;
};

/* Scratch of a thread. */
struct worker {
	double *d;                 /* n */
	double *x;                 /* rows that follow each other */
	uint32_t *row;             /* n */
	struct kith_neighbour *nn; /* k */
};

/* A row has two groups: 2 i its hits, 2 i + 1 its misses. */
struct kith_targets {
	struct kith_mat X; /* scaled by 2^-exponent */
	const size_t *y;
	size_t c, k[2], threads; /* k: rank of the target hit, miss */
	int exponent;

	struct kith_mat packed; /* features that count at w */
	struct kith_metric metric;
	const struct kith_targets_hint *hint;
	struct kith_heap *heap; /* 2 n: neighbours, or NULL */

	struct worker *worker; /* threads */
	struct found *found;   /* blocks */
	size_t blocks;

	double *d; /* 2 n: of the targets */
	struct kith_ties ties;
	struct kith_pool *pool, answer; /* answer: what lives for one call */
};

/* Copy X, scaled by a power of two so that squares stay in range. */
static void
scale(struct kith_targets *t, const struct kith_mat *X)
{
	frexp(kith_vec_largest(X->n * X->p, X->v), &t->exponent);
	t->X = kith_mat_new(t->pool, X->n, X->p);
	for (size_t i = 0; i < X->n * X->p; i++)
		t->X.v[i] = ldexp(X->v[i], -t->exponent);
}

struct kith_targets *
kith_targets_new(const struct kith_mat *X, const size_t *y, size_t c, size_t hits, size_t misses,
    size_t threads, struct kith_pool *pool)
{
	struct kith_targets *t = kith_new(pool, 1, sizeof(*t));
	const size_t k = hits > misses ? hits : misses;

	assert(hits >= 1 && misses >= 1 && threads >= 1 && X->n < UINT32_MAX);
	*t = (struct kith_targets){
	    .y = y, .c = c, .k = {hits, misses}, .threads = threads, .pool = pool};
	scale(t, X);
	t->d = kith_new(pool, X->n, 2 * sizeof(*t->d));
	t->ties.target = kith_new(pool, X->n, 2 * sizeof(*t->ties.target));
	t->blocks = (X->n + BLOCK - 1) / BLOCK;
	t->found = kith_new(pool, t->blocks, sizeof(*t->found));
	t->worker = kith_new(pool, threads, sizeof(*t->worker));
	for (size_t h = 0; h < threads; h++)
		t->worker[h] = (struct worker){kith_new(pool, X->n, sizeof(double)), NULL,
		    kith_new(pool, X->n, sizeof(uint32_t)),
		    kith_new(pool, k, sizeof(struct kith_neighbour))};
	return t;
}

/* Whether row j is of the group g. */
static bool
belongs(const struct kith_targets *t, size_t g, size_t j)
{
	return j != g / 2 && (t->y[j] != t->y[g / 2]) == g % 2;
}

static bool
is_tied(double d, double target)
{
	return d == target || (d >= target * (1 - TIED) && d <= target * (1 + TIED));
}

/* Pack the features of positive weight. */
static void
pack(struct kith_targets *t, const double *w)
{
	const struct kith_metric all = {KITH_SQUARED, t->X.p, w};
	size_t *kept = kith_new(&t->answer, t->X.p, sizeof(*kept));
	const size_t p = kith_dist_kept(&all, kept);

	t->metric = kith_dist_pack(&all, kept, p, &t->answer);
	t->packed = p > 0 ? kith_mat_take(&t->X, kept, p, &t->answer)
			  : (struct kith_mat){t->X.n, 0, t->X.v};
}

static void
add_other(struct found *found, size_t j)
{
	found->other = kith_more(
	    &found->pool, found->other, found->others, &found->room, sizeof(*found->other));
	found->other[found->others++] = j;
}

/*
 * Keep the target of a group, and what is tied with it among n rows (NULL: all
 * of the table) at distances d.
 */
static void
keep(struct kith_targets *t, size_t g, const uint32_t *row, const double *d, size_t n,
    const struct kith_neighbour *target, struct found *found)
{
	struct kith_tie tie = {g / 2, g % 2, 0, found->others, 0};

	t->ties.target[g] = target->row;
	t->d[g] = target->d;
	for (size_t l = 0; l < n; l++) {
		const size_t j = row ? row[l] : l;

		if (!belongs(t, g, j))
			continue;
		if (is_tied(d[l], target->d)) {
			add_other(found, j);
			tie.count++;
		} else if (d[l] < target->d)
			tie.nearer++;
	}
	if (tie.count < 2) {
		found->others = tie.first;
		return;
	}
	kith_sort_sizes(found->other + tie.first, tie.count);
	found->tie[found->ties++] = tie;
}

/* Whether nothing at distance d can be the target or tied with it. */
static bool
is_beyond(double d, double target)
{
	return target * (1 + 2 * TIED) < d;
}

/*
 * Distances of the n rows worker->row from row i, into worker->d.  Short rows
 * are brought together, for several at once are faster then.
 */
static void
measure(const struct kith_targets *t, size_t i, size_t n, const struct worker *worker)
{
	const size_t p = t->packed.p;
	size_t held;

	for (size_t l = 0; l < n && p > LONG; l++)
		kith_dist_rows(&t->metric, kith_row(&t->packed, i),
		    kith_row(&t->packed, worker->row[l]), 1, worker->d + l);
	if (p > LONG)
		return;
	for (size_t l = 0; l < n; l += held) {
		held = n - l < GATHER ? n - l : GATHER;
		for (size_t r = 0; r < held; r++)
			memcpy(worker->x + r * p, kith_row(&t->packed, worker->row[l + r]),
			    p * sizeof(*worker->x));
		kith_dist_rows(&t->metric, kith_row(&t->packed, i), worker->x, held, worker->d + l);
	}
}

/* The target of a group among n rows (NULL: all) at distances worker->d. */
static struct kith_neighbour
find_target(const struct kith_targets *t, size_t g, const uint32_t *row, size_t n,
    const struct worker *worker)
{
	struct kith_heap heap = {worker->nn, t->k[g % 2], 0};

	for (size_t l = 0; l < n; l++) {
		const size_t j = row ? row[l] : l;

		if (kith_heap_accepts(&heap, worker->d[l]) && belongs(t, g, j))
			kith_heap_push(&heap, j, worker->d[l]);
	}
	assert(heap.held == heap.k);
	return heap.nn[0];
}

/*
 * Find the target and the ties of a group among its neighbours; false where
 * others may be tied.
 */
static bool
from_near(struct kith_targets *t, size_t g, const struct worker *worker, struct found *found)
{
	const struct kith_heap *heap = &t->heap[g];
	const struct kith_neighbour *target = &heap->nn[t->k[g % 2] - 1];

	if (heap->held == heap->k && !is_beyond(heap->nn[heap->k - 1].d, target->d))
		return false;
	for (size_t l = 0; l < heap->held; l++) {
		worker->row[l] = (uint32_t)heap->nn[l].row;
		worker->d[l] = heap->nn[l].d;
	}
	keep(t, g, worker->row, worker->d, heap->held, target, found);
	return true;
}

/* The same among the rows of a hint; false where it does not serve. */
static bool
from_hint(struct kith_targets *t, size_t g, const struct worker *worker, struct found *found)
{
	const struct kith_targets_hint *hint = t->hint;
	struct kith_neighbour target;
	double margin;
	const size_t n = hint->ask(hint->of, g / 2, g % 2, worker->row, &margin);

	if (n < t->k[g % 2])
		return false;
	measure(t, g / 2, n, worker);
	target = find_target(t, g, worker->row, n, worker);
	margin = ldexp(margin, -2 * t->exponent);
	if (!is_beyond(target.d + margin, target.d))
		return false;
	keep(t, g, worker->row, worker->d, n, &target, found);
	return true;
}

static bool
from_few(struct kith_targets *t, size_t g, const struct worker *worker, struct found *found)
{
	if (t->heap)
		return from_near(t, g, worker, found);
	return t->hint && from_hint(t, g, worker, found);
}

/* Find the target and the ties of a group among all rows, at worker->d. */
static void
from_all(struct kith_targets *t, size_t g, const struct worker *worker, struct found *found)
{
	const size_t n = t->X.n;
	const struct kith_neighbour target = find_target(t, g, NULL, n, worker);

	keep(t, g, NULL, worker->d, n, &target, found);
}

static void
find_block(void *to, size_t block, size_t thread)
{
	struct kith_targets *t = to;
	const struct worker *worker = &t->worker[thread];
	struct found *found = &t->found[block];
	const size_t end = (block + 1) * BLOCK, n = t->X.n;

	*found = (struct found){0};
	found->tie = kith_new(&found->pool, BLOCK, 2 * sizeof(*found->tie));
	for (size_t i = block * BLOCK; i < end && i < n; i++) {
		const bool few = from_few(t, 2 * i, worker, found);

		if (few && from_few(t, 2 * i + 1, worker, found))
			continue;
		kith_dist_rows(&t->metric, kith_row(&t->packed, i), t->packed.v, n, worker->d);
		if (!few)
			from_all(t, 2 * i, worker, found);
		from_all(t, 2 * i + 1, worker, found);
	}
}

/* Join what the blocks found. */
static void
join(struct kith_targets *t)
{
	struct kith_ties *ties = &t->ties;
	size_t others = 0, groups = 0;

	for (size_t b = 0; b < t->blocks; b++) {
		others += t->found[b].others;
		groups += t->found[b].ties;
	}
	ties->n = 0;
	ties->group = kith_new(&t->answer, groups, sizeof(*ties->group));
	ties->other = kith_new(&t->answer, others, sizeof(*ties->other));
	others = 0;
	for (size_t b = 0; b < t->blocks; b++) {
		const struct found *found = &t->found[b];

		for (size_t g = 0; g < found->ties; g++) {
			ties->group[ties->n] = found->tie[g];
			ties->group[ties->n++].first += others;
		}
		for (size_t m = 0; m < found->others; m++)
			ties->other[others++] = found->other[m];
		kith_pool_free(&t->found[b].pool);
	}
}

const struct kith_ties *
kith_targets_at(struct kith_targets *t, const double *w, const struct kith_targets_hint *hint)
{
	kith_pool_free(&t->answer);
	pack(t, w);
	t->hint = hint;
	t->heap = NULL;
	if (!hint && t->X.n >= SMALL && t->packed.p > 0)
		t->heap = kith_group_near(&t->packed, &t->metric, t->y, t->c,
		    (const size_t[]){t->k[0] + MORE, t->k[1] + MORE}, t->threads, &t->answer);
	for (size_t h = 0; h < t->threads; h++)
		t->worker[h].x = kith_new(&t->answer, GATHER, (t->packed.p + 1) * sizeof(double));
	kith_par_told(t->threads, t->blocks, find_block, t,
	    &(struct kith_par_phase){"certificate", t->X.n, "rows"});
	join(t);
	return &t->ties;
}

double
kith_targets_margin(const struct kith_targets *t, const double *weight)
{
	double sum = 0;

	for (size_t i = 0; i < t->X.n; i++)
		sum += (weight ? weight[i] : 1) * (t->d[2 * i] - t->d[2 * i + 1]);
	return ldexp(sum, 2 * t->exponent);
}

void
kith_targets_free(struct kith_targets *t)
{
	kith_pool_free(&t->answer);
}
