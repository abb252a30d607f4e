#include "wsvmpath/mend.h"

#include "base/pool.h"
#include "la/chol.h"
#include "wsvmpath/task.h"

#include <math.h>
#include <string.h>

/* So much of the largest alpha on the margin may be cut off without more ado.
 */
#define LITTLE 1e-12

/* So much of q a slope may be off. */
#define SLOPE 1e-13

/* So much of the largest alpha, or of q, may matter to other variables. */
#define LARGE 1e-9

/* Rows of Q that leave less than this of their diagonal depend on others. */
#define LEAST 1e-15

/*
 * The variables v[0..u-1] of a margin, and how they are to change: d.  g is 0
 * but for those that joined.
 */
struct mend {
	const struct kith_wsvm_job *job;
	size_t u, *v, room;
	double *g;       /* u */
	int8_t *at;      /* u: free where on the margin, else on a bound */
	double *lo, *hi; /* u: bounds of d */
	double *d, db;
	double *e;    /* u */
	double *Q;    /* u x u, rows of `room` */
	double *free; /* the same: the part of those free */
	size_t *index, frees;
	struct kith_chol chol;
	double unit, q_most; /* the largest alpha among them; of all |q| */
	bool large;          /* the change may matter to others */
	struct kith_pool pool;
};

static double
kernel(const struct kith_wsvm_job *job, size_t i, size_t j)
{
	double K;

	kith_kern_rows(
	    &job->kern, kith_row(&job->X, i), kith_row(&job->X, j), 1, &K);
	return K;
}

/* Q_vw without the ridge. */
static double
entry(const struct kith_wsvm_job *job, size_t v, size_t w)
{
	double K = kernel(job, job->plus[v], job->plus[w]);

	if (job->minus)
		K += kernel(job, job->minus[v], job->minus[w]) -
		    kernel(job, job->plus[v], job->minus[w]) -
		    kernel(job, job->minus[v], job->plus[w]);
	return job->sign[v] * job->sign[w] * K;
}

static const size_t MORE = 16; /* variables that may join */

static void
make(struct mend *m)
{
	double **of_all[] = {&m->lo, &m->hi, &m->d, &m->e, &m->g};

	for (size_t i = 0; i < sizeof(of_all) / sizeof(*of_all); i++)
		*of_all[i] = kith_new(&m->pool, m->room, sizeof(double));
	m->v = kith_new(&m->pool, m->room, sizeof(*m->v));
	m->at = kith_new(&m->pool, m->room, sizeof(*m->at));
	m->index = kith_new(&m->pool, m->room, sizeof(*m->index));
}

/* Row i of Q, with those before it. */
static void
make_row(struct mend *m, size_t i)
{
	const size_t ld = m->room;

	for (size_t j = 0; j <= i; j++)
		m->Q[i * ld + j] = m->Q[j * ld + i] = entry(
		    m->job, m->v[i], m->v[j]);
	m->Q[i * ld + i] += m->job->problem.ridge;
}

/* All of Q: a row of kernels at a time, where a variable is one item. */
static void
make_matrix(struct mend *m)
{
	const struct kith_wsvm_job *job = m->job;
	struct kith_pool tmp = {0};
	size_t *item = kith_new(&tmp, m->u, sizeof(*item));
	struct kith_mat X;

	m->Q = kith_new(&m->pool, m->room, m->room * sizeof(*m->Q));
	m->free = kith_new(&m->pool, m->room, m->room * sizeof(*m->free));
	m->chol = kith_chol_new(m->room, &m->pool);
	for (size_t v = 0; v < job->problem.variables; v++)
		m->q_most = fmax(m->q_most, fabs(job->q[v]));
	for (size_t i = 0; i < m->u; i++)
		item[i] = job->plus[m->v[i]];
	X = kith_mat_rows(&job->X, item, m->u, &tmp);
	for (size_t i = 0; i < m->u; i++) {
		double *Q = m->Q + i * m->room;

		if (job->minus) {
			make_row(m, i);
			continue;
		}
		kith_kern_rows(&job->kern, kith_row(&X, i), X.v, m->u, Q);
		for (size_t j = 0; j < m->u; j++)
			Q[j] *= job->sign[m->v[i]] * job->sign[m->v[j]];
		Q[i] += job->problem.ridge;
	}
	kith_pool_free(&tmp);
}

