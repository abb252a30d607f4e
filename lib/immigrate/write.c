/* SPDX-License-Identifier: BSD-2-Clause */
#include "immigrate/write.h"

#include "immigrate/fit.h"
#include "immigrate/margin.h"
#include "immigrate/unit.h"
#include "table/needs.h"
#include "table/table.h"
#include "table/verdict.h"
#include "table/weights.h"
#include "text/out.h"

int
kith_immigrate_write(const struct kith_immigrate_result *r, bool margins,
    const struct kith_dest *to, struct kith_out *out, struct kith_pool *pool, struct kith_err *err)
{
	struct kith_immigrate_fitted *fit = r->fit;
	const struct kith_needs needs = {.sigma = fit->sigma.value,
	    .scale = r->unit->unit.method,
	    .sample = r->sample,
	    .seed = r->seed};

	if (!margins && kith_immigrate_unit_metric(r->unit, fit->column, &fit->metric, pool, err))
		return -1;
	if (kith_out_open_table(out, to, err))
		return -1;
	if (margins) {
		kith_immigrate_margins_write(r->t, r->rows, fit, needs.sigma, r->threads, out);
		return 0;
	}
	kith_needs_put(&needs, out);
	kith_weights_put(&fit->metric, &r->t->feature, fit->column, out);
	return 0;
}

int
kith_immigrate_verdict(const struct kith_check *check, size_t n, size_t sample, size_t seed,
    const struct kith_dest *to, struct kith_out *out, struct kith_err *err)
{
	const struct kith_needs needs = {.sample = sample, .seed = seed};

	if (kith_out_open_table(out, to, err))
		return -1;
	kith_needs_put(&needs, out);
	return kith_verdict_put(check, n, out);
}
