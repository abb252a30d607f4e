/* SPDX-License-Identifier: BSD-2-Clause */
#include "say/immigrate.h"

#include "base/num.h"
#include "base/pool.h"
#include "cli/cli.h"
#include "cli/opt_value.h"
#include "immigrate/boost.h"
#include "immigrate/cv.h"
#include "immigrate/fit.h"
#include "immigrate/sample.h"
#include "say/choice.h"
#include "table/needs.h"
#include "table/table.h"
#include "table/trial.h"
#include "text/out.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* Warn of how a fit of a matrix, or a vector, ended. */
static void
warn_end(const char *method, bool vector, const struct kith_immigrate_how *how,
    const struct kith_immigrate_fit *fit)
{
	const bool plain = !vector && !how->monotone && !how->package;

	switch (fit->end) {
	case KITH_IMMIGRATE_CYCLE:
		kith_warn("%sno fixed point: after %zu iterations two %s "
			  "alternate; printing that of lower F (%s?)",
		    method, fit->iterations, vector ? "vectors" : "matrices",
		    vector ? "a larger --sigma" : "--rules monotone");
		break;
	case KITH_IMMIGRATE_KEPT:
		kith_warn("%sno further step after %zu iterations: %s", method, fit->iterations,
		    how->monotone && !vector ? "none lowers F, or no weight is left"
					     : "no eigenvalue of Sigma is negative, or no weight "
					       "reaches the threshold");
		break;
	case KITH_IMMIGRATE_LIMIT:
		kith_warn("%sno convergence in %zu iterations (%s?)", method, fit->iterations,
		    plain && how->tol > 0 ? "--rules monotone" : "--max-iter");
		break;
	case KITH_IMMIGRATE_CONVERGED:
		kith_warn("%s%s after %zu iterations, but the weights are "
			  "not proved to be a fixed point (--check; %s?)",
		    method, how->package ? "ended by the rule of the package" : "converged",
		    fit->iterations,
		    how->package                               ? "--tol"
			: how->monotone && how->threshold != 0 ? "--threshold"
							       : "tabscale");
		break;
	}
}

int
kith_say_immigrate_end(bool vector, const struct kith_immigrate_how *how,
    const struct kith_immigrate_fit *fit, bool proved)
{
	const char *const method = vector ? "im4e: " : "";
	static const char *const word[] = {"converged", "limit", "2-cycle", "kept"};

	kith_note("%s%s after %zu iterations, C = %g, F = %g", method, word[fit->end],
	    fit->iterations, fit->C, fit->F);
	kith_log_text("end", word[fit->end]);
	kith_log_size("iterations", fit->iterations);
	kith_log_real("objective", fit->C);
	kith_log_real("F", fit->F);
	if (fit->no_cost)
		kith_warn("%sa cost is not a number, since exp(-d/sigma) "
			  "vanished; going on (a larger --sigma?)",
		    method);
	if (!proved || fit->end == KITH_IMMIGRATE_KEPT)
		warn_end(method, vector, how, fit);
	return !proved;
}

void
kith_say_immigrate_sigmas(const char *text, struct kith_reals *sigmas, struct kith_pool *pool)
{
	const struct kith_opt list = {0, "sigma", KITH_REALS(sigmas, DBL_TRUE_MIN, DBL_MAX), ""};

	if (strcmp(text, "auto") == 0)
		*sigmas = (struct kith_reals){1, kith_new(pool, 1, sizeof(*sigmas->v))};
	else if (kith_opt_store(&list, text, pool))
		kith_misuse("bad --sigma: " KITH_CELL " (auto, or distinct numbers above 0)", text);
}

void
kith_say_immigrate_range(const char *text, struct kith_boost_how *how)
{
	if (strcmp(text, "auto") == 0)
		how->most = how->least = 0;
	else if (kith_boost_range(text, how))
		kith_misuse("bad --sigma-range: " KITH_CELL
			    " (auto, or two numbers above 0, the larger "
			    "first: 4:0.2)",
		    text);
}

int
kith_say_immigrate_sample(struct kith_table *t, size_t *sample, uint64_t seed,
    struct kith_pool *pool, struct kith_err *err)
{
	const size_t n = t->X.n;

	if (*sample >= n)
		*sample = 0;
	if (*sample == 0)
		return 0;
	kith_note("a sample of %zu of %zu rows", *sample, n);
	kith_log_size("rows_read", n);
	return kith_immigrate_sample(t, *sample, seed, pool, err);
}

void
kith_say_immigrate_other(const struct kith_needs *needs, size_t sample, size_t seed)
{
	if (needs->sample == sample && (sample == 0 || needs->seed == seed))
		return;
	if (needs->sample > 0)
		kith_warn("%s was found on a sample of the rows (--sample %zu "
			  "--seed %zu?)",
		    needs->file, needs->sample, needs->seed);
	else
		kith_warn("%s was found on all rows, not on a sample", needs->file);
}

double
kith_say_immigrate_sigma(const struct kith_immigrate_sigma *sigma)
{
	if (sigma->rows == 0)
		return sigma->value;
	if (sigma->unit == 0)
		kith_warn("rows of different classes do not differ: sigma is 1");
	else
		kith_note("sigma %g is %g times the median distance to the "
			  "nearest row of another class (error %.3g on %zu "
			  "rows)",
		    sigma->value, sigma->times, sigma->wrong, sigma->rows);
	kith_log_real("sigma", sigma->value);
	return sigma->value;
}

/* Note the choice, and log it; an auto sigma is logged with its fit. */
static size_t
choose(const struct kith_trial *trial, size_t k, int best)
{
	const bool by_rows = trial->key[0] == 0;
	struct kith_trial_form form = kith_immigrate_cv_form;
	const size_t s = kith_trial_choose(&form, trial, k, best);

	if (by_rows)
		form.keys = 0;
	kith_say_choice(&form, &trial[s]);
	return s;
}

size_t
kith_say_immigrate_cv(const struct kith_immigrate_fit_how *fit, const struct kith_trial *trial,
    size_t k, int best, const struct kith_immigrate_cv_ends *ends)
{
	const struct kith_immigrate_how *how = &fit->how;
	struct kith_immigrate_cv_ends all = *ends;

	for (size_t s = 0; s < k; s++) {
		char name[KITH_NUM_ROOM] = "auto";

		if (trial[s].key[0] > 0)
			snprintf(name, sizeof(name), "%g", trial[s].key[0]);
		kith_note("sigma %s: %zu of %zu rows wrong", name, trial[s].errors, trial[s].n);
	}
	if (how->package || how->tol == 0)
		all.limits = 0; /* the limit is a way to end */
	if (all.cycles + all.kept + all.limits > 0)
		kith_warn("of %zu fits %zu ended in a 2-cycle, %zu without a "
			  "further step, %zu without convergence%s",
		    all.fits, all.cycles, all.kept, all.limits,
		    how->package || how->monotone || fit->method == KITH_IMMIGRATE_FIT_IM4E
			? ""
			: " (--rules monotone?)");
	return best ? choose(trial, k, best) : 0;
}

static void
write_trace(void *to, const struct kith_immigrate_trace *t)
{
	kith_out_put(to, "%zu\t%G\t%G\t%G\n", t->iteration, t->C, t->F, t->step);
}

int
kith_say_immigrate_trace(
    struct kith_out *trace, const char *path, struct kith_immigrate_how *how, struct kith_err *err)
{
	static const char *const head[] = {"iteration", "C", "F", "step"};

	if (kith_out_open(trace, path, err))
		return -1;
	kith_out_header(trace, head, 4);
	how->tell = write_trace;
	how->to = trace;
	return 0;
}
