#include "solve/lbfgs.h"

#include "base/pool.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ARMIJO 1e-4
#define WOLFE 0.9
#define MARGIN 0.1     /* of an interval, at both ends, is not tried */
#define LONGER 4.0     /* how a step grows while f falls */
#define CURVED 0x1p-52 /* least s'y / (|s| |y|) of a pair remembered */

enum { TRIES = 60 }; /* values of f in one line search */

/* A point of the line: step, value, slope. */
struct point {
	double a, f, slope;
};

struct state {
	const struct kith_lbfgs_how *how;
	struct kith_lbfgs *out;
	size_t n;
	double *x, *g;     /* the best point so far */
	double *at, *g_at; /* the point tried last */
	double *d;         /* the direction */
	double *s, *y;     /* memory x n: steps, changes of the gradient */
	double *rho, *mix; /* memory: 1 / s'y; scratch */
	size_t held, next; /* pairs held; where the next one goes */
};

static double
dot(size_t n, const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static void
add(size_t n, double c, const double *a, double *b)
{
	for (size_t i = 0; i < n; i++)
		b[i] += c * a[i];
}

static double
largest(size_t n, const double *g)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fabs(g[i]) > most ? fabs(g[i]) : most;
	return most;
}

/* Try the step a. */
static struct point
try_step(struct state *st, double a)
{
	struct point p = {.a = a};

	for (size_t i = 0; i < st->n; i++)
		st->at[i] = st->x[i] + a * st->d[i];
	p.f = st->how->value(st->how->to, st->at, st->g_at);
	p.slope = dot(st->n, st->g_at, st->d);
	if (!isfinite(p.f) || !isfinite(p.slope))
		p.f = INFINITY;
	st->out->evaluations++;
	return p;
}

/* Where the cubic through both points is least, or the middle of them. */
static double
interpolate(const struct point *lo, const struct point *hi)
{
	const double width = hi->a - lo->a, least = lo->a + MARGIN * width;
	const double most = hi->a - MARGIN * width;
	double t = lo->a + width / 2, d1, d2;

	if (isfinite(hi->f)) {
		d1 = lo->slope + hi->slope -
		    3 * (lo->f - hi->f) / (lo->a - hi->a);
		d2 = sqrt(d1 * d1 - lo->slope * hi->slope);
		d2 = width > 0 ? d2 : -d2;
		t = hi->a -
		    width *
			((hi->slope + d2 - d1) /
			    (hi->slope - lo->slope + 2 * d2));
	}
	if (!isfinite(t))
		t = lo->a + width / 2;
	if ((t - least) * width < 0)
		t = least;
	if ((t - most) * width > 0)
		t = most;
	return t;
}

static bool
falls(const struct point *start, const struct point *p)
{
	return p->f <= start->f + ARMIJO * p->a * start->slope;
}

static bool
is_flat(const struct point *start, const struct point *p)
{
	return fabs(p->slope) <= -WOLFE * start->slope;
}

/*
 * Narrow an interval that holds a point of both conditions, lo being the best
 * of its ends; the step, which was tried last, or that of lo.
 */
static struct point
zoom(struct state *st, const struct point *start, struct point lo,
    struct point hi, int tries)
{
	while (tries-- > 0 && lo.a != hi.a) {
		const struct point p = try_step(st, interpolate(&lo, &hi));

		if (p.a == lo.a || p.a == hi.a)
			break;
		if (!falls(start, &p) || p.f >= lo.f) {
			hi = p;
			continue;
		}
		if (is_flat(start, &p))
			return p;
		if (p.slope * (hi.a - lo.a) >= 0)
			hi = lo;
		lo = p;
	}
	return lo.a > 0 ? try_step(st, lo.a) : lo;
}

/* Search along d from the step a on; a step of 0 is none. */
static struct point
search(struct state *st, double a)
{
	const struct point start = {0, st->out->f, dot(st->n, st->g, st->d)};
	struct point before = start, p;
	int tries = TRIES;

	if (!(start.slope < 0))
		return start;
	for (;;) {
		p = try_step(st, a);
		if (!falls(&start, &p) || (before.a > 0 && p.f >= before.f))
			return zoom(st, &start, before, p, tries);
		if (is_flat(&start, &p) || --tries == 0)
			return p;
		if (p.slope >= 0)
			return zoom(st, &start, p, before, tries);
		before = p;
		a *= LONGER;
	}
}

