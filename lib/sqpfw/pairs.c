/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ratio test of Lemma 5: the largest tau <= 1 such that no pair of rows passes its
 * target between w and w + tau dw, without looking at all n^2 pairs.
 *
 * 1. Lazy evaluation.  Let L be the length of the path of w so far in the norm
 *    |D|_h^2 = sum D_f^2 / h_f.  A gap a'w changes by at most |a|_h for each unit of L,
 *    where |a|_h^2 = min over c of sum h_f (a_f - c)^2, for 1'D = 0.  So a pair is not
 *    due before L + |a'w| / |a|_h; a calendar queue holds the pairs in that order, and a
 *    step evaluates the pairs due before L + tau |dw|_h, with tau shrinking as it goes on.
 *    h_f = sqrt(sum of the squared movements of w_f): features that hardly move count
 *    little.
 * 2. Candidate lists.  Of the farther pairs of a group only the M first to become tied
 *    are followed.  Let the list be made at w0, with h0 = w0 + floor, target r and inner
 *    pairs q: the nearer ones, and the tied ones if nearer ones and copies of r are fewer
 *    than the rank.  The target stays no farther than r or some q, so no pair outside of
 *    the list is as near as the target while
 *
 *	|w - w0|_h0 < radius = min over j outside (d_ij - d_ir) / (|a_j|_h0 + max |a_q|_h0)
 *
 *    Lists are items of the queue, too: |D|_h0 <= max_f sqrt(h_f / h0_f) |D|_h.  When a list is
 *    due |w - w0| is computed, and the list is made anew only where w + tau dw is outside of the
 *    radius.
 *
 * Points whose rows are equal for every w, such as mirror images, are one pair.
 */
#include "base/par.h"
#include "base/pool.h"
#include "la/vec.h"
#include "near/knn.h"
#include "sqpfw/alike.h"
#include "sqpfw/solver.h"

#include <string.h>

/* Points as far as the target, relative to its distance. */
#define TIED 1e-9
/* A key above all others: its square does not overflow. */
#define KEY_MOST 1e150
/* Keys of points with equal rows differ by no more, relative and absolute. */
#define KEY_ROUNDING 1e-6
#define KEY_ZERO 1e-12
/* Added to weights as the scale of their changes, in units of 1 / p. */
#define FLOOR .1
/* Items are queued earlier than they are due by this share, for rounding. */
#define EARLY 1e-12
/* Share of the past movements that is kept when h is chosen anew. */
#define KEEP .1

enum {
	LIST = 6,       /* points of a candidate list at first, */
	LIST_MANY = 32, /* or so many for more than MANY features */
	MANY = 256,
	LIST_ALL = 64, /* groups up to this size are listed completely */
	OFTEN = 150,   /* a list renewed after fewer iterations doubles */
	PER_PAIR = 4,  /* evaluations of each pair until h is chosen anew */
	PER_BUCKET = 4 /* items of a bucket */
};

/* The calendar queue: a circle of buckets, whose number is a power of two. */

/* The items before this one are candidate lists. */
static uint32_t
first_pair(const struct kith_sqpfw *s)
{
	return (uint32_t)(2 * s->points.n);
}

/* The bucket of the present path length, counted from 0 on. */
static uint64_t
now_of(const struct kith_sqpfw_queue *q)
{
	return (uint64_t)(q->length / q->width);
}

static uint32_t
bucket_of(const struct kith_sqpfw_queue *q, double due)
{
	const uint64_t now = now_of(q), last = now + q->buckets - 1;
	const double bucket = due / q->width;

	if (!(bucket < (double)last))
		return (uint32_t)(last & (q->buckets - 1));
	return (uint32_t)((bucket > (double)now ? (uint64_t)bucket : now) & (q->buckets - 1));
}

