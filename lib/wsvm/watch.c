#include "la/simd.h"
#include "wsvm/columns.h"
#include "wsvm/margin.h"
#include "wsvm/state.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*
 * A slope far from 0 need not be looked at: it is no farther from where it was
 * seen last than the path of f is long since then.
 */

#define LEAST 1e-250
#define LARGE 1e10
#define ROUNDING 1e-12 /* of the energy, to the largest that it was */

void
kith_wsvm_whole(struct kith_wsvm *s)
{
	if (s->whole)
		return;
	memcpy(s->f0, s->s0, s->n * sizeof(*s->f0));
	memcpy(s->f1, s->s1, s->n * sizeof(*s->f1));
	if (kith_wsvm_margin_size(s->margin) > 0)
		kith_wsvm_columns_scores(
		    kith_wsvm_margin_columns(s->margin), s->f0, s->f1);
	s->whole = true;
}

/* The score of one item. */
static void
score(struct kith_wsvm *s, size_t i)
{
	double out[2] = {0};

	if (s->whole || s->seen[i] == s->piece)
		return;
	if (kith_wsvm_margin_size(s->margin) > 0)
		kith_wsvm_columns_score(
		    kith_wsvm_margin_columns(s->margin), i, out);
	s->f0[i] = s->s0[i] + out[0];
	s->f1[i] = s->s1[i] + out[1];
	s->seen[i] = s->piece;
}

void
kith_wsvm_slope(struct kith_wsvm *s, size_t v, double b0, double b1)
{
	const struct kith_smo_form *form = &s->form;
	const double e = form->sign[v];

	score(s, form->plus[v]);
	if (form->minus)
		score(s, form->minus[v]);
	s->h0[v] = kith_smo_score(form, s->f0, v) + form->q[v] +
	    form->ridge * s->A0[v] + e * b0;
	s->h1[v] = kith_smo_score(form, s->f1, v) + form->ridge * s->A1[v] +
	    e * b1;
}

void
kith_wsvm_look_at(struct kith_wsvm *s, size_t v)
{
	s->due[v] = s->where[v] == KITH_WSVM_MARGIN ? INFINITY : -INFINITY;
}

void
kith_wsvm_stale(struct kith_wsvm *s)
{
	for (size_t v = 0; v < s->N; v++)
		s->due[v] = INFINITY;
	for (size_t c = 0; c < s->lives; c++)
		kith_wsvm_look_at(s, s->live[c]);
	s->length = 0;
}

/* d' Q d of those in, without the ridge. */
static void
find_energy(struct kith_wsvm *s)
{
	s->energy = 0;
	for (size_t c = 0; c < s->lives; c++) {
		const size_t v = s->live[c];

		if (s->where[v] == KITH_WSVM_IN)
			s->energy += s->d[v] *
			    kith_smo_score(&s->form, s->s1, v);
	}
	s->energy_most = fabs(s->energy);
	s->energy_known = true;
}

/*
 * No slope moves faster: by Cauchy and Schwarz, the norm of f's rate in the
 * space of the kernel times that of phi_v, and what b and the ridge do.  As
 * Q_MM A1 = -(s1 + e b1), the norm's square is that of those in, and for M
 * A1' s1 - b1 e' A1 - ridge A1' A1.  Infinite where it is not known: squares
 * leave the range of doubles, or nearly.
 */
static double
speed(struct kith_wsvm *s)
{
	const struct kith_smo_form *form = &s->form;
	const size_t *list = kith_wsvm_margin_list(s->margin);
	double square, terms;

	if (!s->energy_known)
		find_energy(s);
	square = s->energy;
	terms = s->energy_most;
	for (size_t i = 0; i < kith_wsvm_margin_size(s->margin); i++) {
		const size_t v = list[i];
		const double a = s->A1[v];
		const double t = a * kith_smo_score(form, s->s1, v);
		const double u = form->sign[v] * a * s->b1;

		square += t - u - form->ridge * a * a;
		terms += fabs(t) + fabs(u);
	}
	square = kith_wsvm_most(square, 0) + ROUNDING * terms;
	if (!(LEAST < square && square < DBL_MAX / LARGE))
		return INFINITY;
	return sqrt(s->kappa) * sqrt(square) + fabs(s->b1) +
	    form->ridge * s->d_most;
}

/* The variables, in their order, that are due at this length. */
KITH_CLONES static size_t
find_due(size_t N, const double *due, double length, size_t *out)
{
	size_t v = 0, count = 0;

	for (; v + 32 <= N; v += 32) {
		const kith_v8d *at = (const kith_v8d *)(due + v);
		const kith_v8i any = (at[0] <= length) | (at[1] <= length) |
		    (at[2] <= length) | (at[3] <= length);

		if (!(any[0] | any[1] | any[2] | any[3] | any[4] | any[5] |
			any[6] | any[7]))
			continue;
		for (size_t w = v; w < v + 32; w++)
			if (due[w] <= length)
				out[count++] = w;
	}
	for (; v < N; v++)
		if (due[v] <= length)
			out[count++] = v;
	return count;
}

/* Look at all due at this length: the first event, the largest violation. */
static double
look(struct kith_wsvm *s, double from, double length, double end)
{
	size_t c = s->watched;

	length = kith_wsvm_least(length, DBL_MAX);
	s->watched += find_due(s->N, s->due, length, s->watch + c);
	for (; c < s->watched; c++) {
		const size_t v = s->watch[c];
		const double e = kith_wsvm_side(s, v);
		double h0, h1;

		kith_wsvm_slope(s, v, s->b0, s->b1);
		h0 = e * s->h0[v];
		h1 = e * s->h1[v];
		if (kith_wsvm_matters(s, v, from))
			s->worst = kith_wsvm_most(s->worst, h0 + from * h1);
		if (h1 > s->slow && -h0 < end * h1)
			end = -h0 / h1;
		s->due[v] = INFINITY; /* in this piece */
	}
	return end;
}

/* At `stop`: when those looked at are due again. */
static void
put_back(struct kith_wsvm *s, double stop)
{
	for (size_t c = 0; c < s->watched; c++) {
		const size_t v = s->watch[c];

		s->due[v] = s->length -
		    kith_wsvm_side(s, v) * (s->h0[v] + stop * s->h1[v]);
	}
}

double
kith_wsvm_watch(struct kith_wsvm *s, double from, double end)
{
	const double fast = speed(s) * (1 + ROUNDING);
	double ahead = s->stride, stop;
	bool near;

	s->worst = 0;
	s->watched = 0;
	/* b may jump; the last solution and this one agree but for noise. */
	s->length += fabs(s->b0 + s->theta * s->b1 - s->b_end) + s->noise;
	do { /* not farther ahead than need be: most ends are near */
		stop = kith_wsvm_most(kith_wsvm_least(end, 1), from);
		near = from + ahead < stop;
		stop = near ? from + ahead : stop;
		end = look(s, from,
		    s->length + fast * (stop - s->theta) + 4 * s->noise, end);
		ahead *= 4;
	} while (near && end > stop);
	end = kith_wsvm_most(end, from);
	stop = kith_wsvm_least(end, 1);
	s->length += fast * (stop - s->theta);
	s->b_end = s->b0 + stop * s->b1;
	if (s->length < DBL_MAX)
		put_back(s, stop);
	else
		kith_wsvm_stale(s);
	return end;
}
