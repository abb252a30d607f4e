/*
 *  1. solve(): at theta, smo goes on until G <= INNER gap D.
 *  2. next_point(): the point after that is begun where the straight line through
 *     the last two solutions leads; what leaves its bounds is put on them
 *     (clip()), and the sum e' alpha made 0 again (balance()).
 *  3. ratio(): the least Y for which the bounds of wsvm/approx.h show G <= Y D
 *     between two points.
 *  4. Where Y > gap, a point between both is solved, from the straight line
 *     between them; the farther one waits in a stack.
 *  5. The step to the next point is chosen so that Y, which grows as its
 *     square, should come out a little below the gap.
 */
#include "wsvm/approx.h"

#include "base/pool.h"
#include "la/mat.h"
#include "wsvm/krows.h"
#include "wsvm/smo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	STEPS = 30,      /* of smo, from one look at G to the next */
	WAITING = 40,    /* points in the stack: then they do not help */
	PATIENCE = 1000, /* steps for each variable, for a point */
};

#define INNER .3     /* of the gap, for a point */
#define AIM .8       /* of the gap, for a piece */
#define FIRST .3     /* of the weights, the first step */
#define NEAR 1e-13   /* of the weight, is on the bound */
#define EXACT 1e-13  /* of its terms, G is rounding */
#define LEAST 1e-12  /* of theta, a step */

/* A solution. */
struct point {
	double theta, b, dual, own; /* own: G */
	double *C, *x, *g; /* N */
	double *s;         /* n, without b */
};

struct kith_wsvm_approx {
	const struct kith_wsvm_problem *problem;
	const double *from, *to;
	double gap;
	size_t n, N;
	struct kith_krows *rows;
	struct kith_smo_form form;
	double *diagonal, *zero; /* N, N */
	double *coef;            /* n */
	size_t *live, n_live; /* those that ever weigh */
	size_t *near;         /* of them, those that smo looks at */
	/* The last two points, and those that wait, the nearest on top. */
	struct point *last, *now, *waiting[WAITING + 2], *spare[WAITING + 4];
	size_t n_waiting, n_spare;
	struct kith_pool *pool;
	double step; /* of theta, to the next point */
	double *f0, *f1, *alpha0, *alpha1;
	struct kith_wsvm_count count;
};

static struct point *
take_spare(struct kith_wsvm_approx *path)
{
	struct point *p;

	if (path->n_spare > 0)
		return path->spare[--path->n_spare];
	p = kith_new(path->pool, 1, sizeof(*p));
	KITH_NEW_REALS(path->pool, path->N, 1, &p->C, &p->x, &p->g);
	KITH_NEW_REALS(path->pool, path->n, 1, &p->s);
	return p;
}

static void
give_back(struct kith_wsvm_approx *path, struct point *p)
{
	path->spare[path->n_spare++] = p;
}

static void
set_theta(const struct kith_wsvm_approx *path, struct point *p, double theta)
{
	p->theta = theta;
	for (size_t v = 0; v < path->N; v++)
		p->C[v] = theta < 1
		    ? path->from[v] + theta * (path->to[v] - path->from[v])
		    : path->to[v];
}

static void
measure(struct kith_wsvm_approx *path)
{
	const struct kith_wsvm_problem *problem = path->problem;

	for (size_t v = 0; v < path->N; v++) {
		const size_t i = problem->plus[v];
		double K = kith_krows_entry(path->rows, i, i);

		if (problem->minus) {
			const size_t j = problem->minus[v];

			K += kith_krows_entry(path->rows, j, j) -
			    2 * kith_krows_entry(path->rows, i, j);
		}
		path->diagonal[v] = (K > 0 ? K : 0) + problem->ridge;
		if (path->from[v] > 0 || path->to[v] > 0)
			path->live[path->n_live++] = v;
	}
}

