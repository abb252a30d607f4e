/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With gain_v = -e_v g_v, of all variables that may move side by side, and up
 * and down for those whose e_v x_v can grow and shrink, a step is
 *
 *  1. smo_pair_update(), of the step before: the variable i of the largest gain among
 *     those up.
 *  2. smo_pair_find_partner(): the variable j among those down with the largest
 *
 *	(gain_i - gain_j)^2 / a_ij    a_ij = Q_ii + Q_jj - 2 K_ij
 *
 *     which is twice what the objective falls without bounds.
 *  3. step(): e_i x_i grows by t = (gain_i - gain_j) / a_ij, cut at the bounds,
 *     and e_j x_j shrinks by it.
 *  4. smo_pair_update(): gain -= t (K_i - K_j), and ridge t less for i, more for j.
 *
 * Variables are looked through in lanes, of which each keeps its largest number
 * and where that was first.
 */
#include "wsvm/smo_pair.h"

#include "base/pool.h"
#include "base/progress.h"
#include "la/simd.h"
#include "wsvm/krows.h"
#include "wsvm/smo_run.h"

enum { LANES = 8 };

#define FLAT 1e-12 /* a_ij is no less, and no less than so much of Q_ii */

struct pairs {
	struct kith_smo_run *run;
	size_t count;
	double *gain, *diagonal; /* count: Q_vv */
	double *up, *down;       /* count: 0, or -infinity: is not */
	size_t *item;            /* count: the kernel row of each */
	bool whole;              /* variable c is that of row c */
	double *room[2];         /* count: rows i and j, unless whole */
	double *x;               /* count: before the first step */
};

/* to = other where is not set. */
KITH_INLINE void
mask(kith_v8d *to, const kith_v8i *is, double other)
{
	const kith_v8d no = {
	    other, other, other, other, other, other, other, other};

	*to = (kith_v8d)(((kith_v8i)*to & *is) | ((kith_v8i)no & ~*is));
}

/* The largest numbers so far, and where each was first. */
struct most {
	kith_v8d x;
	kith_v8i where;
};

KITH_INLINE void
enlarge(struct most *most, const kith_v8d *x, size_t c)
{
	const kith_v8i is = *x > most->x;
	const kith_v8i at = (kith_v8i){0, 1, 2, 3, 4, 5, 6, 7} + (int64_t)c;

	most->x = (kith_v8d)(((kith_v8i)*x & is) | ((kith_v8i)most->x & ~is));
	most->where = (at & is) | (most->where & ~is);
}

/* The largest of all, more than `least`, and where it is; else, they stay. */
KITH_INLINE void
largest(const struct most *most, double *least, size_t *where)
{
	for (int k = 0; k < LANES; k++) {
		const size_t c = (size_t)most->where[k];

		if (most->x[k] > *least ||
		    (most->x[k] == *least && c < *where)) {
			*least = most->x[k];
			*where = c;
		}
	}
}

KITH_INLINE void
enlarge_number(kith_v8d *most, const kith_v8d *x)
{
	const kith_v8i is = *x > *most;

	*most = (kith_v8d)(((kith_v8i)*x & is) | ((kith_v8i)*most & ~is));
}

/* Of a kernel row, which may begin anywhere. */
KITH_INLINE const kith_v8d_at *
entries(const double *row, size_t c)
{
	return (const kith_v8d_at *)(row + c);
}

KITH_INLINE const kith_v8d *
vector(const double *x, size_t c)
{
	return (const kith_v8d *)(x + c);
}

