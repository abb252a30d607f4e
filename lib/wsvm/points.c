/*
 * kith_wsvm_points_solve() repeats
 *
 *  1. judge(): g, b, D and G of alpha; the end if G is small enough.
 *  2. choose_near(): the variables between their bounds, those of a wrong
 *     gradient, and those whose gradient is no farther from 0 than the worst is
 *     wrong.
 *  3. improve(): smo on these alone, whose part of the kernel is copied
 *     together, until their G is small enough; then the scores of all follow.
 */
#include "wsvm/points.h"

#include "base/pool.h"
#include "la/mat.h"
#include "wsvm/krows.h"
#include "wsvm/problem.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
	STEPS = 60,     /* of smo, from one look at G to the next */
	MOST = 3000,    /* variables whose part of the kernel is copied */
	PATIENCE = 1000 /* steps for each variable, for a point */
};

#define FAR .2      /* of the worst violation, is near */
#define SHARE .8    /* of the gap, for those looked at */
#define NEAR 1e-13  /* of the weight, is on the bound */
#define EXACT 1e-13 /* of its terms, G is rounding */

static void
measure(struct kith_wsvm_points *at)
{
	const struct kith_wsvm_problem *problem = at->problem;

	for (size_t v = 0; v < at->N; v++) {
		const size_t i = problem->plus[v];
		double K = kith_krows_entry(at->rows, i, i);

		if (problem->minus) {
			const size_t j = problem->minus[v];

			K += kith_krows_entry(at->rows, j, j) -
			    2 * kith_krows_entry(at->rows, i, j);
		}
		at->diagonal[v] = (K > 0 ? K : 0) + problem->ridge;
		if (at->from[v] > 0 || at->to[v] > 0)
			at->live[at->n_live++] = v;
	}
}

struct kith_wsvm_points *
kith_wsvm_points_new(const struct kith_wsvm_problem *problem,
    const double *from, const double *to, struct kith_pool *pool)
{
	struct kith_wsvm_points *at = kith_new(pool, 1, sizeof(*at));
	struct kith_wsvm_points_part *part = &at->part;
	const size_t n = problem->X->n, N = problem->variables;

	*at = (struct kith_wsvm_points){.problem = problem,
	    .from = from,
	    .to = to,
	    .n = n,
	    .N = N,
	    .pool = pool};
	KITH_NEW_REALS(pool, N, 1, &at->diagonal, &at->zero);
	KITH_NEW_REALS(pool, n, 1, &at->coef, &at->sum);
	KITH_NEW_SIZES(
	    pool, N, 1, &at->live, &at->near, &part->held, &part->own);
	KITH_NEW_REALS(pool, N, 1, &part->sign, &part->q, &part->hi,
	    &part->diagonal, &part->x, &part->s, &part->g);
	at->ranked = kith_new(pool, N, sizeof(*at->ranked));
	part->is_held = kith_new(pool, N, sizeof(*part->is_held));
	for (size_t v = 0; v < N; v++)
		part->own[v] = v;
	at->rows = problem->rows ? problem->rows
				 : kith_krows_new(problem->kern, problem->X,
				       problem->cache, problem->threads, pool);
	measure(at);
	at->form = (struct kith_smo_form){.rows = at->rows,
	    .n = n,
	    .N = N,
	    .plus = problem->plus,
	    .minus = problem->minus,
	    .sign = problem->sign,
	    .q = problem->q,
	    .lo = at->zero,
	    .diagonal = at->diagonal,
	    .bias = problem->bias,
	    .ridge = problem->ridge};
	return at;
}

static struct kith_wsvm_point *
take(struct kith_wsvm_points *at, double theta)
{
	struct kith_wsvm_point *p;

	if (at->n_spare > 0) {
		p = at->spare[--at->n_spare];
	} else {
		p = kith_new(at->pool, 1, sizeof(*p));
		KITH_NEW_REALS(at->pool, at->N, 1, &p->C, &p->x, &p->g);
		KITH_NEW_REALS(at->pool, at->n, 1, &p->s);
	}
	p->theta = theta;
	for (size_t v = 0; v < at->N; v++)
		p->C[v] = theta < 1
		    ? at->from[v] + theta * (at->to[v] - at->from[v])
		    : at->to[v];
	return p;
}

