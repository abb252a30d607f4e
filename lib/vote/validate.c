#include "vote/validate.h"

#include "base/err.h"
#include "base/pool.h"
#include "table/classes.h"
#include "table/table.h"
#include "text/out.h"
#include "vote/predict.h"
#include "vote/votes.h"

int
kith_validate_new(const struct kith_table *known,
    const struct kith_table *asked, const size_t *k, size_t nk, size_t threads,
    struct kith_validate *out, struct kith_pool *pool, struct kith_err *err)
{
	const size_t c = known->class.n, m = asked->X.n;
	long there;

	*out = (struct kith_validate){
	    .known = {known->X, known->y, c, NULL},
	    .Z = asked->X,
	    .k = k,
	    .nk = nk,
	    .threads = threads,
	};
	for (size_t a = 0; a < nk; a++)
		if (k[a] > known->X.n)
			return kith_fail(err, EX_DATAERR,
			    "-k %zu: only %zu neighbours are available", k[a],
			    known->X.n);
	out->actual = kith_new(pool, m, sizeof(*out->actual));
	there = kith_classes_asked(
	    asked, known->target, &known->class, out->actual, err);
	if (there < 0)
		return -1;
	out->n = (size_t)there;
	return 0;
}

int
kith_validate(const struct kith_validate *v, const double *w, size_t *errors,
    struct kith_err *err)
{
	struct kith_pool tmp = {0};
	const struct kith_metric metric = {KITH_SQUARED, v->Z.p, w};
	const struct kith_predict_how how = {
	    .metric = &metric,
	    .k = v->k,
	    .nk = v->nk,
	    .vote = &kith_vote_majority,
	    .threads = v->threads,
	};
	struct kith_predicted out;
	const int got = kith_predict(&v->known, &how, &v->Z, &out, &tmp, err);

	for (size_t a = 0; a < v->nk && got == 0; a++) {
		errors[a] = 0;
		for (size_t i = 0; i < v->Z.n; i++)
			errors[a] += v->actual[i] != KITH_NO_CLASS &&
			    out.y[i * v->nk + a] != v->actual[i];
	}
	kith_pool_free(&tmp);
	return got;
}

void
kith_validate_header(struct kith_out *out)
{
	static const char *const column[] = {
	    "theta", "k", "n", "errors", "error", "features"};

	kith_out_header(out, column, 6);
}

void
kith_validate_write(const struct kith_validate *v, double theta,
    const size_t *errors, size_t features, struct kith_out *out)
{
	for (size_t a = 0; a < v->nk; a++)
		kith_out_put(out, "%g\t%zu\t%zu\t%zu\t%g\t%zu\n", theta,
		    v->k[a], v->n, errors[a], (double)errors[a] / (double)v->n,
		    features);
	kith_out_flush(out);
}

bool
kith_validate_better(
    const struct kith_validate_choice *a, const struct kith_validate_choice *b)
{
	if (a->errors != b->errors)
		return a->errors < b->errors;
	if (a->features != b->features)
		return a->features < b->features;
	if (a->k != b->k)
		return a->k < b->k;
	return a->parameter < b->parameter;
}
