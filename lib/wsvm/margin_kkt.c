#include "wsvm/margin_kkt.h"

#include "base/pool.h"
#include "wsvm/columns.h"
#include "wsvm/smo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	FIRST = 32,    /* room for so many variables at the start */
	REFINE = 2,    /* steps of refinement */
	CHANGES = 100, /* of a factor, or |M|, before it is computed anew */
	SIDES = KITH_CHOL_SIDES
};

#define LEAST 1e-14    /* pivot^2 / diagonal that counts as singular */
#define RESIDUAL 1e-12 /* over its terms, from which a factor is poor */
#define DONE 0x1p-51   /* over its terms, at which refinement ends */

static void
make_room(struct kith_wsvm_margin *m, size_t most)
{
	struct kith_pool *pool = m->pool;
	size_t *list = kith_new(pool, most, sizeof(*list));

	if (m->size > 0)
		memcpy(list, m->list, m->size * sizeof(*list));
	m->list = list;
	m->most = most;
	m->chol = kith_chol_new(most, pool);
	m->unit = kith_new(pool, most, sizeof(*m->unit));
	m->room = kith_new(pool, 4 * most, sizeof(*m->room));
	m->side = kith_new(pool, SIDES * m->chol.ld, sizeof(*m->side));
}

struct kith_wsvm_margin *
kith_wsvm_margin_new(const struct kith_smo_form *form, struct kith_pool *pool)
{
	struct kith_wsvm_margin *m = kith_new(pool, 1, sizeof(*m));

	*m = (struct kith_wsvm_margin){.form = form, .pool = pool};
	m->place = kith_new(pool, form->N, sizeof(*m->place));
	for (size_t v = 0; v < form->N; v++) {
		m->place[v] = KITH_WSVM_NOT;
		m->rho = fmax(m->rho, form->diagonal[v] - form->ridge);
	}
	if (!(form->bias && m->rho > 0))
		m->rho = form->bias;
	m->columns = kith_wsvm_columns_new(form->rows, form->n, pool);
	make_room(m, FIRST);
	return m;
}

/* Keep the kernel columns of v, which enters M, or let them go. */
static void
hold(struct kith_wsvm_margin *m, size_t v, bool on)
{
	const struct kith_smo_form *form = m->form;

	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];

		if (on)
			kith_wsvm_columns_take(m->columns, i);
		else
			kith_wsvm_columns_drop(m->columns, i);
	}
	m->changes++;
	m->fresh = false;
}

/* K_i,plus[w] - K_i,minus[w] for w of M. */
static double
product(const struct kith_wsvm_margin *m, size_t i, size_t w)
{
	const struct kith_smo_form *form = m->form;
	double K = kith_wsvm_columns_at(m->columns, i, form->plus[w]);

	if (form->minus)
		K -= kith_wsvm_columns_at(m->columns, i, form->minus[w]);
	return K;
}

/* a_w = Q_vw for v, whose columns are kept, and the first `size` w of M. */
static void
column(struct kith_wsvm_margin *m, size_t v, size_t size, double *a)
{
	const struct kith_smo_form *form = m->form;

	for (size_t i = 0; i < size; i++) {
		const size_t w = m->list[i];
		double Q = product(m, form->plus[v], w);

		if (form->minus)
			Q -= product(m, form->minus[v], w);
		a[i] = form->sign[v] * form->sign[w] * Q;
	}
}

/*
 * Append row i of Q_MM, whose entries before the diagonal are in row, to the
 * factor; false where its pivot is too small.
 */
static bool
append(struct kith_wsvm_margin *m, size_t i, const double *row, double diagonal,
    double least)
{
	const double *sign = m->form->sign, e = sign[m->list[i]];
	double *a = m->room;

	for (size_t j = 0; j < i; j++) /* (Q_MM + rho e e')_ij */
		a[j] = row[j] + m->rho * e * sign[m->list[j]];
	return kith_chol_append(&m->chol, a, diagonal + m->rho, least);
}

/*
 * Factor Q_MM + rho e e' anew.  A variable that depends on others, but for
 * rounding, gets a larger diagonal; refinement corrects the solutions.
 */