struct kith_wsvm_approx *
kith_wsvm_approx_new(const struct kith_wsvm_problem *problem,
    const double *from, const double *to, double gap, struct kith_pool *pool)
{
	struct kith_wsvm_approx *path = kith_new(pool, 1, sizeof(*path));
	const size_t n = problem->X->n, N = problem->variables;

	*path = (struct kith_wsvm_approx){.problem = problem,
	    .from = from,
	    .to = to,
	    .gap = gap,
	    .n = n,
	    .N = N,
	    .pool = pool};
	KITH_NEW_REALS(pool, N, 1, &path->diagonal, &path->zero, &path->alpha0,
	    &path->alpha1);
	KITH_NEW_REALS(pool, n, 1, &path->coef, &path->f0, &path->f1);
	KITH_NEW_SIZES(pool, N, 1, &path->live, &path->near);
	path->rows = problem->rows
	    ? problem->rows
	    : kith_krows_new(problem->kern, problem->X, problem->cache,
		  problem->threads, pool);
	measure(path);
	path->form = (struct kith_smo_form){.rows = path->rows,
	    .n = n,
	    .N = N,
	    .plus = problem->plus,
	    .minus = problem->minus,
	    .sign = problem->sign,
	    .q = problem->q,
	    .lo = path->zero,
	    .diagonal = path->diagonal,
	    .bias = problem->bias,
	    .ridge = problem->ridge};
	return path;
}

/* x_v += t, and the scores. */
static void
shift(struct kith_wsvm_approx *path, struct point *p, size_t v, double t)
{
	const struct kith_smo_form *form = &path->form;
	const double a = form->sign[v] * t;

	p->x[v] += t;
	kith_krows_add(form->rows, form->plus[v], a, 0, p->s, NULL);
	if (form->minus)
		kith_krows_add(form->rows, form->minus[v], -a, 0, p->s, NULL);
}

/* Variables that left their bounds are put on them. */
static void
clip(struct kith_wsvm_approx *path, struct point *p)
{
	for (size_t c = 0; c < path->n_live; c++) {
		const size_t v = path->live[c];
		const double C = p->C[v], x = p->x[v];
		const double to = x < NEAR * C ? 0 : x > C - NEAR * C ? C : x;

		if (fabs(to - x) > NEAR * C)
			shift(path, p, v, to - x);
		p->x[v] = to;
	}
}

/* Make e' x = 0: first by those between their bounds, then by any. */
static void
balance(struct kith_wsvm_approx *path, struct point *p)
{
	const double *e = path->form.sign;
	double sum = 0, most = 0;

	for (size_t c = 0; c < path->n_live; c++) {
		sum += e[path->live[c]] * p->x[path->live[c]];
		most = fmax(most, p->C[path->live[c]]);
	}
	for (size_t c = 0; c < 2 * path->n_live && path->form.bias; c++) {
		const size_t v = path->live[c % path->n_live];
		const double x = p->x[v], C = p->C[v];
		double to = x - e[v] * sum;

		if (fabs(sum) <= NEAR * most)
			return;
		if (c < path->n_live && !(x > 0 && x < C))
			continue;
		to = to < 0 ? 0 : to > C ? C : to;
		sum += e[v] * (to - x);
		if (to != x)
			shift(path, p, v, to - x);
		p->x[v] = to;
	}
}

/* All scores of x anew. */
static void
score_all(struct kith_wsvm_approx *path, struct point *p)
{
	const struct kith_smo_form *form = &path->form;

	memset(path->coef, 0, path->n * sizeof(*path->coef));
	for (size_t v = 0; v < path->N; v++) {
		path->coef[form->plus[v]] += form->sign[v] * p->x[v];
		if (form->minus)
			path->coef[form->minus[v]] -= form->sign[v] * p->x[v];
	}
	kith_krows_product(path->rows, path->coef, path->coef, p->s, path->f1);
}

/* b: the middle of where it may be, or nearest to it. */
static double
bias(const struct kith_wsvm_approx *path, const struct point *p)
{
	double lo = -INFINITY, hi = INFINITY;

	if (!path->form.bias)
		return 0;
	for (size_t c = 0; c < path->n_live; c++) {
		const size_t v = path->live[c];
		const double e = path->form.sign[v], x = p->x[v];
		const double b = -e * p->g[v];

		if (e > 0 ? x < p->C[v] : x > 0)
			lo = b > lo ? b : lo;
		if (e > 0 ? x > 0 : x < p->C[v])
			hi = b < hi ? b : hi;
	}
	return isinf(lo) ? (isinf(hi) ? 0 : hi)
			 : (isinf(hi) ? lo : lo + (hi - lo) / 2);
}

/* G of alpha and C of one point with g of one; *terms: what is rounded. */
static double
gap_of(const struct kith_wsvm_approx *path, const struct point *p,
    const double *g)
{
	double sum = 0;

	for (size_t c = 0; c < path->n_live; c++) {
		const size_t v = path->live[c];

		sum += g[v] > 0 ? p->x[v] * g[v] : (p->x[v] - p->C[v]) * g[v];
	}
	return sum;
}

