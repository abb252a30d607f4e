/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/boost.h"

#include "base/err.h"
#include "base/num.h"
#include "base/pool.h"
#include "base/progress.h"
#include "immigrate/immigrate.h"
#include "immigrate/start.h"
#include "immigrate/votes.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

int
kith_boost_range(const char *text, struct kith_boost_how *how)
{
	struct kith_pool tmp = {0};
	char *most = kith_strndup(&tmp, text, strlen(text));
	char *colon = strchr(most, ':');
	bool bad = !colon;

	if (colon) {
		*colon = '\0';
		bad = kith_parse_real(most, strlen(most), &how->most) ||
		    kith_parse_real(colon + 1, strlen(colon + 1), &how->least) ||
		    !(how->least > 0) || how->most < how->least;
	}
	kith_pool_free(&tmp);
	return bad ? -1 : 0;
}

/* What one learner after the other changes. */
struct boost {
	const struct kith_immigrate_rows *rows;
	const struct kith_boost_how *how;
	size_t classes; /* K */
	double *D;      /* n, of sum 1 */
	bool *wrong;    /* n */
	double *V;      /* n x c: what the learner is from each class */
	double *W;      /* p x p: of the learner at hand */
	struct kith_pool tmp;
};

static void
begin(struct boost *b)
{
	const struct kith_immigrate_rows *rows = b->rows;
	const size_t n = rows->X->n, p = rows->X->p;
	bool *there = kith_new(&b->tmp, rows->c, sizeof(*there));

	b->D = kith_new(&b->tmp, n, sizeof(*b->D));
	b->wrong = kith_new(&b->tmp, n, sizeof(*b->wrong));
	b->V = kith_new(&b->tmp, n, rows->c * sizeof(*b->V));
	b->W = kith_new(&b->tmp, p, p * sizeof(*b->W));
	for (size_t i = 0; i < n; i++) {
		b->classes += !there[rows->y[i]];
		there[rows->y[i]] = true;
		b->D[i] = rows->weight ? rows->weight[i] : 1;
	}
	if (kith_immigrate_start_norm(n, false, b->D))
		assert(false && "row weights that are all 0");
}

/* Learn W at sigma, with row weights D. */
static void
learn(struct boost *b, size_t t, double sigma)
{
	const struct kith_boost_how *how = b->how;
	const size_t p = b->rows->X->p;
	struct kith_immigrate_rows rows = *b->rows;
	struct kith_immigrate_how inner = how->inner;
	struct kith_immigrate_fit fit;

	rows.weight = b->D;
	inner.sigma = sigma;
	inner.votes = b->V;
	if (how->start)
		memcpy(b->W, how->start, p * p * sizeof(*b->W));
	else
		kith_immigrate_start_random(how->seed, t, p, b->W);
	kith_immigrate(&rows, &inner, b->W, &fit);
}

/* The weight of the rows that a learner gets wrong, from all others. */
static double
error_of(struct boost *b, const struct kith_learner *l)
{
	const struct kith_immigrate_rows *rows = b->rows;
	double error = 0, total = 0;

	kith_immigrate_wrong(rows, &l->metric, l->sigma, b->V, b->how->inner.threads, b->wrong);
	for (size_t i = 0; i < rows->X->n; i++) {
		total += b->D[i];
		error += b->wrong[i] ? b->D[i] : 0;
	}
	return error / total;
}

/* Give more weight to the rows that were wrong. */
static void
reweigh(struct boost *b, double alpha)
{
	const size_t n = b->rows->X->n;
	const double more = exp(alpha);

	for (size_t i = 0; i < n; i++)
		if (!b->wrong[i])
			b->D[i] /= more; /* the same, but cannot overflow */
	kith_immigrate_start_norm(n, false, b->D);
}

/* Train learner t, into *l; whether it is of use. */
static bool
train(struct boost *b, size_t t, struct kith_learner *l, struct kith_boost_count *count)
{
	const struct kith_boost_how *how = b->how;
	const double K = (double)b->classes;
	double e;

	l->number = t + 1;
	l->sigma = how->most * pow(how->least / how->most, (double)t / (double)how->learners);
	l->metric = (struct kith_metric){KITH_ABSOLUTE_MATRIX, b->rows->X->p, b->W};
	learn(b, t, l->sigma);
	e = error_of(b, l);
	count->perfect += e == 0;
	count->useless += e >= 1 - 1 / K;
	if (e == 0 || e >= 1 - 1 / K)
		return false;
	l->alpha = (log1p(-e) - log(e) + log(K - 1)) / 2;
	reweigh(b, l->alpha);
	return true;
}

/* Copy the weights of a learner into the pool. */
static struct kith_learner
keep(const struct kith_learner *l, struct kith_pool *pool)
{
	const size_t p = l->metric.p;
	struct kith_learner kept = *l;
	double *W = kith_new(pool, p, p * sizeof(*W));

	memcpy(W, l->metric.w, p * p * sizeof(*W));
	kept.metric.w = W;
	return kept;
}

int
kith_boost(const struct kith_immigrate_rows *rows, const struct kith_boost_how *how,
    struct kith_ensemble *ensemble, struct kith_boost_count *count, struct kith_pool *pool,
    struct kith_err *err)
{
	struct boost b = {.rows = rows, .how = how};
	struct kith_learner *learner, l, perfect = {0};

	assert(how->learners >= 1 && 0 < how->least && how->least <= how->most);
	begin(&b);
	*count = (struct kith_boost_count){0};
	learner = kith_new(pool, how->learners, sizeof(*learner));
	kith_progress_phase("boost", how->learners, "learners");
	for (size_t t = 0; t < how->learners; t++, kith_progress_add(1)) {
		const bool first = count->perfect == 0;

		if (train(&b, t, &l, count))
			learner[count->kept++] = keep(&l, pool);
		else if (first && count->perfect == 1)
			perfect = keep(&l, pool);
	}
	kith_progress_end();
	if (count->kept == 0 && count->perfect > 0) {
		perfect.alpha = log(2 * (double)rows->X->n - 1) / 2;
		learner[count->kept++] = perfect;
	}
	*ensemble = (struct kith_ensemble){
	    .boosted = true, .learner = learner, .n = count->kept, .p = rows->X->p};
	kith_pool_free(&b.tmp);
	if (count->kept > 0)
		return 0;
	return kith_fail(
	    err, EX_DATAERR, "no learner is better than chance (other --sigma-range, --inner?)");
}
