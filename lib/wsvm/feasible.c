/*
 * Of the variables that are on the margin before or after an event, d is the
 * change that puts alpha + d within [0, C]:
 *
 *  1. solve(): those at a bound have d = -alpha or C - alpha; the others, free,
 *     solve
 *
 *	[ Q_FF  e_F ] [ d_F ]     [ g_F + Q_FB d_B ]
 *	[ e_F'   0  ] [ db  ] = - [ e_B' d_B       ]
 *
 *     so that their g stay 0, and e' alpha too.
 *  2. fix(): the free one farthest beyond a bound is put on it; 1 again.
 *  3. release(): the one on a bound whose g has the wrong sign by most is free.
 *  4. widen(): where d is large, the other one that violates most joins.
 */
#include "wsvm/feasible.h"

#include "base/pool.h"
#include "kernel/kern.h"
#include "la/chol.h"
#include "la/chol_extend.h"
#include "la/mat.h"
#include "la/vec.h"
#include "wsvm/problem.h"

#include <string.h>

/* Relative to the largest alpha on the margin, or to the largest |q|. */
#define LITTLE 1e-12   /* an excess over a bound that is simply cut off */
#define LARGE 1e-9     /* a change for which other variables may have to move */
#define GRADIENT 1e-13 /* a gradient that is rounding */
#define LEAST 1e-15    /* pivot^2 / diagonal that counts as singular */

/* The variables v[0..u-1] of a margin, and their change d. */
struct change {
	const struct kith_wsvm_problem *problem;
	size_t u, *v, room;
	double *g;         /* u: gradients before; 0 of those on the margin */
	int8_t *at;        /* u, of kith_wsvm_where: on the margin, free */
	double *lo, *hi;   /* u: bounds of d */
	double *d, db, *e; /* u: the change; of b; Q_FF^-1 e_F */
	double *Q;         /* u x u, rows of `room` */
	double *free;      /* the same: Q_FF, then right-hand sides */
	size_t *index, frees;
	struct kith_chol chol;
	double unit, q_most; /* the largest alpha among them; of all |q| */
	bool large;          /* other variables may have to move */
	struct kith_pool pool;
};

static double
kernel(const struct kith_wsvm_problem *problem, size_t i, size_t j)
{
	double K;

	kith_kern_rows(problem->kern, kith_row(problem->X, i),
	    kith_row(problem->X, j), 1, &K);
	return K;
}

/* Q_vw without the ridge. */
static double
entry(const struct kith_wsvm_problem *problem, size_t v, size_t w)
{
	double K = kernel(problem, problem->plus[v], problem->plus[w]);

	if (problem->minus)
		K += kernel(problem, problem->minus[v], problem->minus[w]) -
		    kernel(problem, problem->plus[v], problem->minus[w]) -
		    kernel(problem, problem->minus[v], problem->plus[w]);
	return problem->sign[v] * problem->sign[w] * K;
}

static const size_t MORE = 16; /* variables that may join */

static void
make(struct change *m)
{
	KITH_NEW_REALS(
	    &m->pool, m->room, 1, &m->lo, &m->hi, &m->d, &m->e, &m->g);
	KITH_NEW_SIZES(&m->pool, m->room, 1, &m->v, &m->index);
	m->at = kith_new(&m->pool, m->room, sizeof(*m->at));
}

/* Row i of Q, and column i, up to the diagonal. */
static void
make_row(struct change *m, size_t i)
{
	const size_t ld = m->room;

	for (size_t j = 0; j <= i; j++)
		m->Q[i * ld + j] = m->Q[j * ld + i] = entry(
		    m->problem, m->v[i], m->v[j]);
	m->Q[i * ld + i] += m->problem->ridge;
}

/* Q; by rows of the kernel where a variable is one item. */
static void
make_matrix(struct change *m)
{
	const struct kith_wsvm_problem *problem = m->problem;
	struct kith_pool tmp = {0};
	size_t *item = kith_new(&tmp, m->u, sizeof(*item));
	struct kith_mat X;

	m->Q = kith_new(&m->pool, m->room, m->room * sizeof(*m->Q));
	m->free = kith_new(&m->pool, m->room, m->room * sizeof(*m->free));
	m->chol = kith_chol_new(m->room, &m->pool);
	m->q_most = kith_vec_largest(problem->variables, problem->q);
	for (size_t i = 0; i < m->u; i++)
		item[i] = problem->plus[m->v[i]];
	X = kith_mat_rows(problem->X, item, m->u, &tmp);
	for (size_t i = 0; i < m->u; i++) {
		double *Q = m->Q + i * m->room;

		if (problem->minus) {
			make_row(m, i);
			continue;
		}
		kith_kern_rows(problem->kern, kith_row(&X, i), X.v, m->u, Q);
		for (size_t j = 0; j < m->u; j++)
			Q[j] *= problem->sign[m->v[i]] * problem->sign[m->v[j]];
		Q[i] += problem->ridge;
	}
	kith_pool_free(&tmp);
}

