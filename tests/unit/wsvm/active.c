/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/active_set.h and nearest.h: variables that move between all
 * sets in any order; scores, sums and energy of I beside those of all its
 * variables, and what is forgotten of items that leave M.
 */
#include "wsvm/active_set.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/nearest.h"
#include "wsvm/ratio_test.h"
#include "wsvm/state.h"

enum { MOST = 100, STEPS = 400 };

static struct task t;
static struct kith_wsvm *s;

static double
phi(size_t v, size_t i)
{
	const double *K = t.K + i * t.X.n;

	return t.sign[v] * (K[t.plus[v]] - (t.minus ? K[t.minus[v]] : 0));
}

static void
begin(size_t n, bool ranks)
{
	task_new(&t, n, 2, n, ranks);
	for (size_t i = 0; i < 2 * n; i++)
		t.X.v[i] = 3 * kith_rng_unit(&rng);
	for (size_t v = 0; v < n; v++) {
		t.plus[v] = ranks ? pick(n) : v;
		if (ranks)
			t.minus[v] = (t.plus[v] + 1 + pick(n - 1)) % n;
		t.sign[v] = ranks || pick(2) ? 1 : -1;
		t.q[v] = -1;
	}
	task_ready(&t, KITH_KERN_GAUSSIAN, 2, .2);
	s = kith_wsvm_state_new(&t.problem, &pool);
	for (size_t v = 0; v < n; v++) {
		s->C.from[v] = 1 + kith_rng_unit(&rng);
		s->C.rate[v] = 2 * kith_rng_unit(&rng) - 1;
		s->C.to[v] = s->C.from[v] + s->C.rate[v];
		s->last.alpha[v] = -7;
	}
	s->last.number = 1;
	kith_wsvm_state_live(s);
	kith_wsvm_bounded_sum(s);
	kith_wsvm_ratio_check_all(s);
}

/* How far scores and energy are from those of all variables of I. */
static double
off_of(size_t *known)
{
	double f[2][MOST] = {{0}}, off = 0, energy = 0, e = 0, rate = 0;

	for (size_t v = 0; v < t.N; v++)
		for (size_t i = 0; i < t.X.n; i++)
			if (s->set.where[v] == KITH_WSVM_IN) {
				f[0][i] += s->C.from[v] * phi(v, i);
				f[1][i] += s->C.rate[v] * phi(v, i);
			}
	for (size_t i = 0; i < t.X.n; i++) {
		off = fmax(off, fabs(f[0][i] - s->in.score0[i]));
		off = fmax(off, fabs(f[1][i] - s->in.score1[i]));
	}
	for (size_t v = 0; v < t.N; v++) {
		const bool in = s->set.where[v] == KITH_WSVM_IN;
		double score = f[1][t.plus[v]];

		if (t.minus)
			score -= f[1][t.minus[v]];
		energy += in ? s->C.rate[v] * t.sign[v] * score : 0;
		e += in ? t.sign[v] * s->C.from[v] : 0;
		rate += in ? t.sign[v] * s->C.rate[v] : 0;
	}
	off = fmax(off, fabs(e - kith_wsvm_sum_value(&s->in.sum.C_sign)));
	off = fmax(off, fabs(rate - kith_wsvm_sum_value(&s->in.sum.rate_sign)));
	*known += s->in.energy_known;
	if (s->in.energy_known)
		off = fmax(off, fabs(energy - s->in.energy));
	if (s->in.energy_known && s->in.energy > s->in.energy_max)
		return INFINITY;
	return off;
}

/* Whether the state of v is not that of its set. */
static bool
is_wrong(size_t v)
{
	const bool in = s->set.where[v] == KITH_WSVM_IN;
	const bool outside = s->margin->place[v] == KITH_WSVM_NOT;

	if (s->set.where[v] == KITH_WSVM_MARGIN)
		return outside || s->candidate.due[v] != INFINITY;
	return !outside || s->candidate.due[v] != -INFINITY ||
	    s->piece.alpha0[v] != (in ? s->C.from[v] : 0) ||
	    s->piece.alpha1[v] != (in ? s->C.rate[v] : 0);
}

