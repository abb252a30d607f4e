/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/knife.h"

#include "cli/cli.h"
#include "knife/knife.h"
#include "knife/trials.h"
#include "say/choice.h"
#include "table/table.h"
#include "text/out.h"

#include <float.h>
#include <math.h>

#define COUPLED 1e-8

static const char *const losses[] = {"squared", "logistic", "sqhinge", "huberhinge"};

int
kith_say_knife_classes(const struct kith_knife_rows *rows, int loss, struct kith_err *err)
{
	const struct kith_table *t = rows->t;
	size_t column;

	if (rows->c == 1 || loss == KITH_KNIFE_SQUARED)
		return 0;
	column = kith_names_find(&t->column, t->target) + 1;
	return kith_fail_at(err, EX_DATAERR, t->file, 0,
	    "%zu classes, and --loss %s takes two (--loss squared, or one "
	    "against the rest: tabscale --method none | awk -F'\\t' -v "
	    "OFS='\\t' 'NR > 1 && $%zu != \"%.40s\" { $%zu = \"(rest)\" } 1' | "
	    "knife ...)",
	    rows->class.n, losses[loss], column, rows->class.name[0], column);
}

/* The largest number of a column, or difference of two, in logarithms. */
static double
log_size(const struct kith_mat *X, size_t j, bool differences)
{
	double least, most;

	kith_mat_range(X, j, &least, &most);
	if (differences)
		return log(most / 2 - least / 2) + log(2);
	return log(fmax(fabs(least), fabs(most)));
}

int
kith_say_knife_ranges(const struct kith_table *t, const struct kith_mat *X,
    const struct kith_knife_problem *like, struct kith_err *err)
{
	const double n = (double)X->n, p = (double)X->p;
	const bool differences = kith_knife_of_differences(like);

	for (size_t j = 0; j < X->p; j++) {
		double size = log_size(X, j, differences);

		if (like->kernel != KITH_KNIFE_LAPLACIAN)
			size *= 2;
		if (like->kernel == KITH_KNIFE_POLYNOMIAL)
			size = (double)like->degree * (size + log(p));
		if (size + log(n * p) > log(DBL_MAX))
			return kith_fail_at(err, EX_DATAERR, t->file, 0,
			    "column " KITH_NAME ": numbers up to 1e%+.0f are "
			    "too large for this kernel (tabscale?)",
			    t->feature.name[j], log_size(X, j, differences) / log(10));
	}
	return 0;
}

void
kith_say_knife_coupling(const struct kith_knife_problem *problem, const double *w)
{
	double most;

	if (!kith_knife_of_differences(problem))
		return;
	most = kith_knife_coupling(problem, w);
	if (most < COUPLED)
		kith_warn("gamma %g is too large for these data: at the start "
			  "no kernel of two rows exceeds %.3g",
		    problem->gamma, most);
}

int
kith_say_knife_grid(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how,
    struct kith_knife_fitted *fit, size_t k, double *lambda2, struct kith_err *err)
{
	double most = 0;

	if (kith_knife_fitted_grid(rows, how, fit, k, lambda2, &most, err))
		return -1;
	kith_note("the weights are 0 from lambda2 %g on", most);
	kith_log_real("lambda2 of no features", most);
	return 0;
}

void
kith_say_knife_rows(const struct kith_knife_rows *rows, const struct kith_knife_fit_how *how)
{
	static const char *const kernels[] = {"linear", "polynomial", "gaussian", "laplacian"};
	const struct kith_table *t = rows->t;

	kith_note("%zu rows, %zu features", t->X.n, t->X.p);
	kith_log_size("rows", t->X.n);
	kith_log_size("features", t->X.p);
	if (rows->y)
		kith_log_size("classes", rows->class.n);
	kith_log_text("kernel", kernels[how->like.kernel]);
	kith_log_text("loss", losses[how->like.loss]);
	if (kith_knife_of_differences(&how->like))
		kith_log_real("gamma", how->like.gamma);
	kith_log_real("lambda1", how->like.lambda1);
	kith_log_text("algorithm", how->how.alternate ? "knife" : "profile");
	kith_log_size("seed", how->seed);
	kith_log_size("threads", how->like.threads);
}