static void
factor(struct kith_wsvm_margin *m)
{
	double *row = m->side;

	kith_chol_clear(&m->chol);
	for (size_t i = 0; i < m->size; i++) {
		const double diagonal = m->form->diagonal[m->list[i]];
		double more = LEAST;

		column(m, m->list[i], i, row);
		if (append(m, i, row, diagonal, LEAST))
			continue;
		while (!append(m, i, row, diagonal * (1 + more), LEAST / 2))
			more *= 4;
	}
	m->changes = 0;
	m->fresh = false;
}

bool
kith_wsvm_margin_enter(struct kith_wsvm_margin *m, size_t v)
{
	const size_t i = m->size;

	assert(m->place[v] == KITH_WSVM_NOT);
	if (i == m->most) {
		make_room(m, 2 * m->most);
		factor(m);
	}
	hold(m, v, true);
	column(m, v, i, m->side);
	m->list[i] = v;
	if (!append(m, i, m->side, m->form->diagonal[v], LEAST)) {
		hold(m, v, false);
		return false;
	}
	m->place[v] = i;
	m->size++;
	return true;
}

void
kith_wsvm_margin_leave(struct kith_wsvm_margin *m, size_t v)
{
	const size_t i = m->place[v];

	assert(i != KITH_WSVM_NOT);
	kith_chol_delete(&m->chol, i);
	for (size_t r = i; r + 1 < m->size; r++) {
		m->list[r] = m->list[r + 1];
		m->place[m->list[r]] = r;
	}
	hold(m, v, false);
	m->place[v] = KITH_WSVM_NOT;
	m->size--;
}

/* One or two systems; left and rest are their residuals. */
struct systems {
	size_t count;
	const double *c, *r;
	double *x, *b, *left, rest[2];
};

/*
 * x = (Q_MM + rho e e')^-1 x for `count` sides; with a bias, and unless it is
 * known for this M, unit = (Q_MM + rho e e')^-1 e with them.
 */
static void
solve_sides(struct kith_wsvm_margin *m, size_t count, double *x)
{
	const size_t n = m->size, ld = m->chol.ld, len = n * sizeof(*x);
	const bool unit = m->form->bias && !m->fresh;
	double *e = m->side + count * ld;

	for (size_t k = 0; k < count; k++)
		memcpy(m->side + k * ld, x + k * n, len);
	for (size_t i = 0; unit && i < n; i++)
		e[i] = m->form->sign[m->list[i]];
	kith_chol_solve_sides(&m->chol, count + unit, m->side);
	for (size_t k = 0; k < count; k++)
		memcpy(x + k * n, m->side + k * ld, len);
	if (unit)
		memcpy(m->unit, e, len);
	m->fresh = m->fresh || unit;
}

/*
 * Solve the bordered systems by the factor of F = Q_MM + rho e e', x into c:
 *
 *	y = F^-1 (c + rho r e)    u = F^-1 e
 *	b = (e' y - r) / e' u     x = y - b u
 */
static void
solve_once(struct kith_wsvm_margin *m, size_t count, double *c, const double *r,
    double *b)
{
	const size_t n = m->size, *list = m->list;
	const double *sign = m->form->sign;
	double under = 0;

	b[0] = b[count - 1] = 0;
	for (size_t k = 0; k < count && m->form->bias; k++)
		for (size_t i = 0; i < n; i++)
			c[k * n + i] += m->rho * r[k] * sign[list[i]];
	solve_sides(m, count, c);
	for (size_t i = 0; m->form->bias && i < n; i++)
		under += sign[list[i]] * m->unit[i];
	for (size_t k = 0; k < count && m->form->bias; k++) {
		double *x = c + k * n, over = 0;

		for (size_t i = 0; i < n; i++)
			over += sign[list[i]] * x[i];
		b[k] = (over - r[k]) / under;
		for (size_t i = 0; i < n; i++)
			x[i] -= b[k] * m->unit[i];
	}
}

void
kith_wsvm_margin_load(
    struct kith_wsvm_margin *m, const double *a, const double *b)
{
	const struct kith_smo_form *form = m->form;

