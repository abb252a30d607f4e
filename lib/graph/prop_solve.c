/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Small problems, and weights too far apart for the squares of doubles, are
 *    eliminated without subtraction (solve/gth.h), if that fits.
 * 2. A few steps of conjugate gradients on z, the steps of a random walk until
 *    it is out, of which the bound of errors is made: they tell how many steps
 *    the labels will need.
 * 3. Where that costs less than to order a factor, go on so.  Else order one,
 *    and take it where it fits and is cheaper; if not, conjugate gradients with
 *    an incomplete factor.
 * 4. Solve for what is left, R = B - A X, and add, until it is small: the first
 *    time solves, the others refine.
 */
#include "graph/prop_solve.h"

#include "base/pool.h"
#include "graph/graph.h"
#include "graph/prop.h"
#include "graph/prop_exact.h"
#include "solve/cg.h"
#include "solve/ic.h"
#include "solve/inside.h"
#include "solve/mmat.h"
#include "solve/sparse.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static const size_t SMALL = 300;  /* nodes: step 1 */
static const double WILD = 1e100; /* ratio of weights: step 1 */
static const double FITS = 2.5e8; /* entries of a factor: 2 GB */
static const double GOAL = 2e-14; /* residual, of the largest G */
static const double ROUGH = 1e-3; /* that of z */
enum { GLANCE = 12, TRIAL = 30, ROUNDS = 6, MOST = 100000, AT_ONCE = 2000000 };

struct plan {
	const struct kith_prop *p;
	size_t threads;
	size_t *node; /* in: the nodes in A, those of the factor's rows */
	struct kith_sparse S;
	struct kith_sparse_factor *factor;
	struct kith_ic *ic;
	size_t iterations;
	struct kith_pool pool, numbers, incomplete; /* of S, and of ic */
};

static void
order(struct plan *plan)
{
	if (plan->factor)
		return;
	kith_mmat_inside(&plan->p->A, &plan->S, &plan->numbers, &plan->node, &plan->pool);
	plan->factor = kith_sparse_order(&plan->S);
}

static void
drop_incomplete(struct plan *plan)
{
	plan->ic = NULL;
	kith_pool_free(&plan->incomplete);
}

/* Free all that was made to solve with. */
static void
drop(struct plan *plan)
{
	drop_incomplete(plan);
	if (plan->factor)
		kith_sparse_free(plan->factor);
	plan->factor = NULL;
	kith_pool_free(&plan->numbers);
	kith_pool_free(&plan->pool);
}

/* Add the solution of A E = R to X (n x ld), some columns at a time. */
static void
by_factor(struct plan *plan, size_t ld, const double *R, double *X)
{
	const size_t m = plan->S.n, all = plan->p->labels->c;
	const size_t c = ld < all ? ld : all; /* the others are 0 */
	const size_t sides = AT_ONCE / (m + 1) + 4;
	struct kith_pool tmp = {0};
	double *b = kith_new(&tmp, m * (c < sides ? c : sides), sizeof(*b));

	for (size_t first = 0; first < c; first += sides) {
		const size_t few = c - first < sides ? c - first : sides;

		for (size_t j = 0; j < m; j++)
			for (size_t k = 0; k < few; k++)
				b[k * m + j] = R[plan->node[j] * ld + first + k];
		kith_sparse_solve(plan->factor, few, b, b);
		for (size_t j = 0; j < m; j++)
			for (size_t k = 0; k < few; k++)
				X[plan->node[j] * ld + first + k] += b[k * m + j];
	}
	kith_pool_free(&tmp);
}

/*
 * Add the solution of A E = R to X, for c columns; R is 0 where nodes are out,
 * and lost.  Conjugate gradients end at a residual of tol.
 */
static void
correct(struct plan *plan, size_t c, double *R, double *X, double tol)
{
	const struct kith_mmat *A = &plan->p->A;
	const struct kith_cg_how how = {tol, MOST, plan->ic, plan->threads};
	struct kith_pool tmp = {0};
	double *E, size;

	if (plan->factor) {
		by_factor(plan, c, R, X);
		return;
	}
	E = kith_new(&tmp, A->n * c, sizeof(*E));
	plan->iterations += kith_cg(A, c, R, E, &how, &size);
	for (size_t i = 0; i < A->n * c; i++)
		X[i] += E[i];
	kith_pool_free(&tmp);
}

