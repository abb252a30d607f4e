#include "sqpfw/list.h"

#include "base/par.h"
#include "base/pool.h"
#include "near/near.h"
#include "sqpfw/item.h"
#include "sqpfw/scan.h"

#include <math.h>
#include <string.h>

enum {
	FEW = 16,    /* points in a list at first */
	MORE = 32,   /* the same, of many features */
	MANY = 256,  /* features */
	ALL = 64,    /* groups up to this size are listed whole */
	OFTEN = 150, /* a list made again after fewer iterations is doubled */
	BLOCK = 8    /* lists that a thread makes at a time */
};

/* The work that is worth starting threads, in features of pairs. */
#define WORTH 4e6
/* What is this near to the radius is not in a list, to be sure of the rest. */
#define MARGIN 1e-6
/* A list does not end among pairs as near to the target as this. */
#define TIGHT 1e-12
/* Added to weights as scales of their changes, in units of 1 / p. */
#define FLOOR .1

struct job {
	struct kith_near near;
	double more;
	uint32_t group;
};

/* Added to the sizes of rows, in units of the distance of the target: so much
 * farther than the target is what a list leaves out, for each unit of w. */
#define SLACK 1e-3

/* An item of a list to be. */
struct pick {
	double key;
	uint32_t j, copies;
	bool several, there;
};

struct kith_sqpfw_lists {
	struct job *job;
	size_t jobs;               /* room for */
	struct kith_neighbour *nn; /* of all jobs */
	size_t neighbours;         /* room for */
	double *room;              /* 3 p for each thread */
	struct pick *pick;
	size_t picks; /* room for */
	uint32_t *again;
};

/* How many points a group has. */
static size_t
size_of(const struct kith_sqpfw *s, uint32_t group)
{
	const size_t *start = s->points.start, y = s->points.of[group / 2];
	const size_t own = start[y + 1] - start[y];

	return group % 2 ? s->points.n - own : own - 1;
}

void
kith_sqpfw_list_start(struct kith_sqpfw *s)
{
	const size_t few = s->points.p > MANY ? MORE : FEW;

	s->making = kith_new(s->pool, 1, sizeof(*s->making));
	s->making->room = kith_new(s->pool, s->how->threads,
	    3 * s->points.p * sizeof(*s->making->room));
	s->floor = FLOOR / (double)s->points.p;
	for (uint32_t g = 0; g < 2 * s->points.n; g++) {
		const size_t all = size_of(s, g);

		s->group[g].most = (uint32_t)(all <= ALL ? all : few);
	}
}

/* What the squares of the changes of a weight are divided by. */
static double
scale_of(const struct kith_sqpfw *s, double made)
{
	return made + s->floor;
}

double
kith_sqpfw_list_moved(const struct kith_sqpfw *s, uint32_t group, double tau)
{
	return sqrt(kith_sqpfw_moved(s->points.ld, s->wf, tau, s->df,
	    s->made_at + group * s->points.ld, s->floor));
}

double
kith_sqpfw_list_leave(const struct kith_sqpfw *s, uint32_t g)
{
	const double *from = s->made_at + g * s->points.ld;
	const double radius = s->group[g].radius;
	double a = 0, b = 0, c = -radius * radius;

	for (size_t f = 0; f < s->points.p; f++) {
		const double d = s->wf[f] - from[f];
		const double h = scale_of(s, from[f]);

		a += s->df[f] * s->df[f] / h;
		b += d * s->df[f] / h;
		c += d * d / h;
	}
	return c >= 0 ? 0 : (sqrt(b * b - a * c) - b) / a;
}

double
kith_sqpfw_list_ahead(const struct kith_sqpfw *s, uint32_t group)
{
	const double radius = s->group[group].radius;
	const double *from = s->made_at + group * s->points.ld;

	if (!(radius < INFINITY))
		return INFINITY;
	return fmax(radius - kith_sqpfw_list_moved(s, group, 0), 0) *
	    kith_sqpfw_slowest(s->points.ld, s->list_scale, from, s->floor);
}

void
kith_sqpfw_list_put(struct kith_sqpfw *s, uint32_t group)
{
	if (s->group[group].radius < INFINITY)
		kith_sqpfw_queue_put(
		    &s->lists, group, kith_sqpfw_list_ahead(s, group));
}

enum { TAKEN = 16 };

/* The items of a group that are nearer than the target or tied. */
struct taken {
	const struct kith_sqpfw *s;
	uint32_t group;
	uint32_t item[TAKEN];
	size_t n; /* more than TAKEN: not in item[] */
};

