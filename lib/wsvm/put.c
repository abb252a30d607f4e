#include "wsvm/krows.h"
#include "wsvm/margin.h"
#include "wsvm/state.h"

#include <math.h>
#include <string.h>

/* Add and keep what rounding takes off (Neumaier, 1974). */
static void
add_exactly(struct kith_wsvm_sum *sum, double x)
{
	const double high = sum->high + x;

	sum->low += fabs(sum->high) >= fabs(x) ? (sum->high - high) + x
					       : (x - high) + sum->high;
	sum->high = high;
}

/* v is in now (a 1), or no more (-1): the sums. */
static void
count_in(struct kith_wsvm *s, size_t v, double a)
{
	const double C = a * s->from[v], d = a * s->d[v];
	const double e = s->form.sign[v];

	add_exactly(&s->in.C, C);
	add_exactly(&s->in.d, d);
	add_exactly(&s->in.size, a * fabs(s->d[v]));
	add_exactly(&s->in.C_sign, e * C);
	add_exactly(&s->in.d_sign, e * d);
}

void
kith_wsvm_add_up(struct kith_wsvm *s)
{
	s->in = (struct kith_wsvm_in){0};
	for (size_t v = 0; v < s->N; v++)
		if (s->where[v] == KITH_WSVM_IN)
			count_in(s, v, 1);
	s->energy_known = false;
}

/*
 * The energy of rates grows with v by 2 d_v s1_v + d_v^2 Q_vv, s1 without v.
 */
static void
change_energy(struct kith_wsvm *s, size_t v, double a)
{
	const double d = s->d[v], Q = s->diagonal[v] - s->form.ridge;

	s->energy_known = s->energy_known && !s->lacks;
	s->energy += a * 2 * d * kith_smo_score(&s->form, s->s1, v) + d * d * Q;
	s->energy_most = kith_wsvm_most(s->energy_most, s->energy);
}

/* The coefficients of v in s, times a: now, where its rows are held. */
static void
add_now(struct kith_wsvm *s, size_t v, double a)
{
	const struct kith_smo_form *form = &s->form;

	change_energy(s, v, a);
	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];
		const double e = form->sign[v] * (side ? -a : a);
		const double c0 = e * s->from[v], c1 = e * s->d[v];

		kith_krows_add(s->rows, i, c0, c1, s->s0, s->s1);
	}
}

/* The same, later. */
static void
add_later(struct kith_wsvm *s, size_t v, double a0, double a1)
{
	const struct kith_smo_form *form = &s->form;
	const double e = form->sign[v];

	s->lacks = true;
	s->energy_known = false;
	s->p0[form->plus[v]] += e * a0;
	s->p1[form->plus[v]] += e * a1;
	if (!form->minus)
		return;
	s->p0[form->minus[v]] -= e * a0;
	s->p1[form->minus[v]] -= e * a1;
}

void
kith_wsvm_flush(struct kith_wsvm *s)
{
	if (!s->lacks)
		return;
	kith_krows_product(s->rows, s->p0, s->p1, s->g0, s->g1);
	for (size_t i = 0; i < s->n; i++) {
		s->s0[i] += s->g0[i];
		s->s1[i] += s->g1[i];
	}
	memset(s->p0, 0, s->n * sizeof(*s->p0));
	memset(s->p1, 0, s->n * sizeof(*s->p1));
	s->lacks = false;
}

void
kith_wsvm_refresh(struct kith_wsvm *s)
{
	memset(s->s0, 0, s->n * sizeof(*s->s0));
	memset(s->s1, 0, s->n * sizeof(*s->s1));
	memset(s->p0, 0, s->n * sizeof(*s->p0));
	memset(s->p1, 0, s->n * sizeof(*s->p1));
	for (size_t v = 0; v < s->N; v++)
		if (s->where[v] == KITH_WSVM_IN)
			add_later(s, v, s->from[v], s->d[v]);
	kith_wsvm_flush(s);
	kith_wsvm_add_up(s);
	kith_wsvm_stale(s);
	s->since = 0;
}

void
kith_wsvm_speed(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		if (s->where[v] == KITH_WSVM_IN) {
			add_later(s, v, 0, s->d[v]);
			s->A1[v] = s->d[v];
		}
	kith_wsvm_flush(s);
}

void
kith_wsvm_split(struct kith_wsvm *s)
{
	const size_t m = kith_wsvm_margin_size(s->margin);

	memcpy(s->s0, s->s, s->n * sizeof(*s->s0));
	memset(s->s1, 0, s->n * sizeof(*s->s1));
	for (size_t i = 0; i < m; i++)
		s->c[i] = -s->x[kith_wsvm_margin_list(s->margin)[i]];
	kith_wsvm_margin_scores(s->margin, s->c, s->s0);
}

static void
note(struct kith_wsvm *s, size_t v)
{
	if (s->was[v] != KITH_WSVM_SAME)
		return;
	s->was[v] = s->where[v];
	s->moved[s->moves++] = v;
}

bool
kith_wsvm_put(struct kith_wsvm *s, size_t v, enum kith_wsvm_where where)
{
	const int8_t was = s->where[v];
	const double in = where == KITH_WSVM_IN;

	if (was == (int8_t)where)
		return true;
	if (where == KITH_WSVM_MARGIN &&
	    kith_wsvm_margin_place(s->margin, v) == KITH_WSVM_NOT &&
	    !kith_wsvm_margin_enter(s->margin, v))
		return false;
	note(s, v);
	if (s->marked[v] != s->mark) {
		s->marked[v] = s->mark;
		s->alpha[v] = s->A0[v] + s->done * s->A1[v];
	}
	if (was == KITH_WSVM_IN)
		count_in(s, v, -1);
	if (where == KITH_WSVM_IN)
		count_in(s, v, 1);
	if (was == KITH_WSVM_MARGIN || where == KITH_WSVM_MARGIN) {
		if (was == KITH_WSVM_IN || where == KITH_WSVM_IN)
			add_now(s, v, was == KITH_WSVM_IN ? -1 : 1);
	} else
		add_later(
		    s, v, (2 * in - 1) * s->from[v], (2 * in - 1) * s->d[v]);
	if (was == KITH_WSVM_MARGIN)
		kith_wsvm_margin_leave(s->margin, v);
	s->where[v] = (int8_t)where;
	kith_wsvm_look_at(s, v);
	s->A0[v] = in * s->from[v];
	s->A1[v] = in * s->d[v];
	return true;
}

double
kith_wsvm_noise(const struct kith_wsvm *s)
{
	double sum = 0;

	for (size_t v = 0; v < s->N; v++)
		sum += fabs(s->A0[v] + s->theta * s->A1[v]);
	return KITH_WSVM_ROUGH * (s->q_most + s->kappa * sum);
}
