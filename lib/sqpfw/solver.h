/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sqpfw/solver - the state of the solver of sqpfw/sqpfw.h, shared by points.c,
 * pairs.c, active.c, solve.c and smooth.c.
 *
 * Point i has two groups: g = 2 i, its hits, and g = 2 i + 1, its misses.  The
 * target of a group is the point r.  The constraint of pair (i, j) of a group is on
 * its gap a'w = d_ij - d_ir: a'w >= 0 (farther), = 0 (tied) or <= 0 (nearer), with
 * the row a_f = (x_jf - x_if)^2 - (x_rf - x_if)^2 = (x_jf - x_rf)(x_jf + x_rf - 2 x_if).
 *
 * Vectors are ordered by position: the features of positive weight, the set P, come
 * first.  Vectors called ..._by_feature keep the caller's order.
 */
#ifndef KITH_SQPFW_SOLVER_H
#define KITH_SQPFW_SOLVER_H

#include "base/pool.h"
#include "sqpfw/kernels.h"
#include "sqpfw/lsq.h"
#include "sqpfw/sqpfw.h"

#include <math.h>
#include <stdint.h>

#define KITH_SQPFW_NONE UINT32_MAX

/* The distinct rows of each class. */
struct kith_sqpfw_points {
	size_t n, p, ld;  /* points, features, p rounded up to 8 */
	double *X;        /* n x ld, by position; padding is 0 */
	double *panel;    /* panels of 16 points: feature by feature, 16 values each */
	double *rounding; /* ld: sqpfw/alike.h, by position */
	size_t *start;    /* classes + 1: first point of each class */
	size_t *first;    /* n: first row */
	size_t *copies;   /* n: rows that equal the point */
	double *share;    /* n: weight of the point's term, its rows' mean weight / n */
	size_t *point;    /* rows: point of each row */
	int exponent;     /* X holds the rows times 2^exponent */
};

/* Calendar queue (pairs.c): items by the path length at which they are due. */
struct kith_sqpfw_queue {
	uint32_t *head;       /* buckets: the first item of each, or KITH_SQPFW_NONE */
	size_t buckets;       /* a power of two */
	double width, length; /* path length of a bucket; of the path of w so far */
	double step;          /* length of the step that is looked at */
};

/*
 * A pair that is followed.  Items of the queue are numbered as pairs are: items 0 to 2 n - 1 are
 * the candidate lists of the groups, of which `due` to `bucket` count alone; pairs come behind.
 */
struct kith_sqpfw_pair {
	double due;              /* path length */
	uint32_t later, earlier; /* neighbours in the list of the bucket, or KITH_SQPFW_NONE */
	uint32_t bucket;         /* KITH_SQPFW_NONE: not queued */
	uint32_t group, j;       /* group KITH_SQPFW_NONE: not in use; j: a point */
	uint32_t next;           /* next pair of the group, or next unused pair */
	uint32_t copies;         /* rows that the pair stands for */
	int8_t state, before;    /* enum kith_sqpfw_state; before: that before the pair was tied */
	bool merged;             /* it stands for several points of equal rows */
	double norm;             /* |a|_h (pairs.c); 0: the row is 0 for every w */
};

/* The hits or the misses of a point. */
struct kith_sqpfw_group {
	uint32_t pairs;        /* first pair of the linked list */
	uint32_t target, r;    /* the pair that is the target, and its point */
	uint32_t first_tie;    /* number of its first tie, set by find_multipliers() */
	uint32_t rank;         /* k of the k-th nearest; 0: the distance is 0, or does not count */
	uint32_t nearer, tied; /* copies of nearer and of tied pairs */
	uint32_t capacity;     /* points in its candidate list */
	size_t listed_at;      /* iteration of the last list */
	double radius;         /* of the candidate list (pairs.c) */
	double stretch;        /* the most that the norm of the list exceeds that of the queue by */
};

/* What ended a step or leaves the active set. */
struct kith_sqpfw_change {
	enum {
		KITH_SQPFW_NOTHING,
		KITH_SQPFW_FIX,
		KITH_SQPFW_TIE,
		KITH_SQPFW_FREE,
		KITH_SQPFW_UNTIE,
		KITH_SQPFW_RETRY
	} what;
	uint32_t which; /* position of a weight, or pair */
	int state;      /* KITH_SQPFW_UNTIE: the new state of the pair */
	double size;    /* |multiplier|, or how far theta goes until the change */
};

struct kith_sqpfw {
	const struct kith_mat *rows;
	const size_t *y;
	size_t classes;
	const struct kith_sqpfw_how *how;
	struct kith_pool own;   /* memory after a restart */
	struct kith_pool *pool; /* own, or the caller's */
	struct kith_sqpfw_points points;

	/* The iterate. */
	double theta, theta_given;  /* in units of the points; as given by the caller, or NaN */
	double *w, *prior;          /* ld */
	double *g;                  /* ld: gradient of 1/n sum (d_i - e_i) at the targets */
	double *w_by_feature;       /* ld */
	size_t *feature, *position; /* of each position; of each feature */
	size_t positive;            /* |P| */