void
kith_wsvm_points_drop(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	assert(at->n_spare < KITH_WSVM_SPARE);
	at->spare[at->n_spare++] = p;
}

/* s += a phi_v' Phi of all items. */
static void
add_scores(
    struct kith_wsvm_points *at, struct kith_wsvm_point *p, size_t v, double a)
{
	const struct kith_smo_form *form = &at->form;

	a *= form->sign[v];
	kith_krows_add(form->rows, form->plus[v], a, 0, p->s, NULL);
	if (form->minus)
		kith_krows_add(form->rows, form->minus[v], -a, 0, p->s, NULL);
}

/* Variables that left their bounds are put on them. */
static void
clip(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double C = p->C[v], x = p->x[v];
		const double to = x < NEAR * C ? 0 : x > C - NEAR * C ? C : x;

		if (fabs(to - x) > NEAR * C)
			add_scores(at, p, v, to - x);
		p->x[v] = to;
	}
}

/* Make e' x = 0: first by those between their bounds, then by any. */
static void
balance(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	const double *e = at->form.sign;
	double sum = 0, most = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		sum += e[at->live[c]] * p->x[at->live[c]];
		most = fmax(most, p->C[at->live[c]]);
	}
	for (size_t c = 0; c < 2 * at->n_live && at->form.bias; c++) {
		const size_t v = at->live[c % at->n_live];
		const double x = p->x[v], C = p->C[v];
		double to = x - e[v] * sum;

		if (fabs(sum) <= NEAR * most)
			return;
		if (c < at->n_live && !(x > 0 && x < C))
			continue;
		to = to < 0 ? 0 : to > C ? C : to;
		sum += e[v] * (to - x);
		if (to != x)
			add_scores(at, p, v, to - x);
		p->x[v] = to;
	}
}

/* All scores of x anew. */
static void
score_all(struct kith_wsvm_points *at, struct kith_wsvm_point *p)
{
	const struct kith_smo_form *form = &at->form;

	memset(at->coef, 0, at->n * sizeof(*at->coef));
	for (size_t v = 0; v < at->N; v++) {
		at->coef[form->plus[v]] += form->sign[v] * p->x[v];
		if (form->minus)
			at->coef[form->minus[v]] -= form->sign[v] * p->x[v];
	}
	kith_krows_product(at->rows, at->coef, at->coef, p->s, at->sum);
}

struct kith_wsvm_point *
kith_wsvm_points_first(struct kith_wsvm_points *at, double theta,
    const struct kith_wsvm_point *start)
{
	struct kith_wsvm_point *p = take(at, theta);

	memset(p->x, 0, at->N * sizeof(*p->x));
	memset(p->s, 0, at->n * sizeof(*p->s));
	if (!start)
		return p;
	memcpy(p->x, start->x, at->N * sizeof(*p->x));
	memcpy(p->s, start->s, at->n * sizeof(*p->s));
	for (size_t v = 0; v < at->N; v++)
		if (p->C[v] == 0 && p->x[v] > 0) {
			add_scores(at, p, v, -p->x[v]);
			p->x[v] = 0;
		}
	clip(at, p);
	balance(at, p);
	return p;
}

/* Whether all weights of p are the same multiple of those of another. */
static bool
multiple(const struct kith_wsvm_points *at, const struct kith_wsvm_point *p,
    const struct kith_wsvm_point *of, double *by)
{
	double lo = INFINITY, hi = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		const double own = p->C[at->live[c]] / of->C[at->live[c]];

		lo = fmin(lo, own);
		hi = isnan(own) ? INFINITY : fmax(hi, own);
	}
	*by = lo;
	return hi <= lo * (1 + NEAR);
}