/* The right side of z. */
static void
walk_side(const struct kith_prop *p, double *R)
{
	for (size_t i = 0; i < p->A.n; i++)
		R[i] = p->A.out[i] ? 0 : p->A.diagonal[i];
}

/* z of spread, whose rows of A sum to (1 - a) a_i; the usual iterations. */
static double
foretell_spread(const struct plan *plan, double *z)
{
	const double a = plan->p->alpha;

	for (size_t i = 0; i < plan->p->A.n; i++)
		z[i] = 1 / (1 - a);
	return (plan->ic ? 3 : 9) * sqrt((1 + a) / (1 - a));
}

/*
 * At most so many iterations on z, or on the first side of poisson: how many
 * they say there will be for the labels; whether z is done.
 */
static double
foretell(struct plan *plan, size_t most, double *z, bool *done)
{
	const struct kith_prop *p = plan->p;
	const struct kith_cg_how how = {ROUGH, most, plan->ic, plan->threads};
	struct kith_pool tmp = {0};
	double *R, size, first, n;

	*done = p->method == KITH_PROP_SPREAD;
	if (*done)
		return foretell_spread(plan, z);
	R = kith_new(&tmp, p->A.n, sizeof(*R));
	walk_side(p, R);
	if (p->method == KITH_PROP_POISSON)
		for (size_t i = 0; i < p->A.n; i++)
			R[i] = kith_prop_source(p, i, 0);
	kith_mmat_size(&p->A, 1, R, &first);
	n = (double)kith_cg(&p->A, 1, R, z, &how, &size);
	*done = size <= ROUGH && p->method != KITH_PROP_POISSON;
	kith_pool_free(&tmp);
	if (!(size < .9 * first))
		return INFINITY;
	return .6 * n * log(GOAL) / log(size / first);
}

/* Seconds of an iteration for c columns, of a cache or from memory. */
static double
iteration(const struct kith_prop *p, double c)
{
	const double entries = (double)p->A.start[p->A.n], n = (double)p->A.n;
	const double far = 8 * n * c > 2e6 ? 3 : 1;

	return far * 3e-10 * (c + 2) * (entries + 4 * n);
}

/*
 * Seconds that conjugate gradients will take with an incomplete factor, of
 * which an iteration costs three; a trial of so many seconds tells.
 */
static double
try_incomplete(struct plan *plan, double seconds, double *z, bool *done)
{
	const struct kith_prop *p = plan->p;
	const double steps = seconds / (3 * iteration(p, 1));

	if (!plan->ic)
		plan->ic = kith_ic_new(&p->A, &plan->incomplete);
	return 3 * iteration(p, (double)p->ld) *
	    foretell(plan, (size_t)fmin(fmax(steps, GLANCE), MOST), z, done);
}

/* Without an order: whether conjugate gradients cost less than to find one. */
static bool
is_quick(struct plan *plan, double ordering, double *z, bool *done)
{
	const struct kith_prop *p = plan->p;

	if (isinf(foretell(plan, GLANCE, z, done)))
		return false;
	return foretell(plan, TRIAL, z, done) * iteration(p, (double)p->ld) < ordering ||
	    try_incomplete(plan, .1 * ordering, z, done) < ordering;
}

