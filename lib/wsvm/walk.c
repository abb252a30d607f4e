#include "base/pool.h"
#include "wsvm/margin.h"
#include "wsvm/state.h"

#include <math.h>
#include <stdlib.h>

/* Where a variable without weight, but with a rate, changes sides. */
struct gate {
	double b;
	size_t v;
};

/*
 * The lack is the rate at which those in leave e' alpha = 0; it falls as b
 * grows: without bound at lo and hi, where variables with a weight could
 * move, and by d_v at each gate between.
 */
struct walk {
	struct gate *gate;
	size_t gates, passed;
	double lo, hi, lack, few;
};

static int
by_place(const void *a, const void *b)
{
	const struct gate *g = a, *h = b;

	if (g->b != h->b)
		return g->b < h->b ? -1 : 1;
	return (g->v > h->v) - (g->v < h->v);
}

/* The b at which the slope of v is 0. */
static double
place_of(const struct kith_wsvm *s, size_t v)
{
	const double alpha = s->A0[v] + s->theta * s->A1[v];
	const double score = kith_smo_score(&s->form, s->s0, v) +
	    s->theta * kith_smo_score(&s->form, s->s1, v);

	return -s->form.sign[v] *
	    (score + s->form.q[v] + s->form.ridge * alpha);
}

static void
survey(struct kith_wsvm *s, struct walk *walk)
{
	double sum = 0;

	for (size_t c = 0; c < s->lives; c++) {
		const size_t v = s->live[c];
		const double b = place_of(s, v), e = s->form.sign[v];
		const bool in = s->where[v] == KITH_WSVM_IN;

		s->time[v] = b;
		sum += fabs(s->d[v]);
		if (!(kith_wsvm_weight(s, v) > 0)) {
			walk->gate[walk->gates++] = (struct gate){b, v};
			walk->lack += e > 0 ? s->d[v] : 0;
			continue;
		}
		walk->lack += in ? e * s->d[v] : 0;
		if (in == (e > 0))
			walk->hi = fmin(walk->hi, b);
		else
			walk->lo = fmax(walk->lo, b);
	}
	walk->few = 1e-12 * sum;
	if (walk->lo > walk->hi)
		walk->lo = walk->hi = (walk->lo + walk->hi) / 2;
	qsort(walk->gate, walk->gates, sizeof(*walk->gate), by_place);
}

static void
pass(struct kith_wsvm *s, struct walk *walk)
{
	walk->lack -= s->d[walk->gate[walk->passed++].v];
}

/* Walk up from lo; the ends of the interval found, or of the point. */
static bool
search(struct kith_wsvm *s, struct walk *walk, double *from, double *to)
{
	*from = walk->lo;
	while (walk->passed < walk->gates &&
	    walk->gate[walk->passed].b <= *from + s->noise)
		pass(s, walk);
	for (;;) {
		const bool more = walk->passed < walk->gates &&
		    walk->gate[walk->passed].b < walk->hi;

		*to = more ? walk->gate[walk->passed].b : walk->hi;
		if (walk->lack < -walk->few) {
			*to = *from;
			return false;
		}
		if (walk->lack <= walk->few && *to > *from + s->noise)
			return true;
		*from = *to;
		if (!more)
			return false;
		pass(s, walk);
	}
}

/* In an interval, b lies behind the gates passed; they may be its ends. */
static void
settle_gates(struct kith_wsvm *s, const struct walk *walk, bool interval)
{
	for (size_t i = 0; i < walk->gates; i++) {
		const struct gate *gate = walk->gate + i;
		const bool behind = interval ? i < walk->passed
					     : gate->b < s->b0;
		bool in = (s->form.sign[gate->v] > 0) == !behind;

		if (!interval && fabs(gate->b - s->b0) <= s->noise)
			in = false;
		kith_wsvm_put(s, gate->v, in ? KITH_WSVM_IN : KITH_WSVM_OUT);
	}
}

bool
kith_wsvm_walk(struct kith_wsvm *s)
{
	struct kith_pool tmp = {0};
	struct walk walk = {.lo = -INFINITY, .hi = INFINITY};
	double from, to;
	bool interval;

	kith_wsvm_flush(s);
	walk.gate = kith_new(&tmp, s->lives, sizeof(*walk.gate));
	survey(s, &walk);
	interval = search(s, &walk, &from, &to);
	s->b0 = isinf(from) ? (isinf(to) ? 0 : to)
			    : (isinf(to) ? from : (from + to) / 2);
	s->b1 = 0;
	settle_gates(s, &walk, interval);
	s->weak = 0;
	for (size_t c = 0; c < s->lives && !interval; c++)
		if (fabs(s->time[s->live[c]] - s->b0) <= s->noise)
			s->W[s->weak++] = s->live[c];
	kith_pool_free(&tmp);
	return interval;
}

double
kith_wsvm_nearest_b(const struct kith_wsvm *s, double b)
{
	double lo = -INFINITY, hi = INFINITY;

	if (!s->form.bias || kith_wsvm_margin_size(s->margin) > 0)
		return s->b0 + s->theta * s->b1;
	for (size_t c = 0; c < s->lives; c++) {
		const size_t v = s->live[c];
		const bool in = s->where[v] == KITH_WSVM_IN;

		if (!(kith_wsvm_weight(s, v) > 0))
			continue;
		if (in == (s->form.sign[v] > 0))
			hi = fmin(hi, place_of(s, v));
		else
			lo = fmax(lo, place_of(s, v));
	}
	return lo > hi ? (lo + hi) / 2 : b < lo ? lo : b > hi ? hi : b;
}
