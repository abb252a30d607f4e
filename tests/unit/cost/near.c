/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/cost/cost.h and near.h: sums, and what grows with what. */
#include "cost/near.h"

#include "cost/cost.h"
#include "cost/pace.h"
#include "cost/speed.h"
#include "cost/usage.h"
#include "tap.h"

static void
test_sums(void)
{
	struct kith_cost cost = {0};

	kith_cost_add(&cost, 2);
	kith_cost_range(&cost, 1, 3);
	kith_cost_alone(&cost, .5, 1);
	kith_cost_hold(&cost, 100);
	kith_cost_times(&cost, 10);
	is_near(cost.low, 30, 0, "the least of shared work");
	is_near(cost.high, 50, 0, "the most");
	is_near(cost.low_own, 5, 0, "and of work that is not shared");
	is_near(cost.high_own, 10, 0, "the most");
	is_near(cost.bytes, 100, 0, "bytes are held once");
	is_near(cost.most_bytes, 100, 0, "at most, too");
}

static struct kith_cost
cost_of(struct kith_cost_near of)
{
	struct kith_cost cost = {0};

	kith_cost_near(&of, &cost);
	return cost;
}

static bool
less(const struct kith_cost *a, const struct kith_cost *b)
{
	return a->low <= b->low && a->high < b->high && a->bytes <= b->bytes;
}

/* A search that is larger in one way costs more, whatever serves it. */
static void
test_growth(enum kith_metric_kind kind, size_t p, const char *name)
{
	const struct kith_cost_near of = {.n = 5000, .p = p, .m = 4000, .k = 5, .kind = kind};
	struct kith_cost_near more[3] = {of, of, of};
	const struct kith_cost cost = cost_of(of);

	more[0].n *= 2;
	more[1].m *= 2;
	more[2].k *= 2;
	ok(0 < cost.low && cost.low <= cost.high && cost.bytes >= 0, "%s: a range", name);
	for (size_t i = 0; i < 3; i++) {
		const struct kith_cost larger = cost_of(more[i]);

		ok(less(&cost, &larger), "%s: more of %c", name, "nmk"[i]);
	}
}

/* Few queries cost the plain loop, and hold no index. */
static void
test_few(void)
{
	const struct kith_cost_near of = {.n = 5000, .p = 30, .m = 1, .k = 5, .kind = KITH_SQUARED};
	struct kith_cost_near many = of;
	const struct kith_cost few = cost_of(of);

	many.m = 100;
	is_near(few.bytes, 0, 0, "one query: no index");
	is_near(few.low, few.high, 0, "one way");
	ok(cost_of(many).bytes > 0, "100 queries: an index");
}

static void
test_machine(void)
{
	const double held = kith_usage_bytes(), most = kith_usage_most();
	const double pace = kith_cost_pace(), speed = kith_cost_speed();

	ok(0 < held && held <= 1.5 * most, "bytes held now");
	ok(kith_usage_seconds() > 0, "seconds until now");
	ok(.01 < pace && pace < 1000, "a pace");
	ok(.01 < speed && speed < 1000, "a speed");
}

int
main(void)
{
	test_sums();
	test_growth(KITH_SQUARED, 3, "tree");
	test_growth(KITH_SQUARED, 30, "screen");
	test_growth(KITH_ABSOLUTE, 30, "screen of |D|");
	test_growth(KITH_ABSOLUTE_MATRIX, 30, "plain loop");
	test_few();
	test_machine();
	return done();
}