/* Factor Q_FF for those free that do not depend on others. */
static void
factor(struct change *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->u; i++)
		if (m->at[i] == KITH_WSVM_MARGIN)
			m->index[n++] = i;
	memcpy(m->free, m->Q, m->u * m->room * sizeof(*m->Q));
	kith_chol_clear(&m->chol);
	m->frees = kith_chol_factor(
	    &m->chol, m->free, m->room, m->index, n, LEAST);
}

/*
 * Step 1: with x = -Q_FF^-1 (g_F + Q_FB d_B) and e = Q_FF^-1 e_F,
 * db = (e_F' x + e_B' d_B) / e_F' e and d_F = x - db e.
 */
static void
solve(struct change *m)
{
	const double *sign = m->problem->sign;
	double sum = 0, top = 0, bottom = 0, *x = m->free;

	factor(m);
	for (size_t i = 0; i < m->u; i++) {
		m->d[i] = m->at[i] == KITH_WSVM_OUT ? m->lo[i]
		    : m->at[i] == KITH_WSVM_IN      ? m->hi[i]
						    : 0;
		sum += sign[m->v[i]] * m->d[i];
	}
	for (size_t f = 0; f < m->frees; f++) {
		const double *Q = m->Q + m->index[f] * m->room;

		x[f] = -m->g[m->index[f]];
		for (size_t i = 0; i < m->u; i++)
			x[f] -= Q[i] * m->d[i];
		m->e[f] = sign[m->v[m->index[f]]];
	}
	m->db = 0;
	if (m->frees > 0)
		kith_chol_solve(&m->chol, x);
	if (m->frees > 0 && m->problem->bias) {
		kith_chol_solve(&m->chol, m->e);
		for (size_t f = 0; f < m->frees; f++) {
			top += sign[m->v[m->index[f]]] * x[f];
			bottom += sign[m->v[m->index[f]]] * m->e[f];
		}
		m->db = (top + sum) / bottom;
	}
	for (size_t f = 0; f < m->frees; f++)
		m->d[m->index[f]] = x[f] - m->db * m->e[f];
}

/* Step 2; false: no free variable is beyond its bounds. */
static bool
fix(struct change *m)
{
	double most = LITTLE * m->unit;
	size_t worst = m->u;

	for (size_t i = 0; i < m->u; i++) {
		const double off = fmax(m->lo[i] - m->d[i], m->d[i] - m->hi[i]);

		if (m->at[i] == KITH_WSVM_MARGIN && off > most) {
			most = off;
			worst = i;
		}
	}
	if (worst == m->u)
		return false;
	m->at[worst] = m->d[worst] < m->lo[worst] ? KITH_WSVM_OUT
						  : KITH_WSVM_IN;
	return true;
}

/* Step 3, or, where none is free and e' d is not 0, the largest change. */
static bool
release(struct change *m)
{
	double most = GRADIENT * m->q_most, sum = 0, largest = 0;
	size_t worst = m->u, cut = m->u;

	for (size_t i = 0; i < m->u; i++) {
		double g = m->problem->bias ? m->problem->sign[m->v[i]] * m->db
					    : 0;

		sum += m->problem->sign[m->v[i]] * m->d[i];
		if (m->at[i] == KITH_WSVM_MARGIN)
			continue;
		for (size_t j = 0; j < m->u; j++)
			g += m->Q[i * m->room + j] * m->d[j];
		g = m->at[i] == KITH_WSVM_OUT ? -g : g;
		if (g > most) {
			most = g;
			worst = i;
		}
		if (fabs(m->d[i]) > largest) {
			largest = fabs(m->d[i]);
			cut = i;
		}
	}
	if (m->problem->bias && m->frees == 0)
		worst = fabs(sum) > LITTLE * m->unit ? cut : m->u;
	if (worst == m->u)
		return false;
	m->at[worst] = KITH_WSVM_MARGIN;
	return true;
}

/* Whether v is on a margin; *at is where it is to be. */
static bool
on_margin(const int8_t *where, const int8_t *other, size_t v, int8_t *at)
{
	*at = where[v];
	if (*at == KITH_WSVM_MARGIN && other)
		*at = other[v];
	return where[v] == KITH_WSVM_MARGIN ||
	    (other && other[v] == KITH_WSVM_MARGIN);
}

/* By how much alpha is off the bound, or the bounds, of its set. */
static double
off_by(double C, int8_t at, double alpha)
{
	return at == KITH_WSVM_OUT ? fabs(alpha)
	    : at == KITH_WSVM_IN   ? fabs(alpha - C)
				   : fmax(-alpha, alpha - C);
}

