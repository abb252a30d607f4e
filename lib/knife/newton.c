/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine of given weights: min over alpha and b of L(y, K alpha + b) + lambda1 alpha' K alpha.
 *
 * Newton's method.  With g = L', D = L'' and S = D^(1/2) at f = K alpha + b:
 *
 * 1. Start from the machine of the weights before, or from 0 where 0 has the lower value.
 * 2. Stop where the residual r = g + 2 lambda1 alpha, and 1'g with an intercept, vanish.
 * 3. Where D is next to 0, Newton's intercept would run away: find b for this alpha by bisection,
 *    and unless D is larger there, step without b.  After a step that was cut to next to nothing,
 *    and for a singular factor, D is that of parabolas which touch the losses at f from above.
 * 4. Solve A v = -S^-1 r and A u = S 1, A = 2 lambda1 I + S K S, by a Cholesky factor or by
 *    conjugate gradients (rank.c): the step of alpha is S (v - b u), that of b makes 1'alpha = 0.
 *    Linear kernels of few weights take their step in the columns (columns.c).
 * 5. Go as far as the value falls along the step, the whole step if possible; from 2.
 *
 * The squared loss has D = 2: one step with one factor solves for all outputs at once.
 */
#include "knife/engine.h"

#include "base/err.h"
#include "la/lapack.h"
#include "la/vec.h"

#include <math.h>
#include <string.h>

enum {
	STEPS =
	    200,   /* of Newton's method; it takes 1 to 20, and fails where these are not enough */
	STUCK = 4, /* steps in a row that do not halve the least residual, and end the method */
	CUTS = 60  /* halvings of an interval: to the last digit of a double */
};

/*
 * Residuals, relative to the largest derivative.  The method ends at SOLVED, or SOLVED_CG where
 * conjugate gradients solve (the judge allows 1e-8); from NEAR_ROUNDING on where a step does not
 * divide the residual by 4; with an error where more than WRONG is left.
 */
#define SOLVED 1e-13
#define SOLVED_CG 1e-9
#define NEAR_ROUNDING 1e-8
#define WRONG 1e-6

/* Share of sum L'' in sum |L'| below which a step of b would leave the range of the losses. */
#define FLAT 1e-6

/* Share of the value below which a fall along the step is rounding: the step is taken whole. */
#define ROUNDING 1e-15

/* Part of a step after which parabolas replace L'': L'' at f says nothing of the losses nearby. */
#define SHORT 0x1p-10

/* L at f + t df, and its derivative along df; sets g and h where `set` is true. */
static long double
sum_losses(struct kith_knife_engine *e, long double t, bool set, long double *slope)
{
	long double sum = 0, d1;
	double d2;

	*slope = 0;
	for (size_t o = 0, k = 0; o < e->c; o++)
		for (size_t i = 0; i < e->n; i++, k++) {
			sum += kith_knife_loss(&e->problem, e->problem.Y[k], e->f[k] + t * e->df[k],
			    e->precise, &d1, &d2);
			*slope += d1 * e->df[k];
			if (set) {
				e->g[k] = d1;
				e->h[i] = d2;
			}
		}
	return sum;
}

void
kith_knife_newton_new(struct kith_knife_engine *e, struct kith_pool *pool)
{
	const size_t n = e->n, c = e->c;
	long double unused;

	kith_new_arrays(pool, n, c * sizeof(*e->f), (void *const[]){&e->f, &e->df, &e->g, NULL});
	e->machine.dual = e->g;
	e->curved_row = kith_new(pool, n, sizeof(*e->curved_row));
	KITH_NEW_REALS(pool, n, c, &e->Ka, &e->step, &e->Kstep, &e->machine.alpha);
	KITH_NEW_REALS(pool, n, c + 1, &e->rhs, &e->x);
	KITH_NEW_REALS(pool, n, 1, &e->h, &e->root);
	KITH_NEW_REALS(pool, c, 1, &e->db, &e->machine.bias);
	e->value_at_0 = (double)sum_losses(e, 0, false, &unused);
}

void
kith_knife_set_outputs(struct kith_knife_engine *e)
{
	const struct kith_knife_columns *s = &e->columns;
	long double unused, penalty = 0;

	for (size_t o = 0; o < e->c; o++) {
		long double *f = e->f + o * e->n;

		if (e->machine.primal)
			kith_knife_columns_outputs(e, o);
		for (size_t i = 0; i < e->n && !e->machine.primal; i++) {
			const double alpha = e->machine.alpha[o * e->n + i],
				     Ka = e->Ka[o * e->n + i];

			f[i] = (long double)Ka + e->machine.bias[o];
			penalty += (long double)e->problem.lambda1 * alpha * Ka;
		}
		for (size_t l = 0; l < s->m && e->machine.primal; l++)
			penalty += s->r[l] * s->coef[o * s->m + l] * s->coef[o * s->m + l] / 2;
	}
	e->value = (double)(sum_losses(e, 0, true, &unused) + penalty);
}

