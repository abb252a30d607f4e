/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/sqpfw_cv.h"

#include "base/err.h"
#include "base/pool.h"
#include "base/sort.h"
#include "cli/cli.h"
#include "say/choice.h"
#include "say/sqpfw_run.h"
#include "sqpfw/minimum.h"
#include "sqpfw/smooth.h"
#include "table/parts.h"
#include "text/out.h"
#include "vote/cv.h"

/* What a learner is handed. */
struct lesson {
	const struct kith_sqpfw_cv *cv;
	const struct kith_sqpfw_run *run;
};

/* Where the target hit and miss of a batch are among the lists. */
static size_t
hits_of(const struct kith_sqpfw_cv *cv, size_t batch)
{
	return cv->hits.v[batch / cv->misses.n];
}

static size_t
misses_of(const struct kith_sqpfw_cv *cv, size_t batch)
{
	return cv->misses.v[batch % cv->misses.n];
}

/* The weights of one theta after the other, as sqpfw --theta LIST finds them. */
static int
climb(const struct kith_sqpfw_run *run, const struct kith_learn *l,
    const struct kith_sqpfw_how *how, const struct kith_validate *validate,
    struct kith_cv_found *found, struct kith_pool *pool, struct kith_err *err)
{
	const size_t c = l->class.name.n;
	struct kith_sqpfw_judge *judge = kith_sqpfw_judge_new(&l->known.X, l->class.y, c,
	    &(struct kith_sqpfw_judge_how){how->hits, how->misses, how->prior, 1, how->weight},
	    pool);
	struct kith_sqpfw *solver = kith_sqpfw_new(&l->known.X, l->class.y, c, how, pool);
	int got = 0;

	if (run->smooth)
		kith_sqpfw_smooth(solver, run->thetas.v[0]);
	for (size_t s = 0; s < run->thetas.n && got == 0; s++) {
		struct kith_sqpfw_verdict seen;
		struct kith_sqpfw_now now;
		struct kith_metric metric = {KITH_SQUARED, l->feature.n, NULL};

		kith_sqpfw_solve(solver, run->thetas.v[s]);
		kith_sqpfw_minimum(solver, judge, false, &seen);
		kith_sqpfw_at(solver, &now);
		metric.w = now.w;
		found->features[s] = now.positive;
		found->doubts += !seen.certified;
		got = kith_validate(validate, &metric, found->loss + s * validate->nk, err);
	}
	kith_sqpfw_judge_free(judge);
	kith_sqpfw_free(solver);
	return got;
}

/* A kith_cv_learn. */
static int
learn(void *to, size_t batch, struct kith_split *rows, struct kith_cv_found *found,
    struct kith_pool *pool, struct kith_err *err)
{
	const struct lesson *lesson = to;
	const struct kith_sqpfw_cv *cv = lesson->cv;
	struct kith_sqpfw_how how = {.hits = hits_of(cv, batch),
	    .misses = misses_of(cv, batch),
	    .max_iter = lesson->run->how.max_iter,
	    .threads = 1};
	struct kith_learn l;
	struct kith_validate validate;
	double *prior, sum;

	if (kith_learn_part(rows, &l, pool, err) || kith_learn_bearable(&l, err) ||
	    kith_sqpfw_run_weigh(&l.known, &how, pool, err) ||
	    kith_validate_new(&l.known, &l.asked, cv->k.v, cv->k.n, 1, &validate, pool, err))
		return -1;
	if (cv->prior) {
		prior = kith_new(pool, l.feature.n, sizeof(*prior));
		how.prior = prior;
		if (kith_learn_prior(&l, cv->prior_file, cv->prior, prior, &sum, err))
			return -1;
	}
	found->n = validate.n;
	return climb(lesson->run, &l, &how, &validate, found, pool, err);
}