/* g_v before the change. */
static double
gradient(const struct change *m, const double *f, double alpha, size_t v)
{
	const struct kith_wsvm_problem *problem = m->problem;
	const double h = f[problem->plus[v]] -
	    (problem->minus ? f[problem->minus[v]] : 0);

	return problem->sign[v] * h + problem->q[v] + problem->ridge * alpha;
}

/* v changes too, from the set `at`. */
static void
join(struct change *m, size_t v, int8_t at, double C, double alpha)
{
	m->v[m->u] = v;
	m->at[m->u] = at;
	m->lo[m->u] = -alpha;
	m->hi[m->u++] = C - alpha;
}

/*
 * Step 4; false: there is no such variable.  |Q_v. d| <= sqrt(Q_vv) sum_i
 * sqrt(Q_ii) |d_i|, so most need no kernels.
 */
static bool
widen(struct change *m, const double *C, const int8_t *where, const double *f,
    const double *alpha, bool *in)
{
	const struct kith_wsvm_problem *problem = m->problem;
	const size_t N = problem->variables;
	double most = LARGE * m->q_most, g_worst = 0, reach = 0;
	size_t worst = N;

	if (m->u == m->room)
		return false;
	for (size_t i = 0; i < m->u; i++)
		reach += sqrt(m->Q[i * m->room + i]) * fabs(m->d[i]);
	for (size_t v = 0; v < N; v++) {
		double g, off;

		if (in[v] || !(C[v] > 0))
			continue;
		g = gradient(m, f, alpha[v], v);
		if (fabs(g) > sqrt(entry(problem, v, v)) * reach + fabs(m->db))
			continue; /* Cauchy and Schwarz */
		off = g;
		for (size_t i = 0; i < m->u; i++)
			off += entry(problem, v, m->v[i]) * m->d[i];
		if (problem->bias)
			off += problem->sign[v] * m->db;
		off = where[v] == KITH_WSVM_OUT ? -off : off;
		if (off > most) {
			most = off;
			g_worst = g;
			worst = v;
		}
	}
	if (worst == N)
		return false;
	in[worst] = true;
	join(m, worst, where[worst], C[worst], alpha[worst]);
	m->g[m->u - 1] = g_worst;
	make_row(m, m->u - 1);
	return true;
}

/* Steps 1 to 4. */
static void
find_change(struct change *m, const double *C, const int8_t *where,
    const double *f, const double *alpha, bool *in)
{
	size_t rounds = 4 * (m->u + MORE); /* rounding may make it cycle */

	make_matrix(m);
	do
		solve(m);
	while (rounds-- > 0 &&
	    (fix(m) || release(m) ||
		(m->large && widen(m, C, where, f, alpha, in))));
}

bool
kith_wsvm_feasible_needs_f(const struct kith_wsvm_problem *problem,
    const double *C, const int8_t *where, const int8_t *other,
    const double *alpha)
{
	double off = 0, unit = 0;
	int8_t at;

	for (size_t v = 0; v < problem->variables; v++) {
		if (!on_margin(where, other, v, &at))
			continue;
		off = fmax(off, off_by(C[v], at, alpha[v]));
		unit = fmax(unit, fabs(alpha[v]));
	}
	return off > LARGE * unit;
}

void
kith_wsvm_feasible(const struct kith_wsvm_problem *problem, const double *C,
    const int8_t *where, const int8_t *other, const double *f, double *alpha,
    double *b)
{
	const size_t N = problem->variables;
	struct change m = {.problem = problem, .room = MORE};
	bool *in = kith_new(&m.pool, N, sizeof(*in));
	double off = 0;
	int8_t at;

	for (size_t v = 0; v < N; v++) {
		in[v] = on_margin(where, other, v, &at);
		if (!in[v]) {
			alpha[v] = at == KITH_WSVM_OUT ? 0 : C[v];
			continue;
		}
		m.room++;
		off = fmax(off, off_by(C[v], at, alpha[v]));
		m.unit = fmax(m.unit, fabs(alpha[v]));
	}
	make(&m);
	for (size_t v = 0; v < N; v++)
		if (on_margin(where, other, v, &at))
			join(&m, v, at, C[v], alpha[v]);
	if (off > LITTLE * m.unit) {
		m.large = off > LARGE * m.unit;
		find_change(&m, C, where, f, alpha, in);
		*b += m.db;
	}
	for (size_t i = 0; i < m.u; i++) {
		const size_t v = m.v[i];
		const double a = alpha[v] + m.d[i];

		alpha[v] = a < 0 || m.at[i] == KITH_WSVM_OUT ? 0
		    : a > C[v] || m.at[i] == KITH_WSVM_IN    ? C[v]
							     : a;
	}
	kith_pool_free(&m.pool);
}
