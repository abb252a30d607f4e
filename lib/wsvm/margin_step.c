/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * F = Q_MM + rho e e', with v in M.  The answer of the bordered system to 1 in
 * row v alone, which changes no e' x, is
 *
 *	y = F^-1 e_v    u = F^-1 e    beta = e' y / e' u    d = y - beta u
 *
 * for x, and beta for b.  Of solutions x, b of all rows but v, the solutions
 * are x + d t, b + beta t, with
 *
 *	t = (c - Q x - e b)_v     v has entered
 *	t = shift_v / d_v         v leaves, and x_v changes by shift_v
 *
 * and u of the other M follows from y as well:
 *
 *	u + y (e_v - F_v u)       v has entered, and u_v was 0
 *	u - y u_v / y_v           v leaves, and u_v becomes 0
 */
#include "wsvm/margin_step.h"

#include "wsvm/margin_kkt.h"
#include "wsvm/margin_score.h"
#include "wsvm/smo_form.h"

#include <math.h>
#include <string.h>

/* d and beta, of y in step.x; false where d_i is no number above 0. */
static bool
answer(struct kith_wsvm_margin *m, size_t i)
{
	const double *sign = m->form->sign;
	double *d = m->step.x, over = 0, under = 0;

	m->step.bias = 0;
	for (size_t j = 0; j < m->size && m->form->bias; j++) {
		over += sign[m->list[j]] * d[j];
		under += sign[m->list[j]] * m->unit[j];
	}
	if (m->form->bias)
		m->step.bias = over / under;
	for (size_t j = 0; j < m->size && m->form->bias; j++)
		d[j] -= m->step.bias * m->unit[j];
	return d[i] > 0 && isfinite(d[i]) && isfinite(m->step.bias);
}

/* Take number i out of n. */
static void
take_out(double *x, size_t i, size_t n)
{
	memmove(x + i, x + i + 1, (n - i - 1) * sizeof(*x));
}

void
kith_wsvm_margin_step_begin(
    struct kith_wsvm_margin *m, size_t v, const double shift[2])
{
	const size_t i = m->place[v];
	struct kith_wsvm_margin_step *step = &m->step;

	step->on = !m->cg && m->size > 0 && (m->fresh || !m->form->bias);
	step->enters = i == KITH_WSVM_NOT;
	step->changes = m->changes + 1;
	memcpy(step->shift, shift, sizeof(step->shift));
	if (!step->on || step->enters)
		return;
	kith_chol_unit(&m->chol, i, step->x);
	for (size_t j = 0; j < m->size && m->form->bias; j++)
		step->unit[j] = m->unit[j] -
		    step->x[j] * (m->unit[i] / step->x[i]);
	step->on = answer(m, i);
	step->bias /= step->x[i];
	for (size_t j = 0; j < m->size; j++)
		if (j != i)
			step->x[j] /= step->x[i];
	take_out(step->x, i, m->size);
	take_out(step->unit, i, m->size);
}

/* v has entered, as the last of M: u and d; t of both systems into shift. */
static bool
finish_entry(struct kith_wsvm_margin *m, const double *c, const double *x,
    const double *b)
{
	const struct kith_smo_form *form = m->form;
	const size_t n = m->size, v = m->list[n - 1];
	double out[2], less[2] = {0}, rest = form->sign[v];

	kith_chol_unit(&m->chol, n - 1, m->step.x);
	for (size_t j = 0; j + 1 < n && form->bias; j++)
		rest -= m->room[j] * m->unit[j];
	m->unit[n - 1] = 0;
	for (size_t j = 0; j < n && form->bias; j++)
		m->unit[j] += m->step.x[j] * rest;
	kith_wsvm_margin_load(m, x, x + n);
	kith_wsvm_margin_score(m, form->plus[v], out);
	if (form->minus)
		kith_wsvm_margin_score(m, form->minus[v], less);
	for (size_t k = 0; k < 2; k++)
		m->step.shift[k] = c[k * n + n - 1] -
		    form->sign[v] * (out[k] - less[k]) -
		    form->ridge * x[k * n + n - 1] - form->sign[v] * b[k];
	return answer(m, n - 1);
}

bool
kith_wsvm_margin_step(
    struct kith_wsvm_margin *m, const double *c, double *x, double *b)
{
	struct kith_wsvm_margin_step *step = &m->step;
	const size_t n = m->size;

	if (!step->on || step->changes != m->changes)
		return false;
	step->on = false;
	if (!step->enters)
		memcpy(m->unit, step->unit, n * sizeof(*m->unit));
	else if (!finish_entry(m, c, x, b))
		return false;
	m->fresh = m->form->bias;
	for (size_t k = 0; k < 2; k++) {
		b[k] += step->shift[k] * step->bias;
		for (size_t j = 0; j < n; j++)
			x[k * n + j] += step->shift[k] * step->x[j];
	}
	return true;
}