static struct taken
find_taken(const struct kith_sqpfw *s, uint32_t group)
{
	struct taken taken = {.s = s, .group = group};
	uint32_t at = s->group[group].first;

	for (; at != KITH_SQPFW_NONE; at = s->item[at].sibling)
		if (s->item[at].state <= 0) {
			if (taken.n < TAKEN)
				taken.item[taken.n] = at;
			taken.n++;
		}
	return taken;
}

/* Whether j is, or goes with, an item. */
static bool
is_item(
    const struct kith_sqpfw *s, const struct kith_sqpfw_item *item, size_t j)
{
	return item->j == j ||
	    (item->several &&
		kith_sqpfw_item_same(s, item->group / 2, item->j, j));
}

static bool
is_taken(const void *of, size_t j)
{
	const struct taken *taken = of;
	const struct kith_sqpfw *s = taken->s;
	uint32_t at = s->group[taken->group].first;

	if (taken->n <= TAKEN) {
		for (size_t k = 0; k < taken->n; k++)
			if (is_item(s, &s->item[taken->item[k]], j))
				return true;
		return false;
	}
	for (; at != KITH_SQPFW_NONE; at = s->item[at].sibling)
		if (s->item[at].state <= 0 && is_item(s, &s->item[at], j))
			return true;
	return false;
}

struct batch {
	const struct kith_sqpfw *s;
	size_t n;
};

static void
search(void *to, size_t block, size_t thread)
{
	const struct batch *batch = to;
	const struct kith_sqpfw *s = batch->s;
	double *room = s->making->room + thread * 3 * s->points.p;

	for (size_t k = block * BLOCK; k < (block + 1) * BLOCK && k < batch->n;
	     k++) {
		struct job *job = &s->making->job[k];
		const struct taken taken = find_taken(s, job->group);
		const struct kith_sqpfw_scan scan = {
		    &s->points, s->wf, job->group / 2, job->group % 2};

		kith_sqpfw_scan_safest(&scan, s->group[job->group].r, s->floor,
		    job->more, is_taken, &taken, room, &job->near);
		kith_near_sort(&job->near);
	}
}

/* The size of an item's row by the scales of changes. */
static double
size_by_scale(const struct kith_sqpfw *s, const struct kith_sqpfw_item *item)
{
	const struct kith_sqpfw_pair pair = kith_sqpfw_pair(s, item);
	double all = 0, sum = 0, square = 0;

	for (size_t k = 0; k < s->points.p; k++) {
		const double h = scale_of(s, s->w[k]);
		const double a = (pair.j[k] - pair.r[k]) *
		    ((pair.j[k] - pair.i[k]) + (pair.r[k] - pair.i[k]));

		all += h;
		sum += h * a;
		square += h * a * a;
	}
	return sqrt(fmax(square * (1 + 1e-13) - sum * (sum / all), 0));
}

/*
 * Look at the pairs that, with the target, are so many that none but they can
 * be the target: the nearer ones, and where these and the copies of the target
 * do not do, the tied ones.  Returns the largest of their sizes; group->over
 * receives by how much one of them is farther than the target, for drift.
 */
static double
largest_taken(struct kith_sqpfw *s, uint32_t g)
{
	struct kith_sqpfw_group *group = &s->group[g];
	const bool do_nearer = group->nearer + s->item[group->target].copies >=
	    group->need;
	double most = 0;

	group->over = 0;
	for (uint32_t at = group->first; at != KITH_SQPFW_NONE;
	     at = s->item[at].sibling) {
		struct kith_sqpfw_pair pair;
		double gap[2];

		if (s->item[at].state >= (do_nearer ? 0 : 1))
			continue;
		most = fmax(most, size_by_scale(s, &s->item[at]));
		pair = kith_sqpfw_pair(s, &s->item[at]);
		kith_sqpfw_rows_at(
		    kith_sqpfw_room(s->positive), &pair, s->w, s->w, gap);
		group->over = fmax(group->over, gap[0]);
	}
	return most;
}

/* The distance of the target of a group. */
static double
of_target(const struct kith_sqpfw *s, uint32_t g)
{
	const double *x = kith_sqpfw_point(&s->points, g / 2);
	const double *z = kith_sqpfw_point(&s->points, s->group[g].r);
	double d = 0;

	for (size_t f = 0; f < s->positive; f++)
		d += s->w[f] * ((x[f] - z[f]) * (x[f] - z[f]));
	return d;
}

