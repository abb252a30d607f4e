/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The judge of label propagation: residuals, ranges, classes, and what errors of the scores may
 * change.  It sums; only where a check says no are the equations solved again, by elimination.
 *
 * 1. A^-1 >= 0.  So where A z >= (1 - eps) a with z > 0, and |r_i| <= t a_i for the residual
 *    r = b - A g of a column g in a component, the error of each g_i is at most t z_i / (1 - eps).
 *    Rounding of r and of A z is added.
 * 2. poisson: A has no row for one node of each component, whose z is 0.  Step 1 bounds the error
 *    of differences of scores from the score of that node.  As sum_i d_i F_i = 0, the error of that
 *    score is at most |sum_i d_i F_i| / sum_i d_i + t sum_i d_i z_i / sum_i d_i.
 * 3. The class of a node is decided where its largest score exceeds each other one by more than the
 *    sum of their two errors.
 * 4. If a check says no, an elimination without subtraction (solve/gth.h) gives scores with small
 *    known errors.  The errors of the given scores are then their distances from these scores.
 */

#include "graph/propagate.h"

#include "base/pool.h"
#include "graph/internal.h"
#include "table/table.h"

#include <assert.h>
#include <float.h>
#include <math.h>

static const double LIMIT = 1e-12; /* of residual, maximum and mean */
static const double ERROR = 1e-6;  /* of numbers, over their range */
static const double TIED = 1e-12;  /* scores that agree so far are tied, if they are as exact */
/* A smaller score is printed with fewer digits than TIED needs, or as 0. */
static const double FAINT = 0x1p-1032;

/*
 * How the error of G_ik is bounded: t z_i + shift; or from a solution by elimination; or not at
 * all.
 */
struct bound {
	double *t, *shift;             /* components x c: steps 1 and 2; NULL: there is no z */
	const struct kith_prop *exact; /* solved by elimination, or NULL */
	bool unknown;
};

/* The larger of two numbers; NaN is the largest. */
static double
larger(double a, double b)
{
	return isnan(a) || a > b ? a : b;
}

/* eps: how far A z falls short of a, rounding included, over a. */
static double
shortfall(const struct kith_prop *p)
{
	const double *z = p->z;
	const struct kith_sparse *W = &p->graph->W;
	double eps = 0;

	for (size_t i = 0; i < W->n; i++) {
		const size_t m = W->start[i + 1] - W->start[i];
		const double a = p->graph->d[i] / p->alpha;
		double up = p->load * p->graph->d[i] * z[i], down = 0, least;

		if (p->fixed[i])
			continue;
		for (size_t e = W->start[i]; e < W->start[i + 1]; e++) {
			const size_t j = W->column[e];
			const double term = W->x[e] * (z[i] - (p->fixed[j] ? 0 : z[j]));

			up += fmax(term, 0);
			down += fmax(-term, 0);
		}
		least = up - down - (double)(m + 6) * DBL_EPSILON * (up + down);
		if (!(least >= (1 - eps) * a))
			eps = 1 - least / a;
	}
	return eps;
}

/* A bound of the error of G_ik. */
static double
error_of(const struct kith_prop *p, const struct bound *b, size_t i, size_t k)
{
	const size_t c = p->labels->c, at = i * c + k, column = p->graph->component[i] * c + k;

	assert(!b->t || p->z);
	if (p->fixed[i] && !kith_prop_is_poisson(p, i))
		return 0;
	if (b->unknown)
		return INFINITY;
	if (b->t)
		return b->t[column] * p->z[i] + b->shift[column];
	return fabs(p->X[at] - b->exact->X[at]) +
	    (b->exact->error.relative + 4 * DBL_EPSILON) * b->exact->size[at] +
	    b->exact->error.absolute * p->top + 2 * DBL_TRUE_MIN;
}

/*
 * Residuals and ranges: the first checks; and b->t, if there is z.  The residual of a given
 * score, or of the score of a node without an edge, is the difference from the score due there.
 */
