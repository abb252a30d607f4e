/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/calibrate.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "machine/platt.h"
#include "wsvm/wsvm.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/polls.h"
#include "wsvmpath/solution.h"
#include "wsvmpath/task.h"

/* A machine of a part. */
struct block {
	struct kith_wsvm_count count;
	bool failed;
	struct kith_err err;
};

struct calibration {
	const struct kith_wsvm_job *job;
	const size_t *of;
	size_t parts, machines;
	size_t threads, cache; /* of each block under way */
	double theta;
	struct block *block; /* parts x machines */
	double *score;       /* machines x n */
};

/* Solve machine o of the poll at theta; the scores of the rows asked. */
static void
ask(const struct calibration *x, const struct kith_wsvm_poll *poll, size_t o, struct block *block)
{
	double *score = x->score + o * x->job->n;
	struct kith_pool tmp = {0};
	struct kith_wsvm_polled machine;
	struct kith_wsvm_solution at;
	struct kith_wsvm *solver;

	kith_wsvm_poll_machine(poll, o, &machine, &tmp);
	if (machine.n > 0) {
		for (size_t v = 0; v < machine.n && x->theta < 1; v++)
			machine.to[v] = machine.from[v] +
			    x->theta * (machine.to[v] - machine.from[v]);
		machine.problem.threads = x->threads;
		machine.problem.cache = x->cache;
		solver = kith_wsvm_new(&machine.problem, machine.to, NULL, &tmp);
		kith_wsvm_get(solver, &at);
		for (size_t i = 0; i < poll->m; i++)
			score[poll->asked[i]] = at.f[machine.n + i] + at.b;
		kith_wsvm_count(solver, &block->count);
	}
	kith_pool_free(&tmp);
}

static void
work(void *to, size_t number, size_t thread)
{
	const struct calibration *x = to;
	struct block *block = &x->block[number];
	struct kith_wsvm_poll poll;

	(void)thread;
	block->failed = kith_wsvm_poll_make(
			    &poll, x->job, x->of, number / x->machines, x->parts, &block->err) != 0;
	if (!block->failed)
		ask(x, &poll, number % x->machines, block);
	kith_wsvm_poll_free(&poll);
}

/* The scores of all rows by all machines. */
static int
score(struct calibration *x, struct kith_wsvm_count *count, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t threads = x->job->call->threads;
	const size_t blocks = x->parts * x->machines;
	const size_t side = threads < blocks ? threads : blocks;

	x->threads = threads / side;
	x->cache = x->job->problem.cache / side;
	x->block = kith_new(pool, blocks, sizeof(*x->block));
	KITH_NEW_REALS(pool, x->machines, x->job->n, &x->score);
	kith_par_tasks(
	    side, blocks, work, x, &(struct kith_par_phase){"probabilities", blocks, "machines"});
	for (size_t i = 0; i < blocks; i++) {
		if (x->block[i].failed) {
			*err = x->block[i].err;
			return -1;
		}
		kith_wsvm_count_add(count, &x->block[i].count);
	}
	return 0;
}

/* Fit machine o to the rows that it tells apart. */
static void
fit(const struct calibration *x, size_t o, struct kith_platt *platt)
{
	const struct kith_wsvm_job *job = x->job;
	const double *f = x->score + o * job->n;
	struct kith_pool tmp = {0};
	struct kith_wsvm_pair pair;
	double *v;
	bool *plus;
	size_t n = 0;

	KITH_NEW_REALS(&tmp, job->n, 1, &v);
	plus = kith_new(&tmp, job->n, sizeof(*plus));
	kith_wsvm_pair_of(job, o, &pair);
	for (size_t i = 0; i < job->n; i++) {
		double sign;

		if (!kith_wsvm_pair_has(&pair, job->rows.y[i], &sign))
			continue;
		plus[n] = sign > 0;
		v[n++] = f[i];
	}
	kith_platt_fit(v, plus, n, platt);
	kith_pool_free(&tmp);
}

/* Fit all machines; how many of them say nothing of the classes. */
static size_t
fit_all(const struct calibration *x, struct kith_machine *m, struct kith_pool *pool)
{
	double *A, *B;
	size_t flat = 0;

	KITH_NEW_REALS(pool, x->machines, 1, &A, &B);
	for (size_t o = 0; o < x->machines; o++) {
		struct kith_platt platt;

		fit(x, o, &platt);
		A[o] = platt.A;
		B[o] = platt.B;
		flat += !(platt.A < 0);
	}
	m->A = A;
	m->B = B;
	return flat;
}

int
kith_wsvm_calibrate(struct kith_wsvm_job *job, const size_t *of, size_t parts, double theta,
    struct kith_wsvm_count *count, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_wsvm_call call = *job->call;
	struct kith_wsvm_job at = *job;
	struct calibration x = {.job = &at, .of = of, .parts = parts, .theta = theta};
	size_t flat;
	int got;

	if (job->rows.class.n < 2)
		return 0;
	at.call = &call;
	x.machines = kith_wsvm_pairs(&at);
	got = score(&x, count, &tmp, err);
	if (got == 0) {
		flat = fit_all(&x, &job->learnt, job->pool);
		if (flat > 0)
			kith_warn("probabilities: %zu of %zu machines do not "
				  "tell their classes apart on rows that they "
				  "have not learnt from",
			    flat, x.machines);
	}
	kith_pool_free(&tmp);
	return got;
}
