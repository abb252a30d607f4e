/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * 1. Small problems, and weights too far apart for the squares of doubles, are eliminated without
 *    subtraction (solve/gth.h), if that fits.
 * 2. Otherwise the equations of the free nodes become a sparse matrix A, and an order of
 *    elimination tells how many operations its Cholesky factor takes.
 * 3. z, A z = a, which bounds the errors, is solved roughly by conjugate gradients with an
 *    incomplete Cholesky factor, in as many iterations as make them cheaper than the factor for the
 *    labels, too. Where these are enough, as on graphs of images, the labels are solved so.  Where
 *    they are not, as on surfaces, A is factored, if the factor fits in memory.
 * 4. Iterative refinement: solve A E = B - A X, X += E, until the residual is small.  poisson: the
 *    residuals of a component sum to 0; A lacks one equation of each component, whose residual is
 *    minus the sum of all others.
 */

#include "graph/propagate.h"

#include "base/par.h"
#include "base/pool.h"
#include "graph/internal.h"
#include "solve/cg.h"
#include "table/table.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const size_t SMALL = 300;      /* free nodes that are eliminated at once */
static const double WILD = 1e100;     /* weights, and ratios of weights, whose squares overflow */
static const double FILL = 2.5e8;     /* entries of a Cholesky factor at most: 2 GB */
static const double GTH_FILL = 5e7;   /* of elimination without subtraction: 1 GB */
static const double GTH_FLOPS = 4e10; /* its operations at most: minutes */
static const double GOAL = 2e-14;     /* residual of X over the largest G */
static const double GROUND = 5;   /* times GOAL: of an equation that A lacks; 1e-12 is checked */
static const double ROUGH = 1e-3; /* residual of z */
/* Scores above so many times |b_i| / a_i do not loosen GOAL: nearly separate parts of a graph. */
static const double AMPLIFIED = 1e3;
/*
 * Step 3: operations of a factor in the time of one of conjugate gradients (which take FAR times as
 * long where their vectors exceed CACHE bytes), and iterations for the labels for one of z.  Fitted
 * to ten graphs of letters, digits and a plane: on each the slower solver takes up to 2.5 times as
 * long.
 */
static const double BLAS_GAIN = 10, FAR = 1.5, CACHE = 2e6, LABELS = 1.5;
/* Iterations and refinements at most; rows of a block. */
enum { MOST = 100000, ROUNDS = 6, ROWS = 4096 };

bool
kith_prop_is_labelled(const struct kith_prop_labels *l, size_t i)
{
	return l->y ? l->y[i] != KITH_NO_CLASS : !isnan(l->u[i]);
}

/* Whether the scores of labelled nodes are their labels. */
static bool
keeps_labels(const struct kith_prop *p)
{
	return p->method == KITH_PROP_HARMONIC || p->method == KITH_PROP_NORMALIZED;
}

bool
kith_prop_is_given(const struct kith_prop *p, size_t i)
{
	return keeps_labels(p) && kith_prop_is_labelled(p->labels, i);
}

double
kith_prop_label(const struct kith_prop_labels *l, size_t i, size_t k)
{
	if (!kith_prop_is_labelled(l, i))
		return 0;
	return l->y ? l->y[i] == k : k > 0 ? 1 : l->u[i];
}

bool
kith_prop_is_poisson(const struct kith_prop *p, size_t i)
{
	return p->method == KITH_PROP_POISSON && p->reached[i] && p->single[i] == SIZE_MAX &&
	    p->graph->d[i] > 0;
}

/*
 * Finds the components with labels, the components with labels of one class alone, the means of
 * labels, and the nodes without an equation; for poisson, the node of the largest degree of each
 * component has none.
 */
void
kith_prop_pose(const struct kith_undirected *graph, const struct kith_prop_labels *labels,
    enum kith_prop_method method, double alpha, struct kith_prop *p, struct kith_pool *pool)
{
	const size_t n = graph->W.n, c = labels->c, components = graph->components, *y = labels->y;
	const bool spread = method == KITH_PROP_SPREAD, poisson = method == KITH_PROP_POISSON;
	struct kith_pool tmp = {0};
	size_t *count, *class, *largest; /* of each component; largest: node + 1 */

