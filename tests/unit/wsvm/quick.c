/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/quick.h: pieces that are sound pass; those of which one
 * number is off pass up to the limit, which the test finds from the rows, and no
 * farther.
 */
#include "wsvm/quick.h"

#include "tap.h"
#include "wsvm/now.h"

enum { TYPES = 3 };

/* What of pieces is not as it should be, and how many were looked at. */
struct seen {
	size_t pieces, wrong[6], tried[6];
};

enum how { BOTH, RATE, START };

/*
 * By how much g_v may be off: of t_v at both ends; where it is off at a rate, of
 * what that leads to there; or at the start alone.
 */
static double
limit_of(const struct now *now, size_t v, enum how how)
{
	const struct kith_wsvm *s = now->s;
	const struct task *t = &now->t;
	const size_t n = t->X.n;
	const double theta[] = {s->last.theta, now->end};
	double least = INFINITY, b = INFINITY, sign = 0;

	for (int k = 0; k < 2; k++) {
		const double own = s->piece.b0 + theta[k] * s->piece.b1;

		b = sign * own < 0 ? 0 : fmin(b, fabs(own));
		sign = own;
	}
	for (int k = 0; k < 2; k++) {
		double sum = fabs(t->q[v]) + (t->problem.bias ? b : 0);

		for (size_t w = 0; w < t->N; w++) {
			const double a = kith_wsvm_alpha(s, w, theta[k]);
			double K = t->K[t->plus[v] * n + t->plus[w]];

			if (t->minus)
				K += t->K[t->plus[v] * n + t->minus[w]] +
				    t->K[t->minus[v] * n + t->plus[w]] +
				    t->K[t->minus[v] * n + t->minus[w]];
			sum += K * a;
		}
		if (k == 0 || how != START)
			least = fmin(least, how == RATE ? sum / theta[k] : sum);
	}
	return 4e-10 * least;
}

static void
look_at_margin(const struct now *now, struct seen *seen)
{
	const struct kith_wsvm_margin *m = now->s->margin;
	double *left;

	if (m->size == 0)
		return;
	left = m->room + m->most; /* that of m->left */
	for (size_t i = 0; i < m->size; i += 1 + m->size / 3) {
		const double limit = limit_of(now, m->list[i], BOTH);

		seen->tried[0]++;
		seen->wrong[0] += m->left != left ||
		    !passes_to(now, left + i, limit, 1e-3);
		seen->wrong[0] += !passes_to(now, left + i, -limit, 1e-3);
		seen->wrong[0] += !passes_to(now, left + m->size + i,
		    limit_of(now, m->list[i], RATE), 1e-3);
	}
}

/* A gradient of O or I that has its sign, and one that has not. */
static void
look_at_others(const struct now *now, struct seen *seen)
{
	struct kith_wsvm *s = now->s;

	if (s->margin->size == 0 && now->t.problem.bias)
		return;
	for (size_t c = 0; c < s->candidate.n; c += 1 + s->candidate.n / 3) {
		const size_t v = s->candidate.list[c];
		const double e = kith_wsvm_violating_sign(s, v);
		const double was[] = {s->piece.g0[v], s->piece.g1[v]};
		const double limit = limit_of(now, v, BOTH);

		s->piece.g0[v] = s->piece.g1[v] = 0;
		seen->tried[1]++;
		seen->wrong[1] += !passes_to(
		    now, &s->piece.g0[v], e * limit, 1e-3);
		seen->wrong[1] += !passes_to(
		    now, &s->piece.g1[v], e * limit_of(now, v, RATE), 1e-3);
		s->piece.g0[v] = -9 * e;
		seen->wrong[1] += !passes(now);
		s->piece.g0[v] = was[0];
		s->piece.g1[v] = was[1];
	}
}

static double
entry(const struct now *now, size_t v, size_t w)
{
	const struct task *t = &now->t;
	const double *K = t->K + t->plus[v] * t->X.n;
	double Q = K[t->plus[w]];

	if (t->minus) {
		Q -= K[t->minus[w]];
		K = t->K + t->minus[v] * t->X.n;
		Q += K[t->minus[w]] - K[t->plus[w]];
	}
	return t->sign[v] * t->sign[w] * Q + (v == w ? t->problem.ridge : 0);
}