	/* The active set: columns of C are 1 and the rows of the ties, over P. */
	struct kith_sqpfw_qr qr;
	uint32_t *tie; /* qr.m - 1 pairs */
	size_t target_changes;
	double *y_now, *y_slope;    /* qr.m: multipliers of the columns; derivatives over theta */
	double *beta, *beta_slope;  /* 2 (qr.m - 1): multipliers of ties, of targets; derivatives */
	double *dw, *dw_by_feature; /* ld: direction of the step; dw is qr.d */
	double dw_norm;             /* |dw|, set by the ratio test as dw_by_feature is */
	bool dw_stale;              /* w or theta changed otherwise than by steps along dw */
	double dw_zero;             /* the largest |dw_f| that is 0 but for rounding */
	double dw_most;             /* the largest |dw_f| since dw was computed from w */
	double *v, *alpha, *row;    /* ld: prior - theta g - w; multipliers of Z; scratch */

	/* Pairs and candidate lists. */
	struct kith_sqpfw_group *group; /* 2 points.n */
	struct kith_sqpfw_pair *pair;   /* items of the queue: 2 points.n lists, then pairs */
	size_t pairs, pair_room;        /* items so far, lists included; allocated */
	uint32_t unused;                /* first of the pairs that are not in use */
	struct kith_sqpfw_queue queue;
	double *h, *movement; /* ld: metric of the queue; sum of dw_f^2 / length */
	double *listed_w;     /* 2 points.n x ld: w by feature at the last list */
	double floor;
	struct kith_sqpfw_seen {
		double gap, change; /* a'w, a'dw */
		uint32_t pair;
	} * seen; /* pairs evaluated in this step */
	size_t seen_n;
	double evaluated, shaped; /* entries of rows evaluated so far; until h was chosen */
	uint32_t *lists;          /* groups whose candidate lists are due in this step */
	size_t lists_n;
	uint32_t *fresh; /* pairs that the last candidate lists brought */
	size_t fresh_n;

	size_t iterations, steps;
	size_t stalls;        /* path: breakpoints since theta grew */
	double leap;          /* path: the last leap over a stall */
	bool limited, broken; /* broken: rounding made C singular */
};

static inline const double *
kith_sqpfw_point(const struct kith_sqpfw_points *points, size_t i)
{
	return points->X + i * points->ld;
}

/* theta in the caller's units */
static inline double
kith_sqpfw_theta(const struct kith_sqpfw *s)
{
	return isnan(s->theta_given) ? scalbn(s->theta, 2 * s->points.exponent) : s->theta_given;
}

/* The row of a pair from position `from` on. */
static inline struct kith_sqpfw_row
kith_sqpfw_row_of(const struct kith_sqpfw *s, uint32_t at, size_t from)
{
	const struct kith_sqpfw_pair *pair = &s->pair[at];

	return (struct kith_sqpfw_row){kith_sqpfw_point(&s->points, pair->group / 2) + from,
	    kith_sqpfw_point(&s->points, pair->j) + from,
	    kith_sqpfw_point(&s->points, s->group[pair->group].r) + from};
}

/* Whether an item of the queue is due at a path length. */
static inline bool
kith_sqpfw_is_due(const struct kith_sqpfw *s, uint32_t at, double length)
{
	return s->pair[at].bucket != KITH_SQPFW_NONE && s->pair[at].due <= length;
}

/* The factor of the target's distance in 1/n sum (d_i - e_i). */
static inline double
kith_sqpfw_factor(const struct kith_sqpfw *s, size_t g)
{
	return g % 2 ? -s->points.share[g / 2] : s->points.share[g / 2];
}

/* points.c */
void kith_sqpfw_points_new(struct kith_sqpfw *s);
bool kith_sqpfw_alike(const struct kith_sqpfw_points *points, size_t i, size_t a, size_t b);
void kith_sqpfw_swap(struct kith_sqpfw *s, size_t a, size_t b);

/* pairs.c */
void kith_sqpfw_pairs_begin(struct kith_sqpfw *s);
double kith_sqpfw_ratio_test(struct kith_sqpfw *s, double most, struct kith_sqpfw_change *block);
void kith_sqpfw_move(struct kith_sqpfw *s, double tau);
void kith_sqpfw_jump(struct kith_sqpfw *s, const double *D);
void kith_sqpfw_requeue(struct kith_sqpfw *s, uint32_t at);
void kith_sqpfw_unqueue(struct kith_sqpfw *s, uint32_t at);
double kith_sqpfw_gap(const struct kith_sqpfw *s, uint32_t at);
double kith_sqpfw_due_within(const struct kith_sqpfw *s, double range);

/* active.c */
void kith_sqpfw_active_factor(struct kith_sqpfw *s);
void kith_sqpfw_active_gradient(struct kith_sqpfw *s);
bool kith_sqpfw_direction(struct kith_sqpfw *s);
bool kith_sqpfw_slope(struct kith_sqpfw *s);
void kith_sqpfw_release_largest(struct kith_sqpfw *s, struct kith_sqpfw_change *release);
void kith_sqpfw_release_next(struct kith_sqpfw *s, struct kith_sqpfw_change *release);
bool kith_sqpfw_depends(struct kith_sqpfw *s, uint32_t at, double nearing);
bool kith_sqpfw_weight_depends(const struct kith_sqpfw *s, size_t position, double nearing);
bool kith_sqpfw_tie(struct kith_sqpfw *s, uint32_t at);
void kith_sqpfw_untie_last(struct kith_sqpfw *s, size_t ties);
void kith_sqpfw_apply(struct kith_sqpfw *s, const struct kith_sqpfw_change *change);
void kith_sqpfw_report_tie(
    const struct kith_sqpfw *s, const struct kith_sqpfw_pair *pair, int was, int becomes);
void kith_sqpfw_report_weight(const struct kith_sqpfw *s, size_t f, bool positive);
double kith_sqpfw_objective(const struct kith_sqpfw *s);

#endif
