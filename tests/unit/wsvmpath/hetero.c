/* Tests of lib/wsvmpath/hetero.h: against rounds that solve from nothing. */
#include "wsvmpath/hetero.h"

#include "base/rng.h"
#include "tap.h"
#include "wsvm/data.h"
#include "wsvmpath/task.h"

enum { P = 2, N = 60 };

static struct kith_rng rng;
static const struct kith_wsvm_call call = {
    .task = KITH_WSVM_REGRESS, .epsilon = .05, .from = "1"};

/* A curve whose noise grows. */
static void
draw(struct kith_wsvm_job *job, struct task *t, size_t n, double C, double eps)
{
	*job = (struct kith_wsvm_job){.call = &call, .pool = &pool, .n = n};
	job->X = kith_mat_new(&pool, n, P);
	job->rows.t = kith_new(&pool, n, sizeof(double));
	for (size_t i = 0; i < n; i++) {
		double *x = kith_row(&job->X, i);
		const double noise = kith_rng_unit(&rng) - .5;

		x[0] = kith_rng_unit(&rng) * 3;
		x[1] = kith_rng_unit(&rng);
		job->rows.t[i] = sin(2 * x[0]) + x[1] + x[0] * noise;
	}
	kith_wsvm_variables(job, 2 * n, false);
	task_new(t, n, P, 2 * n, false);
	memcpy(t->X.v, job->X.v, n * P * sizeof(double));
	for (size_t v = 0; v < 2 * n; v++) {
		const double y = job->rows.t[v % n];

		job->plus[v] = t->plus[v] = v % n;
		job->sign[v] = t->sign[v] = v < n ? 1 : -1;
		job->q[v] = t->q[v] = eps + (v < n ? -y : y);
		job->from[v] = t->from[v] = C;
	}
	task_ready(t, KITH_KERN_GAUSSIAN, 2, 1e-6);
	job->problem = t->problem;
}

/* Errors of the solution at the weights t->from, from nothing. */
static double
solve(const struct kith_wsvm_job *job, const struct task *t, double *e)
{
	struct kith_pool own = {0};
	struct kith_wsvm_solution at;
	double sum = 0;

	kith_wsvm_get(kith_wsvm_new(&t->problem, t->from, NULL, &own), &at);
	for (size_t i = 0; i < job->n; i++) {
		e[i] = job->rows.t[i] - at.f[i] - at.b;
		sum += e[i] * e[i];
	}
	kith_pool_free(&own);
	return sqrt(sum / (double)job->n);
}

/* All rounds, each from nothing. */
static void
test_rounds(size_t n, double C, size_t rounds)
{
	struct kith_wsvm_job job;
	struct kith_wsvm_rounds did;
	struct kith_wsvm_count count;
	struct task t;
	double e[2][N], sigma, change = 0, worst = 0, most = 0;
	size_t r = 0;

	draw(&job, &t, n, C, .05);
	kith_wsvm_reweigh(&job, rounds, &did, &count);
	sigma = solve(&job, &t, e[0]);
	do {
		const double *old = e[r % 2];
		double *new = e[(r + 1) % 2], was = sigma;

		for (size_t v = 0; v < 2 * n; v++)
			t.from[v] = C * was /
			    fmax(fabs(old[v % n]), 1e-3 * was);
		sigma = solve(&job, &t, new);
		change = 0;
		for (size_t i = 0; i < n; i++)
			change += fabs(new[i] - old[i]) /
			    fmax(fabs(old[i]), 1e-3 * was) / (double)n;
	} while (++r < rounds && change > 1e-3);
	for (size_t v = 0; v < 2 * n; v++) {
		most = fmax(most, t.from[v]);
		worst = fmax(worst, fabs(job.to[v] - t.from[v]) / t.from[v]);
	}
	is_size(did.rounds, r, "rounds");
	is_near(did.change, change, 1e-4, "the mean relative change");
	ok(did.settled == (change <= 1e-3), "settled: %d", did.settled);
	ok(worst <= 1e-4, "the weights, up to %g C0: off by %g", most / C,
	    worst);
	ok(most <= 1000.1 * C && count.events > 0 && count.residual < 1e-9,
	    "no larger than 1000 C0; %zu events", count.events);
	kith_pool_free(&pool);
}

/* A fit without errors keeps its weights. */
static void
test_constant(void)
{
	struct kith_wsvm_job job;
	struct kith_wsvm_rounds did;
	struct kith_wsvm_count count;
	struct task t;

	draw(&job, &t, 10, 2, .05);
	for (size_t i = 0; i < 10; i++) {
		job.rows.t[i] = 7;
		t.q[i] = .05 - 7;
		t.q[10 + i] = .05 + 7;
	}
	kith_wsvm_reweigh(&job, 5, &did, &count);
	ok(did.settled && did.rounds == 1 && did.change == 0,
	    "no errors: settled at once");
	ok(job.to[0] == 2 && job.to[19] == 2, "the weights are C0");
	kith_pool_free(&pool);
}

/* One error among others: the weights of a round, by hand. */
static void
test_one_round(void)
{
	struct kith_wsvm_job job;
	struct kith_wsvm_rounds did;
	struct kith_wsvm_count count;
	struct task t;
	double e[N], sigma;

	draw(&job, &t, 20, .5, .05);
	t.from[3] = job.from[3] = t.from[23] = job.from[23] = 0;
	sigma = solve(&job, &t, e);
	kith_wsvm_reweigh(&job, 1, &did, &count);
	is_size(did.rounds, 1, "one round");
	ok(!did.settled && did.change > 1e-3, "has not settled");
	is_near(job.to[5], .5 * sigma / fmax(fabs(e[5]), 1e-3 * sigma), 1e-9,
	    "C0 sigma / |e|");
	is_near(job.to[25], job.to[5], 0, "for both variables");
	ok(job.to[3] == 0 && job.to[23] == 0, "a row without weight has none");
	kith_pool_free(&pool);
}

int
main(void)
{
	kith_rng_seed(&rng, 3, KITH_RNG_SAMPLE, 0);
	test_constant();
	test_one_round();
	test_rounds(N, .1, 3);
	test_rounds(N, 1, 4);
	test_rounds(20, .01, 100);
	return done();
}