/* Queues an item, not queued yet, that is due when the path is longer by `ahead`. */
static void
put(struct kith_sqpfw *s, uint32_t at, double ahead)
{
	struct kith_sqpfw_pair *item = &s->pair[at];
	uint32_t *head;

	if (!(ahead < INFINITY))
		return;
	item->due = s->queue.length + ahead * (1 - EARLY);
	item->bucket = bucket_of(&s->queue, item->due);
	head = &s->queue.head[item->bucket];
	item->earlier = KITH_SQPFW_NONE;
	item->later = *head;
	if (*head != KITH_SQPFW_NONE)
		s->pair[*head].earlier = at;
	*head = at;
}

void
kith_sqpfw_unqueue(struct kith_sqpfw *s, uint32_t at)
{
	struct kith_sqpfw_pair *item = &s->pair[at];

	if (item->bucket == KITH_SQPFW_NONE)
		return;
	if (item->earlier != KITH_SQPFW_NONE)
		s->pair[item->earlier].later = item->later;
	else
		s->queue.head[item->bucket] = item->later;
	if (item->later != KITH_SQPFW_NONE)
		s->pair[item->later].earlier = item->earlier;
	item->bucket = KITH_SQPFW_NONE;
}

/* The buckets that tau times the step goes through, from the present one. */
static size_t
buckets_until(const struct kith_sqpfw_queue *q, double tau)
{
	const double n = floor((q->length + tau * q->step) / q->width) - (double)now_of(q) + 1;

	return n < (double)q->buckets ? (size_t)n : q->buckets;
}

/* Pairs. */

double
kith_sqpfw_gap(const struct kith_sqpfw *s, uint32_t at)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row_of(s, at, 0);
	double out[2];

	kith_sqpfw_kernels_at_level()->row_dot(kith_sqpfw_pad(s->positive), &row, s->w, s->w, out);
	return out[0];
}

static void
measure(struct kith_sqpfw *s, uint32_t at)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row_of(s, at, 0);
	bool tiny;

	s->pair[at].norm = kith_sqpfw_kernels_at_level()->row_norm(s->points.ld, &row, s->h, &tiny);
	if (tiny && kith_alike(s->points.p, row.i, row.j, row.r, s->points.rounding))
		s->pair[at].norm = 0;
}

/* The path until a pair is due, |a'w| / |a|; a pair without a row never is. */
static double
pair_ahead(const struct kith_sqpfw_pair *pair, double gap)
{
	return pair->norm > 0 ? kith_larger(gap * pair->state, 0) / pair->norm : INFINITY;
}

/* Queues a pair anew whose row or state may have changed. */
void
kith_sqpfw_requeue(struct kith_sqpfw *s, uint32_t at)
{
	kith_sqpfw_unqueue(s, at);
	measure(s, at);
	put(s, at, pair_ahead(&s->pair[at], kith_sqpfw_gap(s, at)));
}

static void
grow_pairs(struct kith_sqpfw *s)
{
	const size_t room = s->pair_room ? 2 * s->pair_room : 26 * s->points.n;

	s->pair = kith_grow(s->pool, s->pair, room, sizeof(*s->pair));
	/* A pair may be dropped, found again and evaluated twice in a step. */
	s->seen = kith_grow(s->pool, s->seen, 2 * room, sizeof(*s->seen));
	s->fresh = kith_grow(s->pool, s->fresh, room, sizeof(*s->fresh));
	s->pair_room = room;
}

/* Follows another pair, which is not queued. */
static uint32_t
add_pair(struct kith_sqpfw *s, struct kith_sqpfw_pair pair)
{
	uint32_t at = s->unused;

	if (at != KITH_SQPFW_NONE)
		s->unused = s->pair[at].next;
	else {
		if (s->pairs == s->pair_room)
			grow_pairs(s);
		at = (uint32_t)s->pairs++;
	}
	pair.bucket = KITH_SQPFW_NONE;
	pair.next = s->group[pair.group].pairs;
	s->pair[at] = pair;
	s->group[pair.group].pairs = at;
	return at;
}

