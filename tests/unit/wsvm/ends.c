/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/ends.h: variables of O and I that have moved since the last
 * piece has ended, at each place alone and many of them, beside plain sums.
 */
#include "wsvm/ends.h"

#include "base/rng.h"
#include "tap.h"

#include <math.h>
#include <string.h>

enum { N = 101, PIECE = 7, SEEDS = 300 };

static const double C = 1; /* of each variable */

static struct kith_rng rng;
static struct kith_wsvm s;
static struct kith_wsvm_margin margin; /* M is empty */
static double from[N], rate[N], root[N], sign[N], alpha[N], zero[N];
static int8_t where[N];
static size_t live[N];
static _Alignas(64) size_t stored[N]; /* is read by vectors */

/* The first `in` variables are in I, the others in O; none has moved. */
static void
begin(size_t in)
{
	s = (struct kith_wsvm){.N = N, .margin = &margin};
	s.C.from = from;
	s.C.rate = rate;
	s.C.live = live;
	s.C.n_live = N;
	s.set.where = where;
	s.root = root;
	s.form.sign = sign;
	s.form.bias = true;
	s.path.from = s.path.to = zero;
	s.path.length = 1;
	s.piece.alpha0 = s.piece.alpha1 = zero;
	s.last.alpha = alpha;
	s.last.stored = stored;
	s.last.number = PIECE;
	for (size_t v = 0; v < N; v++) {
		live[v] = v;
		from[v] = C;
		root[v] = (double)(1 + v % 8);
		sign[v] = v % 2 ? -1 : 1;
		where[v] = v < in ? KITH_WSVM_IN : KITH_WSVM_OUT;
		stored[v] = PIECE - 1 - v % 2;
		alpha[v] = 9;
	}
}

/* What v had was so much beside its bound. */
static void
move(size_t v, double by)
{
	stored[v] = PIECE;
	alpha[v] = by + (where[v] == KITH_WSVM_IN ? C : 0);
}

static void
test_each(void)
{
	struct kith_wsvm_ends e[2];
	bool seen = true, all = true;

	begin(10);
	ok(kith_wsvm_ends(&s, 1, 0, e) && e[0].apart <= 0, "none has moved");
	for (size_t v = 0; v < N; v++) {
		begin(10);
		move(v, .5);
		seen = seen && !kith_wsvm_ends(&s, 1, .25, e) &&
		    e[0].apart == root[v] / 2;
		all = all && kith_wsvm_ends(&s, 1, .5, e);
	}
	ok(seen, "one is seen wherever it stands");
	ok(all, "and may be as far off as is sound, of the largest in I");
	begin(10);
	move(20, .5);
	move(22, -.5);
	move(70, 0);
	ok(!kith_wsvm_ends(&s, 1, .25, e) && kith_wsvm_ends(&s, 1, .5, e),
	    "of several the largest counts, where their sum is 0");
	for (size_t v = 0; v < N; v++) {
		begin(10);
		for (size_t w = 0; w < N; w++)
			if (w != v)
				move(w, -.5);
		kith_wsvm_ends(&s, 1, .25, e);
		for (size_t w = 0; w < N; w++)
			e[0].apart -= w == v ? 0 : root[w] / 2;
		seen = seen && e[0].apart == 0;
	}
	ok(seen, "all but one");
}

/* Multiples of 1/1024, whose sums are exact. */
static void
test_random(void)
{
	struct kith_wsvm_ends e[2];
	size_t wrong = 0, sound = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		double apart = 0, off = 0, sum = 0, in = 0;
		size_t few;

		kith_rng_seed(&rng, seed, KITH_RNG_SAMPLE, 0);
		begin((size_t)kith_rng_below(&rng, N + 1));
		few = (size_t)kith_rng_below(&rng, 12);
		for (size_t v = 0; v < N; v++) {
			const double by = ((double)kith_rng_below(&rng, 17) -
					      8) /
			    1024;

			in = where[v] == KITH_WSVM_IN ? C : in;
			if (kith_rng_below(&rng, 40) > few)
				continue;
			move(v, by);
			apart += root[v] * fabs(by);
			off = fmax(off, fabs(by));
			sum += sign[v] * by;
		}
		s.in.sum.C_sign.high = -1. / 1024;
		sum -= 1. / 1024;
		sound += fmax(off, fabs(sum)) <= in / 112;
		wrong += kith_wsvm_ends(&s, 1, 1. / 112, e) !=
			(fmax(off, fabs(sum)) <= in / 112) ||
		    e[0].apart != apart;
	}
	is_size(wrong, 0, "random ones: as by definition");
	ok(sound > SEEDS / 10 && sound < SEEDS * 9 / 10, "some are sound: %zu",
	    sound);
}

int
main(void)
{
	test_each();
	test_random();
	return done();
}
