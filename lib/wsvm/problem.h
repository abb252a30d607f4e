/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wsvm/problem - support vector machines whose rows have weights of their own,
 * their solutions, and pieces of their paths.
 *
 * One form serves all tasks.  There are n items (rows x_i) and N dual
 * variables; variable v stands for
 *
 *	phi_v = sign_v (Phi(x_plus[v]) - Phi(x_minus[v]))
 *
 * the second part only for ranking, and the problem is
 *
 *	min 1/2 alpha' Q alpha + q' alpha
 *	0 <= alpha_v <= C_v(theta) = from_v + theta (to_v - from_v)
 *	sum_v sign_v alpha_v = 0, where there is a bias
 *
 * with Q_vw = phi_v' phi_w, and ridge more for v = w.
 *
 *	task      N      sign    q           plus, minus
 *
 *	classify  n      y_i     -1          i
 *	regress   2n     +1, -1  eps -+ y_i  i, twice
 *	rank      pairs  +1      -1          the better item, the worse; no bias
 *
 * The score of item i is f_i = sum_v alpha_v phi_v' Phi(x_i) + b, without the
 * ridge.  With g_v = sign_v (f_plus - f_minus) + q_v + ridge alpha_v, eqs. (6)
 * and (7) are
 *
 *	out     alpha_v = 0          g_v >= 0
 *	margin  0 < alpha_v < C_v    g_v = 0
 *	in      alpha_v = C_v        g_v <= 0
 *
 * A variable of weight 0 that is not to grow is out, whatever its g_v.  The
 * path alpha(theta) is affine in theta on each of its pieces, and so are b, f
 * and g.
 *
 * Items that no variable names have scores as all others: rows to validate on.
 */
#ifndef KITH_WSVM_PROBLEM_H
#define KITH_WSVM_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_kern;
struct kith_krows;
struct kith_mat;
struct kith_wsvm;

enum kith_wsvm_where { KITH_WSVM_OUT, KITH_WSVM_MARGIN, KITH_WSVM_IN };

struct kith_wsvm_problem {
	const struct kith_mat *X;     /* n x p items */
	const struct kith_kern *kern; /* all K(x_i, x_i) are finite */
	size_t variables;             /* N */
	const size_t *plus, *minus;   /* N items; minus NULL: none */
	const double *sign;           /* N, 1 or -1 */
	const double *q;              /* N */
	bool bias;                    /* then minus is NULL */
	double ridge;                 /* >= 0 */
	size_t cache;                 /* bytes for kernel rows */
	size_t threads;               /* for kernel rows */
	struct kith_krows *rows;      /* of X, shared; NULL: rows of its own */
};

/* A solution, as state files carry it; alpha is within its bounds. */
struct kith_wsvm_solution {
	double b;
	const double *alpha; /* N */
	const double *f;     /* n items, without b and ridge */
	const int8_t *where; /* N, of kith_wsvm_where */
};

/* from + theta (to - from), rounded once. */
static inline double
kith_wsvm_weight_at(double from, double to, double theta)
{
	const long double rate = (long double)to - from;

	return theta < 1 ? (double)(from + theta * rate) : to;
}

/*
 * A piece of a path, on which each value is linear in theta, and which has been
 * judged (wsvm/wsvm.h).  Where the margin M is empty, b is the middle of its
 * interval, the one end of it where the other is infinite, and 0 where both
 * are; the next piece begins where another variable bounds b.  alpha is
 * kith_wsvm_point()'s; f0 and f1 are computed by kith_wsvm_scores().  The
 * arrays are valid until the next call.
 */
struct kith_wsvm_piece {
	double from, to;
	double b0, b1;                 /* b = b0 + theta b1 */
	double b[2];                   /* at both ends */
	double leg[2];                 /* theta of its leg (wsvm/leg.h) there */
	const double *f0, *f1;         /* n items, b included, ridge left out */
	const double *alpha0, *alpha1; /* N; of wsvm/approx.h alone */
	const int8_t *where;           /* N: sets between the two ends */
	size_t margin;                 /* |M| */
	bool goes_on;                  /* `from` is no breakpoint */
	bool own;  /* the line of the engine is within the bounds */
	bool bent; /* the line between solutions that were solved anew */
	struct kith_wsvm *solver; /* from which the piece comes */
};

/*
 * A variable moves to another set.  Events come in order of theta, then of the
 * variable.  The first set of a variable whose weight was 0 is no event.
 */
struct kith_wsvm_event {
	double theta;
	size_t variable;
	enum kith_wsvm_where was, becomes;
};

typedef void kith_wsvm_on_event(void *to, const struct kith_wsvm_event *event);

/* A solution that was judged to be none, over its limit (wsvm/judge.h). */
struct kith_wsvm_fault {
	double theta, off;
	const char *what;
};

/* What a solver has done so far. */
struct kith_wsvm_count {
	size_t events, rows; /* moves; kernel rows computed */

	/*
	 * Restarts: at a theta the events could not be told apart, as where
	 * all weights vanish and only rounding is left, and the problem was
	 * solved anew just past it.  The short piece between the solutions
	 * before and after is the straight line between them.
	 */
	size_t fallbacks;
	double margin; /* mean |M| after each event */

	/* Of wsvm/approx.h: solutions, steps of smo, the largest G / D. */
	size_t points, steps;
	double gap;

	/* The largest violation of eq. (6), over the sum of its terms. */
	double residual;

	/* Solutions solved anew as the judge refused them; those that it still
	   refused, and the worst of them. */
	size_t mended, faults;
	struct kith_wsvm_fault fault;

	/* Of the restarts, the first theta, and the longest piece. */
	double lost, lost_length;
};

#endif