/* d = -H g, H the inverse Hessian that the pairs tell. */
static void
direct(struct state *st)
{
	const size_t n = st->n, m = st->how->memory;
	double scale = 1;

	for (size_t i = 0; i < n; i++)
		st->d[i] = -st->g[i];
	for (size_t l = 0; l < st->held; l++) {
		const size_t at = (st->next + m - 1 - l) % m;
		const double *s = st->s + at * n, *y = st->y + at * n;

		st->mix[at] = st->rho[at] * dot(n, s, st->d);
		add(n, -st->mix[at], y, st->d);
		if (l == 0)
			scale = 1 / (st->rho[at] * dot(n, y, y));
	}
	for (size_t i = 0; i < n; i++)
		st->d[i] *= scale;
	for (size_t l = st->held; l-- > 0;) {
		const size_t at = (st->next + m - 1 - l) % m;
		const double b = st->rho[at] * dot(n, st->y + at * n, st->d);

		add(n, st->mix[at] - b, st->s + at * n, st->d);
	}
}

/* Go to the point tried last, and remember what the way there tells. */
static void
move(struct state *st, double f)
{
	const size_t n = st->n;
	double *s = st->s + st->next * n, *y = st->y + st->next * n, curve;

	for (size_t i = 0; i < n; i++) {
		s[i] = st->at[i] - st->x[i];
		y[i] = st->g_at[i] - st->g[i];
	}
	memcpy(st->x, st->at, n * sizeof(*st->x));
	memcpy(st->g, st->g_at, n * sizeof(*st->g));
	st->out->f = f;
	st->out->gradient = largest(n, st->g);
	st->out->iterations++;
	curve = dot(n, s, y);
	if (!(curve > CURVED * sqrt(dot(n, s, s)) * sqrt(dot(n, y, y))) ||
	    !isfinite(1 / curve))
		return;
	st->rho[st->next] = 1 / curve;
	st->next = (st->next + 1) % st->how->memory;
	if (st->held < st->how->memory)
		st->held++;
}

/* An iteration: false where no step lowers f, even down its gradient. */
static bool
iterate(struct state *st)
{
	for (;;) {
		const double first = st->out->gradient > 1
		    ? 1 / st->out->gradient
		    : 1;
		struct point p;

		direct(st);
		p = search(st, st->held ? 1 : first);
		if (p.a > 0 && p.f < st->out->f) {
			move(st, p.f);
			return true;
		}
		if (st->held == 0)
			return false;
		st->held = 0;
	}
}

static enum kith_lbfgs_end
descend(struct state *st)
{
	const struct kith_lbfgs_how *how = st->how;

	for (;;) {
		const double f = st->out->f;

		if (st->out->gradient <= how->gtol)
			return KITH_LBFGS_GRADIENT;
		if (st->out->iterations == how->max_iter)
			return KITH_LBFGS_LIMIT;
		if (!iterate(st))
			return KITH_LBFGS_FLAT;
		if (f - st->out->f <= how->ftol * fmax(1, fabs(f)))
			return st->out->gradient <= how->gtol
			    ? KITH_LBFGS_GRADIENT
			    : KITH_LBFGS_FLAT;
	}
}

struct kith_lbfgs
kith_lbfgs(const struct kith_lbfgs_how *how, size_t n, double *x)
{
	struct kith_pool tmp = {0};
	struct kith_lbfgs out = {.evaluations = 1};
	struct state st = {.how = how, .out = &out, .n = n, .x = x};

	assert(n >= 1 && how->memory >= 1);
	st.g = kith_new(&tmp, n, sizeof(*st.g));
	st.at = kith_new(&tmp, n, sizeof(*st.at));
	st.g_at = kith_new(&tmp, n, sizeof(*st.g_at));
	st.d = kith_new(&tmp, n, sizeof(*st.d));
	st.s = kith_new(&tmp, n, how->memory * sizeof(*st.s));
	st.y = kith_new(&tmp, n, how->memory * sizeof(*st.y));
	st.rho = kith_new(&tmp, how->memory, sizeof(*st.rho));
	st.mix = kith_new(&tmp, how->memory, sizeof(*st.mix));
	out.f = how->value(how->to, x, st.g);
	assert(isfinite(out.f));
	out.gradient = largest(n, st.g);
	out.end = descend(&st);
	kith_pool_free(&tmp);
	return out;
}