	kith_wsvm_columns_clear(m->columns);
	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];
		const double e = form->sign[v], f = b ? e * b[i] : 0;

		kith_wsvm_columns_add(m->columns, form->plus[v], e * a[i], f);
		if (form->minus)
			kith_wsvm_columns_add(
			    m->columns, form->minus[v], -e * a[i], -f);
	}
}

/* left = Q_MM x */
static void
multiply(struct kith_wsvm_margin *m, struct systems *at)
{
	const struct kith_smo_form *form = m->form;
	const size_t n = m->size;

	kith_wsvm_margin_load(m, at->x, at->count > 1 ? at->x + n : NULL);
	for (size_t i = 0; i < n; i++) {
		const size_t v = m->list[i];
		double out[2], less[2] = {0};

		kith_wsvm_columns_score(m->columns, form->plus[v], out);
		if (form->minus)
			kith_wsvm_columns_score(
			    m->columns, form->minus[v], less);
		for (size_t k = 0; k < at->count; k++)
			at->left[k * n + i] = form->sign[v] *
				(out[k] - less[k]) +
			    form->ridge * at->x[k * n + i];
	}
}

/* left = c - Q_MM x - e b, rest = r - e' x; the largest over its terms. */
static double
residual(struct kith_wsvm_margin *m, struct systems *at)
{
	const size_t n = m->size;
	double worst = 0;

	multiply(m, at);
	for (size_t k = 0; k < at->count; k++) {
		const double *c = at->c + k * n, *x = at->x + k * n;
		const double b = at->b[k];
		double most = 0, scale = fabs(b), sum = 0;

		for (size_t i = 0; i < n; i++) {
			const size_t v = m->list[i];
			const double e = m->form->sign[v];
			double *left = at->left + k * n + i;

			*left = c[i] - *left - e * b;
			most = fmax(most, fabs(*left));
			scale += m->form->diagonal[v] * fabs(x[i]);
			sum += e * x[i];
		}
		at->rest[k] = m->form->bias ? at->r[k] - sum : 0;
		worst = fmax(worst, scale > 0 ? most / scale : 0);
	}
	return worst;
}

/* Solve by the factor, then refine: x += F^-1 residual.  The residual. */
static double
solve_all(struct kith_wsvm_margin *m, struct systems *at)
{
	const size_t n = m->size;
	double got, b[2];

	memcpy(at->x, at->c, at->count * n * sizeof(*at->x));
	solve_once(m, at->count, at->x, at->r, at->b);
	got = residual(m, at);
	for (int step = 0; step < REFINE && got > DONE; step++) {
		solve_once(m, at->count, at->left, at->rest, b);
		for (size_t k = 0; k < at->count; k++) {
			at->b[k] += b[k];
			for (size_t i = 0; i < n; i++)
				at->x[k * n + i] += at->left[k * n + i];
		}
		got = residual(m, at);
	}
	return got;
}

void
kith_wsvm_margin_solve(struct kith_wsvm_margin *m, size_t count,
    const double *c, const double *r, double *x, double *b)
{
	struct systems at = {count, c, r, x, b, m->room + m->most, {0}};

	assert(m->size > 0 && 1 <= count && count <= 2);
	if (m->changes > CHANGES && m->changes > m->size)
		factor(m);
	m->residual = solve_all(m, &at);
	if (m->residual > RESIDUAL && m->changes > 0) {
		factor(m);
		m->residual = solve_all(m, &at);
	}
}

void
kith_wsvm_margin_null(struct kith_wsvm_margin *m, size_t v, double *z)
{
	double *c = m->room + 3 * m->most, r = -m->form->sign[v], b;
	struct systems at = {1, c, &r, z, &b, m->room + m->most, {0}};

	hold(m, v, true);
	column(m, v, m->size, c);
	hold(m, v, false);
	for (size_t i = 0; i < m->size; i++)
		c[i] = -c[i];
	if (m->size > 0)
		solve_all(m, &at);
}

void
kith_wsvm_margin_scores(struct kith_wsvm_margin *m, const double *a, double *u)
{
	kith_wsvm_margin_load(m, a, NULL);
	kith_wsvm_columns_scores(m->columns, u, NULL);
}
