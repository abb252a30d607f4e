/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/mend.h: what is on the line of the engine, how far a piece
 * goes that is solved anew, where pieces have next to no length, and what is
 * said of those that are off.
 */
#include "wsvm/mend.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/judge.h"
#include "wsvm/leg.h"
#include "wsvm/legs.h"
#include "wsvm/restart.h"

#include <float.h>

enum { TYPES = 3 };

/* A path up to where a piece is solved for: from theta to `end` of the leg. */
struct now {
	struct task t;
	struct kith_wsvm *s;
	double from, end;
};

/*
 * The piece after so many others, of a margin of two or more, on a path whose
 * weights grow to so many times what they were; false: there is none.
 */
static bool
begin(struct now *now, size_t type, size_t pieces, double grow)
{
	struct task *t = &now->t;

	draw_plain(t, type);
	for (size_t v = 0; v < t->N; v++)
		t->to[v] = t->from[v] * (1 + grow * kith_rng_unit(&rng));
	now->s = kith_wsvm_new(&t->problem, t->from, NULL, &pool);
	kith_wsvm_aim(now->s, t->to);
	for (size_t k = 0; kith_wsvm_leg_next(now->s, &now->end, NULL, NULL) ==
	     KITH_WSVM_LINE;
	     k++) {
		if (now->end == 1)
			return false;
		if (k >= pieces && now->s->margin->size > 1)
			break;
		kith_wsvm_leg_pass(now->s, now->end);
	}
	now->from = kith_wsvm_path_theta(now->s, now->s->last.theta);
	kith_wsvm_restart_recall(now->s);
	return true;
}

/* All alpha of M are others than those of a solution. */
static void
disturb(struct now *now, double by)
{
	const struct kith_wsvm_margin *m = now->s->margin;

	for (size_t i = 0; i < m->size; i++)
		now->s->piece.alpha0[m->list[i]] += i % 2 ? by : -by;
}

/* The solution at theta from nothing, and the b that suits its gradients. */
static void
solve(const struct task *t, double theta, double *alpha,
    struct kith_wsvm_point *at)
{
	struct kith_wsvm_solution got;
	double C[400];

	for (size_t v = 0; v < t->N; v++)
		C[v] = kith_wsvm_weight_at(t->from[v], t->to[v], theta);
	kith_wsvm_get(kith_wsvm_new(&t->problem, C, NULL, &pool), &got);
	memcpy(alpha, got.alpha, t->N * sizeof(*alpha));
	*at = (struct kith_wsvm_point){theta, got.b, alpha};
	at->b = kith_wsvm_judge_bias(&t->problem, t->from, t->to, at, false);
}

static double
size_at(const struct task *t, double theta)
{
	double sum = 0;

	for (size_t v = 0; v < t->N; v++)
		sum += task_weight(t, v, theta) *
		    (t->minus ? 2 : 1); /* of K(x, x) = 1 */
	return sum;
}

/*
 * How far a piece goes that is to go to the end of the path: to the first place
 * to which a straight line is right, each half as far as the last, or a 64th
 * where the weights have grown more than that.
 */
static double
go_nearer(const struct now *now, size_t *steps)
{
	const struct task *t = &now->t;
	double alpha[2][400], to = 1;
	struct kith_wsvm_point l, r;

	solve(t, now->from, alpha[0], &l);
	for (*steps = 0;; ++*steps) {
		const bool far = size_at(t, to) > 64 * size_at(t, now->from);

		solve(t, to, alpha[1], &r);
		if (kith_wsvm_judge(&t->problem, t->from, t->to, &l, &r).off <=
		    1)
			return to;
		to = now->from + (to - now->from) / (far ? 64 : 2);
	}
}

static void
test_nearer(size_t type, double grow)
{
	size_t tried = 0, wrong = 0, steps, most = 0;

	for (size_t k = 0; k < 4; k++) {
		struct kith_wsvm_piece piece;
		struct now now;
		double due;

		if (begin(&now, type, k, grow)) {
			due = go_nearer(&now, &steps);
			most = steps > most ? steps : most;
			tried++;
			wrong += !kith_wsvm_mend(now.s, 1) ||
			    now.s->path.end != due || now.s->theta != 1;
			kith_wsvm_mend_piece(
			    now.s, now.from, now.s->path.end, &piece);
			wrong += now.s->count.faults > 0 ||
			    piece.from != now.from || piece.to != due;
		}
		kith_pool_free(&pool);
	}
	ok(wrong == 0 && tried > 1 && most > 2,
	    "%zu pieces, as far as lines are right (%zu others, %zu steps)",
	    tried, wrong, most);
}

