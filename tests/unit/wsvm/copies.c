/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/pivot.h by paths of which all variables come to their
 * margin at one theta: few or many copies of two rows, whose f is known.
 */
#include "wsvm/judge.h"
#include "wsvm/wsvm.h"

#include "tap.h"
#include "wsvm/draw.h"

/*
 * Copies of the rows -1 and 1 of either class, whose weights grow at rates of
 * their own from a sum of .1 to 2: up to a sum S of .5, alpha is C and f = 2 S
 * x.
 */
static void
draw_copies(struct task *t, size_t copies, double ridge)
{
	double sum[2] = {0, 0};

	task_new(t, 2 * copies, 1, 2 * copies, false);
	for (size_t v = 0; v < 2 * copies; v++) {
		t->X.v[v] = v % 2 ? 1 : -1;
		t->plus[v] = v;
		t->sign[v] = v % 2 ? 1 : -1;
		t->q[v] = -1;
		t->from[v] = v % 2 ? t->from[v - 1] : kith_rng_unit(&rng);
		t->to[v] = v % 2 ? t->to[v - 1] : kith_rng_unit(&rng);
		sum[0] += t->from[v] / 2;
		sum[1] += t->to[v] / 2;
	}
	for (size_t v = 0; v < 2 * copies; v++) {
		t->from[v] *= .1 / sum[0];
		t->to[v] *= 2 / sum[1];
	}
	task_ready(t, KITH_KERN_LINEAR, 1, ridge);
}

static void
test_copies(size_t copies, double ridge)
{
	struct kith_wsvm_piece piece;
	struct kith_wsvm_count count;
	struct kith_wsvm *s;
	struct task t;
	double off = 0, f[400], alpha[2][400], f_off = 0;
	size_t most = 0;

	draw_copies(&t, copies, ridge);
	s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
	kith_wsvm_aim(s, t.to);
	while (kith_wsvm_next(s, &piece, NULL, NULL)) {
		struct kith_wsvm_point at[2];

		for (int k = 0; k < 2; k++) {
			const double theta = k ? piece.to : piece.from;
			const double S = .1 + 1.9 * theta;

			at[k] = (struct kith_wsvm_point){theta,
			    kith_wsvm_point(&piece, theta, alpha[k]), alpha[k]};
			kith_wsvm_point_scores(&piece, theta, f);
			for (size_t i = 0; i < t.X.n; i++)
				f_off = fmax(f_off,
				    fabs(f[i] - t.X.v[i] * fmin(1, 2 * S)));
		}
		most = piece.margin > most ? piece.margin : most;
		off = fmax(off,
		    kith_wsvm_judge(&t.problem, t.from, t.to, &at[0], &at[1])
			.off);
	}
	kith_wsvm_count(s, &count);
	ok(off <= 1 && f_off <= 1e-9 + ridge && count.faults == 0,
	    "%zu copies, ridge %g: f is off by %.1e", copies, ridge, f_off);
	ok(most > 1, "%zu variables on the margin, at most", most);
	kith_pool_free(&pool);
}

int
main(void)
{
	static const size_t copies[] = {1, 2, 16, 32, 33, 80};

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (size_t k = 0; k < sizeof(copies) / sizeof(*copies); k++) {
		test_copies(copies[k], 0);
		test_copies(copies[k], 1e-6);
	}
	return done();
}