static void
drop_pair(struct kith_sqpfw *s, uint32_t at)
{
	uint32_t *from = &s->group[s->pair[at].group].pairs;

	while (*from != at)
		from = &s->pair[*from].next;
	*from = s->pair[at].next;
	kith_sqpfw_unqueue(s, at);
	s->pair[at].group = KITH_SQPFW_NONE;
	s->pair[at].next = s->unused;
	s->unused = at;
}

/* Passes over all points of a group. */

/* The pass of a group: which points come first by
 *	key_j = max(0, d_ij - d_ir) / (norms |a_j| + inner). */
struct pass {
	uint32_t g, r;         /* r: KITH_SQPFW_NONE: d_ir = 0, the distances alone */
	double inner;          /* max |a_q|; with r = NONE: 1 */
	size_t zeros;          /* points whose keys are 0 */
	struct kith_heap heap; /* the points with the smallest keys */
};

/* Passes over several groups by several threads. */
struct batch {
	const struct kith_sqpfw *s;
	struct pass *pass;
	double *v; /* threads x 3 p: scratch */
};

/* Whether a pair of group g has point j, or a point whose row equals that of j. */
static bool
is_followed(const struct kith_sqpfw *s, uint32_t g, size_t j)
{
	uint32_t at = s->group[g].pairs;

	while (at != KITH_SQPFW_NONE && s->pair[at].j != j &&
	    !(s->pair[at].merged && kith_sqpfw_alike(&s->points, g / 2, s->pair[at].j, j)))
		at = s->pair[at].next;
	return at != KITH_SQPFW_NONE;
}

/* Makes pass k. */
static void
pass_over(void *to, size_t k, size_t thread)
{
	const struct batch *batch = to;
	const struct kith_sqpfw *s = batch->s;
	const struct kith_sqpfw_points *points = &s->points;
	struct pass *it = &batch->pass[k];
	const size_t i = it->g / 2, p = points->p, class = s->y[points->first[i]];
	const size_t from = points->start[class], end = points->start[class + 1];
	const bool miss = it->g % 2, norms = it->r != KITH_SQPFW_NONE;
	const double *xi = kith_sqpfw_point(points, i);
	const double *xr = norms ? kith_sqpfw_point(points, it->r) : xi;
	const size_t first = miss ? 0 : from / KITH_SQPFW_PANEL;
	const size_t last = miss ? points->n : end;
	double *v = batch->v + thread * 3 * p;
	/* h0 = w + floor */
	struct kith_sqpfw_measure by = {
	    .v = v, .floor = norms ? s->floor : 0, .inner = it->inner, .most = KEY_MOST};
	struct kith_sqpfw_lanes lanes;

	for (size_t f = 0; f < p; f++) {
		const double x = xi[s->position[f]], e = xr[s->position[f]] - x;

		v[3 * f] = x;
		v[3 * f + 1] = e * e;
		v[3 * f + 2] = s->w_by_feature[f] + by.floor;
		by.sum_h += v[3 * f + 2];
	}
	for (size_t b = first; b * KITH_SQPFW_PANEL < last; b++) {
		const size_t j0 = b * KITH_SQPFW_PANEL;
		uint64_t in;

		if (miss && j0 >= from && j0 + KITH_SQPFW_PANEL <= end)
			continue;
		if (it->heap.held == it->heap.k)
			by.most = it->heap.nn[0].d * (1 + 1e-9);
		in = kith_sqpfw_kernels_at_level()->panel(p, points->panel + j0 * p, &by, &lanes);
		for (; in != 0; in &= in - 1) {
			const size_t l = (size_t)__builtin_ctzll(in), j = j0 + l;
			const double gap = kith_larger(lanes.gap[l], 0);
			const double size = (norms ? sqrt(kith_larger(lanes.norm2[l], 0)) : 0) +
			    it->inner;
			const double key = size > 0 ? gap / size : 0;

			if (j < last && j != i && (j >= from && j < end) != miss &&
			    kith_heap_accepts(&it->heap, key) && !is_followed(s, it->g, j)) {
				it->zeros += key <= KEY_ZERO;
				kith_heap_push(&it->heap, j, key);
			}
		}
	}
	kith_heap_sort(&it->heap);
}

