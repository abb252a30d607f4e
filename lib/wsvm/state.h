/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/state - what the steps of the solver share; wsvm/wsvm.c and wsvm/leg.c
 * say which step does what.  Within a piece every quantity is affine in theta:
 * its members with 0 and 1 at their ends stand for value = v0 + theta v1.
 *
 * The variables are in three sets: out (O, alpha = 0), margin (M, 0 < alpha <
 * C) and in (I, alpha = C).  The scores of I are kept and change by one kernel
 * row when a variable enters or leaves I; those of M follow from the bordered
 * system, which is solved anew for each piece.  So no rounding accumulates
 * along theta.
 */
#ifndef KITH_WSVM_STATE_H
#define KITH_WSVM_STATE_H

#include "la/vec.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/problem.h"
#include "wsvm/smo.h"

struct kith_wsvm_polish;

/* A sum in two parts, high + low: terms that are taken off leave nothing. */
struct kith_wsvm_sum {
	double high, low;
};

struct kith_wsvm {
	/* The problem, and its matrices. */
	const struct kith_wsvm_problem *problem;
	size_t n, N;                     /* items; dual variables */
	struct kith_krows *rows;         /* of the kernel, n x n */
	struct kith_wsvm_margin *margin; /* M, with the factor of its system */
	struct kith_wsvm_polish *polish; /* solves the forms from near by */
	struct kith_smo_form form;       /* the QP of alpha, at one theta */
	struct kith_smo_form rate_form;  /* the QP of dalpha / dtheta: q = 0 */
	double *diagonal;                /* N: Q_vv */
	double *lower, *upper;           /* N: bounds of the forms */
	double *zero;                    /* N: q of rate_form */

	double theta; /* where the path is */
	bool alone;   /* a start, of which no path is known yet */

	/* Weights: C_v = from + theta rate. */
	struct {
		double *from; /* N: at theta = 0 */
		double *rate; /* N */
		double *to;   /* N: at theta = 1, to the last bit */
		double rate_max;
		size_t *live; /* variables that ever weigh more than 0 */
		size_t n_live;
	} C;

	/* The active set. */
	struct {
		int8_t *where; /* N, of kith_wsvm_where */
		int8_t *was;   /* N: before the moves at theta; or SAME */
		size_t *moved; /* those that are not SAME */
		size_t n_moved;
	} set;

	/* The variables of I, which are at their upper bound. */
	struct {
		/* s_i = sum_I C_v phi_v' Phi(x_i), the scores. */
		double *score0, *score1; /* n */

		/* Coefficients of kernel rows that are not yet added to s. */
		double *pending0, *pending1; /* n */
		bool pending;                /* some are not 0 */

		struct {
			struct kith_wsvm_sum C;         /* of root_v from_v */
			struct kith_wsvm_sum rate;      /* of root_v rate_v */
			struct kith_wsvm_sum size;      /* of |those| */
			struct kith_wsvm_sum C_sign;    /* of e_v from_v */
			struct kith_wsvm_sum rate_sign; /* of e_v rate_v */
		} sum;

		/* rate_I' (Q_II - ridge) rate_I, and its largest value since it
		   was computed from all terms. */
		double energy, energy_max;
		bool energy_known;
		size_t events; /* since s was computed from all of I */
	} in;

	/* The piece of the path that begins at theta. */
	struct {
		size_t number;
		double *alpha0, *alpha1; /* N */
		double b0, b1;
		double *f0, *f1;  /* n: scores without b, as far as known: */
		size_t *f_of;     /* n: number of the piece they are of */
		bool f_complete;  /* all are of this piece */
		size_t *asked;    /* n: room for items to score */
		double *hit;      /* N: theta at which v of M is at a bound */
		double *g0, *g1;  /* N: gradients of the candidates */
		double violation; /* of eq. (6) at theta, over its terms */
	} piece;

	/*
	 * Gradients of O and I, which may reach 0.  By Cauchy and Schwarz no
	 * gradient changes by more than the path of f is long; so v needs no
	 * check before that length reaches due_v.
	 */
	struct {
		double length;  /* of the path of f up to theta */
		double *due;    /* N: infinite for v of M */
		size_t *near;   /* N: of wsvm/nearest.h, an item + 1; 0: none */
		double *share;  /* N: of it */
		size_t *again;  /* N: or the piece from which to look for one */
		double b_end;   /* b at the end of the last piece */
		double horizon; /* length in theta of the last piece */
		size_t *list, n; /* those checked in this piece */
	} candidate;

	/* The breakpoint at theta. */
	struct {
		bool due;     /* the set of some variables is to be chosen */
		size_t *open; /* those, in increasing order */
		size_t n_open;
		bool *decided;     /* N: was chosen at this theta already */
		size_t zero_steps; /* pieces of no length in a row */
		double tie_end;    /* events before it are those of one tie */
	} event;

	/*
	 * The path, of which this is a leg: theta of the path is base + length
	 * times that of the leg, and C_v = from_v + theta (to_v - from_v).
	 */
	struct {
		double *from, *to;   /* N */
		double base, length; /* of the leg */
		double end;          /* base + length */
		double sum[2];       /* sum root_v C_v at both ends */
		double rebuilt;      /* that, when s was computed anew */
		int stuck;           /* pieces of no length that were off */
		bool anew;           /* the last piece ended with such a one */
		bool cut;            /* the leg has had no piece, nor event */
		double *begin;       /* N: alpha of M where the piece began */
		double *alpha, *C;   /* N: room */
	} path;

