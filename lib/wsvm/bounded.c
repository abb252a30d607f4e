#include "wsvm/bounded.h"

#include "wsvm/krows.h"
#include "wsvm/margin_kkt.h"

#include <math.h>
#include <string.h>

/* sum += x; low keeps what rounding takes off high (Neumaier, 1974). */
static void
add_exactly(struct kith_wsvm_sum *sum, double x)
{
	const double high = sum->high + x;

	sum->low += fabs(sum->high) >= fabs(x) ? (sum->high - high) + x
					       : (x - high) + sum->high;
	sum->high = high;
}

/* The sums, when v enters I (a = 1) or leaves it (-1). */
static void
count_in(struct kith_wsvm *s, size_t v, double a)
{
	const double C = a * s->weight.from[v], rate = a * s->weight.rate[v];
	const double e = s->form.sign[v];

	add_exactly(&s->bounded.sum.C, C);
	add_exactly(&s->bounded.sum.rate, rate);
	add_exactly(&s->bounded.sum.size, a * fabs(s->weight.rate[v]));
	add_exactly(&s->bounded.sum.C_sign, e * C);
	add_exactly(&s->bounded.sum.rate_sign, e * rate);
}

void
kith_wsvm_bounded_sum(struct kith_wsvm *s)
{
	memset(&s->bounded.sum, 0, sizeof(s->bounded.sum));
	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN)
			count_in(s, v, 1);
	s->bounded.energy_known = false;
}

/* energy += 2 rate_v score1_v + rate_v^2 Q_vv, with score1 before v enters. */
static void
change_energy(struct kith_wsvm *s, size_t v, double a)
{
	const double rate = s->weight.rate[v];
	const double Q = s->diagonal[v] - s->form.ridge;

	s->bounded.energy_known = s->bounded.energy_known &&
	    !s->bounded.pending;
	s->bounded.energy += a * 2 * rate *
		kith_smo_score(&s->form, s->bounded.score1, v) +
	    rate * rate * Q;
	s->bounded.energy_max = kith_wsvm_max(
	    s->bounded.energy_max, s->bounded.energy);
}

/* s_i += a C_v phi_v' Phi(x_i), from kernel rows that are held. */
static void
add_now(struct kith_wsvm *s, size_t v, double a)
{
	const struct kith_smo_form *form = &s->form;

	change_energy(s, v, a);
	for (int side = 0; side < (form->minus ? 2 : 1); side++) {
		const size_t i = side ? form->minus[v] : form->plus[v];
		const double e = form->sign[v] * (side ? -a : a);

		kith_krows_add(s->rows, i, e * s->weight.from[v],
		    e * s->weight.rate[v], s->bounded.score0,
		    s->bounded.score1);
	}
}

/* The same for weights C0 + theta C1, into the coefficients that pend. */
static void
add_later(struct kith_wsvm *s, size_t v, double C0, double C1)
{
	const struct kith_smo_form *form = &s->form;
	const double e = form->sign[v];

	s->bounded.pending = true;
	s->bounded.energy_known = false;
	s->bounded.pending0[form->plus[v]] += e * C0;
	s->bounded.pending1[form->plus[v]] += e * C1;
	if (!form->minus)
		return;
	s->bounded.pending0[form->minus[v]] -= e * C0;
	s->bounded.pending1[form->minus[v]] -= e * C1;
}

void
kith_wsvm_bounded_change(struct kith_wsvm *s, size_t v, double a, bool at_once)
{
	count_in(s, v, a);
	if (at_once)
		add_now(s, v, a);
	else
		add_later(s, v, a * s->weight.from[v], a * s->weight.rate[v]);
}

static void
clear_pending(struct kith_wsvm *s)
{
	memset(s->bounded.pending0, 0, s->n * sizeof(*s->bounded.pending0));
	memset(s->bounded.pending1, 0, s->n * sizeof(*s->bounded.pending1));
	s->bounded.pending = false;
}

void
kith_wsvm_bounded_apply(struct kith_wsvm *s)
{
	if (!s->bounded.pending)
		return;
	/* score += K pending */
	kith_krows_product(s->rows, s->bounded.pending0, s->bounded.pending1,
	    s->out.f0, s->out.f1);
	for (size_t i = 0; i < s->n; i++) {
		s->bounded.score0[i] += s->out.f0[i];
		s->bounded.score1[i] += s->out.f1[i];
	}
	clear_pending(s);
}

void
kith_wsvm_bounded_rebuild(struct kith_wsvm *s)
{
	memset(s->bounded.score0, 0, s->n * sizeof(*s->bounded.score0));
	memset(s->bounded.score1, 0, s->n * sizeof(*s->bounded.score1));
	clear_pending(s);
	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN)
			add_later(s, v, s->weight.from[v], s->weight.rate[v]);
	kith_wsvm_bounded_apply(s);
	kith_wsvm_bounded_sum(s);
	s->bounded.events = 0;
}

void
kith_wsvm_bounded_start_rates(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		if (s->set.where[v] == KITH_WSVM_IN) {
			add_later(s, v, 0, s->weight.rate[v]);
			s->piece.alpha1[v] = s->weight.rate[v];
		}
	kith_wsvm_bounded_apply(s);
}

void
kith_wsvm_bounded_split(struct kith_wsvm *s)
{
	const size_t m = kith_wsvm_margin_size(s->margin);

	memcpy(s->bounded.score0, s->work.score,
	    s->n * sizeof(*s->bounded.score0));
	memset(s->bounded.score1, 0, s->n * sizeof(*s->bounded.score1));
	for (size_t i = 0; i < m; i++)
		s->work.side[i] = -s->work
				       .x[kith_wsvm_margin_list(s->margin)[i]];
	kith_wsvm_margin_scores(s->margin, s->work.side, s->bounded.score0);
}