/* Follows the first n points of a pass, of which points with equal rows make one pair, as farther
 * pairs that are not queued; they are added to s->fresh. */
static void
add_pairs(struct kith_sqpfw *s, const struct pass *it, size_t n)
{
	const struct kith_sqpfw_points *points = &s->points;
	const size_t from = s->fresh_n;

	for (size_t k = 0; k < n; k++) {
		const struct kith_neighbour *nn = &it->heap.nn[k];
		const double least = nn->d * (1 - KEY_ROUNDING) - KEY_ZERO;
		const uint32_t j = (uint32_t)nn->row, copies = (uint32_t)points->copies[j];
		size_t l = s->fresh_n;

		/* `due` holds the key of a new pair. */
		while (l > from && s->pair[s->fresh[l - 1]].due >= least &&
		    !kith_sqpfw_alike(points, it->g / 2, s->pair[s->fresh[l - 1]].j, j))
			l--;
		if (l > from && s->pair[s->fresh[l - 1]].due >= least) {
			struct kith_sqpfw_pair *pair = &s->pair[s->fresh[l - 1]];

			pair->copies += copies;
			pair->merged = true;
			pair->j = points->first[j] < points->first[pair->j] ? j : pair->j;
		} else {
			const uint32_t at = add_pair(s,
			    (struct kith_sqpfw_pair){.group = it->g,
				.j = j,
				.copies = copies,
				.state = KITH_SQPFW_FARTHER,
				.due = nn->d});

			s->fresh[s->fresh_n++] = at;
		}
	}
}

/* Follows the points that are no farther than the target of the first weights; false, with a larger
 * heap, where points outside of it may be as near. */
static bool
set_target(struct kith_sqpfw *s, struct pass *it)
{
	struct kith_sqpfw_group *group = &s->group[it->g];
	const struct kith_neighbour *nn = it->heap.nn;
	size_t rows = 0, k = 0, n = it->heap.held, at = s->fresh_n;
	struct kith_sqpfw_pair *pair;
	double limit;

	while (rows < group->rank && k < n)
		rows += s->points.copies[nn[k++].row];
	limit = nn[k - 1].d * (1 + TIED);
	if (n == it->heap.k && nn[n - 1].d <= limit) {
		it->heap.k *= 2;
		return false;
	}
	while (nn[n - 1].d > limit)
		n--;
	add_pairs(s, it, n);
	for (;; at++) {
		pair = &s->pair[s->fresh[at]];
		if (group->nearer + pair->copies >= group->rank)
			break;
		pair->state = KITH_SQPFW_NEARER;
		group->nearer += pair->copies;
	}
	pair->state = KITH_SQPFW_TIED;
	group->target = s->fresh[at];
	group->r = pair->j;
	group->tied = pair->copies;
	return true;
}

/* Candidate lists. */

static double *
list_origin(const struct kith_sqpfw *s, uint32_t g)
{
	return s->listed_w + g * s->points.ld;
}

/* |w + tau dw - w0|_h0 */
static double
list_moved(const struct kith_sqpfw *s, uint32_t g, double tau)
{
	return sqrt(kith_sqpfw_kernels_at_level()->moved(
	    s->points.ld, s->w_by_feature, tau, s->dw_by_feature, list_origin(s, g), s->floor));
}

/* Sets max_f sqrt(h_f / h0_f), by which |D|_h0 exceeds |D|_h at most. */
static void
set_stretch(struct kith_sqpfw *s, uint32_t g)
{
	const double *w0 = list_origin(s, g);
	double ratio = 0;

	for (size_t f = 0; f < s->points.p; f++)
		ratio = kith_larger(ratio, s->h[s->position[f]] / (w0[f] + s->floor));
	s->group[g].stretch = sqrt(ratio);
}

