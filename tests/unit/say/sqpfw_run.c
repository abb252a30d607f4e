/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests of lib/say/sqpfw_run.h: the weights that are printed, along thetas and a
 * path, against their own judgement, and runs that are cut.
 */
#include "say/sqpfw_run.h"

#include "sqpfw_rows.h"

/* Whether weights are a minimum at theta, as --check says. */
static bool
checked(double theta, const double *w, int scale)
{
	struct kith_sqpfw_run r;
	struct kith_out out;
	int got;

	ask(&r, scale);
	r.thetas = (struct kith_reals){1, &theta};
	got = kith_sqpfw_run_check(&r, "weights", w, &out, &error);
	ok((strstr(printed(&out), "\tno\n") != NULL) == (got == 1),
	    "the status is that of the verdict");
	kith_sqpfw_run_free(&r);
	return got == 0;
}

/* Each step is a minimum. */
static void
test_steps(void)
{
	const double even[P] = {1. / 3, 1. / 3, 1. / 3};
	double v[CELLS] = {0}, w[P];
	const size_t n = solve(v);

	for (size_t s = 1; s <= T; s++) {
		const double theta = step_of(v, n, s, w);

		is_near(theta, thetas[s - 1], 0, "theta");
		is_near(w[0] + w[1] + w[2], 1, 1e-12, "weights sum to 1");
		ok(checked(theta, w, 0), "a minimum");
		ok(!checked(theta, even, 0), "equal weights are none");
	}
}

/* The path from equal weights on: each step is a minimum, but before a jump. */
static void
test_path(int scale)
{
	const double most = 1.5;
	double v[CELLS] = {0}, w[P], u[P], before = 0;
	struct kith_sqpfw_run r;
	size_t n, steps, wrong = 0;
	char due[80];

	ask(&r, scale);
	r.path = true;
	r.thetas.n = 0;
	r.theta_max = most;
	n = printed_cells(run(&r, 0), v, CELLS);
	steps = (size_t)v[n - 5];
	for (size_t s = 1; s <= steps; s++) {
		const double theta = step_of(v, n, s, w);
		const bool jumps = s < steps && step_of(v, n, s + 1, u) <= theta;

		wrong += !(s == 1 ? theta <= 0 : theta >= before) ||
		    !(jumps || checked(theta, w, scale)) ||
		    (!scale && !(fabs(w[0] + w[1] + w[2] - 1) < 1e-9));
		before = theta;
	}
	is_size(wrong, 0, "a path of minima");
	ok(steps > 1 && before <= most, "%zu steps up to %g", steps, before);
	snprintf(due, sizeof(due), "log: theta %g\n", before);
	ok(strstr(said(), due), "where it ends is logged");
}

/* The first cell of a line, of n before the next one. */
static const char *
next_line(const char *at)
{
	at = strchr(at, '\n');
	return at && at[1] ? at + 1 : NULL;
}

/*
 * Events of a path lie between its steps, each one once; and where a weight
 * becomes 0, or positive, it is so in the step.
 */
static void
test_events(void)
{
	static const char header[] = "step\ttheta\tevent\trow\twas\tbecomes\tother\n";
	static char text[PRINTED];
	double v[CELLS] = {0}, w[P], u[P];
	struct kith_sqpfw_run r;
	size_t n, events = 0, wrong = 0;

	ask(&r, 0);
	r.path = true;
	r.thetas.n = 0;
	r.theta_max = 1.5;
	n = printed_cells(run(&r, 0), v, CELLS);
	ask(&r, 0);
	r.path = true;
	r.thetas.n = 0;
	r.theta_max = 1.5;
	r.print = KITH_SQPFW_EVENTS;
	snprintf(text, sizeof(text), "%s", run(&r, 0));
	ok(strstr(text, header) == text, "events");
	for (const char *at = next_line(text); at; at = next_line(at)) {
		char *end;
		const size_t step = strtoul(at, &end, 10);
		const double theta = strtod(end, &end);
		const double to = step_of(v, n, step, w);
		const double from = step > 1 ? step_of(v, n, step - 1, u) : 0;

		events++;
		wrong += !(theta >= from * (1 - 1e-9) && theta <= to * (1 + 1e-9));
		if (strncmp(end, "\tweight\t", 8) == 0 &&
		    strncmp(end + 9, "\tpositive\tzero\t", 15) == 0)
			wrong += w[end[8] - 'a'] > 1e-12;
	}
	ok(events > 0, "%zu of them", events);
	is_size(wrong, 0, "where the steps are");
}

/* A search that is cut is no minimum. */
static void
test_cut(void)
{
	double two[] = {1, 50};
	struct kith_sqpfw_run r;

	ask(&r, 0);
	r.thetas = (struct kith_reals){1, two};
	r.how.max_iter = 1;
	run(&r, 1);
	ok(strstr(said(),
	       "warning: not certified as a minimum: stopped after 1 "
	       "iterations\n"),
	    "one solution");
	ask(&r, 0);
	r.thetas = (struct kith_reals){2, two};
	r.how.max_iter = 1;
	run(&r, 1);
	ok(strstr(said(), "warning: not certified as minima: 2 of 2 solutions\n"), "several");
	ask(&r, 0);
	r.path = true;
	r.thetas.n = 0;
	r.how.max_iter = 3;
	run(&r, 1);
	ok(strstr(said(), "warning: the path ends at theta "), "a path");
}

/* Weights of rows are divided by their mean. */
static void
test_weigh(void)
{
	double weight[] = {1, 3, 0, 4};
	struct kith_table t = {.file = "f", .X = {4, 0, NULL}};
	struct kith_sqpfw_how how = {.hits = 1};
	struct kith_pool pool = {0};

	ok(kith_sqpfw_run_weigh(&t, &how, &pool, &error) == 0 && !how.weight,
	    "rows without weights");
	t.weight = weight;
	ok(kith_sqpfw_run_weigh(&t, &how, &pool, &error) == 0, "weights");
	for (size_t i = 0; i < 4; i++)
		is_near(how.weight[i], weight[i] / 2, 1e-15, "by their mean");
	memset(weight, 0, sizeof(weight));
	ok(kith_sqpfw_run_weigh(&t, &how, &pool, &error) && error.status == EX_DATAERR, "all 0");
	kith_pool_free(&pool);
}

int
main(void)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		draw(seed);
		test_steps();
		test_path(KITH_UNIT_NONE);
		test_path(KITH_UNIT_ZSCORE);
		test_events();
		test_cut();
	}
	test_weigh();
	return done();
}
