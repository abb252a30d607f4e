/*
 * wsvm/state - what the parts of wsvm/wsvm.h share.  Every quantity of the
 * present piece is affine: value = v0 + theta v1.
 *
 * s holds the scores of the variables that are in, at their weights: one row
 * is added when a variable comes in, or taken off; those of M follow from the
 * bordered system anew at each event.  So nothing is summed up along theta.
 */
#ifndef KITH_WSVM_STATE_H
#define KITH_WSVM_STATE_H

#include "wsvm/smo.h"
#include "wsvm/wsvm.h"

struct kith_krows;
struct kith_wsvm_margin;
struct kith_wsvm_polish;

/* A sum and what it lacks: exact, as if nothing were ever taken off. */
struct kith_wsvm_sum {
	double high, low;
};

/* Sums over those in: of weights, rates, their sizes, and with their signs. */
struct kith_wsvm_in {
	struct kith_wsvm_sum C, d, size, C_sign, d_sign;
};

struct kith_wsvm {
	const struct kith_wsvm_problem *problem;
	size_t n, N;
	struct kith_krows *rows;
	struct kith_smo_form form, rate; /* of alpha; of its rates: q is 0 */
	struct kith_wsvm_margin *margin;
	struct kith_wsvm_polish *polish;

	double *from, *d, *to;        /* N: weights are from + theta d */
	double *diagonal, *lo, *hi;   /* N: of the forms */
	double *zero;                 /* N */
	double kappa, q_most, d_most; /* largest Q_vv, |q_v|, |d_v| */
	size_t *live, lives;          /* variables whose weight is not 0 */
	double theta, blind;          /* no event counts before blind */
	double done;                  /* pieces were given so far */
	size_t *W, weak;              /* those to be decided, at theta */
	bool *kept;                   /* N: decided at this theta already */
	size_t zeros;                 /* steps of no length, in a row */
	double *alpha, *f;            /* at done: N, and n without b */
	double b_done;                /* b there */
	size_t *marked;  /* N: alpha is that at done, where this is mark */
	size_t mark;     /* pieces given */
	double *a0, *a1; /* N: alpha of that piece */
	double behind;   /* where a cold solve goes on */

	int8_t *where, *was;    /* N; was: KITH_WSVM_SAME, or before */
	size_t *moved, moves;   /* those with was */
	double *s0, *s1;        /* n: scores of those in */
	double *f0, *f1;        /* n: of all, where seen is piece */
	size_t *seen, piece;    /* n; number of the piece */
	double *g0, *g1;        /* n: f with b, for pieces */
	struct kith_wsvm_in in; /* sums over those in */

	/*
	 * The path of f is so long up to theta that no slope moves by more; v
	 * is not to be looked at before it is longer than due.
	 */
	double length, *due;    /* N; infinite in M */
	double energy;          /* d' Q d of those in, without the ridge */
	double energy_most;     /* since it was found anew */
	double b_end;           /* b at the end of the piece before */
	size_t *watch, watched; /* those looked at in this piece */
	double stride;          /* length of the last piece */
	double *A0, *A1;        /* N: alpha */
	double b0, b1;
	double *h0, *h1, *time; /* N: slopes of those watched; of M, when */
	double *p0, *p1;        /* n: what s still lacks: coefficients */
	double *x, *s;          /* N, n: of the forms */
	double *c;              /* 4 N: sides of a system, solutions */
	double noise, slow;     /* of a slope; of its rate */
	size_t since;           /* events since s was made anew */
	size_t told, sizes;     /* events, sum of |M| after each */
	size_t fallbacks;
	double worst, residual; /* violation at theta; so far */

	bool turn;         /* there are W */
	bool bridge;       /* next is the piece from done up to blind */
	bool whole;        /* f0, f1 are of all items */
	bool energy_known; /* as said above */
	bool lacks;        /* s lacks p0, p1 */
};

enum { KITH_WSVM_SAME = -1 };

/* What rounding may leave of slopes, to the sizes of their terms. */
#define KITH_WSVM_ROUGH 2e-14

