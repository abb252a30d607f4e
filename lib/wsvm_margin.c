#include "wsvm_margin.h"

#include "chol.h"
#include "krows.h"
#include "lanes.h"
#include "pool.h"
#include "simd.h"
#include "smo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	FIRST = 32,   /* room at the start */
	REFINE = 2,   /* steps of refinement */
	CHANGES = 100 /* of a factor, before it is made anew */
};

#define LEAST 1e-14    /* of a pivot's square, to the diagonal */
#define RESIDUAL 1e-10 /* of the system, to its terms: the factor is poor */
#define DONE 0x1p-51   /* no more to gain */

struct kith_wsvm_margin {
	const struct kith_smo_form *form;
	struct kith_pool *pool;
	size_t size, most, changes;
	double rho;
	size_t *list;  /* most */
	size_t *place; /* N */
	double *Q;     /* most x most: Q_MM */
	struct kith_chol chol;
	double *unit; /* most: the factor's solution for e */
	bool fresh;   /* unit is that of this M */
	double *room; /* 4 x most */
	/* The rows that M names, each once. */
	size_t *stamp; /* n: place in item, plus 1 */
	size_t *item;  /* 2 most */
	double *sum;   /* 2 x 2 most */
};

static void
make_room(struct kith_wsvm_margin *m, size_t most)
{
	struct kith_pool *pool = m->pool;
	double *Q = kith_new(pool, most, most * sizeof(*Q));
	size_t *list = kith_new(pool, most, sizeof(*list));

	for (size_t i = 0; i < m->size; i++) {
		memcpy(Q + i * most, m->Q + i * m->most, m->size * sizeof(*Q));
		list[i] = m->list[i];
	}
	m->Q = Q;
	m->list = list;
	m->most = most;
	m->chol = kith_chol_new(most, pool);
	m->unit = kith_new(pool, most, sizeof(*m->unit));
	m->room = kith_new(pool, 4 * most, sizeof(*m->room));
	m->item = kith_new(pool, 2 * most, sizeof(*m->item));
	m->sum = kith_new(pool, 4 * most, sizeof(*m->sum));
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
	m->stamp = kith_new(pool, form->n, sizeof(*m->stamp));
	make_room(m, FIRST);
	return m;
}

size_t
kith_wsvm_margin_size(const struct kith_wsvm_margin *m)
{
	return m->size;
}

const size_t *
kith_wsvm_margin_list(const struct kith_wsvm_margin *m)
{
	return m->list;
}

size_t
kith_wsvm_margin_place(const struct kith_wsvm_margin *m, size_t v)
{
	return m->place[v];
}

/* Pin the rows of v, which comes, or let them go. */
static void
hold(struct kith_wsvm_margin *m, size_t v, bool on)
{
	const struct kith_smo_form *form = m->form;

	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];

		if (on)
			kith_krows_pin(form->rows, i);
		else
			kith_krows_unpin(form->rows, i);
	}
	m->changes++;
	m->fresh = false;
}

/* Q_wv for all w of M, whose rows are pinned, into a. */
static void
column(struct kith_wsvm_margin *m, size_t v, double *a)
{
	const struct kith_smo_form *form = m->form;

	for (size_t i = 0; i < m->size; i++) {
		const size_t w = m->list[i];
		const double *row = kith_krows_get(form->rows, form->plus[w]);
		double score = kith_smo_score(form, row, v);

		if (form->minus) {
			row = kith_krows_get(form->rows, form->minus[w]);
			score -= kith_smo_score(form, row, v);
		}
		a[i] = form->sign[w] * score;
	}
}

/* Append row i of Q_MM, whose entries before it are in row, to the factor. */
static bool
append(struct kith_wsvm_margin *m, size_t i, const double *row, double diagonal,
    double least)
{
	const double *sign = m->form->sign, e = sign[m->list[i]];
	double *a = m->room;

	for (size_t j = 0; j < i; j++)
		a[j] = row[j] + m->rho * e * sign[m->list[j]];
	return kith_chol_append(&m->chol, a, diagonal + m->rho, least);
}

