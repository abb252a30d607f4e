#include "sqpfw.h"

#include "pool.h"
#include "sqpfw_item.h"
#include "sqpfw_state.h"
#include "sqpfw_step.h"
#include "ties.h"

#include <math.h>
#include <stdlib.h>

/* Pairs as far as the target, relative to its distance. */
#define TIED 1e-9

/* What goes into struct kith_ties. */
struct writer {
	struct kith_sqpfw *s;
	struct kith_ties *ties;
	struct kith_pool *pool;
	size_t pairs, room, groups_room;
	size_t *second; /* the second row of each point */
};

struct pair {
	size_t other, copies;
};

static int
by_other(const void *a, const void *b)
{
	const struct pair *s = a, *t = b;

	return (s->other > t->other) - (s->other < t->other);
}

/* A row equal to this one, other than itself. */
static size_t
copy_of(const struct writer *to, size_t row)
{
	const size_t i = to->s->points.point[row];
	const size_t first = to->s->points.first[i];

	return first == row ? to->second[i] : first;
}

static double
distance(const struct kith_sqpfw *s, size_t i, size_t j)
{
	const double *x = kith_sqpfw_point(&s->points, i);
	const double *z = kith_sqpfw_point(&s->points, j);
	double d = 0;

	for (size_t f = 0; f < s->positive; f++)
		d += s->w[f] * ((x[f] - z[f]) * (x[f] - z[f]));
	return d;
}

/* All points that an item stands for. */
static size_t
members(const struct kith_sqpfw *s, const struct kith_sqpfw_item *item,
    struct pair *pair)
{
	const struct kith_sqpfw_points *points = &s->points;
	const size_t i = item->group / 2;
	size_t n = 0;

	for (size_t j = 0; j < points->n; j++)
		if (j != i &&
		    (points->of[j] != points->of[i]) == item->group % 2 &&
		    (j == item->j ||
			(item->several &&
			    kith_sqpfw_item_same(s, i, item->j, j))))
			pair[n++] = (struct pair){
			    points->first[j], points->copies[j]};
	return n;
}

/* The pairs tied in a group; nearer receives the rows nearer than those. */
static size_t
tied(const struct kith_sqpfw *s, size_t g, struct pair *pair, size_t *nearer)
{
	const struct kith_sqpfw_group *group = &s->group[g];
	const double limit = TIED * distance(s, g / 2, group->r);
	size_t n = 0;

	*nearer = 0;
	for (uint32_t at = group->first; at != KITH_SQPFW_NONE;
	     at = s->item[at].sibling) {
		const struct kith_sqpfw_item *item = &s->item[at];
		const struct kith_sqpfw_pair rows = kith_sqpfw_pair(s, item);
		double gap[2];

		kith_sqpfw_rows_at(
		    kith_sqpfw_room(s->positive), &rows, s->w, s->w, gap);
		if (item->state == 0 || fabs(gap[0]) <= limit) {
			if (item->several)
				n += members(s, item, pair + n);
			else
				pair[n++] = (struct pair){
				    s->points.first[item->j], item->copies};
		} else if (item->state < 0)
			*nearer += item->copies;
	}
	qsort(pair, n, sizeof(*pair), by_other);
	return n;
}

static void
write_group(
    struct writer *to, const struct kith_tie *tie, const struct pair *pair)
{
	struct kith_ties *ties = to->ties;

	if (ties->n == to->groups_room) {
		to->groups_room = 2 * to->groups_room + 16;
		ties->group = kith_grow(to->pool, ties->group, to->groups_room,
		    sizeof(*ties->group));
	}
	if (to->pairs + tie->count > to->room) {
		to->room = 2 * (to->room + tie->count);
		ties->other = kith_grow(
		    to->pool, ties->other, to->room, sizeof(*ties->other));
		ties->copies = kith_grow(
		    to->pool, ties->copies, to->room, sizeof(*ties->copies));
	}
	ties->group[ties->n] = *tie;
	ties->group[ties->n++].first = to->pairs;
	for (size_t k = 0; k < tie->count; k++) {
		ties->other[to->pairs] = pair[k].other;
		ties->copies[to->pairs++] = pair[k].copies;
	}
}

/* A group of a row.  Rows equal to it are its nearest hits. */
static void
write_row(struct writer *to, size_t row, size_t miss, struct pair *pair)
{
	const struct kith_sqpfw *s = to->s;
	const size_t i = s->points.point[row], g = 2 * i + miss;
	const size_t own = miss ? 0 : s->points.copies[i] - 1;
	struct kith_tie tie = {.row = row, .miss = miss};

	if (s->group[g].need == 0) {
		to->ties->target[2 * row] = copy_of(to, row);
		return;
	}
	to->ties->target[2 * row + miss] = s->points.first[s->group[g].r];
	tie.count = tied(s, g, pair, &tie.nearer);
	if (own > 0 && distance(s, i, s->group[g].r) > 0)
		tie.nearer += own;
	else if (own > 0) {
		pair[tie.count++] = (struct pair){copy_of(to, row), own};
		qsort(pair, tie.count, sizeof(*pair), by_other);
	}
	if (tie.count > 1)
		write_group(to, &tie, pair);
}

void
kith_sqpfw_ties(
    struct kith_sqpfw *s, struct kith_ties *ties, struct kith_pool *pool)
{
	struct kith_pool tmp = {0};
	struct writer to = {.s = s,
	    .ties = ties,
	    .pool = pool,
	    .second = kith_new(&tmp, s->points.n, sizeof(*to.second))};
	struct pair *pair = kith_new(&tmp, s->points.n, sizeof(*pair));

	for (size_t row = 0; row < s->points.rows; row++)
		if (s->points.first[s->points.point[row]] != row)
			to.second[s->points.point[row]] = row;
	kith_sqpfw_step_look(s);
	*ties = (struct kith_ties){.target = kith_new(pool, s->points.rows,
				       2 * sizeof(*ties->target))};
	for (size_t row = 0; row < s->points.rows; row++)
		for (size_t miss = 0; miss < 2; miss++)
			write_row(&to, row, miss, pair);
	kith_pool_free(&tmp);
}