void
kith_say_knife_fit(const struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how)
{
	kith_note("lambda2 %g: objective %g, %zu features, projected gradient "
		  "%g, %zu iterations, %zu evaluations%s",
	    fit->problem.lambda2, fit->fit.objective, kith_knife_fitted_features(fit),
	    fit->fit.gradient, fit->fit.iterations, fit->evaluations,
	    fit->converged ? "" : ", not converged");
	if (fit->fit.products)
		kith_note("lambda2 %g: %zu products with K, of rank %zu but for "
			  "a trace of %.3g",
		    fit->problem.lambda2, fit->fit.products, fit->fit.rank, fit->fit.left);
	if (how->restarts)
		kith_note("lambda2 %g: objectives of %zu searches: %.9g to "
			  "%.9g",
		    fit->problem.lambda2, how->restarts + 1, fit->fit.objective, fit->worst);
}

int
kith_say_knife_end(const struct kith_knife_fitted *fit, const struct kith_knife_fit_how *how)
{
	const struct kith_knife_fit *it = &fit->fit;
	const double limit = how->how.tol * fmax(1, it->start);

	kith_log_real("objective", it->objective);
	if (how->restarts)
		kith_log_real("largest objective", fit->worst);
	kith_log_size("positive", kith_knife_fitted_features(fit));
	kith_log_real("gradient", it->gradient);
	kith_log_size("iterations", it->iterations);
	kith_log_size("evaluations", fit->evaluations);
	if (how->how.alternate)
		kith_log_size("line searches", it->searches);
	if (it->products) {
		kith_log_size("products with K", it->products);
		kith_log_size("rank", it->rank);
		kith_log_real("trace left", it->left);
	}
	if (fit->converged)
		return 0;
	if (it->gradient <= limit)
		kith_warn("rounding forbids a proof of the weights after %zu "
			  "iterations (--check; tabscale?)",
		    it->iterations);
	else if (it->iterations < how->how.max_iter)
		kith_warn("no lower objective after %zu iterations: projected "
			  "gradient %g, limit %g",
		    it->iterations, it->gradient, limit);
	else
		kith_warn("no convergence in %zu iterations: projected "
			  "gradient %g, limit %g",
		    it->iterations, it->gradient, limit);
	return 1;
}

const struct kith_knife_fitted *
kith_say_knife_best(const struct kith_knife_trials *trials, size_t k, int best)
{
	const size_t s = kith_trial_choose(&trials->form, trials->trial, k, best);

	kith_say_choice(&trials->form, &trials->trial[s]);
	return &trials->found[s];
}

void
kith_say_knife_cv(size_t missed)
{
	if (missed)
		kith_warn("no convergence: %zu searches of --cv", missed);
	kith_log_size("cv not converged", missed);
}

void
kith_say_knife_path(size_t k, size_t doubts, size_t evaluations, bool alone)
{
	kith_log_size("solutions", k);
	kith_log_size("not converged", doubts);
	kith_log_size("all evaluations", evaluations);
	if (doubts && !alone)
		kith_warn("no convergence at %zu of %zu values of lambda2", doubts, k);
}

static void
write_trace(void *to, const struct kith_knife_trace *trace)
{
	kith_out_put(to, "%zu\t%g\t%g\n", trace->iteration, trace->objective, trace->gradient);
}

void
kith_say_knife_trace(struct kith_out *trace, struct kith_knife_how *how)
{
	static const char *const column[] = {"iteration", "objective", "gradient"};

	kith_out_header(trace, column, 3);
	how->tell = write_trace;
	how->to = trace;
}
