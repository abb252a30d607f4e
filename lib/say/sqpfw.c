#include "say/sqpfw.h"

#include "cli/cli.h"
#include "sqpfw/check.h"
#include "sqpfw/sqpfw.h"

#include <math.h>

void
kith_say_sqpfw_solution(const struct kith_sqpfw_now *now,
    const struct kith_sqpfw_verdict *seen, bool certified)
{
	kith_note("theta %g: objective %g, %zu iterations, %zu ties, %zu "
		  "features, residual %g%s",
	    now->theta, seen->objective, now->iterations, seen->seen.ties,
	    now->positive, seen->seen.residual,
	    certified          ? ""
		: now->limited ? ", not finished"
			       : ", not certified");
}

void
kith_say_sqpfw_log(
    const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen)
{
	kith_log_real("objective", seen->objective);
	kith_log_size("positive", now->positive);
	kith_log_size("ties", seen->seen.ties);
	kith_log_size("concave", seen->seen.concave);
	kith_log_real("residual", seen->seen.residual);
}

void
kith_say_sqpfw_doubt(
    const struct kith_sqpfw_now *now, const struct kith_sqpfw_verdict *seen)
{
	const struct kith_certificate *it = &seen->seen;

	if (now->limited)
		kith_warn("not certified as a minimum: stopped after %zu "
			  "iterations",
		    now->iterations);
	else if (isnan(it->residual))
		kith_warn("not certified as a minimum: squares of the data "
			  "overflow");
	else if (!(it->residual <= KITH_CERTIFY_LIMIT))
		kith_warn("not certified as a minimum: residual %g, limit %g",
		    it->residual, KITH_CERTIFY_LIMIT);
	else if (it->open > 0)
		kith_warn("not certified as a minimum: %zu concave kinks, "
			  "with too many choices to try",
		    it->open);
	else if (seen->certified)
		kith_warn("not certified for the path: %zu concave kinks at "
			  "theta 0",
		    it->concave);
	else
		kith_warn("not certified as a minimum: the weights sum to 1 "
			  "but for %g",
		    seen->simplex);
}