/* g, b, D and G of a point. */
static void
judge(struct kith_wsvm_approx *path, struct point *p)
{
	const struct kith_smo_form *form = &path->form;
	double terms = 0;

	p->dual = 0;
	for (size_t c = 0; c < path->n_live; c++) {
		const size_t v = path->live[c];

		p->g[v] = kith_smo_gradient(form, p->s, p->x, v);
		/* D = - x' (Q x) / 2 - q' x */
		p->dual -= p->x[v] * (p->g[v] + form->q[v]) / 2;
		terms += p->C[v] * fabs(form->q[v]);
	}
	p->b = bias(path, p);
	for (size_t c = 0; c < path->n_live && form->bias; c++)
		p->g[path->live[c]] += form->sign[path->live[c]] * p->b;
	p->own = gap_of(path, p, p->g);
	if (p->own <= EXACT * terms)
		p->own = 0;
}

/*
 * The variables that smo is to look at: those between their bounds, those of a
 * wrong gradient, and those whose gradient is no farther from 0 than the worst
 * is wrong.
 */
static size_t
choose_near(struct kith_wsvm_approx *path, const struct point *p)
{
	double worst = 0;
	size_t n = 0;

	for (size_t c = 0; c < path->n_live; c++) {
		const size_t v = path->live[c];
		const double below = p->x[v] < p->C[v] ? -p->g[v] : 0;
		const double above = p->x[v] > 0 ? p->g[v] : 0;

		worst = fmax(worst, fmax(below, above));
	}
	for (size_t c = 0; c < path->n_live; c++) {
		const size_t v = path->live[c];
		const double x = p->x[v], g = p->g[v];

		if ((x < p->C[v] && g < worst) || (x > 0 && g > -worst))
			path->near[n++] = v;
	}
	return n;
}

/* Step 1. */
static void
solve(struct kith_wsvm_approx *path, struct point *p)
{
	const size_t most = PATIENCE * (path->n_live + STEPS);
	size_t steps = 0, done = STEPS;

	path->form.hi = p->C;
	judge(path, p);
	while (p->own > INNER * path->gap * p->dual && done == STEPS &&
	    steps < most) {
		done = kith_smo(&path->form, path->near, choose_near(path, p),
		    0, STEPS, p->x, p->s);
		steps += done;
		judge(path, p);
	}
	path->count.steps += steps;
	path->count.points++;
}

/* The first point, from alpha = 0. */
static void
first(struct kith_wsvm_approx *path)
{
	double sum = 0, change = 0;

	path->now = take_spare(path);
	set_theta(path, path->now, 0);
	solve(path, path->now);
	for (size_t v = 0; v < path->N; v++) {
		sum += path->from[v];
		change += fabs(path->to[v] - path->from[v]);
	}
	path->step = change > 0 ? FIRST * sum / change : 1;
	if (!(path->step > 1e-3)) /* from 0 */
		path->step = 1e-3;
}

/* p = (1 - t) a + t b, for t outside [0, 1] too, of alpha and scores. */
static void
mix(const struct kith_wsvm_approx *path, const struct point *a,
    const struct point *b, double t, struct point *p)
{
	for (size_t v = 0; v < path->N; v++)
		p->x[v] = a->x[v] + t * (b->x[v] - a->x[v]);
	for (size_t i = 0; i < path->n; i++)
		p->s[i] = a->s[i] + t * (b->s[i] - a->s[i]);
}

/* A point that is begun on the line through a and b. */
static struct point *
point_at(struct kith_wsvm_approx *path, double theta, const struct point *a,
    const struct point *b)
{
	struct point *p = take_spare(path);

	set_theta(path, p, theta);
	mix(path, a, b, (theta - a->theta) / (b->theta - a->theta), p);
	clip(path, p);
	balance(path, p);
	solve(path, p);
	return p;
}

/* Step 2: the second point keeps the shares of the weights. */
static struct point *
next_point(struct kith_wsvm_approx *path)
{
	const struct point *now = path->now;
	const double theta = now->theta + path->step < 1 - path->step / 4
	    ? now->theta + path->step
	    : 1;
	struct point *p;

	if (path->last)
		return point_at(path, theta, path->last, now);
	p = take_spare(path);
	set_theta(path, p, theta);
	for (size_t v = 0; v < path->N; v++)
		p->x[v] = now->C[v] > 0 ? now->x[v] / now->C[v] * p->C[v] : 0;
	score_all(path, p);
	balance(path, p);
	solve(path, p);
	return p;
}

