/* SPDX-License-Identifier: BSD-2-Clause */
#include "vote/validate.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/classes.h"
#include "table/table.h"
#include "vote/predict.h"
#include "vote/prior.h"
#include "vote/votes.h"

#include <math.h>
#include <stdint.h>

int
kith_validate_new(const struct kith_table *known, const struct kith_table *asked, const size_t *k,
    size_t nk, size_t threads, struct kith_validate *out, struct kith_pool *pool,
    struct kith_err *err)
{
	const size_t c = known->class.n, m = asked->X.n;
	long there;

	*out = (struct kith_validate){
	    .known = {known->X, known->y, c, known->t, NULL},
	    .Z = asked->X,
	    .number = asked->t,
	    .k = k,
	    .nk = nk,
	    .threads = threads,
	};
	for (size_t a = 0; a < nk; a++)
		if (k[a] > known->X.n)
			return kith_fail(err, EX_DATAERR,
			    "%zu neighbours wanted, only %zu available", k[a], known->X.n);
	out->actual = kith_new(pool, m, sizeof(*out->actual));
	there = kith_classes_asked(asked, known->target, &known->class, out->actual, err);
	if (there < 0)
		return -1;
	out->n = (size_t)there;
	return 0;
}

/* What is wrong with predicting row i to be of a class, or a number. */
static double
loss_of(const struct kith_validate *v, size_t i, size_t class, double number)
{
	double d;

	if (v->known.y)
		return v->actual[i] != KITH_NO_CLASS && v->actual[i] != class;
	d = number - v->number[i];
	return isnan(v->number[i]) ? 0 : d * d;
}

int
kith_validate(const struct kith_validate *v, const struct kith_metric *metric, double *loss,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_predict_how how = {
	    .metric = metric,
	    .k = v->k,
	    .nk = v->nk,
	    .vote = &kith_vote_majority,
	    .threads = v->threads,
	};
	struct kith_predicted out;
	const int got = kith_predict(&v->known, &how, &v->Z, &out, &tmp, err);

	for (size_t a = 0; a < v->nk && got == 0; a++) {
		loss[a] = 0;
		for (size_t i = 0; i < v->Z.n; i++) {
			const size_t at = i * v->nk + a;

			loss[a] += loss_of(v, i, out.y ? out.y[at] : 0, out.t ? out.t[at] : 0);
		}
	}
	kith_pool_free(&tmp);
	return got;
}

void
kith_validate_without(const struct kith_validate *v, double *loss)
{
	struct kith_pool tmp = {0};
	const struct kith_vote_prior prior = kith_vote_prior_new(&v->known, &tmp);
	const size_t y = v->known.y ? kith_vote_prior_class(&prior, SIZE_MAX, NULL) : 0;
	const double t = v->known.y ? 0 : kith_vote_prior_mean(&prior, SIZE_MAX);

	for (size_t a = 0; a < v->nk; a++) {
		loss[a] = 0;
		for (size_t i = 0; i < v->Z.n; i++)
			loss[a] += loss_of(v, i, y, t);
	}
	kith_pool_free(&tmp);
}