	/*
	 * A piece that is the line between two solutions, of which the engine
	 * has no line of its own; f is out.f0 and f1 then.
	 */
	struct {
		double *left, *right; /* N: alpha */
		double b[2];
		double *f[2]; /* n, with b */
	} bent;

	/* The end of the last piece that the caller has got. */
	struct {
		double theta, b;
		double *alpha; /* N, where stored = number; else of the piece */
		double *f;     /* n, without b: of a restart alone */
		size_t *stored; /* N: number for which alpha was stored */
		size_t number;  /* pieces given */
	} last;

	/* A cold start at tie_end, past a breakpoint where pivots cycle. */
	struct {
		double step;    /* of theta: tie_end is this far ahead */
		bool piece_due; /* the piece from last.theta up to tie_end */
	} restart;

	/*
	 * What rounding may leave of g_v, and of its rate: base + root_v scale,
	 * and what the ridge adds.  By Cauchy and Schwarz |Q_vw| is at most
	 * root_v root_w; base is what is left of b, and of q.
	 */
	struct kith_wsvm_tolerance {
		double base, scale;
	} tol, tol_rate;
	double *root;               /* N: sqrt(K_plus) + sqrt(K_minus) */
	double root_least;          /* of M, or of all at a start */
	double root_min, root_most; /* of all */
	double Q_max, q_max;        /* largest Q_vv, |q_v|: their scales */

	/* What the caller gets: f of pieces, and counts. */
	struct {
		double *f0, *f1; /* n, with b; room for products before */
	} out;
	struct kith_wsvm_count count; /* margin: sum of |M| after each event */

	/* Room for the forms and systems. */
	struct {
		double *x;     /* N: alpha, or its rates */
		double *score; /* n: of x */
		double *unit;  /* N: of violations */
		double *side;  /* 4 N: right-hand sides, solutions */
	} work;
};

enum { KITH_WSVM_SAME = -1 };

/* Rounding of a gradient, relative to the sizes of its terms. */
#define KITH_WSVM_ROUNDING 2e-14

/* A tolerance where nothing has a size. */
#define KITH_WSVM_LEAST 1e-300

/* Whether only rounding lies between theta and end. */
static inline bool
kith_wsvm_same_theta(double theta, double end)
{
	return !(end > theta + 1e-15 * theta);
}

/* C_v, and alpha_v of the present piece, at theta. */
static inline double
kith_wsvm_weight(const struct kith_wsvm *s, size_t v, double theta)
{
	return s->C.from[v] + theta * s->C.rate[v];
}

static inline double
kith_wsvm_alpha(const struct kith_wsvm *s, size_t v, double theta)
{
	return s->piece.alpha0[v] + theta * s->piece.alpha1[v];
}

/* theta of the path. */
static inline double
kith_wsvm_path_theta(const struct kith_wsvm *s, double theta)
{
	return theta >= 1 ? s->path.end : s->path.base + theta * s->path.length;
}

/* C_v at theta of the path, rounded once. */
static inline double
kith_wsvm_path_weight(const struct kith_wsvm *s, size_t v, double theta)
{
	return kith_wsvm_weight_at(s->path.from[v], s->path.to[v], theta);
}

/* Whether C_v > 0 at theta or just after it; else g_v is free. */
static inline bool
kith_wsvm_has_weight(const struct kith_wsvm *s, size_t v, double theta)
{
	return s->C.rate[v] > 0 || kith_wsvm_weight(s, v, theta) > 0;
}

/* The sign of g_v where it violates eq. (6): -1 for O, 1 for I, 0 for M. */
static inline double
kith_wsvm_violating_sign(const struct kith_wsvm *s, size_t v)
{
	static const double sign[] = {-1, 0, 1};

	return sign[s->set.where[v]];
}

/* What rounding may leave of g_v, and of its rate; v is in O or I. */
static inline double
kith_wsvm_few(const struct kith_wsvm *s, size_t v)
{
	const double C = s->set.where[v] == KITH_WSVM_IN
	    ? s->C.from[v] + s->C.to[v]
	    : 0;

	return s->tol.base + s->root[v] * s->tol.scale +
	    KITH_WSVM_ROUNDING * s->form.ridge * C + KITH_WSVM_LEAST;
}

static inline double
kith_wsvm_few_rate(const struct kith_wsvm *s, size_t v)
{
	const double rate = s->set.where[v] == KITH_WSVM_IN ? fabs(s->C.rate[v])
							    : 0;

	return s->tol_rate.base + s->root[v] * s->tol_rate.scale +
	    KITH_WSVM_ROUNDING * s->form.ridge * rate + KITH_WSVM_LEAST;
}

/* The gradient of v is to be checked in the next piece, unless v is in M. */
static inline void
kith_wsvm_check(struct kith_wsvm *s, size_t v)
{
	s->candidate.due[v] = s->set.where[v] == KITH_WSVM_MARGIN ? INFINITY
								  : -INFINITY;
}

/* The state of a problem in which no variable is in M or I. */
struct kith_wsvm *kith_wsvm_state_new(
    const struct kith_wsvm_problem *problem, struct kith_pool *pool);

/* Compute Q_vv, and what depends on it. */
void kith_wsvm_state_measure(struct kith_wsvm *s, size_t v);

/* What rounding may leave of the gradients of alpha (N), into tol. */
void kith_wsvm_state_tolerance(struct kith_wsvm *s, const double *alpha);

/* Find the variables that ever weigh more than 0. */
void kith_wsvm_state_live(struct kith_wsvm *s);

#endif
