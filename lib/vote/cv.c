/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/cv.h"

#include "base/err.h"
#include "base/par.h"
#include "base/pool.h"
#include "table/trial.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

/* A batch of parameters and a part: what one thread does at a time. */
struct job {
	struct kith_cv_found found;
	int got;
	struct kith_err err;
};

struct jobs {
	const struct kith_cv *cv;
	struct job *job;      /* batches x parts */
	atomic_size_t failed; /* the first that has: those behind need not run */
};

void
kith_cv_name_part(size_t f, struct kith_err *err)
{
	const struct kith_err was = *err;

	snprintf(err->msg, sizeof(err->msg), "part %zu of --cv: %.300s", f + 1, was.msg);
}

/* All before the first that fails run: it is the same for any threads. */
static void
fail(struct jobs *jobs, size_t at)
{
	size_t first = atomic_load(&jobs->failed);

	while (at < first && !atomic_compare_exchange_weak(&jobs->failed, &first, at))
		continue;
}

static void
work(void *to, size_t at, size_t thread)
{
	struct jobs *jobs = to;
	const struct kith_cv *cv = jobs->cv;
	struct job *job = &jobs->job[at];
	const size_t f = at % cv->parts;
	struct kith_pool tmp = {0};
	struct kith_split rows;

	(void)thread;
	if (at > atomic_load(&jobs->failed))
		return;
	job->got = kith_split(cv->table, cv->part, f, cv->scale, &rows, &tmp, &job->err);
	/* Rows that were left out when the table was read may be all of one. */
	if (job->got == 0 && rows.asked.X.n > 0)
		job->got = cv->learn(cv->to, at / cv->parts, &rows, &job->found, &tmp, &job->err);
	if (job->got) {
		fail(jobs, at);
		job->err.file = job->err.file ? job->err.file : cv->table->file;
		kith_cv_name_part(f, &job->err);
	}
	kith_pool_free(&tmp);
}

/* Add up trial `at` (of trials x nk) of a batch over its parts. */
static void
add_up(const struct kith_cv *cv, const struct job *job, size_t at, struct kith_trial *t)
{
	struct kith_pool tmp = {0};
	double *loss, *rows;

	KITH_NEW_REALS(&tmp, cv->parts, 1, &loss, &rows);
	for (size_t f = 0; f < cv->parts; f++) {
		const struct kith_cv_found *it = &job[f].found;
		const size_t features = it->features[at / cv->nk];

		loss[f] = it->loss[at];
		rows[f] = (double)it->n;
		t->n += it->n;
		if (cv->table->y)
			t->errors += (size_t)loss[f];
		if (features > t->features)
			t->features = features;
	}
	kith_trial_parts(loss, rows, cv->parts, !cv->table->y, t);
	kith_pool_free(&tmp);
}

int
kith_cv(const struct kith_cv *cv, struct kith_trial **trial, size_t *doubts, struct kith_pool *pool,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = cv->batches * cv->parts, each = cv->trials * cv->nk;
	struct jobs jobs = {.cv = cv, .failed = SIZE_MAX};
	int got = 0;

	jobs.job = kith_new(&tmp, n, sizeof(*jobs.job));
	for (size_t at = 0; at < n; at++)
		jobs.job[at].found = (struct kith_cv_found){
		    .loss = kith_new(&tmp, each, sizeof(double)),
		    .features = kith_new(&tmp, cv->trials, sizeof(size_t))};
	kith_par_told(
	    cv->threads, n, work, &jobs, &(struct kith_par_phase){"cross-validation", n, "fits"});
	*doubts = 0;
	for (size_t at = 0; at < n && got == 0; at++) {
		got = jobs.job[at].got;
		if (got)
			*err = jobs.job[at].err;
		*doubts += jobs.job[at].found.doubts;
	}
	*trial = kith_new(pool, cv->batches * each, sizeof(**trial));
	for (size_t i = 0; i < cv->batches * each && got == 0; i++)
		add_up(cv, jobs.job + i / each * cv->parts, i % each, *trial + i);
	kith_pool_free(&tmp);
	return got;
}
