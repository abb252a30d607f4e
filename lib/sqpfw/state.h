/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/state - the state of the solver of sqpfw/sqpfw.h.
 *
 * Every point i has two groups: 2 i, its hits, and 2 i + 1, its misses.  The
 * solver follows some pairs of each group: those nearer than its target, those
 * tied with it, and candidates, the pairs farther than it that might become
 * near first (sqpfw/candidates.h).
 *
 * The constraint of a pair (i, j) whose group has the target r is a'w >= 0
 * (farther), a'w <= 0 (nearer) or a'w = 0 (tied), with the row
 * a = eps_ij - eps_ir of sqpfw/rows.h; a'w is the gap of the pair.
 *
 * Vectors are by position: the |P| features of positive weight come first, and
 * behind them w and dw are 0.  Vectors by feature keep the caller's order.
 */
#ifndef KITH_SQPFW_STATE_H
#define KITH_SQPFW_STATE_H

#include "base/pool.h"
#include "sqpfw/points.h"
#include "sqpfw/problem.h"
#include "sqpfw/qr.h"
#include "sqpfw/queue.h"
#include "sqpfw/rows.h"

#define KITH_SQPFW_UNUSED 2 /* the state of an entry of pair[] without a pair */

/* What work is counted in: a pair of a pass over all.  A pair that is awake, in
 * a step; that a box of sqpfw/rest.h is made for; that is evaluated. */
#define KITH_SQPFW_PASS .6
#define KITH_SQPFW_LOOK 3.
#define KITH_SQPFW_SEE 6.

enum { KITH_SQPFW_PARTIAL = 64 }; /* features of partial pricing, at most */

/* What sqpfw/shares.h found: a share of each of n pairs; room for. */
struct kith_sqpfw_shares {
	double *of;
	size_t n, room;
};

/* The problem, as the caller gave it. */
struct kith_sqpfw_problem {
	const struct kith_mat *X; /* n x p */
	const size_t *y;          /* n: class of each row */
	size_t classes;
	const struct kith_sqpfw_how *how;
};

/*
 * A pair that is followed.  Half a line of cache, for those that a step
 * evaluates lie anywhere in memory.
 */
struct kith_sqpfw_pair {
	double row_norm;      /* of its row, by pairs.scale (sqpfw/scale.h) */
	uint32_t queue_place; /* in pairs.queue or among those awake, or
			       * KITH_SQPFW_NONE */
	uint32_t next;        /* pair of its group, or unused entry */
	uint32_t group, j;
	uint32_t copies;     /* rows of the data that it stands for */
	int8_t state;        /* -1 nearer, 0 tied, 1 farther */
	int8_t state_before; /* of a tied pair: -1 or 1 */
	bool merged;         /* of points whose rows are equal for every w */
	bool rests;          /* out of the queue (sqpfw/rest.h) */
};

/* The hits or the misses of a point. */
struct kith_sqpfw_group {
	double radius;         /* of its candidates (sqpfw/candidates.h) */
	uint32_t queue_place;  /* in candidates.queue, or KITH_SQPFW_NONE */
	uint32_t first_pair;   /* of its pairs that are followed */
	uint32_t target;       /* the tied pair that is its target, */
	uint32_t target_point; /* and the point j of that pair, r */
	uint32_t rank;         /* of the target in its group: the k of k-th nearest;
			  0: the distance of the group is constantly 0, or
			  does not count */
	uint32_t nearer, tied; /* copies of nearer and of tied pairs */
	uint32_t list_max;     /* points that its candidates may be */
	size_t renewed_at;     /* iteration at which they were found */
	double slack, excess;  /* of the radius (sqpfw/candidates.h) */
};

/* A pair that was evaluated in a step. */
struct kith_sqpfw_seen {
	double gap, change; /* a'w and a'dw */
	uint32_t pair;
};

/* The active set: the ties, as the columns C = (1, a_1, a_2, ...) over P. */
struct kith_sqpfw_active {
	struct kith_sqpfw_qr qr; /* C = Q R, and v - w = Q z + dw */
	uint32_t *tie;           /* qr.m - 1 pairs, as in the columns */
	size_t room;             /* of tie[] */
	double *y;               /* qr.m: multipliers, R y = z; scratch */
	double *z;               /* qr.m: on a path, y at its theta; scratch */
	size_t target_changes;   /* since the gradient was computed from all */
};

/* The direction of a step, and its lengths. */
struct kith_sqpfw_direction {
	double *dw;              /* by position: active.qr.d */
	double *dw_by_feature;   /* p */
	double norm;             /* |dw| */
	double pair_length;      /* sqrt(sum dw^2 / pairs.scale) */
	double candidate_length; /* sqrt(sum dw^2 / candidates.scale) */
	bool stale;              /* dw and qr.z are not those of the present w, theta */
	double zero_tol;         /* largest |dw_f| at which dw is 0 */
	double max_since;        /* largest |dw_f| since dw was computed from v - w */
};

/* The pairs that are followed, and when each is to be evaluated. */
struct kith_sqpfw_pairs {
	struct kith_sqpfw_pair *pair;
	size_t n, room;                /* entries of pair[], used ones or not; room for */
	uint32_t unused;               /* the first unused entry, or KITH_SQPFW_NONE */
	struct kith_sqpfw_queue queue; /* of pairs that are not tied */
	double *scale;                 /* by position: h of sqpfw/scale.h */
	double *movement;              /* by position: V, sum over steps of D_f^2 / length */
	double evaluated;              /* since the scale was chosen, pairs times features */
	size_t from;                   /* the step at which it was */
	struct kith_sqpfw_seen *seen;  /* 2 room: those evaluated in this step */
	size_t n_seen;
	uint32_t *due;  /* room: scratch */
	uint32_t *used; /* room: sqpfw/used.h */
	size_t n_used;
	bool changed; /* pairs came or went since then */
};