/* The path until a list is due. */
static double
list_ahead(const struct kith_sqpfw *s, uint32_t g)
{
	const struct kith_sqpfw_group *group = &s->group[g];

	if (group->rank == 0 || group->radius == INFINITY)
		return INFINITY;
	return kith_larger(group->radius - list_moved(s, g, 0), 0) / group->stretch;
}

/* Drops the candidates of a group but `keep`, and sets max |a_q|_h0. */
static void
leave_inner(struct kith_sqpfw *s, struct pass *it, const double *h0, uint32_t keep)
{
	const struct kith_sqpfw_group *group = &s->group[it->g];
	const bool ties = group->nearer + s->pair[group->target].copies < group->rank;
	bool tiny;

	for (uint32_t at = group->pairs, next; at != KITH_SQPFW_NONE; at = next) {
		const struct kith_sqpfw_row row = kith_sqpfw_row_of(s, at, 0);
		const struct kith_sqpfw_pair *pair = &s->pair[at];

		next = pair->next;
		if (pair->state > 0 && at != keep)
			drop_pair(s, at);
		else if (pair->state < 0 || (pair->state == 0 && ties))
			it->inner = fmax(it->inner,
			    kith_sqpfw_kernels_at_level()->row_norm(s->points.ld, &row, h0, &tiny));
	}
}

/* Lets the candidates of a group be the first points of a pass.  False, with room for all points that
 * are as near as the target, where the list would end among them. */
static bool
set_list(struct kith_sqpfw *s, struct pass *it)
{
	struct kith_sqpfw_group *group = &s->group[it->g];
	const struct kith_heap *heap = &it->heap;
	size_t n = heap->held;

	group->radius = INFINITY;
	if (n > group->capacity)
		group->radius = heap->nn[group->capacity].d * (1 - KEY_ROUNDING);
	if (group->radius <= KEY_ZERO) {
		group->capacity += (uint32_t)it->zeros;
		it->heap.k = group->capacity + 1;
		return false;
	}
	while (n > 0 && heap->nn[n - 1].d >= group->radius)
		n--;
	memcpy(list_origin(s, it->g), s->w_by_feature, s->points.ld * sizeof(*s->w_by_feature));
	set_stretch(s, it->g);
	add_pairs(s, it, n);
	return true;
}

/*
 * Finds the targets of n groups that have none; makes the candidate lists of n groups that have
 * targets anew at w.  New pairs are in s->fresh.
 */
static void
search_groups(struct kith_sqpfw *s, const uint32_t *groups, size_t n, uint32_t keep)
{
	const size_t threads = s->how->threads;
	struct kith_pool tmp = {0};
	struct batch batch = {.s = s, .pass = kith_new(&tmp, n, sizeof(*batch.pass))};
	double *h0 = kith_new(&tmp, s->points.ld, sizeof(*h0));

	batch.v = kith_new(&tmp, threads, 3 * s->points.p * sizeof(*batch.v));
	for (size_t f = 0; f < s->points.ld; f++)
		h0[f] = s->w[f] + s->floor;
	for (size_t k = 0; k < n; k++) {
		struct kith_sqpfw_group *group = &s->group[groups[k]];
		struct pass *it = &batch.pass[k];

		*it = (struct pass){.g = groups[k], .r = group->r};
		if (group->r == KITH_SQPFW_NONE) {
			it->inner = 1;
			it->heap.k = 2 * group->rank + 2;
			continue;
		}
		if (group->listed_at > 0 && s->iterations - group->listed_at < OFTEN)
			group->capacity *= 2;
		group->listed_at = s->iterations;
		it->heap.k = group->capacity + 1;
		leave_inner(s, it, h0, keep);
	}
	s->fresh_n = 0;
	while (n > 0) {
		const bool first = batch.pass[0].r == KITH_SQPFW_NONE;
		const struct kith_par_phase phase = {"first targets", n, "searches"};
		size_t again = 0;

		for (size_t k = 0; k < n; k++) {
			struct kith_heap *heap = &batch.pass[k].heap;

			heap->nn = kith_new(&tmp, heap->k, sizeof(*heap->nn));
			heap->held = batch.pass[k].zeros = 0;
		}
		kith_par_run(threads, n, pass_over, &batch, first ? &phase : NULL, false);
		for (size_t k = 0; k < n; k++)
			if (!(first ? set_target : set_list)(s, &batch.pass[k]))
				batch.pass[again++] = batch.pass[k];
		n = again;
	}
	kith_pool_free(&tmp);
}

