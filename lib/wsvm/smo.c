#include "wsvm/smo.h"

#include "base/progress.h"
#include "la/simd.h"
#include "wsvm/krows.h"

#include <math.h>
#include <stdint.h>

#define NONE SIZE_MAX
#define NEAR 1e-15 /* as near to a bound, over its size, is on it */

struct run {
	const struct kith_smo_form *form;
	const size_t *live;
	size_t count;
	double *x, *s;
};

KITH_INLINE double
clip(double x, double lo, double hi)
{
	return x < lo ? lo : x > hi ? hi : x;
}

/* Whether e_v x_v can grow, or shrink, within its bounds. */
KITH_INLINE bool
grows(const struct run *run, size_t v)
{
	const struct kith_smo_form *form = run->form;

	return form->sign[v] > 0 ? run->x[v] < form->hi[v]
				 : run->x[v] > form->lo[v];
}

KITH_INLINE bool
shrinks(const struct run *run, size_t v)
{
	const struct kith_smo_form *form = run->form;

	return form->sign[v] > 0 ? run->x[v] > form->lo[v]
				 : run->x[v] < form->hi[v];
}

/* -e_v g_v, by which the objective falls as e_v x_v grows. */
KITH_INLINE double
gain(const struct run *run, size_t v)
{
	return -run->form->sign[v] *
	    kith_smo_gradient(run->form, run->s, run->x, v);
}

/* The largest part of t by which e_v x_v can grow within its bounds. */
KITH_INLINE double
room_of(const struct run *run, size_t v, double t)
{
	const struct kith_smo_form *form = run->form;
	const double e = form->sign[v];

	return e *
	    (clip(run->x[v] + e * t, form->lo[v], form->hi[v]) - run->x[v]);
}

/* x_v += e_v t, on its bound where only rounding is between. */
static void
shift(struct run *run, size_t v, double t)
{
	const struct kith_smo_form *form = run->form;
	const double lo = form->lo[v], hi = form->hi[v];
	const double x = clip(run->x[v] + form->sign[v] * t, lo, hi);

	run->x[v] = x;
	if (hi - x <= NEAR * fabs(hi))
		run->x[v] = hi;
	if (x - lo <= NEAR * (fabs(lo) + fabs(t)))
		run->x[v] = lo;
}

KITH_CLONES static void
add_difference(size_t n, double a, const double *x, const double *z, double *s)
{
	for (size_t i = 0; i < n; i++)
		s[i] += a * (x[i] - z[i]);
}

/*
 * The partner j of i with the largest (top - gain_j)^2 / a_j, which is twice
 * what the objective falls without bounds, a_j = Q_ii + Q_jj - 2 K_ij; *gap:
 * the largest violation.
 */
static size_t
partner(
    const struct run *run, size_t i, double top, const double *row, double *gap)
{
	const struct kith_smo_form *form = run->form;
	double best = 0, least = INFINITY;
	size_t j = NONE;

	for (size_t c = 0; c < run->count; c++) {
		const size_t v = run->live[c];
		const double own = shrinks(run, v) ? gain(run, v) : INFINITY;
		double a;

		least = own < least ? own : least;
		if (!(own < top))
			continue;
		a = form->diagonal[i] + form->diagonal[v] -
		    2 * row[form->plus[v]];
		a = a > 1e-12 * form->diagonal[i] ? a : 1e-12;
		a = (top - own) * (top - own) / a;
		if (a > best) {
			best = a;
			j = v;
		}
	}
	*gap = top - least;
	return j;
}

/*
 * Two variables move by e t, -e t with t = (gain_i - gain_j) / a, cut at their
 * bounds, a = Q_ii + Q_jj - 2 K_ij; false where none violates more than tol.
 */
static bool
step_pair(struct run *run, double tol)
{
	const struct kith_smo_form *form = run->form;
	const double *K, *L;
	double top = -INFINITY, gap, a, t;
	size_t i = NONE, j;

	for (size_t c = 0; c < run->count; c++) {
		const size_t v = run->live[c];
		const double own = grows(run, v) ? gain(run, v) : -INFINITY;

		if (own > top) {
			top = own;
			i = v;
		}
	}
	if (i == NONE)
		return false;
	K = kith_krows_get(form->rows, form->plus[i]);
	j = partner(run, i, top, K, &gap);
	if (j == NONE || !(gap > tol))
		return false;
	L = kith_krows_get(form->rows, form->plus[j]);
	a = form->diagonal[i] + form->diagonal[j] - 2 * K[form->plus[j]];
	a = a > 1e-12 * form->diagonal[i] ? a : 1e-12;
	t = room_of(run, i, (top - gain(run, j)) / a);
	t = -room_of(run, j, -t);
	if (!(t > 0))
		return false;
	shift(run, i, t);
	shift(run, j, -t);
	add_difference(form->n, t, K, L, run->s);
	return true;
}

/* The variable with which the objective falls most moves by gain / Q_vv. */
static bool
step_one(struct run *run, double tol)
{
	const struct kith_smo_form *form = run->form;
	double best = 0, t = 0;
	size_t i = NONE;

	for (size_t c = 0; c < run->count; c++) {
		const size_t v = run->live[c];
		const double Q = form->diagonal[v];
		const double own = gain(run, v);
		double d, win;

		/* Without bounds the objective falls by own^2 / 2 Q. */
		if (!(fabs(own) > tol) || !(own * own > 2 * best * Q) ||
		    !(own > 0 ? grows(run, v) : shrinks(run, v)))
			continue;
		d = room_of(run, v, own / Q);
		win = d * (own - d * Q / 2);
		if (win > best) {
			best = win;
			i = v;
			t = d;
		}
	}
	if (i == NONE)
		return false;
	shift(run, i, t);
	kith_krows_add(form->rows, form->plus[i], t, 0, run->s, NULL);
	if (form->minus)
		kith_krows_add(form->rows, form->minus[i], -t, 0, run->s, NULL);
	return true;
}

size_t
kith_smo(const struct kith_smo_form *form, const size_t *live, size_t count,
    double tol, size_t most, double *x, double *s)
{
	struct run run = {form, live, count, x, s};
	size_t steps = 0;

	kith_progress_phase("start", 0, "steps");
	while (steps < most &&
	    (form->bias ? step_pair(&run, tol) : step_one(&run, tol))) {
		steps++;
		kith_progress_add(1);
	}
	kith_progress_end();
	return steps;
}