/* Step 4, and step 1 of the next; the variable, or count. */
KITH_CLONES static size_t
smo_pair_update(
    const struct pairs *at, double t, const double *K, const double *L)
{
	const size_t end = at->count / LANES * LANES;
	double top = -INFINITY;
	struct most most = {.x = {top, top, top, top, top, top, top, top}};
	size_t i = at->count, c = 0;

	for (; c < end; c += LANES) {
		kith_v8d own = *vector(at->gain, c) -
		    t * (*entries(K, c) - *entries(L, c));

		*(kith_v8d *)(at->gain + c) = own;
		own += *vector(at->up, c);
		enlarge(&most, &own, c);
	}
	largest(&most, &top, &i);
	if (top == -INFINITY)
		i = at->count;
	for (; c < at->count; c++) {
		at->gain[c] -= t * (K[c] - L[c]);
		if (at->gain[c] + at->up[c] > top) {
			top = at->gain[c];
			i = c;
		}
	}
	return i;
}

/* What the objective falls twice where the gains differ by d. */
KITH_INLINE double
fall(const struct pairs *at, size_t c, double d, double Q, const double *K)
{
	double a = Q + at->diagonal[c] - 2 * K[c];

	a = a > FLAT * Q ? a : FLAT;
	return d > 0 ? d * d / a : 0;
}

/* Step 2; *gap: the largest violation. */
KITH_CLONES static size_t
smo_pair_find_partner(
    const struct pairs *at, size_t i, const double *K, double *gap)
{
	const size_t end = at->count / LANES * LANES;
	const double top = at->gain[i], Q = at->diagonal[i];
	const double flat = FLAT * Q, inf = INFINITY;
	struct most most = {0};
	kith_v8d far = {-inf, -inf, -inf, -inf, -inf, -inf, -inf, -inf};
	double best = 0;
	size_t j = at->count, c = 0;

	for (; c < end; c += LANES) {
		const kith_v8d d = top - *vector(at->gain, c) +
		    *vector(at->down, c);
		kith_v8d a = Q + *vector(at->diagonal, c) - 2 * *entries(K, c);
		kith_v8i is = a > flat;

		enlarge_number(&far, &d);
		mask(&a, &is, FLAT);
		a = d * d / a;
		is = d > 0;
		mask(&a, &is, 0);
		enlarge(&most, &a, c);
	}
	largest(&most, &best, &j);
	if (!(best > 0))
		j = at->count;
	*gap = -inf;
	for (int k = 0; k < LANES; k++)
		*gap = far[k] > *gap ? far[k] : *gap;
	for (; c < at->count; c++) {
		const double d = top - at->gain[c] + at->down[c];
		const double own = fall(at, c, d, Q, K);

		*gap = d > *gap ? d : *gap;
		if (own > best) {
			best = own;
			j = c;
		}
	}
	return j;
}

/* K_c of the variables alone. */
static const double *
kernel_row(const struct pairs *at, size_t c, int side)
{
	const double *row = kith_krows_get(at->run->form->rows, at->item[c]);

	if (at->whole)
		return row;
	for (size_t d = 0; d < at->count; d++)
		at->room[side][d] = row[at->item[d]];
	return at->room[side];
}

KITH_CLONES static void
smo_pair_add_difference(
    size_t n, double a, const double *x, const double *z, double *s)
{
	for (size_t i = 0; i < n; i++)
		s[i] += a * (x[i] - z[i]);
}

static void
set_flags(const struct pairs *at, size_t c)
{
	const size_t v = at->run->live[c];

	at->up[c] = kith_smo_grows(at->run, v) ? 0 : -INFINITY;
	at->down[c] = kith_smo_shrinks(at->run, v) ? 0 : -INFINITY;
}

/*
 * What is left of e_i x_i's way to its bound is lost in the rounding of e_j
 * x_j: it is there.  False where e_i x_i has not so little left.
 */
static bool
take_rest(const struct pairs *at, size_t i, double rest)
{
	struct kith_smo_run *run = at->run;
	const size_t v = run->live[i];
	const double to = run->x[v] + run->form->sign[v] * rest;

	if (!(rest > 0) || (to > run->form->lo[v] && to < run->form->hi[v]))
		return false;
	run->x[v] = to;
	set_flags(at, i);
	return true;
}