/* Chooses the metric and the buckets of the queue, and queues all pairs and lists. */
static void
shape_queue(struct kith_sqpfw *s)
{
	struct kith_sqpfw_queue *q = &s->queue;
	const size_t p = s->points.p;
	double mean = 0, most = 0, roots = 0;
	size_t n = 0;

	for (size_t f = 0; f < p; f++)
		mean += s->movement[f] / (double)p;
	for (size_t f = 0; f < p && mean > 0; f++)
		most = kith_larger(most, s->movement[f] / mean + .01);
	for (size_t f = 0; f < p && mean > 0; f++) {
		s->h[f] = sqrt((s->movement[f] / mean + .01) / most);
		s->movement[f] *= KEEP;
	}
	for (uint32_t at = 0; at < s->pairs; at++) {
		struct kith_sqpfw_pair *pair = &s->pair[at];

		pair->bucket = KITH_SQPFW_NONE;
		pair->due = INFINITY;
		if (at < first_pair(s)) {
			set_stretch(s, at);
			pair->due = list_ahead(s, at);
		} else if (pair->group != KITH_SQPFW_NONE && pair->state != 0) {
			measure(s, at);
			pair->due = pair_ahead(pair, kith_sqpfw_gap(s, at));
		}
		if (pair->due < INFINITY) {
			roots += sqrt(pair->due);
			n++;
		}
	}
	roots /= (double)(n > 0 ? n : 1);
	q->buckets = 64;
	while (q->buckets < n / PER_BUCKET)
		q->buckets *= 2;
	q->head = kith_grow(s->pool, q->head, q->buckets, sizeof(*q->head));
	for (size_t b = 0; b < q->buckets; b++)
		q->head[b] = KITH_SQPFW_NONE;
	q->width = kith_larger(4 * roots * roots, 1e-3) / (double)q->buckets;
	q->length = 0;
	for (uint32_t at = 0; at < s->pairs; at++)
		put(s, at, s->pair[at].due);
	s->shaped = s->evaluated;
}

/* Finds the targets under w, and all lists. */
void
kith_sqpfw_pairs_begin(struct kith_sqpfw *s)
{
	const size_t groups = 2 * s->points.n, p = s->points.p;
	size_t n = 0;

	s->unused = KITH_SQPFW_NONE;
	s->floor = FLOOR / (double)p;
	s->lists = kith_new(s->pool, groups, sizeof(*s->lists));
	s->listed_w = kith_new(s->pool, groups, s->points.ld * sizeof(*s->listed_w));
	grow_pairs(s);
	s->pairs = groups;
	for (uint32_t g = 0; g < groups; g++) {
		const size_t class = s->y[s->points.first[g / 2]];
		const size_t own = s->points.start[class + 1] - s->points.start[class];
		const size_t size = g % 2 ? s->points.n - own : own - 1;

		s->group[g].pairs = s->group[g].r = KITH_SQPFW_NONE;
		s->group[g].capacity = size <= LIST_ALL ? LIST_ALL : p > MANY ? LIST_MANY : LIST;
		if (s->group[g].rank > 0)
			s->lists[n++] = g;
	}
	search_groups(s, s->lists, n, KITH_SQPFW_NONE);
	search_groups(s, s->lists, n, KITH_SQPFW_NONE);
	shape_queue(s);
}

