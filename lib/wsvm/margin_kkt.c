/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/margin_kkt.h"

#include "base/pool.h"
#include "la/chol_extend.h"
#include "wsvm/columns.h"
#include "wsvm/margin_cg.h"
#include "wsvm/smo.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
	FIRST = 32, /* room for so many variables at the start, or more */
	MORE = 16,  /* of those that enter at once: room for more */
	SIDES = KITH_CHOL_SIDES
};

#define LEAST 1e-14 /* pivot^2 / diagonal that counts as singular */

static void
make_room(struct kith_wsvm_margin *m, size_t most)
{
	struct kith_pool *pool = m->pool;
	size_t *list = kith_new(pool, most, sizeof(*list));

	if (m->size > 0)
		memcpy(list, m->list, m->size * sizeof(*list));
	m->list = list;
	m->most = most;
	m->chol = kith_chol_wider(&m->chol, most, pool);
	m->unit = kith_new(pool, most, sizeof(*m->unit));
	m->fresh = false;
	m->room = kith_new(pool, 4 * most, sizeof(*m->room));
	m->side = kith_new(pool, SIDES * m->chol.ld, sizeof(*m->side));
	KITH_NEW_REALS(pool, m->chol.ld, 1, &m->step.x, &m->step.unit);
	m->step.on = false;
}

/* Room to make, for so many or more; all of them are N. */
static size_t
room_for(const struct kith_wsvm_margin *m, size_t needed, size_t more)
{
	const size_t most = needed + more, N = m->form->N;

	return most < N ? most : N > needed ? N : needed;
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

/* Keep those of several variables. */
static void
hold_all(struct kith_wsvm_margin *m, const size_t *v, size_t count)
{
	const struct kith_smo_form *form = m->form;
	struct kith_pool tmp = {0};
	size_t *column = kith_new(&tmp, 2 * count, sizeof(*column)), n = 0;

	for (size_t i = 0; i < count; i++) {
		column[n++] = form->plus[v[i]];
		if (form->minus)
			column[n++] = form->minus[v[i]];
	}
	kith_wsvm_columns_take_all(m->columns, column, n);
	m->changes += count;
	m->fresh = false;
	kith_pool_free(&tmp);
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

/* phi_v' phi_w but for the signs, for v and w whose columns are kept. */
static double
entry(const struct kith_wsvm_margin *m, size_t v, size_t w)
{
	const double Q = product(m, m->form->plus[v], w);

	return m->form->minus ? Q - product(m, m->form->minus[v], w) : Q;
}

/* a_w = Q_vw for v, whose columns are kept, and the first `size` w of M. */
static void
column(struct kith_wsvm_margin *m, size_t v, size_t size, double *a)
{
	const double *sign = m->form->sign;

	for (size_t i = 0; i < size; i++)
		a[i] = sign[v] * sign[m->list[i]] * entry(m, v, m->list[i]);
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
 * (Q_MM + rho e e')_ij for j from `from` up to end, into row; slot: the places
 * of the columns, where each variable has one.
 */
static void
factored_row(const struct kith_wsvm_margin *m, size_t i, size_t from,
    size_t end, const size_t *slot, double *row)
{
	const struct kith_smo_form *form = m->form;
	const double *sign = form->sign, *K = NULL;
	const size_t v = m->list[i];

	if (!form->minus)
		K = kith_wsvm_columns_item(m->columns, form->plus[v]);
	for (size_t j = from; j < end; j++) {
		const size_t w = m->list[j];
		const double Q = K ? K[slot[j]] : entry(m, v, w);

		row[j] = sign[v] * sign[w] * (Q + m->rho);
	}
}

/*
 * Extend the factor by variables of the list that follow those it has, at most
 * up to `end`, where the number of those is a multiple of 8.
 */
static void
extend(struct kith_wsvm_margin *m, size_t end)
{
	const struct kith_smo_form *form = m->form;
	const size_t from = m->chol.n;
	struct kith_pool tmp = {0};
	size_t *slot;

	if (from % 8 > 0)
		return;
	slot = kith_new(&tmp, end, sizeof(*slot));
	for (size_t i = 0; i < end && !form->minus; i++)
		slot[i] = kith_wsvm_columns_place(
		    m->columns, form->plus[m->list[i]]);
	for (size_t i = 0; i < end; i++) {
		factored_row(m, i, i < from ? from : i + 1, end, slot,
		    m->chol.R + i * m->chol.ld);
		if (i >= from)
			m->chol.pivot[i] = form->diagonal[m->list[i]] + m->rho;
	}
	kith_chol_extend(&m->chol, end - from, LEAST);
	kith_pool_free(&tmp);
}

void
kith_wsvm_margin_factor(struct kith_wsvm_margin *m)
{
	double *row = m->side;

	kith_chol_clear(&m->chol);
	for (extend(m, m->size); m->chol.n < m->size; extend(m, m->size)) {
		const size_t i = m->chol.n;
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
	size_t i;

	assert(m->place[v] == KITH_WSVM_NOT);
	if (m->cg && kith_wsvm_margin_cg_enter(m, v))
		return true;
	kith_wsvm_margin_bind(m);
	i = m->size;
	if (i == m->most)
		make_room(m, room_for(m, m->most + 1, m->most / 2));
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

size_t
kith_wsvm_margin_enter_all(
    struct kith_wsvm_margin *m, const size_t *v, size_t count)
{
	const size_t changes = m->changes, to = m->size + count;
	size_t done = 0;

	assert(!m->cg);
	if (to > m->most)
		make_room(
		    m, room_for(m, to, to / MORE > FIRST ? to / MORE : FIRST));
	for (; m->size % 8 > 0 && done < count; done++)
		if (!kith_wsvm_margin_enter(m, v[done]))
			return done;
	kith_wsvm_columns_expect(
	    m->columns, (m->form->minus ? 2 : 1) * (m->most - m->size));
	for (size_t i = done; i < count; i++)
		m->list[m->size + i - done] = v[i];
	hold_all(m, v + done, count - done);
	extend(m, to);
	for (; m->size < m->chol.n; done++)
		m->place[v[done]] = m->size++;
	for (size_t i = done; i < count; i++)
		hold(m, v[i], false);
	m->changes = changes;
	return done;
}

void
kith_wsvm_margin_bind(struct kith_wsvm_margin *m)
{
	const size_t size = m->size, more = size / MORE;

	if (!m->cg)
		return;
	m->cg = NULL;
	make_room(m, room_for(m, size, more > FIRST ? more : FIRST));
	if (size == 0)
		return;
	kith_wsvm_columns_expect(m->columns, m->most);
	hold_all(m, m->list, size);
	kith_wsvm_margin_factor(m);
}

void
kith_wsvm_margin_leave(struct kith_wsvm_margin *m, size_t v)
{
	const size_t i = m->place[v];

	assert(i != KITH_WSVM_NOT);
	if (m->cg) {
		kith_wsvm_margin_cg_leave(m, v);
		return;
	}
	kith_chol_delete(&m->chol, i);
	for (size_t r = i; r + 1 < m->size; r++) {
		m->list[r] = m->list[r + 1];
		m->place[m->list[r]] = r;
	}
	hold(m, v, false);
	m->place[v] = KITH_WSVM_NOT;
	m->size--;
}

void
kith_wsvm_margin_column(struct kith_wsvm_margin *m, size_t v, double *a)
{
	hold(m, v, true);
	column(m, v, m->size, a);
	hold(m, v, false);
}