struct kith_wsvm_point *
kith_wsvm_points_scaled(
    struct kith_wsvm_points *at, double theta, const struct kith_wsvm_point *of)
{
	struct kith_wsvm_point *p = take(at, theta);
	double by;

	for (size_t v = 0; v < at->N; v++)
		p->x[v] = of->x[v] < of->C[v] ? of->x[v] / of->C[v] * p->C[v]
		    : of->C[v] > 0            ? p->C[v]
					      : 0;
	if (multiple(at, p, of, &by)) {
		for (size_t i = 0; i < at->n; i++)
			p->s[i] = by * of->s[i];
	} else {
		score_all(at, p);
	}
	balance(at, p);
	return p;
}

/*
 * How far the line from a through b, d = b - a, is worth going on from b, at
 * most t: D(b + t d) = D - t d' g - t^2 d' Q d / 2.
 */
static double
worth(const struct kith_wsvm_points *at, const struct kith_wsvm_point *a,
    const struct kith_wsvm_point *b, double t)
{
	const struct kith_smo_form *form = &at->form;
	double slope = 0, curve = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double d = b->x[v] - a->x[v];

		slope -= d * b->g[v];
		curve += d *
		    (kith_smo_score(form, b->s, v) -
			kith_smo_score(form, a->s, v) + form->ridge * d);
	}
	return slope <= 0 ? 0 : slope < t * curve ? slope / curve : t;
}

struct kith_wsvm_point *
kith_wsvm_points_between(struct kith_wsvm_points *at, double theta,
    const struct kith_wsvm_point *a, const struct kith_wsvm_point *b)
{
	struct kith_wsvm_point *p = take(at, theta);
	double t = (theta - a->theta) / (b->theta - a->theta);

	if (t > 1)
		t = 1 + worth(at, a, b, t - 1);
	for (size_t v = 0; v < at->N; v++)
		p->x[v] = a->x[v] + t * (b->x[v] - a->x[v]);
	for (size_t i = 0; i < at->n; i++)
		p->s[i] = a->s[i] + t * (b->s[i] - a->s[i]);
	clip(at, p);
	balance(at, p);
	return p;
}

/* Variables of a form, alpha, scores and gradients. */
struct view {
	const struct kith_smo_form *form; /* hi: C */
	const size_t *live;
	size_t count;
	double *x, *s, *g;
	struct kith_ranked *ranked;
	double b, dual, own;
};

/*
 * b for which G is least, where every b from lo to hi is wrong for some: dG / db
 * = sum_v e_v (g_v > 0 ? x_v : x_v - C_v) grows by C_v where g_v is 0.
 */
static double
least_bias(struct view *at, double lo, double hi)
{
	const struct kith_smo_form *form = at->form;
	double slope = 0;
	size_t n = 0;

	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];
		const double e = form->sign[v], b = -e * at->g[v];

		slope += e *
		    (e * (lo - b) > 0 ? at->x[v] : at->x[v] - form->hi[v]);
		if (b > lo && b <= hi)
			at->ranked[n++] = (struct kith_ranked){-b, v};
	}
	kith_sort_ranked(at->ranked, n);
	for (size_t c = 0; c < n; c++) {
		slope += form->hi[at->ranked[c].of];
		if (slope >= 0)
			return -at->ranked[c].by;
	}
	return hi;
}

/* b: the middle of where it may be, or the best if it may be nowhere. */
static double
bias(struct view *at)
{
	const struct kith_smo_form *form = at->form;
	double lo = -INFINITY, hi = INFINITY;

	if (!form->bias)
		return 0;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];
		const double e = form->sign[v], b = -e * at->g[v];
		const bool grows = at->x[v]<form->hi[v], falls = at->x[v]> 0;

		if ((e > 0 ? grows : falls) && b > lo)
			lo = b;
		if ((e > 0 ? falls : grows) && b < hi)
			hi = b;
	}
	if (isinf(lo) || isinf(hi))
		return isinf(lo) ? (isinf(hi) ? 0 : hi) : lo;
	return lo > hi ? least_bias(at, hi, lo) : lo + (hi - lo) / 2;
}

