/*
 * wsvm/wsvm - exact solution paths of support vector machines whose rows have
 * weights of their own (Karasuyama, Harada, Sugiyama and Takeuchi, 2012).
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
 * A variable of weight 0 that is not to grow is out, whatever its g_v.  On
 * each piece of theta everything is affine.
 *
 * Items that no variable names are scored along: rows to validate on.
 */
#ifndef KITH_WSVM_WSVM_H
#define KITH_WSVM_WSVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kith_kern;
struct kith_mat;
struct kith_pool;
struct kith_wsvm;

enum kith_wsvm_where { KITH_WSVM_OUT, KITH_WSVM_MARGIN, KITH_WSVM_IN };

struct kith_wsvm_problem {
	const struct kith_mat *X; /* n x p items */
	const struct kith_kern
	    *kern;        /* kernel/kern.h; all K(x_i, x_i) are finite */
	size_t variables; /* N */
	const size_t *plus, *minus; /* N items; minus NULL: none */
	const double *sign;         /* N, 1 or -1 */
	const double *q;            /* N */
	bool bias;                  /* then minus is NULL */
	double ridge;               /* >= 0 */
	size_t cache;   /* bytes for kernel rows; those of the margin stay */
	size_t threads; /* for kernel rows */
};

/* A solution, as state files carry it; alpha is within its bounds. */
struct kith_wsvm_solution {
	double b;
	const double *alpha; /* N */
	const double *f;     /* n items, without b and ridge */
	const int8_t *where; /* N, of kith_wsvm_where */
};

/*
 * All is affine in theta from `from` to `to`: value = v0 + theta v1.  Where M
 * is empty, b is the middle of its interval, its one end where the other is
 * infinite, and 0 where both are; the next piece begins where b's ends change.
 * alpha may leave its bounds by rounding, 1e-8 of the weight or so where Q is
 * nearly singular: f and g are right to 1e-12 nevertheless.  The arrays hold
 * until the next call; f0 and f1 are there after kith_wsvm_scores().
 */
struct kith_wsvm_piece {
	double from, to;
	double b0, b1;
	const double *f0, *f1;         /* n items, b included, ridge left out */
	const double *alpha0, *alpha1; /* N */
	const int8_t *where;           /* N, on the inside of the piece */
	size_t margin;                 /* |M| */
	struct kith_wsvm *solver;      /* that gave it */
};

/*
 * A variable moves; they come in order of theta, then of the variable.  One
 * whose weight is 0 has no place yet: it takes it without being told of.
 */
struct kith_wsvm_event {
	double theta;
	size_t variable;
	enum kith_wsvm_where was, becomes;
};

typedef void kith_wsvm_tell(void *to, const struct kith_wsvm_event *event);

/* What was done so far. */
struct kith_wsvm_count {
	size_t events, rows; /* moves; kernel rows computed */

	/*
	 * How often the events at a theta could not be told apart, and the
	 * problem was solved anew just behind it: where all weights vanish, so
	 * that rounding decides.  The short piece between the two solutions is
	 * then no more than the straight line.
	 */
	size_t fallbacks;
	double margin; /* mean |M| after each event */

	/* The largest violation of eq. (6) seen, over the sum of its terms. */
	double residual;
};

/*
 * Solve at the weights from (N, >= 0, finite), or take the solution at these
 * weights that start holds, mended where it is none.  The problem and its
 * arrays must stay where they are.  Memory: the cache, and O(n + N + |M|^2).
 * Time: smo (wsvm/smo.h), then O(n |M|) for each variable that it left wrong,
 * and a kernel row for each variable touched; with start, these for M alone.
 */
struct kith_wsvm *kith_wsvm_new(const struct kith_wsvm_problem *problem,
    const double *from, const struct kith_wsvm_solution *start,
    struct kith_pool *pool);

/*
 * Move on from the present weights to these (N, >= 0, finite), theta from 0 to
 * 1 again; also before the last path has come to its end.  Time O(n p) for
 * each variable that is in and whose weight changes.
 */
void kith_wsvm_aim(struct kith_wsvm *s, const double *to);

/*
 * The next piece of the path (true), or false where theta is 1.  Before it
 * returns, the moves at the piece's beginning were told.  Two pieces may meet
 * at a theta where b jumps; pieces of no length are not given.  Time O(n + N +
 * |M|^2), O(|M|) for each variable whose slope may be 0 soon, and O(n p) where
 * a variable comes to M for the first time.
 */
bool kith_wsvm_next(struct kith_wsvm *s, struct kith_wsvm_piece *piece,
    kith_wsvm_tell *tell, void *to);

/*
 * Add the scores of all items to the piece that next() gave last.  Time
 * O(n |M|).
 */
void kith_wsvm_scores(struct kith_wsvm_piece *piece);

/*
 * The solution at the present weights (the end of the last piece).  It holds
 * until the next call.  Time O(n |M| + N).
 */
void kith_wsvm_get(struct kith_wsvm *s, struct kith_wsvm_solution *out);

/*
 * Item i has a new row in X now, and its variables new sign and q: allowed
 * while the weights of its variables are 0.  A path that was under way ends
 * here.  Time O(n p + N).
 */
void kith_wsvm_replace(struct kith_wsvm *s, size_t item);

void kith_wsvm_count(const struct kith_wsvm *s, struct kith_wsvm_count *count);

#endif