static void
test_moves(bool ranks)
{
	int8_t first[MOST];
	double off = 0;
	size_t wrong = 0, known = 0, moved = 0;

	begin(40, ranks);
	memcpy(first, s->set.where, t.N);
	for (size_t step = 0; step < STEPS; step++) {
		const size_t v = pick(t.N);
		const int8_t was = s->set.where[v];
		const bool stored = s->last.stored[v] == s->last.number;
		const double alpha = kith_wsvm_alpha(s, v, s->last.theta);
		const enum kith_wsvm_where to = (enum kith_wsvm_where)pick(3);

		wrong += !kith_wsvm_move(s, v, to) ||
		    s->set.where[v] != (int8_t)to;
		if (was != (int8_t)to) {
			wrong += is_wrong(v) || s->set.was[v] != first[v];
			wrong += s->last.stored[v] != s->last.number ||
			    (!stored && s->last.alpha[v] != alpha);
		}
		if (pick(3) == 0)
			continue; /* several changes pend */
		kith_wsvm_bounded_apply(s);
		wrong += s->in.pending;
		off = fmax(off, off_of(&known));
		if (pick(4) == 0)
			kith_wsvm_ratio_norm(s);
	}
	for (size_t v = 0; v < t.N; v++)
		moved += s->set.was[v] != KITH_WSVM_SAME;
	wrong += moved != s->set.n_moved;
	kith_wsvm_forget_moves(s);
	for (size_t v = 0; v < t.N; v++)
		wrong += s->set.was[v] != KITH_WSVM_SAME;
	ok(wrong == 0 && s->set.n_moved == 0 && moved + 3 > t.N,
	    "%s: %zu have moved, %zu wrong", ranks ? "pairs" : "rows", moved,
	    wrong);
	ok(off <= 1e-12 && known > STEPS / 10, "scores and energy: %.1e", off);
	kith_wsvm_bounded_apply(s);
	s->in.score0[3] += 9;
	s->in.events = 5;
	kith_wsvm_bounded_rebuild(s);
	ok(off_of(&known) <= 1e-13 && s->in.events == 0, "computed anew");
	kith_pool_free(&pool);
}

/* Rates that come later are those of all of I. */
static void
test_rates(void)
{
	double rate[MOST];
	size_t known = 0, wrong = 0;

	begin(20, false);
	memcpy(rate, s->C.rate, t.N * sizeof(*rate));
	memset(s->C.rate, 0, t.N * sizeof(*rate));
	for (size_t v = 0; v < t.N; v += 2)
		kith_wsvm_move(s, v, KITH_WSVM_IN);
	kith_wsvm_bounded_apply(s);
	memcpy(s->C.rate, rate, t.N * sizeof(*rate));
	kith_wsvm_bounded_start_rates(s);
	kith_wsvm_bounded_sum(s);
	for (size_t v = 0; v < t.N; v++)
		wrong += s->piece.alpha1[v] != (v % 2 ? 0 : rate[v]);
	ok(off_of(&known) <= 1e-13 && wrong == 0, "rates that come later");
	kith_pool_free(&pool);
}

/* An item that leaves M: those near it are due by all of the length. */
static void
test_forget(void)
{
	size_t wrong = 0;

	begin(MOST, false);
	for (size_t item = 0; item < MOST; item++) {
		double due[MOST];

		s->candidate.length = 3;
		for (size_t v = 0; v < MOST; v++) {
			s->candidate.near[v] = (v * 7 + item) % 5 ? v + 50
								  : item + 1;
			s->candidate.share[v] = .25;
			due[v] = v % 9 ? 3 + (double)v : INFINITY;
			s->candidate.due[v] = due[v];
			if (s->candidate.near[v] == item + 1) {
				due[v] = 3 + (due[v] - 3) / 4;
				continue;
			}
			wrong += s->candidate.near[v] == item + 1;
		}
		kith_wsvm_nearest_leave(s, item);
		for (size_t v = 0; v < MOST; v++)
			wrong += s->candidate.due[v] != due[v] ||
			    s->candidate.near[v] == item + 1;
	}
	is_size(wrong, 0, "shares of an item that leaves are forgotten");
	kith_pool_free(&pool);
}

/* Where none is near, one is looked for again after a hundred pieces. */
static void
test_again(void)
{
	size_t wrong = 0;
	double is;

	begin(3, false);
	t.X.v[0] = t.X.v[1] = 0;
	t.X.v[2] = 1e3;
	t.X.v[4] = .125;
	t.X.v[3] = t.X.v[5] = 0;
	s = kith_wsvm_state_new(&t.problem, &pool);
	s->piece.number = 1;
	wrong += kith_wsvm_nearest_share(s, 0) != 1;
	wrong += s->candidate.again[0] != 0; /* M is empty */
	kith_wsvm_margin_enter(s->margin, 1);
	wrong += kith_wsvm_nearest_share(s, 0) != 1;
	wrong += s->candidate.again[0] != 101 || s->candidate.near[0] != 0;
	kith_wsvm_margin_enter(s->margin, 2);
	s->piece.number = 100;
	wrong += kith_wsvm_nearest_share(s, 0) != 1;
	s->piece.number = 101;
	is = kith_wsvm_nearest_share(s, 0);
	wrong += s->candidate.near[0] != 3 || s->candidate.share[0] != is;
	is_size(wrong, 0, "a nearer item is found, now and then");
	is_near(is, sqrt((2 - 2 * exp(-2. / 64)) / 1.2) * (1 + 1e-9), 1e-14,
	    "its share");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 12, KITH_RNG_SAMPLE, 0);
	test_moves(false);
	test_moves(true);
	test_rates();
	test_forget();
	test_again();
	return done();
}
