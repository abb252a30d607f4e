/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/cv.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "immigrate/expect.h"
#include "la/mat.h"
#include "table/trial.h"
#include "table/unit.h"

#include <stdbool.h>

/* Fits of more rows than this take the memory for the threads in turn. */
enum { MANY = 3000 };

/* One part at one sigma. */
struct task {
	int got; /* 0, or -1: err */
	struct kith_err err;
	bool fits;
	enum kith_immigrate_end end;
};

struct job {
	const struct kith_immigrate_rows *rows;
	const struct kith_immigrate_fit_how *how;
	const struct kith_immigrate_cv_plan *plan;
	size_t inner;      /* threads of a fit */
	struct task *task; /* k x parts */
	double *loss;      /* k x n: 1 where a row is wrong */
};

/* Rows of a job, some of them, with room for what belongs to them. */
struct some {
	struct kith_immigrate_rows rows;
	struct kith_mat X;
	size_t *y;
	size_t *row; /* of the job */
};

/* Take the rows of a part, or all others. */
static void
take(const struct job *job, size_t part, bool inside, struct some *out, struct kith_pool *pool)
{
	const struct kith_immigrate_rows *all = job->rows;
	const size_t N = all->X->n;
	double *weight = kith_new(pool, N, sizeof(*weight));
	size_t n = 0;

	out->y = kith_new(pool, N, sizeof(*out->y));
	out->row = kith_new(pool, N, sizeof(*out->row));
	for (size_t i = 0; i < N; i++) {
		if ((job->plan->part[i] == part) != inside)
			continue;
		out->y[n] = all->y[i];
		weight[n] = all->weight ? all->weight[i] : 1;
		out->row[n++] = i;
	}
	out->X = kith_mat_rows(all->X, out->row, n, pool);
	out->rows = (struct kith_immigrate_rows){
	    &out->X, out->y, all->c, all->weight ? weight : NULL};
}

static bool
one_class(const struct some *s)
{
	for (size_t i = 1; i < s->X.n; i++)
		if (s->y[i] != s->y[0])
			return false;
	return true;
}

/*
 * Predict the rows of `test` from `known` under the weights fitted to them; the
 * losses of the job's rows.
 */
static void
predict(const struct some *known, const struct some *test, const struct kith_immigrate_fitted *fit,
    double sigma, size_t threads, double *loss, struct kith_pool *pool)
{
	const size_t c = known->rows.c, m = test->X.n;
	struct kith_mat X = known->X, Z = test->X;
	double *V = kith_new(pool, m, c * sizeof(*V));
	const struct kith_expect e = {&X, known->y, c, &fit->metric, sigma};

	if (fit->column) {
		kith_mat_columns(&X, fit->column, fit->metric.p);
		kith_mat_columns(&Z, fit->column, fit->metric.p);
	}
	kith_expect_distances(&e, &Z, NULL, threads, V);
	for (size_t i = 0; i < m; i++)
		loss[test->row[i]] = kith_expect_class(V + i * c, c) != test->y[i];
}

/* Fit weights to what is known, and predict the rest. */
static void
try_part(const struct job *job, struct task *t, double sigma, struct some *known, struct some *test,
    double *loss, struct kith_pool *pool)
{
	struct kith_immigrate_fit_how how = *job->how;
	struct kith_immigrate_fitted fit;
	struct kith_origin from = *job->plan->from, other = from;
	struct kith_unit unit;

	from.row = known->row;
	other.row = test->row;
	how.how.sigma = sigma;
	how.how.threads = job->inner;
	how.how.tell = NULL;
	t->got = kith_unit_scale(
	    job->plan->scale, &known->X, &from, &test->X, &other, &unit, pool, &t->err);
	if (t->got == 0)
		t->got = kith_immigrate_fit_run(&known->rows, &how, &fit, pool, &t->err);
	if (t->got)
		return;
	t->fits = true;
	t->end = fit.fit.end;
	predict(known, test, &fit, fit.sigma.value, job->inner, loss, pool);
}

static void
work(void *to, size_t block, size_t thread)
{
	const struct job *job = to;
	const size_t parts = job->plan->parts, s = block / parts;
	const size_t part = block % parts;
	struct task *t = &job->task[block];
	double *loss = job->loss + s * job->rows->X->n;
	struct kith_pool tmp = {0};
	struct some known, test;

	(void)thread;
	take(job, part, true, &test, &tmp);
	take(job, part, false, &known, &tmp);
	if (test.X.n > 0 && known.X.n == 0)
		t->got = kith_fail(&t->err, EX_DATAERR, "a part has all rows");
	else if (test.X.n > 0 && one_class(&known))
		for (size_t i = 0; i < test.X.n; i++)
			loss[test.row[i]] = test.y[i] != known.y[0];
	else if (test.X.n > 0)
		try_part(job, t, job->plan->sigma[s], &known, &test, loss, &tmp);
	kith_pool_free(&tmp);
}

static void
add(const struct task *t, struct kith_immigrate_cv_ends *all)
{
	all->fits += t->fits;
	all->cycles += t->fits && t->end == KITH_IMMIGRATE_CYCLE;
	all->kept += t->fits && t->end == KITH_IMMIGRATE_KEPT;
	all->limits += t->fits && t->end == KITH_IMMIGRATE_LIMIT;
}

const struct kith_trial_form kith_immigrate_cv_form = {
    .key = {{.name = "sigma", .simple_is_large = true}}, .keys = 1};

static const char *const words[] = {"auto"};

const struct kith_trial_form kith_immigrate_cv_auto = {
    .key = {{.name = "sigma"}}, .keys = 1, .word = {words}};

int
kith_immigrate_cv_table(const struct kith_trial *trial, size_t k, const struct kith_dest *to,
    struct kith_out *out, struct kith_err *err)
{
	return kith_trial_table(
	    trial->key[0] > 0 ? &kith_immigrate_cv_form : &kith_immigrate_cv_auto, trial, k, to,
	    out, err);
}

int
kith_immigrate_cv(const struct kith_immigrate_rows *rows, const struct kith_immigrate_fit_how *how,
    const struct kith_immigrate_cv_plan *plan, struct kith_trial *trial,
    struct kith_immigrate_cv_ends *ends, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = rows->X->n, tasks = plan->k * plan->parts;
	const bool large = n > MANY;
	struct job job = {
	    .rows = rows, .how = how, .plan = plan, .inner = large ? how->how.threads : 1};
	int got = 0;

	job.task = kith_new(&tmp, tasks, sizeof(*job.task));
	job.loss = kith_new(&tmp, plan->k, n * sizeof(*job.loss));
	kith_par_told(large ? 1 : how->how.threads, tasks, work, &job,
	    &(struct kith_par_phase){"cross-validation", tasks, "fits"});
	*ends = (struct kith_immigrate_cv_ends){0};
	for (size_t b = 0; b < tasks && got == 0; b++) {
		got = job.task[b].got;
		if (got)
			*err = job.task[b].err;
		add(&job.task[b], ends);
	}
	for (size_t s = 0; s < plan->k; s++) {
		trial[s] = (struct kith_trial){.key = {plan->sigma[s]}};
		kith_trial_rows(job.loss + s * n, plan->part, n, plan->parts, false, &trial[s]);
	}
	kith_pool_free(&tmp);
	return got;
}
