/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/mend.h: what is on the line of the engine, where a piece
 * begins elsewhere than this, and which lines are sound.
 */
#include "wsvm/mend.h"

#include "tap.h"
#include "wsvm/judge.h"
#include "wsvm/now.h"

enum { TYPES = 3 };

/* alpha on the line: within its bounds, and on them beside the largest of M. */
static void
test_line(size_t type)
{
	static const double above[] = {-1, 0, 9e-14, 1.1e-13, .3, 9};
	size_t wrong = 0;

	for (size_t k = 0; k < sizeof(above) / sizeof(*above); k++) {
		struct now now;
		double alpha[400];
		size_t last;

		while (!begin(&now, type, 1, 3))
			kith_pool_free(&pool);
		last = now.s->margin->list[now.s->margin->size - 1];
		for (size_t i = 0; i < now.s->margin->size; i++) {
			const size_t v = now.s->margin->list[i];

			now.s->piece.alpha1[v] = 0;
			now.s->piece.alpha0[v] = i ? .1 : .2; /* the largest */
		}
		now.s->piece.alpha0[last] = above[k] * .2;
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
		wrong += (alpha[last] == 0) != (k < 3);
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "alpha of the line is within its bounds");
}

/*
 * One that is out, or in, is elsewhere where the last piece has ended, by less
 * than the judge minds: the piece is the line from there, and ends as it did.
 */
static void
test_start(size_t type)
{
	size_t wrong = 0, tried = 0;

	for (size_t k = 0; k < 6; k++) {
		struct kith_wsvm_piece piece;
		struct now now;
		double most = 0, left, alpha[400];
		size_t v = 0;

		while (!begin(&now, type, 1 + k % 3, 3))
			kith_pool_free(&pool);
		for (size_t w = 0; w < now.t.N; w++)
			most = fmax(most, now.s->last.alpha[w]);
		while (v < now.t.N &&
		    now.s->set.where[v] !=
			(k % 2 ? KITH_WSVM_IN : KITH_WSVM_OUT))
			v++;
		if (v < now.t.N) {
			left = now.s->last.alpha[v] += (k % 2 ? -1 : 1) * 5e-9 *
			    most;
			tried++;
			wrong += !kith_wsvm_mend(now.s, now.end) ||
			    now.s->count.mended > 0 ||
			    now.s->path.end != now.end;
			kith_wsvm_mend_piece(
			    now.s, now.from, now.s->path.end, &piece);
			kith_wsvm_point(&piece, piece.from, alpha);
			wrong += alpha[v] != left || !piece.bent ||
			    now.s->count.faults > 0;
		}
		kith_pool_free(&pool);
	}
	ok(wrong == 0 && tried > 1, "%zu pieces begin elsewhere (%zu others)",
	    tried, wrong);
}

/* The verdict on the line that is disturbed by so much, with the b that suits. */
static double
judge(struct now *now, double by)
{
	const struct task *t = &now->t;
	const struct kith_wsvm *s = now->s;
	double alpha[400];
	struct kith_wsvm_point l = {now->from,
	    s->piece.b0 + s->last.theta * s->piece.b1, s->last.alpha};
	struct kith_wsvm_point r = {
	    now->end, s->piece.b0 + now->end * s->piece.b1, alpha};

	disturb(now, by);
	kith_wsvm_mend_line(s, now->end, now->end, alpha);
	l.b = kith_wsvm_judge_bias(&t->problem, t->from, t->to, &l, false);
	r.b = kith_wsvm_judge_bias(&t->problem, t->from, t->to, &r, false);
	return kith_wsvm_judge(&t->problem, t->from, t->to, &l, &r).off;
}

/* A line whose verdict is just above the limit is solved anew, none below. */
static void
test_limit(size_t type)
{
	size_t wrong = 0;

	for (int over = 0; over < 2; over++) {
		struct now now;
		double by = 1e-9;

		while (!begin(&now, type, 1, 3))
			kith_pool_free(&pool);
		now.s->piece.b0 += 1; /* it is off with its own b */
		while (judge(&now, by) <= 1)
			by *= 1.02;
		if (!over)
			by /= 1.02;
		disturb(&now, by);
		if (!now.t.problem.bias && !over) /* then it is as it was */
			wrong += kith_wsvm_mend(now.s, now.end);
		else
			wrong += !kith_wsvm_mend(now.s, now.end);
		wrong += (now.s->count.mended > 0) != over;
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "the limit is that of the judge");
}

int
main(void)
{
	for (size_t type = 0; type < TYPES; type++) {
		kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, type);
		test_line(type);
		test_start(type);
		test_limit(type);
	}
	return done();
}