/* How far the equations are from solved, relative to their terms; the largest over the outputs. */
static double
residual(struct kith_knife_engine *e)
{
	const long double two = 2 * (long double)e->problem.lambda1;
	double worst = 0;

	for (size_t o = 0; o < e->c; o++) {
		const long double *g = e->g + o * e->n;
		const double *alpha = e->machine.alpha + o * e->n;
		long double left = 0, size = 0, sum = 0, total = 0;
		double share;

		for (size_t i = 0; i < e->n; i++) {
			sum += g[i];
			total += fabsl(g[i]);
			size = fmaxl(size, fabsl(g[i]));
			if (!e->machine.primal) /* g + 2 lambda1 alpha = 0 */
				left = fmaxl(left, fabsl(g[i] + two * alpha[i]));
		}
		if (e->problem.intercept)
			left = fmaxl(left, fabsl(sum) / (long double)e->n);
		share = e->machine.primal ? kith_knife_columns_residual(e, o, total)
		    : left > 0            ? (double)(left / fmaxl(size, left))
					  : 0;
		if (!isfinite(share) || !isfinite(total))
			return INFINITY;
		worst = fmax(worst, share);
	}
	return worst;
}

/* The Cholesky factor of A over the m rows of curvature above 0, in the order of the rows. */
static bool
factor_dual(struct kith_knife_engine *e, size_t m)
{
	const size_t *row = e->curved_row;

	for (size_t a = 0; a < m; a++) {
		const double *K = e->K + row[a] * e->n, own = e->root[row[a]];
		double *R = e->R + a * m;

		for (size_t b = a; b < m; b++)
			R[b] = own * K[row[b]] * e->root[row[b]];
		R[a] += 2 * e->problem.lambda1;
	}
	return kith_spd_factor(m, e->R);
}

/* Solves A x = rhs for `sides` columns; factored: R is the factor of A. */
static bool
solve_dual(struct kith_knife_engine *e, bool factored, size_t sides, const double *limit)
{
	const size_t n = e->n, *row = e->curved_row;
	size_t m = 0;

	if (!e->dense)
		return kith_knife_cg(e, e->root, sides, limit, e->x, e->rhs);
	for (size_t i = 0; i < n; i++)
		if (e->root[i] > 0)
			e->curved_row[m++] = i;
	if (!factored)
		e->factored = factor_dual(e, m);
	if (!e->factored)
		return false;
	for (size_t o = 0; o < sides; o++)
		for (size_t a = 0; a < m; a++)
			e->x[o * m + a] = e->rhs[o * n + row[a]];
	if (m > 0)
		kith_spd_solve(m, sides, e->R, e->x);
	for (size_t o = sides; o-- > 0;) /* spread m numbers over n from their end, in place */
		for (size_t i = n, a = m; i-- > 0;)
			e->x[o * n + i] = e->root[i] > 0 ? e->x[o * m + --a] : 0;
	return true;
}

/* Sets root to the curvatures of this step; whether the factor has them. */
static bool
set_root(struct kith_knife_engine *e)
{
	bool same = e->factored;

	for (size_t i = 0; i < e->n; i++) {
		const double root = sqrt(e->h[i]);

		same = same && root == e->root[i];
		e->root[i] = root;
	}
	return same;
}

/* The right-hand sides of step 4, and how exactly to solve them; step = d0. */
static void
set_sides(struct kith_knife_engine *e, size_t sides, double part, double *limit)
{
	const size_t n = e->n, c = e->c;
	const double two = 2 * e->problem.lambda1;
	bool flat_rows = false;

	for (size_t o = 0; o < c; o++) {
		double most = 0;

		for (size_t i = 0, k = o * n; i < n; i++, k++) {
			const double r = (double)(e->g[k] + (long double)two * e->machine.alpha[k]);
			const double s = e->root[i];

			e->step[k] = s > 0 ? 0 : -r / two;
			e->rhs[k] = s > 0 ? -r / s : 0;
			flat_rows = flat_rows || !(s > 0);
			most = kith_larger(most, fabs(r));
		}
		limit[o] = part * most;
	}
	for (size_t i = 0; i < n && sides > c; i++)
		e->rhs[n * c + i] = e->root[i];
	if (sides > c)
		limit[c] = part * kith_vec_largest(n, e->h);
	if (!flat_rows)
		return;
	kith_knife_times(e, c, e->step, e->Kstep);
	for (size_t o = 0; o < c; o++)
		for (size_t i = 0, k = o * n; i < n; i++, k++)
			e->rhs[k] -= e->root[i] * e->Kstep[k];
}