/* The ratio test. */

static double
test_weights(const struct kith_sqpfw *s, double tau, struct kith_sqpfw_change *block)
{
	const double still = 1e-15 * kith_larger(1, s->dw_norm);

	for (size_t f = 0; f < s->positive; f++) {
		const double d = -s->dw[f];

		if (!(d > still) || !(s->w[f] < tau * d) || kith_sqpfw_weight_depends(s, f, d))
			continue;
		/* tau = w_f / -dw_f */
		tau = kith_larger(s->w[f] / d, 0);
		*block = (struct kith_sqpfw_change){.what = KITH_SQPFW_FIX, .which = (uint32_t)f};
	}
	return tau;
}

/* Evaluates a pair; tau, or the smaller tau at which the pair blocks. */
static double
test_pair(struct kith_sqpfw *s, uint32_t at, double tau, struct kith_sqpfw_change *block)
{
	const struct kith_sqpfw_row row = kith_sqpfw_row_of(s, at, 0);
	const double state = s->pair[at].state;
	double out[2], gap, nearing;

	kith_sqpfw_kernels_at_level()->row_dot(kith_sqpfw_pad(s->positive), &row, s->w, s->dw, out);
	s->seen[s->seen_n++] = (struct kith_sqpfw_seen){out[0], out[1], at};
	gap = kith_larger(out[0] * state, 0);
	nearing = -out[1] * state;
	if (!(nearing > 0) || !(gap < tau * nearing) || kith_sqpfw_depends(s, at, nearing))
		return tau;
	*block = (struct kith_sqpfw_change){.what = KITH_SQPFW_TIE, .which = at};
	/* tau = |a'w| / -|a'w|' */
	return gap / nearing;
}

/* Makes the lists anew that w + tau dw would leave, and tests their new pairs. */
static double
test_lists(struct kith_sqpfw *s, double tau, struct kith_sqpfw_change *block)
{
	const uint32_t keep = block->what == KITH_SQPFW_TIE ? block->which : KITH_SQPFW_NONE;
	const double scale = 1 / s->dw_norm;
	size_t n = 0;

	for (size_t k = 0; k < s->lists_n; k++) {
		const uint32_t g = s->lists[k];

		if (list_moved(s, g, tau) >= s->group[g].radius) {
			s->lists[k] = s->lists[n];
			s->lists[n++] = g;
		}
	}
	if (n == 0)
		return tau;
	search_groups(s, s->lists, n, keep);
	for (size_t k = 0; k < s->fresh_n; k++) {
		measure(s, s->fresh[k]);
		tau = test_pair(s, s->fresh[k], tau, block);
	}
	for (size_t k = 0; k < n; k++) {
		/* The list was made at w: |tau dw|_h0 = radius */
		const uint32_t g = s->lists[k];
		const double reach = s->group[g].radius * scale / list_moved(s, g, scale);

		if (reach < tau) {
			tau = reach;
			block->what = KITH_SQPFW_NOTHING;
		}
	}
	return tau;
}

/* Sets what is known of a step D over P: its lengths and dw_by_feature. */
static void
set_step(struct kith_sqpfw *s, const double *D)
{
	double all = 0, by_h = 0;

	/* |D|_h^2 = sum D_f^2 / h_f */
	for (size_t f = 0; f < s->positive; f++) {
		all += D[f] * D[f];
		by_h += D[f] * D[f] / s->h[f];
		s->dw_by_feature[s->feature[f]] = D[f];
	}
	s->dw_norm = sqrt(all);
	s->queue.step = sqrt(by_h);
}

/*
 * Takes the items of bucket b, counted from the present one, that are due up to tau times the step:
 * lists into s->lists, and pairs are tested.  Items that only wait in the bucket, being due after
 * the horizon, are queued again.
 */
