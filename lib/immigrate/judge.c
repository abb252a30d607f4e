#include "immigrate/judge.h"

#include "base/pool.h"
#include "immigrate/fit.h"
#include "la/mat.h"

size_t
kith_judge_immigrate(const struct kith_fit_how *how,
    const struct kith_immigrate_rows *rows, const struct kith_mat *X,
    const double *W, size_t threads,
    struct kith_check out[KITH_CHECK_IMMIGRATE])
{
	const struct kith_immigrate_how of = kith_fit_solver(how, X->p);
	const struct kith_check_immigrate_how wanted = {X, rows->y, rows->c,
	    rows->weight, of.sigma, of.threshold, of.tol, of.package, threads};

	if (how->method == KITH_FIT_IM4E) {
		kith_check_im4e(&wanted, W, out);
		return KITH_CHECK_IM4E;
	}
	kith_check_immigrate(&wanted, W, out);
	return KITH_CHECK_IMMIGRATE;
}

bool
kith_judge_immigrate_fit(const struct kith_fit_how *how,
    const struct kith_immigrate_rows *rows, const struct kith_fit *fit,
    size_t threads)
{
	struct kith_pool tmp = {0};
	struct kith_check check[KITH_CHECK_IMMIGRATE];
	struct kith_mat X = *rows->X;
	bool yes = true;
	size_t n;

	if (fit->fit.sure || !fit->fit.open)
		return fit->fit.sure;
	if (fit->column)
		X = kith_mat_take(&X, fit->column, fit->metric.p, &tmp);
	n = kith_judge_immigrate(how, rows, &X, fit->metric.w, threads, check);
	for (size_t i = 0; i < n; i++)
		yes = yes && kith_check_ok(&check[i]);
	kith_pool_free(&tmp);
	return yes;
}
