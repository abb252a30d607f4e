/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/wsvm/legs.h and of what lib/wsvm/restart.h puts on a bound: where
 * legs end and what they begin with, by the sizes of the weights; by hand.
 */
#include "wsvm/legs.h"

#include "tap.h"
#include "wsvm/draw.h"
#include "wsvm/restart.h"
#include "wsvm/state.h"

static struct task t;

/* Rows 1 and -1 of either class, of which each weighs half of the sizes. */
static struct kith_wsvm *
begin(double from, double to)
{
	task_new(&t, 2, 1, 2, false);
	for (size_t v = 0; v < 2; v++) {
		t.X.v[v] = v ? -1 : 1;
		t.plus[v] = v;
		t.sign[v] = v ? -1 : 1;
		t.q[v] = -1;
		t.from[v] = from / 2;
		t.to[v] = to / 2;
	}
	task_ready(&t, KITH_KERN_LINEAR, 1, 0);
	return kith_wsvm_new(&t.problem, t.from, NULL, &pool);
}

/* The size at which the leg that begins with `now` ends; to: that of the path. */
static double
stop(double now, double to)
{
	const double grown = fmax(1e3 * now, 100);

	if (to > now)
		return to <= grown ? to : grown;
	return to >= .01 * now || now <= 1e-3 ? to : .01 * now;
}

/* All legs of a path, and what each begins with. */
static void
test_path(double from, double to, size_t due)
{
	struct kith_wsvm *s = begin(from, to);
	struct kith_wsvm_piece piece;
	double base = -1, now = from, rebuilt = from;
	const double few = 4e-16 * from; /* of weights that nearly vanish */
	size_t legs = 0, wrong = 0;

	kith_wsvm_aim(s, t.to);
	do {
		double end;

		if (s->path.base == base)
			continue;
		legs++;
		base = s->path.base;
		wrong += !(fabs(kith_wsvm_legs_size(s, base) - now) <=
		    1e-12 * now + few);
		if (legs > 1 && now < rebuilt / 8)
			rebuilt = now;
		wrong += !(
		    fabs(s->path.rebuilt - rebuilt) <= 1e-12 * rebuilt + few);
		now = stop(now, to);
		end = now == to ? 1 : (now - from) / (to - from);
		wrong += !(fabs(s->path.end - end) <= 1e-12) ||
		    s->path.length != s->path.end - base;
		for (size_t v = 0; v < 2; v++)
			wrong += s->C.from[v] !=
				kith_wsvm_weight_at(t.from[v], t.to[v], base) ||
			    s->C.to[v] !=
				kith_wsvm_weight_at(
				    t.from[v], t.to[v], s->path.end);
	} while (kith_wsvm_next(s, &piece, NULL, NULL));
	ok(legs == due && wrong == 0, "from %g to %g: %zu legs", from, to,
	    legs);
	kith_pool_free(&pool);
}

/* alpha that is put on a bound, at the end of a leg that is theta of the path. */
static void
test_kept(void)
{
	static const struct {
		double a, C, most, path, rate, due;
	} kept[] = {
	    {1e-14, .5, 1, .5, 1, 0},
	    {2e-13, .5, 1, .5, 1, 2e-13},
	    {9.9e-14, .5, 1, .5, 1, 0},
	    {9.9e-14, .5, .9, .5, 1, 9.9e-14},
	    {-1, .5, 1, .5, 1, 0},
	    {9e-15, 1e-14, 1, 1e-14, 1, 9e-15},
	    {4.9e-15, 1e-14, 1, 1e-14, 1, 0},
	    {.5 - 1e-14, .5, 1, .5, 1, .5},
	    {.5 - 4.9e-14, .5, 1, .5, 1, .5},
	    {.5 - 6e-14, .5, 1, .5, 1, .5 - 6e-14},
	    {.5 - 1e-14, .5, 1e-3, .5, 1, .5 - 1e-14},
	    {.5 - 1e-12, .5, 1, .5, 1, .5 - 1e-12},
	    {1.5, .5, 1, .5, 1, .5},
	    {.5 + 5e-11, .5 + 1e-10, 1, .5, 1, .5 + 5e-11},
	    {.5 + 5e-11, .5 + 1e-10, 1, .5, 1e6, .5},
	    {.5 + 5e-11, .5 + 4.8e-10, 1, .5, 1e6, .5},
	    {.5 + 5e-11, .5 + 5.2e-10, 1, .5, 1e6, .5 + 5e-11},
	};
	size_t wrong = 0;

	for (size_t k = 0; k < sizeof(kept) / sizeof(*kept); k++) {
		struct kith_wsvm *s = begin(1, 1);
		const double theta = kept[k].path / kept[k].rate;
		double is;

		s->C.from[0] = kept[k].C;
		s->C.rate[0] = 0;
		s->path.from[0] = 0;
		s->path.to[0] = kept[k].rate;
		s->piece.alpha0[0] = kept[k].a - 2;
		s->piece.alpha1[0] = 4;
		is = kith_wsvm_restart_kept(s, 0, .5, theta, kept[k].most);
		if (!(fabs(is - kept[k].due) <= 4e-16)) {
			wrong++;
			printf("# %zu: %.17g\n", k, is);
		}
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "on a bound where rounding alone is between");
}