/*
 * Steps 2 to 4 for i; the next i, or count where no violation exceeds tol.
 */
static size_t
step(const struct pairs *at, size_t i, double tol)
{
	struct kith_smo_run *run = at->run;
	const struct kith_smo_form *form = run->form;
	const double *K = kernel_row(at, i, 0), *L;
	double gap, a, most, t;
	const size_t j = smo_pair_find_partner(at, i, K, &gap);

	if (j == at->count || !(gap > tol))
		return at->count;
	L = kernel_row(at, j, 1);
	a = at->diagonal[i] + at->diagonal[j] - 2 * K[j];
	a = a > FLAT * at->diagonal[i] ? a : FLAT;
	most = kith_smo_room(
	    run, run->live[i], (at->gain[i] - at->gain[j]) / a);
	t = -kith_smo_room(run, run->live[j], -most);
	if (!(t > 0))
		return take_rest(at, i, most) ? smo_pair_update(at, 0, K, K)
					      : at->count;
	kith_smo_shift(run, run->live[i], t);
	kith_smo_shift(run, run->live[j], -t);
	set_flags(at, i);
	set_flags(at, j);
	at->gain[i] -= form->ridge * t;
	at->gain[j] += form->ridge * t;
	if (!at->whole)
		smo_pair_add_difference(form->n, t,
		    kith_krows_get(form->rows, at->item[i]),
		    kith_krows_get(form->rows, at->item[j]), run->s);
	return smo_pair_update(at, t, K, L);
}

static void
begin(struct pairs *at, struct kith_pool *pool)
{
	const struct kith_smo_form *form = at->run->form;

	KITH_NEW_REALS(pool, at->count, 1, &at->gain, &at->diagonal, &at->up,
	    &at->down, &at->room[0], &at->room[1], &at->x);
	KITH_NEW_SIZES(pool, at->count, 1, &at->item);
	at->whole = true;
	for (size_t c = 0; c < at->count; c++) {
		const size_t v = at->run->live[c];

		at->item[c] = form->plus[v];
		at->x[c] = at->run->x[v];
		at->whole = at->whole && form->plus[v] == c;
		at->gain[c] = kith_smo_gain(at->run, v);
		at->diagonal[c] = form->diagonal[v];
		set_flags(at, c);
	}
}

/*
 * s_i = -gain_v - e_v (q_v + ridge x_v), which steps do not keep up.  So steps,
 * and alpha, are the same to the last bit whether rows that are not learnt from
 * follow, or none.
 */
static void
set_scores(const struct pairs *at)
{
	const struct kith_smo_run *run = at->run;
	const struct kith_smo_form *form = run->form;

	for (size_t c = 0; c < at->count; c++) {
		const size_t v = run->live[c];

		run->s[c] = -at->gain[c] -
		    form->sign[v] * (form->q[v] + form->ridge * run->x[v]);
	}
	/* Those of other items: s += K (e (x - x before)). */
	for (size_t c = 0; c < at->count && at->count < form->n; c++) {
		const size_t v = run->live[c];
		const double a = form->sign[v] * (run->x[v] - at->x[c]);
		const double *K = a != 0 ? kith_krows_get(form->rows, c) : NULL;

		for (size_t i = at->count; i < form->n && K; i++)
			run->s[i] += a * K[i];
	}
}

size_t
kith_smo_pairs(struct kith_smo_run *run, double tol, size_t most)
{
	struct kith_pool tmp = {0};
	struct pairs at = {.run = run, .count = run->count};
	size_t steps = 0, i;

	begin(&at, &tmp);
	i = smo_pair_update(&at, 0, at.diagonal, at.diagonal);
	while (steps < most && i < at.count &&
	    (i = step(&at, i, tol)) < at.count) {
		steps++;
		kith_progress_add(1);
	}
	if (at.whole)
		set_scores(&at);
	kith_pool_free(&tmp);
	return steps;
}