/* Factor the part of Q of those free that do not depend on others. */
static void
factor(struct mend *m)
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
 * Change those free so that their g become 0, and the sum stays, whatever those
 * on bounds do: [Q e; e' 0] [d; db] = - (g; 0) - what these do.
 */
static void
solve(struct mend *m)
{
	const double *sign = m->job->sign;
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
	if (m->frees > 0 && m->job->problem.bias) {
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

/* Put the one free that is farthest beyond a bound on it; false: none is. */
static bool
fix(struct mend *m)
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

/*
 * Free the one on a bound that leaves it, or, where none is free and the sum is
 * not kept, that was cut off most; false: there is none.
 */
static bool
release(struct mend *m)
{
	double most = SLOPE * m->q_most, sum = 0, largest = 0;
	size_t worst = m->u, cut = m->u;

	for (size_t i = 0; i < m->u; i++) {
		double g = m->job->problem.bias ? m->job->sign[m->v[i]] * m->db
						: 0;

		sum += m->job->sign[m->v[i]] * m->d[i];
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
	if (m->job->problem.bias && m->frees == 0)
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

/* How much is to be cut off. */
static double
off_by(double C, int8_t at, double alpha)
{
	if (at == KITH_WSVM_OUT)
		return fabs(alpha);
	if (at == KITH_WSVM_IN)
		return fabs(alpha - C);
	return fmax(-alpha, alpha - C);
}

/* g of v, before the change. */
static double
slope(const struct mend *m, const double *f, double alpha, size_t v)
{
	const struct kith_wsvm_job *job = m->job;
	double h = f[job->plus[v]];

	if (job->minus)
		h -= f[job->minus[v]];
	return job->sign[v] * h + job->q[v] + job->problem.ridge * alpha;
}

/* The variable v joins, where it is. */
static void
join(struct mend *m, size_t v, int8_t at, double C, double alpha)
{
	m->v[m->u] = v;
	m->at[m->u] = at;
	m->lo[m->u] = -alpha;
	m->hi[m->u++] = C - alpha;
}

/*
 * Of all other variables, let the one join whose condition the change breaks
 * most, the first of equal ones; false: there is none.
 */
static bool
widen(struct mend *m, const double *C, const int8_t *where, const double *f,
    const double *alpha, bool *in)
{
	const struct kith_wsvm_job *job = m->job;
	const size_t N = job->problem.variables;
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
		g = slope(m, f, alpha[v], v);
		if (fabs(g) > sqrt(entry(job, v, v)) * reach + fabs(m->db))
			continue; /* Cauchy and Schwarz */
		off = g;
		for (size_t i = 0; i < m->u; i++)
			off += entry(job, v, m->v[i]) * m->d[i];
		if (job->problem.bias)
			off += job->sign[v] * m->db;
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

/* Find the change. */
static void
mend(struct mend *m, const double *C, const int8_t *where, const double *f,
    const double *alpha, bool *in)
{
	/* Rounding might make it go round. */
	size_t rounds = 4 * (m->u + MORE);

	make_matrix(m);
	do
		solve(m);
	while (rounds-- > 0 &&
	    (fix(m) || release(m) ||
		(m->large && widen(m, C, where, f, alpha, in))));
}

bool
kith_wsvm_mend_wide(const struct kith_wsvm_job *job, const double *C,
    const int8_t *where, const int8_t *other, const double *alpha)
{
	double off = 0, unit = 0;
	int8_t at;

	for (size_t v = 0; v < job->problem.variables; v++) {
		if (!on_margin(where, other, v, &at))
			continue;
		off = fmax(off, off_by(C[v], at, alpha[v]));
		unit = fmax(unit, fabs(alpha[v]));
	}
	return off > LARGE * unit;
}

void
kith_wsvm_mend(const struct kith_wsvm_job *job, const double *C,
    const int8_t *where, const int8_t *other, const double *f, double *alpha,
    double *b)
{
	const size_t N = job->problem.variables;
	struct mend m = {.job = job, .room = MORE};
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
		mend(&m, C, where, f, alpha, in);
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
