/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/sqpfw/sqpfw.h by what must not matter - units, pieces of a path, a judge that was
 * asked before - and of its events, limits and ties.  sqpfw.t has threads.
 */
#include "sqpfw/data.h"
#include "tap.h"

static struct kith_pool pool;

struct log {
	struct kith_sqpfw_event event[4096];
	size_t n;
};

static void
report(void *to, const struct kith_sqpfw_event *event)
{
	struct log *log = to;

	if (log->n < 4096)
		log->event[log->n] = *event;
	log->n++;
}

/* Whether events lead from the start to what is there at the end, each from where the last led. */
static bool
adds_up(const struct log *log, const struct kith_sqpfw_now *now, size_t p)
{
	static int8_t state[3][ROWS][ROWS]; /* 10 more than the state; 0: not known yet */
	size_t ties = 0, zero = 0;
	bool good = log->n <= 4096;

	memset(state, 0, sizeof(state));

	for (size_t k = 0; k < log->n && good; k++) {
		const struct kith_sqpfw_event *e = &log->event[k];

		int8_t *last = &state[e->kind][e->row][e->other];

		good = e->was != e->becomes && e->theta <= now->theta &&
		    (*last == 0 || *last == (int8_t)(10 + e->was)) &&
		    (e->kind == KITH_SQPFW_WEIGHT) == (e->was >= KITH_SQPFW_ZERO);
		*last = (int8_t)(10 + e->becomes);
		ties += e->becomes == KITH_SQPFW_TIED;
		ties -= e->was == KITH_SQPFW_TIED;
		zero += e->becomes == KITH_SQPFW_ZERO;
		zero -= e->was == KITH_SQPFW_ZERO;
	}
	return good && ties == now->ties && zero == p - now->positive;
}

/* Through a solve, a restart at weights of which the last is 0, another solve, and a minimum. */
static void
test_events(void)
{
	static struct log log;
	size_t wrong = 0;

	for (int k = 0; k < 40; k++) {
		struct kith_sqpfw_verdict verdict;
		struct kith_sqpfw_judge *judge;
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;
		double w[FEATURES] = {0};

		draw(&set, (enum kind)(k % KINDS), &pool);
		log.n = 0;
		set.how.report = report;
		set.how.report_to = &log;
		judge = judge_of(&set, &pool);
		s = solve(&set, set.theta, &now, &pool);
		for (size_t f = 0; f + 1 < set.X.p; f++)
			w[f] = 1 / (double)(set.X.p - 1);
		for (int stop = 0; stop < 4; stop++) {
			if (stop == 1)
				kith_sqpfw_restart(s, k % 3 ? w : NULL);
			else if (stop == 2)
				kith_sqpfw_solve(s, 2 * set.theta);
			else if (stop == 3)
				kith_sqpfw_minimum(s, judge, &verdict);
			kith_sqpfw_at(s, &now);
			wrong += !adds_up(&log, &now, set.X.p);
			wrong += stop == 1 &&
			    distance(now.w, k % 3 ? w : set.prior, set.X.p) > 1e-15;
		}
		kith_sqpfw_judge_free(judge);
		kith_sqpfw_free(s);
	}
	is_size(wrong, 0, "events that do not add up, or restarts elsewhere");
}

/* The same w and objective, to the bit. */
static bool
same_bits(const struct kith_sqpfw_now *a, const struct kith_sqpfw_now *b, size_t p)
{
	for (size_t f = 0; f < p; f++)
		if (a->w[f] != b->w[f])
			return false;
	return a->objective == b->objective;
}

