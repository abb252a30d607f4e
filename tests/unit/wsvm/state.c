/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/state.h and leg.h: sizes of a problem beside their
 * definitions, what is counted of events, and scores of I that were wrong.
 */
#include "wsvm/state.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/judge.h"
#include "wsvm/wsvm.h"

enum { TYPES = 3 };

static double
entry(const struct task *t, size_t i, size_t j)
{
	return t->K[i * t->X.n + j];
}

/* Rows of other lengths, and few of their kernel alike. */
static void
draw(struct task *t, size_t type)
{
	draw_plain(t, type);
	for (size_t i = 0; i < t->X.n * t->X.p; i++)
		t->X.v[i] = (t->X.v[i] - .5) * (1 + 3 * (double)(i % 5));
	for (size_t v = 0; v < t->N; v++) {
		t->q[v] -= type == 1 ? 0 : kith_rng_unit(&rng);
		t->from[v] = .05 + kith_rng_unit(&rng);
		t->to[v] = .05 + 5 * kith_rng_unit(&rng);
	}
	task_ready(t, KITH_KERN_LINEAR, 1, .02);
}

static bool
near(double is, double due)
{
	return fabs(is - due) <= 1e-12 * due;
}

static void
test_sizes(size_t type)
{
	double root_min = INFINITY, root_most = 0, Q = 0, q = 0, sum = 0;
	double alpha[400];
	size_t wrong = 0;
	struct kith_wsvm *s;
	struct task t;

	draw(&t, type);
	s = kith_wsvm_state_new(&t.problem, &pool);
	for (size_t v = 0; v < t.N; v++) {
		const size_t i = t.plus[v], j = t.minus ? t.minus[v] : 0;
		double root = sqrt(entry(&t, i, i)), own = entry(&t, i, i);

		if (t.minus) {
			root += sqrt(entry(&t, j, j));
			own += entry(&t, j, j) - 2 * entry(&t, i, j);
		}
		own += t.problem.ridge;
		wrong += !near(s->root[v], root) ||
		    !(fabs(s->diagonal[v] - own) <= 1e-12 * t.most) ||
		    s->set.where[v] != KITH_WSVM_OUT;
		root_min = fmin(root_min, root);
		root_most = fmax(root_most, root);
		Q = fmax(Q, own);
		q = fmax(q, fabs(t.q[v]));
		alpha[v] = kith_rng_unit(&rng) - .2;
		sum += root * fabs(alpha[v]);
	}
	ok(wrong == 0 && near(s->root_min, root_min) &&
		near(s->root_most, root_most) && near(s->Q_max, Q) &&
		near(s->q_max, q),
	    "sizes of rows and variables");
	kith_wsvm_state_tolerance(s, alpha);
	ok(near(s->tol.scale, 2e-14 * sum) && near(s->root_least, root_min) &&
		near(s->tol.base, 2e-14 * (q + root_min * sum)),
	    "what rounding may leave of gradients");
	for (size_t v = 0; v < t.N; v++) {
		s->C.from[v] = v % 3 == 1;
		s->C.to[v] = v % 3 == 2;
	}
	kith_wsvm_state_live(s);
	for (size_t c = 0; c < s->C.n_live; c++)
		wrong += s->C.live[c] != 3 * (c / 2) + 1 + c % 2;
	ok(wrong == 0 && s->C.n_live == t.N - t.N / 3,
	    "the live weigh something at one end");
	kith_pool_free(&pool);
}

static void
tally(void *to, const struct kith_wsvm_event *event)
{
	(void)event;
	++*(size_t *)to;
}

/*
 * Events are counted, and those since the scores of I were computed from all of
 * I; scores that are wrong then are seen, and computed anew.
 */
static void
test_events(size_t type, bool spoil)
{
	struct kith_wsvm_count count;
	struct kith_wsvm_piece piece;
	struct kith_wsvm *s;
	struct task t;
	size_t told = 0, pieces = 0, wrong = 0;
	double off = 0;

	draw(&t, type);
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	kith_wsvm_aim(s, t.to);
	wrong += s->in.events != 0;
	while (kith_wsvm_next(s, &piece, tally, &told)) {
		double alpha[2][400];
		struct kith_wsvm_point at[2];

		for (int k = 0; k < 2; k++) {
			const double theta = k ? piece.to : piece.from;

			at[k] = (struct kith_wsvm_point){theta,
			    kith_wsvm_point(&piece, theta, alpha[k]), alpha[k]};
		}
		off = fmax(off,
		    kith_wsvm_judge(&t.problem, t.from, t.to, &at[0], &at[1])
			.off);
		wrong += !spoil && s->in.events != told;
		pieces++;
		for (size_t i = 0; i < t.X.n && spoil; i++)
			s->in.score0[i] += .01 * (kith_rng_unit(&rng) - .5);
	}
	kith_wsvm_count(s, &count);
	ok(wrong == 0 && count.events == told && pieces > 5,
	    "%zu events are counted, %zu pieces", told, pieces);
	ok(off <= 1 && count.faults == 0 && count.fallbacks == 0,
	    "%s: pieces are sound, %zu restarts",
	    spoil ? "scores of I that were wrong" : "as it is",
	    count.fallbacks);
	kith_pool_free(&pool);
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, type);
		test_sizes(type);
		test_events(type, false);
		test_events(type, true);
	}
	return done();
}
