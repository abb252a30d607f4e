/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of what the steps of a path keep (lib/wsvm/state.h): on each piece of
 * random problems sums, scores, lengths, tolerances and events are compared
 * with what the rows and the sets say.
 */
#include "wsvm/state.h"

#include "tap.h"
#include "wsvm/active_set.h"
#include "wsvm/draw.h"
#include "wsvm/ratio_test.h"

enum { MOST = 120, TYPES = 3 };

/* What is due of a state, from the rows. */
struct due {
	double s0[MOST], s1[MOST]; /* scores of I */
	long double C, rate, size, C_sign, rate_sign;
	double energy, terms; /* of I; of that and of M */
	double norm;          /* of f's rate, squared */
};

/* What is off, over what it may be; and counts. */
struct off {
	double sums, scores, energy, norm, alpha, tol, due, length, share;
	size_t pieces, alike, checked, all, near, known;
};

static double
Q(const struct task *t, size_t v, size_t w)
{
	const size_t n = t->X.n;
	double K = t->K[t->plus[v] * n + t->plus[w]];

	if (t->minus)
		K += t->K[t->minus[v] * n + t->minus[w]] -
		    t->K[t->plus[v] * n + t->minus[w]] -
		    t->K[t->minus[v] * n + t->plus[w]];
	return t->sign[v] * t->sign[w] * K;
}

/* e (K_i,plus - K_i,minus) */
static double
phi(const struct task *t, size_t v, size_t i)
{
	const double *K = t->K + i * t->X.n;

	return t->sign[v] * (K[t->plus[v]] - (t->minus ? K[t->minus[v]] : 0));
}

/* Rows in general position, of any size. */
static void
draw_general(struct task *t, size_t type, bool linear)
{
	const size_t n = 40, N = type == 0 ? n : 2 * n;

	task_new(t, n, 3, N, type == 2);
	for (size_t i = 0; i < 3 * n; i++)
		t->X.v[i] = 2 * kith_rng_unit(&rng) - .7;
	if (type == 1)
		draw_targets(t);
	for (size_t v = 0; v < N && type != 1; v++) {
		t->plus[v] = type == 2 ? pick(n) : v;
		t->sign[v] = type == 2 || pick(2) ? 1 : -1;
		t->q[v] = -1 - kith_rng_unit(&rng) / 4;
		if (type == 2)
			t->minus[v] = (t->plus[v] + 1 + pick(n - 1)) % n;
	}
	for (size_t v = 0; v < N; v++) {
		t->from[v] = .05 + kith_rng_unit(&rng);
		t->to[v] = .05 + 5 * kith_rng_unit(&rng);
		if (type == 1 && v >= n) {
			t->from[v] = t->from[v - n];
			t->to[v] = t->to[v - n];
		}
	}
	task_ready(t, linear ? KITH_KERN_LINEAR : KITH_KERN_GAUSSIAN, 1, .01);
}

static void
find_due(const struct kith_wsvm *s, const struct task *t, struct due *due)
{
	*due = (struct due){0};
	for (size_t v = 0; v < t->N; v++) {
		const double C = s->C.from[v], rate = s->C.rate[v];

		if (s->set.where[v] != KITH_WSVM_IN)
			continue;
		due->C += s->root[v] * C;
		due->rate += s->root[v] * rate;
		due->size += s->root[v] * fabs(rate);
		due->C_sign += t->sign[v] * C;
		due->rate_sign += t->sign[v] * rate;
		for (size_t i = 0; i < t->X.n; i++) {
			due->s0[i] += C * phi(t, v, i);
			due->s1[i] += rate * phi(t, v, i);
		}
		for (size_t w = 0; w < t->N; w++)
			if (s->set.where[w] == KITH_WSVM_IN)
				due->energy += rate * s->C.rate[w] * Q(t, v, w);
	}
	for (size_t v = 0; v < t->N; v++)
		for (size_t w = 0; w < t->N; w++)
			due->norm += s->piece.alpha1[v] * s->piece.alpha1[w] *
			    Q(t, v, w);
}

static void
at_least(double *most, double own)
{
	if (own > *most || isnan(own))
		*most = own;
}

static double
sum_off(const struct kith_wsvm_sum *sum, long double due)
{
	return (double)fabsl((long double)sum->high + sum->low - due) /
	    (fabs((double)due) + 1e-9);
}

/* Sums over I are exact but for one rounding, its scores for some. */
static void
look_at_sums(
    struct kith_wsvm *s, const struct task *t, struct off *off, struct due *due)
{
	double terms = 1e-300 + fabs((double)due->C) + (double)due->size;