/*
 * Step 4 for alpha.  Where S_i = 0 the step of alpha_i is -r_i / (2 lambda1), d0; elsewhere it is
 * S_i (v - b u)_i with A v = -S^-1 r - S K d0 and A u = S 1, and 1'(alpha + step) = 0 gives b.
 */
static bool
find_dual_step(struct kith_knife_engine *e, double left)
{
	const size_t n = e->n, c = e->c, sides = c + (e->problem.intercept && !e->fixed_bias);
	const double two = 2 * e->problem.lambda1;
	const bool same = set_root(e), squared = e->problem.loss == KITH_KNIFE_SQUARED;
	/* The nearer the end, the more exactly (Eisenstat and Walker). */
	const double part = fmax(SOLVED_CG / 3 / left, squared ? 0 : fmin(.1, left));
	struct kith_pool tmp = {0};
	double *limit = kith_new(&tmp, sides, sizeof(*limit));
	bool regular;

	set_sides(e, sides, part, limit);
	regular = solve_dual(e, same, sides, limit);
	kith_pool_free(&tmp);
	if (!regular)
		return false;
	e->slope = e->curve = 0;
	for (size_t o = 0; o < c; o++) {
		const double *v = e->x + o * n, *u = e->x + c * n;
		double *step = e->step + o * n;
		long double sum = 0, slope = 0;

		for (size_t i = 0; i < n && sides > c; i++) {
			sum += (long double)e->machine.alpha[o * n + i] + step[i] +
			    e->root[i] * v[i];
			slope += e->root[i] * u[i];
		}
		e->db[o] = slope > 0 ? (double)(sum / slope) : 0;
		for (size_t i = 0; i < n; i++)
			step[i] += e->root[i] * (sides > c ? v[i] - e->db[o] * u[i] : v[i]);
	}
	kith_knife_times(e, c, e->step, e->Kstep);
	for (size_t o = 0; o < c; o++)
		for (size_t i = 0, k = o * n; i < n; i++, k++) {
			e->df[k] = (long double)e->Kstep[k] + e->db[o];
			e->slope += (long double)two * e->machine.alpha[k] * e->Kstep[k];
			e->curve += (long double)two * e->step[k] * e->Kstep[k];
		}
	return true;
}

static bool
find_step(struct kith_knife_engine *e, double left)
{
	return e->machine.primal ? kith_knife_columns_step(e, set_root(e))
				 : find_dual_step(e, left);
}

/* The part of the step to go: all of it, unless the value rises there, else near the minimum. */
static long double
find_length(struct kith_knife_engine *e)
{
	long double lo = 0, hi = 1, start, at;

	if (e->problem.loss == KITH_KNIFE_SQUARED)
		return 1;
	start = e->slope;
	for (size_t i = 0; i < e->n; i++)
		start += e->g[i] * e->df[i];
	sum_losses(e, 1, false, &at);
	at += e->slope + e->curve;
	if (!(-start > ROUNDING * fabs(e->value)) || at <= -start / 2)
		return 1;
	for (int cut = 0; cut < CUTS && !(fabsl(at) <= -start / 10); cut++) {
		const long double t = lo + (hi - lo) / 2;

		sum_losses(e, t, false, &at);
		at += e->slope + t * e->curve;
		if (at > 0)
			hi = t;
		else
			lo = t;
	}
	return lo > 0 ? lo : hi;
}

/* Moves the machine by the part t of the step. */
static void
move_machine(struct kith_knife_engine *e, long double t)
{
	struct kith_knife_columns *s = &e->columns;

	if (e->machine.primal)
		for (size_t k = 0; k < e->c * s->m; k++)
			s->coef[k] += t * s->step[k];
	else {
		for (size_t k = 0; k < e->c * e->n; k++) {
			e->machine.alpha[k] += (double)t * e->step[k];
			e->Ka[k] += (double)t * e->Kstep[k];
		}
		for (size_t o = 0; o < e->c; o++)
			e->machine.bias[o] += (double)t * e->db[o];
		if (e->dense)
			kith_knife_times(e, e->c, e->machine.alpha, e->Ka);
	}
	kith_knife_set_outputs(e);
}

/* Whether L'' vanishes next to L', over all rows. */
static bool
losses_are_flat(const struct kith_knife_engine *e)
{
	long double size = 0;

	for (size_t i = 0; i < e->n; i++)
		size += fabsl(e->g[i]);
	return kith_vec_sum(e->n, e->h) <= FLAT * (double)size;
}

