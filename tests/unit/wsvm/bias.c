/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/bias.h: problems whose margin is empty, of which each
 * variable bounds b where the test says; the interval of b, its end and the
 * sets at a breakpoint beside a search over all places.
 */
#include "wsvm/bias.h"

#include "tap.h"
#include "wsvm/active_set.h"
#include "wsvm/draw.h"
#include "wsvm/piece.h"

enum { MOST = 16, SEEDS = 1500 };

static struct task t;
static struct kith_wsvm *s;
static double at[MOST]; /* where g_v is 0 */

/* Whether v bounds b from below, v being on a bound. */
static bool
is_below(size_t v)
{
	return (s->set.where[v] == KITH_WSVM_IN) != (t.sign[v] > 0);
}

/* Weights, sets and rates; `gates`: some weigh nothing yet. */
static void
draw_sets(bool gates, bool bounds)
{
	for (size_t v = 0; v < t.N; v++) {
		const bool gate = gates && (!bounds || pick(2));
		const bool in = !gate && pick(2);

		s->C.from[v] = gate ? 0 : 1 + (double)pick(3);
		s->C.rate[v] = gate ? 1 + (double)pick(3)
				    : (double)pick(5) / 2 - .75;
		s->C.to[v] = s->C.from[v] + s->C.rate[v];
		s->set.where[v] = in ? KITH_WSVM_IN : KITH_WSVM_OUT;
		s->piece.alpha0[v] = in ? s->C.from[v] : 0;
		s->piece.alpha1[v] = in ? s->C.rate[v] : 0;
	}
	kith_wsvm_bounded_rebuild(s);
	kith_wsvm_state_live(s);
}

/* q with which v bounds b at at[v] where theta is as given. */
static void
set_q(double theta)
{
	for (size_t v = 0; v < t.N; v++) {
		const double a = kith_wsvm_alpha(s, v, theta);

		t.q[v] = -t.sign[v] * at[v] - t.problem.ridge * a -
		    kith_smo_score(&s->form, s->in.score0, v) -
		    theta * kith_smo_score(&s->form, s->in.score1, v);
		s->q_max = fmax(s->q_max, fabs(t.q[v]));
	}
	kith_wsvm_state_tolerance(s, s->piece.alpha0);
}

static void
begin(bool gates)
{
	const size_t n = 1 + pick(MOST), ones = pick(6);

	task_new(&t, n, 2, n, false);
	for (size_t v = 0; v < n; v++) {
		t.X.v[2 * v] = kith_rng_unit(&rng);
		t.X.v[2 * v + 1] = kith_rng_unit(&rng);
		t.plus[v] = v;
		t.sign[v] = ones == 0 || (ones > 1 && pick(2)) ? 1 : -1;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 2, pick(2) ? .5 : 0);
	s = kith_wsvm_state_new(&t.problem, &pool);
	draw_sets(gates, pick(4));
}

/* The interval of b by those that weigh: lines of theta, or at a place. */
struct interval {
	double lo, hi;
};

static struct interval
interval_at(const double *zero)
{
	struct interval b = {-INFINITY, INFINITY};

	for (size_t v = 0; v < t.N; v++) {
		if (!(s->C.from[v] > 0))
			continue;
		if (is_below(v))
			b.lo = fmax(b.lo, zero[v]);
		else
			b.hi = fmin(b.hi, zero[v]);
	}
	return b;
}

static double
middle(struct interval b)
{
	if (isinf(b.lo) || isinf(b.hi))
		return isinf(b.lo) ? (isinf(b.hi) ? 0 : b.hi) : b.lo;
	return (b.lo + b.hi) / 2;
}

/* e_I' rate_I just above b, or just below it. */
static double
imbalance(double b, int8_t *where, bool above)
{
	double sum = 0;

	for (size_t v = 0; v < t.N; v++) {
		const double e = t.sign[v];
		const bool beyond = above ? b >= at[v] : b > at[v];
		bool in = s->set.where[v] == KITH_WSVM_IN;

		if (!(s->C.from[v] > 0))
			in = (e > 0) != beyond; /* g_v < 0 */
		where[v] = in ? KITH_WSVM_IN : KITH_WSVM_OUT;
		sum += in ? e * s->C.rate[v] : 0;
	}
	return sum;
}

/* Places in order: the ends of the interval, and the gates between. */
static size_t
places(struct interval b, double *place)
{
	size_t n = 0;

	place[n++] = b.lo;
	for (;;) {
		double next = b.hi;

		for (size_t v = 0; v < t.N; v++)
			if (!(s->C.from[v] > 0) && at[v] > place[n - 1])
				next = fmin(next, at[v]);
		if (!(next > place[n - 1]))
			return n;
		place[n++] = next;
	}
}

/* Where b is due; true: an interval.  where: the sets there. */
static bool
find_plainly(double *b, int8_t *where)
{
	struct interval ends = interval_at(at);
	double place[MOST + 2];
	size_t n;

	if (ends.lo > ends.hi)
		ends.lo = ends.hi = (ends.lo + ends.hi) / 2;
	*b = 0;
	n = places(ends, place);
	for (size_t k = 0; k < n; k++) {
		const double above = imbalance(place[k], where, true);

		if (k + 1 < n && above == 0) {
			*b = middle((struct interval){place[k], place[k + 1]});
			return true;
		}
		*b = place[k];
		if (above < 0)
			break;
	}
	if (isinf(*b))
		*b = 0;
	imbalance(*b, where, true);
	for (size_t v = 0; v < t.N; v++)
		if (!(s->C.from[v] > 0) && at[v] == *b)
			where[v] = KITH_WSVM_OUT;
	return false;
}

