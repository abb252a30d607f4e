/*
 * sqpfw/state - what the rooms of sqpfw/sqpfw.h share.
 *
 * Every point has two groups, hits and misses; a group's pairs that matter are
 * items: those nearer than its target, those tied with it, and a list of those
 * farther that might become near first.  w may move by `radius` from where the
 * list was made before any other pair can be as near as the target.
 *
 * Vectors run by position, the features of positive weight first: of w and the
 * direction dw, what lies behind them is 0.
 */
#ifndef KITH_SQPFW_STATE_H
#define KITH_SQPFW_STATE_H

#include "base/pool.h"
#include "sqpfw/points.h"
#include "sqpfw/qr.h"
#include "sqpfw/queue.h"
#include "sqpfw/rows.h"
#include "sqpfw/sqpfw.h"

#include <math.h>
#include <stdint.h>

#define KITH_SQPFW_FREE 2 /* a state: no item */

enum { KITH_SQPFW_NOTES = 64 }; /* features noted, at most */

/* Half a line of cache: what a step looks at comes from everywhere. */
struct kith_sqpfw_item {
	double size;      /* of its row, by s->scale */
	uint32_t place;   /* in the queue */
	uint32_t sibling; /* the next item of its group */
	uint32_t group, j;
	uint32_t copies; /* rows that it stands for */
	int8_t state;    /* -1 nearer, 0 tied, 1 farther */
	int8_t was;      /* of a tied one: the state before */
	bool several;    /* points, with the same row for every w */
};

struct kith_sqpfw_group {
	double radius;
	uint32_t place;  /* of its list, in the queue */
	uint32_t first;  /* its items */
	uint32_t target; /* one of the tied, */
	uint32_t r;      /* and its j */
	uint32_t need;   /* the target is the so many-th; 0: d is always 0 */
	uint32_t nearer, tied; /* rows */
	uint32_t most;         /* points in the list, when it is made */
	size_t made;           /* iteration */
	double slack, over;    /* of its list (sqpfw/list.h) */
};

/* A pair that was looked at in a step: row'w and row'dw. */
struct kith_sqpfw_seen {
	double gap, change;
	uint32_t item;
};

struct kith_sqpfw {
	const struct kith_mat *X;
	const size_t *of; /* class of each row */
	size_t classes;
	const struct kith_sqpfw_how *how;
	struct kith_pool own;   /* of all that follows, after kith_sqpfw_go() */
	struct kith_pool *pool; /* own, or the caller's */
	struct kith_sqpfw_points points;
	double theta; /* in units of the points */
	double given; /* the caller's theta where it said so; else NaN */

	/* By position, room for points.ld. */
	double *w, *dw, *prior; /* dw is qr.d */
	double *g;              /* gradient of the mean of d - e */
	double *a, *r, *alpha;  /* scratch */
	size_t *feature;        /* of each position */
	size_t *place;          /* of each feature: its position */
	size_t positive;        /* |P| */
	double *wf, *df;        /* w and dw by feature (p) */
	double dw_norm;         /* of dw, */
	double norm, list_norm; /* and by the two scales */
	bool stale;             /* dw and qr.z are not those of w and theta */
	double none, most;      /* dw counts as 0; its largest since it did */
	size_t exchanges;       /* targets that g has been changed for */

	struct kith_sqpfw_item *item;
	size_t items, room; /* in use or free; room for */
	uint32_t free;      /* the first free one; siblings follow */
	struct kith_sqpfw_group *group; /* 2 points.n: hits, misses of each */
	double *made_at;                /* w by feature, of each group's list */
	struct kith_sqpfw_queue pairs, lists;

	/*
	 * The length of D is sqrt(sum D^2 / scale): for the path of the pairs
	 * by position, for that of the lists by feature (sqpfw/scale.h).
	 */
	double *scale, *list_scale;
	double *spent; /* by position: of what the path was made */
	double least;  /* of the scales */
	double floor;  /* added to weights, as scales of their changes */
	double looks;  /* since the scale was made, in features */
	size_t list_looks;

	struct kith_sqpfw_seen *seen;
	uint32_t *due, *due_lists; /* scratch, for all items, all groups */
	uint32_t *fresh;           /* items made with the last lists */
	size_t fresh_n, seen_n, lists_seen;
	struct kith_sqpfw_lists *making; /* scratch of sqpfw/list.c */

	struct kith_sqpfw_qr qr; /* columns: ones, then the ties */
	uint32_t *tie;           /* items; qr.m - 1 */
	double *y, *z;           /* qr.m: multipliers */
	size_t ties_room;

	/* Features at 0 with the largest multipliers when all were known. */
	size_t note[KITH_SQPFW_NOTES], noted, notes_used;

	size_t iterations, moves;
	size_t stalls;      /* breakpoints since theta has grown */
	double leap;        /* the last, relative to theta; 0: none of late */
	bool done, limited; /* how the last solve ended: max_iter */
	bool broken;        /* rounding has spoilt the state: begin anew */
};

static inline size_t
kith_sqpfw_ties_n(const struct kith_sqpfw *s)
{
	return s->qr.m - 1;
}

/* The rows of an item and its group's target. */
static inline struct kith_sqpfw_pair
kith_sqpfw_pair(const struct kith_sqpfw *s, const struct kith_sqpfw_item *item)
{
	const struct kith_sqpfw_group *group = &s->group[item->group];

	return (struct kith_sqpfw_pair){
	    kith_sqpfw_point(&s->points, item->group / 2),
	    kith_sqpfw_point(&s->points, item->j),
	    kith_sqpfw_point(&s->points, group->r)};
}

/* Theta in units of the data; that of the points may not hold all of it. */
static inline double
kith_sqpfw_theta(const struct kith_sqpfw *s)
{
	return isnan(s->given) ? scalbn(s->theta, 2 * s->points.exponent)
			       : s->given;
}

/* d F / d (distance of the target), over theta. */
static inline double
kith_sqpfw_share(const struct kith_sqpfw *s, size_t group)
{
	const size_t i = group / 2;
	const double share = (double)s->points.copies[i] /
	    (double)s->points.rows;

	return group % 2 ? -share : share;
}

#endif
