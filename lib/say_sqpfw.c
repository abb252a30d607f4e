#include "say_sqpfw.h"

#include "certify.h"
#include "cli.h"
#include "sqpfw.h"

#include <math.h>

void
kith_say_sqpfw_solution(const struct kith_sqpfw_now *now,
    const struct kith_certificate *seen, bool certified)
{
	kith_note("theta %g: objective %g, %zu iterations, %zu ties, %zu "
		  "features, residual %g%s",
	    now->theta, now->objective, now->iterations, seen->ties,
	    now->positive, seen->residual,
	    !now->done       ? ", not finished"
		: !certified ? ", not certified"
			     : "");
}

void
kith_say_sqpfw_log(
    const struct kith_sqpfw_now *now, const struct kith_certificate *seen)
{
	kith_log_real("objective", now->objective);
	kith_log_size("positive", now->positive);
	kith_log_size("ties", seen->ties);
	kith_log_size("concave", seen->concave);
	kith_log_real("residual", seen->residual);
}

void
kith_say_sqpfw_doubt(
    const struct kith_sqpfw_now *now, const struct kith_certificate *seen)
{
	if (!now->done)
		kith_warn("not certified as a minimum: stopped after %zu "
			  "iterations",
		    now->iterations);
	else if (seen->concave)
		kith_warn("not certified as a minimum: concave kinks: %zu "
			  "(ties that depend on each other)",
		    seen->concave);
	else if (isnan(seen->residual))
		kith_warn("not certified as a minimum: squares of the data "
			  "overflow");
	else
		kith_warn("not certified as a minimum: residual %g, limit %g",
		    seen->residual, seen->limit);
}
