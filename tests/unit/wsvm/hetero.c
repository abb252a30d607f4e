/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of lib/wsvm/hetero.h: against rounds that solve from nothing. */
#include "wsvm/hetero.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"

enum { P = 2, N = 60 };

static struct kith_rng rng;
static double y[N], C[2 * N];
static struct kith_wsvm_hetero_how how = {.y = y, .C0 = C};

/* A curve whose noise grows; C is C0, and how is ready but for rounds. */
static void
draw(struct task *t, size_t n, double C0, double eps)
{
	task_new(t, n, P, 2 * n, false);
	for (size_t i = 0; i < n; i++) {
		double *x = kith_row(&t->X, i);
		const double noise = kith_rng_unit(&rng) - .5;

		x[0] = kith_rng_unit(&rng) * 3;
		x[1] = kith_rng_unit(&rng);
		y[i] = sin(2 * x[0]) + x[1] + x[0] * noise;
	}
	for (size_t v = 0; v < 2 * n; v++) {
		t->plus[v] = v % n;
		t->sign[v] = v < n ? 1 : -1;
		t->q[v] = eps + (v < n ? -y[v % n] : y[v % n]);
		t->from[v] = C[v] = C0;
	}
	task_ready(t, KITH_KERN_GAUSSIAN, 2, 1e-6);
	how.problem = &t->problem;
}

/* Errors of the solution at the weights t->from, from nothing. */
static double
solve(const struct task *t, double *e)
{
	struct kith_pool own = {0};
	struct kith_wsvm_solution at;
	double sum = 0;

	kith_wsvm_get(kith_wsvm_new(&t->problem, t->from, NULL, &own), &at);
	for (size_t i = 0; i < t->X.n; i++) {
		e[i] = y[i] - at.f[i] - at.b;
		sum += e[i] * e[i];
	}
	kith_pool_free(&own);
	return sqrt(sum / (double)t->X.n);
}

/* All rounds, each from nothing. */
static void
test_rounds(size_t n, double C0, size_t rounds)
{
	struct kith_wsvm_round did;
	struct kith_wsvm_count count;
	struct task t;
	double e[2][N], sigma, change = 0, worst = 0, most = 0;
	size_t r = 0;

	draw(&t, n, C0, .05);
	how.rounds = rounds;
	kith_wsvm_hetero(&how, t.to, &did, &count);
	sigma = solve(&t, e[0]);
	do {
		const double *old = e[r % 2];
		double *new = e[(r + 1) % 2], was = sigma;

		for (size_t v = 0; v < 2 * n; v++)
			t.from[v] = C0 * was / fmax(fabs(old[v % n]), 1e-3 * was);
		sigma = solve(&t, new);
		change = 0;
		for (size_t i = 0; i < n; i++)
			change += fabs(new[i] - old[i]) / fmax(fabs(old[i]), 1e-3 * was) /
			    (double)n;
	} while (++r < rounds && change > 1e-3);
	for (size_t v = 0; v < 2 * n; v++) {
		most = fmax(most, t.from[v]);
		worst = fmax(worst, fabs(t.to[v] - t.from[v]) / t.from[v]);
	}
	is_size(did.number, r, "rounds");
	is_near(did.change, change, 1e-4, "the mean relative change");
	ok(did.converged == (change <= 1e-3), "converged: %d", did.converged);
	ok(worst <= 1e-4, "the weights, up to %g C0: off by %g", most / C0, worst);
	ok(most <= 1000.1 * C0 && count.events > 0 && count.residual < 1e-9,
	    "no larger than 1000 C0; %zu events", count.events);
	kith_pool_free(&pool);
}

/* A fit without errors keeps its weights. */
static void
test_constant(void)
{
	struct kith_wsvm_round did;
	struct kith_wsvm_count count;
	struct task t;

	draw(&t, 10, 2, .05);
	for (size_t i = 0; i < 10; i++) {
		y[i] = 7;
		t.q[i] = .05 - 7;
		t.q[10 + i] = .05 + 7;
	}
	how.rounds = 5;
	kith_wsvm_hetero(&how, t.to, &did, &count);
	ok(did.converged && did.number == 1 && did.change == 0, "no errors: converged at once");
	ok(t.to[0] == 2 && t.to[19] == 2, "the weights are C0");
	kith_pool_free(&pool);
}

