#include "say/immigrate.h"

#include "cli/cli.h"
#include "immigrate/cv.h"
#include "immigrate/fit.h"
#include "table/trial.h"

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
		kith_warn("%sno further step after %zu iterations: %s", method,
		    fit->iterations,
		    how->monotone && !vector
			? "none lowers F, or no weight is left"
			: "no eigenvalue of Sigma is negative, or no weight "
			  "reaches the threshold");
		break;
	case KITH_IMMIGRATE_LIMIT:
		kith_warn("%sno convergence in %zu iterations (%s?)", method,
		    fit->iterations,
		    plain && how->tol > 0 ? "--rules monotone" : "--max-iter");
		break;
	case KITH_IMMIGRATE_CONVERGED:
		kith_warn("%s%s after %zu iterations, but the weights are "
			  "not proved to be a fixed point (--check; %s?)",
		    method,
		    how->package ? "ended by the rule of the package"
				 : "converged",
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
	static const char *const word[] = {
	    "converged", "limit", "2-cycle", "kept"};

	kith_note("%s%s after %zu iterations, C = %g, F = %g", method,
	    word[fit->end], fit->iterations, fit->C, fit->F);
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
kith_say_immigrate_cv(const struct kith_immigrate_fit_how *fit,
    const struct kith_trial *trial, size_t k,
    const struct kith_immigrate_cv_ends *ends)
{
	const struct kith_immigrate_how *how = &fit->how;
	struct kith_immigrate_cv_ends all = *ends;

	for (size_t s = 0; s < k; s++)
		kith_note("sigma %g: %zu of %zu rows wrong", trial[s].key[0],
		    trial[s].errors, trial[s].n);
	if (how->package || how->tol == 0)
		all.limits = 0; /* the limit is a way to end */
	if (all.cycles + all.kept + all.limits > 0)
		kith_warn("of %zu fits %zu ended in a 2-cycle, %zu without a "
			  "further step, %zu without convergence%s",
		    all.fits, all.cycles, all.kept, all.limits,
		    how->package || how->monotone ||
			    fit->method == KITH_IMMIGRATE_FIT_IM4E
			? ""
			: " (--rules monotone?)");
}

static void
write_trace(void *to, const struct kith_immigrate_trace *t)
{
	kith_out_put(
	    to, "%zu\t%G\t%G\t%G\n", t->iteration, t->C, t->F, t->step);
}

int
kith_say_immigrate_trace(struct kith_out *trace, const char *path,
    struct kith_immigrate_how *how, struct kith_err *err)
{
	static const char *const head[] = {"iteration", "C", "F", "step"};

	if (kith_out_open(trace, path, err))
		return -1;
	kith_out_header(trace, head, 4);
	how->tell = write_trace;
	how->to = trace;
	return 0;
}