/* Have jobs for n groups, and search. */
static void
search_all(struct kith_sqpfw *s, const uint32_t *group, size_t n)
{
	struct kith_sqpfw_lists *lists = s->making;
	struct batch batch = {s, n};
	size_t need = 0, at = 0;
	bool worth;

	for (size_t k = 0; k < n; k++)
		need += s->group[group[k]].most + 1;
	if (n > lists->jobs) {
		lists->jobs = 2 * n;
		lists->job = kith_grow(
		    s->pool, lists->job, lists->jobs, sizeof(*lists->job));
		lists->again = kith_grow(
		    s->pool, lists->again, lists->jobs, sizeof(*lists->again));
	}
	if (need > lists->neighbours) {
		lists->neighbours = 2 * need;
		lists->nn = kith_grow(
		    s->pool, lists->nn, lists->neighbours, sizeof(*lists->nn));
	}
	for (size_t k = 0; k < n; k++) {
		const size_t most = s->group[group[k]].most + 1;

		lists->job[k] = (struct job){
		    {lists->nn + at, most, 0}, 0, group[k]};
		at += most;
		s->group[group[k]].slack = SLACK * of_target(s, group[k]);
		lists->job[k].more = largest_taken(s, group[k]) +
		    s->group[group[k]].slack;
	}
	worth = (double)n * (double)s->points.n * (double)s->points.p > WORTH;
	kith_par(worth ? s->how->threads : 1, (n + BLOCK - 1) / BLOCK, search,
	    &batch);
}

/* Join a point to the picks held, as one of its own or with another. */
static size_t
join(struct kith_sqpfw *s, uint32_t group, const struct kith_neighbour *nn,
    size_t held)
{
	struct pick *pick = s->making->pick;
	const size_t *first = s->points.first, j = nn->row;

	for (size_t k = held; k-- > 0;) {
		if (pick[k].key < nn->d * (1 - MARGIN) - TIGHT)
			break;
		if (!kith_sqpfw_item_same(s, group / 2, pick[k].j, j))
			continue;
		pick[k].copies += (uint32_t)s->points.copies[j];
		pick[k].several = true;
		if (first[j] < first[pick[k].j])
			pick[k].j = (uint32_t)j;
		return held;
	}
	pick[held] = (struct pick){
	    nn->d, (uint32_t)j, (uint32_t)s->points.copies[j], false, false};
	return held + 1;
}

/* Let the items of a group be those picked, and `keep`. */
static void
exchange(struct kith_sqpfw *s, uint32_t group, size_t held, uint32_t keep)
{
	struct pick *pick = s->making->pick;
	uint32_t at = s->group[group].first, next;

	for (; at != KITH_SQPFW_NONE; at = next) {
		size_t k = 0;

		next = s->item[at].sibling;
		if (s->item[at].state <= 0)
			continue;
		while (k < held && pick[k].j != s->item[at].j)
			k++;
		if (k < held)
			pick[k].there = true;
		else if (at != keep)
			kith_sqpfw_item_drop(s, at);
	}
	for (size_t k = 0; k < held; k++) {
		if (pick[k].there)
			continue;
		at = kith_sqpfw_item_new(s, group, pick[k].j, 1);
		s->item[at].copies = pick[k].copies;
		s->item[at].several = pick[k].several;
		kith_sqpfw_item_measure(s, at);
		s->fresh[s->fresh_n++] = at;
	}
}

/* Make a list of what was found; false where it has to be longer. */
static bool
settle(struct kith_sqpfw *s, struct job *job, uint32_t keep)
{
	struct kith_sqpfw_group *group = &s->group[job->group];
	const struct kith_near *near = &job->near;
	size_t held = 0;

	group->radius = INFINITY;
	if (near->held > group->most)
		group->radius = near->nn[group->most].d * (1 - MARGIN);
	if (group->radius <= TIGHT) {
		group->most *= 2;
		return false;
	}
	if (near->held > s->making->picks) {
		s->making->picks = 2 * near->held;
		s->making->pick = kith_grow(s->pool, s->making->pick,
		    s->making->picks, sizeof(*s->making->pick));
	}
	for (size_t k = 0;
	     k < near->held && k < group->most && near->nn[k].d < group->radius;
	     k++)
		held = join(s, job->group, &near->nn[k], held);
	exchange(s, job->group, held, keep);
	memcpy(s->made_at + job->group * s->points.ld, s->wf,
	    s->points.ld * sizeof(*s->wf));
	return true;
}

void
kith_sqpfw_list_make(
    struct kith_sqpfw *s, const uint32_t *groups, size_t n, uint32_t keep)
{
	s->fresh_n = 0;
	for (size_t k = 0; k < n; k++) {
		struct kith_sqpfw_group *group = &s->group[groups[k]];

		if (group->made && s->iterations - group->made < OFTEN)
			group->most *= 2;
		group->made = s->iterations;
	}
	while (n > 0) {
		size_t left = 0;

		search_all(s, groups, n);
		for (size_t k = 0; k < n; k++)
			if (!settle(s, &s->making->job[k], keep))
				s->making->again[left++] = s->making->job[k]
							       .group;
		groups = s->making->again;
		n = left;
	}
}