/*
 * Make the factor anew.  A variable that has become dependent but for rounding
 * gets a larger diagonal; refinement makes up for it.
 */
static void
factor(struct kith_wsvm_margin *m)
{
	kith_chol_clear(&m->chol);
	for (size_t i = 0; i < m->size; i++) {
		const double *row = m->Q + i * m->most;
		double more = LEAST;

		if (append(m, i, row, row[i], LEAST))
			continue;
		while (!append(m, i, row, row[i] * (1 + more), LEAST / 2))
			more *= 4;
	}
	m->changes = 0;
	m->fresh = false;
}

bool
kith_wsvm_margin_enter(struct kith_wsvm_margin *m, size_t v)
{
	const size_t i = m->size;
	double *row;

	assert(m->place[v] == KITH_WSVM_NOT);
	if (i == m->most) {
		make_room(m, 2 * m->most);
		factor(m);
	}
	hold(m, v, true);
	row = m->Q + i * m->most;
	column(m, v, row);
	row[i] = m->form->diagonal[v];
	m->list[i] = v;
	if (!append(m, i, row, row[i], LEAST)) {
		hold(m, v, false);
		return false;
	}
	for (size_t j = 0; j < i; j++)
		m->Q[j * m->most + i] = row[j];
	m->place[v] = i;
	m->size++;
	return true;
}

void
kith_wsvm_margin_leave(struct kith_wsvm_margin *m, size_t v)
{
	const size_t i = m->place[v], n = m->size, ld = m->most;

	assert(i != KITH_WSVM_NOT);
	kith_chol_delete(&m->chol, i);
	for (size_t r = 0; r < n; r++)
		memmove(m->Q + r * ld + i, m->Q + r * ld + i + 1,
		    (n - i - 1) * sizeof(*m->Q));
	for (size_t r = i; r + 1 < n; r++) {
		memcpy(m->Q + r * ld, m->Q + (r + 1) * ld,
		    (n - 1) * sizeof(*m->Q));
		m->list[r] = m->list[r + 1];
		m->place[m->list[r]] = r;
	}
	hold(m, v, false);
	m->place[v] = KITH_WSVM_NOT;
	m->size--;
}

/* The same system, c and r for right-hand sides, by the factor. */
static double
solve_once(struct kith_wsvm_margin *m, double *c, double r)
{
	const size_t n = m->size;
	const double *sign = m->form->sign;
	double over = 0, under = 0, b;

	if (!m->form->bias) {
		kith_chol_solve(&m->chol, c);
		return 0;
	}
	if (!m->fresh) {
		for (size_t i = 0; i < n; i++)
			m->unit[i] = sign[m->list[i]];
		kith_chol_solve(&m->chol, m->unit);
		m->fresh = true;
	}
	for (size_t i = 0; i < n; i++) {
		c[i] += m->rho * r * sign[m->list[i]];
		under += sign[m->list[i]] * m->unit[i];
	}
	kith_chol_solve(&m->chol, c);
	for (size_t i = 0; i < n; i++)
		over += sign[m->list[i]] * c[i];
	b = (over - r) / under;
	for (size_t i = 0; i < n; i++)
		c[i] -= b * m->unit[i];
	return b;
}

/* The products of a row with two vectors, in one fixed order. */
KITH_CLONES static void
dots(size_t n, const double *a, const double *x, const double *y, double out[2])
{
	kith_v8d u = {0}, v = {0};
	double s[8] = {0}, t[8] = {0};
	size_t i = 0;

	for (; i + 8 <= n; i += 8) {
		const kith_v8d k = *(const kith_v8d_at *)(a + i);

		u += k * *(const kith_v8d_at *)(x + i);
		v += k * *(const kith_v8d_at *)(y + i);
	}
	*(kith_v8d_at *)s = u;
	*(kith_v8d_at *)t = v;
	for (size_t l = 0; i < n; i++, l++) {
		s[l] += a[i] * x[i];
		t[l] += a[i] * y[i];
	}
	out[0] = kith_lanes_total(s);
	out[1] = kith_lanes_total(t);
}