	*p = (struct kith_prop){
	    .graph = graph, .labels = labels, .method = method, .alpha = spread ? alpha : 1};
	p->load = (1 - p->alpha) / p->alpha;
	KITH_NEW_SIZES(&tmp, components, 1, &count, &class, &largest);
	KITH_NEW_REALS(pool, components, c, &p->mean);
	KITH_NEW_REALS(pool, n, 1, &p->h);
	KITH_NEW_REALS(pool, n, c, &p->X);
	p->reached = kith_new(pool, n, sizeof(*p->reached));
	p->single = kith_new(pool, n, sizeof(*p->single));
	p->fixed = kith_new(pool, n, sizeof(*p->fixed));
	for (size_t i = 0; i < n; i++) {
		const size_t at = graph->component[i];

		if (largest[at] == 0 || graph->d[i] > graph->d[largest[at] - 1])
			largest[at] = i + 1;
		if (!kith_prop_is_labelled(labels, i))
			continue;
		class[at] = y && (count[at] == 0 || class[at] == y[i]) ? y[i] : SIZE_MAX;
		count[at]++;
		for (size_t k = 0; k < c; k++)
			p->mean[at * c + k] += kith_prop_label(labels, i, k);
	}
	for (size_t at = 0; at < components; at++)
		for (size_t k = 0; count[at] > 0 && k < c; k++)
			p->mean[at * c + k] /= (double)count[at];
	for (size_t i = 0; i < n; i++) {
		const size_t at = graph->component[i];
		const double d = graph->d[i];
		const bool given = kith_prop_is_given(p, i);

		p->reached[i] = count[at] > 0;
		p->unreached += !p->reached[i];
		p->single[i] = poisson && p->reached[i] ? class[at] : SIZE_MAX;
		p->fixed[i] = !p->reached[i] || d == 0 || p->single[i] != SIZE_MAX ||
		    (poisson && largest[at] == i + 1) || given;
		p->n_free += !p->fixed[i];
		p->h[i] = (spread || method == KITH_PROP_NORMALIZED) && d > 0 ? sqrt(d) : 1;
		if (kith_prop_is_labelled(labels, i) && d > 0)
			p->top = fmax(p->top, 1 / p->h[i]);
		for (size_t k = 0; k < c && (given || d == 0); k++)
			p->X[i * c + k] = kith_prop_due(p, i, k);
	}
	kith_pool_free(&tmp);
}

double
kith_prop_due(const struct kith_prop *p, size_t i, size_t k)
{
	return (kith_prop_is_given(p, i) ? 1 : 1 - p->alpha) * kith_prop_label(p->labels, i, k) /
	    p->h[i];
}

double
kith_prop_score(const struct kith_prop *p, size_t i, size_t k)
{
	return ldexp(p->X[i * p->labels->c + k] * p->h[i],
	    p->method == KITH_PROP_POISSON ? -p->graph->exponent : 0);
}

/*
 * The term of equation i, column k, that no x has: spread d_i (1/a - 1) / h_i Y_ik, poisson Y -
 * mean.
 */
static double
source(const struct kith_prop *p, size_t i, size_t k)
{
	if (keeps_labels(p) || !kith_prop_is_labelled(p->labels, i) || p->single[i] != SIZE_MAX)
		return 0;
	if (p->method == KITH_PROP_SPREAD)
		return p->load * p->graph->d[i] / p->h[i] * kith_prop_label(p->labels, i, k);
	return kith_prop_label(p->labels, i, k) -
	    p->mean[p->graph->component[i] * p->labels->c + k];
}

/*
 * r = b_i - (A X)_i, and its rounding error unless `rounding` is NULL: each of m + 2 terms is off
 * by 3 units of rounding, their sum by m + 2 units.
 */