/* Pieces of next to no length: the fifth and more go ever farther. */
static void
test_stuck(size_t type)
{
	for (int stuck = 0; stuck < 8; stuck++) {
		const double few = stuck % 2 ? 0 : 15 * DBL_EPSILON;
		struct kith_wsvm_piece piece;
		struct now now;
		double due;

		while (!begin(&now, type, 2, 3))
			kith_pool_free(&pool);
		due = now.from + few;
		if (stuck >= 4)
			due += ldexp(DBL_EPSILON, stuck + 1);
		disturb(&now, .1);
		now.s->path.stuck = stuck;
		ok(kith_wsvm_mend(now.s, now.s->last.theta + few) &&
			now.s->path.stuck == stuck + 1 &&
			fabs(now.s->path.end - due) <= DBL_EPSILON,
		    "a piece of no length after %d others", stuck);
		kith_wsvm_mend_piece(now.s, now.from, now.from, &piece);
		ok(piece.b1 == 0 && piece.b0 == piece.b[1] &&
			piece.f1[0] == 0 && piece.f1[now.t.X.n - 1] == 0,
		    "which has no rates");
		kith_pool_free(&pool);
	}
}

static void
test_unstuck(size_t type)
{
	struct now now;

	while (!begin(&now, type, 2, 3))
		kith_pool_free(&pool);
	disturb(&now, .1);
	now.s->path.stuck = 9;
	ok(kith_wsvm_mend(now.s, now.end) && now.s->path.stuck == 0 &&
		now.s->path.end <= now.end,
	    "one that has a length ends that");
	kith_pool_free(&pool);
}

/* Once many were solved anew, the next is told of, and the worst is kept. */
static void
test_faults(size_t type)
{
	static const double by[] = {.01, .001, .1, 0};
	double worst = 0;
	struct now now;

	while (!begin(&now, type, 1, 3))
		kith_pool_free(&pool);
	for (size_t k = 0; k < 4; k++) {
		const struct kith_wsvm *s = now.s;
		const double to = kith_wsvm_path_theta(s, now.end);
		const struct kith_wsvm_point l = {now.from,
		    s->piece.b0 + s->last.theta * s->piece.b1, s->last.alpha};
		const struct kith_wsvm_fault *fault = &s->count.fault;
		struct kith_wsvm_point r = {
		    to, s->piece.b0 + now.end * s->piece.b1, NULL};
		struct kith_wsvm_verdict is;
		double alpha[400];
		bool mended;

		disturb(&now, by[k]);
		now.s->count.mended = 1001 + s->N;
		kith_wsvm_mend_line(s, now.end, to, alpha);
		r.alpha = alpha;
		is = kith_wsvm_judge(
		    &now.t.problem, now.t.from, now.t.to, &l, &r);
		worst = fmax(worst, is.off);
		mended = kith_wsvm_mend(now.s, now.end);
		ok(!mended && s->count.faults == (k < 3 ? k + 1 : 3) &&
			fault->off == worst && fault->theta == to,
		    "of %zu faults the worst is %.2g", s->count.faults,
		    fault->off);
		if (is.off == worst)
			is_text(fault->what, is.what, "and what it is");
		disturb(&now, -by[k]);
	}
	now.s->count.mended = 1000 + now.s->N;
	disturb(&now, .1);
	ok(kith_wsvm_mend(now.s, now.end), "one fewer is solved anew");
	kith_pool_free(&pool);
}

/* alpha on the line: within its bounds, and on them beside the largest of M. */
static void
test_line(size_t type)
{
	static const double above[] = {-1, 0, 9e-14, 1.1e-13, .3, 9};
	size_t wrong = 0;

	for (size_t k = 0; k < sizeof(above) / sizeof(*above); k++) {
		struct now now;
		double alpha[400], most = 0;
		const size_t *list;

		while (!begin(&now, type, 1, 3))
			kith_pool_free(&pool);
		list = now.s->margin->list;
		for (size_t i = 1; i < now.s->margin->size; i++)
			most = fmax(
			    most, kith_wsvm_alpha(now.s, list[i], now.end));
		now.s->piece.alpha1[list[0]] = 0;
		now.s->piece.alpha0[list[0]] = above[k] * most;
		kith_wsvm_mend_line(now.s, now.end,
		    kith_wsvm_path_theta(now.s, now.end), alpha);
		for (size_t v = 0; v < now.t.N; v++) {
			const int8_t where = now.s->set.where[v];
			const double C = task_weight(
			    &now.t, v, kith_wsvm_path_theta(now.s, now.end));
			double due = where == KITH_WSVM_IN ? C : 0;

			if (where == KITH_WSVM_MARGIN)
				due = fmax(0,
				    fmin(
					C, kith_wsvm_alpha(now.s, v, now.end)));
			wrong += !(fabs(alpha[v] - due) <= 1e-12);
		}
		wrong += (alpha[list[0]] == 0) != (k < 3);
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "alpha of the line is within its bounds");
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, type);
		test_nearer(type, 5);
		test_nearer(type, 400);
		test_stuck(type);
		test_unstuck(type);
		test_faults(type);
		test_line(type);
	}
	return done();
}