static double
gap_of(const size_t *live, size_t count, const double *x, const double *C,
    const double *g)
{
	double sum = 0;

	for (size_t c = 0; c < count; c++) {
		const size_t v = live[c];

		sum += g[v] * (g[v] > 0 ? x[v] : x[v] - C[v]);
	}
	return sum;
}

/* Step 1. */
static void
judge(struct view *at)
{
	const struct kith_smo_form *form = at->form;
	double terms = 0;

	at->dual = 0;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->live[c];

		at->g[v] = kith_smo_gradient(form, at->s, at->x, v);
		/* D = - x' (Q x) / 2 - q' x, Q x = g - q */
		at->dual -= at->x[v] * (at->g[v] + form->q[v]) / 2;
		terms += form->hi[v] * fabs(form->q[v]);
	}
	at->b = bias(at);
	for (size_t c = 0; c < at->count && form->bias; c++)
		at->g[at->live[c]] += form->sign[at->live[c]] * at->b;
	at->own = gap_of(at->live, at->count, at->x, form->hi, at->g);
	if (at->own <= EXACT * terms)
		at->own = 0;
}

/* Step 2; their number. */
static size_t
choose_near(struct kith_wsvm_points *at, const struct kith_wsvm_point *p)
{
	double worst = 0;
	size_t n = 0;

	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double below = p->x[v] < p->C[v] ? -p->g[v] : 0;
		const double above = p->x[v] > 0 ? p->g[v] : 0;
		const double own = below > above ? below : above;

		worst = own > worst ? own : worst;
	}
	worst *= FAR;
	for (size_t c = 0; c < at->n_live; c++) {
		const size_t v = at->live[c];
		const double x = p->x[v], g = p->g[v];

		if ((x < p->C[v] && g < worst) || (x > 0 && g > -worst))
			at->near[n++] = v;
	}
	return n;
}

/* phi_v' phi_w without the signs, for the first n of those held. */
static void
copy_kernel(const struct kith_wsvm_points *at, size_t v, size_t n, double *to)
{
	const size_t *plus = at->form.plus, *minus = at->form.minus;
	const size_t *held = at->part.held;
	const double *row = kith_krows_get(at->rows, plus[v]);

	for (size_t c = 0; c < n; c++)
		to[c] = row[plus[held[c]]];
	if (!minus)
		return;
	for (size_t c = 0; c < n; c++)
		to[c] -= row[minus[held[c]]];
	row = kith_krows_get(at->rows, minus[v]);
	for (size_t c = 0; c < n; c++)
		to[c] -= row[plus[held[c]]] - row[minus[held[c]]];
}

/* Hold v too; its kernels come later. */
static void
hold(struct kith_wsvm_points *at, size_t v)
{
	struct kith_wsvm_points_part *part = &at->part;
	const size_t n = part->n++;

	part->held[n] = v;
	part->is_held[v] = true;
	part->sign[n] = at->form.sign[v];
	part->q[n] = at->form.q[v];
	part->diagonal[n] = at->diagonal[v];
}

/* The kernels of those held from number `had` on: K is symmetric. */
static void
hold_kernels(struct kith_wsvm_points *at, size_t had)
{
	struct kith_wsvm_points_part *part = &at->part;
	const size_t n = part->n, ld = part->room;

	for (size_t c = had; c < n; c++)
		copy_kernel(at, part->held[c], n, part->K + c * ld);
	for (size_t c = 0; c < had; c++)
		for (size_t d = had; d < n; d++)
			part->K[c * ld + d] = part->K[d * ld + c];
}

/* Room for so many, of which none is held. */
static void
make_room(struct kith_wsvm_points *at, size_t n)
{
	struct kith_wsvm_points_part *part = &at->part;
	uintptr_t odd;

	/* An odd multiple of 8: rows share no sets of the cache. */
	part->room = n / 16 * 16 + 24;
	part->block = kith_grow(at->pool, part->block,
	    part->room * part->room + 8, sizeof(*part->block));
	odd = (uintptr_t)part->block / sizeof(double) % 8;
	part->K = part->block + (odd ? 8 - odd : 0);
}