/* One error among others: the weights of a round, by hand. */
static void
test_one_round(void)
{
	struct kith_wsvm_round did;
	struct kith_wsvm_count count;
	struct task t;
	double e[N] = {0}, sigma;

	draw(&t, 20, .5, .05);
	t.from[3] = C[3] = t.from[23] = C[23] = 0;
	sigma = solve(&t, e);
	how.rounds = 1;
	kith_wsvm_hetero(&how, t.to, &did, &count);
	is_size(did.number, 1, "one round");
	ok(!did.converged && did.change > 1e-3, "has not converged");
	is_near(t.to[5], .5 * sigma / fmax(fabs(e[5]), 1e-3 * sigma), 1e-9, "C0 sigma / |e|");
	is_near(t.to[25], t.to[5], 0, "for both variables");
	ok(t.to[3] == 0 && t.to[23] == 0, "a row without weight has none");
	kith_pool_free(&pool);
}

/* What was told of rounds. */
static struct kith_wsvm_round told[200];
static size_t tellings;

static void
tell(const struct kith_wsvm_round *round)
{
	told[tellings++ % 200] = *round;
}

/* Each round is told once; what is told of fewer rounds is the same. */
static void
test_told(void)
{
	struct kith_wsvm_round did, first;
	struct kith_wsvm_count count;
	struct task t;
	double e[2][N] = {{0}}, sigma, change = 0;
	size_t wrong = 0, ends = 0;

	draw(&t, 20, .01, .05);
	how.rounds = 200;
	how.on_round = tell;
	kith_wsvm_hetero(&how, t.to, &did, &count);
	is_size(tellings, did.number, "each round is told");
	for (size_t r = 0; r < tellings; r++) {
		wrong += told[r].number != r + 1;
		ends += told[r].converged;
		wrong += told[r].converged != (told[r].change <= 1e-3);
	}
	is_size(wrong, 0, "in their order");
	ok(ends == 1 && told[did.number - 1].converged, "the last alone has converged, after %zu",
	    did.number);
	ok(did.sigma == told[did.number - 1].sigma && did.change == told[did.number - 1].change,
	    "the last is the one that is returned");
	first = told[0];
	sigma = solve(&t, e[0]);
	is_near(first.sigma, sigma, 1e-9, "sigma of the errors of C0");
	for (size_t v = 0; v < t.N; v++)
		t.from[v] = .01 * sigma / fmax(fabs(e[0][v % 20]), 1e-3 * sigma);
	is_near(told[1].sigma, solve(&t, e[1]), 1e-9, "then of the next");
	for (size_t i = 0; i < 20; i++)
		change += fabs(e[1][i] - e[0][i]) / fmax(fabs(e[0][i]), 1e-3 * sigma) / 20;
	is_near(first.change, change, 1e-7, "the change of the first round");
	how.on_round = NULL;
	kith_pool_free(&pool);
}

/* Errors whose squares no double holds: the same weights, over C0. */
static void
test_units(double unit)
{
	struct kith_wsvm_round did, due;
	struct kith_wsvm_count count;
	struct task t;
	double w[2 * N], off = 0;

	draw(&t, 20, .5, .05);
	how.rounds = 2;
	kith_wsvm_hetero(&how, w, &due, &count);
	for (size_t v = 0; v < t.N; v++) {
		t.q[v] *= unit;
		C[v] *= unit;
		if (v < 20)
			y[v] *= unit;
	}
	kith_wsvm_hetero(&how, t.to, &did, &count);
	for (size_t v = 0; v < t.N; v++)
		off = fmax(off, fabs(t.to[v] / unit / w[v] - 1));
	ok(did.number == 2 && off <= 1e-6, "weights in units of %g: off by %g", unit, off);
	is_near(did.sigma / unit, due.sigma, 1e-9, "sigma has that unit");
	is_near(did.change / due.change, 1, 1e-6, "a change has none");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_constant();
	test_one_round();
	test_told();
	test_units(0x1p20);
	test_units(0x1p-600);
	test_units(0x1p530);
	test_rounds(N, .1, 3);
	test_rounds(N, 1, 4);
	test_rounds(20, .01, 100);
	return done();
}
