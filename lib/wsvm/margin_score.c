/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvm/margin_score.h"

#include "wsvm/columns.h"
#include "wsvm/columns_score.h"
#include "wsvm/margin_cg.h"
#include "wsvm/margin_kkt.h"
#include "wsvm/smo_form.h"

void
kith_wsvm_margin_load(
    struct kith_wsvm_margin *m, const double *a, const double *b)
{
	const struct kith_smo_form *form = m->form;

	if (m->cg) {
		kith_wsvm_margin_cg_load(m, a, b);
		return;
	}
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

void
kith_wsvm_margin_scores(struct kith_wsvm_margin *m, const double *a, double *u)
{
	kith_wsvm_margin_load(m, a, NULL);
	if (m->items)
		kith_wsvm_margin_score_some(m, m->items, m->n_items, u, NULL);
	else
		kith_wsvm_margin_score_all(m, u, NULL);
}

void
kith_wsvm_margin_score(struct kith_wsvm_margin *m, size_t i, double out[2])
{
	const double *u, *w;

	if (!m->cg) {
		kith_wsvm_columns_score(m->columns, i, out);
		return;
	}
	kith_wsvm_margin_cg_scores(m, &u, &w);
	out[0] = u[i];
	out[1] = w[i];
}

void
kith_wsvm_margin_score_all(struct kith_wsvm_margin *m, double *u, double *w)
{
	const double *more[2];

	if (!m->cg) {
		kith_wsvm_columns_scores(m->columns, u, w);
		return;
	}
	kith_wsvm_margin_cg_scores(m, &more[0], &more[1]);
	for (size_t i = 0; i < m->form->n; i++)
		u[i] += more[0][i];
	for (size_t i = 0; i < m->form->n && w; i++)
		w[i] += more[1][i];
}

void
kith_wsvm_margin_score_some(struct kith_wsvm_margin *m, const size_t *item,
    size_t count, double *u, double *w)
{
	const double *more[2];

	if (!m->cg) {
		kith_wsvm_columns_scores_of(m->columns, item, count, u, w);
		return;
	}
	kith_wsvm_margin_cg_scores(m, &more[0], &more[1]);
	for (size_t k = 0; k < count; k++) {
		u[item[k]] += more[0][item[k]];
		if (w)
			w[item[k]] += more[1][item[k]];
	}
}

void
kith_wsvm_margin_score_own(struct kith_wsvm_margin *m)
{
	if (!m->cg)
		kith_wsvm_columns_score_own(m->columns);
}

void
kith_wsvm_margin_own(struct kith_wsvm_margin *m, size_t i, double out[2])
{
	if (m->cg)
		kith_wsvm_margin_score(m, i, out);
	else
		kith_wsvm_columns_own(m->columns, i, out);
}