/* Hold the n variables near, and not too many others. */
static void
hold_near(struct kith_wsvm_points *at, size_t n)
{
	struct kith_wsvm_points_part *part = &at->part;
	size_t all = part->n, had;

	for (size_t c = 0; c < n; c++)
		all += !part->is_held[at->near[c]];
	if (all > 2 * n + STEPS || all > part->room) {
		memset(part->is_held, 0, at->N * sizeof(*part->is_held));
		part->n = 0;
		all = n;
	}
	if (all > part->room)
		make_room(at, all + all / 2);
	had = part->n;
	for (size_t c = 0; c < n; c++)
		if (!part->is_held[at->near[c]])
			hold(at, at->near[c]);
	hold_kernels(at, had);
}

/* Those held as a problem of their own, from alpha and scores of a point. */
static void
begin_part(struct kith_wsvm_points *at, const struct kith_wsvm_point *p,
    struct kith_smo_form *form, struct kith_pool *pool)
{
	struct kith_wsvm_points_part *part = &at->part;

	for (size_t c = 0; c < part->n; c++) {
		const size_t v = part->held[c];

		part->hi[c] = p->C[v];
		part->x[c] = p->x[v];
		part->s[c] = part->sign[c] * kith_smo_score(&at->form, p->s, v);
	}
	*form = at->form;
	form->rows = kith_krows_of(part->K, part->n, part->room, pool);
	form->n = form->N = part->n;
	form->plus = part->own;
	form->minus = NULL;
	form->sign = part->sign;
	form->q = part->q;
	form->hi = part->hi;
	form->diagonal = part->diagonal;
}

/* Step 3; the steps of smo, 0 where nothing could be done. */
static size_t
improve(struct kith_wsvm_points *at, struct kith_wsvm_point *p, size_t n,
    double gap, double dual)
{
	struct kith_wsvm_points_part *part = &at->part;
	struct kith_pool tmp = {0};
	struct kith_smo_form form;
	struct view view = {&form, part->own, 0, part->x, part->s, part->g,
	    at->ranked, 0, 0, 0};
	size_t steps = 0, done;

	hold_near(at, n);
	begin_part(at, p, &form, &tmp);
	view.count = part->n;
	judge(&view);
	dual -= view.dual; /* of the others */
	do {
		done = kith_smo(
		    &form, part->own, part->n, 0, STEPS, part->x, part->s);
		steps += done;
		judge(&view);
	} while (done == STEPS && steps < PATIENCE * n &&
	    view.own > SHARE * gap * (dual + view.dual));
	for (size_t c = 0; c < part->n; c++) {
		const size_t v = part->held[c];

		if (part->x[c] != p->x[v])
			add_scores(at, p, v, part->x[c] - p->x[v]);
		p->x[v] = part->x[c];
	}
	kith_pool_free(&tmp);
	return steps;
}

void
kith_wsvm_points_solve(
    struct kith_wsvm_points *at, struct kith_wsvm_point *p, double gap)
{
	const size_t most = at->steps + PATIENCE * (at->n_live + STEPS);
	struct view all = {&at->form, at->live, at->n_live, p->x, p->s, p->g,
	    at->ranked, 0, 0, 0};
	size_t done = 1;

	at->form.hi = p->C;
	judge(&all);
	while (all.own > gap * all.dual && done > 0 && at->steps < most) {
		const size_t n = choose_near(at, p);

		done = n <= MOST
		    ? improve(at, p, n, gap, all.dual)
		    : kith_smo(&at->form, at->near, n, 0, STEPS, p->x, p->s);
		at->steps += done;
		judge(&all);
	}
	at->solved++;
	p->b = all.b;
	p->dual = all.dual;
	p->own = all.own;
}

double
kith_wsvm_points_gap(const struct kith_wsvm_points *at,
    const struct kith_wsvm_point *p, const double *g)
{
	return gap_of(at->live, at->n_live, p->x, p->C, g);
}