/* Step 3: finds b by bisection where the losses are flat, and decides whether steps change b. */
static bool
settle_bias(struct kith_knife_engine *e)
{
	long double near = 0, far, sum, at;

	e->fixed_bias = false;
	if (!e->problem.intercept || e->problem.loss == KITH_KNIFE_SQUARED || !losses_are_flat(e))
		return false;
	for (size_t i = 0; i < e->n; i++)
		e->df[i] = 1;
	sum_losses(e, 0, false, &sum);
	far = sum > 0 ? -1 : sum < 0;
	for (int i = 1; i < CUTS; i++) {
		sum_losses(e, far, false, &at);
		if ((at > 0) != (sum > 0))
			break;
		near = far;
		far *= 2;
	}
	for (int i = 0; i < CUTS; i++) {
		const long double b = near + (far - near) / 2;

		sum_losses(e, b, false, &at);
		*((at > 0) == (sum > 0) ? &near : &far) = b;
	}
	if (e->machine.primal)
		e->columns.coef[e->columns.m - 1] += far;
	else
		*e->machine.bias += (double)far;
	kith_knife_set_outputs(e);
	e->fixed_bias = losses_are_flat(e);
	e->factored = false;
	return true;
}

/* Replaces curvatures by those of parabolas above the losses. */
static void
use_parabolas(struct kith_knife_engine *e)
{
	for (size_t i = 0; i < e->n; i++)
		e->h[i] = kith_knife_parabola(&e->problem, e->problem.Y[i], (double)e->f[i]);
}

static int
fail_singular(const struct kith_knife_engine *e, struct kith_err *err)
{
	return kith_fail(err, EX_DATAERR,
	    "lambda1 %g is too small: K + lambda1 I is singular to working precision",
	    e->problem.lambda1);
}

/* Steps 2 to 5 from the present machine, whose outputs are set. */
static int
iterate(struct kith_knife_engine *e, struct kith_err *err)
{
	/* In long double the method goes on until rounding stops it. */
	const double solved = !e->dense ? SOLVED_CG : e->machine.primal && e->precise ? 0 : SOLVED;
	double best = INFINITY, last = INFINITY, left;
	/* A factor solves the squared loss as well as rounding allows; the judge sees how well. */
	const bool once = e->problem.loss == KITH_KNIFE_SQUARED && !e->machine.primal && e->dense;
	long double t = 1;
	int stuck = 0;

	for (int step = 0; step < STEPS && stuck < STUCK; step++) {
		left = residual(e);
		if (left <= solved)
			return 0;
		if (left > last / 4 && (once || (t == 1 && left <= NEAR_ROUNDING)))
			return 0;
		stuck = left > best / 2 ? stuck + 1 : 0;
		if (stuck > 0 && best > WRONG && step < STEPS / 2)
			stuck = 1; /* far from the end the residual may rise for a while */
		best = fmin(best, left);
		if (settle_bias(e))
			residual(e);
		if (e->c == 1 && t < SHORT)
			use_parabolas(e);
		if (!find_step(e, left)) {
			use_parabolas(e);
			if (e->c > 1 || !find_step(e, left))
				return fail_singular(e, err);
		}
		t = find_length(e);
		move_machine(e, t);
		last = left;
	}
	return residual(e) <= WRONG ? 0 : fail_singular(e, err);
}

int
kith_knife_solve(struct kith_knife_engine *e, struct kith_err *err)
{
	const size_t nc = e->n * e->c;
	int got;

	/* A factor solves the squared loss from anywhere, and most exactly from 0. */
	if (e->precise || (e->problem.loss == KITH_KNIFE_SQUARED && e->dense && !e->machine.primal))
		e->warm = false;
	memset(e->df, 0, nc * sizeof(*e->df));
	if (e->machine.primal)
		kith_knife_columns_begin(e);
	else if (e->warm)
		kith_knife_times(e, e->c, e->machine.alpha, e->Ka);
	if (e->warm)
		kith_knife_set_outputs(e);
	if (!e->warm || !(e->value < e->value_at_0)) {
		for (size_t k = 0; k < e->c * e->columns.m; k++)
			e->columns.coef[k] = 0;
		memset(e->machine.alpha, 0, nc * sizeof(*e->machine.alpha));
		memset(e->Ka, 0, nc * sizeof(*e->Ka));
		memset(e->machine.bias, 0, e->c * sizeof(*e->machine.bias));
		kith_knife_set_outputs(e);
	}
	got = iterate(e, err);
	for (size_t o = 0; o < e->c && got == 0 && e->machine.primal; o++)
		kith_knife_columns_machine(e, o);
	e->warm = got == 0;
	return got;
}