static void
test_find(void)
{
	size_t wrong = 0, intervals = 0, points = 0;

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		int8_t where[MOST];
		double b;
		size_t open = 0;
		bool is, due;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		begin(true);
		for (size_t v = 0; v < t.N; v++) {
			const bool outer = s->C.from[v] > 0 && pick(8);

			at[v] = (double)pick(5) - 2;
			if (outer)
				at[v] = (is_below(v) ? -1 : 1) *
				    (1 + (double)pick(3));
		}
		set_q(0);
		due = find_plainly(&b, where);
		is = kith_wsvm_bias_find(s);
		wrong += is != due || !(fabs(s->piece.b0 - b) <= 1e-12) ||
		    s->piece.b1 != 0;
		wrong += memcmp(where, s->set.where, t.N) != 0;
		for (size_t v = 0; v < t.N && !due; v++)
			if (fabs(at[v] - b) < .01)
				wrong += open >= s->event.n_open ||
				    s->event.open[open++] != v;
		wrong += s->event.n_open != open;
		intervals += due;
		points += !due;
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "b and sets, as found at all places");
	ok(intervals > SEEDS / 10 && points > SEEDS / 10,
	    "%zu intervals, %zu points", intervals, points);
}

static void
test_nearest(void)
{
	size_t wrong = 0, crossed = 0;

	for (unsigned seed = 1; seed <= SEEDS / 3; seed++) {
		struct interval ends;
		double b = 8 * kith_rng_unit(&rng) - 4, due;

		begin(pick(2));
		s->theta = .5 * (double)pick(2);
		for (size_t v = 0; v < t.N; v++)
			at[v] = (is_below(v) ? -1 : 1) *
			    (4 * kith_rng_unit(&rng) - .3);
		set_q(s->theta);
		for (size_t v = 0; v < t.N && s->theta > 0; v++)
			s->C.from[v] += s->C.rate[v] / 2; /* who weighs then */
		ends = interval_at(at);
		for (size_t v = 0; v < t.N && s->theta > 0; v++)
			s->C.from[v] -= s->C.rate[v] / 2;
		due = ends.lo > ends.hi ? middle(ends)
					: fmin(fmax(b, ends.lo), ends.hi);
		crossed += ends.lo > ends.hi;
		wrong += !(fabs(kith_wsvm_bias_nearest(s, b) - due) <= 1e-12);
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "the nearest of the interval");
	ok(crossed > 5 && crossed < SEEDS / 6, "or between its ends: %zu",
	    crossed);
}

/* Where v bounds b at theta. */
static void
zeros(double theta, double *zero)
{
	for (size_t v = 0; v < t.N; v++)
		zero[v] = -t.sign[v] *
		    (kith_smo_score(&s->form, s->in.score0, v) +
			theta * kith_smo_score(&s->form, s->in.score1, v) +
			t.q[v] +
			t.problem.ridge * kith_wsvm_alpha(s, v, theta));
}

/* How far b is from the middle of the interval at theta. */
static double
bias_off(double theta, double *width)
{
	double zero[MOST];
	struct interval b;

	zeros(theta, zero);
	b = interval_at(zero);
	*width = b.hi - b.lo;
	return fabs(s->piece.b0 + theta * s->piece.b1 - middle(b));
}

/* How far b is off a little after the end; 0 where the interval vanishes. */
static double
off_after(double end)
{
	double width;
	const double off = bias_off(end + 1e-4, &width);

	return width < 0 ? 0 : off;
}

static void
test_end(void)
{
	size_t wrong = 0, met = 0, turned = 0, never = 0;

	for (unsigned seed = 1; seed <= SEEDS; seed++) {
		const double from = .25 * (double)pick(3);
		double end, width, off = 0;

		begin(false);
		for (size_t v = 0; v < t.N; v++)
			at[v] = (is_below(v) ? -1 : 1) * .4 *
			    (.1 + kith_rng_unit(&rng));
		set_q(from);
		s->theta = from;
		kith_wsvm_piece_solve(s);
		end = kith_wsvm_bias_end(s, from);
		for (int k = 0; k <= 8; k++) {
			const double stop = isinf(end) ? 9 : end;

			off = fmax(off,
			    bias_off(from + k * (stop - from) / 8, &width));
		}
		wrong += !(off <= 1e-9) || end < from || s->event.n_open != 0 ||
		    s->piece.violation > 1e-12;
		if (s->event.due && isfinite(end))
			wrong += !(fabs(width) <= 1e-9);
		else if (isfinite(end))
			wrong += !(off_after(end) > 0) || !(width > -1e-9);
		met += s->event.due && isfinite(end);
		turned += !s->event.due && isfinite(end);
		never += isinf(end) != 0;
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "b is in the middle, until another one bounds it");
	ok(met > SEEDS / 20 && turned > SEEDS / 20 && never > SEEDS / 20,
	    "%zu intervals vanish, %zu get another end, %zu stay", met, turned,
	    never);
}

int
main(void)
{
	test_find();
	test_nearest();
	test_end();
	return done();
}