/* Whether enough rows of each class are left beside each part. */
static int
check_parts(const struct kith_sqpfw_cv *cv, const struct kith_learn *all, const size_t *part,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const size_t n = all->known.X.n, c = all->class.name.n;
	struct kith_learn l = {.class = all->class};
	int got = 0;

	l.known.file = all->known.file;
	l.class.rows = kith_new(&tmp, c, sizeof(*l.class.rows));
	for (size_t f = 0; f < cv->parts && got == 0; f++) {
		for (size_t h = 0; h < c; h++)
			l.class.rows[h] = 0;
		l.known.X.n = 0;
		for (size_t i = 0; i < n; i++)
			if (part[i] != f) {
				l.class.rows[all->class.y[i]]++;
				l.known.X.n++;
			}
		got = kith_learn_enough(&l, kith_largest_size(cv->hits.v, cv->hits.n),
		    kith_largest_size(cv->misses.v, cv->misses.n), err);
		if (got)
			kith_cv_name_part(f, err);
	}
	kith_pool_free(&tmp);
	return got;
}

/* Put the parameters of trial i, and of its features, into its key. */
static void
name_trial(
    const struct kith_sqpfw_cv *cv, const struct kith_reals *thetas, size_t i, struct kith_trial *t)
{
	const size_t batch = i / cv->k.n / thetas->n;
	size_t at = 0;

	if (cv->targets) {
		t->key[at++] = (double)hits_of(cv, batch);
		t->key[at++] = (double)misses_of(cv, batch);
	}
	t->key[at++] = thetas->v[i / cv->k.n % thetas->n];
	t->key[at] = (double)cv->k.v[i % cv->k.n];
}

/* Let r solve all rows as the best trial did each part. */
static void
choose(const struct kith_sqpfw_cv *cv, const struct kith_trial_form *form,
    const struct kith_trial *trial, size_t n, struct kith_sqpfw_run *r)
{
	const size_t at = kith_trial_choose(form, trial, n, r->best);
	const size_t batch = at / cv->k.n / r->thetas.n;

	kith_say_choice(form, &trial[at]);
	r->how.hits = hits_of(cv, batch);
	r->how.misses = misses_of(cv, batch);
	r->thetas.n = at / cv->k.n % r->thetas.n + 1;
	r->only_last = true;
	r->best = 0;
}

static int
print(const struct kith_sqpfw_run *r, const struct kith_trial_form *form,
    const struct kith_trial *trial, size_t n, struct kith_out *out, struct kith_err *err)
{
	if (kith_out_open_table(out, r->output, err))
		return -1;
	kith_trial_header(form, out);
	for (size_t i = 0; i < n; i++)
		kith_trial_write(form, &trial[i], out);
	return 0;
}

int
kith_sqpfw_cv(const struct kith_sqpfw_cv *cv, struct kith_sqpfw_run *r, struct kith_out *out,
    struct kith_err *err)
{
	const struct kith_trial_form form = kith_sqpfw_form(cv->targets);
	const size_t batches = cv->hits.n * cv->misses.n;
	const size_t n = batches * r->thetas.n * cv->k.n;
	const size_t solutions = batches * r->thetas.n * cv->parts;
	struct lesson lesson = {cv, r};
	/* The constant features of all rows were left out of X. */
	struct kith_table table = r->in.known;
	size_t *part = kith_new(&r->pool, table.X.n, sizeof(*part)), doubts;
	const struct kith_cv run = {.table = &table,
	    .part = part,
	    .parts = cv->parts,
	    .scale = cv->scale,
	    .nk = cv->k.n,
	    .batches = batches,
	    .trials = r->thetas.n,
	    .threads = r->how.threads,
	    .learn = learn,
	    .to = &lesson};
	struct kith_trial *trial;

	table.feature = r->in.feature;
	if (kith_parts_deal(&table, cv->parts, cv->seed, part, err) ||
	    check_parts(cv, &r->in, part, err) || kith_cv(&run, &trial, &doubts, &r->pool, err))
		return -1;
	for (size_t i = 0; i < n; i++)
		name_trial(cv, &r->thetas, i, &trial[i]);
	kith_note("not certified as minima: %zu of %zu solutions of --cv", doubts, solutions);
	kith_log_size("cv solutions", solutions);
	kith_log_size("cv uncertified", doubts);
	if (r->best) {
		choose(cv, &form, trial, n, r);
		return 0;
	}
	if (doubts)
		kith_warn("not certified as minima: %zu of %zu solutions", doubts, solutions);
	return print(r, &form, trial, n, out, err) ? -1 : doubts > 0;
}