/* alpha of M jumps where the piece begins, so that e' alpha stays. */
static void
look_at_jump(const struct now *now, struct seen *seen)
{
	struct kith_wsvm *s = now->s;
	const size_t *list = s->margin->list;
	const bool bias = now->t.problem.bias;
	const double *e = now->t.sign;
	double was[2], d = INFINITY, by;
	size_t v, w;

	if (s->margin->size < 2)
		return;
	v = list[0];
	w = list[1];
	by = bias ? -e[v] * e[w] : 0;
	for (size_t i = 0; i < s->margin->size; i++)
		d = fmin(d,
		    limit_of(now, list[i], START) /
			fabs(entry(now, list[i], v) +
			    by * entry(now, list[i], w)));
	if (s->last.stored[v] != s->last.number ||
	    s->last.stored[w] != s->last.number)
		return;
	was[0] = s->last.alpha[v];
	was[1] = s->last.alpha[w];
	seen->tried[5]++;
	for (int far = 0; far < 2; far++) {
		const double much = far ? 1.01 : .99;

		s->last.alpha[v] = was[0] + much * d;
		s->last.alpha[w] = was[1] + much * by * d;
		seen->wrong[5] += passes(now) == far;
	}
	s->last.alpha[v] = was[0];
	s->last.alpha[w] = was[1];
}

/* alpha of M beyond a bound, by so much of the largest alpha. */
static void
look_at_bounds(const struct now *now, struct seen *seen)
{
	struct kith_wsvm *s = now->s;
	double most = 0;

	for (size_t c = 0; c < s->C.n_live; c++)
		if (s->set.where[s->C.live[c]] == KITH_WSVM_IN)
			most = fmax(
			    most, kith_wsvm_weight(s, s->C.live[c], now->end));
	if (most == 0)
		return;
	s->piece.violation = 3.9e-13;
	seen->tried[2]++;
	seen->wrong[2] += !passes(now);
	s->piece.violation = 4.1e-13;
	seen->wrong[2] += passes(now);
	s->piece.violation = 0;
	if (!now->t.problem.bias)
		return;
	/* e' alpha, of which nothing else depends. */
	for (size_t i = 0; i < s->margin->size; i++)
		most = fmax(
		    most, kith_wsvm_alpha(s, s->margin->list[i], now->end));
	seen->tried[3]++;
	s->in.sum.rate_sign.high += .9e-9 * most / now->end;
	seen->wrong[3] += !passes(now);
	s->in.sum.rate_sign.high += .2e-9 * most / now->end;
	seen->wrong[3] += passes(now);
	s->in.sum.rate_sign.high -= 1.1e-9 * most / now->end;
}

static void
follow(size_t type, struct seen *seen)
{
	struct now now;

	draw_plain(&now.t, type);
	now.s = kith_wsvm_new(&now.t.problem, now.t.from, NULL, &pool);
	kith_wsvm_aim(now.s, now.t.to);
	while (
	    kith_wsvm_leg_next(now.s, &now.end, NULL, NULL) == KITH_WSVM_LINE) {
		struct kith_wsvm *s = now.s;
		bool within = false;

		s->path.anew = false;
		seen->pieces++;
		seen->tried[4]++;
		seen->wrong[4] += !kith_wsvm_quick(s, now.end, &within) ||
		    !within || !kith_wsvm_quick_start(s) ||
		    !kith_wsvm_quick_within(s, now.end) ||
		    (s->margin->size > 0 && kith_wsvm_quick_within(s, 99));
		s->path.anew = true; /* after a piece that was solved anew */
		seen->wrong[4] += passes(&now) != (s->last.theta == 0);
		s->path.anew = false;
		look_at_margin(&now, seen);
		look_at_others(&now, seen);
		look_at_bounds(&now, seen);
		look_at_jump(&now, seen);
		seen->wrong[4] += !passes(&now);
		kith_wsvm_leg_pass(s, now.end);
	}
	kith_pool_free(&pool);
}

int
main(void)
{
	static const char *const name[TYPES] = {"classes", "numbers", "ranks"};

	for (size_t type = 0; type < TYPES; type++) {
		struct seen seen = {0};

		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, type);
		for (int k = 0; k < 3; k++)
			follow(type, &seen);
		ok(seen.wrong[4] == 0 && seen.pieces > 10,
		    "%s: %zu of %zu pieces do not pass as they are", name[type],
		    seen.wrong[4], seen.pieces);
		ok(seen.wrong[0] == 0 && seen.tried[0] > 10,
		    "residuals of M: %zu of %zu", seen.wrong[0], seen.tried[0]);
		ok(seen.wrong[1] == 0 && seen.tried[1] > 10,
		    "other gradients: %zu of %zu", seen.wrong[1],
		    seen.tried[1]);
		ok(seen.wrong[2] == 0 && seen.tried[2] > 3,
		    "violations: %zu of %zu", seen.wrong[2], seen.tried[2]);
		ok(seen.wrong[5] == 0 && seen.tried[5] > 3, "jumps: %zu of %zu",
		    seen.wrong[5], seen.tried[5]);
		ok(seen.wrong[3] == 0, "e' alpha: %zu of %zu", seen.wrong[3],
		    seen.tried[3]);
	}
	return done();
}