/* A box for w (sqpfw/box.h). */
struct kith_sqpfw_box {
	bool on;
	bool made;             /* once */
	bool bare;             /* weights that stay at 0 have no side, */
	unsigned wait, waits;  /* but in so many boxes; in the last such run */
	double *middle, *half; /* by position */
	double *from;          /* by feature: w when the box was made, */
	double *side;          /* what was added to either side of it, */
	double *reach;         /* and how far w went from there */
	double before, dear;   /* work of a step: without rest, and with it */
	double work;           /* that of pairs since the step `start` */
	size_t start;
	double looked;    /* pairs that it was made for */
	double evaluated; /* pairs (sqpfw/boxed.h: work) since then */
};

/* The pairs that do not rest, where others do (sqpfw/awake.h). */
struct kith_sqpfw_awake {
	size_t n, room;  /* pairs; room for, a multiple of KITH_SQPFW_PANEL */
	uint32_t *pair;  /* room: their numbers */
	double *gap;     /* room: g */
	double *change;  /* room: b'u, of the last test */
	double path;     /* of w, since all gaps were computed */
	double *b;       /* panels, feature by feature, of one entry a pair */
	double *support; /* by feature: 1 in P, for which b is of length 1, or 0 */
	double *u;       /* by feature */
	double *a;       /* scratch */
};

/* The candidates of all groups, and when each list is to be tested. */
struct kith_sqpfw_candidates {
	struct kith_sqpfw_box box;      /* for lists of sqpfw/boxed.h */
	struct kith_sqpfw_boxed *boxed; /* scratch of boxed.c */
	double work;                    /* spent on lists and pairs (sqpfw/boxed.h), */
	size_t from;                    /* since so many steps were taken */
	struct kith_sqpfw_queue queue;  /* of groups */
	double *scale;                  /* p: w + floor when the queue was shaped */
	double floor;                   /* added to weights, as the scale of their changes */
	double *made_at;                /* points.ld by group: w by feature at that time */
	size_t evaluated;               /* since the scale was chosen, lists */
	uint32_t *due;                  /* all groups: those tested in this step */
	size_t n_due;
	uint32_t *fresh; /* pairs that the last renewal brought */
	size_t n_fresh;
	struct kith_sqpfw_pick *pick; /* scratch of picks.c: room for */
	size_t picks;
	struct kith_sqpfw_renewal *renewal; /* scratch of renewal.c */
};

/* Partial pricing: features at 0 with the largest multipliers of the last
 * time that all were computed (sqpfw/eqp.h). */
struct kith_sqpfw_pricing {
	size_t feature[KITH_SQPFW_PARTIAL], n;
	size_t uses; /* since then */
};

/* Where rows that depend on each other keep a path at one theta. */
struct kith_sqpfw_stall {
	size_t stalls; /* breakpoints since theta has grown */
	double leap;   /* the last leap, relative to theta; 0: none of late */
};

struct kith_sqpfw {
	struct kith_sqpfw_problem problem;
	struct kith_pool own;   /* of all that follows, after a restart */
	struct kith_pool *pool; /* own, or the caller's */
	struct kith_sqpfw_points points;

	/* The iterate: theta and w, and the gradient g of mean(d - e). */
	double theta;       /* in units of the points */
	double theta_given; /* the caller's theta where it gave one, else NaN */
	double *w, *prior, *gradient;
	double *w_by_feature; /* p */
	size_t *feature;      /* of each position */
	size_t *position;     /* of each feature */
	size_t positive;      /* |P| */

	double *row;      /* scratch, by position: the row of a constraint, */
	double *residual; /* prior - theta g - w, or multipliers of weights, */
	double *alpha;    /* multipliers of weights on a path */

	struct kith_sqpfw_group *group; /* 2 points.n */
	struct kith_sqpfw_active active;
	struct kith_sqpfw_direction step;
	struct kith_sqpfw_pairs pairs;
	struct kith_sqpfw_box box;
	struct kith_sqpfw_awake awake;
	struct kith_sqpfw_candidates candidates;
	struct kith_sqpfw_pricing pricing;
	struct kith_sqpfw_stall path;
	struct kith_sqpfw_shares shares;
	double scale_min; /* the least entry of both scales */

	size_t iterations;
	size_t steps;       /* taken */
	bool done, limited; /* the last solve: by its own rule, by max_iter */
	bool broken;        /* rounding has made C singular: restart */
};

/* The number of ties: columns of C but the ones. */
static inline size_t
kith_sqpfw_ties_n(const struct kith_sqpfw *s)
{
	return s->active.qr.m - 1;
}

/* The points i, j and r that make the row of a pair. */
static inline struct kith_sqpfw_row
kith_sqpfw_row(const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair)
{
	const struct kith_sqpfw_group *group = &s->group[pair->group];

	return (struct kith_sqpfw_row){kith_sqpfw_point(&s->points, pair->group / 2),
	    kith_sqpfw_point(&s->points, pair->j),
	    kith_sqpfw_point(&s->points, group->target_point)};
}

/* Theta in units of the data; that of the points may not hold all of it. */
static inline double
kith_sqpfw_theta(const struct kith_sqpfw *s)
{
	return isnan(s->theta_given) ? scalbn(s->theta, 2 * s->points.exponent) : s->theta_given;
}

/* theta^-1 dF / d(distance of the target): the copies of i, as weighed,
 * over n, signed. */
static inline double
kith_sqpfw_target_share(const struct kith_sqpfw *s, size_t group)
{
	const double share = s->points.share[group / 2];

	return group % 2 ? -share : share;
}

#endif