void
kith_prop_residual(
    const struct kith_prop *p, const double *X, size_t i, double *r, double *rounding)
{
	const struct kith_sparse *W = &p->graph->W;
	const size_t c = p->labels->c, m = W->start[i + 1] - W->start[i];
	const double *x = X + i * c;

	for (size_t k = 0; k < c; k++) {
		const double own = -(p->load * p->graph->d[i]) * x[k], given = source(p, i, k);

		r[k] = own + given;
		if (rounding)
			rounding[k] = fabs(own) + 4 * fabs(given);
	}
	for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
		const double *y = X + W->column[e] * c, w = W->x[e];

		for (size_t k = 0; k < c; k++) {
			r[k] += w * (y[k] - x[k]);
			if (rounding)
				rounding[k] += fabs(w * (y[k] - x[k]));
		}
	}
	for (size_t k = 0; k < c && rounding; k++)
		rounding[k] *= (double)(m + 6) * DBL_EPSILON;
}

/* The equations of the free nodes: row j of A is node[j].  poisson: grounded nodes follow them. */
struct equations {
	const struct kith_prop *p;
	size_t threads;
	struct kith_sparse A;
	size_t nodes;
	uint32_t *node;
	struct kith_sparse *ic;
	struct kith_sparse_factor *factor;
	size_t iterations;
	size_t n_residuals; /* nodes whose residuals are due */
	double *R, *size;   /* residuals, nodes x c; the largest |r_i| / a_i of each block */
	struct kith_pool pool;
};

/*
 * Rows are numbered breadth first, so that neighbours are near each other in memory.  As A is
 * symmetric, row j appends itself to the rows of its neighbours; each row so gets increasing
 * columns.
 */
static void
set_up(const struct kith_prop *p, size_t threads, struct equations *q)
{
	const struct kith_sparse *W = &p->graph->W;
	const size_t m = p->n_free;
	struct kith_pool tmp = {0};
	uint32_t *row = kith_new(&tmp, W->n, sizeof(*row)); /* of each free node */
	size_t *end = kith_new(&tmp, m, sizeof(*end)), n = 0;

	*q = (struct equations){.p = p, .threads = threads, .nodes = m};
	q->node = kith_new(&q->pool, m + p->graph->components, sizeof(*q->node));
	q->A = kith_sparse_new(m, W->start[W->n], &q->pool);
	for (size_t k = 0, j = 0; k < W->n; k++) {
		const size_t i = p->graph->order[k];

		if (p->fixed[i])
			continue;
		for (size_t e = W->start[i]; e < W->start[i + 1]; e++)
			n += !p->fixed[W->column[e]];
		row[i] = (uint32_t)j;
		q->node[j] = (uint32_t)i;
		q->A.diagonal[j++] = p->graph->d[i] / p->alpha;
		q->A.start[j] = n;
	}
	for (size_t i = 0; i < W->n; i++)
		if (p->fixed[i] && kith_prop_is_poisson(p, i))
			q->node[q->nodes++] = (uint32_t)i;
	memcpy(end, q->A.start, m * sizeof(*end));
	for (size_t j = 0; j < m; j++)
		for (size_t e = W->start[q->node[j]]; e < W->start[q->node[j] + 1]; e++) {
			if (p->fixed[W->column[e]])
				continue;
			n = end[row[W->column[e]]]++;
			q->A.column[n] = (uint32_t)j;
			q->A.x[n] = -W->x[e];
		}
	kith_pool_free(&tmp);
}

/*
 * Solves A E = R for c columns, by rows; R is lost.  Conjugate gradients end at a residual of tol,
 * or after `most` iterations; returns the largest |r_i| / a_i.
 */
static double
solve_once(struct equations *q, size_t c, double *R, double *E, double tol, size_t most)
{
	const struct kith_cg job = {&q->A, q->ic, c, tol, most, q->threads};
	double size = 0;

	if (q->factor)
		kith_sparse_solve(q->factor, c, R, E);
	else
		q->iterations += kith_cg(&job, R, E, &size);
	return size;
}