static void
judge_equations(const struct kith_prop *p, struct bound *b, struct kith_prop_proof *out)
{
	const size_t n = p->graph->W.n, c = p->labels->c;
	const struct kith_prop_labels *l = p->labels;
	struct kith_pool tmp = {0};
	double *r, *rounding, *least, *most, top = 0, worst = 0, beyond = 0;

	KITH_NEW_REALS(&tmp, c, 1, &r, &rounding, &least, &most);
	for (size_t i = 0; i < n; i++) /* the range of the labels, or of labelled nodes */
		for (size_t k = 0; k < c && kith_prop_is_labelled(l, i); k++) {
			const double x = p->X[i * c + k];

			if (p->method == KITH_PROP_HARMONIC)
				most[k] = 1;
			else if (kith_prop_is_poisson(p, i)) {
				most[k] = fmax(most[k], x);
				least[k] = fmin(least[k], x);
			} else if (p->method != KITH_PROP_POISSON && p->graph->d[i] > 0)
				most[k] = fmax(most[k], kith_prop_label(l, i, k) / p->h[i]);
		}
	for (size_t i = 0; i < n; i++) {
		const double *x = p->X + i * c, a = p->graph->d[i] / p->alpha;
		const bool given = kith_prop_is_given(p, i), has_edges = p->graph->d[i] > 0;

		if (!p->reached[i])
			continue;
		if (has_edges && !given)
			kith_prop_residual(p, p->X, i, r, rounding);
		for (size_t k = 0; k < c; k++) {
			if (given || !has_edges)
				worst = larger(fabs(x[k] - kith_prop_due(p, i, k)), worst);
			else if (!p->fixed[i] || kith_prop_is_poisson(p, i))
				worst = larger(fabs(r[k]) / a, worst);
			if (b->t && !p->fixed[i]) {
				double *t = &b->t[p->graph->component[i] * c + k];

				*t = larger((fabs(r[k]) + rounding[k]) / a, *t);
			}
			if (has_edges)
				top = fmax(top, fabs(x[k]));
			if (has_edges && !given)
				beyond = larger(
				    fmax(fmax(least[k] - x[k], x[k] - most[k]), 0), beyond);
		}
	}
	kith_pool_free(&tmp);
	top = top > 0 ? top : 1;
	out->check[out->n++] = (struct kith_check){"residual", worst / top, LIMIT};
	out->check[out->n++] = (struct kith_check){"maximum", beyond / top, LIMIT};
}

/*
 * poisson: |sum d_i F_i| / sum d_i |F_i| in the worst component; and b->shift, if the bound is by
 * z: (|sum d_i F_i| + rounding + t sum d_i z_i) / sum d_i.
 */
static double
judge_mean(const struct kith_prop *p, struct bound *b)
{
	const struct kith_undirected *g = p->graph;
	const size_t c = p->labels->c, all = g->components * c;
	struct kith_pool tmp = {0};
	long double *sum = kith_new(&tmp, all, sizeof(*sum));               /* d_i F_ik */
	long double *size = kith_new(&tmp, g->components, sizeof(*size));   /* d_i |F_ik|, all k */
	long double *times = kith_new(&tmp, g->components, sizeof(*times)); /* d_i z_i */
	long double *total = kith_new(&tmp, g->components, sizeof(*total)); /* d_i */
	double worst = 0;

	assert(!b->t || p->z);
	for (size_t i = 0; i < g->W.n; i++) {
		const size_t of = g->component[i];

		if (!kith_prop_is_poisson(p, i))
			continue;
		total[of] += g->d[i];
		times[of] += b->t ? (long double)g->d[i] * p->z[i] : 0;
		for (size_t k = 0; k < c; k++) {
			const long double x = (long double)g->d[i] * p->X[i * c + k];

			sum[of * c + k] += x;
			size[of] += fabsl(x);
		}
	}
	for (size_t at = 0; at < all; at++) {
		const size_t of = at / c;
		const long double rounding = (long double)g->W.n * LDBL_EPSILON * size[of];

		if (!(total[of] > 0))
			continue;
		if (size[of] > 0 || isnan(size[of]))
			worst = larger((double)(fabsl(sum[at]) / size[of]), worst);
		if (b->t)
			b->shift[at] = (double)((fabsl(sum[at]) + rounding + b->t[at] * times[of]) /
			    total[of] * (1 + 1e-9L));
	}
	kith_pool_free(&tmp);
	return worst;
}

enum fate { SURE, TIE, OPEN };

/*
 * The first class whose score is within TIED of the largest, relative to the largest score in size
 * and at least to `size`; and whether errors leave another class possible.  With any_error, scores
 * that agree so far are tied whatever their errors.
 */
static enum fate
classify(const struct kith_prop *p, const struct bound *b, double size, bool any_error, size_t i,
    size_t *best)
{
	const size_t c = p->labels->c;
	const double *x = p->X + i * c;
	double most = -INFINITY, error;
	enum fate fate = SURE;

	for (size_t k = 0; k < c; k++) {
		most = fmax(most, x[k]);
		size = fmax(size, fabs(x[k]));
	}
	if (!any_error && c > 1 && size * p->h[i] < FAINT)
		fate = OPEN;
	for (*best = 0; *best + 1 < c && !(x[*best] >= most - TIED * size);)
		++*best;
	error = error_of(p, b, i, *best);
	for (size_t k = 0; k < c; k++) {
		const double gap = x[*best] - x[k], both = error + error_of(p, b, i, k);

		if (k == *best)
			continue;
		if ((x[k] == x[*best] && size > 0) ||
		    ((any_error || both <= TIED * size) && gap <= TIED * size))
			fate = fate == OPEN ? OPEN : TIE;
		else if (!(gap > both))
			fate = OPEN;
	}
	return fate;
}