/* Powers of two change nothing; other factors, nothing but digits. */
static void
test_units(void)
{
	static const int exponent[] = {-500, -3, 1, 500};
	double worst = 0;
	size_t differ = 0;

	for (int k = 0; k < 20; k++) {
		struct kith_sqpfw_now now, then;
		struct set set, other;

		draw(&set, CONTINUOUS, &pool);
		solve(&set, set.theta, &now, &pool);
		other = set;
		other.X = kith_mat_new(&pool, set.X.n, set.X.p);
		set_prior(&other);
		for (size_t e = 0; e < 4; e++) {
			for (size_t v = 0; v < set.X.n * set.X.p; v++)
				other.X.v[v] = scalbn(set.X.v[v], exponent[e]);
			solve(&other, scalbn(set.theta, -2 * exponent[e]), &then, &pool);
			differ += !same_bits(&now, &then, set.X.p);
		}
		for (size_t v = 0; v < set.X.n * set.X.p; v++)
			other.X.v[v] = 1e150 * set.X.v[v];
		solve(&other, set.theta / 1e300, &then, &pool);
		worst = fmax(worst, fabs(now.objective - then.objective));
	}
	is_size(differ, 0, "weights in units of powers of two");
	ok(worst < 1e-10, "in units of 1e150: %.1e", worst);
}

/* Theta so large or small that nothing else counts: an end, and numbers. */
static void
test_extremes(void)
{
	static const double unit[] = {1e150, 1, 1e-150};
	size_t wrong = 0;

	for (int k = 0; k < 24; k++) {
		struct kith_sqpfw_now now;
		struct set set;

		draw(&set, (enum kind)(k % KINDS), &pool);
		for (size_t v = 0; v < set.X.n * set.X.p; v++)
			set.X.v[v] *= unit[k % 3];
		for (size_t e = 0; e < 3; e++) {
			double sum = 0;

			solve(&set, e < 2 ? (double)e : 1e300, &now, &pool);
			for (size_t f = 0; f < set.X.p; f++)
				sum += now.w[f] >= 0 ? now.w[f] : NAN;
			wrong += !(fabs(sum - 1) < 1e-12);
			if (e == 0)
				wrong += distance(now.w, set.prior, set.X.p) > 0;
		}
	}
	is_size(wrong, 0, "weights that are none, and not the prior at 0");
}

/* A prior with zeros: they stay, or leave, as is best. */
static void
test_prior(void)
{
	size_t certified = 0, sets = 30;

	for (size_t k = 0; k < sets; k++) {
		struct kith_sqpfw_now now;
		struct set set;
		double sum = 0;

		draw(&set, CONTINUOUS, &pool);
		for (size_t f = 0; f < set.X.p; f++) {
			set.prior[f] = f % 2 ? 0 : number(0, 1);
			sum += set.prior[f];
		}
		for (size_t f = 0; f < set.X.p; f++)
			set.prior[f] /= sum;
		solve(&set, set.theta, &now, &pool);
		certified += is_minimum(&set, now.w, set.theta);
	}
	is_size(certified, sets, "certified with a prior of zeros");
}

/*
 * A judge that was asked before, and keeps the rows that were near, answers as a new one, and as one
 * of rows so small that their squares vanish.
 */
static void
test_kept(void)
{
	size_t differ = 0;

	for (int k = 0; k < 16; k++) {
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct kith_sqpfw_judge *kept, *small;
		struct set set, tiny;

		/* from 100 rows on near rows are kept, from 200 on they are searched */
		draw_many(&set, (enum kind)(k % KINDS), k % 3 ? 120 : 220, &pool);
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		kept = judge_of(&set, &pool);
		tiny = set;
		tiny.X = kith_mat_new(&pool, set.X.n, set.X.p);
		for (size_t e = 0; e < set.X.n * set.X.p; e++)
			tiny.X.v[e] = ldexp(set.X.v[e], -600);
		small = judge_of(&tiny, &pool);
		for (int t = 0; t < 4; t++) {
			struct kith_sqpfw_judge *new = judge_of(&set, &pool);
			struct kith_sqpfw_verdict a, b;
			const double theta = set.theta * (t + 1) * (k % 2 ? 1 : .001);

			kith_sqpfw_solve(s, theta);
			kith_sqpfw_at(s, &now);
			kith_sqpfw_judge(kept, now.w, theta, NULL, &a, NULL);
			kith_sqpfw_judge(new, now.w, theta, NULL, &b, NULL);
			differ += a.objective != b.objective || a.ties != b.ties ||
			    a.concave != b.concave || a.residual != b.residual;
			for (int other = 0; other < 2; other++)
				differ += memcmp(kith_sqpfw_judge_targets(kept, now.w),
					      kith_sqpfw_judge_targets(other ? small : new, now.w),
					      2 * set.X.n * sizeof(size_t)) != 0;
			kith_sqpfw_judge_free(new);
		}
		kith_sqpfw_judge_free(kept);
		kith_sqpfw_judge_free(small);
		kith_pool_free(&pool);
	}
	is_size(differ, 0, "answers of a judge that was asked before");
}

