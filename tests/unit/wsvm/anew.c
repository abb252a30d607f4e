/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/mend.h: how far a piece goes that is solved anew, where
 * pieces have next to no length, and what is said of those that are off.
 */
#include "wsvm/mend.h"

#include "tap.h"
#include "wsvm/judge.h"
#include "wsvm/now.h"

#include <float.h>

enum { TYPES = 3 };

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

/*
 * Pieces of next to no length: the fifth and more go ever farther, until one has
 * a length.
 */
static void
test_stuck(size_t type)
{
	for (int stuck = 0; stuck < 9; stuck++) {
		static const double units[] = {0, 16, 17};
		const double few = units[stuck % 3] * DBL_EPSILON;
		const int next = stuck % 3 < 2 ? stuck + 1 : 0;
		struct kith_wsvm_piece piece;
		struct now now;
		double due;

		while (!begin(&now, type, 2, 3))
			kith_pool_free(&pool);
		due = now.from + few;
		if (next > 4)
			due += ldexp(DBL_EPSILON, next);
		disturb(&now, .1);
		/* The solution there is another than that before. */
		now.s->last.alpha[now.s->margin->list[0]] += few > 0 ? 0 : .1;
		now.s->path.stuck = stuck;
		ok(kith_wsvm_mend(now.s, now.s->last.theta + few) &&
			now.s->path.stuck == next &&
			fabs(now.s->path.end - due) <= DBL_EPSILON,
		    "a piece of %g units, after %d others", units[stuck % 3],
		    stuck);
		kith_wsvm_mend_piece(now.s, now.from, now.from, &piece);
		ok(now.s->count.faults == 0 && piece.b1 == 0 &&
			piece.b0 == piece.b[1] && piece.f1[0] == 0 &&
			piece.f1[now.t.X.n - 1] == 0,
		    "which has no rates, and is sound");
		kith_pool_free(&pool);
	}
}

/* However many had no length, a piece ends with the path. */
static void
test_end(size_t type)
{
	struct now now;

	while (!begin(&now, type, 2, 3))
		kith_pool_free(&pool);
	disturb(&now, .1);
	now.s->last.alpha[now.s->margin->list[0]] += .1;
	now.s->path.stuck = 60;
	ok(kith_wsvm_mend(now.s, now.s->last.theta) && now.s->path.end == 1,
	    "a piece to %g", now.s->path.end);
	kith_pool_free(&pool);
}

/* The verdict on the engine's piece that is disturbed by so much. */
static struct kith_wsvm_verdict
judge(struct now *now, double by)
{
	const struct kith_wsvm *s = now->s;
	const double to = kith_wsvm_path_theta(s, now->end);
	double alpha[400];
	const struct kith_wsvm_point l = {now->from,
	    s->piece.b0 + s->last.theta * s->piece.b1, s->last.alpha};
	const struct kith_wsvm_point r = {
	    to, s->piece.b0 + now->end * s->piece.b1, alpha};

	disturb(now, by);
	kith_wsvm_mend_line(s, now->end, to, alpha);
	return kith_wsvm_judge(&now->t.problem, now->t.from, now->t.to, &l, &r);
}

/* Whether the piece that is disturbed so is solved anew. */
static bool
mends(struct now *now, double by, size_t mended)
{
	disturb(now, by);
	now->s->count.mended = mended;
	return kith_wsvm_mend(now->s, now->end);
}

/* Once many were solved anew, the next is told of, and the worst is kept. */
static void
test_faults(size_t type)
{
	double by[] = {0, .01, 0, .01, .001, .1}, worst = 0;
	struct kith_wsvm_fault *fault;
	struct now now;
	size_t most;

	while (!begin(&now, type, 1, 3))
		kith_pool_free(&pool);
	fault = &now.s->count.fault;
	most = 1000 + now.t.N;
	by[2] = .01 * 1.5 / judge(&now, .01).off;
	for (size_t k = 0; k < sizeof(by) / sizeof(*by); k++) {
		const struct kith_wsvm_verdict is = judge(&now, by[k]);
		const bool mended = mends(&now, by[k], most + 1);

		worst = fmax(worst, k ? is.off : 0);
		ok(!mended && now.s->count.faults == k && fault->off == worst,
		    "of %zu faults the worst is %.2g", k, worst);
		if (k > 0 && is.off == worst)
			ok(strcmp(fault->what, is.what) == 0 &&
				fault->theta == (k == 3 ? -1 : now.end),
			    "it is told, of equal ones the first");
		if (k == 1)
			fault->theta = -1;
	}
	ok(mends(&now, .1, most), "one fewer is solved anew");
	kith_pool_free(&pool);
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, type);
		test_nearer(type, 5);
		test_nearer(type, 400);
		test_stuck(type);
		test_end(type);
		test_faults(type);
	}
	return done();
}