/* The classes, and the check "undecided". */
static void
judge_classes(const struct kith_prop *p, const struct bound *b, const size_t *claimed,
    struct kith_prop_proof *out)
{
	const bool poisson = p->method == KITH_PROP_POISSON;
	struct kith_check check = {"undecided", NAN, NAN};
	struct kith_pool tmp = {0};
	const size_t *component = p->graph->component;
	/* poisson, whose zero is a mean: the largest |F| of each component */
	double *size = kith_new(&tmp, p->graph->components, sizeof(*size));
	size_t wrong;

	out->tied = out->undecided = 0;
	for (size_t at = 0; at < p->graph->W.n * p->labels->c && poisson; at++)
		size[component[at / p->labels->c]] = fmax(
		    size[component[at / p->labels->c]], fabs(p->X[at]));
	for (size_t i = 0; i < p->graph->W.n; i++) {
		enum fate fate = SURE;

		if (!p->reached[i])
			out->y[i] = KITH_NO_CLASS;
		else if (p->single[i] != SIZE_MAX)
			out->y[i] = p->single[i];
		else if (kith_prop_is_given(p, i))
			out->y[i] = p->labels->y[i];
		else
			fate = classify(p, b, size[component[i]], poisson, i, &out->y[i]);
		out->tied += fate == TIE;
		out->undecided += fate == OPEN;
	}
	wrong = out->undecided;
	for (size_t i = 0; claimed && i < p->graph->W.n; i++)
		wrong += p->reached[i] && claimed[i] != out->y[i];
	check.value = (double)(wrong + out->tied);
	if (wrong > 0 || out->tied == 0)
		check.limit = 0;
	out->check[out->n++] = check;
	kith_pool_free(&tmp);
}

/* The bound of the errors of numbers; of two columns, that of their ratio. */
static double
judge_numbers(const struct kith_prop *p, const struct bound *b)
{
	double worst = 0;

	for (size_t i = 0; i < p->graph->W.n; i++) {
		double e = error_of(p, b, i, 0);

		if (p->labels->c == 2 && !p->fixed[i])
			e = (e + error_of(p, b, i, 1)) / p->X[2 * i + 1];
		worst = larger(e, worst);
	}
	return worst;
}

static void
judge(
    const struct kith_prop *p, struct bound *b, const size_t *claimed, struct kith_prop_proof *out)
{
	const size_t all = p->graph->components * p->labels->c;
	const double eps = b->t ? shortfall(p) : 0;

	b->unknown = b->t ? !(eps < .9)
			  : !b->exact || !(b->exact->error.relative + b->exact->error.absolute < 1);
	out->n = 0;
	judge_equations(p, b, out);
	for (size_t at = 0; b->t && at < all; at++)
		b->t[at] *= (1 + 1e-9) / (1 - eps);
	if (p->method == KITH_PROP_POISSON)
		out->check[out->n++] = (struct kith_check){"mean", judge_mean(p, b), LIMIT};
	if (p->labels->y)
		judge_classes(p, b, claimed, out);
	else
		out->check[out->n++] = (struct kith_check){"error", judge_numbers(p, b), ERROR};
	out->holds = true;
	for (size_t i = 0; i < out->n; i++)
		out->holds = out->holds &&
		    (kith_check_ok(&out->check[i]) || kith_check_open(&out->check[i]));
}

void
kith_prop_prove(struct kith_prop *p, bool is_claim, const size_t *claimed,
    struct kith_prop_proof *proof, struct kith_pool *pool)
{
	struct bound b = {.exact = p->solver == KITH_PROP_GTH ? p : NULL};
	struct kith_prop again;

	*proof = (struct kith_prop_proof){0};
	if (p->labels->y)
		proof->y = kith_new(pool, p->graph->W.n, sizeof(*proof->y));
	if (p->z)
		KITH_NEW_REALS(pool, p->graph->components, p->labels->c, &b.t, &b.shift);
	judge(p, &b, claimed, proof);
	if (proof->holds || b.exact || p->n_free == 0)
		return;
	kith_prop_pose(p->graph, p->labels, p->method, p->alpha, &again, pool);
	if (!kith_prop_eliminate(&again, pool))
		return;
	b = (struct bound){.exact = &again};
	if (!is_claim) {
		p->X = again.X;
		p->solver = KITH_PROP_GTH;
	}
	judge(p, &b, claimed, proof);
}