/* A start from another solution, its sets above its alpha. */
static void
test_warm(void)
{
	const double f[] = {0, 0};
	const struct {
		double alpha[2];
		int8_t where[2];
		bool starts;
	} start[] = {
	    {{.5, .5}, {KITH_WSVM_MARGIN, KITH_WSVM_MARGIN}, true},
	    {{.5, .4}, {KITH_WSVM_MARGIN, KITH_WSVM_MARGIN}, false},
	    {{.5, .5 + 3.9e-6}, {KITH_WSVM_MARGIN, KITH_WSVM_MARGIN}, true},
	    {{.5, .5 + 4.1e-6}, {KITH_WSVM_MARGIN, KITH_WSVM_MARGIN}, false},
	    {{3, 2}, {KITH_WSVM_OUT, KITH_WSVM_OUT}, true},
	    {{3, 2}, {KITH_WSVM_IN, KITH_WSVM_IN}, true},
	    {{9, 4}, {KITH_WSVM_MARGIN, KITH_WSVM_MARGIN}, true},
	    {{-1, 0}, {KITH_WSVM_MARGIN, KITH_WSVM_MARGIN}, true},
	    {{4, 0}, {KITH_WSVM_IN, KITH_WSVM_OUT}, false},
	};
	size_t wrong = 0;

	for (size_t k = 0; k < sizeof(start) / sizeof(*start); k++) {
		struct kith_wsvm *s;
		const struct kith_wsvm_solution from = {
		    0, start[k].alpha, f, start[k].where};

		begin(8, 8);
		s = kith_wsvm_state_new(&t.problem, &pool);
		s->theta = 1;
		memcpy(s->C.from, t.from, 2 * sizeof(*t.from));
		wrong += kith_wsvm_warm_start(s, &from) != start[k].starts;
		kith_pool_free(&pool);
	}
	is_size(wrong, 0, "a start is one where e' alpha is near 0");
}

static void
tally(void *to, const struct kith_wsvm_event *event)
{
	(void)event;
	++*(size_t *)to;
}

/*
 * A piece goes on where its leg begins, and nothing else does; where M is empty,
 * pieces meet without an event as well.
 */
static void
test_goes_on(void)
{
	size_t on = 0, quiet = 0, wrong = 0;

	kith_rng_seed(&rng, 1, KITH_RNG_SAMPLE, 0);
	for (int k = 0; k < 10; k++) {
		struct kith_wsvm_piece piece;
		struct kith_wsvm *s;
		size_t events = 0, was = 0;

		draw_plain(&t, 0);
		for (size_t v = 0; v < t.N; v++) {
			t.from[v] = .03 * (1 + kith_rng_unit(&rng));
			t.to[v] = 1e-4 * kith_rng_unit(&rng);
			t.sign[v] = v % 2 ? 1 : -1;
			if (v % 2) { /* so all may be in */
				t.from[v] = t.from[v - 1];
				t.to[v] = t.to[v - 1];
			}
		}
		s = kith_wsvm_new(&t.problem, t.from, NULL, &pool);
		kith_wsvm_aim(s, t.to);
		for (; kith_wsvm_next(s, &piece, tally, &events);
		     was = events) {
			const bool cut = piece.from == s->path.base &&
			    piece.from > 0;

			wrong += piece.goes_on != (cut && events == was);
			on += piece.goes_on;
			quiet += !cut && events == was && piece.from > 0 &&
			    s->path.base > 0;
		}
		kith_pool_free(&pool);
	}
	ok(wrong == 0 && on > 3 && quiet > 0,
	    "%zu pieces go on in another leg, not %zu others", on, quiet);
}

int
main(void)
{
	test_path(2, 1500, 1);
	test_path(2, 2000, 1);
	test_path(2, 2001, 2);
	test_path(2, 1e4, 2);
	test_path(2e-3, 90, 1);
	test_path(2e-3, 101, 2);
	test_path(2e-3, 1e12, 5);
	test_path(2, .03, 1);
	test_path(2, .02, 1);
	test_path(2, .019, 2);
	test_path(2e6, 0, 6);
	test_path(1e-3, 0, 1);
	test_path(1.1e-3, 0, 2);
	test_path(0, 5e5, 3);
	test_kept();
	test_warm();
	test_goes_on();
	return done();
}