static double
test_bucket(struct kith_sqpfw *s, size_t b, double tau, struct kith_sqpfw_change *block)
{
	const struct kith_sqpfw_queue *q = &s->queue;
	const uint32_t bucket = (uint32_t)((now_of(q) + b) & (q->buckets - 1));
	const double limit = q->length + tau * q->step;

	for (uint32_t at = q->head[bucket], later; at != KITH_SQPFW_NONE; at = later) {
		const double due = s->pair[at].due;

		later = s->pair[at].later;
		if (due > limit && bucket_of(q, due) == bucket)
			continue;
		kith_sqpfw_unqueue(s, at);
		if (due > limit)
			put(s, at, (due - q->length) / (1 - EARLY));
		else if (at < first_pair(s))
			s->lists[s->lists_n++] = at;
		else
			tau = test_pair(s, at, tau, block);
	}
	return tau;
}

/* The largest step tau <= most along dw, and what blocks it. */
double
kith_sqpfw_ratio_test(struct kith_sqpfw *s, double most, struct kith_sqpfw_change *block)
{
	double tau;

	if (s->evaluated - s->shaped >
	    PER_PAIR * (double)(s->pairs - first_pair(s)) * (double)s->points.p)
		shape_queue(s);
	set_step(s, s->dw);
	s->seen_n = s->lists_n = 0;
	block->what = KITH_SQPFW_NOTHING;
	tau = test_weights(s, most, block);
	for (size_t b = 0; b < buckets_until(&s->queue, tau); b++)
		tau = test_bucket(s, b, tau, block);
	return test_lists(s, tau, block);
}

/* w += tau dw */
void
kith_sqpfw_move(struct kith_sqpfw *s, double tau)
{
	for (size_t f = 0; f < s->positive; f++) {
		s->w[f] = kith_larger(s->w[f] + tau * s->dw[f], 0);
		s->w_by_feature[s->feature[f]] = s->w[f];
		s->movement[f] += s->dw[f] * (tau * s->dw[f] / s->queue.step);
		s->dw[f] *= 1 - tau;
	}
	s->evaluated += (double)s->seen_n * (double)s->positive;
	s->queue.length += tau * s->queue.step;
	for (size_t k = 0; k < s->lists_n; k++)
		put(s, s->lists[k], list_ahead(s, s->lists[k]));
	/* Where a pair was dropped and found again, its last evaluation counts. */
	for (size_t k = s->seen_n; k-- > 0;) {
		const uint32_t at = s->seen[k].pair;
		const struct kith_sqpfw_pair *pair = &s->pair[at];

		if (pair->group != KITH_SQPFW_NONE && pair->state != 0 &&
		    pair->bucket == KITH_SQPFW_NONE)
			put(s, at, pair_ahead(pair, s->seen[k].gap + tau * s->seen[k].change));
	}
}

/* w += D, a short step over P. */
void
kith_sqpfw_jump(struct kith_sqpfw *s, const double *D)
{
	set_step(s, D);
	for (size_t f = 0; f < s->positive; f++)
		s->w_by_feature[s->feature[f]] = s->w[f] += D[f];
	s->queue.length += s->queue.step;
	for (uint32_t at = 0; at < s->pairs; at++) {
		if (!kith_sqpfw_is_due(s, at, s->queue.length))
			continue;
		if (at >= first_pair(s))
			kith_sqpfw_requeue(s, at);
		else {
			kith_sqpfw_unqueue(s, at);
			put(s, at, list_ahead(s, at));
		}
	}
}

/* The path length up to which pairs are due that w could tie if it moved by `range`. */
double
kith_sqpfw_due_within(const struct kith_sqpfw *s, double range)
{
	double least = INFINITY;

	for (size_t f = 0; f < s->points.p; f++)
		least = kith_lesser(least, s->h[f]);
	return s->queue.length + range / sqrt(least);
}