/* fmin() and fmax() without their care for NaN, which costs a call. */
static inline double
kith_wsvm_least(double a, double b)
{
	return a < b ? a : b;
}

static inline double
kith_wsvm_most(double a, double b)
{
	return a > b ? a : b;
}

/* Whether from theta to end there is no more than rounding. */
static inline bool
kith_wsvm_same(double theta, double end)
{
	return !(end > theta + 1e-15 * theta);
}

/* The weight of v at theta. */
static inline double
kith_wsvm_weight(const struct kith_wsvm *s, size_t v)
{
	return s->from[v] + s->theta * s->d[v];
}

/* Whether v has a weight at theta or just behind; else its slope is free. */
static inline bool
kith_wsvm_matters(const struct kith_wsvm *s, size_t v, double theta)
{
	return s->d[v] > 0 || s->from[v] + theta * s->d[v] > 0;
}

/* What a slope is multiplied by to be >= 0 where it violates. */
static inline double
kith_wsvm_side(const struct kith_wsvm *s, size_t v)
{
	static const double side[] = {-1, 0, 1};

	return side[s->where[v]];
}

/*
 * Put v there, at theta; M may hold it already.  False, and it stays where it
 * is, where M is not to have it because it depends on it.  kith_wsvm_flush()
 * comes before scores of s are used again.
 */
bool kith_wsvm_put(struct kith_wsvm *s, size_t v, enum kith_wsvm_where where);
void kith_wsvm_flush(struct kith_wsvm *s);

/* Make s anew from those that are in. */
void kith_wsvm_refresh(struct kith_wsvm *s);

/* The same for its rates alone, which were 0 and are no more. */
void kith_wsvm_speed(struct kith_wsvm *s);

/* Take M, at x, off the scores of the form: what is left is s. */
void kith_wsvm_split(struct kith_wsvm *s);

/* Q_vv anew, and what depends on it. */
void kith_wsvm_measure(struct kith_wsvm *s, size_t v);

/* Nothing is told of the moves so far. */
void kith_wsvm_forget(struct kith_wsvm *s);

/* Solve at the weights at theta, from nothing. */
void kith_wsvm_cold(struct kith_wsvm *s);

/* From x and s, within the bounds of the form: the exact solution, M, where. */
void kith_wsvm_settle(struct kith_wsvm *s);

/* What rounding alone may leave of a slope, for those in and M. */
double kith_wsvm_noise(const struct kith_wsvm *s);

/* Every slope is to be looked at again. */
void kith_wsvm_stale(struct kith_wsvm *s);

/* The slope of v is, unless it is in M. */
void kith_wsvm_look_at(struct kith_wsvm *s, size_t v);

/*
 * The first event, before end, of those that are not in M; the largest
 * violation at `from`.  Those that were looked at, which are all whose slope
 * may be 0 by then, are in watch.
 */
double kith_wsvm_watch(struct kith_wsvm *s, double from, double end);

/* h0 and h1 of v, with this b. */
void kith_wsvm_slope(struct kith_wsvm *s, size_t v, double b0, double b1);

/* f0 and f1 of all items, in the piece that was solved for last. */
void kith_wsvm_whole(struct kith_wsvm *s);

/* The sums over those in, anew. */
void kith_wsvm_add_up(struct kith_wsvm *s);

/* Decide W at theta: how each moves on. */
void kith_wsvm_turn(struct kith_wsvm *s);

/*
 * M empty: the values of b where no weight of those in is lacking for more
 * theta.  True: an interval, b is in it.  False: a point, at which W are weak.
 */
bool kith_wsvm_walk(struct kith_wsvm *s);

/*
 * The b of the solution at theta; where it has an interval, because M is empty,
 * the one of it that is nearest to this b.
 */
double kith_wsvm_nearest_b(const struct kith_wsvm *s, double b);

/*
 * Solve for the piece from theta on; returns its end, and leaves in W what is
 * to be decided there, if turn.
 */
double kith_wsvm_piece_end(struct kith_wsvm *s);

#endif