/* Steps 2 and 3: chooses how to solve, and solves for z. */
static void
choose_solver(struct equations *q, struct kith_prop *p, struct kith_pool *pool)
{
	const size_t m = q->A.n;
	struct kith_pool tmp = {0};
	struct kith_sparse_factor *order = kith_sparse_order(&q->A);
	const double entries = (double)q->A.start[m], rows = (double)m;
	const double c = (double)p->labels->c;
	double *R, *z, factor, iteration, most;

	KITH_NEW_REALS(&tmp, m, 1, &R, &z);
	memcpy(R, q->A.diagonal, m * sizeof(*R));
	p->fill = kith_sparse_fill(order);
	/*
	 * Operations: of the factor with two solutions by it for c columns, and of an iteration.
	 * Where they allow no iteration, z is left at its start 0, whose residual exceeds ROUGH.
	 */
	factor = kith_sparse_flops(order) / BLAS_GAIN + 8 * p->fill * c;
	iteration = (4 * entries + 10 * rows) * c * (8 * rows * c > CACHE ? FAR : 1);
	most = p->fill <= FILL ? fmin(factor / iteration / LABELS, MOST) : MOST;
	q->ic = kith_ic_new(&q->A, &q->pool);
	if (!(solve_once(q, 1, R, z, ROUGH, (size_t)most) <= ROUGH)) {
		if (p->fill <= FILL && !kith_sparse_cholesky(order, &q->A, 0)) {
			q->factor = order;
			order = NULL;
		}
		memcpy(R, q->A.diagonal, m * sizeof(*R));
		solve_once(q, 1, R, z, ROUGH, MOST);
	}
	kith_sparse_free(order);
	p->z = kith_new(pool, p->graph->W.n, sizeof(*p->z));
	for (size_t j = 0; j < m; j++)
		p->z[q->node[j]] = z[j];
	kith_pool_free(&tmp);
}

static void
compute_residuals(void *to, size_t block, size_t thread)
{
	const struct equations *q = to;
	const struct kith_prop *p = q->p;
	const size_t end = (block + 1) * ROWS;
	double size = 0;

	(void)thread;
	for (size_t j = block * ROWS; j < end && j < q->n_residuals; j++) {
		const double a = j < q->A.n ? q->A.diagonal[j] : GROUND * p->graph->d[q->node[j]];
		double *r = q->R + j * p->labels->c;

		kith_prop_residual(p, p->X, q->node[j], r, NULL);
		for (size_t k = 0; k < p->labels->c; k++)
			if (!(fabs(r[k]) <= size * a) && !isnan(size))
				size = fabs(r[k]) / a;
	}
	q->size[block] = size;
}

/* Step 4. */
static void
refine(struct equations *q, struct kith_prop *p)
{
	const size_t c = p->labels->c, m = q->A.n, blocks = (q->nodes + ROWS - 1) / ROWS;
	double *E, before = INFINITY, first = 0;

	KITH_NEW_REALS(&q->pool, blocks, 1, &q->size);
	KITH_NEW_REALS(&q->pool, q->nodes, c, &q->R, &E);
	for (int round = 0; round < ROUNDS; round++) {
		double size = 0, top = p->top, tol;

		q->n_residuals = round == 0 ? m : q->nodes;
		kith_par(q->threads, blocks, compute_residuals, q);
		for (size_t b = 0; b < blocks; b++)
			size = isnan(size) || q->size[b] <= size ? size : q->size[b];
		if (!keeps_labels(p)) {
			first = round == 0 ? size : first;
			top = first;
			for (size_t at = 0; at < p->graph->W.n * c; at++)
				top = fmax(top, fabs(p->X[at]));
			top = fmin(top, AMPLIFIED * first);
		}
		if (size <= GOAL * top || !(size < before / 2))
			break;
		before = size;
		tol = GOAL / 2 * top;
		if (q->nodes > m && round > 0)
			tol *= GOAL * top / size;
		solve_once(q, c, q->R, E, tol, MOST);
		for (size_t at = 0; at < m * c; at++)
			p->X[q->node[at / c] * c + at % c] += E[at];
	}
}

/*
 * Adds to each column of X (n x c) `sign` times its mean over a component, weighted with the
 * degrees.
 */
static void
add_means(const struct kith_prop *p, int sign, double *X)
{
	const struct kith_undirected *g = p->graph;
	const size_t c = p->labels->c;
	struct kith_pool tmp = {0};
	long double *sum = kith_new(&tmp, g->components * c, sizeof(*sum));
	long double *total = kith_new(&tmp, g->components, sizeof(*total));

	for (size_t i = 0; i < g->W.n; i++) {
		total[g->component[i]] += g->d[i];
		for (size_t k = 0; k < c; k++)
			sum[g->component[i] * c + k] += (long double)g->d[i] * X[i * c + k];
	}
	for (size_t i = 0; i < g->W.n; i++)
		for (size_t k = 0; k < c && g->d[i] > 0; k++) {
			const size_t of = g->component[i];

			X[i * c + k] = (double)(X[i * c + k] + sign * sum[of * c + k] / total[of]);
		}
	kith_pool_free(&tmp);
}