/* Steps 2 and 3: choose, and begin z. */
static void
choose(struct plan *plan, double *z, bool *done, double *fill)
{
	const struct kith_prop *p = plan->p;
	/* Seconds, as measured on one processor; only their ratios matter. */
	const double ordering = 6e-7 * (double)p->A.start[p->A.n];
	double factor;

	if (is_quick(plan, ordering, z, done))
		return;
	drop_incomplete(plan);
	order(plan);
	*fill = kith_sparse_fill(plan->factor);
	factor = kith_sparse_flops(plan->factor) / 5e9 + 1.5e-9 * ((double)p->ld + 1) * *fill;
	if (*fill <= FITS &&
	    (3 * GLANCE * iteration(p, 1) > .1 * factor ||
		try_incomplete(plan, .1 * factor, z, done) > factor)) {
		drop_incomplete(plan);
		kith_sparse_take(plan->factor, &plan->S);
		kith_pool_free(&plan->numbers);
		if (!kith_sparse_cholesky(plan->factor))
			return;
	}
	drop(plan);
	plan->ic = kith_ic_new(&p->A, &plan->incomplete);
}

/* Step 4. */
static void
refine(struct plan *plan, struct kith_prop *p)
{
	struct kith_pool tmp = {0};
	const size_t all = p->A.n * p->ld;
	double *R = kith_new(&tmp, all, sizeof(*R));
	double *most = kith_new(&tmp, p->ld, sizeof(*most)), before = INFINITY;

	for (int round = 0; round < ROUNDS; round++) {
		double size = 0, top = p->top;

		kith_prop_rest(p, p->X, R, plan->threads);
		kith_mmat_size(&p->A, p->ld, R, most);
		for (size_t k = 0; k < p->ld; k++)
			size = kith_mmat_larger(size, most[k]);
		if (p->method >= KITH_PROP_SPREAD) {
			top = round == 0 ? size : 0;
			for (size_t i = 0; i < all; i++)
				top = fmax(top, fabs(p->X[i]));
		}
		if (size <= GOAL * top || !(size < before / 2))
			break;
		before = size;
		correct(plan, p->ld, R, p->X, GOAL / 2 * top);
	}
	kith_pool_free(&tmp);
}

/* Whether doubles cannot hold squares of what belongs to these weights. */
static bool
is_wild(const struct kith_mmat *A)
{
	double least = INFINITY, most = 0;

	for (size_t e = 0; e < A->start[A->n]; e++) {
		least = fmin(least, A->w[e]);
		most = fmax(most, A->w[e]);
	}
	return most > WILD || least < 1 / WILD || most > WILD * least;
}

/* Steps 2 and 3, and z by what was chosen; NULL where there is none. */
static double *
prepare(struct plan *plan, double *fill, struct kith_pool *pool)
{
	const struct kith_prop *p = plan->p;
	struct kith_pool tmp = {0};
	double *z = kith_new(pool, p->A.n, sizeof(*z)), *R;
	bool done;

	choose(plan, z, &done, fill);
	if (p->method == KITH_PROP_POISSON)
		return NULL;
	if (!done) {
		R = kith_new(&tmp, p->A.n, sizeof(*R));
		walk_side(p, R);
		memset(z, 0, p->A.n * sizeof(*z));
		correct(plan, 1, R, z, ROUGH);
		kith_pool_free(&tmp);
	}
	return z;
}

double *
kith_prop_walk(const struct kith_prop *p, size_t threads, struct kith_pool *pool)
{
	struct plan plan = {.p = p, .threads = threads};
	double fill, *z;

	if (p->method == KITH_PROP_POISSON || is_wild(&p->A))
		return NULL;
	z = prepare(&plan, &fill, pool);
	drop(&plan);
	return z;
}

void
kith_prop_solve(
    struct kith_prop *p, size_t threads, struct kith_prop_solved *out, struct kith_pool *pool)
{
	struct plan plan = {.p = p, .threads = threads};

	*out = (struct kith_prop_solved){0};
	if (p->in == 0)
		return;
	if ((p->in <= SMALL || is_wild(&p->A)) && kith_prop_exact(p, p->X, &out->error)) {
		out->solver = KITH_PROP_GTH;
	} else {
		out->z = prepare(&plan, &out->fill, pool);
		refine(&plan, p);
		out->solver = plan.factor ? KITH_PROP_CHOLESKY : KITH_PROP_CG;
		out->iterations = plan.iterations;
		drop(&plan);
	}
	if (p->method == KITH_PROP_POISSON)
		kith_prop_centre(p);
}