/* One or two systems, and what is left of them. */
struct systems {
	size_t count;
	const double *c, *r;
	double *x, *b, *left, rest[2];
};

/* What is left of the right-hand sides; the largest, over its terms. */
static double
residual(const struct kith_wsvm_margin *m, struct systems *at)
{
	const size_t n = m->size, last = at->count - 1;
	double worst = 0, out[2];

	for (size_t i = 0; i < n; i++) {
		dots(n, m->Q + i * m->most, at->x, at->x + last * n, out);
		at->left[i] = out[0];
		at->left[last * n + i] = out[last];
	}
	for (size_t k = 0; k < at->count; k++) {
		const double *c = at->c + k * n, *x = at->x + k * n;
		const double b = m->form->bias ? at->b[k] : 0;
		double most = 0, scale = fabs(b), sum = 0;

		for (size_t i = 0; i < n; i++) {
			const double e = m->form->sign[m->list[i]];
			double *left = at->left + k * n + i;

			*left = c[i] - *left - e * b;
			most = fmax(most, fabs(*left));
			scale = fmax(scale,
			    fmax(fabs(c[i]),
				fabs(m->Q[i * m->most + i] * x[i])));
			sum += e * x[i];
		}
		at->rest[k] = m->form->bias ? at->r[k] - sum : 0;
		worst = fmax(worst, scale > 0 ? most / scale : 0);
	}
	return worst;
}

/* By the factor, then refined until only rounding is left. */
static double
solve_all(struct kith_wsvm_margin *m, struct systems *at)
{
	const size_t n = m->size;
	double got;

	memcpy(at->x, at->c, at->count * n * sizeof(*at->x));
	for (size_t k = 0; k < at->count; k++)
		at->b[k] = solve_once(m, at->x + k * n, at->r[k]);
	got = residual(m, at);
	for (int step = 0; step < REFINE && got > DONE; step++) {
		for (size_t k = 0; k < at->count; k++) {
			double *left = at->left + k * n;

			at->b[k] += solve_once(m, left, at->rest[k]);
			for (size_t i = 0; i < n; i++)
				at->x[k * n + i] += left[i];
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
	if (m->changes > CHANGES)
		factor(m);
	if (solve_all(m, &at) > RESIDUAL && m->changes > 0) {
		factor(m);
		solve_all(m, &at);
	}
}

void
kith_wsvm_margin_null(struct kith_wsvm_margin *m, size_t v, double *z)
{
	double *c = m->room + 3 * m->most, r = -m->form->sign[v], b;
	struct systems at = {1, c, &r, z, &b, m->room + m->most, {0}};

	column(m, v, c);
	for (size_t i = 0; i < m->size; i++)
		c[i] = -c[i];
	if (m->size > 0)
		solve_all(m, &at);
}

/* Add to what row i is multiplied by. */
static void
collect(struct kith_wsvm_margin *m, size_t *count, size_t i, double a, double b)
{
	size_t t = m->stamp[i];

	if (t == 0) {
		t = ++*count;
		m->stamp[i] = t;
		m->item[t - 1] = i;
		m->sum[t - 1] = m->sum[2 * m->most + t - 1] = 0;
	}
	m->sum[t - 1] += a;
	m->sum[2 * m->most + t - 1] += b;
}

void
kith_wsvm_margin_scores(struct kith_wsvm_margin *m, const double *a,
    const double *b, double *u, double *w)
{
	const struct kith_smo_form *form = m->form;
	size_t count = 0;

	for (size_t i = 0; i < m->size; i++) {
		const size_t v = m->list[i];
		const double e = form->sign[v], f = b ? e * b[i] : 0;

		collect(m, &count, form->plus[v], e * a[i], f);
		if (form->minus)
			collect(m, &count, form->minus[v], -e * a[i], -f);
	}
	kith_krows_add(
	    form->rows, count, m->item, m->sum, m->sum + 2 * m->most, u, w);
	for (size_t t = 0; t < count; t++)
		m->stamp[m->item[t]] = 0;
}