/* Warm starts and paths: up to a theta, and where it has no end. */
static void
test_path(void)
{
	size_t wrong = 0, unproved = 0, breaks = 0;

	for (int k = 0; k < 20; k++) {
		double before[FEATURES], last = 0;
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;
		enum kith_sqpfw_step step;

		draw(&set, (enum kind)(k % KINDS), &pool);
		s = kith_sqpfw_new(&set.X, set.y, set.c, &set.how, &pool);
		for (size_t b = 0;; b++) {
			step = kith_sqpfw_next(s, k % 3 ? set.theta : INFINITY, before);
			kith_sqpfw_at(s, &now);
			wrong += now.theta < last || off(&set, s) > 1e-11 || b > 20000;
			last = now.theta;
			breaks++;
			if ((step != KITH_SQPFW_BREAKPOINT && step != KITH_SQPFW_LIMIT) ||
			    b > 20000)
				break;
		}
		wrong += step != (k % 3 ? KITH_SQPFW_THETA_MAX : KITH_SQPFW_END) &&
		    step != KITH_SQPFW_END;
		if (k % 3 && step == KITH_SQPFW_THETA_MAX)
			wrong += fabs(now.theta - set.theta) > 1e-15 * set.theta;
		if (k % KINDS == CONTINUOUS)
			unproved += !is_minimum(&set, now.w, now.theta);
	}
	ok(wrong == 0 && breaks > 100, "%zu wrong of %zu breakpoints", wrong, breaks);
	is_size(unproved, 0, "ends not certified");
}

/* Follows the path to theta. */
static enum kith_sqpfw_step
follow(struct kith_sqpfw *s, double theta, double *before)
{
	enum kith_sqpfw_step step;

	do
		step = kith_sqpfw_next(s, theta, before);
	while (step == KITH_SQPFW_BREAKPOINT);
	return step;
}

/* A path to theta, in one piece or in some, and what it says at its ends. */
static void
test_pieces(void)
{
	size_t same = 0, ends = 0, kept = 0;

	for (size_t k = 0; k < 20; k++) {
		double before[FEATURES], w[FEATURES];
		enum kith_sqpfw_step step;
		struct kith_sqpfw_now now;
		struct kith_sqpfw *s;
		struct set set;

		draw(&set, CONTINUOUS, &pool);
		s = solve(&set, set.theta, &now, &pool);
		follow(s, 3 * set.theta, before);
		kith_sqpfw_at(s, &now);
		ends += now.theta == 3 * set.theta;
		memcpy(w, now.w, sizeof(*w) * set.X.p);
		s = solve(&set, set.theta, &now, &pool);
		for (size_t piece = 1; piece <= 4; piece++)
			follow(s, set.theta * (1 + .5 * (double)piece), before);
		kith_sqpfw_at(s, &now);
		same += distance(w, now.w, set.X.p) < 1e-9;
		follow(s, INFINITY, before);
		kith_sqpfw_at(s, &now);
		memcpy(w, now.w, sizeof(*w) * set.X.p);
		step = kith_sqpfw_next(s, INFINITY, before);
		kept += step == KITH_SQPFW_END && distance(before, w, set.X.p) == 0 &&
		    distance(now.w, w, set.X.p) == 0;
	}
	is_size(ends, 20, "paths end at the theta that was given");
	is_size(same, 20, "at the same weights, in one piece or in some");
	is_size(kept, 20, "and stay where they have no end");
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_events();
	test_units();
	test_extremes();
	test_prior();
	test_kept();
	test_path();
	test_pieces();
	kith_pool_free(&pool);
	return done();
}
