/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/relief/ascent.h: a curved valley, and how a search of it ends. */
#include "relief/ascent.h"

#include "base/pool.h"
#include "tap.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 2, MANY = 500 };

static struct kith_pool pool;

struct valley {
	size_t calls, twice; /* twice: at the point before */
	double last[N];
};

static bool
same(const double *a, const double *b)
{
	return a[0] >= b[0] && a[0] <= b[0] && a[1] >= b[1] && a[1] <= b[1];
}

/* 1 + 100 (y - x^2)^2 + (1 - x)^2, whose minimum is at (1, 1). */
static double
valley(void *to, const double *v, double *g)
{
	struct valley *in = to;
	const double x = v[0], off = v[1] - x * x;

	in->twice += in->calls > 0 && same(in->last, v);
	in->calls++;
	memcpy(in->last, v, sizeof(in->last));
	g[0] = -400 * x * off - 2 * (1 - x);
	g[1] = 200 * off;
	return 1 + 100 * off * off + (1 - x) * (1 - x);
}

struct end {
	enum kith_relief_end end;
	double v[N], f;
	size_t iterations, calls;
	bool arrived;
};

/* A search from (-1.2, 1). */
static struct end
go(struct kith_relief_ascent *search)
{
	struct valley in = {0};
	double *v = kith_relief_ascent_room(N, &pool), g[N];
	struct end got = {0};

	search->to = &in;
	v[0] = -1.2;
	v[1] = 1;
	got.end = kith_relief_ascend(search, v, g, &got.f);
	memcpy(got.v, v, sizeof(got.v));
	got.iterations = search->iterations;
	got.calls = in.calls;
	got.arrived = kith_relief_arrived(search, got.end, v, g);
	ok(in.twice == 0, "no value is asked for twice in a row");
	return got;
}

/* A search that is used once more does the same. */
static struct end
go_twice(struct kith_relief_ascent *search, const char *what)
{
	const struct end one = go(search), two = go(search);

	ok(one.end == two.end && one.iterations == two.iterations &&
		one.calls == two.calls && one.f <= two.f && one.f >= two.f &&
		same(one.v, two.v),
	    "%s: the same once more, %zu and %zu iterations", what,
	    one.iterations, two.iterations);
	return one;
}

static void
test_ends(void)
{
	struct kith_relief_ascent search = {
	    .value = valley, .n = N, .tol = 1e-6, .max_iter = MANY, .rows = 1};
	struct end got = go_twice(&search, "to the bottom");
	size_t all;

	ok(got.end == KITH_RELIEF_GRADIENT && got.arrived &&
		fabs(got.v[0] - 1) < 1e-5 && fabs(got.v[1] - 1) < 1e-5,
	    "to (1, 1)");
	is_near(got.f, 1, 1e-10, "where the value is 1");
	all = got.iterations;
	ok(all > KITH_RELIEF_PAST && all < MANY, "in %zu iterations", all);
	search.max_iter = 5;
	got = go_twice(&search, "five iterations");
	ok(got.end == KITH_RELIEF_LIMIT && !got.arrived &&
		got.iterations == 5 && got.f > 1.01,
	    "are not enough");
	search.max_iter = all;
	ok(go(&search).end == KITH_RELIEF_GRADIENT, "as many as are needed");
	search.max_iter = MANY;
	search.gain = 1;
	got = go_twice(&search, "no gain is enough");
	ok(got.end == KITH_RELIEF_GAIN && got.arrived &&
		got.iterations == KITH_RELIEF_PAST + 1,
	    "it ends as soon as there are enough to compare");
	search.gain = 0;
	search.tol = 1e9;
	got = go_twice(&search, "anything will do");
	ok(got.end == KITH_RELIEF_GRADIENT && got.iterations == 0 &&
		got.calls == 1,
	    "the start is looked at once");
}

/* Derivatives of the logarithms of v, which have no unit, where it is flat. */
static void
test_arrived(void)
{
	const struct kith_relief_ascent search = {.n = N, .tol = .1};
	const double v[N] = {.5, -2}, small[N] = {.2, .05}, large[N] = {0, .06};

	ok(kith_relief_arrived(&search, KITH_RELIEF_FLAT, v, small),
	    "flat, and as small as asked");
	ok(!kith_relief_arrived(&search, KITH_RELIEF_FLAT, v, large),
	    "flat, and larger");
	ok(!kith_relief_arrived(&search, KITH_RELIEF_LIMIT, v, small),
	    "at the limit");
}

int
main(void)
{
	test_ends();
	test_arrived();
	kith_pool_free(&pool);
	return done();
}