/*
 * Eliminates with s_j, the sum of row j of A, and b_j: the source, and the given scores of the fixed
 * neighbours times their weights.  poisson has sources of both signs: columns c to 2 c - 1 of b have
 * their moduli, whose solutions the errors are relative to.
 */
static bool
eliminate(struct equations *q, struct kith_prop *p)
{
	const struct kith_sparse *W = &p->graph->W;
	const bool poisson = p->method == KITH_PROP_POISSON;
	const size_t m = q->A.n, c = p->labels->c, sides = poisson ? 2 * c : c;
	long double *s = kith_new(&q->pool, m, sizeof(*s));
	long double *b = kith_new(&q->pool, m * sides, sizeof(*b));
	size_t *order = kith_new(&q->pool, m, sizeof(*order));

	for (size_t j = 0; j < m; j++) {
		const size_t i = q->node[j];

		s[j] = p->load * p->graph->d[i];
		for (size_t k = 0; k < c; k++) {
			b[j * sides + k] = source(p, i, k);
			if (poisson)
				b[j * sides + c + k] = fabsl(b[j * sides + k]);
		}
		for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
			const long double w = W->x[e];

			if (!p->fixed[W->column[e]])
				continue;
			s[j] += w;
			for (size_t k = 0; k < c; k++)
				b[j * sides + k] += w * p->X[W->column[e] * c + k];
		}
	}
	kith_sparse_ordered(q->factor, order);
	kith_gth(&q->A, order, sides, s, b, &p->error);
	if (poisson && p->error.absolute > 0) /* it is meant for sources at fixed nodes */
		return false;
	for (size_t j = 0; j < m; j++)
		for (size_t k = 0; k < c; k++) {
			p->X[q->node[j] * c + k] = (double)b[j * sides + k];
			p->size[q->node[j] * c + k] = (double)b[j * sides + sides - c + k];
		}
	return true;
}

bool
kith_prop_eliminate(struct kith_prop *p, struct kith_pool *pool)
{
	struct equations q;
	bool done;

	KITH_NEW_REALS(pool, p->graph->W.n, p->labels->c, &p->size);
	set_up(p, 1, &q);
	q.factor = kith_sparse_order(&q.A);
	done = kith_sparse_fill(q.factor) <= GTH_FILL && kith_sparse_flops(q.factor) <= GTH_FLOPS &&
	    eliminate(&q, p);
	kith_sparse_free(q.factor);
	kith_pool_free(&q.pool);
	if (done && p->method == KITH_PROP_POISSON) {
		add_means(p, -1, p->X); /* sum_i d_i F_i = 0 */
		add_means(p, 1, p->size);
	}
	if (done)
		p->solver = KITH_PROP_GTH;
	return done;
}

void
kith_prop_solve(struct kith_prop *p, size_t threads, bool is_claim, struct kith_pool *pool)
{
	const double least = p->graph->least, most = p->graph->most;
	const bool wild = most > WILD || least < 1 / WILD || most > WILD * least;
	struct equations q;

	p->solver = KITH_PROP_NONE;
	p->z = NULL;
	if (p->n_free == 0 || (is_claim && wild))
		return;
	if (!is_claim && (wild || p->n_free <= SMALL) && kith_prop_eliminate(p, pool))
		return;
	set_up(p, threads, &q);
	choose_solver(&q, p, pool);
	if (!is_claim) {
		refine(&q, p);
		p->solver = q.factor ? KITH_PROP_CHOLESKY : KITH_PROP_CG;
		p->iterations = q.iterations;
		if (p->method == KITH_PROP_POISSON)
			add_means(p, -1, p->X);
	}
	kith_sparse_free(q.factor);
	kith_pool_free(&q.pool);
}
