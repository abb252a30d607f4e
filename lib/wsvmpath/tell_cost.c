/* SPDX-License-Identifier: BSD-2-Clause */
#include "wsvmpath/tell_cost.h"

#include "cost/wsvm.h"
#include "wsvmpath/pairs.h"
#include "wsvmpath/task.h"

int
kith_wsvm_tell_cost(const struct kith_wsvm_job *job, struct kith_out *out, struct kith_err *err)
{
	const struct kith_wsvm_call *call = job->call;
	const struct kith_wsvm_problem *problem = &job->problem;
	const bool made = call->task != KITH_WSVM_TRANSDUCE && !call->reweight;
	const bool printed = call->print != KITH_WSVM_EVENTS && call->at.n == 0;
	struct kith_cost_wsvm it = {.n = job->n,
	    .p = job->X.p,
	    .asked = job->m,
	    .variables = made ? problem->variables : job->n,
	    .from = made && call->from ? job->from : NULL,
	    .to = made ? job->to : NULL,
	    .cache = problem->cache,
	    .threads = problem->threads,
	    .times = 1 + call->reweight + call->parts * (call->gammas.n ? call->gammas.n : 1),
	    .columns = printed && !call->validate ? job->n : 0,
	    .check = call->check};

	if (kith_wsvm_is_many(job)) {
		it.rows = job->n;
		it.classes = job->rows.class.n;
		if (call->multi == KITH_WSVM_ONE) /* a pair has so many */
			it.n = it.variables = 2 * job->n / it.classes;
		it.times *= kith_wsvm_pairs(job);
	}
	return kith_cost_wsvm(&it, out, err);
}