/* Whether the bounds show G <= Y D between two points; both: G_01. */
static bool
enough(const struct point *a, const struct point *b, double both, double Y)
{
	const double p = Y * a->dual - a->own, q = Y * b->dual - b->own;
	const double r = Y * (a->dual + b->dual) - both;

	/* p (1 - t)^2 + q t^2 + r t (1 - t) >= 0 for t from 0 to 1 */
	return p >= 0 && q >= 0 && r >= -2 * sqrt(p) * sqrt(q);
}

/* Step 3, to a hundredth above; infinite where there is none. */
static double
ratio(const struct kith_wsvm_approx *path, const struct point *a,
    const struct point *b)
{
	const double both = gap_of(path, a, b->g) + gap_of(path, b, a->g);
	double lo = 1e-16, hi = lo;

	while (!enough(a, b, both, hi)) {
		if (hi > 1e16)
			return INFINITY;
		lo = hi;
		hi *= 100;
	}
	while (hi > 1.01 * lo) {
		const double Y = sqrt(lo * hi);

		if (enough(a, b, both, Y))
			hi = Y;
		else
			lo = Y;
	}
	return hi;
}

/* Where nothing weighs yet b is free, and that of the next point is best. */
static void
free_bias(
    const struct kith_wsvm_approx *path, struct point *p, double b)
{
	const double by = b - p->b;

	for (size_t v = 0; v < path->N; v++)
		if (p->C[v] > 0)
			return;
	for (size_t v = 0; v < path->N && path->form.bias; v++)
		p->g[v] += path->form.sign[v] * by;
	p->b = b;
}

/* Steps 3 and 4: the end of the next piece, and its Y. */
static struct point *
end_of_piece(struct kith_wsvm_approx *path, double *Y)
{
	struct point *now = path->now, *end = path->n_waiting
	    ? path->waiting[--path->n_waiting]
	    : next_point(path);

	for (;;) {
		const double step = end->theta - now->theta;
		double by;

		free_bias(path, now, end->b);
		*Y = ratio(path, now, end);
		if (*Y <= path->gap || path->n_waiting == WAITING ||
		    !(step > LEAST))
			return end;
		by = sqrt(AIM * path->gap / *Y);
		by = by < .1 ? .1 : by > .7 ? .7 : by;
		path->waiting[path->n_waiting++] = end;
		end = point_at(path, now->theta + by * step, now, end);
	}
}

/* Step 5. */
static void
choose_step(struct kith_wsvm_approx *path, double step, double Y)
{
	double by = Y > 0 ? sqrt(AIM * path->gap / Y) : 3;

	by = by < .5 ? .5 : by > 3 ? 3 : by;
	path->step = by * step;
}

bool
kith_wsvm_approx_next(
    struct kith_wsvm_approx *path, struct kith_wsvm_piece *piece)
{
	struct point *a, *b;
	double step, Y;

	if (!path->now)
		first(path);
	a = path->now;
	if (a->theta >= 1)
		return false;
	b = end_of_piece(path, &Y);
	step = b->theta - a->theta;
	path->count.gap = fmax(path->count.gap, Y);
	choose_step(path, step, Y);
	for (size_t v = 0; v < path->N; v++) {
		path->alpha1[v] = (b->x[v] - a->x[v]) / step;
		path->alpha0[v] = a->x[v] - a->theta * path->alpha1[v];
	}
	for (size_t i = 0; i < path->n; i++) {
		path->f1[i] = (b->s[i] + b->b - a->s[i] - a->b) / step;
		path->f0[i] = a->s[i] + a->b - a->theta * path->f1[i];
	}
	*piece = (struct kith_wsvm_piece){.from = a->theta,
	    .to = b->theta,
	    .b1 = (b->b - a->b) / step,
	    .f0 = path->f0,
	    .f1 = path->f1,
	    .alpha0 = path->alpha0,
	    .alpha1 = path->alpha1};
	piece->b0 = a->b - a->theta * piece->b1;
	if (path->last)
		give_back(path, path->last);
	path->last = a;
	path->now = b;
	return true;
}

void
kith_wsvm_approx_count(const struct kith_wsvm_approx *path,
    struct kith_wsvm_count *count)
{
	*count = path->count;
	count->rows = kith_krows_computed(path->rows);
}
