#include "wsvmpath/reweight.h"

#include "cli/cli.h"
#include "wsvm/hetero.h"
#include "wsvmpath/variables.h"

static void
report_round(const struct kith_wsvm_round *round)
{
	kith_note("round %zu: sigma %g, mean relative change %g", round->number,
	    round->sigma, round->change);
}

int
kith_wsvm_reweight(struct kith_wsvm_job *job, struct kith_err *err)
{
	struct kith_wsvm_hetero_how how;
	struct kith_wsvm_round last;
	struct kith_wsvm_count count;

	if (kith_wsvm_regress(job, err))
		return -1;
	how = (struct kith_wsvm_hetero_how){.problem = &job->problem,
	    .y = job->rows.t,
	    .C0 = job->from,
	    .rounds = job->call->reweight,
	    .on_round = report_round};
	kith_wsvm_hetero(&how, job->to, &last, &count);
	kith_log_size("rounds", last.number);
	kith_log_real("change", last.change);
	kith_log_text("reweight", last.converged ? "settled" : "not settled");
	kith_log_size("events of rounds", count.events);
	kith_log_real("residual of rounds", count.residual);
	if (!last.converged)
		kith_warn("--reweight: errors still change by %g of themselves "
			  "after %zu rounds",
		    last.change, last.number);
	return 0;
}
