#include "immigrate/fit_boost.h"

#include "base/pool.h"
#include "immigrate/start.h"

int
kith_immigrate_fit_boost(const struct kith_immigrate_rows *rows,
    const struct kith_immigrate_fit_how *fit,
    const struct kith_boost_how *boost, struct kith_ensemble *ensemble,
    struct kith_boost_count *count, struct kith_immigrate_fit *select,
    struct kith_pool *pool, struct kith_err *err)
{
	struct kith_pool tmp = {0};
	struct kith_immigrate_rows some = *rows;
	struct kith_boost_how how = *boost;
	size_t *column = NULL;
	struct kith_mat X = *rows->X;
	double *w, *W = NULL;
	int got;

	if (fit->method == KITH_IMMIGRATE_FIT_SELECTED) {
		const long p = kith_immigrate_fit_select(
		    rows, fit, &column, &w, select, pool, err);

		if (p < 0)
			return -1;
		X = kith_mat_take(&X, column, (size_t)p, &tmp);
		some.X = &X;
	} else if (fit->start == KITH_IMMIGRATE_FIT_IDENTITY) {
		W = kith_new(&tmp, X.p, X.p * sizeof(*W));
		kith_immigrate_start_identity(X.p, W);
	}
	how.start = column || fit->start != KITH_IMMIGRATE_FIT_GIVEN
	    ? W
	    : fit->given;
	how.inner = kith_immigrate_fit_solver(fit, X.p);
	how.inner.max_iter = boost->inner.max_iter;
	how.inner.tell = NULL;
	got = kith_boost(&some, &how, ensemble, count, pool, err);
	ensemble->column = column;
	kith_pool_free(&tmp);
	return got;
}