	at_least(&off->sums, sum_off(&s->in.sum.C, due->C));
	at_least(&off->sums, sum_off(&s->in.sum.rate, due->rate));
	at_least(&off->sums, sum_off(&s->in.sum.size, due->size));
	at_least(&off->sums, sum_off(&s->in.sum.C_sign, due->C_sign));
	at_least(&off->sums, sum_off(&s->in.sum.rate_sign, due->rate_sign));
	for (size_t i = 0; i < t->X.n; i++) {
		at_least(&off->scores,
		    fabs(s->in.score0[i] - due->s0[i]) / (terms * t->most));
		at_least(&off->scores,
		    fabs(s->in.score1[i] - due->s1[i]) / (terms * t->most));
	}
}

/* The length of f's rate, not below, and next to nothing above. */
static void
look_at_norm(
    struct kith_wsvm *s, const struct task *t, struct off *off, struct due *due)
{
	const double norm = kith_wsvm_ratio_norm(s);
	double terms = s->in.energy_max;

	for (size_t v = 0; v < t->N; v++)
		if (s->set.where[v] == KITH_WSVM_MARGIN) {
			const double a = s->piece.alpha1[v];
			double score = 0;

			for (size_t w = 0; w < t->N; w++)
				if (s->set.where[w] == KITH_WSVM_IN)
					score += s->C.rate[w] * Q(t, v, w);
			terms += fabs(a * score);
			if (t->problem.bias)
				terms += fabs(a * s->piece.b1);
		}
	if (terms == 0)
		return;
	if (s->in.energy_known)
		at_least(
		    &off->energy, fabs(s->in.energy - due->energy) / terms);
	off->known += s->in.energy_known;
	at_least(
	    &off->norm, fabs((norm * norm - due->norm) / terms - 1e-12) * 1e12);
}

/* Beside definitions: the tolerances of a piece that begins at theta. */
static void
look_at_tolerance(const struct kith_wsvm *s, const struct task *t, double theta,
    struct off *off, const struct due *due)
{
	double scale = 2e-14 * (double)(due->C + theta * due->rate) +
	    1e-15 * (double)(due->C + due->size);
	double rate = 1e-13 * (double)due->size, least = s->root_most, own;
	bool alike;

	for (size_t v = 0; v < t->N; v++) {
		const double a = s->piece.alpha0[v], a1 = s->piece.alpha1[v];

		if (s->set.where[v] != KITH_WSVM_MARGIN)
			continue;
		scale += s->root[v] *
		    (2e-14 * fabs(a + theta * a1) +
			1e-15 * (fabs(a) + fabs(a1)));
		rate += 1e-13 * s->root[v] * fabs(a1);
		least = fmin(least, s->root[v]);
	}
	at_least(&off->tol, fabs(s->tol.scale - scale) / (scale + 1e-300));
	if (s->margin->size == 0)
		return;
	own = 2e-14 * s->q_max + least * scale;
	at_least(&off->tol, fabs(s->tol.base - own) / (own + 1e-300));
	at_least(&off->tol, 1 - s->tol_rate.scale / (rate + 1e-300));
	alike = s->tol_rate.scale <= rate * (1 + 1e-9) &&
	    fabs(s->tol_rate.base - least * s->tol_rate.scale) <=
		1e-9 * s->tol_rate.base;
	off->alike += alike;
	off->pieces++;
}

/* e_v g_v at theta, from the piece's alpha and b. */
static double
gradient(const struct kith_wsvm *s, const struct task *t, size_t v,
    double theta, double rate)
{
	double g = t->sign[v] * (s->piece.b0 * rate + theta * s->piece.b1);

	if (!t->problem.bias)
		g = 0;
	for (size_t w = 0; w < t->N; w++)
		g += (rate * s->piece.alpha0[w] + theta * s->piece.alpha1[w]) *
		    (Q(t, v, w) + (v == w ? t->problem.ridge : 0));
	return g + rate * t->q[v];
}

/* The share of v that an item of M has; 1 where none is known. */
static double
share(
    const struct kith_wsvm *s, const struct task *t, size_t v, struct off *off)
{
	const size_t n = t->X.n, i = t->plus[v], near = s->candidate.near[v];
	const size_t j = near - 1;
	bool held = false;
	double due;

	if (near == 0)
		return 1;
	for (size_t m = 0; m < s->margin->size; m++)
		held |= t->plus[s->margin->list[m]] == j;
	due = fmax(.125,
	    sqrt((t->K[i * n + i] + t->K[j * n + j] - 2 * t->K[i * n + j]) /
		s->Q_max) *
		(1 + 1e-9));
	at_least(&off->share, held ? fabs(s->candidate.share[v] - due) : 1);
	off->near++;
	return s->candidate.share[v];
}

/* No gradient is farther from its next look than it is from 0. */
static void
look_at_candidates(const struct kith_wsvm *s, const struct task *t, double end,
    struct off *off)
{
	const size_t *list = s->candidate.list;
	const double L = s->candidate.length;

	if (s->margin->size == 0 && t->problem.bias)
		return;
	for (size_t v = 0; v < t->N; v++) {
		const double e = s->set.where[v] == KITH_WSVM_IN ? 1 : -1;
		const double g = -e * gradient(s, t, v, end, 1);
		const double left = s->candidate.due[v] - L;
		const double size = 1 + fabs(g) + fabs(L);

		if (s->set.where[v] == KITH_WSVM_MARGIN || isinf(left))
			continue;
		at_least(&off->due, (left - g / share(s, t, v, off)) / size);
	}
	for (size_t c = 0; c < s->candidate.n; c++) {
		const size_t v = list[c];
		const double e = s->set.where[v] == KITH_WSVM_IN ? 1 : -1;
		const double g = gradient(s, t, v, end, 1);
		const double left = s->candidate.due[v] - L;

		at_least(&off->due,
		    fabs(left + e * g / share(s, t, v, off)) /
			(1 + fabs(g) + fabs(L)));
		at_least(&off->due,
		    fabs(gradient(s, t, v, 1, 0) - s->piece.g1[v]) /
			(1 + fabs(s->piece.g1[v])));
	}
	off->checked += s->candidate.n;
	off->all += t->N;
}

/* The path of f is as long as its parts: from theta to the end at least. */
static void
look_at_length(const struct kith_wsvm *s, const struct task *t, double before,
    double from, double end, const struct due *due, struct off *off)
{
	double most = 0, fast;

	if (s->candidate.length < before || before == 0 ||
	    (s->margin->size == 0 && t->problem.bias))
		return;
	for (size_t v = 0; v < t->N; v++)
		if (s->set.where[v] == KITH_WSVM_MARGIN)
			most = fmax(most, fabs(s->piece.alpha1[v]));
	fast = sqrt(s->Q_max * fmax(0, due->norm)) +
	    (t->problem.bias ? fabs(s->piece.b1) : 0) +
	    t->problem.ridge * (s->C.rate_max + most) / .125;
	at_least(&off->length,
	    1 - (s->candidate.length - before) / (fast * (end - from)));
	at_least(&off->length,
	    fabs(s->candidate.b_end - s->piece.b0 - end * s->piece.b1));
}

static void
follow(struct task *t, struct off *off)
{
	struct kith_wsvm *s = kith_wsvm_new(&t->problem, t->from, NULL, &pool);
	struct kith_wsvm_piece piece;
	double before = 0;

	kith_wsvm_aim(s, t->to);
	while (kith_wsvm_next(s, &piece, NULL, NULL)) {
		const double from = piece.leg[0], end = piece.leg[1];
		struct due due;

		if (piece.bent) {
			before = 0;
			continue;
		}
		kith_wsvm_bounded_apply(s);
		find_due(s, t, &due);
		look_at_sums(s, t, off, &due);
		look_at_norm(s, t, off, &due);
		look_at_tolerance(s, t, from, off, &due);
		look_at_candidates(s, t, end, off);
		look_at_length(s, t, before, from, end, &due, off);
		for (size_t i = 0; i < s->margin->size; i++) {
			const size_t v = s->margin->list[i];
			const double size = (double)due.C + (double)due.size +
			    10 * t->most;

			at_least(&off->alpha,
			    (fabs(gradient(s, t, v, 0, 1)) +
				fabs(gradient(s, t, v, 1, 0))) /
				size);
		}
		before = s->candidate.length;
	}
}

static void
test_general(size_t type, bool linear)
{
	static const char *const name[TYPES] = {"classes", "numbers", "ranks"};
	struct off off = {0};

	for (unsigned seed = 1; seed <= 6; seed++) {
		struct task t;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, type);
		draw_general(&t, type, linear);
		follow(&t, &off);
		kith_pool_free(&pool);
	}
	ok(off.sums <= 1e-15, "%s: sums over I are exact: %.1e", name[type],
	    off.sums);
	ok(off.scores <= 1e-14, "scores of I: %.1e", off.scores);
	ok(off.energy <= 1e-13, "their energy: %.1e", off.energy);
	ok(off.norm <= .1, "the length of f's rate: %.1e", off.norm);
	ok(off.tol <= 1e-9 && off.pieces > 20 &&
		off.alike * 10 >= off.pieces * 9,
	    "tolerances of %zu pieces: %.1e", off.pieces, off.tol);
	ok(off.checked * 5 <= off.all * 2 && off.known * 10 >= off.pieces * 9,
	    "few are looked at: %zu of %zu", off.checked, off.all);
	ok(off.due <= 1e-9, "looks at gradients in time: %.1e", off.due);
	ok(off.share <= 1e-12 && (off.near > 0) == (type < 2),
	    "shares of %zu: %.1e", off.near, off.share);
	ok(off.length <= 1e-9, "lengths: %.1e", off.length);
	ok(off.alpha <= 1e-13, "gradients of M are 0: %.1e", off.alpha);
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++)
		for (int linear = 0; linear < 2; linear++)
			test_general(type, linear);
	return done();
}
